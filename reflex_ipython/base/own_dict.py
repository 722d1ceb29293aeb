"""The `__dict__` of an object, without running its code, and without making one.

A few C types make one when they are asked for it, which can be undone.
"""

from __future__ import annotations

import functools
import gc
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, is_exactly

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


def own_dict(o: object) -> Any:
    """The `__dict__` that is kept in an object itself: a dict, or a class's read-only view.

    None for an object that has none, or whose class has something of its own under that name.
    """
    for cls in classes(type(o)):
        own = class_vars(cls)
        if "__dict__" in own:
            kept = is_exactly(own["__dict__"], (GetSetDescriptorType, MemberDescriptorType)) and has_dict(o)
            return own["__dict__"].__get__(o) if kept else None
    return None


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
