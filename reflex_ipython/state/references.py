"""Who else holds an object: what the interpreter counts, told apart from our own references."""

from __future__ import annotations

import gc
import sys
from typing import Any
from weakref import ReferenceType

from reflex_ipython.base.classes import inherits


def only(holder: Any, key: Any) -> bool:
    """Whether `holder[key]` is the one reference to an object."""
    return others(holder, key) == 0


def others(holder: Any, key: Any) -> int:
    """How many references to `holder[key]` there are besides that one."""
    return sys.getrefcount(holder[key]) - _ALONE


_ALONE = 0
_ALONE = others([object()], 0)  # what the call itself adds, which depends on the version of Python


def callback(reference: Any) -> Any:
    """What is called when what a weak reference or proxy refers to has ended; None for nothing.

    A proxy has the attributes of what it stands for: to ask for its `__callback__` would run code of the user's.
    """
    if inherits(type(reference), ReferenceType):
        return _callback(reference)
    return next(iter(gc.get_referents(reference)), None)


_callback = ReferenceType.__dict__["__callback__"].__get__
