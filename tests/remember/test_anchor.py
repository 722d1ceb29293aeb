"""A file that stays open for a moment after a write: quick for who writes, and nobody else's concern."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from reflex_ipython.base.named_timer import NamedTimer
from reflex_ipython.errors import StoreError
from reflex_ipython.models import Repair
from reflex_ipython.remember import anchor
from reflex_ipython.remember.store import SqliteStore

Make = Callable[..., Repair]
ALONE = ["history.sqlite"]


@pytest.fixture
def store(path: Path, sqlite: Callable[..., SqliteStore]) -> Iterator[SqliteStore]:
    made = sqlite(path)
    made.stay_open()
    yield made
    made.close()


def ids(store: SqliteStore) -> list[str]:
    return [repair.id for repair in store.recent(9)]


class Rest(NamedTimer):
    """One whose time is up when the test says so, however slow the machine is."""

    is_up = threading.Event()

    def run(self) -> None:
        while not self._is_cancelled.wait(0.01):
            if self.is_up.is_set():
                self.is_up.clear()
                self._call()
                return


@pytest.fixture
def rest(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set: the time without a write after which the file is let go of has passed."""
    Rest.is_up.clear()
    monkeypatch.setattr(anchor, "NamedTimer", Rest)
    return Rest.is_up


def test_it_is_open_after_a_write_and_alone_again_soon(
    store: SqliteStore, path: Path, make_repair: Make, rest: threading.Event
) -> None:
    store.save(make_repair("aa"))
    assert "history.sqlite-wal" in os.listdir(path.parent)
    rest.set()
    end = time.monotonic() + 60
    while os.listdir(path.parent) != ALONE and time.monotonic() < end:
        time.sleep(0.05)
    assert os.listdir(path.parent) == ALONE
    store.save(make_repair("bb"))
    store.close()
    assert os.listdir(path.parent) == ALONE
    assert sorted(ids(store)) == ["aa", "bb"]


def test_what_is_written_without_a_rest_is_brought_into_the_file_again_and_again(
    store: SqliteStore, path: Path, make_repair: Make, rest: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = store._file._connect

    def without_help(*options: str, **named: bool) -> sqlite3.Connection:
        connection = connect(*options, **named)
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # else SQLite does it by itself after some hundred rows
        return connection

    monkeypatch.setattr(store._file, "_connect", without_help)
    store.save(make_repair("aa", source="the_first()"))
    log = path.with_name("history.sqlite-wal").stat().st_ino
    store.save(make_repair("bb"))
    rest.set()
    end = time.monotonic() + 60
    while b"the_first" not in path.read_bytes() and time.monotonic() < end:
        time.sleep(0.01)
    assert path.with_name("history.sqlite-wal").stat().st_ino == log  # it was open all the time
    assert b"the_first" in path.read_bytes()


def test_a_read_leaves_nothing_open(store: SqliteStore, path: Path, make_repair: Make) -> None:
    store.save(make_repair("aa"))
    store.close()
    assert ids(store) == ["aa"]
    assert os.listdir(path.parent) == ALONE


def test_what_was_saved_is_there_after_the_process_is_gone(path: Path, store: SqliteStore) -> None:
    code = f"""
import os, pathlib
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.store import SqliteStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import full_repair
store = SqliteStore(StoreContext(Settings), path=pathlib.Path({str(path)!r}))
store.stay_open()
store.save(full_repair("aa"))
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert ids(store) == ["aa"]


def test_a_file_that_is_deleted_meanwhile_is_made_anew(store: SqliteStore, path: Path, make_repair: Make) -> None:
    store.save(make_repair("aa"))
    path.unlink()
    assert ids(store) == []
    store.save(make_repair("bb"))
    assert ids(store) == ["bb"]


def test_of_a_folder_that_is_deleted_nothing_comes_back(store: SqliteStore, path: Path, make_repair: Make) -> None:
    store.save(make_repair("aa"))
    shutil.rmtree(path.parent)
    store.save(make_repair("bb"))
    assert ids(store) == ["bb"]


def test_a_file_that_is_replaced_is_another_one_and_stays_whole(
    store: SqliteStore, path: Path, sqlite: Callable[..., SqliteStore], make_repair: Make
) -> None:
    other = path.with_name("backup.sqlite")
    for number in range(30):
        sqlite(other).save(make_repair(f"old-{number}"))
    store.save(make_repair("aa"))
    store.save(make_repair("bb"))
    os.replace(other, path)
    store.save(make_repair("cc"))
    assert {"aa", "bb", "cc"} & {repair.id for repair in store.recent(99)} == {"cc"}
    assert len(store.recent(99)) == 31
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_other_programs_read_write_and_compact_it_meanwhile(
    store: SqliteStore, path: Path, sqlite: Callable[..., SqliteStore], make_repair: Make
) -> None:
    store.save(make_repair("aa"))
    sqlite(path).save(make_repair("bb"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("VACUUM")
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="is locked by another program"):
            store.save(make_repair("cc"))
    store.save(make_repair("dd"))
    assert sorted(ids(store)) == ["aa", "bb", "dd"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_that_ends_with_it_leaves_it_to_its_parent(store: SqliteStore, path: Path, make_repair: Make) -> None:
    store.save(make_repair("aa"))

    def child() -> None:
        store.close()
        anchor = store._file._anchor
        assert anchor is not None
        assert anchor._connection is not None
        anchor._connection.close()  # as the end of an interpreter does

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join()
    assert process.exitcode == 0
    store.save(make_repair("bb"))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM repairs").fetchone() == (2,)
    assert sorted(ids(store)) == ["aa", "bb"]


def test_what_is_written_where_no_thread_can_start_is_written(
    store: SqliteStore, path: Path, make_repair: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(timer: NamedTimer) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(NamedTimer, "start", refused)
    store.save(make_repair("aa"))
    assert ids(store) == ["aa"]
    assert os.listdir(path.parent) == ALONE
