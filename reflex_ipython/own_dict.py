"""Whether an object has a `__dict__` by now: a few C types make one when they are asked for it, which can be undone."""

from __future__ import annotations

import functools
import gc
from typing import Any

_parts = tuple(vars(functools.partial)[name].__get__ for name in ("func", "args", "keywords"))
_set_state = vars(functools.partial)["__setstate__"]


def has_dict(o: object) -> bool:
    """Whether looking at an object's `__dict__` changes nothing.

    `functools.partial` makes one when it is asked, and `partial(p)` sees through a partial only if that has none.

    Parameters
    ----------
    o : object
        Any object whose class may have a `__dict__`.
    """
    if not issubclass(type(o), functools.partial):
        return True
    return sum(type(part) is dict for part in gc.get_referents(o)) > 1  # besides its keywords


def take_dict_away(o: functools.partial[Any]) -> None:
    """Leave a partial without a `__dict__`, as one that was never asked for it: others see through it again.

    Parameters
    ----------
    o : functools.partial
        What it calls, and with what, stays the same.
    """
    _set_state(o, (*(part(o) for part in _parts), None))
