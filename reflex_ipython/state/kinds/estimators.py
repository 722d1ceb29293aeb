"""scikit-learn: estimators are ordinary objects; a fitted tree is an object of C with two arrays in it."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.kind import Kind, ObjectWalk, no_objects

_ARRAYS = ("nodes", "values")


LIBRARIES = ("sklearn.tree._tree",)


def kinds() -> dict[type, Kind]:
    """The kinds of scikit-learn, where its trees are loaded."""
    trees = sys.modules.get("sklearn.tree._tree")
    return (
        {}
        if trees is None
        else {trees.Tree: Kind("sklearn fitted tree", "exact", _snapshot, _same, _restore, holds=no_objects)}
    )


def _arrays(o: Any) -> tuple[Any, ...]:
    state = o.__getstate__()  # windows on the tree's own memory, no copies
    return tuple(state[name].reshape(-1).view("u1") for name in _ARRAYS)  # bytes: a node has gaps in it


def _snapshot(o: Any, walk: ObjectWalk) -> tuple[Any, ...]:
    arrays = _arrays(o)
    earlier = walk.earlier(o)
    if type(earlier) is tuple and walk.copying(lambda: _same(o, earlier)):
        return earlier
    walk.hold(sum(array.nbytes for array in arrays))
    copies: tuple[Any, ...] = walk.copying(lambda: tuple(array.copy() for array in arrays))
    return walk.keep(o, copies)  # type: ignore[no-any-return]  # what it is given


def _same(o: Any, saved: tuple[Any, ...]) -> bool:
    return all(now.shape == then.shape and bool((now == then).all()) for now, then in zip(_arrays(o), saved))


def _restore(o: Any, saved: tuple[Any, ...]) -> None:
    for now, then in zip(_arrays(o), saved):
        now[...] = then
