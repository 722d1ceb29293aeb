"""A server of HTTP on this machine that answers what the tests ask, until it is closed."""

from __future__ import annotations

import gzip
import http.server
import json
import socket
import threading
from typing import Any


class _Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        path = self.path
        if path.startswith("/rates"):
            self._answer(json.dumps({"USD": len(path), "name": "Zürich"}, ensure_ascii=False).encode(), packed=True)
        elif path == "/moved":
            self._answer(b"", 302, location="/new")
        elif path == "/secret":
            self._answer(b"password=hunter2hunter2")
        elif path in ("/long", "/huge"):
            self._answer(b"x" * (5_000 if path == "/long" else 70_000))
        elif path == "/new":
            self._answer(b"a\nb\nc\n")
        else:
            self._answer(b"no", 404)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, data: bytes, status: int = 200, *, location: str = "", packed: bool = False) -> None:
        packed = packed and "gzip" in self.headers.get("Accept-Encoding", "")
        data = gzip.compress(data) if packed else data
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Set-Cookie", "session=abc")
        for name, value in (("Location", location), ("Content-Encoding", "gzip" if packed else "")):
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


class NetworkServer:
    """Such a server, and an address at which there is none."""

    def __init__(self) -> None:
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self._silent = socket.socket()
        self._silent.bind(("127.0.0.1", 0))  # and does not listen
        self.silent_url = f"http://127.0.0.1:{self._silent.getsockname()[1]}"

    def __enter__(self) -> NetworkServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._silent.close()
