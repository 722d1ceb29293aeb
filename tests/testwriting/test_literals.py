"""A value is written as an expression that gives its equal, as a person would write it."""

from __future__ import annotations

import base64
import collections
import dataclasses
import datetime
import decimal
import enum
import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reflex_ipython.testwriting.literals import CannotWrite, Literal, literal


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Item:
    name: str
    price: float = 1.0


class Ring:
    def __init__(self, outer: int, inner: int = 1) -> None:
        self.outer = outer
        self._inner = inner


class Made:
    def __init__(self, path: str) -> None:
        self.size = len(path)


Pair = collections.namedtuple("Pair", "one two")


def given(found: Literal, folder: Path | None = None) -> Any:
    """What an expression gives, beside its files."""
    names: dict[str, Any] = {"__file__": str((folder or Path()) / "test_it.py")}
    for statement in found.imports:
        exec(statement, names)
    for name, data in found.files.items():
        assert folder is not None
        (folder / name).write_bytes(base64.b64decode(data))
    return eval(found.text, names)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (-0.5, "-0.5"),
        ("it's", '"it\'s"'),
        ('a "word"', "'a \"word\"'"),
        ([1, "b", None], '[1, "b", None]'),
        ((1,), "(1,)"),
        ({"b", "a"}, '{"a", "b"}'),
        (set(), "set()"),
        (frozenset([1]), "frozenset({1})"),
        ({"a": [1, (2, 3)]}, '{"a": [1, (2, 3)]}'),
        (range(3), "range(0, 3)"),
        (collections.Counter("aab"), 'Counter({"a": 2, "b": 1})'),
        (collections.defaultdict(list, {"a": [1]}), 'defaultdict(list, {"a": [1]})'),
        (collections.deque([1], maxlen=2), "deque([1], maxlen=2)"),
        (datetime.date(2024, 5, 1), "datetime.date(2024, 5, 1)"),
        (decimal.Decimal("1.10"), 'Decimal("1.10")'),
        (Path("a/b.csv"), 'Path("a/b.csv")'),
        (Colour.RED, "Colour.RED"),
        (Item("tea", 2.5), 'Item(name="tea", price=2.5)'),
        (Pair(1, 2), "Pair(one=1, two=2)"),
        (len, "len"),
        (int, "int"),
        (np.float64(1.5), "np.float64(1.5)"),
        (pd.Timestamp("2024-01-02"), 'pd.Timestamp("2024-01-02T00:00:00")'),
    ],
    ids=lambda one: one if isinstance(one, str) else None,
)
def test_a_value_is_written_as_a_person_would(value: Any, text: str) -> None:
    found = literal(value)
    assert found.text == text
    assert given(found) == value


def test_a_number_that_is_none_can_be_written() -> None:
    assert math.isnan(given(literal(float("nan"))))
    assert given(literal([float("-inf")])) == [float("-inf")]


def test_an_object_is_the_call_that_makes_it() -> None:
    found = literal(Ring(3, 2))
    assert (found.text, found.kind) == ("Ring(outer=3, inner=2)", "state")
    assert literal(Ring(3)).text == "Ring(outer=3)"


@pytest.mark.parametrize(
    "value", [io.StringIO(), iter([]), Made("path"), lambda: 1], ids=lambda one: type(one).__name__
)
def test_what_no_expression_makes_is_refused_in_words(value: Any) -> None:
    with pytest.raises(CannotWrite, match=r"is a|which no test can name"):
        literal(value)


def test_a_list_that_holds_itself_and_one_that_is_too_long_are_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(CannotWrite, match="holds itself"):
        literal(endless)
    with pytest.raises(CannotWrite, match="more than 2,000"):
        literal(list(range(3_000)))


FRAMES = {
    "plain": pd.DataFrame({"region": ["a", "b"], "sales": [1, 2.5]}),
    "missing": pd.DataFrame({"a": [1, None], "b": ["x", None]}),
    "index": pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="who")),
    "dates": pd.DataFrame({"when": pd.to_datetime(["2024-01-01", None]), "n": [1, 2]}),
    "category": pd.DataFrame({"kind": pd.Categorical(["a", "b", "a"])}),
    "small numbers": pd.DataFrame({"n": np.array([1, 2], dtype="int8")}),
    "empty": pd.DataFrame(),
    "no rows": pd.DataFrame({"a": pd.Series([], dtype="float64")}),
    "by time": pd.DataFrame({"n": [1, 2, 3]}, index=pd.date_range("2024-01-01", periods=3)),
    "long": pd.DataFrame({"n": range(500), "x": np.arange(500) / 3}),
    "long with dates": pd.DataFrame({"when": pd.date_range("2024-01-01", periods=400)}),
    "two levels": pd.DataFrame({"n": [1, 2]}, index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])),
    "columns of one name": pd.DataFrame([[1, 2]], columns=["a", "a"]),
}


@pytest.mark.parametrize("table", FRAMES.values(), ids=FRAMES)
def test_a_frame_is_a_small_constructor_or_a_file_and_gives_the_same(table: pd.DataFrame, tmp_path: Path) -> None:
    found = literal(table, "table")
    pd.testing.assert_frame_equal(given(found, tmp_path), table)
    assert found.kind == "frame"


def test_a_long_frame_is_a_readable_file_beside_the_test() -> None:
    found = literal(FRAMES["long"], "sales")
    more = "" if int(pd.__version__.partition(".")[0]) >= 3 else ', float_precision="round_trip"'
    assert found.text == f'pd.read_csv(Path(__file__).with_name("sales.csv"){more})'
    assert [*found.files] == ["sales.csv"]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, 2], name="n"),
        pd.Series(["a", None]),
        pd.Series([1.5], index=["x"]),
        pd.Series([], dtype="float64"),
        pd.Series([1, 2], dtype="category"),
        pd.Series(pd.to_datetime(["2024-01-01"])),
        pd.Series(range(1_000)),
    ],
    ids=lambda one: f"{one.dtype}-{len(one)}",
)
def test_a_column_gives_the_same(column: pd.Series, tmp_path: Path) -> None:
    pd.testing.assert_series_equal(given(literal(column), tmp_path), column)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(3),
        np.eye(2),
        np.array([], dtype=float),
        np.zeros((0, 3)),
        np.array(["a"]),
        np.arange(500),
        np.ones(2, "f4"),
    ],
    ids=lambda one: f"{one.dtype}-{one.shape}",
)
def test_an_array_gives_the_same(array: Any, tmp_path: Path) -> None:
    made = given(literal(array), tmp_path)
    np.testing.assert_array_equal(made, array)
    assert made.dtype == array.dtype
