"""A real JupyterLab (or Notebook) server, a real Chromium, and screenshots of every state.

JupyterLab is loaded once for each kind of server, and the tests open their notebooks in it one after the other, each
with a new kernel. `alone=True` loads a page for the notebook in a window of its own, as does every one in Notebook 7:
it has nothing of an earlier test's but the files that were loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import HEIGHT, emptied, new_window, started_chromium
from tests.browser.notebook import NotebookPage
from tests.browser.plain_page import SERVED
from tests.browser.server import Server

SHOTS = Path(__file__).parent / "screenshots"
KINDS: dict[str, dict[str, Any]] = {
    "lab": {"app": "jupyterlab"},
    "lab-dark": {"app": "jupyterlab", "theme": "JupyterLab Dark"},
    "lab-contrast": {"app": "jupyterlab", "theme": "JupyterLab Dark High Contrast"},
    "lab-without": {"app": "jupyterlab", "labextension": False},
    "notebook": {"app": "notebook"},
    "notebook-dark": {"app": "notebook", "theme": "JupyterLab Dark"},
    "plain": {"app": "jupyter_server", "static": SERVED},
}
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Let the fixtures know whether the test has failed."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of all tests."""
    with started_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory, common_environment: None) -> Iterator[Callable[[str], Server]]:
    """Gives the server of a kind, started at its first use."""
    started: dict[str, Server] = {}

    def get(kind: str) -> Server:
        if kind not in started:
            started[kind] = Server(tmp_path_factory.mktemp(kind) / "home", **KINDS[kind])
        return started[kind]

    yield get
    for server in started.values():
        server.close()


@pytest.fixture(scope="session")
def loaded_labs(chromium: Browser, servers: Callable[[str], Server]) -> dict[str, Page]:
    """The pages that have loaded JupyterLab, by the kind of their server; all of them close with the browser."""
    return {}


@pytest.fixture(scope="session")
def empty_pages(chromium: Browser, servers: Callable[[str], Server]) -> dict[str, list[Page]]:
    """Pages in windows that were used and emptied, by the kind of the server whose files they have loaded."""
    return {kind: [] for kind in KINDS}


OpenNotebook = Callable[..., NotebookPage]


@pytest.fixture
def open_notebook(
    servers: Callable[[str], Server],
    chromium: Browser,
    loaded_labs: dict[str, Page],
    empty_pages: dict[str, list[Page]],
    request: pytest.FixtureRequest,
) -> Iterator[OpenNotebook]:
    """Opens a notebook: sources or a file, a kind of server, a width in pixels, and whether in a window of its own."""
    opened: list[tuple[NotebookPage, str, bool]] = []

    def open_it(
        cells: list[str] | Path, kind: str = "lab", width: int = 1200, alone: bool = False, name: str | None = None
    ) -> NotebookPage:
        server = servers(kind)
        alone = alone or server.app == "notebook"
        name = name or f"{request.node.name[5:55]}-{len(opened)}.ipynb"
        loaded = None if alone else loaded_labs.pop(kind, None)
        page = loaded or (empty_pages[kind].pop() if empty_pages[kind] else new_window(chromium).new_page())
        page.set_viewport_size({"width": width, "height": HEIGHT})
        notebook = NotebookPage(page, server, SHOTS)
        opened.append((notebook, kind, alone))
        (notebook.open_here if loaded else notebook.open)(cells, name)
        return notebook

    yield open_it
    failed = request.node.stash.get(FAILED, False)
    for notebook, kind, alone in opened:
        if failed:
            notebook.shot(f"FAILED-{request.node.name[5:55]}")
        notebook.leave()
        window = notebook.page.context
        if failed:
            window.close()
        elif alone or kind in loaded_labs:
            empty_pages[kind].append(emptied(window, notebook.server.url))
        else:
            loaded_labs[kind] = notebook.page
    assert not [problem for notebook, _, _ in opened for problem in notebook.problems]
