"""Code of ours whose warnings nobody wants, on whatever thread, without touching what others do about theirs.

`warnings.catch_warnings` puts back what it found, and is not for threads: where a cell records warnings while another
thread leaves such a block, the cell's recorder stays in place for good. So there is one filter of our own instead,
which is for the threads alone that are in here.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from threading import get_ident
from typing import Any


class _Ours:
    """In the place of a filter's pattern for modules: matches every one, on our threads."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    def match(self, module: str) -> bool:
        """As `re.Pattern.match`."""
        return get_ident() in self.threads


_ours = _Ours()
_FILTER: Any = ("ignore", None, Warning, _ours, 0)


@contextlib.contextmanager
def unwarned() -> Iterator[None]:
    """Let no warning be shown or raised that this thread gives in the block."""
    _ours.threads.append(get_ident())
    filters = _filters()
    filters.insert(0, _FILTER)  # not by `filterwarnings`: that forgets which warnings were shown already
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            filters.remove(_FILTER)
        # A `catch_warnings` that another thread has entered since works on a copy, with ours in it.
        if (now := _filters()) is not filters:
            with contextlib.suppress(ValueError):
                now.remove(_FILTER)
        _ours.threads.remove(get_ident())


def users_filters() -> list[Any]:
    """The filters of warnings without ours, which stands there while a thread of ours is in such a block."""
    filters = _filters().copy()
    return [each for each in filters if each is not _FILTER] if _ours.threads else filters


def put_users_filters(filters: list[Any]) -> None:
    """Set all of them but ours, in place."""
    now = _filters()
    now[:] = [each for each in now if each is _FILTER] + filters


def _filters() -> list[Any]:
    return warnings.filters  # type: ignore[return-value]  # it is a list
