"""A notebook in the browser, driven as a person does: keys and clicks. The document is read from its model."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from playwright.sync_api import Locator, Page, expect

from reflex_ipython.testing import ScriptedServer

if TYPE_CHECKING:
    from tests.browser.conftest import Server

PATIENCE = 120_000
"""Milliseconds: for a busy machine, not a figure of merit."""

READY = """name => {
  const widget = window.jupyterapp?.shell.currentWidget;
  const kernel = widget?.context?.path === name && widget.sessionContext?.session?.kernel;
  return kernel && kernel.connectionStatus === 'connected' && kernel.status === 'idle';
}"""
CELL = "window.jupyterapp.shell.currentWidget.content.widgets[index].model"


SETTLED = """
  const panels = cell.outputs.toJSON().map(o => o.data?.['application/vnd.reflex-ipython.repair+json']).filter(Boolean);
  const outputs = [...document.querySelectorAll('.jp-OutputArea-output')];
  const drawing = outputs.some(output => output.textContent === 'Loading widget...');
  return panels.length > 0 && panels.every(panel => panel.working === '') && !drawing;"""
POLLING = 30
"""Milliseconds. Playwright's own way, at each frame, has Chromium draw sixty a second for as long as a kernel works."""
NOT_YET = re.compile("picture|searching")
"""A panel's phases while the kernel has not vouched for it, so that nobody is said to be at work, and then looks."""
OPEN = """name => {
  window.jupyterapp.commands.execute('docmanager:open', { path: name });
}"""
"""Not waited for: nobody but the waiting holds on to what JupyterLab gives, and Chromium collects that now and then."""
LEAVE = """async () => {
  const app = window.jupyterapp;
  await app?.serviceManager.sessions.shutdownAll();
  for (const widget of [...(app?.shell.widgets('main') ?? [])]) widget.dispose();
}"""
SAVE = """() => {
  const { context } = window.jupyterapp.shell.currentWidget;
  const told = (_, state) => {
    window.saved = state === 'completed';
    if (state !== 'started') context.saveState.disconnect(told);
  };
  window.saved = false;
  context.saveState.connect(told);
  void context.save();
}"""
"""Told by its signal: that nothing is unsaved may be true for a moment only, until a panel says what ran since."""
VALUE = """async expression => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const asked = { code: '', silent: true, store_history: false, user_expressions: { value: expression } };
  const { value } = (await kernel.requestExecute(asked).done).content.user_expressions;
  return value.status === 'ok' ? value.data['text/plain'] : `${value.ename}: ${value.evalue}`;
}"""
NOT_OURS = ("Cannot read properties of undefined (reading 'schema')",)
"""What Notebook 7.6 raises while it loads, with our labextension switched off as well."""


START = "%load_ext reflex_ipython\n%config Reflex.search_time = 60.0\ntotal = 1"
"""On a busy machine a search takes longer than anybody would wait for."""
LONG_TRIALS = """\
import os, time
%config Reflex.trial_timeout = 600.0
kernel = os.getpid()"""
"""On a busy machine it takes longer than usual to look at one."""
MISSPELT = "before = 1\nprint(toatl)"
FIXED = "before = 1\nprint(total)"
"""Most tests begin with these: what fails, and what it becomes."""


def asking(server: ScriptedServer) -> str:
    """The first cell, which also chooses the scripted model."""
    chosen = f"%config Reflex.base_url = {server.base_url!r}\n%config Reflex.model = 'scripted'"
    return f"{START}\n{chosen}\n%config Reflex.timeout = 600.0"  # what is silent is so until it was looked at


