"""A fix as the user changes it: tried again by itself, with a verdict of its own; what is left out can be put back."""

from __future__ import annotations

import re
import sys

import pytest
from playwright.sync_api import expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import LONG_TRIALS, MISSPELT, START, NotebookPage, asking
from tests.browser.timers import TYPED, held

UNTRIED = "not tried: you have changed this fix"
TRYING = "your text is being tried in a copy of your kernel"
RAN = re.compile(r"^✓ran in a copy of your kernel, [\d.]+ s")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

TWO = "low = toatl\nmiddle = 2\nupper = 3\nlower = 4\nother = 5\nprint(low, middel)"
BOTH = TWO.replace("toatl", "total").replace("middel", "middle")
REPLY = f"Both names are misspelt.\n```python\n{BOTH}\n```"


LISTEN = """() => {
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  window.answers = [];
  kernel.iopubMessage.connect((_, { content }) => {
    if (content.data?.type === 'text-tried') window.answers.push([content.data.trying, content.data.verdict]);
  });
}"""
"""Notes what the kernel answers about texts."""


def typed(notebook: NotebookPage, text: str) -> None:
    """Edit the fix: type at its end."""
    notebook.button(1, "Edit").click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type(text)


@on_linux
@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_an_edited_fix_is_tried_again_by_itself_and_gets_its_own_verdict(
    open_notebook: OpenNotebook, kind: str
) -> None:
    notebook = open_notebook([START, MISSPELT], kind)
    notebook.run(0)
    verdict = notebook.fail(1).locator(".rx-verdict")
    typed(notebook, "\nprint(total / 0)")
    expect(verdict).to_contain_text("raises ZeroDivisionError on line 3 instead")
    notebook.shot(f"own-text-{kind}-raises", 1)
    for _ in "/ 0)":
        notebook.page.keyboard.press("Backspace")
    notebook.page.keyboard.type("+ 1)")
    expect(verdict).to_have_text(RAN)
    notebook.shot(f"own-text-{kind}-ran", 1)
    notebook.button(1, "Discard edits").click()
    expect(verdict).to_have_text(RAN)
    assert notebook.executions() == 2
    assert notebook.source(1) == MISSPELT


