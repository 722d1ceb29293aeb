"""`make pictures`: every state of the panel in two themes and three widths, and what the README shows."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser import animation, picture
from tests.browser.chromium import new_window, started_chromium
from tests.browser.notebook import MISSPELT, START, NotebookPage, asking
from tests.browser.server import Server

SHOTS = Path(__file__).parent / "screenshots" / "states"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
WIDTHS, HEIGHT = (1440, 1024, 600), 1000
ASKED = "nothing_like_it()"
DANGEROUS = "Old files are in the way.\n```python\nimport shutil\nshutil.rmtree('old')\nvalue = total\n```"
CELLS = {
    "proven": MISSPELT,
    "choice": "total = 0\nfor digit in number:\n    total += int(digit)\ntotal",
    "expected": "print(toatl)  # raises a NameError",
    "no fix": "first = 1\nbananas = 1 / 0",
    "repeats something": "open('once.txt', 'a').write('x')\nprint(open('twice.txt', 'a').write('x'), toatl)",
    "edited": MISSPELT,
    "side by side": MISSPELT,
    "accepted": MISSPELT,
    "undone": MISSPELT,
    "rejected": MISSPELT,
    "dangerous": f"value = {ASKED}",
}
"""The states, and cells that come to them."""


def main() -> None:
    """Take the pictures of the states, then those of the README."""
    with started_chromium() as browser:
        for name, theme in THEMES.items():
            with tempfile.TemporaryDirectory() as folder, ScriptedServer(Say([DANGEROUS])) as model:
                server = Server(Path(folder) / "home", "jupyterlab", theme)
                try:
                    take_states(browser, server, model, name)
                finally:
                    server.close()
    print(f"{SHOTS}: {len(list(SHOTS.glob('*.png')))} pictures")
    picture.main()
    animation.main()


def take_states(browser: Browser, server: Server, model: ScriptedServer, theme: str) -> None:
    """Bring one cell into each state, and take it in each width."""
    notebook = NotebookPage(new_window(browser, WIDTHS[0], HEIGHT).new_page(), server, SHOTS)
    chosen = f"{asking(model)}\n%config Reflex.attempts = 1"
    notebook.open([f"{START}\nnumber = 12", *CELLS.values(), chosen], "states.ipynb")
    notebook.run(0)
    for index, state in enumerate(CELLS, start=1):
        bring(notebook, index, state)
        for width in WIDTHS:
            notebook.resize(width, HEIGHT)
            notebook.cell(index).evaluate("cell => cell.scrollIntoView({ block: 'end' })")
            notebook.shot(f"{state.replace(' ', '-')}-{theme}-{width}", index)
        notebook.resize(WIDTHS[0], HEIGHT)
    notebook.leave()


def bring(notebook: NotebookPage, index: int, state: str) -> None:
    """Have the cell fail, and do what leads to that state."""
    if state == "dangerous":
        notebook.run(len(CELLS) + 1)
    panel = notebook.fail(index)
    if state == "edited":
        notebook.button(index, "Edit").click()
        notebook.page.keyboard.press("Control+End")
        notebook.page.keyboard.type("\nafter = 2")
        expect(panel.locator(".rx-verdict")).to_contain_text("ran in a copy")
    elif state == "side by side":
        notebook.button(index, "Side by side").click()
    elif state == "rejected":
        notebook.button(index, "Reject").click()
        expect(panel).to_have_attribute("data-phase", "rejected")
    elif state in ("accepted", "undone"):
        notebook.accept(index)
        expect(panel.locator(".rx-verdict")).to_contain_text("Resumed")
    if state == "undone":
        notebook.button(index, "Undo").click()
        expect(panel).to_have_attribute("data-phase", "ready")


if __name__ == "__main__":
    main()
