"""Whether an object has a `__dict__` by now: a few C types make one when they are asked for it."""

from __future__ import annotations

import functools
import gc


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
