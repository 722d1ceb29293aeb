"""Keys: those that are pressed in the panel stay there, and the shortcuts reach it from the notebook."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START, NotebookPage

START_WITH_MODEL = f"{START}\n%config Reflex.model = 'none-is-asked'"
SINGLE_KEYS = ["d", "d", "x", "a", "b", "m", "y", "z", "Shift+M", "0", "0", "j", "k"]
"""What Lab's command mode deletes, cuts, inserts, converts, undoes, merges, restarts and selects by."""


def sources(notebook: NotebookPage) -> list[str]:
    """The texts of all cells, with their types."""
    return notebook.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.widgets"
        ".map(cell => cell.model.type + ': ' + cell.model.sharedModel.getSource())"
    )


@pytest.mark.parametrize("kind", ["lab", "notebook", "lab-without"])
def test_keys_pressed_in_the_panel_never_reach_the_notebook(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START_WITH_MODEL, MISSPELT, "'the cell after'"], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    before = sources(notebook)
    for name in ["Reject", "Accept & run", "Side by side"]:
        notebook.button(1, name).focus()
        for key in SINGLE_KEYS:
            notebook.page.keyboard.press(key)
        assert sources(notebook) == before
        expect(notebook.button(1, name)).to_be_focused()
    hint = panel.get_by_label("A hint for the model")
    hint.click()
    notebook.page.keyboard.type("add xx, dd, 00")
    notebook.page.keyboard.press("Backspace")
    expect(hint).to_have_value("add xx, dd, 0")
    notebook.button(1, "Edit").click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type(" # dd 00")
    notebook.page.keyboard.press("Enter")
    notebook.page.keyboard.type("x = 1")
    assert sources(notebook) == before
    assert notebook.executions() == 2
    notebook.forget_run(1)
    notebook.page.keyboard.press("Control+Enter")
    expect(panel).to_have_attribute("data-phase", "accepted")
    if kind != "lab-without":
        notebook.until_run(1)
        assert notebook.source(1) == f"{FIXED} # dd 00\nx = 1"
    assert notebook.cells() == 3


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_the_shortcuts_accept_and_reject_the_fix_of_the_selected_cell(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START, MISSPELT, "print(toatl, 'latest')"], kind)
    notebook.run(0)
    notebook.fail(1)
    latest = notebook.fail(2)
    notebook.select(1)
    notebook.forget_run(1)
    notebook.page.keyboard.press("Alt+Shift+A")
    notebook.until_run(1)
    assert notebook.source(1) == FIXED
    assert notebook.source(2) == "print(toatl, 'latest')"
    notebook.select(2)
    notebook.page.keyboard.press("Alt+Shift+R")
    expect(latest.locator(".rx-verdict")).to_contain_text("Rejected.")
    assert notebook.source(2) == "print(toatl, 'latest')"


def test_a_shortcut_works_while_typing_in_the_cell(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.cell(1).locator(".jp-InputArea .cm-content").click()
    notebook.forget_run(1)
    notebook.page.keyboard.press("Alt+Shift+A")
    notebook.until_run(1)
    assert notebook.source(1) == FIXED
