"""The variables of a comprehension that ran in the frame around it, as most do since Python 3.12 (PEP 709).

When it fails they are put back to what they were before: the frame has lost them. What they were is told only where it
is sure: the loop is gone through once more, over plain values, until the failing expression raises the very same error.
"""

from __future__ import annotations

import ast
import dataclasses
import dis
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from types import FrameType
from typing import Any

from reflex_ipython.base.classes import inherits, is_exactly
from reflex_ipython.capture import chain, statement
from reflex_ipython.capture.plain_evaluation import NotPlain, RaisedError, holds, is_plain, items, may_change, worth
from reflex_ipython.capture.safe_inspection import MISSING
from reflex_ipython.capture.trace import Step

_PUTS_BACK = dis.opmap.get("LOAD_FAST_AND_CLEAR")  # no other code has it; None before Python 3.12
_GONE_THROUGH = 2_000  # items, of all loops together

_Inlined = (ast.ListComp, ast.SetComp, ast.DictComp)


@dataclass(frozen=True)
class _Loop:
    """One `for`. The first of a comprehension has the names of all its variables, which begin where it does."""

    target: ast.expr
    over: ast.expr
    begins: tuple[str, ...]


@dataclass(frozen=True)
class _Test:
    """A condition that stands before the failing expression, and what it must have been."""

    condition: ast.expr
    met: bool


@dataclass(frozen=True)
class _Place:
    """Where a failing expression stands in the comprehensions that run in its frame."""

    failing: ast.expr | None
    way: list[_Loop | _Test]
    outermost: ast.expr

    @property
    def names(self) -> list[str]:
        return [name for one in self.way if isinstance(one, _Loop) for name in one.begins]


def with_inlined(found: list[Step], exc: BaseException) -> list[Step]:
    """The steps with the variables of comprehensions that have no frame of their own.

    Parameters
    ----------
    found : list of Step
    exc : BaseException
        What was raised.
    """
    last = _innermost(exc)
    return [_with_variables(step, exc if step.frame is last else None) for step in found]


def _innermost(exc: BaseException) -> FrameType | None:
    entry = chain.traceback(exc)
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return entry.tb_frame if entry is not None else None


def _with_variables(step: Step, exc: BaseException | None) -> Step:
    code = step.frame.f_code
    if step.origin != "user" or step.span is None or _PUTS_BACK is None or _PUTS_BACK not in code.co_code[::2]:
        return step
    place = _place(step)
    if place is None or not place.names:
        return step
    told: dict[str, Any] = {}
    is_class = not step.is_top and not code.co_flags & CO_OPTIMIZED  # its names are not those of the comprehension
    if exc is not None and place.failing is not None and not is_class:
        told = _gone_through(place, place.failing, step, exc) or _without_attribute(place, exc)
    return dataclasses.replace(step, inlined={**dict.fromkeys(place.names, MISSING), **told})


# ---------------------------------------------------------------------------------------------------- the place


def _place(step: Step) -> _Place | None:
    """Where the failing expression stands; None if in no comprehension."""
    assert step.span is not None
    inside = statement.statement(step)
    path = _path(inside, step.span) if inside is not None else []
    way: list[_Loop | _Test] = []
    outermost: ast.expr | None = None
    for node, part in zip(path, [*path[1:], None]):
        if _has_its_frame(node, part):
            way, outermost = [], None
        elif isinstance(node, _Inlined) and part is not node.generators[0].iter:
            outermost = outermost or node
            way += _in_comprehension(node, part)
        else:
            way += _conditions(node, part)
    return None if outermost is None else _Place(_failing(path[-1], path[-2:-1], step.span), way, outermost)


def _path(inside: ast.AST, span: tuple[int, ...]) -> list[Any]:
    """The expressions around a place, the outermost first, with the one that is there."""
    first, last, left, right = span
    found: list[ast.AST] = []
    todo = list(ast.iter_child_nodes(inside))
    while todo:
        node = todo.pop()
        if not isinstance(node, ast.expr):
            todo += [] if isinstance(node, ast.stmt) else ast.iter_child_nodes(node)
        elif (node.lineno, node.col_offset) <= (first, left) and _end(node) >= (last, right):
            found.append(node)
            todo = list(ast.iter_child_nodes(node))
    return found


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0


def _has_its_frame(node: ast.AST, part: ast.AST | None) -> bool:
    """Whether that part of an expression runs in a frame of its own."""
    if isinstance(node, ast.Lambda):
        return part is node.body
    return isinstance(node, ast.GeneratorExp) and part is not node.generators[0].iter


