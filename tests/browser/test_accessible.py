"""In each of its states the panel is one that everybody can use: axe finds nothing to object to."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.axe import violations
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import MISSPELT, START, NotebookPage, asking
from tests.browser.test_choice import FAILING
from tests.browser.test_looks import CELLS, DANGEROUS, PLOTS, unfold
from tests.browser.test_two_cells import PROVIDER, WRONG

KINDS = ["lab", "lab-dark", "notebook", "notebook-dark", "lab-without"]
LONG = "\n".join(f"step_{number} = {number}" for number in range(30))
"""So many lines that the diff has a scroll bar."""
EDITED = f"{MISSPELT}\n{LONG}\nprint(toatl)"


def fails(notebook: NotebookPage, index: int) -> Locator:
    """The panel of the cell, which has failed; axe finds nothing in it."""
    panel = notebook.fail(index)
    assert violations(panel) == []
    return panel


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_while_a_fix_is_read_edited_and_decided(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([f"{START}\nnumber = 12", EDITED, FAILING, f"{MISSPELT}  # raises a NameError"], kind)
    notebook.run(0)
    panel = fails(notebook, 1)
    notebook.button(1, "Side by side").click()
    assert violations(panel) == []
    notebook.button(1, "Edit").click()
    assert violations(panel) == []
    notebook.button(1, "Discard edits").click()
    if kind != "lab-without":
        notebook.button(1, "Other ways to accept").click()
        assert violations(panel) == []
        notebook.button(1, "Accept without running").click()
        expect(panel.locator(".rx-verdict")).to_contain_text("not run")
        assert violations(panel) == []
    panel = fails(notebook, 2)
    panel.locator("button.rx-alternative").nth(1).click()
    assert violations(panel) == []
    notebook.button(2, "Reject").click()
    expect(panel).to_have_attribute("data-phase", "rejected")
    panel.locator(".rx-summary").first.click()
    assert violations(panel) == []
    panel = fails(notebook, 3)
    notebook.button(3, "Expected to fail · Show").click()
    notebook.rewrite(3, "total")
    if kind != "lab-without":
        expect(panel.locator(".rx-mended")).to_be_visible()
    assert violations(panel) == []


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_in_what_a_trial_and_a_model_tell_and_ask(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(*[Say([DANGEROUS])] * len(CELLS)) as server:
        notebook = open_notebook([f"{asking(server)}\n{PLOTS}", *CELLS.values(), WRONG, PROVIDER], kind)
        notebook.run(0)
        for index, name in enumerate(CELLS, start=1):
            if name == "two-cells":
                notebook.run(len(CELLS) + 1)
                notebook.run(len(CELLS) + 2)
            panel = fails(notebook, index)
            unfold(notebook, index)
            assert violations(panel) == [], name


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_where_there_is_no_fix_while_a_model_writes_and_after_a_run(
    open_notebook: OpenNotebook, kind: str
) -> None:
    with ScriptedServer(Say(["Let me ", "think …"], ending="silent")) as server:
        cells = ["first = 1\nbananas = 1 / 0", MISSPELT, asking(server), "value = nothing_like_it()"]
        notebook = open_notebook([START, *cells], kind)
        notebook.run(0)
        panel = fails(notebook, 1)
        notebook.button(1, "Choose a model…").click()
        expect(panel.get_by_role("form", name="Choose a model")).to_be_visible()
        assert violations(panel) == []
        fails(notebook, 2)
        notebook.button(2, "Accept & run").click()
        panel = notebook.panel(2).last
        expect(panel.locator(".rx-verdict")).to_contain_text("Resumed at line 2")
        assert violations(panel) == []
        if kind != "lab-without":
            notebook.button(2, "Undo").click()
            expect(notebook.panel(2)).to_have_attribute("data-phase", "ready")
            assert violations(notebook.panel(2)) == []
        notebook.run(3)
        notebook.run(4)
        panel = notebook.panel(4)
        expect(panel).to_contain_text("think …")
        assert violations(panel) == []


@pytest.mark.parametrize("kind", ["lab", "notebook", "lab-without"])
def test_in_a_narrow_window_the_changed_line_of_a_long_cell_is_seen_at_once(
    open_notebook: OpenNotebook, kind: str
) -> None:
    notebook = open_notebook([START, EDITED], kind)
    notebook.run(0)
    notebook.resize(600, 900)
    panel = notebook.fail(1)
    notebook.panel(1).evaluate("panel => panel.scrollIntoView({ block: 'center' })")
    changed = panel.locator(".cm-changedLine, .cm-insertedLine, .rx-new").filter(has_text="total")
    expect(changed.first).to_be_in_viewport(ratio=0.9)  # what is scrolled away in the diff is not in it either
