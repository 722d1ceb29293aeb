"""Data that a model makes up is doubted; what a cell needs to begin with is not."""

from __future__ import annotations

import pytest

from reflex_ipython.check.critic.invented import InventedDataChecker
from reflex_ipython.check.critic.kind_of_result import ResultKindChecker
from reflex_ipython.models import Lookup
from tests.cases.verify import all_cases
from tests.check import build

LOAD = "import pandas as pd\ndf = pd.read_csv('sales.csv')"


def found(old: str, new: str, *earlier: str, lacking: str = "", names: tuple[str, ...] = ()) -> list[str]:
    lookup = Lookup("name", lacking) if lacking else None
    failure = build.failure(old, earlier=earlier, names=names, lookup=lookup)
    return [one.text for one in InventedDataChecker().check(failure, build.fix(old, new))]


INVENTED = {
    "a table": "df = pd.DataFrame({'a': [1, 2]})\ndf.a.sum()",
    "a list": "df = [1, 2, 3]\ndf.a.sum()",
    "an empty one": "df = pd.DataFrame()\ndf.a.sum()",
    "a number": "df = 5\ndf.a.sum()",
    "at random": "import numpy as np\ndf = np.random.rand(3)\ndf.a.sum()",
    "where it is not there": "if 'df' not in globals():\n    df = {'a': [1, 2]}\ndf.a.sum()",
    "in a chain": "other = df = (1, 2)\ndf.a.sum()",
}


@pytest.mark.parametrize("case", INVENTED)
def test_data_in_the_place_of_what_another_cell_has_made_is_told(case: str) -> None:
    (text,) = found("df.a.sum()", INVENTED[case], LOAD)
    assert text.startswith("makes up `df = ")
    assert text.endswith("`, which an earlier cell has made")


def test_what_the_kernel_has_counts_as_made() -> None:
    assert found("print(rate)", "rate = 0.2\nprint(rate)", names=("rate",)) == [
        "makes up `rate = 0.2`, which another cell has made"
    ]


def test_a_name_that_nobody_has_made_is_made_up_as_well() -> None:
    assert found("print(sum(orders))", "orders = [1, 2]\nprint(sum(orders))", lacking="orders") == [
        "makes up `orders = [1, 2]`, which nothing says"
    ]


NOT_INVENTED = {
    "what it binds itself": ("x = [1, '2']\nsum(x)", "x = [1, 2]\nsum(x)", "x = 5", ""),
    "what it changes a part of": ("size[0] = 5", "size = (5, 2)", "size = (1, 2)", ""),
    "what is computed": ("sum(x)", "x = [int(one) for one in x]\nsum(x)", "x = ['1']", ""),
    "what is read from a file": ("df.a", "df = pd.read_csv('sales.csv')\ndf.a", LOAD, ""),
    "what the earlier cell says": ("n + m", "n = 5\nn + m", "n = 5\nm = 1", ""),
    "a number that was a text": ("n + 1", "n = 5\nn + 1", "n = '5'", ""),
    "a beginning": ("for x in [1]:\n    out.append(x)", "out = []\nfor x in [1]:\n    out.append(x)", "", "out"),
    "another beginning": ("for x in [1]:\n    n = n + x", "n = 0\nfor x in [1]:\n    n = n + x", "", "n"),
    "a word without quotes": ("df[region]", "region = 'region'\ndf[region]", LOAD, "region"),
    "a name of its own": ("f(x)", "y = 5\nf(x, y)", "x = 1", ""),
    "in a function": ("f(df)", "def f(df):\n    df = [1]\n    return df\nf(df)", LOAD, ""),
    "a builtin's name": ("f(list)", "list = [1]\nf(list)", "", ""),
    "what does not parse": ("f(df", "df = [", LOAD, ""),
}


@pytest.mark.parametrize("case", NOT_INVENTED)
def test_what_a_cell_may_set_raises_no_alarm(case: str) -> None:
    old, new, earlier, lacking = NOT_INVENTED[case]
    assert found(old, new, *filter(None, [earlier]), lacking=lacking) == []


def test_no_right_cell_is_doubted() -> None:
    checkers, count = (InventedDataChecker(), ResultKindChecker()), 0
    for case in all_cases():
        if case.correct:
            lookup = Lookup("name", case.cell.split()[0].partition("(")[0]) if case.ename == "NameError" else None
            failure = build.failure(case.cell, case.ename, earlier=case.setup, lookup=lookup)
            told = [one for checker in checkers for one in checker.check(failure, build.fix(case.cell, case.correct))]
            assert told == [], case.id
            count += 1
    assert count > 400
