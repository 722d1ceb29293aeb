"""The first cell of a notebook loads Reflex and fails: the page has not heard of us yet, and shows the panel."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook

SOURCE = "%load_ext reflex_ipython\nprint('once')\nvalues = [3, 4]\nlenn(values)"


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_the_cell_that_loads_us_is_repaired(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([SOURCE], kind)
    panel = notebook.fail(0)
    expect(panel).to_contain_text("resumes at line 4")
    notebook.shot(f"first-cell-{kind}", 0)
    notebook.accept(0)
    notebook.until_source(0, SOURCE.replace("lenn", "len"))
    results = [output["data"] for output in notebook.outputs(0) if output["output_type"] == "execute_result"]
    assert [data["text/plain"] for data in results] == ["2"]
    assert notebook.text(0) == "once\n"
