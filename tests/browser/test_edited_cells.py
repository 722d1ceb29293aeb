"""A fix of an earlier cell that is no definition: the cells that run again are shown, and run in their own places."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import START, NotebookPage

PROVIDER = """\
from reflex_ipython.models import Edit, Fix, new_id

class Earlier:
    name, where, cost, label = "earlier", "instant", "", ""

    def propose(self, failure, request):
        cell = next(cell for cell in failure.situation.earlier if cell.source == "rows = rows.sort()")
        edit = Edit(cell.cell, cell.source, "rows = sorted(rows)")
        yield Fix(new_id(), (edit,), "`sort` gives nothing, so `rows` is None.", "earlier")

plugins = get_ipython().reflex_extension.assembly.session.plugins
plugins.loaded = ([Earlier()], [])"""
CELLS = [
    f"{START}\n{PROVIDER}",
    "rows = [3, 1, 2]",
    "rows = rows.sort()",
    "other = 5",
    "print(rows[0] + other)",
    "%reflex undo",
]
RIGHT = "rows = sorted(rows)"


@pytest.fixture
def failed(open_notebook: OpenNotebook) -> NotebookPage:
    notebook = open_notebook(CELLS)
    for number in range(4):
        notebook.run(number)
    notebook.fail(4)
    return notebook


def test_what_runs_again_is_shown_in_order_beside_the_change(failed: NotebookPage) -> None:
    panel = failed.panel(4)
    expect(panel.locator(".rx-run-first .rx-label")).to_have_text(
        ["In [2] gives anew what the new text starts from", "In [3] with its new text"]
    )
    expect(panel.locator(".rx-run-first .rx-excerpt")).to_have_text([CELLS[1], RIGHT])
    expect(panel.locator(".rx-pane")).to_have_count(1)
    expect(failed.button(4, "Run 2 cells & this one")).to_be_enabled()
    failed.shot("edited-cells")


def test_accepting_rewrites_the_cell_runs_them_in_their_places_and_undoing_gives_the_text_back(
    failed: NotebookPage,
) -> None:
    count = failed.executions()
    failed.button(4, "Run 2 cells & this one").click()
    failed.until_printed(4, "6\n")
    assert failed.source(2) == RIGHT
    assert failed.executions() == count + 3
    failed.shot("edited-cells-accepted")
    failed.run(5)
    failed.until_source(2, CELLS[2])


def test_the_cell_that_has_changed_since_is_named_and_nothing_runs(failed: NotebookPage) -> None:
    failed.rewrite(2, "rows = [1]")
    expect(failed.panel(4).locator(".rx-notices")).to_contain_text("has changed since this fix was made")
    expect(failed.button(4, "Run 2 cells & this one")).to_be_disabled()


def test_the_first_that_fails_ends_it(open_notebook: OpenNotebook) -> None:
    cells = [CELLS[0], "if total == 2:\n    raise OSError\nrows = [3, 1]", *CELLS[2:]]
    notebook = open_notebook(cells)
    notebook.run(0)
    notebook.value("globals().update(total=1)")
    for number in (1, 2, 3):
        notebook.run(number)
    notebook.fail(4)
    notebook.value("globals().update(total=2)")
    count = notebook.executions()
    notebook.button(4, "Run 2 cells & this one").click()
    expect(notebook.panel(4).locator(".rx-notices")).to_contain_text(
        "The cells were rewritten, but one of those that run first failed, so the rest was not run."
    )
    assert notebook.executions() == count + 1
    notebook.shot("edited-cells-first-failed")
