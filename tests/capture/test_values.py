from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import functools
import math
import pathlib
import re
import sys
import types
from typing import Any

import pytest

from reflex_ipython.capture.bounds import SummaryDeadline
from reflex_ipython.capture.values import summarize
from reflex_ipython.models import ValueSummary


def summary(value: Any, size: int = 2_000) -> ValueSummary:
    return summarize("value", value, SummaryDeadline(60, 60), size)


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


Point = collections.namedtuple("Point", "x y")


def area(width: float, /, height: float = 2, *rest: int, unit: str, scale: Any = math.pi, **more: Any) -> None: ...


class Model:
    colour = "red"

    def __init__(self, size: int, depth: int = 3) -> None:
        self.size = size
        self._hidden = depth
        self.inner: Any = None

    @property
    def expensive(self) -> int:
        raise AssertionError("a property is not computed")

    def fit(self) -> None: ...


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "scalar", "None"),
        (True, "scalar", "True"),
        (3, "scalar", "3"),
        (1.5, "scalar", "1.5"),
        (2j, "scalar", "2j"),
        ("it's", "scalar", '"it\'s"'),
        (b"ab", "scalar", "b'ab'"),
        (range(3), "scalar", "range(0, 3, 1)"),
        (Colour.RED, "scalar", "tests.capture.test_values.Colour.RED"),
        (Level.LOW, "scalar", "tests.capture.test_values.Level.LOW"),
        (datetime.date(2024, 5, 1), "scalar", "2024-05-01"),
        (datetime.datetime(2024, 5, 1, 2, 3), "scalar", "2024-05-01T02:03:00"),
        (datetime.datetime(2024, 5, 1, tzinfo=datetime.timezone.utc), "scalar", "2024-05-01T00:00:00 with time zone"),
        (datetime.timedelta(1), "scalar", "1 day, 0:00:00"),
        (decimal.Decimal("1.10"), "scalar", "1.10"),
        (fractions.Fraction(1, 3), "scalar", "1/3"),
        (pathlib.PurePosixPath("a/b"), "scalar", "a/b"),
        (re.compile("a+"), "scalar", "re.compile('a+')"),
        ([], "sequence", "[]"),
        ([1, "a", None], "sequence", "list of 3: [1, 'a', None]"),
        ((1,), "sequence", "tuple of 1: (1,)"),
        ({1}, "sequence", "set of 1: {1}"),
        (frozenset({1}), "sequence", "frozenset of 1: frozenset({1})"),
        (collections.deque([1, 2]), "sequence", "collections.deque of 2: collections.deque([1, 2])"),
        (Point(1, 2), "sequence", "tests.capture.test_values.Point of 2: tests.capture.test_values.Point(x=1, y=2)"),
        ({"a": [1], 2: None}, "mapping", "dict of 2: {'a': [1], 2: None}"),
        (collections.Counter("a"), "mapping", "collections.Counter of 1: collections.Counter({'a': 1})"),
        (math, "module", "module math"),
        (area, "function", f"area(width, height=2, *rest, unit, scale={math.pi}, **more)"),
        (functools.lru_cache(area), "function", f"area(width, height=2, *rest, unit, scale={math.pi}, **more)"),
        (Model(1).fit, "function", "fit()"),
        (len, "function", "len(obj, /)"),
        (Model, "object", "class tests.capture.test_values.Model(size, depth=3)"),
    ],
)  # fmt: skip
def test_a_value_is_told_as_its_family_is(value: Any, kind: str, text: str) -> None:
    found = summary(value)

    assert (found.kind, found.text) == (kind, text)


def test_an_object_is_told_by_its_class_and_its_stored_attributes() -> None:
    model = Model(4)
    model.inner = Model(5)

    found = summary(model)

    assert found.kind == "object"
    assert found.text.splitlines() == [
        "tests.capture.test_values.Model object",
        ".size = 4",
        ".inner = <tests.capture.test_values.Model size=5, inner=None, _hidden=3>",
        "._hidden = 3",
        "methods: expensive, fit",
    ]
    assert set(found.labels) == {"size", "inner", "colour", "expensive", "fit"}


