"""Where the keyboard is: after each decision on the cell again, and never on the page's body; and what is heard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import MISSPELT, START, NotebookPage
from tests.browser.test_choice import FAILING
from tests.browser.timers import TYPED, held

START_WITH_NUMBER = f"{START}\nnumber = 12"


def press(notebook: NotebookPage, index: int, *names: str) -> None:
    """Press Enter on these buttons, one after the other."""
    for name in names:
        notebook.button(index, name).focus()
        notebook.page.keyboard.press("Enter")


@pytest.mark.parametrize("kind", ["lab", "notebook", "lab-without"])
def test_after_reject_and_escape_the_keyboard_is_on_the_cell(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START_WITH_NUMBER, MISSPELT, FAILING], kind)
    notebook.run(0)
    notebook.fail(1)
    for name in ("Edit", "Discard edits", "Side by side"):
        press(notebook, 1, name)
        if name != "Discard edits":
            expect(notebook.cell(1).locator(".rx-panel:focus-within"), name).to_be_visible()
            notebook.page.keyboard.press("Escape")
        expect(notebook.cell(1)).to_be_focused()
    press(notebook, 1, "Reject")
    expect(notebook.cell(1)).to_be_focused()
    panel = notebook.fail(2)
    panel.locator("button.rx-alternative").first.focus()
    notebook.page.keyboard.press("Enter")
    expect(panel).to_be_focused()
    press(notebook, 2, "‹ Back to the choice", "None of these")
    expect(notebook.cell(2)).to_be_focused()
    assert notebook.cells() == 3
    assert notebook.executions() == 3


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_after_accepting_the_keyboard_is_on_the_cell(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START, MISSPELT, MISSPELT, MISSPELT], kind)
    notebook.run(0)
    notebook.fail(1)
    press(notebook, 1, "Other ways to accept")
    expect(notebook.button(1, "Accept without running")).to_be_focused()
    notebook.page.keyboard.press("Escape")
    expect(notebook.button(1, "Other ways to accept")).to_be_focused()
    press(notebook, 1, "Other ways to accept", "Accept without running")
    expect(notebook.cell(1)).to_be_focused()
    notebook.fail(2)
    notebook.forget_run(2)
    press(notebook, 2, "Accept & run")
    notebook.until_run(2)
    expect(notebook.cell(2)).to_be_focused()
    notebook.fail(3)
    press(notebook, 3, "Edit")
    notebook.forget_run(3)
    notebook.page.keyboard.press("Control+Enter")
    notebook.until_run(3)
    expect(notebook.cell(3)).to_be_focused()
    notebook.page.keyboard.press("k")  # as in any cell that is selected
    expect(notebook.cell(2)).to_be_focused()


@pytest.mark.parametrize("by", ["mouse", "Enter"])
def test_what_was_undone_is_not_accepted_by_a_key_that_is_meant_for_the_cell(
    open_notebook: OpenNotebook, by: str
) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)

    def use(name: str) -> None:
        if by == "mouse":
            notebook.button(1, name).click()
        else:
            press(notebook, 1, name)

    use("Edit")
    notebook.page.keyboard.type("more = 1\n")
    use("Discard edits")
    expect(notebook.cell(1)).to_be_focused()
    use("Reject")
    use("Undo")
    expect(notebook.button(1, "Accept & run")).to_be_visible()
    expect(notebook.cell(1)).to_be_focused()
    notebook.forget_run(1)
    use("Accept & run")
    notebook.until_run(1)
    use("Undo")
    expect(panel.locator(".rx-notices")).to_contain_text("Undone")
    expect(notebook.cell(1)).to_be_focused()
    notebook.forget_run(1)
    notebook.page.keyboard.press("Control+Enter")
    notebook.until_run(1)
    assert notebook.source(1) == MISSPELT
    assert notebook.outputs(1)[0]["output_type"] == "error"


def test_a_cell_that_is_run_again_takes_the_keyboard_from_its_panel(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.button(1, "Edit").focus()
    notebook.forget_run(1)
    notebook.command("notebook:run-cell")
    notebook.until_run(1)
    expect(notebook.cell(1)).to_be_focused()


LISTEN = """() => {
  window.heard = [];
  new MutationObserver(changes => {
    for (const { target } of changes) {
      const said = target.closest('.rx-panel [role=status]') && target.textContent;
      if (said) window.heard.push(said);
    }
  }).observe(document.body, { subtree: true, childList: true });
}"""


def until_heard(page: Page, *texts: str) -> None:
    """Wait until these, and no others, were said."""
    page.wait_for_function("count => window.heard.length >= count", arg=len(texts))
    assert page.evaluate("() => window.heard") == list(texts)


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_what_has_come_of_a_failure_is_heard_once(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START_WITH_NUMBER, MISSPELT, FAILING, "1 / 0"], kind)
    notebook.run(0)
    notebook.page.evaluate(LISTEN)
    panel = notebook.fail(1)
    until_heard(notebook.page, "Fix ready: tried, runs")
    with held(notebook.page, TYPED):  # what comes of trying the text would be heard as well
        notebook.button(1, "Side by side").click()
        notebook.button(1, "Edit").click()
        notebook.page.keyboard.press("Control+End")
        notebook.page.keyboard.type(" # abc")
        edited = "Fix ready: not tried: you have changed this fix"
        until_heard(notebook.page, "Fix ready: tried, runs", edited)
        notebook.button(1, "Reject").click()
    until_heard(notebook.page, "Fix ready: tried, runs", edited, "Rejected. The cell is as it was.")
    assert panel.get_attribute("aria-label") == "Reflex, In [2]"
    notebook.page.evaluate("() => { window.heard = []; }")
    notebook.fail(2)
    until_heard(notebook.page, "Several fixes run, with different results. Which one is meant?")
    expect(notebook.page.get_by_role("region", name="Reflex, In [3]")).to_be_visible()


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_the_editors_of_a_diff_have_names(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START, MISSPELT], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel.get_by_role("textbox", name="The new source of the cell")).to_have_count(1)
    notebook.button(1, "Side by side").click()
    expect(panel.get_by_role("textbox", name="The old source of the cell")).to_have_count(1)
    expect(panel.get_by_role("textbox", name="The new source of the cell")).to_have_count(1)
