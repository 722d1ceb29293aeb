"""Whether an object has a `__dict__` by now: a few C types make one when they are asked for it, which can be undone."""

from __future__ import annotations

import functools
import gc
from typing import Any

_parts = tuple(vars(functools.partial)[name].__get__ for name in ("func", "args", "keywords"))
_attributes = vars(functools.partial)["__dict__"].__get__
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


def dict_of_partial(o: functools.partial[Any]) -> dict[str, Any] | None:
    """The `__dict__` of a partial; None for one that has none yet."""
    return _attributes(o) if has_dict(o) else None


def parts_of_partial(o: functools.partial[Any]) -> tuple[Any, ...]:
    """What a partial calls, with which arguments and keywords."""
    return tuple(part(o) for part in _parts)


def set_partial(o: functools.partial[Any], parts: tuple[Any, ...], attributes: dict[str, Any] | None) -> None:
    """Have a partial consist of these, as it can be pickled.

    Parameters
    ----------
    o : functools.partial
    parts : tuple
        As `parts_of_partial` gave them.
    attributes : dict or None
        Its `__dict__`. None: it has none, as one that was never asked for it; others see through it again.
    """
    _set_state(o, (*parts, attributes))
