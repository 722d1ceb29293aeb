"""Taking back the run of the last cell: by the palette's command and by `%reflex back`; what it showed is marked."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import NotebookPage

START = "%load_ext reflex_ipython\nseen = []"
LOOP = "for i in range(3):\n    seen.append(i)\nprint('there are', len(seen))"
MARKED = re.compile("reflex-taken-back")


def refused(notebook: NotebookPage, words: str) -> None:
    """It is said in a dialog, which is closed."""
    expect(notebook.page.locator(".jp-Dialog")).to_contain_text(words)
    notebook.page.keyboard.press("Enter")
    expect(notebook.page.locator(".jp-Dialog")).to_have_count(0)


@pytest.mark.parametrize("kind", ["lab", "lab-dark"])
def test_the_command_takes_the_last_cell_back_says_so_and_marks_what_it_showed(
    open_notebook: OpenNotebook, kind: str
) -> None:
    notebook = open_notebook([START, LOOP], kind)
    notebook.run(0)
    notebook.run(1)
    notebook.command("reflex:back")
    expect(notebook.cell(1)).to_have_class(MARKED)
    marks = notebook.cell(1).locator("[data-taken-back]")
    expect(marks).to_have_attribute("data-taken-back", "In [2] is taken back: state restored exactly.")
    notebook.shot(f"taken-back-{kind}")
    assert notebook.value("seen") == "[]"
    notebook.command("reflex:back")
    refused(notebook, "There is no run to take back")
    notebook.run(1)
    expect(notebook.cell(1)).not_to_have_class(MARKED)
    assert notebook.value("seen") == "[0, 1, 2]"


def test_a_command_in_a_cell_does_the_same(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, LOOP, "%reflex back"])
    notebook.run(0)
    notebook.run(1)
    notebook.run(2)
    notebook.until_printed(2, "In [2] is taken back: state restored exactly.")
    expect(notebook.cell(1)).to_have_class(MARKED)
    assert notebook.value("seen") == "[]"


def test_cells_that_used_what_is_taken_back_are_named_and_run_again_with_it(open_notebook: OpenNotebook) -> None:
    start = "%load_ext reflex_ipython\n%config Reflex.keep_cells = 3"
    notebook = open_notebook([start, "total = 2", "other = 5", "print(total * 10)", "%reflex back 3"])
    for index in range(5):
        notebook.run(index)
    marks = notebook.cell(1).locator("[data-taken-back]")
    expect(marks).to_have_attribute("data-taken-back", re.compile(r"In \[4\] was computed with its total"))
    notebook.shot("taken-back-stale")
    notebook.forget_run(3)
    notebook.cell(1).get_by_role("button", name="Run them again").click()
    notebook.until_run(3)
    expect(notebook.cell(3)).not_to_have_class(MARKED)
    expect(notebook.cell(1).get_by_role("button", name="Run them again")).to_have_count(0)
    expect(notebook.cell(2)).to_have_class(MARKED)
    assert notebook.value("total") == "2"
    notebook.shot("taken-back-run-again")


def test_while_a_cell_runs_nothing_is_taken_back(open_notebook: OpenNotebook) -> None:
    waits = "import threading\ngo = threading.Event()\nprint('waits', flush=True)\n_ = go.wait(600)"
    notebook = open_notebook([START, waits])
    notebook.run(0)
    notebook.run(1, wait=False)
    notebook.until_printed(1, "waits")
    notebook.command("reflex:back")
    refused(notebook, "Not taken back: a cell is running")
    notebook.command("notebook:interrupt-kernel")
    notebook.until_run(1)
    assert notebook.value("seen") == "[]"
