"""What a panel without a fix offers: names to put in, and cells to go to. By mouse, and by the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenNotebook
from tests.browser.looks import looks
from tests.browser.notebook import START, NotebookPage
from tests.browser.test_looks import misfits

PRIMARY = re.compile("rx-primary")
LONG = "a column with a very long name that does not fit into a small button of a narrow panel"
SETUP = f"""{START}
%config Reflex.history = False
import collections
class Row(collections.UserDict): pass
row = Row(region='north', sales=3, **{{{LONG!r}: 1, '<b>bold</b>': 2}})"""
"""What one test accepts would be proposed again in the next."""
ASKS = "print('before')\nrow['pulse'].upper()"
SETS = "first = 1\nbananas = 1 / 0"
READS = "bananas + 1"

ACTIVE = """() => {
  const { content } = window.jupyterapp.shell.currentWidget;
  return [content.activeCellIndex, content.mode, content.activeCell.editor.getCursorPosition().line];
}"""


def focused(panel: Locator) -> bool:
    return bool(panel.evaluate("panel => panel.contains(document.activeElement)"))


def unnamed(panel: Locator) -> list[str]:
    """Buttons and fields that a screen reader could not name, or that the Tab key does not reach."""
    return panel.evaluate(
        """panel => [...panel.querySelectorAll('button, input, select')].filter(each => each.checkVisibility())
          .filter(each => each.tabIndex < 0 || !(each.ariaLabel || each.textContent || each.labels?.length))
          .map(each => each.outerHTML)"""
    )


@pytest.fixture
def failed(open_notebook: OpenNotebook, request: pytest.FixtureRequest) -> tuple[NotebookPage, Locator]:
    """A notebook whose second cell has failed."""
    notebook = open_notebook([SETUP, ASKS, SETS, READS])
    notebook.run(0)
    return notebook, notebook.fail(1)


def test_a_click_on_a_name_tries_it_and_only_accept_runs_it(failed: tuple[NotebookPage, Locator]) -> None:
    notebook, panel = failed
    notebook.button(1, "Use region instead").click()
    expect(panel.locator(".rx-verdict")).to_contain_text("ran in a copy of your kernel")
    expect(panel.locator(".rx-origin")).to_have_text("you: chosen name")
    expect(panel.locator(".rx-chip")).to_have_count(0)
    expect(notebook.button(1, "Accept & run")).to_have_class(PRIMARY)
    expect(notebook.button(1, "Choose a model…")).to_be_visible()
    assert focused(panel)
    assert notebook.source(1) == ASKS
    notebook.shot("next-steps-chosen", 1)
    notebook.accept(1)
    assert notebook.source(1) == ASKS.replace("pulse", "region")
    assert "NORTH" in str(notebook.outputs(1))


def test_names_are_texts_and_can_be_reached_by_the_keyboard_alone(failed: tuple[NotebookPage, Locator]) -> None:
    notebook, panel = failed
    assert panel.locator(".rx-chip b").count() == 0
    expect(panel.locator(".rx-chip", has_text="<b>bold</b>")).to_be_visible()
    panel.focus()
    for _ in range(8):
        notebook.page.keyboard.press("Tab")
        if panel.evaluate("() => document.activeElement.textContent") == "sales":
            break
    notebook.page.keyboard.press("Enter")  # a number has no `upper`: it is tried, and fails otherwise
    expect(panel.locator(".rx-verdict")).to_contain_text("AttributeError")
    assert focused(panel)
    expect(panel.locator(".rx-chip", has_text="region")).to_be_visible()
    expect(panel.locator(".rx-chip", has_text="sales")).to_have_count(0)
    expect(panel.locator(".rx-step", has_text="Edit this cell")).to_have_count(0)  # beside Edit, of the fix
    expect(notebook.button(1, "Accept & run")).not_to_have_class(PRIMARY)
    notebook.shot("next-steps-second-try", 1)


def test_the_panel_takes_the_user_to_the_cell_that_should_have_set_the_name(
    failed: tuple[NotebookPage, Locator],
) -> None:
    notebook, _ = failed
    notebook.run(2)
    panel = notebook.fail(3)
    notebook.shot("next-steps-setter", 3)
    panel.locator(".rx-step", has_text="Go to In [").click()
    notebook.page.wait_for_function(f"() => ({ACTIVE})().join() === '2,command,1'")
    assert notebook.executions() == 4
    panel.locator(".rx-step", has_text="Edit this cell").click()
    notebook.page.wait_for_function(f"() => ({ACTIVE})().join() === '3,edit,0'")
    notebook.page.keyboard.type("# ")
    notebook.until_source(3, f"# {READS}")


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_all_of_it_is_in_the_panel_legible_and_named(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([SETUP, ASKS, SETS, READS], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel.locator(".rx-chip")).to_have_count(4)
    assert (panel.locator(".rx-step").count() == 0) == (kind == "lab-without")  # the widget knows no cells
    assert unnamed(panel) == []
    for look in looks(notebook, (1440, 600), 1000):
        assert misfits(panel) == [], look
        notebook.shot(f"next-steps-{kind}-{look}", 1)
