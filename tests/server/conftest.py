"""A real Jupyter server with the service, in a process of its own, and a scripted model that it asks."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reflex_ipython.testing import Reply, Say, ScriptedServer, Silent

TOKEN = "let-me-in"
CONCURRENCY, WAITING = 2, 2


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Service:
    """The server and how to ask it.

    Parameters
    ----------
    home : Path
        Where all that it writes goes.
    model_url : str
    options : str
        More of its command line.
    """

    def __init__(self, home: Path, model_url: str, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = home / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"),
                    *(f"--ServerApp.port={self.port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1"),
                    *(f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={home}"),
                    "--ServerApp.jpserver_extensions={'reflex_ipython.server': True}",
                    *options,
                ],
                env={
                    **{name: value for name, value in os.environ.items() if not name.startswith("REFLEX_")},
                    "HOME": str(home),
                    "JUPYTER_CONFIG_DIR": str(home / "config"),
                    "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
                    "JUPYTER_DATA_DIR": str(home / "data"),
                    "REFLEX_MODEL": "scripted",
                    "REFLEX_BASE_URL": model_url,
                    "REFLEX_REVIEW": "off",
                    "REFLEX_HISTORY_FILE": str(home / "history.sqlite"),
                },
                cwd=home,
                stdout=log,
                stderr=log,
            )
        self._await()

    def _await(self) -> None:
        end = time.monotonic() + 120
        while self.process.poll() is None and time.monotonic() < end:
            try:
                self.get("health")
                return
            except OSError:
                time.sleep(0.1)
        self.close()
        pytest.fail(f"the server did not start:\n{self.log.read_text()}")

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        connection = self.connection()
        try:
            connection.request(method, f"/reflex/api/{path}", body, headers)
            response = connection.getresponse()
            return Answer(response.status, dict(response.headers), response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **{"Authorization": f"token {TOKEN}", **headers})

    def post(self, body: Any, **headers: str) -> Answer:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", "execute", data, **{"Authorization": f"token {TOKEN}", **headers})

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def answer(asked: Mapping[str, Any]) -> Reply:
    """The code in the words: `say CODE`; `first A then B`: B once A has failed; `silence`: nothing."""
    words = asked["messages"][1]["content"]
    found = re.search(r"## What the user wants\n\n(.*?)\n\nAnswer", words, re.DOTALL)
    wanted = found[1] if found else ""
    if wanted.startswith("silence"):
        return Silent()
    if wanted.startswith("first "):
        one, _, two = wanted.removeprefix("first ").partition(" then ")
        wanted = f"say {two if len(asked['messages']) > 2 else one}"
    return Say([f"Reason: as you say.\n```python\n{wanted.removeprefix('say ')}\n```"])


@pytest.fixture(scope="session")
def model() -> Iterator[ScriptedServer]:
    with ScriptedServer(answer=answer) as server:
        yield server


@pytest.fixture(scope="session")
def service(model: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(
        tmp_path_factory.mktemp("service"),
        model.base_url,
        f"--ReflexService.concurrency={CONCURRENCY}",
        f"--ReflexService.waiting={WAITING}",
        "--ReflexService.max_body=20000",
    )
    yield made
    model.release()
    made.close()


Start = Callable[..., Service]
