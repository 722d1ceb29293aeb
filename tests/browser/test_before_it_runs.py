"""What is to be answered before a fix runs: a tick where it is dangerous, a choice where something happens again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import START, NotebookPage, asking

UNKNOWN = "value = nothing_like_it()\nprint(value)"
DANGEROUS = "```python\nimport os\nos.remove('precious.txt')\nvalue = 1\nprint(value)\n```"


def again(*names: str) -> str:
    """A cell that writes to one file in each statement but the last, and to the last one where it fails."""
    *first, last = (f"open({name!r}, 'a').write('x')" for name in names)
    return "\n".join([*first, f"print({last}, toatl)"])


def written(notebook: NotebookPage, name: str) -> str:
    """What a file next to the notebook holds."""
    return (notebook.server.root / name).read_text()


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_a_dangerous_fix_does_not_run_until_it_is_ticked(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(*[Say([DANGEROUS])] * 5) as server:
        notebook = open_notebook([asking(server), UNKNOWN], kind)
        (notebook.server.root / "precious.txt").write_text("x")
        notebook.run(0)
        panel = notebook.fail(1)
        expect(panel.locator(".rx-reasons")).to_contain_text("os.remove")
        expect(notebook.button(1, "Accept & run")).to_be_disabled()
        notebook.shot(f"dangerous-{kind}")
        panel.focus()
        notebook.page.keyboard.press("Control+Enter")
        tick = panel.get_by_role("checkbox", name="I have read it")
        expect(tick).to_be_focused()
        if kind == "lab":
            notebook.select(1)
            notebook.page.keyboard.press("Alt+Shift+A")
            expect(tick).to_be_focused()
            expect(tick).to_have_css("outline-style", "solid")
        assert notebook.executions() == 2
        assert notebook.source(1) == UNKNOWN
        notebook.page.keyboard.press("Space")
        expect(notebook.button(1, "Accept & run")).to_be_enabled()
        notebook.button(1, "Accept & run").click()
        notebook.until_printed(1, "1\n")
    assert not (notebook.server.root / "precious.txt").exists()


def test_a_cell_that_repeats_something_asks_where_to_go_on(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, again("resume-1.txt", "resume-2.txt")])
    notebook.run(0)
    panel = notebook.fail(1)
    expect(notebook.button(1, "Accept & run")).to_be_hidden()
    expect(panel.locator(".rx-run-option")).to_have_text(["Resume at line 2", "Run the whole cell"])
    resumed, whole = panel.locator(".rx-repeats").all_inner_texts()
    assert re.fullmatch(r"repeats what can't be undone: wrote \S*resume-2\.txt", resumed)
    assert re.fullmatch(r"repeats what can't be undone: wrote \S*resume-1\.txt, wrote \S*resume-2\.txt", whole)
    expect(notebook.button(1, "Accept without running")).to_be_visible()
    notebook.shot("run-options")
    notebook.forget_run(1)
    notebook.button(1, "Resume at line 2").click()
    notebook.until_run(1)
    assert notebook.source(1) == again("resume-1.txt", "resume-2.txt").replace("toatl", "total")
    assert (written(notebook, "resume-1.txt"), written(notebook, "resume-2.txt")) == ("x", "xx")


def test_all_of_it_can_be_run_again(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, again("whole-1.txt", "whole-2.txt")])
    notebook.run(0)
    notebook.fail(1)
    notebook.forget_run(1)
    notebook.button(1, "Run the whole cell").click()
    notebook.until_run(1)
    assert (written(notebook, "whole-1.txt"), written(notebook, "whole-2.txt")) == ("xx", "xx")


def test_only_rewriting_runs_nothing(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, again("rewrite-1.txt", "rewrite-2.txt")])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Accept without running").click()
    expect(panel.locator(".rx-verdict")).to_contain_text("Accepted; the cell was rewritten, not run.")
    assert notebook.source(1).endswith("total)")
    assert notebook.executions() == 2
    assert (written(notebook, "rewrite-1.txt"), written(notebook, "rewrite-2.txt")) == ("x", "x")


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_the_shortcut_leads_to_the_choice_and_runs_nothing(open_notebook: OpenNotebook, kind: str) -> None:
    names = (f"keys-{kind}-1.txt", f"keys-{kind}-2.txt")
    notebook = open_notebook([START, again(*names)], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.select(1)
    notebook.page.keyboard.press("Alt+Shift+A")
    expect(notebook.button(1, "Resume at line 2")).to_be_focused()
    expect(notebook.button(1, "Resume at line 2")).to_have_css("outline-style", "solid")  # it is seen to be
    notebook.shot(f"run-options-shortcut-{kind}")
    notebook.page.keyboard.press("Control+Enter")
    expect(notebook.button(1, "Resume at line 2")).to_be_focused()
    assert notebook.executions() == 2
    expect(panel).to_have_attribute("data-phase", "ready")
    notebook.forget_run(1)
    notebook.page.keyboard.press("Enter")
    notebook.until_run(1)
    assert tuple(written(notebook, name) for name in names) == ("x", "xx")


def command(notebook: NotebookPage) -> None:
    """Accept the fix from the palette."""
    notebook.page.keyboard.press("Control+Shift+C")
    palette = notebook.page.locator(".lm-CommandPalette")
    palette.locator("input").fill("accept the fix")
    palette.get_by_text("Accept the Fix", exact=True).click()


def test_the_command_leads_to_the_choice_and_runs_nothing(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, again("command-1.txt", "command-2.txt"), "'the cell after'"])
    notebook.run(0)
    notebook.fail(1)
    notebook.select(2)
    command(notebook)
    expect(notebook.panel(1)).to_be_focused()  # of another cell it is shown
    command(notebook)
    expect(notebook.button(1, "Resume at line 2")).to_be_focused()
    assert notebook.executions() == 2


def test_the_widget_asks_as_well_and_can_not_only_rewrite(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, again("widget-1.txt", "widget-2.txt")], "lab-without")
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel.locator(".rx-run-option")).to_have_text(["Resume at line 2", "Run the whole cell"])
    expect(notebook.button(1, "Accept without running")).to_be_hidden()
    notebook.shot("run-options-widget")
    notebook.button(1, "Run the whole cell").click()
    notebook.until_printed(1, "1 1")
    assert (written(notebook, "widget-1.txt"), written(notebook, "widget-2.txt")) == ("xx", "xx")


def test_where_an_edited_fix_goes_on_is_not_promised(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, again("edited-1.txt", "edited-2.txt")])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Edit").click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type("\nprint('typed')")
    expect(panel.locator(".rx-run-option")).to_have_text(["Resume where possible", "Run the whole cell"])
    expect(panel.locator(".rx-repeats").first).to_contain_text("(as proposed)")
    notebook.shot("run-options-edited")
    notebook.button(1, "Resume where possible").click()
    notebook.until_printed(1, "typed")
    assert (written(notebook, "edited-1.txt"), written(notebook, "edited-2.txt")) == ("x", "xx")


def test_without_its_kernel_there_is_nothing_to_choose(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, again("gone-1.txt", "gone-2.txt")])
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel.locator(".rx-run-option")).to_have_count(2)
    notebook.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(panel).to_have_attribute("data-phase", "picture")
    expect(panel.locator(".rx-run-option")).to_have_count(0)
    expect(panel.get_by_role("button")).to_have_count(0)
    notebook.shot("run-options-restarted")
    notebook.ready()
