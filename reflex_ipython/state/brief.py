"""The mark of a short statement: it binds names that were bound to plain data, or does one operation on a list or dict.

Cells have many of them, and most cells succeed. So their marks are tuples that hold nothing whose end anybody could
see: plain data, and of a list or dict only by which name it was found. They are unfolded to full marks when they are
needed, on the way back from the state in which that name is bound to it.
"""

from __future__ import annotations

import ast
from typing import Any

from reflex_ipython.state.kinds.instances import MISSING as NO_ENTRY
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.mark import ENDED, MISSING, Mark
from reflex_ipython.state.noted import Note, Noted
from reflex_ipython.state.quiet import is_plain
from reflex_ipython.state.weak import GONE, found

Operation = tuple[str, int, Kind, Any]
"""The name of a list or dict, its id, and how to undo what is done to it."""
Brief = tuple[ast.stmt, tuple[str, ...], tuple[Any, ...], "Operation | None"]
"""The statement, the names that it binds, what they were bound to, what it does to a list or dict."""
_NUMBERS = frozenset(map(identity, (int, float, bool, type(None), complex)))
_STORES = (ast.Store, ast.Del)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def brief(node: ast.stmt, notes: list[Note], names: tuple[str, ...], namespace: dict[str, Any]) -> Brief | None:
    """The mark of a statement that is about to run; None if it takes a full one.

    Parameters
    ----------
    node : ast.stmt
    notes : list of Note
        How to undo what it writes to.
    names : tuple of str
        What it binds.
    namespace : dict
    """
    if notes:
        operation = _operation(node, notes[0], namespace) if len(notes) == 1 and not names else None
        return None if operation is None else (node, (), (), operation)
    olds = tuple([namespace.get(name, MISSING) for name in names])
    for old in olds:
        if identity(type(old)) not in _NUMBERS and not _may_be_held(old):
            return None
    return node, names, olds, None


def _operation(node: ast.stmt, note: Note, namespace: dict[str, Any]) -> Operation | None:
    kind, o, saved = note
    holder = _holder(node)
    if holder is None or namespace.get(holder) is not o:
        return None
    parts = saved if type(saved) is tuple else (saved,)
    return (holder, id(o), kind, saved) if all(map(_may_be_held, parts)) else None


def _holder(node: Any) -> str | None:
    """The name of what is written to."""
    form = type(node)
    if form is ast.Assign:
        held_by = node.targets[0].value
    elif form is ast.Expr:  # `d.append(1)`
        held_by = node.value.func.value
    else:
        held_by = node.target.value
    return held_by.id if type(held_by) is ast.Name else None


def _may_be_held(o: Any) -> bool:
    return o is MISSING or o is NO_ENTRY or is_plain(o)


def unfold(marks: list[Mark | Brief], namespace: dict[str, Any]) -> list[Mark]:
    """Put full marks in the place of brief ones.

    Parameters
    ----------
    marks : list of Mark and Brief
        Of all statements up to the present; changed.
    namespace : dict
        As it is now.

    Returns
    -------
    list of Mark
        The same list.
    """
    if not all(type(mark) is Mark for mark in marks):
        then: dict[str, Any] = {}
        for place in range(len(marks) - 1, -1, -1):
            mark = marks[place]
            if type(mark) is tuple:
                marks[place] = _unfolded(mark, then, namespace)
            elif type(mark) is Mark:
                _go_back(mark, then)
    return marks  # type: ignore[return-value]  # they are by now


def _go_back(mark: Mark, then: dict[str, Any]) -> None:
    """Add what names were bound to before a statement."""
    then.update((name, found(held)) for name, held in mark.bindings.items())
    if mark.skipped and mark.node is not None:
        then.update((name, GONE) for name in _stored(mark.node) if name not in mark.bindings)


def _unfolded(mark: Brief, then: dict[str, Any], namespace: dict[str, Any]) -> Mark:
    """The full mark; `then` has what names were bound to behind the statement, where that is not so now."""
    node, names, olds, operation = mark
    bindings = dict(zip(names, olds))
    then.update(bindings)
    noted = Noted()
    if operation is not None:
        holder, identifier, kind, saved = operation
        o = then[holder] if holder in then else namespace.get(holder, GONE)
        if id(o) == identifier:
            noted.notes.append((kind, o, saved))
            noted.labels.append((0, holder))
        else:
            noted.uncovered[holder] = ENDED
    full = Mark(bindings, noted)
    full.node = node
    return full


def _stored(node: ast.stmt) -> set[str]:
    """The names that a statement binds or deletes."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, _STORES)}
    names.update(each.name for each in ast.walk(node) if isinstance(each, _DEFINITIONS))
    aliases = [each for each in ast.walk(node) if isinstance(each, ast.alias)]
    return names | {(each.asname or each.name).partition(".")[0] for each in aliases}
