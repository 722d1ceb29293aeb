"""Files that can't be used: words for the user, never a traceback, never damage."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from contextlib import closing, contextmanager

import pytest

from reflex_ipython.errors import StoreError
from reflex_ipython.remember.migrations import APPLICATION_ID, NEWEST
from reflex_ipython.remember.resilient import ResilientStore

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")


def ids(store):
    return [repair.id for repair in store.recent(100)]


def resilient(store):
    warnings = []
    return ResilientStore(store, warnings.append), warnings


@contextmanager
def locked(path):
    """Another program that holds the file for itself."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        yield


def fill_disk(store):
    """From now on the file may grow by two pages at most, as if the disk were full."""
    connect = store._file._connect

    def limited(*options):
        connection = connect(*options)
        [pages] = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        return connection

    store._file._connect = limited


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda path: path.write_bytes(os.urandom(50_000)), "is damaged; move it away"),
        (lambda path: path.write_text("Dear diary"), "is damaged; move it away"),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "is damaged; move it away"),
        (lambda path: path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 40_000), "is damaged; move it away"),
        (lambda path: (path.unlink(), path.mkdir()), "can't be opened"),
    ],
    ids=["random bytes", "text", "truncated", "overwritten pages", "a folder in its place"],
)
def test_a_damaged_file_is_told_once_and_left_as_it_is(path, sqlite, make_repair, damage, words):
    for number in range(30):
        sqlite(path).save(make_repair(f"old{number}"))
    damage(path)
    before = path.read_bytes() if path.is_file() else None
    store, warnings = resilient(sqlite(path))

    store.save(make_repair("aa"))
    store.save(make_repair("bb"))

    assert ids(store)[:2] == ["bb", "aa"]
    assert store.get("a").id == "aa"
    store.close()
    assert len(warnings) == 1
    assert str(path) in warnings[0]
    assert words in warnings[0]
    assert before is None or path.read_bytes() == before


def test_an_empty_file_is_an_empty_history(path, sqlite, make_repair):
    path.parent.mkdir()
    path.touch()
    assert ids(sqlite(path)) == []
    sqlite(path).save(make_repair("aa"))
    assert ids(sqlite(path)) == ["aa"]


def test_a_file_where_the_folder_should_be_is_told(path, sqlite, make_repair):
    path.parent.write_text("no folder")
    store, warnings = resilient(sqlite(path))
    store.save(make_repair("aa"))
    assert ids(store) == ["aa"]
    assert len(warnings) == 1
    assert path.parent.read_text() == "no folder"


@posix
def test_in_a_read_only_folder_the_old_rows_are_read_and_the_new_ones_kept(
    public_folder, sqlite, make_repair, unprivileged
):
    path = public_folder / "history.sqlite"
    sqlite(path).save(make_repair("aa"))
    path.chmod(0o644)
    public_folder.chmod(0o555)
    store, warnings = resilient(sqlite(path))
    with unprivileged():
        assert ids(store) == ["aa"]
        assert warnings == []
        store.save(make_repair("bb"))
        assert ids(store) == ["bb", "aa"]
        assert store.get("aa").id == "aa"
        store.close()
    assert len(warnings) == 1
    assert ids(sqlite(path)) == ["aa"]


@posix
def test_a_read_only_file_is_told_as_one(public_folder, sqlite, make_repair, unprivileged):
    path = public_folder / "history.sqlite"
    sqlite(path).save(make_repair("aa"))
    path.chmod(0o444)
    public_folder.chmod(0o777)
    store = sqlite(path)
    with unprivileged(), pytest.raises(StoreError, match="is read-only"):
        store.save(make_repair("bb"))
    assert ids(store) == ["aa"]


@posix
def test_a_folder_that_may_not_be_entered_is_told(public_folder, sqlite, make_repair, unprivileged):
    path = public_folder / "history.sqlite"
    sqlite(path).save(make_repair("aa"))
    public_folder.chmod(0)
    store, warnings = resilient(sqlite(path))
    with unprivileged():
        store.save(make_repair("bb"))
        assert ids(store) == ["bb"]
    assert len(warnings) == 1
    assert "ermission" in warnings[0] or "can't be opened" in warnings[0]


def test_a_full_disk_is_told_and_what_did_not_fit_is_kept(path, sqlite, make_repair):
    inner = sqlite(path)
    inner.save(make_repair("aa"))
    fill_disk(inner)
    store, warnings = resilient(inner)
    store.save(make_repair("bb", source="x" * 100_000))
    assert ids(store) == ["bb", "aa"]
    assert len(warnings) == 1
    assert "the disk is full" in warnings[0]
    assert ids(sqlite(path)) == ["aa"]


def test_a_python_that_was_built_without_sqlite_is_told(path, sqlite, make_repair, monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    store, warnings = resilient(sqlite(path))
    store.save(make_repair("aa"))
    assert ids(store) == ["aa"]
    assert len(warnings) == 1
    assert "can't be opened" in warnings[0]
    assert "sqlite3" in warnings[0]


def test_a_short_lock_is_waited_for(path, sqlite, make_repair):
    import threading

    store = sqlite(path, patience=120)
    store.save(make_repair("aa"))
    is_locked = threading.Event()

    def hold():
        with locked(path):
            is_locked.set()
            time.sleep(0.3)

    holder = threading.Thread(target=hold)
    holder.start()
    is_locked.wait()
    store.save(make_repair("bb"))
    holder.join()
    assert ids(store) == ["bb", "aa"]


def test_a_long_lock_is_told_and_the_rows_are_stored_when_it_is_over(path, sqlite, make_repair):
    inner = sqlite(path, patience=0.1)
    inner.save(make_repair("aa"))
    store, warnings = resilient(inner)
    with locked(path):
        store.save(make_repair("bb"))
        store.save(make_repair("cc"))
        assert ids(store) == ["cc", "bb"]
    assert len(warnings) == 1
    assert "is locked by another program" in warnings[0]
    store.close()
    assert ids(sqlite(path)) == ["cc", "bb", "aa"]


def other_program(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE repairs (car TEXT)")


def newer_version(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE repairs_of_the_future (id TEXT)")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {NEWEST + 1}")


@pytest.mark.parametrize(
    ("make", "words"),
    [(other_program, "is the database of another program"), (newer_version, "by a newer version of reflex_ipython")],
)
def test_a_file_that_is_not_ours_to_write_is_told_and_not_touched(path, sqlite, make_repair, make, words):
    path.parent.mkdir()
    make(path)
    before = path.read_bytes()
    store, warnings = resilient(sqlite(path))
    assert ids(store) == []
    store.save(make_repair("aa"))
    assert ids(store) == ["aa"]
    store.close()
    assert len(warnings) == 1
    assert words in warnings[0]
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["history.sqlite"]
