"""A model server on a free port of loopback that says what it was told to."""

from __future__ import annotations

import json
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from reflex_ipython.testing.dialects import DIALECTS, PLAIN
from reflex_ipython.testing.replies import Raw, RecordedRequest, Refuse, Reply, Say


class ScriptedServer:
    """A model server on a free port of loopback that says what it was told to.

    Parameters
    ----------
    *script : Reply
        One for each question, in order. When it is used up, the answer is an error 500. What the dialect refuses uses
        up none.
    answer : callable, optional
        Instead of a script: the reply to a request's JSON.
    models : sequence of str
        What `/v1/models` lists.
    routes : mapping of str to Raw
        Answers to other paths, `{"/api/version": Raw('{"version": "0.9"}', "application/json")}`.
    dialect : str
        One of `DIALECTS`; empty: any server that is compatible with OpenAI's, which refuses nothing.
    """

    def __init__(
        self,
        *script: Reply,
        answer: Callable[[Mapping[str, Any]], Reply] | None = None,
        models: Sequence[str] = ("scripted",),
        routes: Mapping[str, Raw] | None = None,
        dialect: str = "",
    ) -> None:
        self.requests: list[RecordedRequest] = []
        self.models = tuple(models)
        self.dialect = DIALECTS[dialect] if dialect else PLAIN
        self.routes = {f"{self.dialect.base}/models": self._model_list(), **self.dialect.routes, **(routes or {})}
        self.released = threading.Event()
        self.hung_up = threading.Event()
        self.asked = threading.Event()
        """Set once a question came."""
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
        return f"http://127.0.0.1:{self.port}{self.dialect.base}"

    @property
    def chats(self) -> list[RecordedRequest]:
        """The questions alone."""
        return [request for request in self.requests if request.path.endswith(self.dialect.path)]

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
        """The reply to a question."""
        self.asked.set()
        for objection in self.dialect.objections:
            if refusal := objection(request):
                return refusal
        if self._answer is not None:
            return self._answer(request.json)
        with self._lock:
            return next(self._script, Refuse(500, "The script has no reply for this request.", type="server_error"))

    def _model_list(self) -> Raw:
        data = [{"id": name, "object": "model", "owned_by": self.dialect.owner} for name in self.models]
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
        if not request.path.endswith(self.server.owner.dialect.path):
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
        parts = urlsplit(self.path)  # of a client that takes this for a proxy, the whole address
        request = RecordedRequest(self.command, parts.path, headers, content, body, dict(parse_qsl(parts.query)))
        self.server.owner.requests.append(request)
        return request

    def _say(self, reply: Say, asked: Mapping[str, Any]) -> None:
        dialect = self.server.owner.dialect
        self._head(200, {"Content-Type": "text/event-stream"})
        for event in dialect.events(reply, asked):
            time.sleep(reply.delay)
            self._send_event(event)
        if reply.ending == "cut":
            # A reset, as from a server that was killed. An orderly end would be "closed".
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.rfile.close()
            self.connection.close()
            return
        if reply.ending == "silent":
            self._keep_silent()
        for event in dialect.done(reply):
            self._send_event(event)

    def _send_event(self, event: str) -> None:
        self.wfile.write(event.encode())
        self.wfile.flush()

    def _refuse(self, reply: Refuse) -> None:
        error = json.dumps(self.server.owner.dialect.error(reply))
        self._send(reply.status, {"Content-Type": "application/json", **reply.headers}, error)

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
