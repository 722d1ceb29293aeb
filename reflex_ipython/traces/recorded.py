"""What was recorded of calls: plain, bounded data, that round-trips through JSON."""

from __future__ import annotations

import dataclasses
from typing import Literal

FORMAT = 1
"""The number of the format of `Trace`, raised when an older reader would misread a newer file."""

Kind = Literal["function", "generator", "coroutine", "async generator"]
Passed = Literal["positional", "keyword", "args", "kwargs"]
"""How an argument is passed when its call is made again: the last two hold what the stars took."""


@dataclasses.dataclass(frozen=True)
class RecordedValue:
    """What a value was when it was passed, given or raised.

    Parameters
    ----------
    type : str
        The qualified name of its type, `pandas.DataFrame`.
    text : str
        What it was in a few words: as Python writes it for plain values, else its class, shape and attributes.
    payload : str
        Base64 of its pickle, taken at that moment, so that the call can be made again; empty where there is none.
    unkept : str
        Why there is no payload although payloads were asked for, in words.
    """

    type: str
    text: str
    payload: str = ""
    unkept: str = ""


@dataclasses.dataclass(frozen=True)
class Argument:
    """What one parameter was bound to.

    Parameters
    ----------
    name : str
        The parameter's name, without stars.
    value : RecordedValue
        A tuple for `*args`, a dict for `**kwargs`.
    kind : str
        One of `Passed`.
    """

    name: str
    value: RecordedValue
    kind: Passed = "positional"


@dataclasses.dataclass(frozen=True)
class Raised:
    """The exception that left a call.

    Parameters
    ----------
    type : str
        The qualified name of its class.
    message : str
        Bounded; empty where its own `__str__` is foreign.
    line : int or None
        The line of the function's file on which it was raised, or came through, 1-based.
    """

    type: str
    message: str = ""
    line: int | None = None


@dataclasses.dataclass(frozen=True)
class TracedFunction:
    """A function of the user's own that was called.

    Parameters
    ----------
    id : int
        By which calls name it.
    name : str
        Its qualified name, `Basket.total`.
    module : str
        The module's name; `__main__` for a notebook's.
    file : str
        The file's path, or the name that the cell's code has.
    line : int
        Where it begins, with its decorators, 1-based.
    source : str
        Its text, decorators included; empty where it is not known, or too long.
    kind : str
        One of `Kind`.
    cell : int or None
        The execution count of the cell that defined it.
    """

    id: int
    name: str
    module: str
    file: str
    line: int
    source: str = ""
    kind: Kind = "function"
    cell: int | None = None


@dataclasses.dataclass(frozen=True)
class Call:
    """One call.

    Parameters
    ----------
    id : int
        From 0, in the order in which calls began.
    function : int
        The `id` of its `TracedFunction`.
    parent : int or None
        The call that made it, directly or through a library; None: none that was recorded.
    arguments : tuple of Argument
        In the order of the parameters, as they were when the call began.
    result : RecordedValue or None
        None: it raised, or did not end.
    exception : Raised or None
        What left it. What it caught itself is not here.
    start : float
        Seconds since the trace began.
    duration : float or None
        Seconds until it ended, pauses of a generator or coroutine included; None: it had not ended, or was let go
        before its end, of which Python 3.13 does not always tell.
    depth : int
        How many recorded calls stand above it.
    thread : str
        The name of the thread that it began on.
    lines : tuple of int or None
        The lines of the file that it reached, sorted; None: they were not recorded.
    yielded : int
        How many values a generator gave.
    """

    id: int
    function: int
    parent: int | None
    arguments: tuple[Argument, ...] = ()
    result: RecordedValue | None = None
    exception: Raised | None = None
    start: float = 0.0
    duration: float | None = None
    depth: int = 0
    thread: str = "MainThread"
    lines: tuple[int, ...] | None = None
    yielded: int = 0


@dataclasses.dataclass(frozen=True)
class Message:
    """A request or a response of HTTP.

    Parameters
    ----------
    headers : tuple of (str, str)
        In their order; of those that carry credentials, only the name.
    body : str
        Base64 of the body, as far as it was kept.
    size : int
        Bytes of the whole body.
    """

    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    size: int = 0


