"""Trees for neighbours, of scipy and scikit-learn: objects of C, never rebuilt, upon arrays that anyone may write.

The arrays are looked at where the code uses a word that leads to them: to ask a tree writes to none of them.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk, no_objects

LIBRARIES = ("scipy.spatial._ckdtree", "sklearn.neighbors._ball_tree", "sklearn.neighbors._kd_tree")
_NAME = "tree for neighbours, of scipy or scikit-learn"
_OF_SCIPY = ("data", "indices", "maxes", "mins", "boxsize")
_WORDS = frozenset({*_OF_SCIPY, "get_arrays", "tree", "getattr", "__getattribute__", "__getstate__", "__reduce__"})
_ARRAYS = slice(0, 4)
_NUMBERS = slice(4, 11)
"""Places in the state of scikit-learn's: leaf size, levels, nodes, and how often what was done as it was asked."""


def kinds() -> dict[type, Kind]:
    """The kinds of those trees whose library is loaded."""
    found: dict[type, Kind] = {}
    for name in LIBRARIES:
        module = sys.modules.get(name)
        if name.startswith("scipy"):
            if module is not None:
                found[module.cKDTree] = Kind(_NAME, "exact", _snapshot_scipy)
            continue
        for cls in [getattr(module, each, None) for each in ("BinaryTree32", "BinaryTree64")]:
            if cls is not None:
                found[cls] = Kind(
                    _NAME,
                    "exact",
                    partial(_snapshot, cls),
                    partial(_same, cls),
                    partial(_restore, cls),
                    holds=no_objects,
                )
    return found


def _snapshot_scipy(o: Any, walk: ObjectWalk) -> Any:
    if not _WORDS.isdisjoint(walk.attributes):
        walk.follow([getattr(o, name) for name in _OF_SCIPY])
    return NOTHING


def _state(cls: Any, o: Any) -> tuple[Any, ...]:
    state: tuple[Any, ...] = cls.__getstate__(o)
    return state


def _snapshot(cls: Any, o: Any, walk: ObjectWalk) -> tuple[int, ...]:
    state = _state(cls, o)
    if not _WORDS.isdisjoint(walk.attributes):
        walk.follow(state[_ARRAYS])
    return state[_NUMBERS]  # not the arrays: those that are looked at are noted as such


def _same(cls: Any, o: Any, saved: tuple[int, ...]) -> bool:
    return _state(cls, o)[_NUMBERS] == saved


def _restore(cls: Any, o: Any, saved: tuple[int, ...]) -> None:
    now = _state(cls, o)
    cls.__setstate__(o, (*now[_ARRAYS], *saved, *now[_NUMBERS.stop :]))
