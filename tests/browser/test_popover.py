"""What opens from the status item: the settings of the kernel, and the open fixes of the notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.axe import violations
from tests.browser.chromium import HEIGHT
from tests.browser.conftest import OpenNotebook
from tests.browser.looks import looks
from tests.browser.notebook import MISSPELT, START, NotebookPage
from tests.browser.test_looks import misfits
from tests.browser.test_model_form import HOSTILE, OLLAMA, beside, field, form, said
from tests.browser.test_next_steps import unnamed

UNKNOWN = "answer = nothing_like_it()"
CONFIG = "get_ipython().reflex_extension.config"


def popover(notebook: NotebookPage) -> Locator:
    return notebook.page.get_by_role("region", name="Reflex", exact=True)


def item(notebook: NotebookPage) -> Locator:
    return notebook.page.locator(".reflex-status")


def opened(notebook: NotebookPage) -> Locator:
    """The popover, opened by a click on the status item; in Notebook 7, which shows no status bar, by the command."""
    if notebook.server.app == "notebook":
        notebook.command("reflex:open")
    else:
        if "%load_ext" in notebook.source(0):
            expect(item(notebook)).to_have_text(re.compile("Reflex: (on|off)"))
        item(notebook).click()
    expect(popover(notebook)).to_be_visible()
    return popover(notebook)


def fixes(notebook: NotebookPage) -> Locator:
    """The lines of the open repairs."""
    return popover(notebook).locator(".rx-fix")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(Say(["ready"]), models=("tiny", HOSTILE), routes=OLLAMA) as started:
        yield started


def is_in_the_window(panel: Locator) -> None:
    """All of it, whatever was resized."""
    expect(panel).to_be_in_viewport(ratio=1)


def has_keyboard(notebook: NotebookPage) -> str:
    return notebook.page.evaluate("() => document.activeElement.className")


def test_the_status_item_opens_it_by_click_and_by_key_and_it_gives_the_keyboard_back(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    expect(item(notebook)).to_have_text("Reflex: on")
    panel = opened(notebook)
    keyboard = notebook.page.keyboard
    switch = panel.get_by_label("Look for a fix when a cell fails")
    expect(switch).to_be_focused()
    expect(item(notebook)).to_have_attribute("aria-expanded", "true")
    item(notebook).click()
    expect(panel).to_be_hidden()
    expect(item(notebook)).to_have_attribute("aria-expanded", "false")
    for key in ["Enter", "Space"]:
        item(notebook).focus()
        keyboard.press(key)
        expect(switch).to_be_focused()
        keyboard.press("d")
        keyboard.press("d")  # in command mode, Lab would delete the cell
        keyboard.press("Escape")
        expect(panel).to_be_hidden()
        expect(item(notebook)).to_be_focused()
    item(notebook).click()
    notebook.cell(0).locator(".cm-content").click()
    expect(panel).to_be_hidden()
    assert notebook.cells() == 2


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_the_palette_opens_it_and_escape_gives_the_notebook_the_keyboard(
    open_notebook: OpenNotebook, kind: str
) -> None:
    notebook = open_notebook([START, MISSPELT], kind)
    notebook.run(0)
    notebook.page.keyboard.press("Control+Shift+C")
    palette = notebook.page.locator(".lm-CommandPalette")
    palette.locator("input").fill("reflex open")
    palette.get_by_text("Open", exact=True).first.click()
    expect(popover(notebook)).to_be_visible()
    expect(popover(notebook).get_by_label("Look for a fix when a cell fails")).to_be_focused()
    notebook.shot(f"popover-{kind}-by-palette")
    notebook.page.keyboard.press("Escape")
    expect(popover(notebook)).to_be_hidden()
    notebook.page.wait_for_function("() => document.activeElement.closest('.jp-Notebook')")


def test_reflex_is_turned_on_and_off_and_its_trials_are_set(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    expect(item(notebook)).to_have_text("Reflex: on")
    panel = opened(notebook)
    switch = panel.get_by_label("Look for a fix when a cell fails")
    notebook.page.keyboard.press("Space")
    expect(item(notebook)).to_have_text("Reflex: off")
    expect(switch).to_be_focused()
    expect(switch).not_to_be_checked()
    notebook.page.keyboard.press("Escape")
    notebook.run(1)
    assert [output["output_type"] for output in notebook.outputs(1)] == ["error"]
    panel = opened(notebook)
    switch.click()
    expect(item(notebook)).to_have_text("Reflex: on")
    expect(switch).to_be_checked()
    panel.get_by_label("Fixes are tried in a copy of the kernel").select_option("when I click")
    notebook.until_value(f"{CONFIG}.trial", "'on click'")
    notebook.page.keyboard.press("Escape")
    notebook.fail(1)
    expect(notebook.panel(1).locator(".rx-verdict")).to_contain_text("not tried")
    notebook.page.evaluate(
        "code => { window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code }); }",
        "%config Reflex.trial = 'off'",
    )
    opened(notebook)
    expect(panel.get_by_label("Fixes are tried in a copy of the kernel")).to_have_value("off")


def test_where_it_is_not_loaded_it_says_how_and_loads_it(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(["total = 1", MISSPELT])
    expect(item(notebook)).to_have_text("Reflex: not loaded")
    panel = opened(notebook)
    expect(panel).to_contain_text("Run %load_ext reflex_ipython in a cell to load it.")
    assert violations(panel) == []
    notebook.shot("popover-not-loaded")
    expect(panel.get_by_role("button", name="Load it now")).to_be_focused()
    notebook.page.keyboard.press("Enter")
    expect(item(notebook)).to_have_text("Reflex: on")
    expect(panel.get_by_label("Look for a fix when a cell fails")).to_be_focused()


def test_a_model_is_found_tested_used_and_dropped_without_a_failed_cell(
    open_notebook: OpenNotebook, server: ScriptedServer
) -> None:
    notebook = open_notebook([beside(server), UNKNOWN])
    notebook.run(0)
    panel = opened(notebook)
    expect(panel).to_contain_text("No model is asked")
    panel.get_by_role("button", name="Choose a model…").click()
    expect(field(panel, "Model")).to_have_value("tiny")
    expect(field(panel, "Address")).to_have_value(server.base_url)
    panel.get_by_role("button", name="Test", exact=True).click()
    expect(said(panel)).to_contain_text("answered in")
    assert violations(panel) == []
    notebook.shot("popover-model-tested")
    panel.get_by_role("button", name="Use", exact=True).click()
    expect(form(panel)).to_be_hidden()
    expect(panel.locator(".rx-model-in-use")).to_have_text(f"Model: tiny (127.0.0.1:{server.port})")
    expect(panel.get_by_role("button", name="Change…")).to_be_focused()
    notebook.until_value(f"{CONFIG}.model", "'tiny'")
    notebook.shot("popover-model-used")
    panel.get_by_role("button", name="Ask none").click()
    expect(panel).to_contain_text("No model is asked")
    notebook.until_value(f"{CONFIG}.model", "None")
    panel.get_by_role("button", name="Choose a model…").click()
    expect(field(panel, "Model")).to_be_focused()
    notebook.page.keyboard.press("Escape")  # the form first, then all of it
    expect(form(panel)).to_be_hidden()
    expect(panel).to_be_visible()
    notebook.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_the_open_fixes_are_listed_and_one_goes_there(open_notebook: OpenNotebook) -> None:
    far = "\n".join(f"line_{number} = {number}" for number in range(80))
    notebook = open_notebook([START, MISSPELT, far, "print(toatl, 'last')", UNKNOWN])
    notebook.run(0)
    opened(notebook)
    expect(popover(notebook)).to_contain_text("Nothing is open in this notebook")
    notebook.page.keyboard.press("Escape")
    for index in (1, 3, 4):
        notebook.fail(index)
    notebook.select(0)
    opened(notebook)
    expect(fixes(notebook)).to_have_count(3)
    expect(fixes(notebook).nth(0)).to_contain_text("In [2]NameError: name 'toatl' is not defined")
    expect(fixes(notebook).nth(0)).to_contain_text("ran in a copy of your kernel")
    expect(fixes(notebook).nth(2)).to_contain_text("no fix was found")
    notebook.shot("popover-fixes")
    fixes(notebook).nth(1).get_by_role("button").click()
    expect(popover(notebook)).to_be_hidden()
    expect(notebook.panel(3)).to_be_focused()
    expect(notebook.panel(3)).to_be_in_viewport(ratio=0.9)
    notebook.page.keyboard.press("Alt+Shift+N")
    expect(notebook.panel(1)).to_be_focused()
    opened(notebook)
    popover(notebook).get_by_role("button", name="Next").click()
    expect(notebook.panel(3)).to_be_focused()
    notebook.page.keyboard.press("Alt+Shift+R")
    opened(notebook)
    expect(fixes(notebook)).to_have_count(2)


TOP = f"{START}\ncounts = []"
FIRST = "price = toatl + 1\nprint(price)"
"""Its fix gives what the third cell reads."""
SECOND = "counts.append(toatl)\nprint(counts)"


def accept_all(notebook: NotebookPage, count: int) -> None:
    popover(notebook).get_by_role("button", name=f"Accept all {count} that are proven, in order").click()


def result(notebook: NotebookPage) -> Locator:
    """The line that says what came of it, and is read out."""
    return popover(notebook).get_by_role("status").last


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_all_that_are_proven_are_accepted_in_order_each_on_top_of_the_one_before(
    open_notebook: OpenNotebook, kind: str
) -> None:
    notebook = open_notebook([TOP, FIRST, SECOND, "print(toatl, 'last')"], kind)
    notebook.run(0)
    for index in (3, 2, 1):  # their order is that of the notebook, not that in which they failed
        notebook.fail(index)
    opened(notebook)
    accept_all(notebook, 3)
    expect(result(notebook)).to_contain_text("All 3 fixes were accepted and ran.")
    assert [notebook.text(index) for index in (1, 2, 3)] == ["2\n", "[1]\n", "1 last\n"]
    assert notebook.value(f"In[-3:] == {[notebook.source(index) for index in (1, 2, 3)]}") == "True"
    expect(fixes(notebook)).to_have_count(0)
    assert violations(popover(notebook)) == []
    notebook.shot(f"popover-{kind}-all-accepted")
    notebook.page.keyboard.press("Escape")  # the keyboard is on the cell that ran last
    expect(popover(notebook)).to_be_hidden()
    opened(notebook)
    expect(popover(notebook).get_by_text("All 3 fixes")).to_be_hidden()


def test_it_stops_at_the_first_that_what_was_accepted_before_has_spoilt(open_notebook: OpenNotebook) -> None:
    spoils = "ready = toatl\ndel total"
    notebook = open_notebook([TOP, spoils, "print(toatl, 'spoilt')", "print(len(conuts))"])
    notebook.run(0)
    for index in (1, 2, 3):
        notebook.fail(index)
    opened(notebook)
    accept_all(notebook, 3)
    expect(result(notebook)).to_contain_text(
        "Stopped at In [3]: raises NameError on line 1 instead. 1 of 3 was accepted before."
    )
    assert notebook.source(1) == "ready = total\ndel total"
    assert [notebook.source(index) for index in (2, 3)] == ["print(toatl, 'spoilt')", "print(len(conuts))"]
    assert notebook.executions() == 5
    expect(fixes(notebook)).to_have_count(2)
    expect(fixes(notebook).first).to_contain_text("raises NameError on line 1 instead")
    notebook.shot("popover-stopped")


def test_it_stops_at_a_cell_that_fails_when_it_really_runs(open_notebook: OpenNotebook) -> None:
    really = "import os\nprint(toatl)\nassert os.getpid() != kernel, 'really'"
    notebook = open_notebook([f"{TOP}\nimport os\nkernel = os.getpid()", really, "print(toatl, 'next')"])
    notebook.run(0)
    for index in (1, 2):
        notebook.fail(index)
    opened(notebook)
    accept_all(notebook, 2)
    expect(result(notebook)).to_contain_text(
        "Stopped at In [2]: the cell then raised AssertionError. None was accepted before."
    )
    assert notebook.source(2) == "print(toatl, 'next')"


def test_fixes_whose_panels_were_never_in_sight_are_gone_to_and_accepted(open_notebook: OpenNotebook) -> None:
    far = "\n".join(f"line_{number} = {number}" for number in range(120))
    notebook = open_notebook([TOP, FIRST, far, far, "print(toatl, 'far')", far, "print(toatl, 'last')"], alone=True)
    notebook.run(0)
    for index in (1, 4, 6):
        notebook.fail(index)
    notebook.save()
    notebook.page.reload()
    notebook.ready()
    opened(notebook)
    expect(fixes(notebook)).to_have_count(3)
    fixes(notebook).nth(1).get_by_role("button").click()
    expect(notebook.panel(4)).to_be_focused()
    expect(notebook.panel(4)).to_be_in_viewport(ratio=0.9)
    notebook.select(0)
    opened(notebook)
    accept_all(notebook, 3)
    expect(result(notebook)).to_contain_text("All 3 fixes were accepted and ran.")
    assert [notebook.text(index) for index in (1, 4, 6)] == ["2\n", "1 far\n", "1 last\n"]


def test_stop_ends_it_after_the_cell_that_runs(open_notebook: OpenNotebook) -> None:
    waits = "print(toatl)\nwhile os.getpid() == kernel and not os.path.exists('go'):\n    time.sleep(0.01)"
    notebook = open_notebook([f"{TOP}\nimport os, time\nkernel = os.getpid()", waits, "print(toatl, 'next')"])
    notebook.run(0)
    for index in (1, 2):
        notebook.fail(index)
    opened(notebook)
    accept_all(notebook, 2)
    expect(result(notebook)).to_contain_text("In [2]: runs…")
    popover(notebook).get_by_role("button", name="Stop", exact=True).click()
    expect(result(notebook)).to_contain_text("Stops after this cell.")
    (notebook.server.root / "go").touch()
    expect(result(notebook)).to_contain_text("Stopped after 1 of 2 fixes.")
    assert notebook.text(1) == "1\n"
    assert notebook.source(2) == "print(toatl, 'next')"


def test_what_asks_something_is_not_proven_and_is_left_to_its_panel(open_notebook: OpenNotebook) -> None:
    appends = "open('log.txt', 'a').write('once')\nprint(toatl)"
    notebook = open_notebook([TOP, appends, "print(toatl, 'next')"])
    notebook.run(0)
    for index in (1, 2):
        notebook.fail(index)
    opened(notebook)
    expect(fixes(notebook)).to_have_count(2)
    popover(notebook).get_by_role("button", name="Accept the one that is proven").click()
    expect(result(notebook)).to_contain_text("The fix was accepted and ran.")
    assert notebook.source(1) == appends
    assert notebook.text(2) == "1 next\n"


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_everybody_can_use_it_in_every_theme_and_width(
    open_notebook: OpenNotebook, server: ScriptedServer, kind: str
) -> None:
    notebook = open_notebook([f"{beside(server)}\ncounts = []", FIRST, SECOND, UNKNOWN], kind)
    notebook.run(0)
    for index in (1, 2, 3):
        notebook.fail(index)
    panel = opened(notebook)
    expect(fixes(notebook)).to_have_count(3)
    for look in looks(notebook, (1200, 600), HEIGHT):
        is_in_the_window(panel)
        assert violations(panel) == [], look
        assert (misfits(panel), unnamed(panel)) == ([], []), look
        notebook.shot(f"popover-{kind}-{look}")
    panel.get_by_role("button", name="Choose a model…").click()
    expect(field(panel, "Model")).to_have_value("tiny")
    panel.locator(".rx-outgoing > summary").click()
    expect(panel.get_by_label("What would be sent")).to_contain_text("No model is chosen, so nothing is sent.")
    for look in looks(notebook, (1200, 600), HEIGHT):
        is_in_the_window(panel)
        assert violations(panel) == [], look
        assert (misfits(panel), unnamed(panel)) == ([], []), look
        notebook.shot(f"popover-{kind}-open-{look}")
