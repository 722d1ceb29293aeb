"""A module of the user's own that is about to run as it is imported: what its code may change is noted before."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

from reflex_ipython.base.syntax_trees import syntax_tree
from reflex_ipython.base.text_file import LARGEST
from reflex_ipython.base.unwarned import unwarned
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.effect import OutsideEffect
from reflex_ipython.state.global_state import global_state
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.run_at_import import gets_at_names, without_the_rest
from reflex_ipython.state.set_by_imports import is_set, may_be_changed, set_in_new
from reflex_ipython.state.snapshots import Snapshot
from reflex_ipython.state.unseen import Unseen
from reflex_ipython.state.user_code import contents
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory

_BOUNDS = Bounds(nodes=2_000, bytes=16_000_000, milliseconds=10.0)


def note_import(checkpoint: Checkpoint, file: str, namespace: dict[str, Any]) -> list[OutsideEffect]:
    """Note what a module's code may change outside of it, before it runs.

    Parameters
    ----------
    checkpoint : Checkpoint
        Of the statement that imports it.
    file : str
        Its source.
    namespace : dict
        Where the statement runs; what the module may bind in it is not noted.

    Returns
    -------
    list of OutsideEffect
        What it may do that can't be undone, of what must be known before (`unseen_in` tells the rest).
    """
    try:
        read = _read(file)
    except _TooLong:
        return [OutsideEffect("other", f"imported {file}, which is too long to be read")]
    if read is None:
        return []  # nothing of it will run
    tree, code, own = read
    budget = Budget(_BOUNDS)
    budget.start()
    walk = Walk(own, (), WalkMemory(budget))
    snapshots = walk.statement(code)
    known = {_key(snapshot) for snapshot in _noted(checkpoint)}
    found = [*global_state(own, walk.at_hand), *snapshots.labelled()]
    checkpoint.global_state += [
        (label, snapshot)
        for label, snapshot in found
        if _key(snapshot) not in known and snapshot[1] is not own and contents(snapshot[1]) is not namespace
    ]
    uncovered = snapshots.uncovered.items()
    left = [OutsideEffect("other", f"imported {file}, which uses {name} ({why})") for name, why in uncovered]
    return [*left, *_set_in_new(tree, file)]


def unseen_in(file: str, *, script: bool = False) -> tuple[OutsideEffect, ...]:
    """What a module's code may have done that no event tells of: asked when the cell has failed.

    Parameters
    ----------
    file : str
        Its source.
    script : bool
        Whether it was run as `__main__`.
    """
    try:
        read = _read(file)
        if read is None:
            return ()
        tree, code, own = read
        found = Unseen(own).called(code, own)
        if gets_at_names(without_the_rest(tree, script=script)):
            return (OutsideEffect("other", f"imported {file}, which gets at the names of the notebook"), *found)
        return tuple(found)
    except _TooLong:  # that was said before it ran
        return ()
    except Exception as problem:  # noqa: BLE001 - the file may be gone, or too deep for the compiler
        return (OutsideEffect("other", f"imported {file} ({type(problem).__name__} while looking at it)"),)


def run_by_import(file: str) -> tuple[CodeType, dict[str, Any]] | None:
    """The code of a module that runs as it is imported, and its globals as far as they are known; None if it has none.

    Parameters
    ----------
    file : str
        Its source.
    """
    try:
        read = _read(file)
        if read is None:
            return None
        tree, _, own = read
        with unwarned():
            return compile(without_the_rest(tree), file, "exec", dont_inherit=True), own
    except Exception:  # noqa: BLE001 - as in `unseen_in`, which has told the user of this very file
        return None


class _TooLong(Exception):
    pass


def _read(file: str) -> tuple[ast.Module, CodeType, dict[str, Any]] | None:
    """The tree and the code of a file, and the globals that it runs with as far as known; None if it is no Python."""
    text = Path(file).read_bytes()
    if len(text) > LARGEST:
        raise _TooLong
    with unwarned():
        try:
            found = syntax_tree(text, file)
            code = compile(found, file, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None
    return found, code, _names(found, file)


def _names(tree: ast.Module, file: str) -> dict[str, Any]:
    """The globals that its code will run with, as far as they are known."""
    package = _package(Path(file).parent)
    return {"__name__": "__main__", "__package__": package, "__builtins__": __builtins__, **_imported(tree)}


def _package(folder: Path) -> str:
    """The package that the modules of a folder are in, empty if that is none: relative imports begin there."""
    if not folder.name or not (folder / "__init__.py").exists():
        return ""
    return f"{_package(folder.parent)}.{folder.name}".strip(".")


def _set_in_new(tree: ast.Module, file: str) -> Iterator[OutsideEffect]:
    by = f"(set by {Path(file).stem}, which was imported)"
    found = set_in_new(tree)
    for path, attribute in found.attributes:
        yield OutsideEffect("other", f"{path}.{attribute} {by}", over=partial(_is_not_set, path, attribute))
    for path in found.changed:
        yield OutsideEffect("other", f"{path} {by}", over=partial(_is_not_changed, path))


def _is_not_changed(path: str) -> bool:
    return not may_be_changed(path)


def _is_not_set(path: str, attribute: str) -> bool:
    return not is_set(path, attribute)


def _imported(tree: ast.Module) -> dict[str, Any]:
    """What its names will mean: the modules that it imports, as far as they are there, and what is in them."""
    found: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or name] = sys.modules.get(name)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            here = contents(sys.modules.get(node.module or ""))
            found.update((alias.asname or alias.name, here.get(alias.name)) for alias in node.names)
    return {name: o for name, o in found.items() if o is not None}


def _key(snapshot: Snapshot) -> tuple[object, int]:
    return snapshot[0], identity(snapshot[1])


def _noted(checkpoint: Checkpoint) -> list[Snapshot]:
    return [*(snapshot for _, snapshot in checkpoint.global_state), *checkpoint.snapshots.entries]
