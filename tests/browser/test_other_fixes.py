"""Where one of several fixes that ran is much likelier it is shown; what the others come to stands below it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import NotebookPage
from tests.browser.test_looks import misfits

LIKELY = "int('3,5')"


def failed(open_notebook: OpenNotebook, kind: str, cell: str = LIKELY, **options: int) -> NotebookPage:
    notebook = open_notebook(["%load_ext reflex_ipython", cell], kind, **options)
    notebook.run(0)
    notebook.fail(1)
    expect(notebook.panel(1).locator(".rx-others")).to_be_visible()
    return notebook


@pytest.mark.parametrize("kind", ["lab", "lab-dark", "lab-without"])
def test_what_another_fix_comes_to_is_told_and_a_click_shows_it(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = failed(open_notebook, kind)
    panel = notebook.panel(1)
    others, pager = panel.locator(".rx-others"), panel.locator(".rx-pager")
    expect(others).to_contain_text("→ gives 3.5 · others that ran:")
    expect(others.get_by_role("button")).to_have_text(["2 → gives 35"])
    notebook.shot(f"other-fixes-{kind}")
    others.get_by_role("button").click()
    expect(pager).to_contain_text("2 of 2")
    expect(others).to_contain_text("→ gives 35 · others that ran:")
    expect(others.get_by_role("button")).to_have_text(["1 → gives 3.5"])
    notebook.button(1, "Accept & run").click()
    expect(notebook.cell(1).locator(".jp-OutputArea-executeResult, .output_result").first).to_contain_text("35")


@pytest.mark.parametrize("width", [1440, 600])
def test_many_of_them_fit(open_notebook: OpenNotebook, width: int) -> None:
    notebook = failed(open_notebook, "lab", "x = '5'\ny = x + 3", width=width)
    panel = notebook.panel(1)
    expect(panel.locator(".rx-other")).not_to_have_count(0)
    assert misfits(panel) == []
    notebook.shot(f"other-fixes-many-{width}")


def test_the_keyboard_stays_in_the_panel(open_notebook: OpenNotebook) -> None:
    notebook = failed(open_notebook, "lab")
    panel = notebook.panel(1)
    panel.locator(".rx-other").focus()
    notebook.page.keyboard.press("Enter")
    expect(panel.locator(".rx-pager")).to_contain_text("2 of 2")
    expect(panel.locator(":focus, :scope:focus").first).to_be_attached()