def _in_comprehension(node: Any, part: ast.AST | None) -> Iterator[_Loop | _Test]:
    """The loops and conditions of a comprehension on the way to a part of it."""
    targets = [one for loop in node.generators for one in ast.walk(loop.target)]
    begins = tuple(one.id for one in targets if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    for number, loop in enumerate(node.generators):
        if part is loop.iter:
            return
        yield _Loop(loop.target, loop.iter, begins if number == 0 else ())
        for condition in loop.ifs:
            if part is condition:
                return
            yield _Test(condition, met=True)


def _conditions(node: ast.AST, part: ast.AST | None) -> Iterator[_Test]:
    """What must hold for a part of an expression to be evaluated."""
    if isinstance(node, ast.IfExp) and part in (node.body, node.orelse):
        yield _Test(node.test, met=part is node.body)
    if isinstance(node, ast.BoolOp) and part is not None:
        for one in itertools.takewhile(lambda one: one is not part, node.values):
            yield _Test(one, met=isinstance(node.op, ast.And))
    if isinstance(node, ast.Compare) and part in node.comparators[1:]:
        before = node.comparators.index(part)
        yield _Test(ast.Compare(node.left, node.ops[:before], node.comparators[:before]), met=True)


def _failing(node: Any, around: list[Any], span: tuple[int, ...]) -> ast.expr | None:
    """The expression at the place; for one that could not be put into a set or dictionary, that with the braces."""
    exact = (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) == tuple(span)
    if isinstance(node, ast.DictComp) and not exact:
        key, value = node.key, node.value
        there = (key.lineno, value.end_lineno, key.col_offset, value.end_col_offset) == tuple(span)
        return ast.Dict([key], [value]) if there else None
    if isinstance(node, _Inlined) or not exact:
        return None
    if any(isinstance(one, ast.SetComp) and one.elt is node for one in around):
        return ast.Set([node])
    return node  # type: ignore[no-any-return]  # an expression


# ---------------------------------------------------------------------------------------------------- the values


def _gone_through(place: _Place, failing: ast.expr, step: Step, exc: BaseException) -> dict[str, Any]:
    """The variables when the failing expression raised; nothing where that is not sure."""

    def variable(name: str) -> Any:
        return known[name] if name in known else step.variable(name)

    known: dict[str, Any] = {}
    if not inherits(type(exc), Exception):  # an interrupt is of no expression, and that one may take as long again
        return {}
    if may_change(place.outermost, variable) or any(
        isinstance(one, ast.comprehension) and one.is_async for one in ast.walk(place.outermost)
    ):
        return {}
    looped = any(isinstance(node, ast.comprehension) and node.iter is failing for node in ast.walk(place.outermost))
    try:
        for known in _turns(place.way, {}, step, itertools.repeat(True, _GONE_THROUGH)):
            try:
                items(failing, variable) if looped else worth(failing, variable)
            except RaisedError as raised:
                return known if _is_same(raised.error, exc) else {}
    except (NotPlain, RaisedError):
        pass
    return {}


def _turns(
    way: list[_Loop | _Test], known: dict[str, Any], step: Step, room: Iterator[bool]
) -> Iterator[dict[str, Any]]:
    """The variables each time that the failing expression was reached. `room`: one for each item that may be taken."""

    def variable(name: str) -> Any:
        return known[name] if name in known else step.variable(name)

    if not way:
        yield known
    elif isinstance(way[0], _Test):
        if holds(way[0].condition, variable) is way[0].met:
            yield from _turns(way[1:], known, step, room)
    else:
        unset = dict.fromkeys(way[0].begins, MISSING)
        for item in items(way[0].over, variable):
            if not next(room, False):
                raise NotPlain
            yield from _turns(way[1:], {**known, **unset, **_bound(way[0].target, item)}, step, room)


def _bound(target: ast.expr, item: Any) -> dict[str, Any]:
    """What an item gives to the names of a loop."""
    if isinstance(target, ast.Name):
        return {target.id: item}
    if not isinstance(target, (ast.Tuple, ast.List)) or not is_exactly(item, (list, tuple, str)):
        raise NotPlain
    if len(target.elts) != len(item):
        raise NotPlain
    return {name: value for one, part in zip(target.elts, item) for name, value in _bound(one, part).items()}


def _is_same(error: Exception, exc: BaseException) -> bool:
    """Whether two errors say the same. What the failed one says is looked at only where it is plain."""
    if type(error) is not type(exc):
        return False
    told = chain.arguments(exc)
    return is_plain(told) and error.args == told


def _without_attribute(place: _Place, exc: BaseException) -> dict[str, Any]:
    """The variable that has no such attribute: the error itself holds it."""
    node = place.failing
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or node.value.id not in place.names:
        return {}
    if chain.field(exc, AttributeError, "name") != node.attr:
        return {}
    return {node.value.id: chain.field(exc, AttributeError, "obj")}
