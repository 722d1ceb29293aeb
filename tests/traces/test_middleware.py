"""Requests of web applications are recorded with the calls beneath them, and answered as they would be."""

from __future__ import annotations

import asyncio
import base64
import io
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.validate import validator

import pytest

import reflex_ipython
from reflex_ipython.traces.documents import from_text, to_text
from reflex_ipython.traces.recorded import Trace, WebExchange
from reflex_ipython.traces.recording import Recording


def price(count: int) -> float:
    return 10 / count


def shop(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    """A WSGI application."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    count = int(environ["PATH_INFO"].strip("/"))
    text = f"{body.decode()} {price(count)}".encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", "session=abc")])
    yield text


async def async_shop(scope: Any, receive: Any, send: Any) -> None:
    """An ASGI application."""
    message = await receive()
    await asyncio.sleep(0)
    text = f"{message['body'].decode()} {price(int(scope['path'].strip('/')))}"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": text.encode()})


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def body(exchange: WebExchange) -> tuple[str, str]:
    return tuple(base64.b64decode(one.body).decode() for one in (exchange.request, exchange.response))  # type: ignore


def names(trace: Trace, exchange: WebExchange) -> list[str]:
    """The functions that were called beneath a request."""
    waiting = [trace.calls[number] for number in exchange.calls]
    found = []
    while waiting:
        call = waiting.pop(0)
        found.append(trace.function_of(call).name)
        waiting += trace.children(call)
    return found


def serve(recording: Recording, *paths: str) -> list[str]:
    """What a real server answers, on a thread that starts while the trace is on."""
    with WSGIServer(("127.0.0.1", 0), Quiet) as server:
        server.set_app(validator(recording.wsgi(validator(checked(shop)))))
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        answers = [ask(f"http://127.0.0.1:{server.server_port}{path}") for path in paths]
        server.shutdown()
        thread.join()
    return answers


def checked(application: Any) -> Any:
    """As the validator wants requests to be read."""
    return lambda environ, start: ReadOnce(application(environ, start))


class ReadOnce:
    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces


def ask(address: str) -> str:
    request = urllib.request.Request(address, b"three", {"Authorization": "Basic abc", "Content-Type": "text/plain"})
    try:
        with urllib.request.urlopen(request) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return str(error.code)


@pytest.mark.filterwarnings("ignore")
def test_requests_of_a_wsgi_application_are_recorded_and_answered(capfd: pytest.CaptureFixture[str]) -> None:
    with reflex_ipython.trace() as recording:
        assert serve(recording, "/4?a=1", "/5") == ["three 2.5", "three 2.0"]
    trace = recording.trace
    first, second = trace.exchanges
    assert (first.method, first.path, first.query, first.status) == ("POST", "/4", "a=1", 200)
    assert body(first) == ("three", "three 2.5")
    assert dict(first.request.headers)["Authorization"] == ""
    assert dict(first.response.headers) == {"Content-Type": "text/plain", "Set-Cookie": ""}
    assert "price" in names(trace, first)
    assert not set(first.calls) & set(second.calls)
    assert first.duration > 0
    assert from_text(to_text(trace)) == trace


def test_an_error_of_a_wsgi_application_is_recorded_and_raised() -> None:
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/0", "wsgi.input": io.BytesIO()}
    with reflex_ipython.trace() as recording, pytest.raises(ZeroDivisionError):
        list(recording.wsgi(shop)(environ, lambda *_: None))
    (exchange,) = recording.trace.exchanges
    assert exchange.status is None
    assert exchange.exception is not None
    assert exchange.exception.type == "ZeroDivisionError"


def request_of(application: Any, path: str) -> Any:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"three"}

    async def send(message: dict[str, Any]) -> None:
        pass

    headers = [(b"cookie", b"session=abc"), (b"host", b"x")]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"a=1", "headers": headers}
    return application(scope, receive, send)


def test_requests_of_an_asgi_application_that_run_by_turns_keep_their_calls_apart() -> None:
    async def both(recording: Recording) -> None:
        application = recording.asgi(async_shop)
        await asyncio.gather(request_of(application, "/4"), request_of(application, "/5"))

    with reflex_ipython.trace() as recording:
        asyncio.run(both(recording))
    trace = recording.trace
    first, second = trace.exchanges
    assert body(first) == ("three", "three 2.5")
    assert (first.method, first.path, first.query, first.status) == ("GET", "/4", "a=1", 200)
    assert dict(first.request.headers) == {"cookie": "", "host": "x"}
    for exchange, count in ((first, "4"), (second, "5")):
        assert names(trace, exchange)[0] == "async_shop"
        prices = [call for call in trace.calls if call.parent in exchange.calls]
        assert [call.arguments[0].value.text for call in prices if trace.function_of(call).name == "price"] == [count]


def test_what_is_no_request_passes_and_so_does_all_once_the_trace_is_off() -> None:
    seen: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    with reflex_ipython.trace() as recording:
        traced = recording.asgi(application)
        asyncio.run(traced({"type": "lifespan"}, None, None))
    asyncio.run(traced({"type": "http"}, None, None))
    assert recording.wsgi(lambda environ, start: [b"x"])({}, None) == [b"x"]
    assert seen == ["lifespan", "http"]
    assert not recording.trace.exchanges


def test_a_large_body_is_cut_and_its_size_told() -> None:
    with reflex_ipython.trace() as recording:
        list(recording.wsgi(lambda environ, start: start("200 OK", []) or [b"x" * 100_000])({}, lambda *_: None))
    (exchange,) = recording.trace.exchanges
    assert exchange.response.size == 100_000
    assert len(base64.b64decode(exchange.response.body)) == 64_000
