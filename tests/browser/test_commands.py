"""The palette, the status bar, and `%reflex` commands that reach from one cell into another."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START


def test_the_palette_lists_the_commands_and_runs_them(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.page.keyboard.press("Control+Shift+C")
    palette = notebook.page.locator(".lm-CommandPalette")
    palette.locator("input").fill("reflex")
    names = palette.locator(".lm-CommandPalette-itemLabel").all_inner_texts()
    assert {"Accept the Fix", "Reject the Fix", "Show the Fix", "Turn On or Off"} <= set(names)
    notebook.shot("palette")
    notebook.forget_run(1)
    palette.get_by_text("Accept the Fix", exact=True).click()
    notebook.until_run(1)
    assert notebook.source(1) == FIXED


def test_the_status_bar_shows_whether_reflex_is_on_and_switches_it(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, "%reflex fix"])
    item = notebook.page.locator(".reflex-status")
    expect(item).to_have_text("Reflex: not loaded")
    notebook.run(0)
    expect(item).to_have_text("Reflex: on")
    item.click()
    expect(item).to_have_text("Reflex: off")
    notebook.run(1)
    assert [output["output_type"] for output in notebook.outputs(1)] == ["error"]
    notebook.run(2)  # asked for, a fix is looked for all the same
    expect(notebook.button(2, "Accept & run")).to_be_visible()
    notebook.shot("asked-while-off")
    item.click()
    expect(item).to_have_text("Reflex: on")
    notebook.run(1)
    expect(notebook.button(1, "Accept & run")).to_be_visible()


def test_reflex_accept_in_another_cell_repairs_the_failed_one_in_this_tab_only(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, "%reflex accept", "%reflex undo"])
    notebook.run(0)
    notebook.fail(1)
    notebook.save()
    other = open_notebook(None, alone=True, name=notebook.name)
    expect(other.button(1, "Accept & run")).to_be_enabled()
    notebook.forget_run(1)
    notebook.run(2)
    notebook.until_run(1)
    assert notebook.source(1) == FIXED
    assert notebook.text(1) == "1\n"
    assert notebook.source(2) == "%reflex accept"
    assert notebook.executions() == 4  # with the command itself
    expect(other.panel(1).locator(".rx-verdict")).to_contain_text("Resumed at line 2")
    assert other.source(1) == MISSPELT
    other.shot("accepted-in-another-window")


def test_reflex_undo_gives_the_cell_its_old_text_back(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, "%reflex undo"])
    notebook.run(0)
    notebook.fail(1)
    notebook.accept(1)
    notebook.run(2)
    notebook.page.wait_for_function("old => document.body.innerText.includes('Undid')", arg=MISSPELT)
    assert notebook.source(1) == MISSPELT
    assert notebook.executions() == 4  # with the command itself
    notebook.shot("undone")


def test_a_command_that_can_not_rewrite_the_cell_says_so_where_it_was_given(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, "%reflex accept", "%reflex undo"])
    notebook.run(0)
    notebook.fail(1)
    notebook.rewrite(1, "print('mine')")
    notebook.run(2)
    expect(notebook.cell(2)).to_contain_text("Not applied: the cell has changed since this fix was made.")
    notebook.rewrite(1, MISSPELT)
    notebook.accept(1)
    notebook.rewrite(1, "print('mine')")
    notebook.run(3)
    expect(notebook.cell(3)).to_contain_text("Not undone: the cell has changed since this fix was made.")
    assert notebook.source(1) == "print('mine')"
    notebook.shot("refused-command")
