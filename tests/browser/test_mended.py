"""A failed cell that the user mends by hand goes on where it failed, at a click."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import NotebookPage

START = "%load_ext reflex_ipython\n%config Reflex.undo_share = 1000.0\ncounter, seen, total = 0, [], 3"
WITH_A_FIX = "counter += 1\nseen.append(counter)\nvalue = toatl\nprint('end', value)"
WITHOUT = "counter += 1\nseen.append(counter)\nvalue = open('/nowhere/at/all').read()\nprint('end', value)"
MENDED = "counter += 1\nseen.append(counter)\nvalue = 7\nprint('end', value)"


def failed(open_notebook: OpenNotebook, cell: str) -> NotebookPage:
    notebook = open_notebook([START, cell])
    notebook.run(0)
    notebook.fail(1)
    return notebook


@pytest.mark.parametrize("cell", [WITH_A_FIX, WITHOUT], ids=["with a fix", "without"])
def test_the_panel_offers_to_resume_what_was_mended_by_hand(open_notebook: OpenNotebook, cell: str) -> None:
    notebook = failed(open_notebook, cell)
    resume = notebook.button(1, "Resume at line 3")
    expect(resume).to_be_hidden()
    notebook.rewrite(1, MENDED)
    expect(resume).to_be_visible()
    expect(notebook.panel(1)).to_contain_text("You have changed this cell.")
    notebook.shot(f"mended-{'with' if cell == WITH_A_FIX else 'without'}-fix")
    notebook.forget_run(1)
    resume.click()
    notebook.until_printed(1, "end 7")
    assert notebook.value("(counter, seen, value)") == "(1, [1], 7)", "what had run does not run twice"
    assert notebook.source(1) == MENDED
    expect(notebook.cell(1)).to_contain_text("resumed at line 3, state restored exactly")


def test_where_what_had_run_is_changed_it_is_said_and_not_offered(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook, WITHOUT)
    notebook.rewrite(1, MENDED.replace("counter += 1", "counter += 2"))
    expect(notebook.panel(1)).to_contain_text("so the changed cell runs whole")
    expect(notebook.panel(1).locator(".rx-resume")).to_be_hidden()
    notebook.rewrite(1, WITHOUT)
    expect(notebook.panel(1).locator(".rx-mended")).to_be_hidden()
    notebook.rewrite(1, MENDED)
    notebook.run(1)
    assert notebook.value("(counter, seen)") == "(2, [1, 2])", "running it by the keyboard runs all of it"
