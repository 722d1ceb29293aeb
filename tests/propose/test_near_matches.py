"""The names that are there and near to the one that was looked up in vain, each put into the failing cell."""

from __future__ import annotations

import pytest

from reflex_ipython.models import CellRef, CellSource, Failure, Lookup
from reflex_ipython.propose.near_matches import MOST, near_matches
from tests.propose.rules.build import (
    failure,
    no_argument,
    no_attribute,
    no_column,
    no_key,
    no_module,
    not_in_module,
    undefined,
)

CASES: list[tuple[Failure, dict[str, str]]] = [
    (
        no_column("x = 1\ndf.groupby('area').sum()", "area", "region", "sales", line=2),
        {"region": "x = 1\ndf.groupby('region').sum()", "sales": "x = 1\ndf.groupby('sales').sum()"},
    ),
    (no_column("df.cost", "cost", "price"), {"price": "df.price"}),
    (no_key("d['north']", "north", "n", "s"), {"n": "d['n']", "s": "d['s']"}),
    (no_key('d["a"]', "a", "it's", "b"), {"it's": 'd["it\'s"]', "b": 'd["b"]'}),
    (undefined("print(sales_totl)", "sales_totl", "sales_total"), {"sales_total": "print(sales_total)"}),
    (no_attribute("s.appendd(1)", "appendd", "s", "list", "append", "pop"), {"append": "s.append(1)"}),
    (no_argument("f(colour=1)", "colour", "f", "color", "size"), {"color": "f(color=1)", "size": "f(size=1)"}),
    (no_module("import nmupy as np", "nmupy", "numpy"), {"numpy": "import numpy as np"}),
    (not_in_module("from math import sqrtt", "sqrtt", "math", "sqrt", "pi"), {"sqrt": "from math import sqrt"}),
    (
        failure(
            'open("data/sale.csv")',
            "FileNotFoundError: No such file",
            lookup=Lookup("path", "data/sale.csv", "data", available=("data/old.csv", "data/sales.csv")),
        ),
        {"data/sales.csv": 'open("data/sales.csv")'},
    ),
    (
        failure(
            'open("sales_2023.csv")',
            "FileNotFoundError: No such file",
            lookup=Lookup("path", "sales_2023.csv", ".", available=("sales_2024.csv", "sales_2024.py", "q1.csv")),
        ),
        {"sales_2024.csv": 'open("sales_2024.csv")'},
    ),
    (
        failure("d['1']", "KeyError: '1'", lookup=Lookup("key", "1", "d", "dict", others=("1", "2"))),
        {"2": "d[2]"},
    ),
]


@pytest.mark.parametrize(("failed", "wanted"), CASES, ids=lambda case: getattr(case, "title", ""))
def test_each_name_that_is_there_is_put_in_where_the_wrong_one_stood(failed: Failure, wanted: dict[str, str]) -> None:
    assert {match.name: match.source for match in near_matches(failed)} == wanted


def test_the_nearest_comes_first_and_there_are_a_few() -> None:
    names = [f"column_{number}" for number in range(10_000)]
    found = near_matches(no_column("df['column_77x']", "column_77x", *names))
    assert len(found) == MOST
    assert found[0].name.startswith("column_77")


def test_names_that_have_nothing_in_common_are_not_offered_of_a_namespace() -> None:
    assert near_matches(undefined("print(weather)", "weather", "x", "totals", "np", "the")) == ()
    assert near_matches(undefined("bananas", "bananas", "abs")) == ()


def test_a_name_that_an_earlier_cell_should_have_set_is_the_right_one() -> None:
    setter = CellSource(CellRef("two", 2), "total = 1 / 0", "ZeroDivisionError: division by zero", 1)
    lookup = Lookup("name", "total", available=("totals",), setters=(setter,))
    assert near_matches(failure("total", "NameError: total", lookup=lookup)) == ()


@pytest.mark.parametrize("name", ["a\nb", "", "x" * 300, "\u202eabc", "\ud800"])
def test_what_can_not_be_drawn_as_it_is_is_not_offered(name: str) -> None:
    assert [match.name for match in near_matches(no_column("df['area']", "area", name, "region"))] == ["region"]


@pytest.mark.parametrize("name", ["a'b", 'a"b', "a\\b", "a{b}", "') + f('"])
def test_a_label_stays_a_text_whatever_is_in_it(name: str) -> None:
    [match] = near_matches(no_column("df['area']", "area", name))
    assert match.source == f"df[{name!r}]"


def test_an_argument_that_is_no_name_is_not_put_in() -> None:
    assert near_matches(no_argument("f(colour=1)", "colour", "f", "color=1, x")) == ()


def test_nothing_is_offered_where_the_place_is_not_certain_or_there_is_no_look_up() -> None:
    assert near_matches(failure("1 / 0", "ZeroDivisionError: division by zero")) == ()
    assert near_matches(no_column("df[name]", "area", "region")) == ()
    assert near_matches(failure("f()", lookup=Lookup("column", "a", "df", available=("b",)), cell=CellRef("x"))) == ()


def test_an_array_of_axes_that_is_to_draw_has_no_name_that_is_meant() -> None:
    assert near_matches(no_attribute("axs[0].hist(x)", "hist", "axs[0]", "numpy.ndarray", "tolist")) == ()
    assert near_matches(no_attribute("a.tolit()", "tolit", "a", "numpy.ndarray", "tolist"))
