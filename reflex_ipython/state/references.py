"""Who else holds an object: what the interpreter counts, told apart from our own references."""

from __future__ import annotations

import sys
from typing import Any


def only(holder: Any, key: Any) -> bool:
    """Whether `holder[key]` is the one reference to an object."""
    return others(holder, key) == 0


def others(holder: Any, key: Any) -> int:
    """How many references to `holder[key]` there are besides that one."""
    return sys.getrefcount(holder[key]) - _ALONE


_ALONE = 0
_ALONE = others([object()], 0)  # what the call itself adds, which depends on the version of Python
