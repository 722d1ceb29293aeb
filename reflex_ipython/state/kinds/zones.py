"""Dates with a time zone of a class of the user's, which may count, or look things up. All others have no contents.

There are thousands of dates in a frame or a list: as long as no such class exists, none of them is looked at.
"""

from __future__ import annotations

import datetime
import sys
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.kinds.derived import users_derive_from
from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.user_code import owned_class

_DATED = (datetime.datetime, datetime.time)
_ZONE_OF = tuple((cls, cls.__dict__["tzinfo"].__get__) for cls in _DATED)

LIBRARIES = ("pandas",)


def kinds() -> dict[type, Kind]:
    """The kind of the dates of pandas, where it is loaded."""
    pandas = sys.modules.get("pandas")
    return {} if pandas is None else {pandas.Timestamp: ZONED}


def dated() -> list[type]:
    """The types whose objects may have a time zone."""
    return [*_DATED, *kinds()]


def users_zones() -> bool:
    """Whether the user has a class of time zones: of their own, or derived from one of a library."""
    return users_derive_from(datetime.tzinfo)


def _snapshot(o: Any, walk: ObjectWalk) -> Any:
    zone = next(get(o) for cls, get in _ZONE_OF if inherits(type(o), cls))
    if zone is not None and owned_class(type(zone)):
        walk.follow((zone,))
    return NOTHING


ZONED = Kind("datetime with a time zone of your own", "exact", _snapshot)

KINDS: dict[type, Kind] = dict.fromkeys(_DATED, ZONED)
