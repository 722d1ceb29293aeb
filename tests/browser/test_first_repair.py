"""The notebook that `make demo` opens, clicked through from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "01_first_repair.ipynb"
REPAIRED = {
    4: 'by_region = sales.groupby("region")["revenue"].sum()\nby_region',
    6: "def growth(before, after):\n    return (after - before) / before",
    8: 'typical = sales["revenue"].median()\nprint(f"typically {typical:.2f}")',
    10: (
        'first = sales[sales["year"] == 2024].set_index("region")["revenue"]\n'
        'last = sales[sales["year"] == 2025].set_index("region")["revenue"]\n'
        'report = pd.DataFrame({"2024": first, "2025": last, "growth": growth(first, last)})\nreport'
    ),
    12: (
        "import matplotlib.pyplot as plt\n"
        'report["growth"].plot.bar(rot=0)\nplt.ylabel("growth")\nplt.title("Who grew?")\nplt.show()'
    ),
}


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_the_first_notebook_is_repaired_from_top_to_bottom(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook(NOTEBOOK, kind)
    for index in range(1, 13):
        if index in (3, 5, 7, 9, 11):
            continue
        if index not in REPAIRED:
            notebook.run(index)
        else:
            notebook.fail(index)
            notebook.shot(f"first-{kind}-{index:02d}-failed")
            notebook.accept(index)
            assert notebook.source(index).strip() == REPAIRED[index].strip()
            assert not [o for o in notebook.outputs(index) if o["output_type"] == "error"]
    notebook.shot(f"first-{kind}-12-repaired")
    assert "typically 85.50" in notebook.text(8)
    assert any("image/png" in output.get("data", {}) for output in notebook.outputs(12))
    notebook.run(14)
    rows = notebook.cell(14).locator("tbody tr")
    for place in range(5):
        expect(rows.nth(place)).to_contain_text("accepted")
    notebook.shot(f"first-{kind}-14-history")
