"""A fix is tried in a copy of the kernel: by itself, at a click, and again while a model is told what went wrong."""

from __future__ import annotations

import re
import sys

import pytest
from playwright.sync_api import expect

from reflex_ipython.testing import Say, ScriptedServer, Silent
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import LONG_TRIALS, MISSPELT, START, asking

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

RAN = re.compile(r"^✓ran in a copy of your kernel, [\d.]+ s")
PRINTS = "for name in ['one', 'two']:\n    print(name, toatl)"
TRY = "Try it in a copy of your kernel"


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_a_fix_that_ran_in_a_copy_shows_what_it_put_out_there(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(Silent()) as server:
        notebook = open_notebook([asking(server), PRINTS], kind)
        notebook.run(0)
        panel = notebook.fail(1)
        expect(panel.locator(".rx-verdict")).to_have_text(RAN)
        printed = panel.locator(".rx-printed")
        expect(printed).to_be_hidden()
        expect(panel.locator(".rx-verdict")).to_contain_text("prints 2 lines")
        panel.locator(".rx-preview > summary").click()
        expect(printed).to_have_text("one 1\ntwo 1")
        notebook.shot(f"tried-{kind}")
        notebook.button(1, "Ask scripted").click()
        expect(panel.locator(".rx-who")).to_have_text("asking scripted")
        expect(printed).to_be_visible()  # still unfolded in a panel that was drawn anew
        notebook.button(1, "Cancel").click()
        expect(panel.locator(".rx-progress")).to_be_hidden()
        expect(printed).to_be_visible()
    assert notebook.executions() == 2


def test_what_was_seen_of_the_proposal_is_not_said_of_an_edited_fix(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, PRINTS])
    notebook.run(0)
    panel = notebook.fail(1)
    panel.locator(".rx-preview > summary").click()
    notebook.button(1, "Edit").click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type(" # mine")
    expect(panel.locator(".rx-preview")).to_be_hidden()
    notebook.button(1, "Discard edits").click()
    expect(panel.locator(".rx-printed")).to_have_text("one 1\ntwo 1")


def test_a_figure_of_the_trial_is_shown_as_a_picture(open_notebook: OpenNotebook) -> None:
    plots = "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1])"
    notebook = open_notebook([f"{START}\n{LONG_TRIALS}\n{plots}", "plt.plot([toatl, 2])\nprint('drawn')"])
    notebook.run(0)
    panel = notebook.fail(1)
    panel.locator(".rx-preview > summary").click()
    picture = panel.locator(".rx-figure")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    notebook.shot("tried-figure")


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_on_click_a_fix_is_tried_when_the_user_says_so(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([f"{START}\n%config Reflex.trial = 'on click'", MISSPELT], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel.locator(".rx-verdict")).to_contain_text("not tried")
    notebook.shot(f"try-{kind}")
    notebook.button(1, TRY).click()
    expect(panel.locator(".rx-verdict")).to_have_text(RAN)
    expect(notebook.button(1, TRY)).to_have_count(0)
    expect(panel.locator(".rx-verdict")).to_contain_text("prints 1 line")
    assert notebook.executions() == 2
    assert notebook.source(1) == MISSPELT


def test_a_trial_at_a_click_is_seen_at_work_and_can_be_cancelled(open_notebook: OpenNotebook) -> None:
    start = f"{START}\n{LONG_TRIALS}\n%config Reflex.trial = 'on click'"
    notebook = open_notebook([start, "print(toatl)\ntime.sleep(600)"])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, TRY).click()
    expect(panel.locator(".rx-who")).to_have_text("trying it in a copy of your kernel")
    expect(notebook.button(1, TRY)).to_have_count(0)
    expect(notebook.button(1, "Accept & run")).to_be_enabled()
    notebook.shot("trying")
    notebook.button(1, "Cancel").click()
    expect(panel.locator(".rx-progress")).to_be_hidden()
    expect(notebook.button(1, TRY)).to_be_visible()


def test_an_edited_fix_is_not_offered_to_be_tried(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([f"{START}\n%config Reflex.trial = 'on click'", MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.button(1, "Edit").click()
    notebook.page.keyboard.type("# mine")
    expect(notebook.button(1, TRY)).to_have_count(0)
    notebook.button(1, "Discard edits").click()
    expect(notebook.button(1, TRY)).to_be_visible()


def test_a_model_is_seen_to_be_told_what_went_wrong_until_a_fix_passes(open_notebook: OpenNotebook) -> None:
    wrong = "```python\nanswer = {'a': total}['b']\nprint(answer)\n```"
    right = "The key is a.\n```python\nanswer = {'a': total}['a']\nprint(answer)\n```"
    with ScriptedServer(Say([wrong]), Say([right], ending="silent")) as server:
        notebook = open_notebook([asking(server), "answer = nothing_like_it()\nprint(answer)"])
        notebook.run(0)
        notebook.run(1)
        panel = notebook.panel(1)
        expect(panel.locator(".rx-who")).to_contain_text("asking scripted, 2 of 5: raises KeyError on line 1 instead")
        expect(panel.locator(".rx-written")).to_have_text(re.compile("^The key is a."))  # the first answer is gone
        expect(panel.locator(".rx-verdict")).to_contain_text("raises KeyError on line 1 instead")
        notebook.shot("attempt-2-of-5")
        server.release()
        expect(panel.locator(".rx-verdict")).to_have_text(RAN)
        expect(panel.locator(".rx-progress")).to_be_hidden()
        expect(panel.locator(".rx-explanation")).to_have_text("The key is a.")
        notebook.shot("attempt-passed")
        notebook.accept(1)
    assert notebook.text(1) == "1\n"
    assert "KeyError" in str(server.chats[1].json)
