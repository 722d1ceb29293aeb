"""The checkpoint of a short statement: one that binds names of plain data, or does one operation on a list or dict.

Cells have many of them, and most cells succeed. So their checkpoints are tuples that hold nothing whose end anybody
could see: plain data, and of a list or dict only by which name it was found. They are unfolded to full ones when they
are needed, on the way back from the state in which that name is bound to it.
"""

from __future__ import annotations

import ast
from typing import Any

from reflex_ipython.state.checkpoint import ENDED, MISSING, Checkpoint
from reflex_ipython.state.kinds.instances import MISSING as NO_ENTRY
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.quiet import is_plain
from reflex_ipython.state.snapshots import Snapshot, Snapshots
from reflex_ipython.state.weak import GONE, found

Operation = tuple[str, int, Kind, Any]
"""The name of a list or dict, its id, and how to undo what is done to it."""
Brief = tuple[ast.stmt, tuple[str, ...], tuple[Any, ...], "Operation | None"]
"""The statement, the names that it binds, what they were bound to, what it does to a list or dict."""
_NUMBERS = frozenset(map(identity, (int, float, bool, type(None), complex)))
_STORES = (ast.Store, ast.Del)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def brief(node: ast.stmt, entries: list[Snapshot], names: tuple[str, ...], namespace: dict[str, Any]) -> Brief | None:
    """The checkpoint of a statement that is about to run; None if it takes a full one.

    Parameters
    ----------
    node : ast.stmt
    entries : list of Snapshot
        How to undo what it writes to.
    names : tuple of str
        What it binds.
    namespace : dict
    """
    if entries:
        operation = _operation(node, entries[0], namespace) if len(entries) == 1 and not names else None
        return None if operation is None else (node, (), (), operation)
    olds = tuple([namespace.get(name, MISSING) for name in names])
    for old in olds:
        if identity(type(old)) not in _NUMBERS and not _may_be_held(old):
            return None
    return node, names, olds, None


def _operation(node: ast.stmt, snapshot: Snapshot, namespace: dict[str, Any]) -> Operation | None:
    kind, o, saved = snapshot
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


def unfold(checkpoints: list[Checkpoint | Brief], namespace: dict[str, Any]) -> list[Checkpoint]:
    """Put full checkpoints in the place of brief ones.

    Parameters
    ----------
    checkpoints : list of Checkpoint and Brief
        Of all statements up to the present; changed.
    namespace : dict
        As it is now.

    Returns
    -------
    list of Checkpoint
        The same list.
    """
    if not all(type(checkpoint) is Checkpoint for checkpoint in checkpoints):
        then: dict[str, Any] = {}
        for place in range(len(checkpoints) - 1, -1, -1):
            checkpoint = checkpoints[place]
            if type(checkpoint) is tuple:
                checkpoints[place] = _unfolded(checkpoint, then, namespace)
            elif type(checkpoint) is Checkpoint:
                _go_back(checkpoint, then)
    return checkpoints  # type: ignore[return-value]  # they are by now


def _go_back(checkpoint: Checkpoint, then: dict[str, Any]) -> None:
    """Add what names were bound to before a statement."""
    then.update((name, found(held)) for name, held in checkpoint.bindings.items())
    if checkpoint.skipped and checkpoint.node is not None:
        then.update((name, GONE) for name in _stored(checkpoint.node) if name not in checkpoint.bindings)


def _unfolded(checkpoint: Brief, then: dict[str, Any], namespace: dict[str, Any]) -> Checkpoint:
    """The full checkpoint; `then` has what names were bound to behind the statement, where that is not so now."""
    node, names, olds, operation = checkpoint
    bindings = dict(zip(names, olds))
    then.update(bindings)
    snapshots = Snapshots()
    if operation is not None:
        holder, identifier, kind, saved = operation
        o = then[holder] if holder in then else namespace.get(holder, GONE)
        if id(o) == identifier:
            snapshots.entries.append((kind, o, saved))
            snapshots.labels.append((0, holder))
        else:
            snapshots.uncovered[holder] = ENDED
    full = Checkpoint(bindings, snapshots)
    full.node = node
    return full


def _stored(node: ast.stmt) -> set[str]:
    """The names that a statement binds or deletes."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, _STORES)}
    names.update(each.name for each in ast.walk(node) if isinstance(each, _DEFINITIONS))
    aliases = [each for each in ast.walk(node) if isinstance(each, ast.alias)]
    return names | {(each.asname or each.name).partition(".")[0] for each in aliases}
