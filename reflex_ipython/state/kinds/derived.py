"""Values that refer to another one, which may be of a class that the user has derived: a match to its text.

There may be thousands of them in a list: as long as the user has no such class, none is looked at.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from reflex_ipython.state.kinds.functions import PASSES_ON
from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.kinds.opaque import referents
from reflex_ipython.state.user_code import owned_class

_subclasses = type.__subclasses__
_known: dict[int, tuple[tuple[int, ...], bool]] = {}
"""By a type's identity: the classes that were derived from it when it was asked last, and what was found."""


def users_derive_from(*bases: type) -> bool:
    """Whether the user has a class that is derived from one of these, though by way of a library's."""
    return any(map(_users_derive_from, bases))


def _users_derive_from(base: type) -> bool:
    found: list[type] = _subclasses(base)
    for cls in found:
        found += _subclasses(cls)
    classes = tuple(map(identity, found))
    before, users = _known.get(identity(base), ((), False))
    if classes != before:
        users = any(map(owned_class, found))
        _known[identity(base)] = classes, users
    return users


def _snapshot_pattern(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((o.pattern,))
    return NOTHING


def _snapshot_match(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((o.string, o.re))
    return NOTHING


def _snapshot_interval(o: Any, walk: ObjectWalk) -> Any:
    walk.follow(referents(o))
    return NOTHING


PATTERN = Kind(PASSES_ON.name, "exact", _snapshot_pattern)
MATCH = Kind(PASSES_ON.name, "exact", _snapshot_match)
INTERVAL = Kind(PASSES_ON.name, "exact", _snapshot_interval)

KINDS: dict[type, Kind] = {re.Pattern: PATTERN, re.Match: MATCH}
LIBRARIES = ("pandas",)


def kinds() -> dict[type, Kind]:
    """Those of pandas, where it is loaded."""
    pandas = sys.modules.get("pandas")
    return {} if pandas is None else {pandas.Interval: INTERVAL}


def has_users_texts() -> bool:
    """Whether a text may be of a class of the user's."""
    return users_derive_from(str, bytes)


def has_users_numbers() -> bool:
    """Whether a number may be of a class of the user's."""
    return users_derive_from(int, float)
