"""Which code is the user's own: functions of cells and of project files, no library's and none of ours."""

from __future__ import annotations

import inspect
import linecache
from types import CodeType

from reflex_ipython.base.library_files import is_library
from reflex_ipython.traces.recorded import Kind

_MADE = ("<attrs generated", "<frozen ", "<string>")  # written by a library, though its lines are known
_INSIDE = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))  # part of the function around it


def is_own(code: CodeType) -> bool:
    """Whether calls of this code are recorded.

    Parameters
    ----------
    code : CodeType
        Of a function; that of modules, classes and comprehensions is no call that a person wrote.
    """
    if not code.co_flags & inspect.CO_OPTIMIZED or code.co_name in _INSIDE:
        return False
    filename = code.co_filename
    if filename.startswith("<"):
        return not filename.startswith(_MADE) and filename in linecache.cache
    return not is_library(filename)


def kind_of(code: CodeType) -> Kind:
    """What a call of it gives."""
    if code.co_flags & inspect.CO_ASYNC_GENERATOR:
        return "async generator"
    if code.co_flags & inspect.CO_COROUTINE:
        return "coroutine"
    return "generator" if code.co_flags & inspect.CO_GENERATOR else "function"
