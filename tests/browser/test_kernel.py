"""The panel and its kernel: busy, restarted, shared by two tabs, and gone with a reloaded or reopened page."""

from __future__ import annotations

import re

import nbformat
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START

WAIT = "import pathlib, time\nwhile not pathlib.Path({0!r}).exists(): time.sleep(0.01)\nprint('waited')"


def test_accepting_while_the_kernel_is_busy_queues_the_run(open_notebook: OpenNotebook) -> None:
    go = "go-busy"
    notebook = open_notebook([START, MISSPELT, WAIT.format(go)])
    notebook.run(0)
    notebook.fail(1)
    notebook.run(2, wait=False)
    notebook.page.wait_for_function("() => document.querySelector('.jp-Notebook-ExecutionIndicator[data-status=busy]')")
    notebook.button(1, "Accept & run").click()
    notebook.page.wait_for_function(
        "old => window.jupyterapp.shell.currentWidget.content.widgets[1].model.sharedModel.getSource() !== old",
        arg=MISSPELT,
    )
    assert notebook.source(1) == FIXED
    assert notebook.text(1) == ""
    notebook.shot("accepted-while-busy")
    (notebook.server.root / go).touch()
    notebook.until_printed(1, "1")
    notebook.until_printed(2, "waited")
    assert notebook.executions() == 4


def test_the_same_notebook_in_two_tabs_runs_an_accepted_cell_once(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT], alone=True)
    notebook.run(0)
    notebook.fail(1)
    notebook.save()
    other = notebook.other_tab()
    expect(other.button(1, "Accept & run")).to_be_enabled()
    notebook.accept(1)
    expect(other.panel(1).locator(".rx-verdict")).to_contain_text("in another tab")
    expect(other.button(1, "Accept & run")).to_be_hidden()
    other.select(1)
    other.page.keyboard.press("Alt+Shift+A")
    expect(other.panel(1).locator(".rx-verdict")).to_have_text(
        re.compile("^✓Resumed at line 2 · state restored · decided in another tab")
    )
    assert notebook.text(1) == "1\n"
    assert notebook.executions() == 3
    other.shot("accepted-in-another-tab")


def test_after_a_reload_the_panel_is_there_and_accepts(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT], alone=True)
    notebook.run(0)
    notebook.fail(1)
    notebook.save()
    notebook.page.reload()
    notebook.ready()
    expect(notebook.button(1, "Accept & run")).to_be_enabled()
    notebook.accept(1)
    assert notebook.source(1) == FIXED
    notebook.until_printed(1, "1")


def test_after_a_restart_the_panel_is_a_picture_until_the_kernel_knows_the_repair_again(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(panel.locator(".rx-notices")).to_contain_text("Reflex is not loaded in this kernel")
    expect(panel.locator(".rx-verdict")).to_have_text("·not tried in this kernel")
    expect(notebook.button(1, "Accept & run")).to_be_hidden()
    notebook.shot("restarted")
    notebook.ready()
    notebook.run(0)
    expect(panel.locator(".rx-verdict")).to_have_text("·not tried: it was proposed before Reflex was loaded here")
    notebook.accept(1)
    assert notebook.source(1) == FIXED
    assert notebook.text(1) == "1\n"


def test_a_saved_notebook_shows_the_panel_when_it_is_opened_again(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.save()
    saved = nbformat.read(notebook.server.root / notebook.name, as_version=4)
    notebook.leave()
    notebook.open_here(None, notebook.name)
    panel = notebook.panel(1)
    expect(panel.locator(".rx-notices")).to_contain_text("Reflex is not loaded in this kernel")
    expect(notebook.button(1, "Accept & run")).to_be_hidden()
    notebook.shot("reopened")
    bundle = saved.cells[1].outputs[-1].data
    assert "is not defined" in bundle["text/html"]
    assert "is not defined" in bundle["text/plain"]
    notebook.run(0)
    notebook.accept(1)
    assert notebook.source(1) == FIXED
    assert notebook.text(1) == "1\n"
