"""Texts are found as if every repair were looked at, however long the history is, and whatever way is taken."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import sqlite3
from contextlib import closing

import pytest

from reflex_ipython.models import RepairFilter, moment
from reflex_ipython.remember import search, tables
from reflex_ipython.remember.in_memory import found_among
from reflex_ipython.remember.postgresql import _DIALECT, PostgreSqlStore
from reflex_ipython.remember.store import dialect
from reflex_ipython.testing import full_repair

ROWS = 1_500
TEXTS = (
    "total",  # all have it
    "tot",
    "seldom",  # one in 50
    "early",  # only old ones
    "early total",
    "total seldom early",
    "even odd",  # each is frequent, together they never are
    "nowhere",
    "total nowhere",
    "naïve",
    "NAÏVE total",
    "aïve",  # no word begins so
    "a b c d e f g h i j",
    "column_7",
)
OTHERS = (
    {},
    {"notebook": "rare.ipynb"},
    {"notebook": "often.ipynb"},
    {"ename": "KeyError"},
    {"accepted": True},
    {"accepted": False, "ename": "KeyError"},
    {"session": "s3"},
    {"until": moment(60.0 * 400)},
    {"since": moment(60.0 * 1_450)},
)


def numbered(number):
    words = [
        "total",
        "seldom" if number % 50 == 0 else "",
        "early naïve" if number < 60 else "",
        ("even", "odd")[number % 2],
        "a b c d e f g h i j k l" if number % 400 == 9 else "",
        f"column_{number % 90}",
    ]
    repair = full_repair(
        f"{number:06}", moment(60.0 * number), source=" ".join(words), decided="accepted" if number % 30 == 0 else None
    )
    error = dataclasses.replace(repair.failure.error, ename="KeyError" if number % 3 else "NameError")
    return dataclasses.replace(
        repair,
        cause=dataclasses.replace(repair.failure, exceptions=(error,)),
        notebook="/w/rare.ipynb" if number in range(20, 1_500, 200) else "/w/often.ipynb",
        session=f"s{number // 300}",
    )


REPAIRS = [numbered(number) for number in range(ROWS)]


@functools.cache
def found_one_by_one(which):
    return found_among(REPAIRS, which, ROWS)


@pytest.fixture(scope="module")
def file(sqlite, tmp_path_factory):
    path = tmp_path_factory.mktemp("searched") / "history.sqlite"
    store = sqlite(path, warn=pytest.fail)
    with store._file.writing() as connection:
        connection.set_progress_handler(None, 0)  # this takes its time
        way = dialect(connection)
        for repair in REPAIRS:
            tables.save(connection, repair, way)
    return store


@pytest.fixture(scope="module")
def file_without_index(sqlite, tmp_path_factory):
    """As a build of SQLite makes it that has no FTS5."""
    path = tmp_path_factory.mktemp("without") / "history.sqlite"
    store = sqlite(path, warn=pytest.fail)
    store.save(REPAIRS[0])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE repair_words")
    with store._file.writing() as connection:
        connection.set_progress_handler(None, 0)  # this takes its time
        way = dialect(connection)
        for repair in REPAIRS:
            tables.save(connection, repair, way)
    return store


@pytest.fixture(scope="module")
def on_server(postgres):
    postgres.execute("DROP TABLE IF EXISTS repairs, bodies, precedents, tallies, reflex_schema")
    store = PostgreSqlStore(postgres.url, pytest.fail)
    with store._transaction() as connection:
        for repair in REPAIRS:
            tables.save(connection, repair, _DIALECT)
    yield store
    store.close()


@pytest.fixture(params=["file", "file_without_index", "on_server"])
def store(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(params=[(1_000, 5_000, 50_000), (3, 10, 30), (30, 100, 500)], ids=str)
def looks(request, monkeypatch):
    """How many rows are looked at before the index is asked."""
    for name, rows in zip(("LOOKED_AT", "AT_MOST", "WALKED"), request.param):
        monkeypatch.setattr(search, name, rows)


@pytest.mark.usefixtures("looks")
def test_a_text_and_other_filters_find_what_they_would_find_one_by_one(store):
    for text, others, count in itertools.product(TEXTS, OTHERS, (5, 5_000)):
        which = RepairFilter(text=text, **others)
        wanted = [repair.id for repair in found_one_by_one(which)[:count]]
        assert [line.id for line in store.summaries(which, count)] == wanted, which
    which = RepairFilter(text="total", notebook="rare.ipynb")
    assert store.find(which, 5_000) == found_one_by_one(which)


def test_what_is_forgotten_by_a_text_and_another_filter_is_all_of_it(store):
    which = RepairFilter(text="total", notebook="rare.ipynb")
    meant = {repair.id for repair in found_one_by_one(which)}
    assert min(meant) == "000020"  # more than the 1,000 latest are newer
    others = len(REPAIRS) - len(meant)
    try:
        assert store.remove(which) == len(meant)
        assert store.summaries(which, ROWS) == []
        assert len(store.summaries(RepairFilter(text="total"), ROWS)) == others
    finally:
        for repair in REPAIRS:
            if repair.id in meant:
                store.save(repair)


def test_a_text_that_is_no_utf8_hides_no_other_one(sqlite, path):
    store = sqlite(path, warn=pytest.fail)
    for repair in REPAIRS[:5]:
        store.save(repair)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE repairs SET words = CAST(x'ff20746f74616c' AS TEXT) WHERE id = '000002'")
    ids = [line.id for line in store.summaries(RepairFilter(text="total"), 9)]
    assert ids == ["000004", "000003", "000002", "000001", "000000"]
