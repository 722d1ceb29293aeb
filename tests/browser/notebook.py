"""A notebook in the browser, driven as a person does: keys and clicks. The document is read from its model."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from tests.browser.conftest import Server

PATIENCE = 60_000
"""Milliseconds: for a busy machine, not a figure of merit."""

READY = """() => {
  const widget = window.jupyterapp?.shell.currentWidget;
  const kernel = widget?.sessionContext?.session?.kernel;
  return kernel && kernel.connectionStatus === 'connected' && kernel.status === 'idle';
}"""
CELL = "window.jupyterapp.shell.currentWidget.content.widgets[index].model"


class NotebookPage:
    """One notebook in one tab."""

    def __init__(self, page: Page, server: Server, shots: Path) -> None:
        self.page = page
        self.server = server
        self._shots = shots
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)

    def open(self, cells: list[str] | Path | None, name: str) -> None:
        """Put the notebook onto the server and open it; without cells, the one that is there."""
        target = self.server.root / re.sub(r"[^\w.-]", "-", name)
        if isinstance(cells, Path):
            shutil.copy(cells, target)
        elif cells is not None:
            nbformat.write(notebook(cells), target)
        self.name = target.name
        lab = self.server.app == "jupyterlab"
        self.page.goto(f"{self.server.url}/{'lab/tree' if lab else 'notebooks'}/{target.name}{'?reset' if lab else ''}")
        self.ready()

    def ready(self) -> None:
        """Wait until the kernel is connected and idle."""
        self.page.wait_for_function(READY)

    def cell(self, index: int) -> Locator:
        """The cell's element."""
        return self.page.locator(f'.jp-Notebook .jp-Cell[data-windowed-list-index="{index}"]')

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
        runs = self.runs(index)
        self.page.keyboard.press("Control+Enter")
        if wait:
            self.until_run(index, runs)

    def runs(self, index: int) -> int:
        """The cell's execution count, 0 before its first run."""
        return self.page.evaluate(f"index => {CELL}.executionCount ?? 0", index)

    def until_run(self, index: int, runs: int) -> None:
        """Wait until the cell has run again and all is quiet."""
        self.page.wait_for_function(
            f"([index, runs]) => ({CELL}.executionCount ?? 0) > runs && {CELL}.executionState !== 'running'",
            arg=[index, runs],
        )

    def source(self, index: int) -> str:
        """The cell's text."""
        return self.page.evaluate(f"index => {CELL}.sharedModel.getSource()", index)

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """The cell's outputs as they would be saved."""
        return self.page.evaluate(f"index => {CELL}.outputs.toJSON()", index)

    def text(self, index: int) -> str:
        """What the cell has printed."""
        return "".join(output.get("text", "") for output in self.outputs(index) if output["output_type"] == "stream")

    def cells(self) -> int:
        """How many cells there are."""
        return self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length")

    def accept(self, index: int) -> None:
        """Click on Accept & run and wait for the run."""
        runs = self.runs(index)
        self.panel(index).get_by_role("button", name="Accept & run").click()
        self.until_run(index, runs)

    def shot(self, name: str, index: int | None = None) -> None:
        """Save a screenshot of the page, or of one cell."""
        self._shots.mkdir(exist_ok=True)
        target = self.page if index is None else self.cell(index)
        target.screenshot(path=str(self._shots / f"{name}.png"))


def notebook(sources: list[str]) -> nbformat.NotebookNode:
    """A notebook with these code cells; their ids are `cell-0`, `cell-1`, …"""
    cells = [nbformat.v4.new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(sources)]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
