"""Cells and widgets in a page that is not JupyterLab: `labextension/page/`, against a real kernel.

It is what the panel has in VS Code, Colab or Voilà: `@jupyter-widgets/html-manager`, anywidget's own module, and the
theme of the page around it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import NOT_YET, PATIENCE
from tests.browser.server import Server
from tests.browser.themes import Theme

SOURCES = Path(__file__).parents[2] / "labextension" / "page"
BUILT = SOURCES / "built"
ANYWIDGET = Path(sys.prefix) / "share" / "jupyter" / "nbextensions"
"""Of it, the module that every front end but JupyterLab loads."""
SERVED = (SOURCES, BUILT, ANYWIDGET)

SHOW_THEME = """([style, ...attributes]) => {
  const sheet = document.querySelector('#theme') ?? document.head.appendChild(document.createElement('style'));
  sheet.id = 'theme';
  sheet.textContent = style;
  [document.documentElement, document.body].forEach((element, index) => {
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
    for (const [name, value] of Object.entries(attributes[index])) element.setAttribute(name, value);
  });
}"""


class PlainPage:
    """Such a page in a window of its own.

    Parameters
    ----------
    page : Page
    server : Server
        That serves `SERVED`.
    shots : Path
        Where screenshots go.
    theme : Theme
        Of the front end that this page stands for.
    """

    def __init__(self, page: Page, server: Server, shots: Path, theme: Theme) -> None:
        assert (BUILT / "page.js").exists(), "the page is not built: make page"
        self.page = page
        self.problems: list[str] = []
        self._server = server
        self._shots = shots
        self._theme = theme
        page.on("pageerror", lambda error: self.problems.append(f"{error}\n{error.stack}"))
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)

    def open(self, cells: Sequence[str]) -> None:
        """Load the page, and start a kernel for these cells."""
        self.page.goto(f"{self._server.url}/static/index.html")
        self.show(self._theme)
        self.page.evaluate("cells => window.notebook.open(cells)", list(cells))

    def show(self, theme: Theme) -> None:
        """Change to this theme; what is open stays as it is."""
        self.page.emulate_media(color_scheme=theme.system)
        self.page.evaluate(SHOW_THEME, [theme.style, dict(theme.html), dict(theme.body)])

    def leave(self) -> None:
        """End the kernel."""
        self.page.evaluate("() => window.notebook.close()")

    def cell(self, index: int) -> Locator:
        """The cell's element."""
        return self.page.locator(".cell").nth(index)

    def source(self, index: int) -> str:
        """The cell's text."""
        return self._field(index).input_value()

    def panel(self, index: int) -> Locator:
        """The cell's panel."""
        return self.cell(index).locator(".rx-panel")

    def button(self, index: int, name: str) -> Locator:
        """A button of the cell's panel."""
        return self.panel(index).get_by_role("button", name=name, exact=True)

    def run(self, index: int, wait: bool = True) -> None:
        """Run the cell by Ctrl-Enter; wait for its end."""
        self._field(index).press("Control+Enter")
        if wait:
            expect(self.cell(index)).to_have_attribute("data-runs", "no")

    def fail(self, index: int) -> Locator:
        """Run a cell that fails; gives its panel, when nobody is at work on it any more."""
        self.run(index)
        panel = self.panel(index)
        expect(panel).to_be_visible()
        expect(panel).not_to_have_attribute("data-phase", NOT_YET)
        expect(panel.locator(".rx-progress")).to_be_hidden()
        return panel

    def printed(self, index: int) -> Locator:
        """What the cell has printed."""
        return self.cell(index).locator(".stdout")

    def value(self, expression: str) -> str:
        """The `repr` of an expression in the kernel, once that is free."""
        return self.page.evaluate("expression => window.notebook.value(expression)", expression)

    def tab_to(self, name: str) -> None:
        """Press Tab until the button of that name has the keyboard."""
        at = ""
        for _ in range(20):
            self.page.keyboard.press("Tab")
            at = self.page.evaluate("() => document.activeElement.textContent")
            if at.startswith(name):
                return
        raise AssertionError(f"Tab does not reach {name!r}: it ended at {at!r}")

    def until_keyboard_in(self, index: int) -> None:
        """Wait until something in the cell's panel has the keyboard: the panel may just be drawn anew."""
        expect(self.cell(index).locator(".rx-panel:focus-within")).to_be_visible()

    def shot(self, name: str) -> None:
        """Save a screenshot of the page."""
        self._shots.mkdir(parents=True, exist_ok=True)
        self.page.mouse.move(0, 0)
        self.page.screenshot(path=str(self._shots / f"{name}.png"), full_page=True)

    def _field(self, index: int) -> Locator:
        return self.cell(index).get_by_label("Source")