@on_linux
def test_while_it_is_tried_the_panel_says_so_and_it_can_be_accepted(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([f"{START}\n{LONG_TRIALS}", "x = toatl"])
    notebook.run(0)
    verdict = notebook.fail(1).locator(".rx-verdict")
    typed(notebook, "\nwhile os.getpid() != kernel: time.sleep(0.01)\nprint('typed')")  # in a copy for ever
    expect(verdict).to_contain_text(f"not tried yet: {TRYING}")
    notebook.shot("own-text-trying", 1)
    notebook.accept(1)
    assert notebook.text(1) == "typed\n"


@on_linux
def test_an_older_answer_never_counts_for_a_newer_text(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    verdict = panel.locator(".rx-verdict")
    typed(notebook, "\nprint(total / 0)")
    expect(verdict).to_contain_text("raises ZeroDivisionError")
    with held(notebook.page, TYPED):
        notebook.page.keyboard.type(" # more")
        expect(verdict).to_contain_text(UNTRIED)  # at once, not after the pause
    expect(verdict).to_contain_text("raises ZeroDivisionError")


def test_where_trials_are_off_it_says_that_it_is_not_tried(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([f"{START}\n%config Reflex.trial = 'off'", MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.page.evaluate(LISTEN)
    with held(notebook.page, TYPED):  # so that there is one pause, at the end
        typed(notebook, "\nprint('typed')")
    notebook.page.wait_for_function("() => window.answers.length > 0")
    assert notebook.page.evaluate("() => window.answers") == [[False, None]]
    expect(panel.locator(".rx-verdict")).to_contain_text(UNTRIED)


def test_a_change_that_is_left_out_stays_as_a_line_and_is_put_back(open_notebook: OpenNotebook) -> None:
    with ScriptedServer(Say([REPLY])) as server:
        notebook = open_notebook([asking(server), TWO])
        notebook.run(0)
        panel = notebook.fail(1)
        notebook.button(1, "Ask scripted").click()
        expect(panel.locator(".rx-leave")).to_have_count(2)
        verdict = panel.locator(".rx-verdict")
        expect(verdict).to_have_text(RAN)
        panel.locator(".rx-leave").last.click()
        ghost = panel.locator(".rx-ghost")
        expect(ghost).to_contain_text("Left outprint(low, middle)")
        expect(verdict).to_contain_text("raises NameError on line 6")
        notebook.shot("left-out", 1)
        notebook.button(1, "Side by side").click()
        expect(ghost).to_contain_text("Left outprint(low, middle)")
        notebook.shot("left-out-split", 1)
        notebook.button(1, "Side by side").click()
        panel.locator(".rx-leave").first.click()
        expect(ghost).to_have_count(2)
        notebook.button(1, "Put back").first.click()
        notebook.button(1, "Put back").click()
        expect(ghost).to_have_count(0)
        expect(verdict).to_have_text(RAN)
        expect(notebook.button(1, "Discard edits")).to_be_hidden()
        notebook.accept(1)
        assert notebook.source(1) == BOTH


def test_an_appended_line_is_no_change_of_the_line_before(open_notebook: OpenNotebook) -> None:
    reply = "It has to be printed.\n```python\nx = total\nprint(x)\nprint('more')\n```"
    with ScriptedServer(Say([reply])) as server:
        notebook = open_notebook([asking(server), "x = toatl\nprint(x)"])
        notebook.run(0)
        panel = notebook.fail(1)
        notebook.button(1, "Ask scripted").click()
        old, new = panel.locator(".cm-deletedLine"), panel.locator(".cm-changedLine:not(.rx-unchanged)")
        expect(new).to_have_text(["x = total", "print('more')"])
        expect(old.locator("visible=true")).to_have_text(["x = toatl"])
        sign = "line => getComputedStyle(line, '::before').display"
        assert panel.locator(".rx-unchanged").evaluate(sign) == "none"
        notebook.shot("appended", 1)


def drawn(notebook: NotebookPage, side: str) -> tuple[list[str], list[str]]:
    """The lines of that side that are drawn as changed, and what is marked in them."""
    panel = notebook.panel(1)
    if side == "old above":
        lines, marks = panel.locator(".cm-deletedLine:visible"), panel.locator(".cm-deletedText:visible")
    else:
        within = panel.locator(".cm-merge-a" if side == "old" else ".cm-merge-b")
        lines = within.locator(".cm-changedLine:not(.rx-unchanged)")
        marks = within.locator(".cm-changedLine:not(.rx-unchanged) .cm-changedText")
    return lines.all_inner_texts(), marks.all_inner_texts()


def test_side_by_side_an_appended_line_is_no_change_of_the_line_before(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, "x = toatl\nprint(x)"])
    notebook.run(0)
    panel = notebook.fail(1)
    typed(notebook, "\nprint('typed')")
    notebook.button(1, "Side by side").click()
    expect(panel.locator(".rx-unchanged")).to_have_text(["print(x)", "print(x)"])
    assert drawn(notebook, "old") == (["x = toatl"], ["at"])
    assert drawn(notebook, "new") == (["x = total", "print('typed')"], ["ta", "print('typed')"])
    sign = "line => [getComputedStyle(line, '::before').display, getComputedStyle(line).backgroundColor]"
    for line in panel.locator(".rx-unchanged").all():
        assert line.evaluate(sign) == ["none", "rgba(0, 0, 0, 0)"]
    notebook.shot("appended-split", 1)
    panel.locator(".cm-merge-b .cm-content").focus()
    notebook.page.keyboard.press("Control+End")
    for _ in "\nprint('typed')\nprint(x)":
        notebook.page.keyboard.press("Backspace")
    expect(panel.locator(".rx-unchanged")).to_have_count(0)
    assert drawn(notebook, "old") == (["x = toatl", "print(x)"], ["at", "print(x)"])
    assert drawn(notebook, "new") == (["x = total"], ["ta"])


def test_what_is_marked_in_a_changed_last_line_does_not_reach_the_appended_one(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, "print(toatl)"])
    notebook.run(0)
    notebook.fail(1)
    typed(notebook, "\nprint('x')")
    new = (["print(total)", "print('x')"], ["ta", "print('x')"])
    assert drawn(notebook, "old above") == (["print(toatl)"], ["at"])
    assert drawn(notebook, "new") == new
    notebook.shot("appended-to-a-change", 1)
    notebook.button(1, "Side by side").click()
    assert drawn(notebook, "old") == (["print(toatl)"], ["at"])
    assert drawn(notebook, "new") == new
    notebook.shot("appended-to-a-change-split", 1)


@on_linux
def test_a_changed_fix_of_an_older_failure_is_tried_on_what_is_there_now(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, f"{MISSPELT}, 2", f"{MISSPELT}, 3", "later = 5"])
    notebook.run(0)
    verdict = notebook.fail(1).locator(".rx-verdict")
    for index in (2, 3):
        notebook.fail(index)
    notebook.run(4)
    typed(notebook, "\nprint(later)")
    expect(verdict).to_have_text(RAN)
    expect(verdict).to_contain_text("prints 2 lines · another cell has run since; the whole cell will run")
    notebook.shot("own-text-older", 1)


@on_linux
def test_a_changed_fix_that_was_taken_back_is_tried_again(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    verdict = panel.locator(".rx-verdict")
    typed(notebook, "\nprint(total + 1)")
    expect(verdict).to_have_text(RAN)
    notebook.accept(1)
    notebook.button(1, "Undo").click()
    notebook.until_source(1, MISSPELT)
    expect(notebook.button(1, "Accept & run")).to_be_enabled()
    expect(verdict).to_have_text(RAN)
    notebook.shot("own-text-undone", 1)
