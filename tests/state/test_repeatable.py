"""Which last expressions may run once more."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy
import pandas
import pytest

from reflex_ipython.state.repeatable import repeats_nothing, shows_nothing


class Shop:
    name = "corner"

    def __init__(self) -> None:
        self.rows = [1, 2]

    @property
    def orders(self) -> int:
        raise AssertionError("it was asked")

    def total(self) -> int:
        return 3


class Answers:
    def __getattr__(self, name: str) -> int:
        raise AssertionError("it was asked")


class Rows(list[int]):
    def __getitem__(self, key: Any) -> Any:
        raise AssertionError("it was asked")


THERE = {
    **{"shop": Shop(), "answers": Answers(), "own": Rows(), "rows": [1, [2]], "by_name": {"a": Shop()}, "n": 3},
    **{"math": math, "df": pandas.DataFrame({"a": [1]}), "array": numpy.zeros(3), "Shop": Shop, "key": Shop()},
}
SURELY = [
    *("1", "'a'", "n", "shop", "n + 1", "-n", "n > 2", "f'{n} rows'", "math.pi", "shop.rows", "shop.rows[0]"),
    *("shop.name", "shop.total", "Shop.name", "rows[1][0]", "rows[0:1]", "by_name['a']", "by_name['a'].rows"),
    *(
        "(n, shop)",
        "[n]",
        "{'n': n}",
        "len(rows)",
        "type(shop)",
        "df",
        "df.shape",
        "df['a']",
        "df[['a']]",
        "df.head(2)",
    ),
    *("df.columns", "array[0]", "array.shape", "not n", "n and rows[0]"[:1]),
]
NOT_SURELY = [
    *("post(1)", "shop.total()", "shop.orders", "answers.x", "own[0]", "rows.pop()", "rows[key]", "by_name[key]"),
    *("await n", "[post(i) for i in rows]", "f'{shop}'", "shop + 1", "df.apply(post)", "df.pop('a')", "df[post]"),
    *(
        "(yield_ := 1)",
        "print(1)",
        "math.sin(1)",
        "sorted(rows)",
        "shop.nothing",
        "df.head(key)",
        "lambda: 1",
        "rows[len(rows) - 1].x",
    ),
]


@pytest.mark.parametrize("code", SURELY)
def test_what_only_looks_may_run_again(code: str) -> None:
    assert repeats_nothing(ast.parse(code, mode="eval").body, THERE)


@pytest.mark.parametrize("code", NOT_SURELY)
def test_what_may_do_something_may_not_and_finding_out_does_nothing_either(code: str) -> None:
    assert not repeats_nothing(ast.parse(code, mode="eval").body, THERE)


def test_of_a_name_that_may_mean_something_else_by_then_only_the_name_is_sure() -> None:
    assert repeats_nothing(ast.parse("rows", mode="eval").body, THERE, {"rows"})
    assert not repeats_nothing(ast.parse("rows[0]", mode="eval").body, THERE, {"rows"})


@pytest.mark.parametrize(
    ("code", "nothing"),
    [("print(n)", True), ("rows.append(1)", True), ("own.append(1)", False), ("rows.pop()", False), ("n", False)],
)
def test_what_is_none_in_any_case_is_known(code: str, nothing: bool) -> None:
    assert shows_nothing(ast.parse(code, mode="eval").body, THERE) is nothing
