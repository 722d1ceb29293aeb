"""A failed cell that the user mends by hand goes on where it failed, at a click."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import NotebookPage

START = "%load_ext reflex_ipython\n%config Reflex.undo_share = 1000.0\ncounter, seen, total = 0, [], 3"
WITH_A_FIX = "counter += 1\nseen.append(counter)\nvalue = toatl\nprint('end', value)"
WITHOUT = "counter += 1\nseen.append(counter)\nvalue = {}.popitem()\nprint('end', value)"
MENDED = "counter += 1\nseen.append(counter)\nvalue = 7\nprint('end', value)"


def failed(open_notebook: OpenNotebook, cell: str, kind: str = "lab") -> NotebookPage:
    notebook = open_notebook([START, cell], kind)
    notebook.run(0)
    notebook.fail(1)
    return notebook


@pytest.mark.parametrize("kind", ["lab", "lab-dark"])
@pytest.mark.parametrize("cell", [WITH_A_FIX, WITHOUT], ids=["with a fix", "without"])
def test_the_panel_offers_to_resume_what_was_mended_by_hand(open_notebook: OpenNotebook, cell: str, kind: str) -> None:
    notebook = failed(open_notebook, cell, kind)
    resume = notebook.button(1, "Resume at line 3")
    expect(resume).to_be_hidden()
    notebook.rewrite(1, MENDED)
    expect(resume).to_be_visible()
    words = "You have changed this cell. Resuming runs your text from there on; what had run does not run again."
    instead = " To accept the fix above instead, undo your change." if cell == WITH_A_FIX else ""
    expect(notebook.panel(1).locator(".rx-mended-words")).to_have_text(words + instead)
    expect(notebook.panel(1)).not_to_contain_text("has changed since this fix was made")
    primary = notebook.panel(1).locator("button.rx-primary:visible:not(.rx-ask *)")
    expect(primary).to_have_text(["Resume at line 3"])
    notebook.shot(f"mended-{'with' if cell == WITH_A_FIX else 'without'}-fix-{kind}")
    notebook.forget_run(1)
    resume.click()
    notebook.until_printed(1, "end 7")
    assert notebook.value("(counter, seen, value)") == "(1, [1], 7)", "what had run does not run twice"
    assert notebook.source(1) == MENDED
    expect(notebook.cell(1)).to_contain_text("Resumed at line 3 · state restored")


def test_where_what_had_run_is_changed_it_is_said_and_not_offered(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook, WITHOUT)
    notebook.rewrite(1, MENDED.replace("counter += 1", "counter += 2"))
    words = "You have changed this cell. Nothing of what had run can be skipped, so the changed cell runs whole."
    expect(notebook.panel(1).locator(".rx-mended-words")).to_have_text(f"{words} Run it as usual.")
    notebook.shot("mended-runs-whole")
    expect(notebook.panel(1).locator(".rx-resume")).to_be_hidden()
    notebook.rewrite(1, WITHOUT)
    expect(notebook.panel(1).locator(".rx-mended")).to_be_hidden()
    notebook.rewrite(1, MENDED)
    notebook.run(1)
    assert notebook.value("(counter, seen)") == "(2, [1, 2])", "running it by the keyboard runs all of it"


def test_a_widget_which_does_not_see_the_cell_says_how_to_mend_it_and_go_on(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, WITHOUT, "%reflex edit"], "lab-without")
    notebook.run(0)
    panel = notebook.fail(1)
    words = "To mend it by hand, run %reflex edit in a new cell: it puts this cell there, to go on where it failed."
    expect(panel.locator(".rx-by-hand")).to_have_text(words)
    notebook.shot("mended-by-hand-without")
    notebook.run(2)
    notebook.until_source(3, f"%reflex resume\n{WITHOUT}")
    notebook.rewrite(3, f"%reflex resume\n{MENDED}")
    notebook.run(3)
    notebook.until_printed(3, "end 7")
    assert notebook.value("(counter, seen, value)") == "(1, [1], 7)", "what had run does not run twice"
