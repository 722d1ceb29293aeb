"""Cells that have used values which an accepted fix has replaced are named on its line, and run again at a click."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import START

CELLS = [START, "rate = 2", "price = rate * 10\nprint(price)", "print('total', total)", "print(price + 1)"]


@pytest.mark.parametrize("kind", ["lab", "lab-dark"])
def test_they_are_named_in_order_and_run_at_a_click(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook(CELLS, kind)
    for index in range(5):
        notebook.run(index)
    notebook.rewrite(1, "rate = toatl + 2")
    notebook.fail(1)
    notebook.accept(1)
    panel = notebook.panel(1)
    expect(panel).to_contain_text("In [3] and In [5] were computed with the old rate.")
    notebook.shot(f"stale-results-{kind}")
    notebook.forget_run(4)
    panel.get_by_role("button", name="Run them").click()
    notebook.until_run(4)
    notebook.until_printed(2, "30")
    notebook.until_printed(4, "31")
    expect(panel.get_by_role("button", name="Run them")).to_be_hidden()
    expect(panel).not_to_contain_text("computed with")
    assert notebook.value("get_ipython().execution_count") == "10"
    notebook.shot(f"stale-results-run-{kind}")
