"""The file itself: what stands in it, who may read it, what a fork and a damaged row do."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import sqlite3
import stat
import sys
import threading
from contextlib import closing

import pytest

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.models import RepairFilter
from reflex_ipython.remember.file import HistoryFile
from reflex_ipython.remember.location import history_path
from reflex_ipython.remember.schema import as_body, as_row
from reflex_ipython.settings import Settings
from tests.failures import situated

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and processes")


def execute(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_another_program_can_read_the_columns(path, sqlite, make_repair):
    sqlite(path).save(make_repair())
    wanted = "session, at, cell_id, execution_count, ename, title, provider, detail, decision, succeeded"
    assert execute(path, f"SELECT {wanted} FROM repairs") == [
        (
            "session1",
            "2026-11-21T10:00:00.000+00:00",
            "cell-3",
            7,
            "AttributeError",
            "AttributeError: 'DataFrame' object has no attribute 'prise'",
            "qwen2.5",
            "",
            "accepted",
            1,
        )
    ]


def test_a_repair_without_a_fix_leaves_its_columns_empty(path, sqlite, make_repair):
    sqlite(path).save(dataclasses.replace(make_repair(decided=None), fixes=()))
    columns = "provider, detail, decision, succeeded"
    assert execute(path, f"SELECT {columns} FROM repairs") == [("", None, None, None)]


def test_a_repair_that_is_replaced_leaves_nothing_of_the_one_before(path, sqlite, make_repair):
    one, other = make_repair(decided=None), make_repair(at="2026-11-22T10:00:00.000+00:00", message="'cost'")
    cell = dataclasses.replace(other.failure.situation.cell, id="cell-9", execution_count=9)
    [*causes, error] = reversed(other.failure.exceptions)
    exceptions = (*causes, dataclasses.replace(error, ename="KeyError"))
    failure = situated(dataclasses.replace(other.failure, exceptions=exceptions), place=cell)
    other = dataclasses.replace(other, session="session2", cause=failure)
    store = sqlite(path)
    store.save(one)
    before = execute(path, "SELECT * FROM repairs")
    store.save(other)
    sqlite(path.with_name("new.sqlite")).save(other)
    [replaced] = execute(path, "SELECT * FROM repairs")
    assert [replaced] == execute(path.with_name("new.sqlite"), "SELECT * FROM repairs")
    changed = [name for name, *values in zip(as_row(one), before[0][1:], replaced[1:]) if values[0] != values[1]]
    assert {"session", "at", "cell_id", "execution_count", "ename", "title", "outcome", "decision"} <= {*changed}
    assert execute(path, "SELECT * FROM bodies") == [(1, as_body(other))]
    assert execute(path, "SELECT value, repairs FROM tallies WHERE dimension = 'ename' AND repairs") == [
        ("KeyError", 1)
    ]


def test_reading_makes_no_file(path, sqlite):
    assert sqlite(path).recent(5) == []
    assert not path.parent.exists()


def test_nothing_is_left_beside_the_file(path, sqlite, make_repair):
    store = sqlite(path)
    store.save(make_repair())
    store.recent(1)
    assert os.listdir(path.parent) == ["history.sqlite"]


@posix
def test_only_the_user_may_read_the_history(path, sqlite, make_repair):
    store = sqlite(path)
    store.save(make_repair())
    assert mode(path.parent) == 0o700
    with closing(sqlite3.connect(path)) as reader:  # while somebody reads, SQLite keeps two more files
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM repairs").fetchall()
        store.save(make_repair("bb"))
        assert {name: oct(mode(path.parent / name)) for name in os.listdir(path.parent)} == {
            "history.sqlite": "0o600",
            "history.sqlite-wal": "0o600",
            "history.sqlite-shm": "0o600",
        }


@posix
def test_a_folder_that_is_there_keeps_its_permissions(path, sqlite, make_repair):
    path.parent.mkdir()
    path.parent.chmod(0o755)
    sqlite(path).save(make_repair())
    assert mode(path.parent) == 0o755
    assert mode(path) == 0o600


@pytest.mark.parametrize("name", ["with space.sqlite", "a?mode=memory#%41.sqlite", "日本語.sqlite"])
def test_odd_file_names_are_names(tmp_path, sqlite, make_repair, name):
    if sys.platform == "win32" and "?" in name:
        pytest.skip("not a name on Windows")
    sqlite(tmp_path / name).save(make_repair())
    assert os.listdir(tmp_path) == [name]
    assert len(sqlite(tmp_path / name).recent(5)) == 1


def test_the_file_is_in_the_users_data_folder_unless_it_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert history_path(Settings()) == tmp_path / "reflex_ipython" / "history.sqlite"
    assert history_path(Settings(history_file="~/x.sqlite")).is_absolute()
    assert history_path(Settings(history_file=str(tmp_path / "y"))) == tmp_path / "y"


def test_a_file_that_was_deleted_meanwhile_is_made_anew(path, sqlite, make_repair):
    store = sqlite(path)
    store.save(make_repair("aa"))
    path.unlink()
    assert store.recent(5) == []
    store.save(make_repair("bb"))
    assert [repair.id for repair in store.recent(5)] == ["bb"]


@pytest.mark.parametrize(
    "body",
    ["not json", "{}", '{"id": "bb", "session": 5}', "", None, 7, b"\xff\xfe", "[" * 100_000],
    ids=lambda body: repr(body)[:20],
)
def test_a_damaged_row_is_named_once_and_the_others_are_shown(path, sqlite, make_repair, body):
    warnings = []
    store = sqlite(path, warn=warnings.append)
    for name in ("aa", "bb", "cc"):
        store.save(make_repair(name))
    execute(path, "CREATE TABLE loose AS SELECT * FROM bodies")  # without the columns' constraints
    execute(path, "DROP TABLE bodies")
    execute(path, "ALTER TABLE loose RENAME TO bodies")
    execute(path, "UPDATE bodies SET body = ? WHERE seq = (SELECT seq FROM repairs WHERE id = 'bb')", body)

    assert [repair.id for repair in store.recent(2)] == ["cc", "aa"]
    assert [repair.id for repair in store.recent(5)] == ["cc", "aa"]
    assert warnings == [f"The repair bb is left out: its row in {path} is damaged."]
    with pytest.raises(BadInput, match="bb can't be read"):
        store.get("bb")


def test_a_row_whose_whole_repair_is_gone_is_named_and_the_others_are_shown(path, sqlite, make_repair):
    warnings = []
    store = sqlite(path, warn=warnings.append)
    for name in ("aa", "bb"):
        store.save(make_repair(name))
    execute(path, "DELETE FROM bodies WHERE seq = 1")
    assert [repair.id for repair in store.recent(5)] == ["bb"]
    assert warnings == [f"The repair aa is left out: its row in {path} is damaged."]
    store.save(make_repair("aa"))
    assert store.get("aa") == make_repair("aa")


def test_of_what_is_forgotten_nothing_is_left(path, sqlite, make_repair):
    store = sqlite(path)
    for name in ("aa", "bb"):
        store.save(make_repair(name, source=f"secret_{name}()"))
    store.remove(RepairFilter(id="bb"))
    assert execute(path, "SELECT seq FROM bodies") == [(1,)]
    assert b"secret_aa" in path.read_bytes()
    assert b"secret_bb" not in path.read_bytes()


def test_a_row_of_an_older_version_gets_the_defaults_of_what_it_lacks(path, sqlite, make_repair):
    store = sqlite(path)
    store.save(make_repair())
    execute(path, "UPDATE bodies SET body = json_remove(body, '$.rerun', '$.trouble', '$.cause.situation.python')")
    old = store.get("1a2b3c4d")
    assert (old.rerun, old.trouble, old.failure.situation.python) == (None, "", "")


def test_a_text_column_that_is_no_utf8_does_not_hide_the_others(path, sqlite, make_repair):
    store = sqlite(path, warn=lambda text: None)
    store.save(make_repair("aa"))
    store.save(make_repair("bb"))
    execute(path, "UPDATE bodies SET body = CAST(x'ff22fe' AS TEXT) WHERE seq = 1")
    assert [repair.id for repair in store.recent(5)] == ["bb"]


def test_a_repair_whose_id_is_no_utf8_is_read(path, sqlite, make_repair):
    store = sqlite(path)
    store.save(make_repair("aa"))
    execute(path, "UPDATE repairs SET id = CAST(x'61ff' AS TEXT)")
    assert store.get("a").id == "aa"


def test_several_threads_may_use_one_store(path, sqlite, make_repair):
    store = sqlite(path, patience=30)
    problems = []

    def write(thread):
        try:
            for number in range(20):
                store.save(make_repair(f"{thread}-{number}"))
                store.recent(3)
        except StoreError as problem:
            problems.append(problem)

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len({repair.id for repair in store.recent(1000)}) == 120


@pytest.mark.parametrize("operation", ["save", "recent"])
def test_a_file_that_another_kernel_is_just_making_is_ours(path, sqlite, make_repair, operation, monkeypatch):
    other = threading.Thread(target=lambda: sqlite(path, patience=30).save(make_repair("other")))

    def meanwhile(statement):
        if "sqlite_master" in statement and not other.ident:
            other.start()
            other.join(1)  # it may have to wait for this transaction

    connect = HistoryFile._connect

    def watched(file, *options):
        connection = connect(file, *options)
        connection.set_trace_callback(meanwhile)  # is told of each statement before it is executed
        return connection

    path.parent.mkdir()
    path.touch()
    monkeypatch.setattr(HistoryFile, "_connect", watched)
    if operation == "save":
        sqlite(path, patience=30).save(make_repair("mine"))
    else:
        sqlite(path, patience=30).recent(3)
    other.join()
    found = {repair.id for repair in sqlite(path).recent(5)}
    assert found == ({"mine", "other"} if operation == "save" else {"other"})


@posix
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_is_refused_and_the_parent_goes_on(path, sqlite, make_repair):
    store = sqlite(path)
    store.save(make_repair("aa"))
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()

    def child():
        try:
            store.save(make_repair("bb"))
        except StoreError as problem:
            answers.put(str(problem))

    process = context.Process(target=child)
    process.start()
    process.join()
    assert "forked" in answers.get()
    store.save(make_repair("cc"))
    assert [repair.id for repair in store.recent(5)] == ["cc", "aa"]


@pytest.mark.parametrize(("mode", "level"), [("wal", 1), ("delete", 2)])
def test_each_commit_waits_for_the_disk_only_where_the_file_could_be_damaged(path, sqlite, make_repair, mode, level):
    sqlite(path).save(make_repair())
    execute(path, f"PRAGMA journal_mode = {mode}")
    with HistoryFile(path, patience=5.0).writing() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (level,)  # NORMAL, FULL
