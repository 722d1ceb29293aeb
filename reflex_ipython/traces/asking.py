"""How the known libraries of HTTP ask the network, and what takes the place of that while somebody listens.

What takes it does the same and gives the same: a stream stays one, and its pieces are noted as they are read.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextvars import ContextVar
from types import ModuleType, TracebackType
from typing import Any

from reflex_ipython.traces.network import NetworkLog, OpenRequest

Replaced = tuple[Any, str, Callable[..., Any]]
"""A class, the name of a method of its, and what takes the place of that."""

SPOILT = "asked the network, and something went wrong in the recording ({})"

listeners: list[NetworkLog] = []
"""Who is told."""
_beneath: ContextVar[bool] = ContextVar("reflex_ipython_beneath_http", default=False)
"""Whether a library is asking already: what it asks another one is the same request."""
_NOTED = "_reflex_ipython_noted"


class _Exchange:
    """One request, told to all who listen: nothing that goes wrong with that reaches the user's code."""

    def __init__(self, library: str, method: Any, url: Any, sent: Any) -> None:
        self._of = library, method, url, sent
        self._open: list[OpenRequest] = []
        self._token: Any = None
        self._reading = False

    def __enter__(self) -> _Exchange:
        if listeners and not _beneath.get():
            self._token = _beneath.set(True)
            self._open = [found for one in [*listeners] if (found := one.opened(*self._of)) is not None]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._token is not None:
            _beneath.reset(self._token)
        if error is not None:
            self.failed(error)

    def answered(self, status: int, headers: Any, response: Any = None) -> None:
        """The head of the answer is there; the pieces of the body are those of `response`, if one is given."""
        self._tell(lambda one: one.answered(status, headers()))
        if response is not None:
            self.goes_on(response)

    def goes_on(self, owner: Any) -> None:
        """What comes next is seen where this object is used."""
        self._tell(lambda one: setattr(owner, _NOTED, self))

    def failed(self, error: BaseException) -> None:
        """There is no answer, but this."""
        self._tell(lambda one: one.failed(error))

    def read(self, piece: Any) -> None:
        """A piece was read."""
        self._tell(lambda one: one.read(piece))

    def reads(self, read: Callable[[], Any], into: Any = None) -> Any:
        """What a method that reads gives; one may call another one, and what that reads is the same."""
        if self._reading:
            return read()
        self._reading = True
        try:
            found = read()
        finally:
            self._reading = False
        self.read(found if into is None else into[: found or 0])
        return found

    def _tell(self, told: Callable[[OpenRequest], object]) -> None:
        for one in self._open:
            try:
                told(one)
            except Exception as error:  # noqa: BLE001 - whatever is wrong here must not reach the user's code
                one.unkept = SPOILT.format(type(error).__name__)