class NotebookPage:
    """One notebook in one tab."""

    def __init__(self, page: Page, server: Server, shots: Path) -> None:
        self.page = page
        self.server = server
        self._shots = shots
        self.problems: list[str] = []
        page.on("pageerror", self._note)
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)

    def open(self, cells: list[str] | Path | None, name: str) -> None:
        """Put the notebook onto the server and load its page; without cells, the one that is there."""
        self.name = self._put(cells, name)
        lab = self.server.app == "jupyterlab"
        self.page.goto(f"{self.server.url}/{'lab/tree' if lab else 'notebooks'}/{self.name}{'?reset' if lab else ''}")
        self.ready()

    def open_here(self, cells: list[str] | Path | None, name: str) -> None:
        """The same in a JupyterLab that is loaded already."""
        self.name = self._put(cells, name)
        self.page.evaluate(OPEN, self.name)
        self.ready()

    def save(self) -> None:
        """Save, and wait for its end."""
        self.page.evaluate(SAVE)
        self.until("() => window.saved")

    def other_tab(self) -> NotebookPage:
        """The same notebook, as it was saved, in another tab of the same window."""
        tab = NotebookPage(self.page.context.new_page(), self.server, self._shots)
        tab.problems = self.problems
        tab.open(None, self.name)
        return tab

    def leave(self) -> None:
        """End the kernels and close what is open, without saving."""
        self.page.remove_listener("pageerror", self._note)
        self.page.evaluate(LEAVE)

    def _put(self, cells: list[str] | Path | None, name: str) -> str:
        target = self.server.root / re.sub(r"[^\w.-]", "-", name)
        if isinstance(cells, Path):
            shutil.copy(cells, target)
        elif cells is not None:
            nbformat.write(notebook(cells), target)
        return target.name

    def _note(self, error: Any) -> None:
        if str(error) not in NOT_OURS or "reflex" in (error.stack or ""):
            self.problems.append(f"{error}\n{error.stack}")

    def ready(self) -> None:
        """Wait until the kernel is connected and idle."""
        self.until(READY, arg=self.name)

    def until(self, holds: str, arg: Any = None) -> None:
        """Wait until a function of JavaScript gives something true."""
        self.page.wait_for_function(holds, arg=arg, polling=POLLING)

    def cell(self, index: int) -> Locator:
        """The cell's element."""
        shown = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook"
        return self.page.locator(f'{shown} .jp-Cell[data-windowed-list-index="{index}"]')

    def panel(self, index: int) -> Locator:
        """The cell's panel."""
        return self.cell(index).locator(".rx-panel")

    def select(self, index: int) -> None:
        """Select the cell, in command mode."""
        self.page.evaluate(
            """index => {
              const notebook = window.jupyterapp.shell.currentWidget.content;
              notebook.activeCellIndex = index; notebook.mode = 'command'; notebook.activate();
              return notebook.scrollToItem(index);
            }""",
            index,
        )

    def run(self, index: int, wait: bool = True) -> None:
        """Run the cell by Ctrl-Enter; wait for its end."""
        self.select(index)
        self.forget_run(index)
        self.page.keyboard.press("Control+Enter")
        if wait:
            self.until_run(index)

    def forget_run(self, index: int) -> None:
        """Empty the brackets before the cell, so that they show when it has run: a restarted kernel counts anew."""
        self.page.evaluate(f"index => {{ {CELL}.executionCount = null; }}", index)

    def until_run(self, index: int) -> None:
        """Wait until the cell has run since and all is quiet."""
        self.until(f"index => {CELL}.executionCount !== null && {CELL}.executionState !== 'running'", arg=index)

    def source(self, index: int) -> str:
        """The cell's text."""
        return self.page.evaluate(f"index => {CELL}.sharedModel.getSource()", index)

    def until_source(self, index: int, source: str) -> None:
        """Wait until the cell has that text."""
        self.until(f"([index, source]) => {CELL}.sharedModel.getSource() === source", arg=[index, source])

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """The cell's outputs as they would be saved."""
        return self.page.evaluate(f"index => {CELL}.outputs.toJSON()", index)

    def text(self, index: int) -> str:
        """What the cell has printed."""
        return "".join(output.get("text", "") for output in self.outputs(index) if output["output_type"] == "stream")

    def until_printed(self, index: int, text: str) -> None:
        """Wait until the cell has printed that."""
        self.until(
            f"([index, text]) => {CELL}.outputs.toJSON().some(o => String(o.text ?? '').includes(text))",
            arg=[index, text],
        )

    def cells(self) -> int:
        """How many cells there are."""
        return self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length")

    def accept(self, index: int) -> None:
        """Click on Accept & run and wait for the run."""
        self.forget_run(index)
        self.panel(index).get_by_role("button", name="Accept & run").click()
        self.until_run(index)

    def accept_without_running(self, index: int) -> None:
        """Choose this in the menu beside Accept & run."""
        self.button(index, "Other ways to accept").click()
        self.button(index, "Accept without running").click()

    def fail(self, index: int) -> Locator:
        """Run a cell that fails; gives its panel, when nobody is at work on it any more."""
        self.run(index)
        self.until(f"index => {{ const cell = {CELL}; {SETTLED} }}", arg=index)
        expect(self.panel(index)).to_be_visible()
        expect(self.panel(index)).not_to_have_attribute("data-phase", NOT_YET)
        expect(self.panel(index).locator(".rx-progress")).to_be_hidden()
        self.cell(index).evaluate("cell => cell.scrollIntoView({ block: 'end' })")
        return self.panel(index)

    def button(self, index: int, name: str) -> Locator:
        """A button of the cell's panel."""
        return self.panel(index).get_by_role("button", name=name, exact=True)

    def rewrite(self, index: int, source: str) -> None:
        """Change the cell's text, as typing does."""
        self.page.evaluate(f"([index, source]) => {CELL}.sharedModel.setSource(source)", [index, source])

    def resize(self, width: int, height: int) -> None:
        """Make the window so large, and hide the file browser where there is hardly room for it."""
        self.page.set_viewport_size({"width": width, "height": height})
        if self.server.app == "jupyterlab":
            side = "collapseLeft" if width <= 600 else "expandLeft"
            self.page.evaluate(f"() => window.jupyterapp.shell.{side}()")

    def command(self, name: str) -> None:
        """Run one of the application's commands, as its menu entry does; its end is not waited for."""
        self.page.evaluate("name => { void window.jupyterapp.commands.execute(name); }", name)

    def height(self, locator: Locator) -> float:
        """Of what is seen, in CSS pixels; a widget's panel may just be drawn anew, and has none for a moment then."""
        end = time.monotonic() + PATIENCE / 1e3
        while (box := locator.bounding_box()) is None:
            assert time.monotonic() < end
        return box["height"]

    def value(self, expression: str) -> str:
        """The `repr` of an expression in the kernel, once that is free."""
        return self.page.evaluate(VALUE, expression)

    def until_value(self, expression: str, value: str) -> None:
        """Wait until that is the `repr` of an expression: clicks come to the kernel on another thread than cells."""
        end = time.monotonic() + PATIENCE / 1e3
        while (found := self.value(expression)) != value:
            assert time.monotonic() < end, found

    def client(self) -> str:
        """The id of the page's connection to the notebook's kernel."""
        return self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.clientId")

    def executions(self) -> int:
        """How many cells the kernel has run so far."""
        return int(self.value("get_ipython().execution_count")) - 1

    def shot(self, name: str, index: int | None = None) -> None:
        """Save a screenshot of the page, or of one cell."""
        self._shots.mkdir(parents=True, exist_ok=True)
        self.page.mouse.move(0, 0)
        target = self.page if index is None else self.cell(index)
        target.screenshot(path=str(self._shots / f"{name}.png"))


def notebook(sources: list[str]) -> nbformat.NotebookNode:
    """A notebook with these code cells; their ids are `cell-0`, `cell-1`, …"""
    cells = [nbformat.v4.new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(sources)]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
