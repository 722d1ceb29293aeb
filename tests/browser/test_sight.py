"""What a decision is about is seen first: the change in a diff that is longer than its panel, wherever the cell is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START, NotebookPage
from tests.browser.test_nearest_fix import SHORTCUT, press_and_run

ITEMS = ", ".join(f"'item {number}'" for number in range(400))
"""What is wrapped into more lines than a panel has."""
CELLS = {
    "the line before": f"data = [{ITEMS}]\nprint(toatl, data[0])",
    "the line itself": f"print([{ITEMS}], toatl)",
    "its beginning": f"print(toatl, [{ITEMS}])",
}
CHANGED = ".cm-line .cm-changedText, .rx-new .rx-changed"


def new_letters(panel: Locator) -> Locator:
    return panel.locator(CHANGED).first


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
@pytest.mark.parametrize("width", [1200, 600])
def test_what_has_changed_is_seen_beside_a_long_line(open_notebook: OpenNotebook, kind: str, width: int) -> None:
    notebook = open_notebook([START, *CELLS.values()], kind)
    notebook.resize(width, 900)
    notebook.run(0)
    for index, name in enumerate(CELLS, 1):
        panel = notebook.fail(index)
        panel.scroll_into_view_if_needed()
        expect(new_letters(panel)).to_be_in_viewport(ratio=0.9)
        notebook.shot(f"sight-{kind}-{width}-{name.replace(' ', '-')}")


def test_a_change_that_was_scrolled_away_is_shown_before_it_is_accepted(open_notebook: OpenNotebook) -> None:
    source = CELLS["the line before"]
    notebook = open_notebook([START, source])
    notebook.run(0)
    panel = notebook.fail(1)
    panel.scroll_into_view_if_needed()
    expect(new_letters(panel)).to_be_in_viewport()
    panel.locator(".rx-pane").hover()
    notebook.page.mouse.wheel(0, -2000)
    expect(new_letters(panel)).not_to_be_in_viewport()
    notebook.select(1)
    panel.scroll_into_view_if_needed()
    notebook.page.keyboard.press(SHORTCUT)
    expect(panel).to_have_attribute("data-awaits", "accept")
    expect(new_letters(panel)).to_be_in_viewport(ratio=0.9)
    assert notebook.source(1) == source
    press_and_run(notebook, 1)
    assert notebook.source(1) == source.replace("toatl", "total")


def test_in_a_notebook_that_draws_only_what_is_in_sight_the_fix_is_shown(open_notebook: OpenNotebook) -> None:
    far = "\n".join(f"line_{number} = {number}" for number in range(60))
    notebook = open_notebook([START, *[far] * 5, MISSPELT, *[far] * 5])
    notebook.run(0)
    panel = notebook.fail(6)
    notebook.page.evaluate(
        """() => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          notebook.notebookConfig = { ...notebook.notebookConfig, windowingMode: 'full' };
        }"""
    )
    notebook.select(6)
    notebook.page.locator(".jp-WindowedPanel-outer:visible").evaluate("outer => { outer.scrollTop = 0; }")
    expect(panel).not_to_be_in_viewport()
    notebook.page.keyboard.press(SHORTCUT)
    expect(panel).to_be_in_viewport(ratio=0.9)
    assert notebook.source(6) == MISSPELT
    press_and_run(notebook, 6)
    assert notebook.source(6) == FIXED


@pytest.mark.parametrize("layout", ["unified", "split"])
def test_a_click_on_the_code_keeps_the_keyboard_in_the_panel_and_selects_its_cell(
    open_notebook: OpenNotebook, layout: str
) -> None:
    notebook = open_notebook([START, MISSPELT, f"{MISSPELT}, 2"])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.fail(2)
    if layout == "split":
        notebook.button(1, "Side by side").click()
    for line in panel.locator(".cm-line").all():
        notebook.select(2)
        line.click()
        assert is_in_the_panel(notebook)
        assert notebook.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex") == 1
    panel.scroll_into_view_if_needed()
    press_and_run(notebook, 1)
    assert (notebook.source(1), notebook.source(2)) == (FIXED, f"{MISSPELT}, 2")


def is_in_the_panel(notebook: NotebookPage) -> bool:
    return bool(notebook.page.evaluate("() => !!document.activeElement.closest('.rx-panel')"))
