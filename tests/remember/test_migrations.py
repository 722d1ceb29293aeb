"""Files of every schema since the first one open, and keep their rows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reflex_ipython.errors import StoreError
from reflex_ipython.remember import file, migrations
from reflex_ipython.remember.schema import as_row

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.sql"))


def make(path, dump):
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))


def pragma(path, name):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]


def shape(path):
    """The statements that would make its tables and indexes."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


def columns(path):
    with closing(sqlite3.connect(path)) as connection:
        return {name for _, name, *_ in connection.execute("PRAGMA table_info(repairs)")}


def test_there_is_a_file_of_every_schema():
    assert [dump.stem for dump in SCHEMAS] == [f"schema_{number}" for number in range(1, migrations.NEWEST + 1)]


@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_the_rows_of_an_older_file_are_read(path, sqlite, dump):
    make(path, dump)
    [accepted, open_] = sqlite(path, warn=pytest.fail).recent(5)
    assert (accepted.id, accepted.failure.title) == ("1a2b3c4d", "KeyError: 'regoin'")
    assert accepted.decision.kind == "accepted"
    assert (open_.id, open_.failure.situation.cell.execution_count) == ("5e6f7a8b", 3)
    assert sqlite(path).recent(5, accepted=True) == [accepted]


@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_an_older_file_gets_the_newest_shape_when_something_is_saved(path, sqlite, make_repair, dump):
    make(path, dump)
    sqlite(path).save(make_repair("new"))
    new = path.with_name("new.sqlite")
    sqlite(new).save(make_repair("new"))
    assert shape(path) == shape(new)
    assert pragma(path, "user_version") == migrations.NEWEST
    assert [repair.id for repair in sqlite(path).recent(5)] == ["new", "1a2b3c4d", "5e6f7a8b"]


def test_reading_a_file_of_the_newest_schema_changes_no_byte_of_it(path, sqlite):
    make(path, SCHEMAS[-1])
    before = path.read_bytes()
    assert len(sqlite(path).recent(5)) == 2
    assert sqlite(path).get("1a").id == "1a2b3c4d"
    assert path.read_bytes() == before


def test_the_steps_lead_to_the_table_that_the_store_fills(path, sqlite, make_repair):
    sqlite(path).save(make_repair())
    assert columns(path) - {"seq"} == as_row(make_repair()).keys()


def test_a_new_file_is_signed(path, sqlite, make_repair):
    sqlite(path).save(make_repair())
    assert pragma(path, "application_id").to_bytes(4, "big") == b"rflx"
    assert pragma(path, "journal_mode") == "wal"


def test_steps_are_numbered_without_gaps():
    with pytest.raises(ValueError, match="step 9 comes after"):
        migrations.step(9)(lambda connection: None)


@pytest.fixture
def next_schema(monkeypatch):
    """Another step after the last one: it adds a column."""

    def add(function):
        monkeypatch.setattr(migrations, "_steps", {**migrations._steps, migrations.NEWEST + 1: function})
        monkeypatch.setattr(migrations, "NEWEST", migrations.NEWEST + 1)
        monkeypatch.setattr(file, "NEWEST", migrations.NEWEST)

    return add


def test_reading_an_older_file_brings_it_up_to_date(path, sqlite, make_repair, next_schema):
    sqlite(path).save(make_repair("aa"))
    older = migrations.NEWEST
    next_schema(lambda connection: connection.execute("ALTER TABLE repairs ADD COLUMN stars INTEGER"))
    assert [repair.id for repair in sqlite(path).recent(5)] == ["aa"]
    assert pragma(path, "user_version") == older + 1
    assert "stars" in columns(path)


def test_a_step_that_fails_leaves_the_file_as_it_was(path, sqlite, make_repair, next_schema):
    sqlite(path).save(make_repair("aa"))
    before = shape(path), pragma(path, "user_version")

    def fails_halfway(connection):
        connection.execute("ALTER TABLE repairs ADD COLUMN stars INTEGER")
        connection.execute("UPDATE repairs SET moons = 1")

    next_schema(fails_halfway)
    with pytest.raises(StoreError, match="moons"):
        sqlite(path).save(make_repair("bb"))
    assert (shape(path), pragma(path, "user_version")) == before
