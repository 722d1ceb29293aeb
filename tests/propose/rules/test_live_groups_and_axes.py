"""Rules about loops over groups, conditions, axes, places and durations; against the libraries themselves."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("sklearn")

SETUP = (
    "import numpy as np\nimport pandas as pd\nfrom sklearn.model_selection import KFold\n"
    "df = pd.DataFrame({'k': ['u', 'v', 'u'], 'n': [1, 5, 9], 'took': pd.to_timedelta([40, 90, 200], unit='min'),"
    " 'rec': [{'a': 1}, {'a': 2}, {'a': 3}]})\nnames = pd.DataFrame({'code': ['u', 'v'], 'full': ['up', 'van']})\n"
    "cube = np.arange(24.0).reshape(4, 3, 2)\nwhich = np.array([True, False, True, False])\nlast = 2\n"
    "per = df.groupby('k', as_index=False)['n'].sum()"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ("x = {}\nfor k in df.groupby('k'):\n    x[k] = (df['k'] == k).sum()", "x == {'u': 2, 'v': 1}"),
        ("x = np.where(df.n > 3, 1)", "list(x) == [0, 1, 1]"),
        (
            "c = [df.n < 2, df.n < 6]\nv = ['a', 'b', 'z']\nx = np.select(c, v, default='z')",
            "list(x) == ['a', 'b', 'z']",
        ),
        ("m = cube.mean(axis=2)\nx = cube - m", "x.shape == (4, 3, 2) and x.sum() == 0"),
        ("x = pd.DataFrame(cube)", "x.shape == (4, 6)"),
        ("i, j = cube[0].argmax()", "(i, j) == (2, 1)"),
        ("x = df['k'].map(names)", "list(x) == ['up', 'van', 'up']"),
        ("x = df.iloc['last']", "x['n'] == 9"),
        ("part = cube[which]\nx = part[which]", "x.shape == (2, 3, 2)"),
        ("x = df[df['took'] > 60]", "list(x.n) == [5, 9]"),
        ("x = [df[test].n.sum() for train, test in KFold(3).split(df)]", "x == [1, 5, 9]"),
        ("x = df['a'].sum()", "x == 6"),
        ("x = per.loc['v', 'n']", "x == 5"),
    ],
)
def test_the_live_values_tell_what_is_meant(cell: str, check: str) -> None:
    notebook, prior = best_that_runs(SETUP, cell)
    assert prior >= LIKELY
    assert eval(check, notebook.namespace)


def test_a_number_far_from_all_durations_is_not_sure_of_its_unit() -> None:
    found = offered(failed(SETUP, "x = df[df['took'] > 0.001]"))
    assert not any("seconds=" in source and prior >= LIKELY for source, prior in found.items())
