"""Rules about columns: of other tables, of tables of one column, under other names; against pandas itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import failure, fixed, fixes, offered
from tests.propose.rules.live import best_that_runs, failed
from tests.propose.rules.scientific import MEANINGS

pytest.importorskip("pandas")

SETUP = (
    "import numpy as np\nimport pandas as pd\nto_number = {'yes': 1, 'no': 0}\n"
    "df = pd.DataFrame({'shop': ['York', 'Hull', 'York'], 'age group': ['1-5', '6-9', '6-9'], 'n': [1, 2, 3],"
    " 'cost': ['1.5', '', '3'], 'price': ['$1.50', '$7', '$1,200'], 'ok': ['yes', 'no', 'yes']})\n"
    "other = df[['n', 'shop']]\nper_shop = df.groupby('shop')[['n']].sum()\nkinds = df.shop.astype('category')"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ('x = df[["shop"]].tolist()', "x == ['York', 'Hull', 'York']"),
        ('def f():\n    return df[["shop"]].unique()\nx = f()', "list(x) == ['York', 'Hull']"),
        ("x = df['ok'].apply(to_number)", "list(x) == [1, 0, 1]"),
        ("x = (other['ok'] == 'yes').sum()", "x == 2"),
        ("x = df.loc['Hull']", "x['n'] == 2"),
        ("x = per_shop.loc[['York', 'hull']]", "list(x.n) == [4, 2]"),
        ("x = per_shop[per_shop['shop'] == 'York']", "x.n.sum() == 4"),
        ("x = df['age group'].split('-')[0]", "list(x) == ['1', '6', '6']"),
        ("x = df['shop'].lower().strip()", "list(x) == ['york', 'hull', 'york']"),
        ("x = df['price'].astype(float)", "x.sum() == 1208.5"),
        ("x = df['price'] * 2.0", "x.sum() == 2417"),
        ("x = df[df['cost'] > 2]", "list(x.n) == [3]"),
        ("x = df.iloc[len(df)]", "x['n'] == 3"),
        ("first = df.iloc(0)\nx = first['n']", "x == 1"),
        ("kinds.loc[0] = 'Leeds'", "list(kinds) == ['Leeds', 'Hull', 'York']"),
        ("df[['a', 'b']] = df['age group'].str.split('-')", "list(df.b) == ['5', '9', '9']"),
        ("df = df.drop(columns=['nothing like it'])", "len(df.columns) == 6"),
        ("x = pd.Timestamp('2024-03-01') - '2024-01-01'", "x.days == 60"),
    ],
)
def test_what_the_live_table_tells_is_meant(cell: str, check: str) -> None:
    notebook, prior = best_that_runs(SETUP, cell)
    assert prior >= LIKELY
    assert eval(check, notebook.namespace)


def test_of_a_table_of_one_column_the_column_is_asked_for_certain() -> None:
    assert fixed(failed(SETUP, 'x = df[["shop"]].unique()')) == 'x = df["shop"].unique()'


def test_what_several_columns_become_is_a_choice() -> None:
    found = offered(failed(SETUP, "df['both'] = df[['n', 'shop']]"))
    assert len(found) >= 2
    assert max(found.values()) < LIKELY


def test_a_file_is_read_again_with_its_own_separator(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item;price\npear;1,5\nfig;2,5\n")
    reading = f"import pandas as pd\nt = pd.read_csv({str(tmp_path / 'a.csv')!r})"
    for cells in ((reading, "x = t['price'].sum()"), (f"{reading}\nx = t['price'].sum()",)):
        notebook, prior = best_that_runs(*cells)
        assert prior >= LIKELY
        assert notebook.namespace["x"] == 4


def test_columns_with_numbers_for_names_are_asked_for_by_them(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A,21.5\nB,18\n")
    reading = f"import pandas as pd\nt = pd.read_csv({str(tmp_path / 'a.csv')!r}, header=None)"
    notebook, prior = best_that_runs(reading, "x = t[t['temp'] > 20]")
    assert prior >= LIKELY
    assert list(notebook.namespace["x"][0]) == ["A"]


def test_of_two_columns_of_a_merge_the_one_that_is_not_used_yet_is_meant() -> None:
    setup = f"{SETUP}\nm = df.merge(df, on='shop')"
    found = offered(failed(setup, "x = m['price'] + m['price_y']"))
    assert found["x = m['price_x'] + m['price_y']"] >= LIKELY
    assert found["x = m['price_y'] + m['price_y']"] < LIKELY / 1.5


def test_tables_are_merged_by_columns_that_share_values() -> None:
    setup = f"{SETUP}\nplaces = pd.DataFrame({{'label': ['York', 'Hull'], 'kind': ['a', 'b']}})"
    notebook, prior = best_that_runs(setup, "x = df.merge(places, on='shop')")
    assert prior >= LIKELY
    assert list(notebook.namespace["x"].kind) == ["a", "b", "a"]


def test_a_condition_tells_which_numbered_column_can_be_meant() -> None:
    setup = "import pandas as pd\nt = pd.DataFrame([['A', 'B', 1.5], ['C', 'D', 3.5]])"
    found = offered(failed(setup, "x = t[t['temp'] > 2]"))
    assert "x = t[t[2] > 2]" in found
    assert "x = t[t[0] > 2]" not in found


def test_a_pair_is_looked_up_in_the_order_that_is_there() -> None:
    setup = "d = {('Oslo', 'Bergen'): 463, ('Oslo', 'Rome'): 2005}"
    notebook, prior = best_that_runs(setup, "x = d['Bergen', 'Oslo']")
    assert prior >= LIKELY
    assert notebook.namespace["x"] == 463


def test_a_field_of_a_template_is_given_by_its_name() -> None:
    setup = "t = 'Dear {name}, order {order_id}'\nplace = 'Rome'\nu = 'in {place}'"
    assert best_that_runs(setup, "x = t.format(name='Ida', order=7)")[0].namespace["x"] == "Dear Ida, order 7"
    assert best_that_runs(setup, "x = u.format()")[0].namespace["x"] == "in Rome"


def test_a_date_of_another_form_is_read_by_its_format() -> None:
    notebook, prior = best_that_runs("from datetime import date", "x = date.fromisoformat('19.02.2024')")
    assert prior >= LIKELY
    assert notebook.namespace["x"] == notebook.namespace["date"](2024, 2, 19)


def test_the_part_of_a_split_is_never_asked_of_the_column_itself() -> None:
    found = offered(failed(SETUP, "x = df['age group'].split('-')[0]"))
    assert not any(".str.split('-')[0]" in source for source in found)


def test_a_loop_over_more_rows_than_there_are_goes_to_the_last() -> None:
    notebook, prior = best_that_runs(SETUP, "seen = []\nfor i in range(99):\n    seen.append(df.iloc[i]['n'])")
    assert prior >= LIKELY
    assert notebook.namespace["seen"] == notebook.namespace["df"]["n"].tolist()


def test_another_cell_must_run_again_only_where_this_one_does_not_make_the_table() -> None:
    lost, error = "df = df.dropna(inplace=True)\ndf.shape", "AttributeError: 'NoneType' object has no attribute 'shape'"
    known = {"meanings": MEANINGS, "types": {"df": "NoneType"}}
    assert "must run again first" in fixes(failure(lost, error, line=2, **known))[0].explanation
    made = fixes(failure(f"df = raw.copy()\n{lost}", error, line=3, **known))
    assert "must run again first" not in made[0].explanation
