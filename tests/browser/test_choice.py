"""Where several things may be meant the panel asks which: each with what it gives, and none is preselected."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenNotebook
from tests.browser.forgery import forged
from tests.browser.looks import looks
from tests.browser.notebook import NotebookPage
from tests.browser.test_looks import misfits

START = "%load_ext reflex_ipython\nnumber = 12"
FAILING = "total = 0\nfor digit in number:\n    total += int(digit)\ntotal"
DIGITS = FAILING.replace("in number", "in str(number)")
COUNTED = FAILING.replace("in number", "in range(number)")
FAR = f"first = {list(range(90))}; total = [step for step in number]"
UNSURE = "total = 0\nfor step in number:\n    total += step"


def failed(open_notebook: OpenNotebook, kind: str = "lab", cell: str = FAILING, **options: int) -> NotebookPage:
    """A notebook whose second cell has failed."""
    notebook = open_notebook([START, cell], kind, **options)
    notebook.run(0)
    notebook.fail(1)
    return notebook


def alternatives(notebook: NotebookPage) -> Locator:
    """The buttons that pick one."""
    return notebook.panel(1).locator("button.rx-alternative")


def is_asked(notebook: NotebookPage) -> None:
    """The panel asks, and there is nothing to accept."""
    expect(notebook.panel(1).locator(".rx-question")).to_be_visible()
    for name in ("Accept & run", "Other ways to accept", "Edit", "Side by side"):
        expect(notebook.button(1, name)).to_be_hidden()


@pytest.mark.parametrize("kind", ["lab", "notebook", "lab-without"])
def test_each_alternative_shows_its_line_its_reason_and_what_it_gives(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = failed(open_notebook, kind)
    is_asked(notebook)
    panel = notebook.panel(1)
    expect(panel.locator(".rx-question")).to_have_text("Several fixes run, with different results. Which one is meant?")
    expect(alternatives(notebook)).to_have_count(2)
    first, second = alternatives(notebook).all()
    expect(first.locator(".rx-new .rx-text")).to_have_text("for digit in str(number):")
    expect(first.locator(".rx-gives")).to_contain_text("gives 3")
    expect(second.locator(".rx-new .rx-text")).to_have_text("for digit in range(number):")
    expect(second.locator(".rx-why")).to_contain_text("range(number) counts from 0 up to it.")
    expect(second.locator(".rx-gives")).to_contain_text("gives 66")
    expect(panel.locator(".rx-alternative:focus")).to_have_count(0)
    notebook.shot(f"choice-{kind}")


def test_a_click_shows_one_whole_and_only_then_it_can_be_accepted(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook)
    alternatives(notebook).nth(1).click()
    panel = notebook.panel(1)
    expect(panel.locator(".rx-alternatives")).to_be_hidden()
    expect(panel.locator(".rx-changes")).to_contain_text("for digit in range(number):")
    expect(panel.locator(".rx-verdict")).to_contain_text("ran in a copy of your kernel")
    assert notebook.source(1) == FAILING
    notebook.shot("choice-picked")
    notebook.accept(1)
    assert notebook.source(1) == COUNTED
    assert notebook.value("total") == "66"
    notebook.shot("choice-accepted")


def test_there_is_a_way_back_to_the_choice(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook)
    alternatives(notebook).nth(1).click()
    notebook.button(1, "‹ Back to the choice").click()
    is_asked(notebook)
    alternatives(notebook).nth(0).click()
    notebook.accept(1)
    assert notebook.source(1) == DIGITS


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_the_shortcut_accepts_nothing_but_gives_the_choice_the_keyboard(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = failed(open_notebook, kind)
    notebook.select(1)
    for _ in range(2):
        notebook.page.keyboard.press("Alt+Shift+A")
        expect(notebook.panel(1).locator(".rx-alternatives")).to_be_focused()
    notebook.page.keyboard.press("Enter")
    notebook.page.keyboard.press("Control+Enter")
    is_asked(notebook)
    notebook.shot(f"choice-focused-{kind}")
    assert (notebook.source(1), notebook.executions(), notebook.cells()) == (FAILING, 2, 2)
    notebook.page.keyboard.press("ArrowDown")
    notebook.page.keyboard.press("ArrowDown")
    expect(alternatives(notebook).nth(1)).to_be_focused()
    notebook.page.keyboard.press("Enter")
    expect(notebook.button(1, "Accept & run")).to_be_visible()
    expect(notebook.panel(1)).to_be_focused()
    notebook.forget_run(1)
    notebook.page.keyboard.press("Control+Enter")
    notebook.until_run(1)
    assert notebook.source(1) == COUNTED


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_a_number_picks_and_no_key_reaches_the_notebook(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = failed(open_notebook, kind)
    alternatives(notebook).nth(0).focus()
    for key in ("d", "d", "7", "x", "ArrowUp", "ArrowUp", "j"):
        notebook.page.keyboard.press(key)
    is_asked(notebook)
    notebook.page.keyboard.press("2")
    expect(notebook.panel(1).locator(".rx-changes")).to_contain_text("for digit in range(number):")
    expect(notebook.panel(1)).to_be_focused()
    notebook.page.keyboard.press("d")
    notebook.page.keyboard.press("d")
    assert (notebook.source(1), notebook.cells()) == (FAILING, 2)


def test_the_widget_runs_the_one_that_was_picked(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook, "lab-without")
    expect(notebook.button(1, "Copy fixed source")).to_be_hidden()
    alternatives(notebook).nth(1).click()
    notebook.shot("choice-picked-lab-without")
    notebook.button(1, "Accept & run").click()
    expect(notebook.panel(1).last).to_have_attribute("data-phase", "accepted")
    expect(notebook.panel(1).last).to_contain_text("Resumed at line 2")  # it has run
    assert notebook.value("total") == "66"


def test_none_of_them_leaves_the_cell_as_it_is(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook)
    notebook.button(1, "None of these").click()
    expect(notebook.panel(1).locator(".rx-verdict")).to_contain_text("Rejected. The cell is as it was.")
    assert (notebook.source(1), notebook.executions()) == (FAILING, 2)
    notebook.shot("choice-rejected")


def test_one_that_is_unsure_is_no_answer_either(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook, cell=UNSURE)
    is_asked(notebook)
    expect(notebook.panel(1).locator(".rx-question")).to_have_text("This runs, but nothing else says that it is meant.")
    notebook.shot("choice-unsure")
    notebook.select(1)
    notebook.page.keyboard.press("Alt+Shift+A")
    notebook.page.keyboard.press("1")
    notebook.accept(1)
    assert notebook.source(1) == UNSURE.replace("in number", "in range(number)")


def test_a_choice_of_a_saved_notebook_is_text(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook)
    notebook.save()
    file = forged(notebook.server.root / notebook.name, lambda _: None, "saved-choice.ipynb")
    notebook.leave()
    reopened = open_notebook(file)
    panel = reopened.panel(1)
    expect(panel).to_have_attribute("data-phase", "picture")
    expect(panel.locator(".rx-alternative")).to_have_count(2)
    expect(panel.locator(".rx-alternative").nth(1)).to_contain_text("for digit in range(number):")
    expect(panel.get_by_role("button")).to_have_count(0)
    expect(panel.locator(".rx-gives")).to_have_count(0)
    reopened.shot("choice-picture")
    reopened.run(0)
    expect(alternatives(reopened)).to_have_count(2)
    expect(panel.locator(".rx-question")).to_have_text("Several fixes are possible. Which one is meant?")
    reopened.shot("choice-recalled")
    alternatives(reopened).nth(1).click()
    reopened.accept(1)
    assert reopened.source(1) == COUNTED


def test_what_changes_in_a_long_line_is_in_sight(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook, cell=FAR)
    lines = alternatives(notebook).locator(".rx-new .rx-text")
    expect(lines).to_have_count(2)
    for line, function in zip(lines.all(), ("range", "str")):
        expect(line).to_contain_text(f"total = [step for step in {function}(number)]")
        assert len(line.inner_text()) <= 162
        assert line.inner_text().startswith("…")
    notebook.shot("choice-long-line")


@pytest.mark.parametrize("more", ["", "x"])  # in one of them the line is cut behind a half
def test_no_emoji_of_a_long_line_is_cut_in_two(open_notebook: OpenNotebook, more: str) -> None:
    notebook = failed(open_notebook, cell=f"first = '{'😀' * 90}{more}'; total = [step for step in number]")
    line = alternatives(notebook).locator(".rx-new .rx-text").first
    expect(line).to_contain_text("…😀😀")
    expect(line.locator(".rx-hidden")).to_have_count(0)


HOSTILE = "<img src=x onerror='window.pwned=1'>\u202e `code` \x1b[31m " + "why " * 400
TAMPER = f"""\
import dataclasses
from reflex_ipython.models import Edit
session = get_ipython().reflex_extension.assembly.session
last = session.repairs.latest()
lines = "\\n".join(f"line = {{number}}  # {HOSTILE}" for number in range(40))
hostile = tuple(
    dataclasses.replace(
        fix, explanation={HOSTILE!r}, detail={HOSTILE!r},
        steps=(dataclasses.replace(fix.edits[0], source=fix.edits[0].source + "\\n" + lines),)
    )
    for fix in last.fixes
)
session.repairs.change(last.id, lambda repair: dataclasses.replace(repair, fixes=hostile * 3))"""


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_hostile_and_endless_alternatives_are_short_text(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START, FAILING, TAMPER], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.run(2)
    expect(alternatives(notebook)).to_have_count(6)
    first = alternatives(notebook).first
    expect(first.locator(".rx-row")).to_have_count(6)
    expect(first).to_contain_text("and more lines")
    expect(first.locator(".rx-why .rx-hidden").first).to_have_text("<202E>")
    expect(first.locator(".rx-short .rx-hidden").first).to_have_text("<202E>")
    assert notebook.height(first) < 700
    assert misfits(panel) == []
    assert panel.locator("img, script").count() == 0
    assert notebook.page.evaluate("() => window.pwned") is None
    notebook.shot(f"choice-hostile-{kind}")


MORE_IS_KNOWN = """\
(repairs := get_ipython().reflex_extension.assembly.session.repairs).change(repairs.latest().id, lambda repair: (
    (replace := __import__('dataclasses').replace)(
        repair, fixes=tuple(replace(fix, explanation='More is known.') for fix in repair.fixes))))"""


def test_a_pressed_button_is_not_lost_where_more_becomes_known(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook)
    second = alternatives(notebook).nth(1)
    second.hover()
    notebook.page.mouse.down()
    expect(second).to_be_focused()
    notebook.value(MORE_IS_KNOWN)
    expect(second).to_contain_text("More is known.")
    expect(second).to_be_focused()
    notebook.page.mouse.up()
    expect(notebook.panel(1).locator(".rx-changes")).to_contain_text("for digit in range(number):")


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_everything_is_in_the_panel_and_legible(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = failed(open_notebook, kind)
    panel = notebook.panel(1)
    for look in looks(notebook, (1200, 480), 1200):
        assert misfits(panel) == [], look
        notebook.shot(f"looks-{kind}-choice-{look}", 1)
        alternatives(notebook).nth(0).hover()
        assert misfits(panel) == [], look
    alternatives(notebook).nth(0).click()
    for look in looks(notebook, (1200, 480), 1200):
        assert misfits(panel) == [], look
        notebook.shot(f"looks-{kind}-chosen-{look}", 1)
