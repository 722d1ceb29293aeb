"""Rules about columns of dates, of yes and no, and of several levels; against pandas itself."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("pandas")

SETUP = (
    "import pandas as pd\n"
    "df = pd.DataFrame({'day': pd.to_datetime(['2024-01-05', '2024-02-07']), 'text': ['2024-01-05', '2024-02-07'],"
    " 'paid': ['Y', 'N'], 'other': ['yes', 'perhaps'], 'n': [3, 4], 'tags': [['a', 'b'], ['b']], 'k': ['u', 'v']})\n"
    "wide = df.groupby('k').agg({'n': ['sum', 'max']})\nper = df.set_index('k').n\n"
    "mask = df.n > 3\npart = df.iloc[1:]\ncodes = pd.Series({'10': 1, '20': 2})"
)


@pytest.mark.filterwarnings("ignore:Series.__getitem__ treating keys as positions:FutureWarning")  # pandas 2
@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ("x = df['day'].to_period('M').nunique()", "x == 2"),
        ("x = df.text.to_period('M').nunique()", "x == 2"),
        ("x = df['paid'].astype(int).sum()", "x == 1"),
        ("x = [name.upper() for name in wide.columns]", "x == ['N_SUM', 'N_MAX']"),
        ("x = per.loc[['u', 'w']]", "len(x) == 2 and x.isna().sum() == 1"),
        ("counts = df['tags'].value_counts()\nx = counts['b']", "x == 2"),
        ("x = part[mask.values]", "list(x.n) == [4]"),
        ("x = codes[10]\ny = codes[20]", "(x, y) == (1, 2)"),
        ("bins = [0, 3, 9]\nnames = ['few']\nx = pd.cut(df.n, bins=bins, labels=names)", "len(x) == 2"),
        ("x = pd.DataFrame([(1, 2, 3)], columns=['a', 'b'])", "x.shape == (1, 3)"),
    ],
)
def test_what_a_column_holds_tells_what_is_meant(cell: str, check: str) -> None:
    notebook, _ = best_that_runs(SETUP, cell)
    assert eval(check, notebook.namespace)


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        ("x = df['n'].to_period('M')", ".dt"),
        ("x = df['k'].astype(int)", ".map({"),
        ("x = [name.upper() for name in zip('ab', 'cd')]", '"_".join'),
    ],
)
def test_what_it_does_not_hold_is_not_assumed(cell: str, rule: str) -> None:
    assert not any(rule in source for source in offered(failed(SETUP, cell)))


def test_a_third_word_beside_yes_and_no_has_no_number() -> None:
    [mapped] = [source for source in offered(failed(SETUP, "x = df['other'].astype(int)")) if ".map({" in source]
    with pytest.raises(ValueError, match="NA"):
        exec(SETUP + "\n" + mapped, {})


def test_rows_that_are_there_and_rows_for_all_are_a_choice() -> None:
    found = offered(failed(SETUP, "x = per.loc[['u', 'w']]"))
    likely = [source for source, prior in found.items() if prior >= LIKELY]
    assert len(likely) == 2
