"""Whether the methods of pandas are still its own: anybody may put a function of theirs in its classes."""

from __future__ import annotations

import sys
import types
from typing import Any

from reflex_ipython.state.kinds.layout import module_name
from reflex_ipython.state.owned import library_file

_CLASSES = ("DataFrame", "Series", "Index")
_own: dict[tuple[str, str], Any] = {}
"""The library's own attributes that were met, by class and name."""
_MISSING = object()


def pandas_has(name: str) -> bool:
    """Whether that is an attribute of a class of pandas, so that it can't be a column; and still the library's own."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and any(hasattr(getattr(pandas, cls, None), name) for cls in _CLASSES)


def is_own(name: str) -> bool:
    """Whether what frames, series and indices have under that name is what pandas gave them."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return True
    for cls in _CLASSES:
        found = getattr(getattr(pandas, cls, None), name, _MISSING)
        key = (cls, name)
        if _own.get(key, _MISSING) is not found and not _learn(key, found):
            return False
    return True


def _learn(key: tuple[str, str], found: Any) -> bool:
    if found is _MISSING:
        return True
    if not _of_library(found):
        return False
    if key not in _own:
        _own[key] = found
        return True
    return bool(_own[key] == found)  # a bound class method is made anew each time


def _of_library(found: Any) -> bool:
    if type(found) is property:
        found = found.fget
    if type(found) is types.MethodType:
        found = found.__func__
    if type(found) is types.FunctionType:
        return library_file(found.__code__.co_filename)
    return module_name(type(found)).partition(".")[0] in ("pandas", "builtins", "functools", "numpy") or (
        isinstance(found, type) and module_name(found).startswith("pandas.")
    )
