"""Cells that did not run: the panel lists them, and Accept runs each in its own place, then the failed one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import START, NotebookPage

CELLS = [START, "import math", "orders = [math.floor(1.5), 2, 3]", "other = 0", "print(sum(orders))"]


@pytest.fixture
def failed(open_notebook: OpenNotebook) -> NotebookPage:
    notebook = open_notebook(CELLS)
    notebook.run(0)
    notebook.fail(4)
    return notebook


def test_the_cells_are_listed_and_run_in_their_places(failed: NotebookPage) -> None:
    panel = failed.panel(4)
    expect(panel.locator(".rx-run-first .rx-label b")).to_have_text(["cell 2", "cell 3"])
    expect(panel.locator(".rx-run-first .rx-excerpt")).to_have_text(CELLS[1:3])
    failed.shot("cells-not-run")
    count = failed.executions()
    failed.button(4, "Run 2 cells & this one").click()
    failed.until_printed(4, "6\n")
    assert failed.executions() == count + 3
    assert failed.value("'other' in globals()") == "False"
    failed.shot("cells-not-run-accepted")


def test_a_cell_that_has_changed_since_is_named_and_nothing_runs(failed: NotebookPage) -> None:
    failed.rewrite(2, "orders = 'something else'")
    panel = failed.panel(4)
    expect(panel.locator(".rx-notices")).to_contain_text("Cell 3 has changed since this fix was made.")
    expect(failed.button(4, "Run 2 cells & this one")).to_be_disabled()


def test_one_that_fails_ends_it(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(
        [START, "import sys\nif total == 2:\n    raise OSError\norders = [1]", "print(sum(orders))"]
    )
    notebook.run(0)
    notebook.fail(2)
    notebook.value("globals().update(total=2)")
    notebook.button(2, "Run 1 cell & this one").click()
    expect(notebook.panel(2).locator(".rx-notices")).to_contain_text("one of the cells that run first failed")
    notebook.shot("cells-not-run-first-failed")
    expect(notebook.button(2, "Run 1 cell & this one")).to_be_visible()


@pytest.mark.parametrize("kind", ["lab", "lab-dark"])
def test_a_misspelt_name_is_corrected_and_its_cell_run_and_undoing_says_what_stays(
    open_notebook: OpenNotebook, kind: str
) -> None:
    notebook = open_notebook([*CELLS[:4], "print(sum(ordes))", "%reflex undo"], kind)
    notebook.run(0)
    panel = notebook.fail(4)
    expect(panel).to_contain_text("The name ordes is not defined; the closest is orders.")
    expect(panel.locator(".rx-run-first .rx-label b")).to_have_text(["cell 2", "cell 3"])
    notebook.shot(f"misspelt-not-run-{kind}")
    notebook.button(4, "Run 2 cells & this one").click()
    notebook.until_printed(4, "6\n")
    assert notebook.source(4) == "print(sum(orders))"
    notebook.run(5)
    notebook.until_source(4, "print(sum(ordes))")
    stay = "but cell 2, cell 3, which ran first, stay run: what they did is not undone."
    words = f"state restored exactly, what it has shown stays there, {stay}"
    expect(notebook.cell(5)).to_contain_text(f"the old text is back, {words}")
    notebook.shot(f"misspelt-not-run-undone-{kind}")


def test_where_such_a_cell_fails_in_the_trial_it_is_still_named(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, "import math", "orders = math.nowhere", "print(sum(orders))"])
    notebook.run(0)
    panel = notebook.fail(3)
    expect(panel).to_contain_text("Cell 3 sets orders, but was not run in this session.")
    expect(panel.locator(".rx-verdict")).to_contain_text("raises AttributeError in cell 3, which runs first, instead")
    notebook.shot("cells-not-run-trial-failed")
