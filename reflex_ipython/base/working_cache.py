"""Caches of what is made of a cell's text, kept while somebody works on a failure, and emptied behind that.

A tree has nine objects for each line, all of which every full garbage collection walks through: cells that succeed
would pay for it from then on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
_caches: list[functools._lru_cache_wrapper[Any]] = []


def working_cache(maxsize: int) -> Callable[[F], F]:
    """As `functools.lru_cache`, until `forget` is called.

    Parameters
    ----------
    maxsize : int
        How many results are kept.
    """

    def decorate(function: F) -> F:
        cached = functools.lru_cache(maxsize=maxsize)(function)
        _caches.append(cached)
        return functools.wraps(function)(cached)  # type: ignore[return-value]  # it is called in the same way

    return decorate


def forget() -> None:
    """Empty them all; whoever is still at work makes what it needs once more."""
    for cache in _caches:
        cache.cache_clear()
