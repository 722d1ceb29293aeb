"""What a statement will do to the objects that exist, seen from its code and the live types before it runs."""

from __future__ import annotations

import ast
from typing import Any

from reflex_ipython.state.analysis import (  # they fill the tables
    assignments,
    calls,
    definitions,
    expressions,
    scopes,
    settings,
    statements,
)
from reflex_ipython.state.analysis.analysis import STATEMENTS, Analysis
from reflex_ipython.state.analysis.ends import ends_quietly, held_elsewhere
from reflex_ipython.state.analysis.forms import mind_zones
from reflex_ipython.state.analysis.quick import quick
from reflex_ipython.state.analysis.sources import Functions
from reflex_ipython.state.analysis.values import Unknown
from reflex_ipython.state.kinds.callbacks import called_at_warnings
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.interpreter_hooks import may_call
from reflex_ipython.state.kinds.operations import contents
from reflex_ipython.state.kinds.replaced import may_reach
from reflex_ipython.state.snapshots import Snapshot

_REGISTRY = "__warningregistry__"


class Foreseen:
    """What a statement will do.

    Parameters
    ----------
    entries : list of Snapshot
        How to undo what it writes to objects that exist already.
    binds : tuple of str
        Names of the namespace that it may bind or delete.
    draws : bool
        Whether it may advance the random state that `random` or `numpy.random` share.
    """

    __slots__ = ("binds", "draws", "entries")

    def __init__(self, entries: list[Snapshot], binds: tuple[str, ...], draws: bool) -> None:
        self.entries = entries
        self.binds = binds
        self.draws = draws


def foresee(node: ast.stmt, namespace: dict[str, Any], functions: Functions) -> Foreseen | None:
    """What the statement will do; None if nobody knows: a full checkpoint is due.

    Call it before the statement runs, on the thread that runs it. Nothing of the user's runs meanwhile.

    Parameters
    ----------
    node : ast.stmt
        A statement at the top level of a cell.
    namespace : dict
        Where it will run.
    functions : Functions
        Where the source of the user's functions is found.
    """
    try:
        known = quick(node, namespace)
        if known is not None:
            return Foreseen(known[0], known[1], False)
        return _foresee(node, namespace, functions)
    except Exception:  # noqa: BLE001 - whatever surprises us here must not reach the cell; a full checkpoint is right
        return None


def _foresee(node: ast.stmt, namespace: dict[str, Any], functions: Functions) -> Foreseen:
    if may_call():
        raise Unknown("the interpreter calls something of the user's")
    if may_reach(node, namespace):
        raise Unknown("a library calls something of the user's")
    mind_zones()
    handler = STATEMENTS.get(type(node))
    if handler is None:
        raise Unknown(type(node).__name__)
    analysis = Analysis(namespace, functions)
    try:
        handler(analysis, node)
    finally:
        analysis.end()
    entries = (
        [snapshot for parts in analysis.entries.values() for snapshot in parts.values()] if analysis.entries else []
    )
    binds = tuple(analysis.binds)
    foreseen = Foreseen(entries, binds, analysis.draws)
    warned, lambdas = analysis.warns, analysis.has_lambdas
    del analysis  # what it holds must not count
    for name in binds:
        if not _ends_quietly(namespace, name, bool(entries) or len(binds) > 1 or lambdas):
            raise Unknown("what goes may have the last word")
    if warned:
        _note_warnings(namespace, foreseen)
    return foreseen


def _ends_quietly(namespace: dict[str, Any], name: str, more: bool) -> bool:
    old = namespace.get(name, MISSING)
    if old is MISSING or ends_quietly(old):
        return True
    del old
    return not more and held_elsewhere(namespace, name)


def _note_warnings(namespace: dict[str, Any], foreseen: Foreseen) -> None:
    """A library may warn, which is remembered in the namespace."""
    if called_at_warnings():
        raise Unknown("what is not defined calls something of the user's")
    registry = namespace.get(_REGISTRY, MISSING)
    if registry is MISSING:
        foreseen.binds += (_REGISTRY,)
    elif type(registry) is dict:
        snapshot = contents(registry)
        if snapshot is None:
            raise Unknown("too many warnings")
        foreseen.entries.append(snapshot)


_UNDERSTOOD = (assignments, calls, definitions, expressions, scopes, settings, statements)
"""The modules that understand nodes: to import them is what fills the tables."""
__all__ = ["Foreseen", "Functions", "foresee"]
