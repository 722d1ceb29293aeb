"""A decision is taken back at a click, and the panel is one line until then."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START

BEGINS = "seen = []"
HALF_DONE = "seen.append(1)\nseen.append(toatl)\nprint(seen)"


def test_a_rejection_is_taken_back_and_the_fix_can_be_accepted(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Reject").click()
    expect(panel.locator(".rx-verdict")).to_contain_text("Rejected. The cell is as it was.")
    notebook.button(1, "Undo").click()
    expect(panel).to_have_attribute("data-phase", "ready")
    notebook.accept(1)
    assert notebook.source(1) == FIXED


def test_an_acceptance_that_did_not_run_is_taken_back(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.accept_without_running(1)
    notebook.until_source(1, FIXED)
    notebook.button(1, "Undo").click()
    notebook.until_source(1, MISSPELT)
    expect(panel.locator(".rx-notices")).to_contain_text("the cell has its old text back")
    expect(notebook.button(1, "Accept & run")).to_be_enabled()
    assert notebook.executions() == 2


def test_an_accepted_run_is_one_line_and_is_taken_back_with_what_it_did(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([f"{START}\n{BEGINS}", HALF_DONE])
    notebook.run(0)
    notebook.fail(1)
    notebook.accept(1)
    panel = notebook.panel(1)
    expect(panel.locator(".rx-verdict")).to_contain_text("Resumed at line 2 · state restored")
    notebook.shot("undo-accepted", 1)
    assert notebook.value("seen") == "[1, 1]"
    notebook.button(1, "Undo").click()
    notebook.until_source(1, HALF_DONE)
    undone = "Undone: the cell has its old text back, state restored exactly, what it has shown stays there."
    expect(panel.locator(".rx-notices")).to_contain_text(undone)
    assert notebook.value("seen") == "[1]"  # as when the run began, which had resumed
    notebook.shot("undo-undone", 1)


def test_why_an_accepted_run_is_not_taken_back_is_said(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.accept(1)
    notebook.rewrite(1, f"{FIXED}\nmine = 1")
    notebook.button(1, "Undo").click()
    verdict = notebook.panel(1).locator(".rx-verdict")
    expect(verdict).to_contain_text("Not undone: the cell has changed since this fix was made.")
    expect(verdict).to_contain_text("state restored")
    notebook.shot("not-undone", 1)
    notebook.rewrite(1, FIXED)
    notebook.button(1, "Undo").click()
    expect(notebook.panel(1).locator(".rx-notices")).to_contain_text("Undone: the cell has its old text back")


def test_where_the_old_text_is_back_already_the_state_is_taken_back(open_notebook: OpenNotebook) -> None:
    failing = "made = 1\nprint(toatl)\nalso = 1"
    notebook = open_notebook([START, failing])
    notebook.run(0)
    notebook.fail(1)
    notebook.accept(1)
    assert notebook.value("also") == "1"
    notebook.rewrite(1, failing)  # as Ctrl-Z does
    notebook.button(1, "Undo").click()
    expect(notebook.panel(1).locator(".rx-notices")).to_contain_text("Undone: the cell has its old text back")
    notebook.until_value("'also' in globals()", "False")
    assert notebook.value("'made' in globals()") == "True"  # as when the run began, which had resumed


@pytest.mark.parametrize("width", [1024, 599, 480])
def test_a_decided_panel_is_one_line(open_notebook: OpenNotebook, width: int) -> None:
    notebook = open_notebook([START, MISSPELT], width=width)
    notebook.resize(width, 900)
    notebook.run(0)
    panel = notebook.fail(1)
    buttons = [one.bounding_box() or {} for one in panel.locator(".rx-actions button:visible").all()]
    assert max(box["y"] for box in buttons) - min(box["y"] for box in buttons) < 12, "they are not in one row"
    notebook.button(1, "Reject").click()
    expect(notebook.button(1, "Undo")).to_be_visible()
    assert panel.bounding_box()["height"] < 36  # type: ignore[index]  # it is there
    traceback = notebook.cell(1).locator(".jp-RenderedText[data-mime-type$=error], .jp-OutputArea-output").first
    assert abs(panel.bounding_box()["width"] - traceback.bounding_box()["width"]) <= 2  # type: ignore[index]
    notebook.shot(f"decided-{width}", 1)


FLOW = """panel => {
  const words = document.createRange();
  words.selectNodeContents(panel.querySelector('.rx-said > span'));
  const behind = ['.rx-undo', '.rx-settled > .rx-summary'].map(one => panel.querySelector(one)).filter(one => one);
  const parts = [[...words.getClientRects()].pop(), ...behind.map(one => one.getBoundingClientRect())];
  const room = panel.getBoundingClientRect();
  return parts.slice(1).map((part, index) => {
    const before = parts[index];
    const below = part.top > before.bottom - 4;
    const gap = below ? part.left - room.left : part.left - before.right;
    const fits = before.right + part.width + 8 < room.right - 12;
    return (below ? !fits && part.top - before.bottom < 8 : true) && gap < 14;
  });
}"""
"""Of what stands behind the words: whether it follows the last one, or begins the next line as it has no room there."""


@pytest.mark.parametrize("kind", ["lab", "lab-dark", "lab-without"])
def test_what_a_decided_panel_offers_follows_its_last_word(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START, "made = []\nprint(toatl)", "other = 1"], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.run(2)
    notebook.button(1, "Accept & run").click()
    expect(panel).to_contain_text("Ran, no error · not undone: the failed run (another cell ran)")
    for width in (1440, 1024, 800, 600, 480):
        notebook.resize(width, 900)
        assert all(panel.evaluate(FLOW)), width
        assert notebook.height(panel) < 36 or width < 1024 or kind == "lab-without", f"at {width} it is not one line"
        notebook.shot(f"decided-wraps-{kind}-{width}", 1)
