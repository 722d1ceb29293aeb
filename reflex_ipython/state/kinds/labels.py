"""Labels of pandas that are objects of the user's, which may change though the index that has them can't.

They are looked at wherever an index, or the categories of a dtype, has a type for just any objects. Of all others only
the time zone may be the user's: plain labels cost nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from reflex_ipython.state.kinds.kind import ObjectWalk
from reflex_ipython.state.kinds.layout import attributes_of
from reflex_ipython.state.user_code import owned_class

_MANY = 1 << 13
"""Labels from which on it is asked at once whether all of them are text, and once a cell whether any can change."""
_ONLY_PLAIN = object()
"""What is kept of an index whose labels can't change."""


def follow_labels(o: Any, data: Any, walk: ObjectWalk) -> None:
    """Look at those labels of an index that may change.

    Parameters
    ----------
    o : pandas.Index
    data : array of numpy or of an extension type, or None
        Where it has them.
    walk : ObjectWalk
    """
    if _has_objects(data):
        _follow_objects(o, data, walk)
    elif data is None:
        for level in attributes_of(o).get("_levels", ()):
            follow_labels(level, attributes_of(level).get("_data"), walk)
    elif owned_class(type(data)):
        walk.follow((data,))
    elif type(data).__name__ == "IntervalArray":
        walk.follow((data._left, data._right))
    elif type(data).__name__ != "ndarray":
        walk.follow(in_dtype(getattr(data, "_dtype", None)))


def in_dtype(dtype: Any) -> Sequence[object]:
    """What may be the user's in a dtype of pandas: the categories, the time zone."""
    name = type(dtype).__name__
    if name == "CategoricalDtype":
        return (dtype._categories,)
    if name == "DatetimeTZDtype" and owned_class(type(dtype._tz)):
        return (dtype._tz,)
    return ()


def _has_objects(data: Any) -> bool:
    return type(data).__name__ == "ndarray" and bool(data.dtype.hasobject)


def _follow_objects(o: Any, data: Any, walk: ObjectWalk) -> None:
    many = data.size > _MANY
    if many:
        if walk.earlier(o) is _ONLY_PLAIN:
            return
        if sys.modules["pandas._libs.lib"].is_string_array(data):
            walk.keep(o, _ONLY_PLAIN)
            return
        walk.expect(iter(data.flat), data.size)
    if not walk.follow(data.tolist()) and many:
        walk.keep(o, _ONLY_PLAIN)
