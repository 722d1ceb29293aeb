"""A fix of two cells: the mistake is in an earlier one, and the cell that failed may stay as it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import START, NotebookPage
from tests.browser.timers import TYPED, held

PROVIDER = """\
from reflex_ipython.models import Edit, Fix, new_id

class Earlier:
    name, where, cost, label = "earlier", "instant", "", ""

    def propose(self, failure, request):
        wrong = "def double(number):\\n    return nubmer * 2"
        cell = next(frame.cell for frame in failure.error.frames if frame.function == "double")
        here = failure.situation
        edits = (
            Edit(cell, wrong, wrong.replace("nubmer", "number")),
            Edit(here.place, here.source, here.source.replace("print('first')\\n", "")),
        )
        yield Fix(new_id(), edits, "`double` misspells its parameter `number`.", "earlier")

plugins = get_ipython().reflex_extension.assembly.session.plugins
plugins.loaded = ([Earlier()], [])"""
WRONG = "def double(number):\n    return nubmer * 2"
RIGHT = "def double(number):\n    return number * 2"
CALL = "print(double(total))"


@pytest.fixture
def opened(open_notebook: OpenNotebook) -> OpenNotebook:
    """Opens a notebook whose third cell fails because of the second."""

    def open_it(failing: str, kind: str = "lab") -> NotebookPage:
        notebook = open_notebook([f"{START}\n{PROVIDER}", WRONG, failing], kind)
        notebook.run(0)
        notebook.run(1)
        notebook.fail(2)
        return notebook

    return open_it


def test_the_earlier_cells_change_is_shown_and_the_failed_one_is_said_to_stay(opened: OpenNotebook) -> None:
    notebook = opened(CALL)
    panel = notebook.panel(2)
    expect(panel.locator(".rx-label")).to_have_text(["In [2], an earlier cell", "This cell stays as it is."])
    expect(panel.locator(".rx-pane")).to_have_count(1)
    expect(panel.locator(".rx-pane")).to_contain_text("nubmer")
    notebook.shot("two-cells-one-stays")


def test_accepting_rewrites_both_cells_and_runs_the_failed_one_alone(opened: OpenNotebook) -> None:
    notebook = opened(f"print('first')\n{CALL}")
    expect(notebook.panel(2).locator(".rx-pane")).to_have_count(2)
    notebook.shot("two-cells")
    count = notebook.executions()
    notebook.accept(2)
    assert (notebook.source(1), notebook.source(2)) == (RIGHT, CALL)
    assert notebook.executions() == count + 1
    assert notebook.outputs(1) == []


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_the_earlier_cells_change_can_be_edited_and_is_what_runs(opened: OpenNotebook, kind: str) -> None:
    notebook = opened(CALL, kind)
    with held(notebook.page, TYPED):
        notebook.button(2, "Edit").click()
        notebook.page.keyboard.press("Control+End")
        notebook.page.keyboard.type(" + 40")
        expect(notebook.panel(2).locator(".rx-verdict")).to_contain_text("not tried: you have changed this fix")
        notebook.shot(f"two-cells-edited-{kind}")
        notebook.button(2, "Accept & run").click()
        notebook.until_printed(2, "42\n")
    if kind == "lab":
        assert (notebook.source(1), notebook.source(2)) == (f"{RIGHT} + 40", CALL)


def test_both_changes_are_edited_at_once(opened: OpenNotebook) -> None:
    notebook = opened(f"print('first')\n{CALL}")
    notebook.button(2, "Edit").click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type(" # mine")
    notebook.panel(2).locator(".rx-pane .cm-content").first.click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type(" # too")
    notebook.accept_without_running(2)
    expect(notebook.panel(2)).to_have_attribute("data-phase", "accepted")
    assert (notebook.source(1), notebook.source(2)) == (f"{RIGHT} # too", f"{CALL} # mine")


def test_an_earlier_cell_that_has_changed_since_is_named_and_nothing_is_rewritten(opened: OpenNotebook) -> None:
    notebook = opened(CALL)
    notebook.rewrite(1, "something = 'else'")
    panel = notebook.panel(2)
    expect(panel.locator(".rx-notices")).to_contain_text("In [2], an earlier cell has changed since this fix was made.")
    expect(notebook.button(2, "Accept & run")).to_be_disabled()
    notebook.shot("two-cells-changed-meanwhile")
    notebook.button(2, "Copy fixed source").click()
    expect(notebook.button(2, "Copied")).to_be_visible()
    assert notebook.page.evaluate("() => navigator.clipboard.readText()") == RIGHT
    notebook.rewrite(1, WRONG)
    expect(notebook.button(2, "Accept & run")).to_be_enabled()


def test_the_widget_shows_both_changes_and_hands_the_earlier_cells_source_over(opened: OpenNotebook) -> None:
    notebook = opened(CALL, "lab-without")
    panel = notebook.panel(2)
    expect(panel.locator(".rx-label")).to_have_text(["In [2], an earlier cell", "This cell stays as it is."])
    notebook.shot("two-cells-widget")
    notebook.button(2, "Copy fixed source").click()
    expect(notebook.button(2, "Copied")).to_be_visible()
    assert notebook.page.evaluate("() => navigator.clipboard.readText()") == RIGHT
