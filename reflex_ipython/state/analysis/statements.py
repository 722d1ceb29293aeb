"""What statements do, definitions and imports excepted."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from reflex_ipython.state.analysis.analysis import LATER, PASSES, STATEMENTS, Analysis, Names
from reflex_ipython.state.analysis.builtin_calls import check_shown
from reflex_ipython.state.analysis.class_calls import is_builtin_error
from reflex_ipython.state.analysis.expressions import bind_target, later
from reflex_ipython.state.analysis.items import element
from reflex_ipython.state.analysis.joins import join
from reflex_ipython.state.analysis.values import (
    ATOM,
    BUILTIN,
    CLASS,
    FUNCTION,
    LIBRARY,
    METHOD,
    MODULE,
    NONE,
    SOMETHING,
    TEXT,
    Unknown,
    clock,
    same_knowledge,
)
from reflex_ipython.state.kinds.instances import MISSING

_QUIET_SHOWN = frozenset([FUNCTION, BUILTIN, LIBRARY, MODULE, METHOD])


def _expression(a: Analysis, node: ast.Expr) -> None:
    if type(node.value) is ast.Constant:
        return
    value = a.value(node.value)
    if a.frame is a.top and value is not NONE:  # it may be displayed
        if value.form in _QUIET_SHOWN or (value.form == CLASS and type(value.o) is type):
            return
        a.use(value)
        check_shown([value])


# ------------------------------------------------------------------------------------------ ways


def _if(a: Analysis, node: ast.If) -> None:
    a.use(a.value(node.test))
    before = dict(a.frame.names)
    a.run(node.body)
    after = a.frame.names
    a.frame.names = before
    a.run(node.orelse)
    a.frame.names = a.joined(after, a.frame.names)


def _for(a: Analysis, node: ast.For) -> None:
    def once() -> None:
        items = a.value(node.iter)  # each time anew: the loop may write to it
        a.use(items)
        bind_target(a, node.target, element(a, items))
        a.run(node.body)

    _loop(a, once, node.orelse)


def _while(a: Analysis, node: ast.While) -> None:
    def once() -> None:
        a.use(a.value(node.test))
        a.run(node.body)

    _loop(a, once, node.orelse)


def _loop(a: Analysis, once: Callable[[], None], orelse: list[ast.stmt]) -> None:
    """Follow a loop's round until another one adds nothing to what is known."""
    outer, a.exits = a.exits, []
    for _ in range(PASSES):
        before = dict(a.frame.names)
        outer_oldest, a.oldest, begun = a.oldest, LATER, next(clock)
        once()
        settled = a.oldest > begun
        a.oldest = min(a.oldest, outer_oldest)
        if _settled(a, before) and settled:
            break
    else:
        raise Unknown("a loop that is not understood")
    a.exits = outer
    _run_else(a, orelse)


def _run_else(a: Analysis, body: list[ast.stmt]) -> None:
    if body:
        before = a.frame.names
        a.frame.names = dict(before)
        a.run(body)
        a.frame.names = a.joined(before, a.frame.names)


def _settled(a: Analysis, before: Names) -> bool:
    """Whether what is known at the loop's end, or where it was left, adds nothing to what was known before."""
    names = a.frame.names
    for early in a.exits or ():
        names = a.joined(names, early)
    names = a.frame.names = a.joined(before, names)
    if names.keys() != before.keys():
        return False
    return all(same_knowledge(before[name], value) for name, value in names.items())


def _leave(a: Analysis, node: ast.Break | ast.Continue) -> None:
    if a.exits is not None:
        a.exits.append(dict(a.frame.names))


def _return(a: Analysis, node: ast.Return) -> None:
    value = NONE if node.value is None else later(a.value(node.value))
    a.returned = value if a.returned is None else join(a.returned, value)


def _try(a: Analysis, node: ast.Try) -> None:
    before = dict(a.frame.names)
    outer, a.trail = a.trail, []
    a.run(node.body)
    trail = a.trail
    after = a.frame.names
    handled = dict(before)
    for name, value in trail:
        old = handled.get(name) or (a.outside(name) if a.frame is a.top else None)
        handled[name] = value if old is None else join(old, value)
    for handler in node.handlers:
        a.frame.names = dict(handled)
        if handler.type is not None:
            a.value(handler.type)
        if handler.name is not None:
            a.bind(handler.name, SOMETHING if a.raises else TEXT)
        a.run(handler.body)
        if handler.name is not None:
            a.bind(handler.name, SOMETHING)
        after = a.joined(after, a.frame.names)
    a.frame.names = after
    a.run(node.orelse)
    for name, value in a.trail:
        old = a.frame.names.get(name)
        a.frame.names[name] = value if old is None else join(old, value)
    inner, a.trail = a.trail, outer
    if outer is not None:
        outer += inner
    a.run(node.finalbody)


def _raise(a: Analysis, node: ast.Raise) -> None:
    for each in (node.exc, node.cause):
        value = NONE if each is None else a.value(each)
        if value.form != ATOM and not (value.form == CLASS and type(value.o) is type and is_builtin_error(value.o)):
            a.raises = True  # whoever catches it has an object of the user's
            if each is node.exc and (value.o is not MISSING or isinstance(each, (ast.Attribute, ast.Subscript))):
                raise Unknown("an error that exists: it is noted there where it was raised")


def _assert(a: Analysis, node: ast.Assert) -> None:
    a.use(a.value(node.test))
    if node.msg is not None:
        a.use(a.value(node.msg))


def _nothing(a: Analysis, node: Any) -> None:
    pass


STATEMENTS.update(
    {
        ast.Expr: _expression,
        ast.If: _if,
        ast.For: _for,
        ast.While: _while,
        ast.Break: _leave,
        ast.Continue: _leave,
        ast.Return: _return,
        ast.Try: _try,
        ast.Raise: _raise,
        ast.Assert: _assert,
        ast.Pass: _nothing,
        ast.Global: _nothing,
    }
)
