"""`make pictures`: every state of the panel in every theme and three widths, and what the README shows."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from reflex_ipython.testing import ScriptedServer
from tests.browser import animation, picture
from tests.browser.chromium import new_window, started_chromium
from tests.browser.notebook import NotebookPage
from tests.browser.server import Server
from tests.browser.states import DEFINES, NOT_RUN, PREPARED, STATES

SHOTS = Path(__file__).parent / "screenshots" / "states"
KINDS = {
    "light": ("jupyterlab", "JupyterLab Light"),
    "dark": ("jupyterlab", "JupyterLab Dark"),
    "contrast": ("jupyterlab", "JupyterLab Dark High Contrast"),
    "notebook": ("notebook", "JupyterLab Light"),
}
WIDTHS, HEIGHT = (1440, 1024, 600), 1000


def main() -> None:
    """Take the pictures of the states, then those of the README."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", action="store_true", help="leave the README's as they are")
    only_states = parser.parse_args().states
    with started_chromium() as browser:
        for kind in KINDS:
            take(browser, kind)
    print(f"{SHOTS}: {len(list(SHOTS.glob('*.png')))} pictures")
    if not only_states:
        picture.main()
        animation.main()


def take(browser: Browser, kind: str) -> None:
    """Those of one application and theme, against servers that end with it."""
    app, theme = KINDS[kind]
    answers = [answer for state in STATES.values() for answer in state.says]
    with tempfile.TemporaryDirectory() as folder, ScriptedServer(*answers) as model:
        server = Server(Path(folder) / "home", app, theme)
        try:
            take_states(browser, server, model, kind)
        finally:
            server.close()


def take_states(browser: Browser, server: Server, model: ScriptedServer, kind: str) -> None:
    """Bring one cell into each state, and take it in each width; at last all of them after a restart."""
    notebook = NotebookPage(new_window(browser, WIDTHS[0], HEIGHT).new_page(), server, SHOTS)
    asked = next(name for name, state in STATES.items() if state.says)
    chosen = f"%config Reflex.base_url = {model.base_url!r}\n%config Reflex.model = 'scripted'"
    sources = [state.source for state in STATES.values()]
    chosen += "\n%config Reflex.attempts = 1"
    before = [PREPARED, DEFINES, NOT_RUN]
    notebook.open([*before, *sources, chosen], "states.ipynb")
    notebook.run(0)
    notebook.run(1)
    for index, (name, state) in enumerate(STATES.items(), start=len(before)):
        if name == asked:
            notebook.run(len(before) + len(sources))
        if name == "writing":
            notebook.run(index)
            expect(notebook.panel(index).locator(".rx-written")).to_contain_text("nothing_like_it")
        else:
            notebook.fail(index)
        state.bring(notebook, index)
        take_widths(notebook, f"{name.replace(' ', '-')}-{kind}", index)
    notebook.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    for name in ("proven", "choice"):
        index = len(before) + list(STATES).index(name)
        expect(notebook.panel(index).locator(".rx-notices")).to_contain_text("Reflex is not loaded")
        take_widths(notebook, f"restarted-{name}-{kind}", index)
    notebook.leave()


def take_widths(notebook: NotebookPage, name: str, index: int) -> None:
    """Take the cell as it is, in each width."""
    for width in WIDTHS:
        notebook.resize(width, HEIGHT)
        notebook.cell(index).evaluate("cell => cell.scrollIntoView({ block: 'end' })")
        notebook.shot(f"{name}-{width}", index)
    notebook.resize(WIDTHS[0], HEIGHT)


if __name__ == "__main__":
    main()
