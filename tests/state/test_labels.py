"""Labels of pandas that are objects of the user's: what a statement does to them is undone. Plain ones cost nothing."""

from __future__ import annotations

import pytest

pandas = pytest.importorskip("pandas")

from tests.state.cells import namespace, run  # noqa: E402
from tests.state.halves.half import Half, check, halves  # noqa: E402

LABEL = """
import numpy as np, pandas as pd
from datetime import timedelta, tzinfo
class Label:
    def __init__(self): self.used = 0
class Zone(tzinfo):
    used = 0
    def utcoffset(self, when): self.used += 1; return timedelta(0)
    def dst(self, when): return None
    def tzname(self, when): return "here"
label, zone = Label(), Zone()
tell = lambda label=label, zone=zone: (label.used, zone.used)
"""


def of(says: str, make: str, change: str) -> Half:
    return Half(says, f"{LABEL}\n{make}\nzone.used = 0\ndel label, zone", change, "tell()")


@halves(
    of("an index", "ix = pd.Index([label])", "ix[0].used += 1"),
    of("columns", "df = pd.DataFrame({label: [1]})", "for each in df.columns: each.used += 1"),
    of("rows", "df = pd.DataFrame({'a': [1]}, index=[label])", "df.index[0].used += 1"),
    of("rows of a series", "s = pd.Series([1], index=[label])", "for each, _ in s.items(): each.used += 1"),
    of("levels", "ix = pd.MultiIndex.from_arrays([[label], [1]])", "ix[0][0].used += 1"),
    of("levels of columns", "df = pd.DataFrame({('a', label): [1]})", "df.columns.levels[1][0].used += 1"),
    of("categories", "c = pd.Categorical([label])", "c[0].used += 1"),
    of("an index of categories", "ix = pd.CategoricalIndex([label])", "ix.categories[0].used += 1"),
    of("a series of categories", "s = pd.Series([label], dtype='category')", "s[0].used += 1"),
    of("a column of them", "df = pd.DataFrame({'a': pd.Categorical([label])})", "df.loc[0, 'a'].used += 1"),
    of("a dtype of categories", "d = pd.CategoricalDtype([label])", "d.categories[0].used += 1"),
    of("many", "ix = pd.Index([label, *range(9_000)], dtype=object)", "ix[0].used += 1"),
    of("among many texts", "ix = pd.Index([*map(str, range(9_000)), label], dtype=object)", "ix[-1].used += 1"),
    of(
        "an array of a class of the user's",
        "class Own(pd.arrays.IntegerArray): seen = label\n"
        "ix = pd.Index(Own(np.array([1]), np.array([False]))); del Own",
        "ix.array.seen.used += 1",
    ),
    of("a time zone", "ix = pd.DatetimeIndex(['2020-01-01'], tz=zone)", "ix.tz.utcoffset(None)"),
    of("that of a series", "s = pd.Series(pd.DatetimeIndex(['2020-01-01'], tz=zone))", "s.dt.tz.utcoffset(None)"),
    of(
        "that of intervals",
        "t = pd.DatetimeIndex(['2020-01-01', '2020-01-02'], tz=zone); ix = pd.IntervalIndex.from_breaks(t)",
        "ix.left.tz.utcoffset(None)",
    ),
)
def test_what_is_done_to_the_users_labels_is_undone(half: Half) -> None:
    check(half)


@pytest.mark.parametrize(
    "make",
    [
        "[*map(str, range(99_000))]",
        "range(1, 99_000, 2)",
        "pd.Index([*map(str, range(99_000))], dtype=object)",
        "pd.date_range('2020', periods=9_000, tz='UTC')",
        "pd.MultiIndex.from_product([range(99), [*map(str, range(99))]])",
    ],
)
def test_plain_labels_are_not_looked_at_one_by_one(make: str) -> None:
    names = namespace(LABEL, f"ix = pd.Index({make})")
    (checkpoint,) = run(names, "if True:\n    ix[0]\n    1 / 0", foreseen=False).aftermath.checkpoints
    assert not checkpoint.uncovered
    assert len(checkpoint.snapshots.entries) < 5
