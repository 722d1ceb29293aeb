"""Numbers and texts as copies of our own: whoever counts the references to the user's finds none of ours."""

from __future__ import annotations

from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.weak import GONE

_SINGLE = (None, True, False, ...)
_SMALL = 16_000
"""Characters or bytes of a text that may be copied."""


def unshared(o: Any) -> Any:
    """An equal number or text that is not the same object, as far as Python makes two of them; `GONE` for all else.

    Parameters
    ----------
    o : object
    """
    if any(o is single for single in _SINGLE):
        return o
    if type(o) is int or type(o) is float:
        inverse = -o
        return -inverse
    if is_exactly(o, (str, bytes)) and len(o) <= _SMALL:
        return o[:1] + o[1:]
    return GONE


def is_copy(some: Any, other: Any) -> bool:
    """Whether one may be the copy that `unshared` made of the other: numbers or texts that nobody can tell apart."""
    if type(some) is not type(other):
        return False
    return repr(some) == repr(other) if type(some) is float else is_exactly(some, (int, str, bytes)) and some == other
