"""A function each of whose calls is recorded: plain ones, coroutines and generators, which run a step at a time."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import BadInput

if TYPE_CHECKING:
    from reflex_ipython.traces.recording import Recording

Make = Callable[[], "Recording"]


def decorated(function: Any, make: Make) -> Any:
    """The function, each call of which leaves what it recorded in its `trace`.

    Parameters
    ----------
    function : callable
        A method of a class or a static one as well.
    make : callable
        Makes a new recording.

    Raises
    ------
    BadInput
        If it is no function.
    """
    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(decorated(function.__func__, make))
    if isinstance(function, type) or not callable(function):
        what = "a class" if isinstance(function, type) else type(function).__name__
        raise BadInput(f"A function is traced, or a block: {what} is neither.")
    if inspect.isgeneratorfunction(function):
        return _generator(function, make)
    if inspect.isasyncgenfunction(function):
        return _async_generator(function, make)
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            with _Call(coroutine, make).step():
                return await function(*args, **kwargs)

        return coroutine

    @functools.wraps(function)
    def traced(*args: Any, **kwargs: Any) -> Any:
        with _Call(traced, make).step():
            return function(*args, **kwargs)

    return traced


class _Call:
    """One call's recording, left in the function's `trace`; none where a call of it is recorded already."""

    def __init__(self, function: Any, make: Make) -> None:
        before = vars(function).get("trace")
        self._recording: Recording | None = None
        self._has_begun = False
        if before is None or not before.is_on:
            function.trace = self._recording = make()

    @contextmanager
    def step(self) -> Iterator[None]:
        """Record what runs in the block: what others do while a generator rests is none of its own."""
        recording = self._recording
        if recording is None or recording.is_on:
            yield
            return
        if self._has_begun:
            recording.go_on()
        else:
            recording.__enter__()
            self._has_begun = True
        try:
            yield
        except BaseException as error:
            recording.__exit__(type(error), error, error.__traceback__)
            raise
        recording.__exit__(None, None, None)


def _generator(function: Any, make: Make) -> Any:
    @functools.wraps(function)
    def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        inner = function(*args, **kwargs)
        call = _Call(generator, make)
        resume, value = inner.send, None
        while True:
            with call.step():
                ended, value = _resumed(resume, value)
            if ended:
                return value
            try:
                resume, value = inner.send, (yield value)
            except GeneratorExit:
                with call.step():
                    inner.close()
                raise
            except BaseException as thrown:  # noqa: BLE001 - the inner one may catch it
                resume, value = inner.throw, thrown

    return generator


def _resumed(resume: Callable[[Any], Any], value: Any) -> tuple[bool, Any]:
    """Whether the generator has ended, and what it gave."""
    try:
        return False, resume(value)
    except StopIteration as end:
        return True, end.value


def _async_generator(function: Any, make: Make) -> Any:
    @functools.wraps(function)
    async def generator(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        inner = function(*args, **kwargs)
        call = _Call(generator, make)
        resume, value = inner.asend, None
        while True:
            with call.step():
                try:
                    value = await resume(value)
                except StopAsyncIteration:
                    return
            try:
                resume, value = inner.asend, (yield value)
            except GeneratorExit:
                with call.step():
                    await inner.aclose()
                raise
            except BaseException as thrown:  # noqa: BLE001 - the inner one may catch it
                resume, value = inner.athrow, thrown

    return generator
