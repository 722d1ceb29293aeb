"""What a shortcut does where the fix is not before the user's eyes: it shows it, and the next press decides."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START, NotebookPage

FAR = "\n".join(f"line_{number} = {number}" for number in range(120))
"""Higher than the window."""
SHORTCUT = "Alt+Shift+A"


def failed(open_notebook: OpenNotebook, kind: str = "lab") -> NotebookPage:
    """A notebook with a high cell on each side of the one that has failed, and another failed one at its end."""
    notebook = open_notebook([START, FAR, MISSPELT, FAR, FAR, "print(toatl, 'last')"], kind)
    notebook.run(0)
    notebook.fail(2)
    notebook.fail(5)
    return notebook


def is_shown(notebook: NotebookPage, index: int) -> None:
    """The panel of the cell is on the screen and has the keyboard, its cell is selected, and nothing has run."""
    expect(notebook.panel(index)).to_be_focused()
    expect(notebook.panel(index)).to_be_in_viewport(ratio=0.9)
    expect(notebook.panel(index)).to_have_attribute("data-phase", "ready")
    assert notebook.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex") == index
    assert notebook.executions() == 3


def said_behind(element: Locator) -> str:
    """What is drawn behind an element's own text."""
    return element.evaluate("element => getComputedStyle(element, '::after').content")


def press_and_run(notebook: NotebookPage, index: int) -> None:
    notebook.forget_run(index)
    notebook.page.keyboard.press(SHORTCUT)
    notebook.until_run(index)


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_from_a_cell_without_a_fix_the_first_press_shows_the_nearest_and_the_second_accepts_it(
    open_notebook: OpenNotebook, kind: str
) -> None:
    notebook = failed(open_notebook, kind)
    notebook.select(3)
    notebook.page.keyboard.press(SHORTCUT)
    is_shown(notebook, 2)
    assert said_behind(notebook.panel(2).locator(".rx-key")) == '" again"'
    notebook.shot(f"nearest-fix-{kind}")
    press_and_run(notebook, 2)
    assert notebook.source(2) == FIXED
    notebook.select(0)
    notebook.page.keyboard.press("Alt+Shift+R")
    expect(notebook.panel(5)).to_be_focused()
    expect(notebook.panel(5)).to_have_attribute("data-phase", "ready")
    assert said_behind(notebook.panel(5).locator(".rx-key")) == "none"
    assert said_behind(notebook.panel(5).locator(".rx-reject")) == '" · press again"'
    notebook.page.keyboard.press("Alt+Shift+R")
    expect(notebook.panel(5)).to_have_attribute("data-phase", "rejected")
    assert notebook.source(5) == "print(toatl, 'last')"


def scroll_away(notebook: NotebookPage) -> None:
    notebook.page.locator(".jp-WindowedPanel-outer:visible").evaluate("outer => { outer.scrollTop = 0; }")


def collapse(notebook: NotebookPage) -> None:
    notebook.command("notebook:hide-cell-outputs")


@pytest.mark.parametrize("hide", [scroll_away, collapse])
def test_a_fix_of_the_selected_cell_that_is_not_seen_is_shown_first(open_notebook: OpenNotebook, hide) -> None:
    notebook = failed(open_notebook)
    notebook.select(2)
    hide(notebook)
    expect(notebook.panel(2)).not_to_be_in_viewport()
    notebook.page.keyboard.press(SHORTCUT)
    is_shown(notebook, 2)
    press_and_run(notebook, 2)
    assert notebook.source(2) == FIXED


def hold(notebook: NotebookPage, seen: Locator) -> None:
    """Hold the shortcut's keys down so long that they repeat themselves."""
    for key in ("Alt", "Shift", "A", "A"):
        notebook.page.keyboard.down(key)
    expect(seen).to_be_focused()
    notebook.page.keyboard.down("A")
    for key in ("A", "Shift", "Alt"):
        notebook.page.keyboard.up(key)


def test_a_key_that_is_held_down_is_no_second_press(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook)
    notebook.select(3)
    hold(notebook, notebook.panel(2))
    is_shown(notebook, 2)
    assert notebook.source(2) == MISSPELT
