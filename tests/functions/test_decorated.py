"""Functions that other decorators have changed heal as what they have become."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

import reflex_ipython
from tests.functions.conftest import LINUX, Texts

pytestmark = LINUX


def proven(texts: Texts) -> Any:
    return reflex_ipython.heal(policy="proven", store=texts)


def passing(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that gives what the function gives."""

    @functools.wraps(function)
    def passed(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return passed


def test_a_context_manager_heals_as_it_is_entered(texts: Texts) -> None:
    ended: list[int] = []

    @proven(texts)
    @contextlib.contextmanager
    def opened(values: list[int]) -> Iterator[int]:
        try:
            yield lne(values)  # type: ignore[name-defined]  # noqa: F821
        finally:
            ended.append(len(values))

    with opened([1, 2]) as size:
        assert size == 2
        assert ended == [2], "the failed one has ended"
    assert ended == [2, 2]
    with pytest.raises(KeyError), opened([]):
        raise KeyError


def test_an_asynchronous_context_manager_heals_as_well(texts: Texts) -> None:
    @proven(texts)
    @contextlib.asynccontextmanager
    async def opened(values: list[int]) -> AsyncIterator[int]:
        yield lne(values)  # type: ignore[name-defined]  # noqa: F821

    async def use() -> int:
        async with opened([1, 2]) as size:
            return size

    assert asyncio.run(use()) == 2


def test_a_coroutine_function_that_was_made_synchronous_stays_so(texts: Texts) -> None:
    def at_once(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def ran(*args: Any) -> Any:
            return asyncio.run(function(*args))

        return ran

    @proven(texts)
    @at_once
    async def size(values: list[int]) -> int:
        return lne(values)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    assert size([1, 2]) == 2
    assert not inspect.iscoroutinefunction(size)


def test_what_a_decorator_passes_on_heals_where_it_runs(texts: Texts) -> None:
    @proven(texts)
    @passing
    async def later(values: list[int]) -> int:
        return lne(values)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    @proven(texts)
    @passing
    def some(values: list[int]) -> Iterator[int]:
        yield lne(values)  # type: ignore[name-defined]  # noqa: F821

    @proven(texts)
    @passing
    async def others(values: list[int]) -> AsyncIterator[int]:
        yield lne(values)  # type: ignore[name-defined]  # noqa: F821

    async def all_of() -> list[int]:
        return [one async for one in others([1, 2])]

    assert asyncio.run(later([1, 2])) == 2
    assert list(some([1, 2])) == [2]
    assert asyncio.run(all_of()) == [2]
    assert len(texts.kept) == 3


def test_a_cached_function_can_still_be_asked_of_its_cache(texts: Texts) -> None:
    @proven(texts)
    @functools.lru_cache
    def size(text: str) -> int:
        return lne(text)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    assert (size("ab"), size("ab")) == (2, 2)
    assert size.cache_info().hits == 1
    size.cache_clear()
    assert size.cache_info().currsize == 0
