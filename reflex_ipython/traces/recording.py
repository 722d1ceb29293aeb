"""`trace`: a block, or a function's calls, whose calls of the user's own code are recorded."""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, overload

from reflex_ipython.errors import BadInput
from reflex_ipython.traces import environment
from reflex_ipython.traces.assembled import assembled
from reflex_ipython.traces.decorated import decorated
from reflex_ipython.traces.environment import EnvironmentLog
from reflex_ipython.traces.git import commit_of
from reflex_ipython.traces.hook import record
from reflex_ipython.traces.kept import AllCalls, TraceBounds
from reflex_ipython.traces.network import NetworkLog
from reflex_ipython.traces.network_hook import listen
from reflex_ipython.traces.recorded import Call, Trace, TracedFunction
from reflex_ipython.traces.recorder import Answered, CallRecorder

F = TypeVar("F", bound=Callable[..., Any])


class Recording:
    """A block whose calls are recorded; afterwards, what was recorded.

    Parameters
    ----------
    bounds : TraceBounds
    values, lines : bool
        As in `trace`.
    """

    def __init__(self, bounds: TraceBounds, *, values: bool = False, lines: bool = False) -> None:
        self._bounds, self._values, self._lines = bounds, values, lines
        self._kept = AllCalls(bounds.calls)
        self._recorder = CallRecorder(self._kept, bounds, values=values)
        self._network = NetworkLog(self._recorder)
        self._environment = EnvironmentLog(self._recorder)
        self._started = 0.0
        self._ended: float | None = None
        self._undo: Callable[[], None] | None = None
        self._trace: Trace | None = None

    def __enter__(self) -> Recording:
        if self._undo is not None:
            raise BadInput("This trace is on already.")
        self._kept = AllCalls(self._bounds.calls)
        self._recorder = CallRecorder(self._kept, self._bounds, values=self._values)
        self._network = NetworkLog(self._recorder)
        self._environment = EnvironmentLog(self._recorder)
        self._started = time.time()
        self.go_on()
        return self

    def go_on(self) -> None:
        """Record on where it had stopped, with what it has so far."""
        self._trace, self._ended = None, None
        undo = record(self._recorder, lines=self._lines)
        if self._values:
            undo = _all(environment.listen(self._environment), listen(self._network), undo)
        self._undo = undo

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()
        if error is not None:
            self._recorder.name(error, traceback)
        self._ended = time.perf_counter()

    @property
    def is_on(self) -> bool:
        """Whether calls are recorded now."""
        return self._undo is not None

    def wsgi(self, application: Any) -> Any:
        """A WSGI application (Flask's, Django's) that puts each request into this trace while it is on."""
        from reflex_ipython.traces.wsgi import TracedWSGI

        return TracedWSGI(application, self)

    def asgi(self, application: Any) -> Any:
        """An ASGI application (FastAPI's, Starlette's) that puts each HTTP request into this trace while it is on."""
        from reflex_ipython.traces.asgi import TracedASGI

        return TracedASGI(application, self)

    def now(self) -> float:
        """Seconds since it began."""
        return time.perf_counter() - self._recorder.began

    def next_number(self) -> int:
        """As `Recorder.next_number`."""
        return self._recorder.next_number()

    def add(self, answered: Answered) -> None:
        """A request was answered."""
        if len(self._recorder.requests) < self._bounds.calls:
            self._recorder.requests.append(answered)

    @property
    def trace(self) -> Trace:
        """What was recorded, as plain data; what there is so far, while it is on.

        Git is asked now: a block that only runs starts no process.
        """
        if self._trace is None or self.is_on:
            self._trace = self._assembled(git=True)
        return self._trace

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls, in the order in which they began."""
        return self._told.calls

    @property
    def functions(self) -> tuple[TracedFunction, ...]:
        """What they were calls of."""
        return self._told.functions

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from reflex_ipython.traces.html import as_html
        from reflex_ipython.traces.text import as_text

        return {"text/plain": as_text(self._told), "text/html": as_html(self._told)}

    def __str__(self) -> str:
        from reflex_ipython.traces.text import as_text

        return as_text(self._told)

    def save(self, path: str | Path, *, redacted: bool = True) -> None:
        """Write it as JSON: lines where the name ends in `.jsonl`, else one document.

        Parameters
        ----------
        path : str or Path
        redacted : bool
            Whether keys, passwords, tokens and the user's home folder are taken out.
        """
        from reflex_ipython.traces.documents import write
        from reflex_ipython.traces.redacted import without_secrets

        write(without_secrets(self.trace) if redacted else self.trace, path)

    @property
    def _told(self) -> Trace:
        return self._assembled() if self._trace is None or self.is_on else self._trace

    def _assembled(self, *, git: bool = False) -> Trace:
        return assembled(
            self._recorder,
            self._kept.calls,
            started=self._started,
            duration=(self._ended or time.perf_counter()) - self._recorder.began,
            git=commit_of(os.getcwd()) if git else None,
            exchanges=tuple(one.exchange for one in self._recorder.requests),
            network=self._network.exchanges,
            environment=self._environment.reads,
            cell_number=_cell_number,
        )


def _all(*undone: Callable[[], None]) -> Callable[[], None]:
    def undo() -> None:
        for one in undone:
            one()

    return undo


def _cell_number(filename: str) -> int | None:
    """The execution count of the cell whose code has this file name, where the extension is loaded."""
    interactive = sys.modules.get("IPython.core.interactiveshell")
    shell = getattr(interactive, "InteractiveShell", None)
    extension = getattr(shell and shell._instance, "reflex_extension", None)
    cell = extension.cells.find(filename) if extension is not None else None
    return None if cell is None else int(cell.number)


@overload
def trace(function: F) -> F: ...
@overload
def trace(
    function: None = None,
    *,
    values: bool = False,
    lines: bool = False,
    calls: int = 10_000,
    each: int = 100,
    bytes: int = 16_000_000,
    depth: int = 200,
) -> Any: ...
def trace(
    function: Any = None,
    *,
    values: bool = False,
    lines: bool = False,
    calls: int = 10_000,
    each: int = 100,
    bytes: int = 16_000_000,
    depth: int = 200,
) -> Any:
    """Record the calls of your own code: of functions of cells and project files, not of libraries.

    `with reflex_ipython.trace() as trace:` records a block; `@reflex_ipython.trace` the calls of a function, each of
    which leaves what it recorded in the function's `trace`. Of each call it keeps the function with its source, the
    arguments and the result in a few words, the exception, the caller, when it began and how long it took. Nothing is
    imported and nothing costs anything where no trace is on.

    On Python 3.12 and later all threads are recorded, before that this one and those that it starts.

    Parameters
    ----------
    values : bool
        Keep a pickle of each argument and result as well, so that the calls can be made again. Pickling runs code of
        the values' own. What is asked of the network over HTTP is kept too, with up to 64 kB of either body,
        and the environment variables that are asked for.
    lines : bool
        Record which lines each call reached.
    calls, each, bytes, depth : int
        How much is kept at most: calls; calls of one function; bytes of all that is told of values; calls above one
        another. What is left out is counted, and said in the trace's `limits`.
    """
    for name, most, least in (("calls", calls, 1), ("each", each, 1), ("bytes", bytes, 1), ("depth", depth, 0)):
        if type(most) is not int or most < least:
            raise BadInput(f"`{name}` has to be a whole number from {least} on: {most!r} is none.")
    bounds = TraceBounds(calls, each, bytes, depth=depth)
    make = functools.partial(Recording, bounds, values=values, lines=lines)
    if function is None:
        return _Tracing(bounds, values=values, lines=lines)
    return decorated(function, make)


class _Tracing(Recording):
    """A block; or with its options, a decorator."""

    def __call__(self, function: Any) -> Any:
        return decorated(function, functools.partial(Recording, self._bounds, values=self._values, lines=self._lines))
