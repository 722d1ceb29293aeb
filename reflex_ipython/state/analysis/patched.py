"""Whether the methods of pandas are still its own: anybody may put a function of theirs in its classes."""

from __future__ import annotations

import sys
import types
from typing import Any

from reflex_ipython.base.classes import inherits, module_name
from reflex_ipython.base.library_files import is_library

_CLASSES = ("DataFrame", "Series", "Index")
_own: dict[tuple[str, str], Any] = {}
"""The library's own attributes that were met, by class and name."""
_MISSING = object()


def pandas_has(name: str) -> bool:
    """Whether that is an attribute of a class of pandas, so that it can't be a column."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and any(hasattr(getattr(pandas, cls, None), name) for cls in _CLASSES)


def is_own(name: str, o: object = None) -> bool:
    """Whether frames, series and indices have under that name what pandas gave them.

    Parameters
    ----------
    name : str
    o : object
        The one in question, if it is known which: others need not be asked then.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return True
    wanted = type(o)
    if wanted.__module__ == "numpy":
        return True  # a type of C: nobody can put anything there
    here = vars(pandas)
    for cls in _CLASSES:
        owner = here.get(cls)
        if wanted is owner:
            return _checked(cls, owner, name)
    return all(_checked(cls, here.get(cls), name) for cls in _CLASSES)


def shows_itself(o: object) -> bool:
    """Whether data, that very object or any, are printed and displayed by what the libraries gave them."""
    return _formats_itself() and all(is_own(name, o) for name in ("__repr__", "__str__", "_repr_html_"))


def _formats_itself() -> bool:
    """Whether nobody has told the libraries to format numbers by a function of theirs."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and numpy.get_printoptions().get("formatter"):
        return False
    options: Any = getattr(sys.modules.get("pandas._config.config"), "_global_config", None)
    how = options["display"]["float_format"] if options is not None else None
    return how is None or type(how) is types.BuiltinFunctionType


def accessor_is_own(accessor: str, name: str) -> bool:
    """The same of what series have under `str`, `dt` and `cat`."""
    series = getattr(sys.modules.get("pandas"), "Series", None)
    return _checked(accessor, getattr(series, accessor, None), name)


def _checked(cls: str, owner: Any, name: str) -> bool:
    found = getattr(owner, name, _MISSING)
    key = (cls, name)
    return _own.get(key, _MISSING) is found or _learn(key, found)


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
        return is_library(found.__code__.co_filename)
    cls: Any = found if inherits(type(found), type) else type(found)  # an accessor gives its class
    return module_name(cls).partition(".")[0] in ("pandas", "builtins", "functools", "numpy")
