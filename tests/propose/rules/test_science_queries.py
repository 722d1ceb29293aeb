"""Rules about the text of `df.query`, against pandas itself."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("pandas")

SETUP = (
    "import pandas as pd\nlimit, who = 4, 'Oslo'\n"
    "df = pd.DataFrame({'age': [1, 5, 9], 'Home Town': ['Oslo', 'Rome', 'Bern'], 'city': ['Oslo', 'Rome', 'Bern']})"
)


@pytest.mark.parametrize(
    ("cell", "rows"),
    [
        ("x = df.query(\"age > limit and city != 'limit'\")", 2),
        ("x = df.query('Home Town == \"Oslo\"')", 1),
        ('x = df.query("city == Oslo")', 1),
        ('def f():\n    return df.query(f"city == {who}").age\nx = f()', 1),
        ("x = df.query(\"city == 'Oslo' && age > 0\")", 1),
        ("x = df.query(\"city = 'Oslo'\")", 1),
        ("x = df.query(\n    \"city == 'Oslo' OR age > 8\"\n)", 2),
        ('x = df.eval("old = age > limit")\nx = x[x.old]', 2),
    ],
)
def test_a_query_is_written_as_pandas_reads_it(cell: str, rows: int) -> None:
    notebook, prior = best_that_runs(SETUP, cell)
    assert prior >= LIKELY
    assert len(notebook.namespace["x"]) == rows


def test_a_name_that_is_nowhere_is_not_made_up() -> None:
    found = offered(failed(SETUP, 'df.query("nowhere > 3")'))
    assert not any("@" in source or "'nowhere'" in source for source in found)