def _requests(module: ModuleType) -> Iterator[Replaced]:
    real = module.HTTPAdapter.send

    @functools.wraps(real)
    def send(self: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
        with _Exchange("requests", request.method, request.url, request.body) as asked:
            response = real(self, request, *args, **kwargs)
            asked.answered(response.status_code, response.headers.items, response.raw)
        return response

    yield module.HTTPAdapter, "send", send


def _urllib3(module: ModuleType) -> Iterator[Replaced]:
    pool = module.HTTPConnectionPool
    real = pool.urlopen

    @functools.wraps(real)
    def urlopen(self: Any, method: Any, url: Any, body: Any = None, *args: Any, **kwargs: Any) -> Any:
        with _Exchange("urllib3", method, f"{self.scheme}://{self.host}:{self.port}{url}", body) as asked:
            response = real(self, method, url, body, *args, **kwargs)
            asked.answered(response.status, response.headers.items, response)
            if kwargs.get("preload_content", True):
                asked.read(response.data)
        return response

    yield pool, "urlopen", urlopen
    kind = sys.modules["urllib3.response"].HTTPResponse
    yield from _reading(kind, "read", "read1")
    yield _pieces(kind)


def _pieces(response: Any) -> Replaced:
    real = response.read_chunked

    @functools.wraps(real)
    def read_chunked(self: Any, *args: Any, **kwargs: Any) -> Iterator[bytes]:
        asked = getattr(self, _NOTED, None)
        for piece in real(self, *args, **kwargs):
            if asked is not None:
                asked.read(piece)
            yield piece

    return response, "read_chunked", read_chunked


def _httpx(module: ModuleType) -> Iterator[Replaced]:
    plain, later = module.HTTPTransport.handle_request, module.AsyncHTTPTransport.handle_async_request

    class Pieces(module.SyncByteStream):  # type: ignore[misc, name-defined]  # a class of a module known at run time
        def __init__(self, stream: Any, asked: _Exchange) -> None:
            self._stream, self._asked = stream, asked

        def __iter__(self) -> Iterator[bytes]:
            for piece in self._stream:
                self._asked.read(piece)
                yield piece

        def close(self) -> None:
            self._stream.close()

    class LaterPieces(module.AsyncByteStream):  # type: ignore[misc, name-defined]  # as above
        def __init__(self, stream: Any, asked: _Exchange) -> None:
            self._stream, self._asked = stream, asked

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in self._stream:
                self._asked.read(piece)
                yield piece

        async def aclose(self) -> None:
            await self._stream.aclose()

    def sent(request: Any) -> Any:
        try:
            return request.content
        except module.RequestNotRead:
            return request.stream

    @functools.wraps(plain)
    def handle_request(self: Any, request: Any) -> Any:
        with _Exchange("httpx", request.method, request.url, sent(request)) as asked:
            response = plain(self, request)
            asked.answered(response.status_code, response.headers.multi_items)
            response.stream = Pieces(response.stream, asked)
        return response

    @functools.wraps(later)
    async def handle_async_request(self: Any, request: Any) -> Any:
        with _Exchange("httpx async", request.method, request.url, sent(request)) as asked:
            response = await later(self, request)
            asked.answered(response.status_code, response.headers.multi_items)
            response.stream = LaterPieces(response.stream, asked)
        return response

    yield module.HTTPTransport, "handle_request", handle_request
    yield module.AsyncHTTPTransport, "handle_async_request", handle_async_request


def _urllib(module: ModuleType) -> Iterator[Replaced]:
    real = module.AbstractHTTPHandler.do_open

    @functools.wraps(real)
    def do_open(self: Any, http_class: Any, request: Any, **kwargs: Any) -> Any:
        with _Exchange("urllib.request", request.get_method(), request.full_url, request.data) as asked:
            response = real(self, http_class, request, **kwargs)
            asked.answered(response.status, response.headers.items, response)
        return response

    yield module.AbstractHTTPHandler, "do_open", do_open


def _http(module: ModuleType) -> Iterator[Replaced]:
    connection = module.HTTPConnection
    ask, answer = connection.request, connection.getresponse

    @functools.wraps(ask)
    def request(self: Any, method: Any, url: Any, body: Any = None, *args: Any, **kwargs: Any) -> Any:
        with _Exchange("http.client", method, f"{self.host}:{self.port}{url}", body) as asked:
            found = ask(self, method, url, body, *args, **kwargs)
        asked.goes_on(self)
        return found

    @functools.wraps(answer)
    def getresponse(self: Any) -> Any:
        asked = vars(self).pop(_NOTED, None)
        try:
            response = answer(self)
        except BaseException as error:
            if asked is not None:
                asked.failed(error)
            raise
        if asked is not None:
            asked.answered(response.status, response.headers.items, response)
        return response

    yield connection, "request", request
    yield connection, "getresponse", getresponse
    yield from _reading(module.HTTPResponse, "read", "read1", "readline")
    yield _reading_into(module.HTTPResponse)


def _reading(response: Any, *names: str) -> Iterator[Replaced]:
    for name in names:
        if name in vars(response):
            yield response, name, _noted(vars(response)[name])


def _noted(real: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(real)
    def read(self: Any, *args: Any, **kwargs: Any) -> Any:
        asked = getattr(self, _NOTED, None)
        if asked is None:
            return real(self, *args, **kwargs)
        return asked.reads(lambda: real(self, *args, **kwargs))

    return read


def _reading_into(response: Any) -> Replaced:
    real = response.readinto

    @functools.wraps(real)
    def readinto(self: Any, buffer: Any) -> Any:
        asked = getattr(self, _NOTED, None)
        return real(self, buffer) if asked is None else asked.reads(lambda: real(self, buffer), memoryview(buffer))

    return response, "readinto", readinto


LIBRARIES: dict[str, Callable[[ModuleType], Iterator[Replaced]]] = {
    "http.client": _http,
    "urllib.request": _urllib,
    "urllib3.connectionpool": _urllib3,
    "requests.adapters": _requests,
    "httpx": _httpx,
}
"""What takes the place of what, by the module that has it."""
