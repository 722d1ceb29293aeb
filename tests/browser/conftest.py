"""A real JupyterLab (or Notebook) server, a real Chromium, and screenshots of every state."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.notebook import NotebookPage

SHOTS = Path(__file__).parent / "screenshots"
CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class Server:
    """A Jupyter server with settings of its own, on a free port of the loopback.

    Parameters
    ----------
    home : Path
        Where all that it writes goes.
    app : str
        "jupyterlab" or "notebook".
    theme : str
    labextension : bool
        Whether our labextension is enabled.
    environment : dict
        More variables for the server and its kernels.
    """

    def __init__(
        self, home: Path, app: str, theme: str = "JupyterLab Light", labextension: bool = True, **environment: str
    ) -> None:
        self.root = home / "notebooks"
        self.root.mkdir(parents=True)
        self.app = app
        settings = home / "settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True)
        (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme}))
        quiet = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
        (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
        if not labextension:
            config = home / "config" / "labconfig"
            config.mkdir(parents=True)
            (config / "page_config.json").write_text(json.dumps({"disabledExtensions": {"reflex-ipython": True}}))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self._log = (home / "log").open("w")
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", app, "--no-browser", "--allow-root"),
                *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1"),
                *("--IdentityProvider.token=", f"--ServerApp.root_dir={self.root}"),
                *("--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True"),
            ],
            env={
                **os.environ,
                **environment,
                "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
                "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
                "JUPYTER_CONFIG_DIR": str(home / "config"),
                "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
                "JUPYTER_DATA_DIR": str(home / "data"),
            },
            cwd=home,
            stdout=self._log,
            stderr=self._log,
        )
        self._await(home)

    def _await(self, home: Path) -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/api", timeout=1).close()
                return
            except OSError:
                time.sleep(0.2)
        self.close()
        pytest.fail(f"the server did not start:\n{(home / 'log').read_text()}")

    def close(self) -> None:
        """End the server, and its kernels with it."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, or another one that is installed."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    assert path is not None, "the browser tests need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield browser
        browser.close()


KINDS: dict[str, dict[str, object]] = {
    "lab": {"app": "jupyterlab"},
    "lab-dark": {"app": "jupyterlab", "theme": "JupyterLab Dark"},
    "lab-without": {"app": "jupyterlab", "labextension": False},
    "notebook": {"app": "notebook"},
}


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory, common_environment: None) -> Iterator[Callable[[str], Server]]:
    """Gives the server of a kind, started at its first use."""
    started: dict[str, Server] = {}

    def get(kind: str) -> Server:
        if kind not in started:
            started[kind] = Server(tmp_path_factory.mktemp(kind) / "home", **KINDS[kind])  # type: ignore[arg-type]  # as listed
        return started[kind]

    yield get
    for server in started.values():
        server.close()


OpenNotebook = Callable[..., NotebookPage]


@pytest.fixture
def open_notebook(
    servers: Callable[[str], Server], chromium: Browser, request: pytest.FixtureRequest
) -> Iterator[OpenNotebook]:
    """Opens a notebook in a page of its own: sources or a file, a kind of server, a width in pixels."""
    pages: list[Page] = []

    def open_it(cells: list[str] | Path, kind: str = "lab", width: int = 1200, name: str | None = None) -> NotebookPage:
        server = servers(kind)
        context = chromium.new_context(viewport={"width": width, "height": 900})
        page = context.new_page()
        pages.append(page)
        notebook = NotebookPage(page, server, SHOTS)
        notebook.open(cells, name or f"{request.node.name.replace('/', '-')[:60]}-{len(pages)}.ipynb")
        return notebook

    yield open_it
    for page in pages:
        page.context.close()
