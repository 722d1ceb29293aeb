"""What names are bound to before a statement, held so that whoever could notice that does not."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable
from typing import Any

from reflex_ipython.state.checkpoint import MISSING
from reflex_ipython.state.kinds.keepsakes import is_small_array, keepsake
from reflex_ipython.state.quiet import is_plain, is_quiet
from reflex_ipython.state.references import others
from reflex_ipython.state.resizing import resizable
from reflex_ipython.state.weak import Copied, Unheld, all_mortal, ends_inside, is_frame_of_its_own, mortal, weakly

_ON_THE_WAY = 1
"""References to an argument of `_held`, which are not the user's."""
_AT_ITS_END = (
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.Import, ast.ImportFrom),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
)
"""Statements that bind and delete names as the last thing they do: what was bound may be held until then."""


def bindings(
    namespace: dict[str, Any], names: Iterable[str], node: ast.stmt | None, calm: Container[str] = ()
) -> dict[str, Any]:
    """What these names are bound to, held weakly where it may come to an end before the statement does.

    Parameters
    ----------
    namespace : dict
    names : iterable of str
    node : ast.stmt or None
        The statement; None: it is not known.
    calm : container of str
        The names of what is known to have nothing in it whose end is seen.
    """
    now = namespace.get
    if type(node) in _AT_ITS_END:
        return {name: _until_the_end(now(name, MISSING)) for name in names}
    return {name: _held(namespace, name, now(name, MISSING), calm) for name in names}


def _until_the_end(o: Any) -> Any:
    """What a name is bound to that is bound anew as the last thing of a statement."""
    return o if is_frame_of_its_own(o) else mortal(o)


def all_bindings(namespace: dict[str, Any], resizes: bool) -> dict[str, Any]:
    """What all names are bound to: what somebody sees end is held weakly, for any of them may be bound anew.

    Parameters
    ----------
    namespace : dict
    resizes : bool
        Whether the statement may resize arrays: numpy asks whether there are weak references.
    """
    found = all_mortal(namespace)
    if resizes:
        found.update((name, o) for name, o in list(namespace.items()) if resizable(o))
    return found


def _held(namespace: dict[str, Any], name: str, o: Any, calm: Container[str]) -> Any:
    """What a name is bound to, held so that nobody sees it if the name is bound to something else meanwhile."""
    if is_plain(o):
        return o
    only_here = others(namespace, name) <= _ON_THE_WAY
    if only_here and (is_quiet(o) or is_small_array(o)):
        return o
    copy = keepsake(o)
    if copy is not None:
        return Copied(o, copy)
    return weakly(o) or (Unheld(namespace, name, o) if name not in calm and ends_inside(o) else o)
