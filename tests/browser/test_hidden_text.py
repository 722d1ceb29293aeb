"""Hidden characters are marked in the diffs of all hosts, and changes that are out of sight are told."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from reflex_ipython.base.characters import HIDDEN, described
from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import asking
from tests.browser.test_looks import misfits

SPY = (
    "\u202eoverride \u2066isolate\u2069 zero\u200bwidth tag\U000e0041 soft\xadhyphen filler\u3164 "
    "line\u2028next\x85 esc\x1b vs\ufe01"
)
FAILING = f"name = 'old {SPY}'\nvalue = nothing_like_it(name)\nprint(value)"
FIXED = f"name = 'new {SPY}'\nvalue = str(name)  # {SPY} import os\nprint(v\u0430lue)"
REPLY = f"It hides: {SPY}.\n```python\n{FIXED}\n```"
KINDS = ("lab", "lab-dark", "lab-without")


def unmarked(panel: Locator) -> list[str]:
    """The hidden characters that stand in the panel as they are, but for the field in which one edits."""
    # CodeMirror itself puts zero-width spaces around what stands in the place of a character.
    text = panel.evaluate(
        """panel => {
          const copy = panel.cloneNode(true);
          for (const other of copy.querySelectorAll('textarea, .cm-widgetBuffer')) other.remove();
          return copy.textContent;
        }"""
    )
    return [described(character) for character in set(HIDDEN.findall(text))]


@pytest.mark.parametrize("kind", KINDS)
def test_hidden_characters_are_marked_on_both_sides_in_both_layouts(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(Say([REPLY])) as server:
        notebook = open_notebook([asking(server), FAILING], kind)
        notebook.run(0)
        panel = notebook.fail(1)
        expect(panel.locator(".rx-explanation .rx-hidden").first).to_be_visible()
        for layout in ("unified", "split"):
            if layout == "split":
                notebook.button(1, "Side by side").click()
            for code in ("202E", "200B", "E0041", "AD", "3164", "2028", "85", "FE01"):
                expect(panel.locator(".rx-pane .rx-hidden", has_text=f"<{code}>").nth(1)).to_be_attached()
            assert unmarked(panel) == []
            assert misfits(panel) == []
            notebook.shot(f"hidden-{kind}-{layout}", 1)
        expect(panel.locator(".rx-reasons")).to_contain_text("v<0430>lue on line 3 looks like value")
        expect(panel.locator(".rx-reasons")).to_contain_text(
            "hidden characters on line 2: U+202E right-to-left override"
        )
        assert notebook.source(1) == FAILING


def test_a_plain_field_names_the_hidden_characters_under_it_and_keeps_them(open_notebook: OpenNotebook) -> None:
    with ScriptedServer(Say([REPLY])) as server:
        notebook = open_notebook([asking(server), FAILING], "lab-without")
        notebook.run(0)
        panel = notebook.fail(1)
        expect(panel.locator(".rx-explanation .rx-hidden").first).to_be_visible()
        told = panel.locator(".rx-hidden-places")
        expect(told).to_be_hidden()
        notebook.button(1, "Edit").click()
        expect(told).to_contain_text("Hidden characters, kept as they are: line 1 <202E>")
        expect(told).to_contain_text(", line 2 <202E>")
        area = panel.locator("textarea.rx-area")
        assert area.input_value() == FIXED
        assert unmarked(panel) == []
        assert misfits(panel) == []
        notebook.shot("hidden-lab-without-field", 1)
        area.fill("a = 1\nb = 'x\u200by'")
        expect(told).to_have_text("Hidden characters, kept as they are: line 2 <200B>")
        area.fill("a = 1")
        expect(told).to_be_hidden()


LONG = "\n".join(
    ["before = 1", *(f"step_{n} = {n}" for n in range(120)), "print(toatl)", *["after = 1"] * 60, "end = 1"]
)
CHANGED = LONG.replace("step_", "part_").replace("print(toatl)", "print(total)").replace("end = 1", "end = 2")
ALL_OF_IT = f"Other names.\n```python\n{CHANGED}\n```"


@pytest.mark.parametrize("kind", KINDS)
def test_changes_out_of_sight_are_told_and_a_click_leads_there(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(Say([ALL_OF_IT])) as server:
        notebook = open_notebook([asking(server), LONG], kind)
        notebook.run(0)
        panel = notebook.fail(1)
        if "Other names" not in panel.inner_text():
            notebook.button(1, "Ask scripted").click()
            expect(panel.locator(".rx-explanation")).to_have_text("Other names.")
            expect(panel.locator(".rx-progress")).to_be_hidden()
        below = panel.get_by_role("button", name="below")
        expect(below).to_have_text("↓ this change goes on to line 122 · 1 more change below, line 183")
        notebook.shot(f"beyond-{kind}")  # of the page: one of the cell would scroll what is looked at
        below.click()
        expect(below).to_be_hidden()
        expect(panel.locator(".rx-pane").get_by_text("end = 2")).to_be_in_viewport()
        above = panel.get_by_role("button", name="above")
        expect(above).to_contain_text("above")
        assert misfits(panel) == []
        notebook.shot(f"beyond-{kind}-end")
        above.click()
        expect(below).to_be_visible()
