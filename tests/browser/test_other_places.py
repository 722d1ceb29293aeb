"""Where a panel may be besides its own cell: in a copy of that, in another notebook of the kernel, in a console."""

from __future__ import annotations

import nbformat
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START
from tests.browser.notebook import notebook as notebook_of

OPEN_BESIDE = """path => {
  const app = window.jupyterapp;
  const kernel = app.shell.currentWidget.sessionContext.session.kernel;
  void app.commands.execute('docmanager:open', { path, kernel: { id: kernel.id } });
}"""
CONSOLE = """async () => {
  const app = window.jupyterapp;
  const { path, kernel } = app.shell.currentWidget.sessionContext.session;
  const preferred = { path, kernelPreference: { id: kernel.id }, activate: true };
  const console = await app.commands.execute('console:create', preferred);
  await console.sessionContext.ready;  // JupyterLab lets go of what is run before
}"""


def test_a_panel_that_was_copied_with_its_cell_is_a_picture_there(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.select(1)
    notebook.command("notebook:copy-cell")
    notebook.command("notebook:paste-cell-below")
    copied = notebook.panel(2)
    expect(copied).to_contain_text("About another cell, of which this one is a copy")
    expect(copied.get_by_role("button", name="Accept & run")).to_have_count(0)
    expect(notebook.button(1, "Accept & run")).to_be_enabled()
    notebook.shot("copied-cell", 2)
    notebook.accept(1)
    assert [notebook.source(index) for index in (1, 2)] == [FIXED, MISSPELT]
    expect(copied).to_contain_text("About another cell, of which this one is a copy")
    notebook.fail(2)
    notebook.accept(2)
    assert notebook.source(2) == FIXED


def test_a_panel_that_a_command_shows_is_alive_there(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, "%reflex fix"])
    notebook.run(0)
    notebook.fail(1)
    notebook.run(2)
    expect(notebook.button(2, "Accept & run")).to_be_enabled()
    notebook.button(2, "Accept & run").click()
    notebook.until_source(1, FIXED)


def test_a_second_notebook_of_a_kernel_keeps_what_is_accepted_in_it(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START])
    notebook.run(0)
    cells = notebook_of([MISSPELT.replace(")", f", {number})") for number in range(3)])
    for number, cell in enumerate(cells.cells):
        cell.id = f"beside-{number}"
    beside = f"beside-{notebook.name}"
    nbformat.write(cells, notebook.server.root / beside)
    notebook.page.evaluate(OPEN_BESIDE, beside)
    notebook.name = beside
    notebook.ready()
    for number in range(3):
        notebook.fail(number)
        notebook.accept(number)
        expect(notebook.panel(number).locator(".rx-verdict")).to_contain_text("state restored")
        assert notebook.source(number) == FIXED.replace(")", f", {number})")


def test_in_a_console_a_panel_says_how_it_is_accepted_there(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START])
    notebook.run(0)
    notebook.page.evaluate(CONSOLE)
    notebook.page.locator(".jp-CodeConsole-input .cm-content").press_sequentially("print(toatl)")
    notebook.page.keyboard.press("Shift+Enter")
    panel = notebook.page.locator(".jp-CodeConsole .rx-panel")
    expect(panel).to_contain_text("Outside of a notebook this can only be read")
    expect(panel).to_contain_text("%reflex accept")
    for untrue in ("earlier session", "not tried"):
        expect(panel).not_to_contain_text(untrue)
    notebook.shot("console")
