"""The checkpoint of a short statement: one that binds names of plain data, or does one operation on a list or dict.

Cells have many of them, and most cells succeed. So their checkpoints are tuples that hold nothing whose end anybody
could see: plain data that nobody else can change, and of any other list or dict only by which name it was found. They
are unfolded to full ones when they are needed, on the way back from the state in which that name is bound to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from reflex_ipython.state.analysis.plain import plain_keys
from reflex_ipython.state.analysis.quick_values import is_atom
from reflex_ipython.state.checkpoint import MISSING, NOTHING_NOTED, Checkpoint
from reflex_ipython.state.kinds.instances import MISSING as NO_ENTRY
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.kinds.operations import GROWTH, entry, place
from reflex_ipython.state.quiet import is_constant, is_plain, parts_are_its_own
from reflex_ipython.state.references import others
from reflex_ipython.state.snapshots import Snapshot, Snapshots
from reflex_ipython.state.weak import ENDED, GONE, found

Operation = tuple[str, int, Kind, Any]
"""The name of a list or dict, its identity, and how to undo what is done to it."""
Brief = tuple["ast.stmt | None", tuple[str, ...], tuple[Any, ...], "Operation | None"]
"""The statement, until its cell has ended well; the names that it binds, what they were bound to, what it does to a
list or dict.
"""
Rebinding = tuple["ast.stmt | None", str, Any]
"""The same of one that binds one name, and what that was bound to: most do."""
_NUMBERS = frozenset(map(identity, (int, float, bool, type(None), complex)))
_SHORT, _SOME = 16_000, 100
"""Letters, and items, up to which something is light."""
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
    for number, name in enumerate(names):
        if identity(type(olds[number])) in _NUMBERS or _may_be_held(olds[number]):
            continue
        if type(node) is ast.AugAssign or _reads(node, name) or not is_plain(olds[number]):
            return None
        if others(olds, number) > 1 or not parts_are_its_own(olds[number]):  # than the name
            return None  # else nobody can put anything into it once the name means something else
    return node, names, olds, None


def may_be_kept(o: Any) -> bool:
    """Whether it is a number, a short text, or a list or tuple of some numbers: nobody sees whether that ends.

    Of a list it is for the caller to see that nobody else has it, who could put something else into it.
    """
    cls = type(o)
    if cls is int or cls is float or o is MISSING or o is NO_ENTRY:
        return True
    if cls is str:
        return len(o) <= _SHORT
    if cls is not tuple and cls is not list:
        return identity(cls) in _NUMBERS
    if len(o) > _SOME:
        return False
    for item in o:  # in a third of the time that a set takes for a few
        cls = type(item)
        if cls is not int and cls is not float and identity(cls) not in _NUMBERS:
            return False
    return True


def growing(node: ast.stmt, name: str, o: list[Any]) -> Brief:
    """The checkpoint of a statement that appends something to the list of that name."""
    return node, (), (), (name, identity(o), GROWTH, len(o))


def putting(node: ast.stmt, name: str, key: Any, namespace: dict[str, Any]) -> Brief | None:
    """The same of `o[key] = x`, where the key is a number, a text …; None if it takes another look."""
    if not is_atom(key):
        return None
    o = namespace.get(name)
    if type(o) is dict and plain_keys(o):
        snapshot: Snapshot | None = entry(o, key)
    elif type(o) is list and type(key) is int:
        snapshot = place(o, key)
    else:
        return None
    if snapshot is None or not may_be_kept(snapshot[2][1]):
        return None
    if type(snapshot[2][1]) is list and others(snapshot[2], 1) > 1:
        return None
    return node, (), (), (name, identity(o), snapshot[0], snapshot[2])


def _operation(node: ast.stmt, snapshot: Snapshot, namespace: dict[str, Any]) -> Operation | None:
    kind, o, saved = snapshot
    holder = _holder(node)
    if holder is None or namespace.get(holder) is not o:
        return None
    parts = saved if type(saved) is tuple else (saved,)
    for part in range(len(parts)):
        if _may_be_held(parts[part]):
            continue
        if type(node) is not ast.Assign or _reads(node.value, holder) or not is_plain(parts[part]):
            return None
        if others(parts, part) > 1 or not parts_are_its_own(parts[part]):  # than what it is put into
            return None
    return holder, identity(o), kind, saved


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


def _reads(node: ast.AST, name: str) -> bool:
    """Whether code may hand on what a name is bound to."""
    return any(type(each) is ast.Name and each.id == name and type(each.ctx) is ast.Load for each in ast.walk(node))


def _may_be_held(o: Any) -> bool:
    return o is MISSING or o is NO_ENTRY or is_constant(o)


def name_objects(checkpoints: list[Checkpoint | Brief | Rebinding]) -> bool:
    """Whether one of them knows a list or dict by a name alone, which may mean something else once other cells ran."""
    return any(type(checkpoint) is tuple and len(checkpoint) == 4 and checkpoint[3] for checkpoint in checkpoints)


def unfold(checkpoints: list[Checkpoint | Brief | Rebinding], namespace: dict[str, Any]) -> list[Checkpoint]:
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
        for index in range(len(checkpoints) - 1, -1, -1):
            checkpoint = checkpoints[index]
            if type(checkpoint) is tuple:
                checkpoints[index] = _unfolded(checkpoint, then, namespace)
            elif type(checkpoint) is Checkpoint:
                _go_back(checkpoint, then)
    return checkpoints  # type: ignore[return-value]  # they are by now


def unfold_last(checkpoints: list[Checkpoint | Brief | Rebinding], namespace: dict[str, Any]) -> Checkpoint:
    """Put a full checkpoint in the place of that of the statement that runs, and give it."""
    checkpoint = checkpoints[-1]
    if type(checkpoint) is not Checkpoint:
        last = [checkpoint]
        (checkpoint,) = checkpoints[-1:] = unfold(last, namespace)
    return checkpoint


def written(checkpoints: list[Checkpoint | Brief | Rebinding], namespace: dict[str, Any]) -> Iterator[tuple[Kind, Any]]:
    """What brief checkpoints noted an operation on, with the kind of that: as `unfold` finds it; nothing is unfolded.

    Each once, though a thousand statements may have appended to one list.

    Parameters
    ----------
    checkpoints : list of Checkpoint, Brief and Rebinding
        Of all statements up to the present.
    namespace : dict
        As it is now.
    """
    then: dict[str, Any] = {}
    told: set[tuple[int, int]] = set()
    for checkpoint in reversed(checkpoints):
        if isinstance(checkpoint, Checkpoint):
            _go_back(checkpoint, then)
        elif len(checkpoint) == 3:
            then[checkpoint[1]] = checkpoint[2]
        else:
            _, names, olds, operation = checkpoint
            if names:
                then.update(zip(names, olds))
            if operation is None or (this := (operation[1], identity(operation[2]))) in told:
                continue
            if (o := _holder_of(operation, then, namespace)) is not GONE:
                told.add(this)
                yield operation[2], o


def _holder_of(operation: Operation, then: dict[str, Any], namespace: dict[str, Any]) -> Any:
    """The list or dict, by what names were bound to behind the statement; `GONE` if it is not known any more."""
    holder, identifier, _, _ = operation
    o = then[holder] if holder in then else namespace.get(holder, GONE)
    return o if identity(o) == identifier else GONE


def _go_back(checkpoint: Checkpoint, then: dict[str, Any]) -> None:
    """Add what names were bound to before a statement."""
    then.update((name, found(held)) for name, held in checkpoint.bindings.items())
    if checkpoint.skipped and checkpoint.node is not None:
        then.update((name, GONE) for name in _stored(checkpoint.node) if name not in checkpoint.bindings)


def _unfolded(checkpoint: Brief | Rebinding, then: dict[str, Any], namespace: dict[str, Any]) -> Checkpoint:
    """The full checkpoint; `then` has what names were bound to behind the statement, where that is not so now."""
    node = checkpoint[0]
    operation = None
    if len(checkpoint) == 3:
        bindings = {checkpoint[1]: checkpoint[2]}
    else:
        operation = checkpoint[3]
        bindings = dict(zip(checkpoint[1], checkpoint[2]))
    then.update(bindings)
    snapshots = NOTHING_NOTED
    if operation is not None:
        snapshots = Snapshots()
        holder, _, kind, saved = operation
        o = _holder_of(operation, then, namespace)
        if o is GONE:
            snapshots.uncovered[holder] = ENDED
        else:
            snapshots.entries.append((kind, o, saved))
            snapshots.labels.append((0, holder))
    full = Checkpoint(bindings, snapshots)
    full.node = node
    return full


def _stored(node: ast.stmt) -> set[str]:
    """The names that a statement binds or deletes."""
    names = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            if isinstance(each.ctx, _STORES):
                names.add(each.id)
        elif isinstance(each, _DEFINITIONS):
            names.add(each.name)
        elif isinstance(each, ast.alias):
            names.add((each.asname or each.name).partition(".")[0])
    return names