def test_long_containers_show_their_start_and_their_size() -> None:
    assert summary(list(range(1_000_000))).text.endswith("18, 19, …]")
    assert summary(list(range(1_000_000))).text.startswith("list of 1,000,000: [0, 1, ")


def test_the_labels_are_the_strings_among_the_keys() -> None:
    assert summary({"a": 1, 2: 3, ("x", "y"): 4, "b" * 101: 5, "c": 6}).labels == ("a", "c")
    assert summary(Point(1, 2)).labels == ("x", "y")
    assert summary(area).labels == ("height", "unit", "scale")


def test_a_lazy_module_is_not_loaded_by_looking_at_it() -> None:
    class Lazy(types.ModuleType):
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(name)

    assert summary(Lazy("lazy")).text == "module lazy"


def test_a_text_of_any_kind_fits_its_size_and_its_encoding() -> None:
    for value in ("\ud800\0" * 5_000, {"\ud800": "\0"}, ["x" * 1_000] * 100):
        found = summary(value, size=100)
        assert len(found.text) <= 100
        found.text.encode()
        assert "\0" not in found.text


# ------------------------------------------------------------------------------------------------ numpy


def test_an_array_is_told_by_its_shape_type_range_and_first_values() -> None:
    numpy = pytest.importorskip("numpy")

    found = summary(numpy.arange(12.0).reshape(3, 4))

    assert (found.kind, found.type) == ("array", "numpy.ndarray")
    assert found.text == (
        "array, shape (3, 4); dtype float64; from 0.0 to 11.0; first values 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, …"
    )


def test_missing_numbers_are_counted_and_do_not_hide_the_range() -> None:
    numpy = pytest.importorskip("numpy")

    assert "from 1.0 to 3.0; 2 NaN" in summary(numpy.array([1, numpy.nan, 3, numpy.nan])).text
    assert "dtype float64; 1 NaN" in summary(numpy.array([numpy.nan])).text


def test_a_large_array_is_not_read() -> None:
    numpy = pytest.importorskip("numpy")
    large = numpy.broadcast_to(numpy.float64(1), (10**6, 10**6))  # 8 TB, if anything made it real

    assert "range" not in summary(large).text
    assert "first values 1.0" in summary(large).text


def test_the_objects_in_an_array_are_not_asked() -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.empty(2, dtype=object)
    array[0] = Model(1)

    assert "<tests.capture.test_values.Model size=1" in summary(array).text


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("numpy.float64(1.5)", "numpy.float64(1.5)"),
        ("numpy.int64(3)", "numpy.int64(3)"),
        ("numpy.array(['2020-01-01'], 'M8[D]')", "array, shape (1,); dtype datetime64[D]; first values '2020-01-01'"),
        ("numpy.array([], int)", "array, shape (0,); dtype int64; first values "),
        ("numpy.zeros(1, [('a', 'i4')])", "array, shape (1,); dtype [('a', '<i4')]; first values (0,)"),
        ("numpy.ma.array([1, 2])", "array, shape (2,); dtype int64; from 1 to 2; first values 1, 2"),
    ],
)
def test_other_numpy_values_are_told(code: str, text: str) -> None:
    assert summary(eval(code, {"numpy": pytest.importorskip("numpy")})).text == text


# ------------------------------------------------------------------------------------------------ pandas


def table(pandas: Any) -> Any:
    return pandas.DataFrame({"region": ["north", None], "sales": [1.5, 2.0], 3: pandas.to_datetime(["2020", "2021"])})


def test_a_table_is_told_by_its_columns_their_types_and_first_values() -> None:
    pandas = pytest.importorskip("pandas")

    found = summary(table(pandas))

    lines = found.text.splitlines()
    assert (found.kind, found.type) == ("table", "pandas.DataFrame")
    assert lines[:2] == ["DataFrame, 2 rows × 3 columns", "index: RangeIndex of 2 (0, 1)"]
    assert lines[2].startswith("'region': ")
    assert lines[2].endswith("; 1 missing")
    assert lines[3] == "'sales': float64; 1.5, 2.0"
    assert "2020-01-01" in lines[4]
    assert found.labels == ("region", "sales")


