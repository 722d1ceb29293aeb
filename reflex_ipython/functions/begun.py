"""A generator whose first value was taken already, and is given as if it had not been; that value alone."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import Any

_NOTHING: Any = object()


class Begun(Generator[Any, Any, Any]):
    """Passes all on to a generator.

    Parameters
    ----------
    inner : generator
    """

    def __init__(self, inner: Generator[Any, Any, Any]) -> None:
        self._inner = inner
        self._first = _NOTHING
        self._end: StopIteration | None = None

    def begin(self) -> None:
        """Take the first value, or notice that there is none. Raises what the generator does."""
        try:
            self._first = next(self._inner)
        except StopIteration as end:
            self._end = end

    def send(self, value: Any) -> Any:
        """The first value, then what the generator makes of what it is sent."""
        if self._end is not None:
            raise self._end
        if self._first is not _NOTHING:
            first, self._first = self._first, _NOTHING
            return first
        return self._inner.send(value)

    def throw(self, *arguments: Any) -> Any:
        """Raised inside of the generator."""
        return self._inner.throw(*arguments)

    def close(self) -> None:
        """End it."""
        self._inner.close()


async def first_of(inner: AsyncGenerator[Any, Any]) -> Any:
    """The first value of an asynchronous generator, which then ends; None if there is none."""
    try:
        return await inner.__anext__()
    except StopAsyncIteration:
        return None
    finally:
        await inner.aclose()
