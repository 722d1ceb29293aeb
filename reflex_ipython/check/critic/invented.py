"""Fixes that put made-up data in the place of what another cell made, or should have made."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change, changed_parts, changes
from reflex_ipython.check.critic.words import words
from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Cause, Failure, Finding, Fix, Situation, Trial
from reflex_ipython.protocols import Context

_MAKERS = words(
    """DataFrame Series Index array asarray matrix arange linspace zeros ones full eye date_range Timestamp list dict
    set tuple frozenset range deque defaultdict OrderedDict Counter tensor rand randn randint random normal uniform
    choice choices sample integers"""
)
"""What makes data out of what is written in its arguments, or out of nothing."""

_SHOWN = 40
_Scope = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class InventedDataChecker:
    """Says where a fix sets a name that the cell only reads to data that nobody gave."""

    name = "invented"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each such name."""
        if not isinstance(cause, Failure):
            return
        lacking = cause.lookup.wanted if cause.lookup is not None and cause.lookup.kind == "name" else ""
        for change in changes(fix):
            for name, value in _new_bindings(change):
                maker = _maker(name, value, cause.situation)
                if maker is None or (not maker and name != lacking):
                    continue
                if maker or not (_is_empty(value) or _is_word(name, value)):
                    why = f", which {maker} has made" if maker else ", which nothing says"
                    yield Finding("invented-data", f"makes up `{name} = {_short(value)}`{why}")


def _new_bindings(change: Change) -> Iterator[tuple[str, ast.expr]]:
    """The names that the old text only reads, and the literals that the new text binds them to at its top level."""
    made = list(_bindings(changed_parts(change).new, literal=True))  # what both texts have, the old one binds as well
    if not made:
        return
    bound = {name for name, _ in _bindings(change.old, literal=False)}
    reads = {
        node.id for node in change.old.nodes() if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    } - set(dir(builtins))
    for name, value in made:
        if name in reads and name not in bound and not _is_written(change.old, name, value):
            yield name, value


def _is_written(cell: ParsedCell, name: str, value: ast.expr) -> bool:
    """Whether a text has that very data already: not a mere number or text, unless it stands beside the name.

    R's `heights <- [170, 182]` is a comparison.
    """
    wanted = ast.dump(value)
    for node in cell.nodes():
        beside = isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == name
        parts = ast.walk(node) if beside else [] if isinstance(value, ast.Constant) else [node]
        if any(isinstance(part, ast.expr) and ast.dump(part) == wanted for part in parts):
            return True
    return False


def _bindings(cell: ParsedCell, *, literal: bool) -> Iterator[tuple[str, ast.expr]]:
    """The names that are bound outside of functions, or whose parts are, and what to. `literal`: only to data."""
    todo: list[ast.AST] = [cell.tree] if cell.tree is not None else []
    while todo:
        node = todo.pop()
        if isinstance(node, _Scope):
            continue
        todo += ast.iter_child_nodes(node)
        if not literal and isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)):
            root: ast.expr = node
            while isinstance(root, (ast.Subscript, ast.Attribute)):
                root = root.value
            if not isinstance(node.ctx, ast.Load) and isinstance(root, ast.Name):
                yield root.id, node
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) else None
        if literal and value is not None and _is_data(value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]  # type: ignore[attr-defined]  # just checked
            yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))


def _is_data(value: ast.expr) -> bool:
    """Whether a value is written out: a number, a text, a list of them, a table of lists; or drawn at random."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, (int, float, complex, str, bytes)) and not isinstance(value.value, bool)
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return all(_is_part(element) for element in value.elts)
    if isinstance(value, ast.Dict):
        return all(part is not None and _is_part(part) for part in (*value.keys, *value.values))
    if isinstance(value, ast.UnaryOp):
        return _is_data(value.operand)
    if isinstance(value, ast.BinOp):
        return _is_data(value.left) and _is_data(value.right)
    if isinstance(value, ast.Call):
        called = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        arguments = [*value.args, *(keyword.value for keyword in value.keywords)]
        return called in _MAKERS and all(map(_is_part, arguments))
    return False


def _is_part(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) or _is_data(value)


def _maker(name: str, value: ast.expr, situation: Situation) -> str | None:
    """Who has made a name: the cell, or another one; empty: nobody is known to. None: the very same value is theirs."""
    for cell in reversed(situation.earlier):
        known = [other for bound, other in _bindings(read(cell.source), literal=True) if bound == name]
        if any(_same(value, other) for other in known):
            return None
    for cell in reversed(situation.earlier):
        if any(bound == name for bound, _ in _bindings(read(cell.source), literal=False)):
            return f"In [{cell.cell.execution_count}]" if cell.cell.execution_count else "an earlier cell"
    return "another cell" if name in situation.names else ""


def _same(one: ast.expr, other: ast.expr) -> bool:
    """Whether two literals are the same, or the same number as a text."""
    texts = [str(part.value) if isinstance(part, ast.Constant) else ast.unparse(part) for part in (one, other)]
    return texts[0] == texts[1]


def _is_empty(value: ast.expr) -> bool:
    """Whether a value is what a collection or a sum begins with."""
    if isinstance(value, ast.Call):
        return not value.args and not value.keywords
    if isinstance(value, ast.Constant):
        return not value.value or value.value == 1
    return not any(isinstance(node, ast.Constant) for node in ast.walk(value))


def _is_word(name: str, value: ast.expr) -> bool:
    """Whether a name that was meant as a text stands for that text."""
    return isinstance(value, ast.Constant) and value.value == name


def _short(value: ast.expr) -> str:
    text = ast.unparse(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