def test_a_series_and_an_index_are_tables() -> None:
    pandas = pytest.importorskip("pandas")
    column = table(pandas).set_index("region")["sales"]

    assert summary(column).text.startswith("Series of 2 named 'sales'\nindex: Index of 2 ('north', ")
    assert summary(column).labels == ("north",)
    assert summary(column.index).kind == "table"


def test_many_columns_are_told_in_part() -> None:
    pandas = pytest.importorskip("pandas")
    wide = pandas.DataFrame([range(1_000)], columns=[f"column{number}" for number in range(1_000)])

    found = summary(wide)

    assert found.text.endswith("… 960 more columns")
    assert len(found.labels) == 500


def test_what_a_derived_table_overrides_does_not_run() -> None:
    pandas = pytest.importorskip("pandas")

    class Frame(pandas.DataFrame):  # type: ignore[misc]
        @property
        def columns(self) -> Any:
            raise AssertionError

        iloc = shape = __len__ = __getitem__ = dtypes = columns

    frame = Frame.__new__(Frame)
    object.__setattr__(frame, "_mgr", table(pandas)._mgr)

    assert summary(frame).text.startswith("DataFrame, 2 rows × 3 columns")
    assert summary(frame).labels == ("region", "sales")


def test_the_objects_in_a_table_are_not_asked() -> None:
    pandas = pytest.importorskip("pandas")

    class Silent:
        def __repr__(self) -> str:
            raise AssertionError

    assert "<tests.capture.test_values" in summary(pandas.DataFrame({"a": [Silent()]})).text


def test_tables_inside_of_others_are_told_by_their_shape() -> None:
    pandas = pytest.importorskip("pandas")

    assert summary([table(pandas)]).text == "list of 1: [<DataFrame, 2 rows × 3 columns>]"


def test_a_column_of_a_foreign_type_is_told_by_its_type_alone() -> None:
    pandas = pytest.importorskip("pandas")
    extension = pytest.importorskip("pandas.api.extensions")

    class Dtype(extension.ExtensionDtype):  # type: ignore[misc]
        name = "odd"
        type = object

        @classmethod
        def construct_array_type(cls) -> Any:
            return Odd

    class Odd(extension.ExtensionArray):  # type: ignore[misc]
        asked = 0
        dtype = Dtype()

        def __len__(self) -> int:
            return 2

        def __getitem__(self, item: Any) -> Any:
            Odd.asked += 1
            return self

        def isna(self) -> Any:
            Odd.asked += 1

    frame = pandas.DataFrame({"a": pandas.Series(Odd(), copy=False)}, copy=False)
    Odd.asked = 0

    found = summary(frame)

    assert found.text.splitlines()[-1].startswith("'a': tests.capture.test_values")
    assert Odd.asked == 0


# ------------------------------------------------------------------------------------------------ torch


def test_a_tensor_is_told_without_waiting_for_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tensor:  # torch is too large to install for this: a stand-in with the members that are read
        shape, dtype, layout, requires_grad = (2, 2), "torch.float32", "torch.strided", True

        def __init__(self, device: str) -> None:
            self.device = types.SimpleNamespace(type=device)
            self.waited = False

        def detach(self) -> Any:
            self.waited = True
            return self

        def numel(self) -> int:
            return 4

        def is_complex(self) -> bool:
            return False

        def min(self) -> Any:
            return types.SimpleNamespace(item=lambda: 0.0)

        def max(self) -> Any:
            return types.SimpleNamespace(item=lambda: 3.0)

        def flatten(self) -> Any:
            return Flat()

    class Flat:
        def __getitem__(self, item: slice) -> Any:
            return types.SimpleNamespace(tolist=lambda: [0.0, 3.0])

    torch = types.ModuleType("torch")
    torch.Tensor = Tensor  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    near, far = Tensor("cpu"), Tensor("cuda")

    assert "from 0.0 to 3.0; first values 0.0, 3.0" in summary(near).text
    assert summary(far).kind == "array"
    assert not far.waited
