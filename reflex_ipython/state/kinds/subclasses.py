"""The subclasses of a class, which no name need lead to: code looks for them by `Base.__subclasses__()`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reflex_ipython.state.user_code import owned_class

SUBCLASSES = "__subclasses__"
"""Code that uses this word may get at them: nobody looks for them else."""
nearest: Callable[[type], list[type]] = type.__subclasses__
"""Those that are derived from a class itself; asked past its metaclass."""


def users_nearest(cls: type) -> Iterator[type]:
    """The nearest ones of the user's to a library's class, though by way of others of libraries."""
    for each in nearest(cls):
        if owned_class(each):
            yield each
        else:
            yield from users_nearest(each)
