"""Files of every schema since the first one open, and keep their rows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect

from reflex_ipython.errors import StoreError
from reflex_ipython.remember import file, migrations
from reflex_ipython.remember.schema import repairs_table

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.sql"))


def make(path, dump):
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))


def pragma(path, name):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]


def shape(path):
    engine = create_engine(f"sqlite:///{path}")
    columns = {
        (column["name"], str(column["type"]), column["nullable"], bool(column["primary_key"]))
        for column in inspect(engine).get_columns("repairs")
    }
    indexes = {(index["name"], *index["column_names"]) for index in inspect(engine).get_indexes("repairs")}
    engine.dispose()
    return columns, indexes


def test_there_is_a_file_of_every_schema():
    assert [dump.stem for dump in SCHEMAS] == [f"schema_{number}" for number in range(1, migrations.NEWEST + 1)]


@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_the_rows_of_an_older_file_are_read(path, sqlite, dump):
    make(path, dump)
    [accepted, open_] = sqlite(path, warn=pytest.fail).recent(5)
    assert (accepted.id, accepted.failure.title) == ("1a2b3c4d", "KeyError: 'regoin'")
    assert accepted.decision.kind == "accepted"
    assert (open_.id, open_.failure.cell.execution_count) == ("5e6f7a8b", 3)
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


def test_the_steps_lead_to_the_table_that_the_store_uses(path, sqlite, make_repair):
    sqlite(path).save(make_repair())
    table = repairs_table()
    columns = {(column.name, str(column.type), bool(column.nullable), column.primary_key) for column in table.columns}
    assert shape(path) == (columns, {(index.name, *index.columns.keys()) for index in table.indexes})


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
    next_schema(lambda connection: connection.exec_driver_sql("ALTER TABLE repairs ADD COLUMN stars INTEGER"))
    assert [repair.id for repair in sqlite(path).recent(5)] == ["aa"]
    assert pragma(path, "user_version") == older + 1
    assert "stars" in {name for name, *_ in shape(path)[0]}


def test_a_step_that_fails_leaves_the_file_as_it_was(path, sqlite, make_repair, next_schema):
    sqlite(path).save(make_repair("aa"))
    before = shape(path), pragma(path, "user_version")

    def fails_halfway(connection):
        connection.exec_driver_sql("ALTER TABLE repairs ADD COLUMN stars INTEGER")
        connection.exec_driver_sql("UPDATE repairs SET moons = 1")

    next_schema(fails_halfway)
    with pytest.raises(StoreError, match="moons"):
        sqlite(path).save(make_repair("bb"))
    assert (shape(path), pragma(path, "user_version")) == before