@dataclasses.dataclass(frozen=True)
class WebExchange:
    """A request that a web application answered.

    Parameters
    ----------
    method, path, query : str
        `GET`, `/basket`, `id=3`.
    request, response : Message
    status : int or None
        None: it raised before it answered.
    exception : Raised or None
        What left the application.
    calls : tuple of int
        The recorded calls at the top of what it did.
    start, duration : float
        Seconds, as in `Call`.
    """

    method: str
    path: str
    query: str = ""
    request: Message = Message()
    status: int | None = None
    response: Message = Message()
    exception: Raised | None = None
    calls: tuple[int, ...] = ()
    start: float = 0.0
    duration: float = 0.0


@dataclasses.dataclass(frozen=True)
class NetworkError:
    """An exception that the network ended a request with.

    Parameters
    ----------
    type : str
        The qualified name of its class.
    arguments : tuple of str, int, None or NetworkError
        What it is made with; what is none of these, as text.
    """

    type: str
    arguments: tuple[str | int | NetworkError | None, ...] = ()


@dataclasses.dataclass(frozen=True)
class NetworkExchange:
    """A request that the traced code made of the network, and what came of it.

    Parameters
    ----------
    library : str
        Who was asked to make it: "requests", "httpx", "httpx async", "urllib3", "urllib.request", "http.client".
    method, url : str
        As the library has them.
    request : Message
        Without headers, which hold credentials.
    is_text : bool
        Whether the body of the request was passed as a `str`.
    status : int or None
        None: there was no answer.
    response : Message
        As far as it was read.
    error : NetworkError or None
        What was raised instead of an answer.
    unkept : str
        Why it can't be played back, in words that follow a function's name; empty: it can.
    call : int or None
        The recorded call that made it; None: none on that thread.
    start : float
        Seconds since the trace began.
    """

    library: str
    method: str
    url: str
    request: Message = Message()
    is_text: bool = False
    status: int | None = None
    response: Message = Message()
    error: NetworkError | None = None
    unkept: str = ""
    call: int | None = None
    start: float = 0.0


@dataclasses.dataclass(frozen=True)
class EnvironmentRead:
    """An environment variable that a traced call asked for.

    Parameters
    ----------
    name : str
        Empty: the call went through all.
    value : str or None
        None: it was not set, or its value is not kept.
    unkept : str
        Why the value is not kept, in words that follow a function's name; empty: it is.
    call : int
        The recorded call.
    """

    name: str
    value: str | None = None
    unkept: str = ""
    call: int = 0


@dataclasses.dataclass(frozen=True)
class Commit:
    """The state of the git repository that the code was in.

    Parameters
    ----------
    commit : str
        The hash of the checked out commit.
    branch : str
        Empty where none is checked out.
    remote : str
        The address of `origin`, without credentials; empty if there is none.
    dirty : bool
        Whether tracked files were changed.
    """

    commit: str
    branch: str = ""
    remote: str = ""
    dirty: bool = False


@dataclasses.dataclass(frozen=True)
class Trace:
    """Recorded calls, with what they were calls of.

    Parameters
    ----------
    functions : tuple of TracedFunction
    calls : tuple of Call
        In the order in which they began.
    exchanges : tuple of WebExchange
        Of web applications.
    network : tuple of NetworkExchange
        What was asked of the network, in that order; recorded with values alone.
    environment : tuple of EnvironmentRead
        Which environment variables were asked for, each once for a call; recorded with values alone.
    limits : tuple of str
        Which bounds were reached, and what is missing for that, in sentences.
    started : str
        ISO 8601 in UTC.
    duration : float
        Seconds.
    python : str
        The version, `3.12.1`.
    git : Commit or None
    redacted : bool
        Whether secrets were taken out.
    format : int
    """

    functions: tuple[TracedFunction, ...] = ()
    calls: tuple[Call, ...] = ()
    exchanges: tuple[WebExchange, ...] = ()
    network: tuple[NetworkExchange, ...] = ()
    environment: tuple[EnvironmentRead, ...] = ()
    limits: tuple[str, ...] = ()
    started: str = ""
    duration: float = 0.0
    python: str = ""
    git: Commit | None = None
    redacted: bool = False
    format: int = FORMAT

    def function_of(self, call: Call) -> TracedFunction:
        """The function that a call is of."""
        return next(one for one in self.functions if one.id == call.function)

    def children(self, call: Call | None) -> tuple[Call, ...]:
        """The calls that this one made; of None, those that no recorded one made."""
        parent = None if call is None else call.id
        return tuple(one for one in self.calls if one.parent == parent)
