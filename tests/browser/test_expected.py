"""A cell that was meant to fail gets one quiet line, which can be opened."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import START


@pytest.mark.parametrize("kind", ["lab", "lab-dark", "lab-without"])
def test_an_expected_failure_is_one_line_until_it_is_opened(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([START, "print(toatl)  # raises a NameError"], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    show = notebook.button(1, "Expected to fail · Show")
    expect(show).to_be_visible()
    expect(notebook.button(1, "Accept & run")).to_be_hidden()
    expect(panel.locator(".rx-verdict")).to_be_hidden()
    notebook.shot(f"expected-{kind}")
    show.click()
    expect(show).to_be_hidden()
    expect(panel.locator(".rx-verdict")).to_be_visible()
    notebook.shot(f"expected-opened-{kind}")
    expect(notebook.button(1, "Accept & run")).to_be_enabled()


def test_the_shortcut_opens_an_expected_failure_and_accepts_nothing(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, "print(toatl)  # raises a NameError"])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.select(1)
    notebook.page.keyboard.press("Alt+Shift+A")
    expect(panel.locator(".rx-verdict")).to_be_visible()
    assert notebook.source(1) == "print(toatl)  # raises a NameError"
