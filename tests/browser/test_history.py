"""The tab "Reflex: History": from the popover and the palette, with nothing, little and much in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.bench.history import fill
from tests.browser.axe import violations
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START, NotebookPage

MANY = 100_000


def history_of(notebook: NotebookPage) -> Path:
    """The file of the server's user, which is the kernel's as well."""
    return notebook.server.root.parent / "data" / "reflex_ipython" / "history.sqlite"


def tab(notebook: NotebookPage) -> Locator:
    return notebook.page.locator(".rx-history")


def opened(notebook: NotebookPage) -> Locator:
    """The tab, by the palette."""
    notebook.page.keyboard.press("Control+Shift+C")
    palette = notebook.page.locator(".lm-CommandPalette")
    palette.locator("input").fill("reflex history")
    palette.get_by_text("History", exact=True).first.click()
    expect(tab(notebook)).to_be_visible()
    return tab(notebook)


@pytest.fixture(scope="session")
def long_history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "history.sqlite"
    fill(path, MANY)
    return path


def test_a_repair_is_found_read_and_its_cell_opened(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, "print(toatl, 'again')"])
    notebook.run(0)
    notebook.fail(1)
    notebook.accept(1)
    notebook.until_source(1, FIXED)
    notebook.page.locator(".reflex-status").click()
    notebook.page.locator(".rx-popover").get_by_role("button", name="History…").click()
    history = tab(notebook)
    history.get_by_label("Notebook").fill(notebook.name)
    rows = history.locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("NameError: name 'toatl' is not defined")
    expect(rows.first).to_contain_text("accepted")
    rows.first.get_by_role("button").click()
    details = history.get_by_label("Details of the repair")
    expect(details.locator(".rx-removed")).to_have_text("-print(toatl)")
    expect(details.locator(".rx-added")).to_have_text("+print(total)")
    expect(details).to_contain_text("ran in a copy of your kernel")
    expect(details).to_contain_text("Trial of")
    assert violations(history) == []
    notebook.shot("history-details")
    details.get_by_role("button", name="Open the cell").click()
    notebook.page.wait_for_function(
        "name => window.jupyterapp.shell.currentWidget.context?.path === name", arg=notebook.name
    )
    assert notebook.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex") == 1


@pytest.mark.parametrize("kind", ["lab", "lab-dark"])
def test_nothing_ten_and_very_many_look_right(open_notebook: OpenNotebook, long_history: Path, kind: str) -> None:
    notebook = open_notebook([START], kind)
    path = history_of(notebook)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    history = opened(notebook)
    expect(history).to_contain_text("No repairs yet.")
    expect(history.locator("table")).to_be_hidden()
    notebook.shot(f"history-{kind}-empty")
    fill(path, 10)
    history.get_by_role("button", name="Refresh").click()
    expect(history.locator("tbody tr")).to_have_count(10)
    history.locator("summary", has_text="Charts").click()
    expect(history.locator(".rx-chart svg").first).to_be_visible()
    notebook.shot(f"history-{kind}-ten")
    shutil.copy(long_history, path)
    history.get_by_role("button", name="Refresh").click()
    expect(history).to_contain_text(f"{MANY} repairs:")
    expect(history.locator("tbody tr")).to_have_count(100)
    history.get_by_label("Exception").select_option("KeyError")
    history.get_by_label("Text").fill("column_1995")
    expect(history.locator("tbody tr")).to_have_count(50)
    expect(history.locator("tbody tr").first).to_contain_text("KeyError")
    expect(history.locator(".rx-chart svg").nth(3)).to_be_visible()
    assert violations(history) == []
    notebook.shot(f"history-{kind}-many")
    history.get_by_label("Text").fill("nowhere to be found")
    expect(history).to_contain_text("No repair fits these filters.")
