"""What stands in the place of a function that heals: as cheap as it can be, since most calls do not fail."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator
from types import CodeType, FunctionType
from typing import Any, Protocol

from reflex_ipython.functions.begun import Begun, first_of


def _nothing() -> Any:
    """Any function, to see what is made of it."""


_MANAGERS: dict[object, Callable[[Any], Any]] = {
    getattr(make(_nothing), "__code__", None): make
    for make in (contextlib.contextmanager, contextlib.asynccontextmanager)
}
"""By the code of what they make of a generator function."""


class Mending(Protocol):
    """Decides what becomes of a failed call."""

    def mended(self, error: Exception, again: Callable[[], Any], code: CodeType, *, awaited: bool = False) -> bool:
        """Whether the function has another text by now than the one with which the call failed."""


def wrapped(function: Any, innermost: FunctionType, mending: Mending) -> Any:
    """A function that tries another one, of the same kind as that, and calls it again once it is mended.

    Parameters
    ----------
    function : callable
        Perhaps decorated.
    innermost : FunctionType
        The one whose text is mended, below the decorators.
    mending : Mending
    """
    manager = _MANAGERS.get(getattr(function, "__code__", None))
    if manager is not None and function.__wrapped__ is innermost:  # entering takes the generator's first value
        return manager(wrapped(innermost, innermost, mending))
    for is_kind, make in _KINDS.items():
        if is_kind(function):
            return make(function, innermost, mending)
    plain = _plain(function, innermost, mending)
    if any(is_kind(innermost) for is_kind in _KINDS):
        plain = _passing(plain, function, innermost, mending)
    return _with_methods(plain, function)


def _plain(function: Any, innermost: FunctionType, mending: Mending) -> Any:
    @functools.wraps(function)
    def plain(*args: Any, **kwargs: Any) -> Any:
        code = innermost.__code__
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if not mending.mended(error, lambda: function(*args, **kwargs), code):
                raise
        return function(*args, **kwargs)

    return plain


def _coroutine(function: Any, innermost: FunctionType, mending: Mending) -> Any:
    @functools.wraps(function)
    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        code = innermost.__code__
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            if not mending.mended(error, lambda: function(*args, **kwargs), code, awaited=True):
                raise
        return await function(*args, **kwargs)

    return coroutine


def _generator(function: Any, innermost: FunctionType, mending: Mending) -> Any:
    @functools.wraps(function)
    def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        code = innermost.__code__
        begun = Begun(function(*args, **kwargs))
        try:
            begun.begin()
        except Exception as error:
            if not mending.mended(error, lambda: next(function(*args, **kwargs), None), code):
                raise
            begun = Begun(function(*args, **kwargs))
        return (yield from begun)

    return generator


def _async_generator(function: Any, innermost: FunctionType, mending: Mending) -> Any:
    """After its first value all is the generator's own: what it is sent, what is thrown into it, and its end."""

    @functools.wraps(function)
    async def async_generator(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        code = innermost.__code__
        inner = function(*args, **kwargs)
        try:
            try:
                value = await inner.__anext__()
            except StopAsyncIteration:
                return
            except Exception as error:
                if not mending.mended(error, lambda: first_of(function(*args, **kwargs)), code, awaited=True):
                    raise
                inner = function(*args, **kwargs)
                value = await inner.__anext__()
            while True:
                try:
                    sent = yield value
                except GeneratorExit:
                    raise
                except BaseException as thrown:  # noqa: BLE001 - the inner one may catch it
                    value = await inner.athrow(thrown)
                else:
                    value = await inner.asend(sent)
        except StopAsyncIteration:
            return
        finally:
            await inner.aclose()

    return async_generator


_KINDS: dict[Callable[[object], bool], Callable[[Any, FunctionType, Mending], Any]] = {
    inspect.iscoroutinefunction: _coroutine,
    inspect.isgeneratorfunction: _generator,
    inspect.isasyncgenfunction: _async_generator,
}
"""How functions are told apart whose text does not run in the call itself, and what stands in their place."""
_BEGUN: dict[Callable[[object], bool], Callable[[Any, FunctionType, Mending], Any]] = {
    inspect.iscoroutine: _coroutine,
    inspect.isgenerator: _generator,
    inspect.isasyncgen: _async_generator,
}
"""The same of what they give."""


def _passing(plain: Any, function: Any, innermost: FunctionType, mending: Mending) -> Any:
    """In place of a decorator's function that passes on what the innermost one gives, or has run it to its end."""

    @functools.wraps(function)
    def passing(*args: Any, **kwargs: Any) -> Any:
        waiting = [plain(*args, **kwargs)]

        def given() -> Any:
            return waiting.pop() if waiting else function(*args, **kwargs)

        for is_kind, make in _BEGUN.items():
            if is_kind(waiting[0]):
                return make(given, innermost, mending)()
        return waiting.pop()

    return passing


def _with_methods(wrapper: Any, function: Any) -> Any:
    """The wrapper with what a callable object can be asked besides: `cache_clear` of `functools.lru_cache`, say."""
    if not isinstance(function, FunctionType):
        for name in dir(function):
            if not name.startswith("__") and not hasattr(wrapper, name):
                setattr(wrapper, name, getattr(function, name))
    return wrapper
