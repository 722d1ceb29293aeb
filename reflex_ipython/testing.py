"""For the tests of anyone who extends this package: a scripted OpenAI-compatible server.

The server speaks over a real socket on loopback, so that a test covers the whole way to a model and back:

    with ScriptedServer(Say(["Misspelt.\\n", "```python\\ntotal = 1\\n```"])) as server:
        ask(Settings(model="scripted", base_url=server.base_url))
    assert server.requests[0].json["model"] == "scripted"
"""

from __future__ import annotations

import json
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

# ------------------------------------------------------------------------------------------ what a server answers


@dataclass(frozen=True)
class Say:
    """A streamed answer.

    Parameters
    ----------
    pieces : sequence of str
        The text, one chunk each. A plain string is sent character by character.
    delay : float
        Seconds before each piece.
    usage : tuple of int, or None
        Input and output tokens; sent only if the request asks for it. None: never.
    finish_reason : str or None
        Of the last chunk.
    ending : str
        "done": as it should. "cut": the connection breaks after the last piece. "silent": nothing more comes,
        until the client hangs up or `ScriptedServer.release` is called; then it is done. "closed": the stream ends as
        if all were well, but without a finish reason.
    """

    pieces: Sequence[str]
    delay: float = 0.0
    usage: tuple[int, int] | None = (100, 20)
    finish_reason: str | None = "stop"
    ending: Literal["done", "cut", "silent", "closed"] = "done"


@dataclass(frozen=True)
class Refuse:
    """An error in OpenAI's format: 401, 404 with `code="model_not_found"`, 429 with `{"Retry-After": "7"}`."""

    status: int
    message: str
    code: str | None = None
    type: str = "invalid_request_error"
    param: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Any body: an HTML page, JSON, or event lines of your own."""

    body: str
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Silent:
    """Nothing at all, not even a status line, until the client hangs up or the server is released."""


Reply = Say | Refuse | Raw | Silent


@dataclass(frozen=True)
class RecordedRequest:
    """What a client sent. The names of `headers` are in lower case; `json` is empty where there was no body."""

    method: str
    path: str
    headers: Mapping[str, str]
    json: Mapping[str, Any]
    body: bytes = b""


# ------------------------------------------------------------------------------------------ the server


class ScriptedServer:
    """An OpenAI-compatible server on a free port of loopback that says what it was told to.

    Parameters
    ----------
    *script : Reply
        One for each request to `/v1/chat/completions`, in order. When it is used up, the answer is an error 500.
    answer : callable, optional
        Instead of a script: the reply to a request's JSON.
    models : sequence of str
        What `/v1/models` lists.
    routes : mapping of str to Raw
        Answers to other paths, `{"/api/version": Raw('{"version": "0.9"}', "application/json")}`.
    """

    def __init__(
        self,
        *script: Reply,
        answer: Callable[[Mapping[str, Any]], Reply] | None = None,
        models: Sequence[str] = ("scripted",),
        routes: Mapping[str, Raw] | None = None,
    ) -> None:
        self.requests: list[RecordedRequest] = []
        self.models = tuple(models)
        self.routes = {"/v1/models": self._model_list(), **(routes or {})}
        self.released = threading.Event()
        self.hung_up = threading.Event()
        self.asked = threading.Event()
        """Set once a chat completion was asked for."""
        self._script = iter(script)
        self._answer = answer
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, name="scripted-server", daemon=True
        )

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._http.server_address[1]

    @property
    def base_url(self) -> str:
        """Its address as the setting `base_url` wants it."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def chats(self) -> list[RecordedRequest]:
        """The requests for a chat completion alone."""
        return [request for request in self.requests if request.path.endswith("/chat/completions")]

    def release(self) -> None:
        """End every silent reply."""
        self.released.set()

    def close(self) -> None:
        """Stop, and wait until all threads have ended."""
        self.release()
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join()
        self._http.server_close()

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def next_reply(self, request: RecordedRequest) -> Reply:
        """The reply to a request for a chat completion."""
        self.asked.set()
        if self._answer is not None:
            return self._answer(request.json)
        with self._lock:
            return next(self._script, Refuse(500, "The script has no reply for this request.", type="server_error"))

    def _model_list(self) -> Raw:
        data = [{"id": name, "object": "model", "owned_by": "scripted"} for name in self.models]
        return Raw(json.dumps({"object": "list", "data": data}), "application/json")


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # so that server_close() joins them: after it no thread is left
    owner: ScriptedServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no error here; what a test's own `answer` raises is printed."""
        if isinstance(sys.exc_info()[1], ConnectionError):
            self.owner.hung_up.set()
        else:
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def do_GET(self) -> None:
        request = self._record({})
        self._send_raw(self.server.owner.routes.get(request.path, Raw("not found", "text/plain", 404)))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        request = self._record(json.loads(body), body)
        if request.path not in ("/v1/chat/completions", "/chat/completions"):
            self._send_raw(Raw("not found", "text/plain", 404))
            return
        reply = self.server.owner.next_reply(request)
        if isinstance(reply, Say):
            self._say(reply, request.json)
        elif isinstance(reply, Refuse):
            self._refuse(reply)
        elif isinstance(reply, Raw):
            self._send_raw(reply)
        else:
            self._keep_silent()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: `ScriptedServer.requests` has it all."""

    def _record(self, content: Mapping[str, Any], body: bytes = b"") -> RecordedRequest:
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = RecordedRequest(self.command, self.path.partition("?")[0], headers, content, body)
        self.server.owner.requests.append(request)
        return request

    def _say(self, reply: Say, asked: Mapping[str, Any]) -> None:
        self._head(200, {"Content-Type": "text/event-stream"})
        for chunk in _chunks(reply, asked):
            time.sleep(reply.delay)
            self._event(json.dumps(chunk))
        if reply.ending == "cut":
            # A reset, as from a server that was killed. An orderly end would be "closed".
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.rfile.close()
            self.connection.close()
            return
        if reply.ending == "silent":
            self._keep_silent()
        if reply.ending != "closed":
            self._event("[DONE]")

    def _event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()

    def _refuse(self, reply: Refuse) -> None:
        error = {"message": reply.message, "type": reply.type, "param": reply.param, "code": reply.code}
        self._send(reply.status, {"Content-Type": "application/json", **reply.headers}, json.dumps({"error": error}))

    def _send_raw(self, reply: Raw) -> None:
        self._send(reply.status, {"Content-Type": reply.content_type, **reply.headers}, reply.body)

    def _send(self, status: int, headers: Mapping[str, str], text: str) -> None:
        self._head(status, headers)
        self.wfile.write(text.encode())

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _keep_silent(self) -> None:
        owner = self.server.owner
        while not owner.released.wait(0.01):
            readable, _, _ = select.select([self.connection], [], [], 0)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                owner.hung_up.set()
                return


def _chunks(reply: Say, asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    model = asked.get("model", "scripted")
    frame = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": model}
    for piece in reply.pieces:
        yield {**frame, "choices": [{"index": 0, "delta": {"role": "assistant", "content": piece}}]}
    if reply.ending == "done":
        yield {**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]}
        if reply.usage and (asked.get("stream_options") or {}).get("include_usage"):
            prompt, completion = reply.usage
            usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
            yield {**frame, "choices": [], "usage": usage}
