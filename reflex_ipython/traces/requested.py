"""Recorded requests, made again of the application itself: no server, no network."""

from __future__ import annotations

import asyncio
import base64
import io
import json
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from reflex_ipython.traces.recorded import WebExchange
from reflex_ipython.traces.recorder import Answered

_SERVER = "testserver"


@dataclass(frozen=True)
class ReplayedResponse:
    """What a request gets.

    Parameters
    ----------
    status : int or None
    body : bytes
    error : str
        The class of what left the application.
    """

    status: int | None
    body: bytes = b""
    error: str = ""

    @property
    def fails(self) -> bool:
        """Whether the application could not answer."""
        return bool(self.error) or self.status is None or self.status >= 500

    @property
    def content(self) -> Any:
        """What it holds: of JSON the value, else the text, or the bytes of what is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            pass
        try:
            return self.body.decode("utf-8")
        except UnicodeDecodeError:
            return self.body

    def __str__(self) -> str:
        return self.error or str(self.status)


async def made_again(answered: Answered) -> ReplayedResponse:
    """The answer that a request gets now. It runs the user's own code: in a copy of the process."""
    application, exchange = answered.application, answered.exchange
    status: list[int] = []
    body = bytearray()
    try:
        if answered.is_asgi:
            await _asgi(application, exchange, status, body)
        else:
            _wsgi(application, exchange, status, body)
    except Exception as error:  # noqa: BLE001 - what it raises is what it comes to
        return ReplayedResponse(status[0] if status else None, bytes(body), type(error).__name__)
    return ReplayedResponse(status[0] if status else None, bytes(body))


def recorded(exchange: WebExchange) -> ReplayedResponse:
    """The answer that was recorded, as far as it was kept."""
    error = exchange.exception.type.rpartition(".")[2] if exchange.exception is not None else ""
    return ReplayedResponse(exchange.status, base64.b64decode(exchange.response.body), error)


def is_whole(exchange: WebExchange) -> bool:
    """Whether all of the request was kept."""
    return len(base64.b64decode(exchange.request.body)) == exchange.request.size


def _wsgi(application: Any, exchange: WebExchange, status: list[int], body: bytearray) -> None:
    sent = base64.b64decode(exchange.request.body)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": exchange.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": exchange.path,
        "QUERY_STRING": exchange.query,
        "SERVER_NAME": _SERVER,
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(sent),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in exchange.request.headers:
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    if sent:
        environ["CONTENT_LENGTH"] = str(len(sent))

    def start(line: str, headers: list[tuple[str, str]], *_: Any) -> Any:
        status[:] = [int(line[:3])]
        return body.extend

    pieces = application(environ, start)
    try:
        for piece in pieces:
            body.extend(piece)
    finally:
        getattr(pieces, "close", lambda: None)()


async def _asgi(application: Any, exchange: WebExchange, status: list[int], body: bytearray) -> None:
    messages: list[MutableMapping[str, Any]] = [
        {"type": "http.request", "body": base64.b64decode(exchange.request.body), "more_body": False}
    ]

    async def receive() -> MutableMapping[str, Any]:
        if messages:
            return messages.pop()
        never: asyncio.Future[MutableMapping[str, Any]] = asyncio.get_running_loop().create_future()
        return await never  # the client stays

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            status[:] = [message["status"]]
        elif message["type"] == "http.response.body":
            body.extend(message.get("body", b""))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": exchange.method,
        "scheme": "http",
        "path": exchange.path,
        "raw_path": exchange.path.encode(),
        "root_path": "",
        "query_string": exchange.query.encode("latin-1"),
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in exchange.request.headers
        ],
        "client": ("127.0.0.1", 50_000),
        "server": (_SERVER, 80),
    }
    await application(scope, receive, send)
