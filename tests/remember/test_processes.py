"""Several kernels on one file, and one that is killed."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

# The arguments: the file, a name, how many rows, this folder, whether it stays open. It begins when it is told so on
# its standard input.
WRITER = """
import sys
sys.path.insert(0, sys.argv[4])
from conftest import full_repair
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.store import SqliteStore
from reflex_ipython.settings import Settings

path, name, count = sys.argv[1:4]
store = SqliteStore(StoreContext(lambda: Settings(history_file=path)), patience=30)
if sys.argv[5] == "True":
    store.stay_open()
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(count)):
    store.save(full_repair(f"{name}-{number}"))
    print(number, flush=True)
"""


def writers(path, names, count, *, stay_open=False):
    """Start a process for every name; all begin at once when all are ready."""
    here = str(Path(__file__).parent)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name, str(count), here, str(stay_open)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("begin\n")
        process.stdin.flush()
    return processes


def saved(path, sqlite):
    return {repair.id for repair in sqlite(path, warn=pytest.fail).recent(10_000)}


def test_two_processes_write_two_hundred_rows_each_at_once(path, sqlite):
    processes = writers(path, "ab", 200)
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0, 0]
    assert saved(path, sqlite) == {f"{name}-{number}" for name in "ab" for number in range(200)}


def test_four_processes_make_the_file_at_the_same_moment(path, sqlite):
    processes = writers(path, "abcd", 5)
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0] * 4
    assert len(saved(path, sqlite)) == 20


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("rows", [0, 1, 7, 40])
@pytest.mark.parametrize("stay_open", [False, True])
def test_a_killed_process_leaves_a_readable_file_with_all_that_it_reported(path, sqlite, make_repair, rows, stay_open):
    with writers(path, "a", 100_000, stay_open=stay_open)[0] as process:
        for _ in range(rows):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()  # what it had reported by then
    there = saved(path, sqlite)
    reported = {f"a-{number}" for number in range(rows)} | {f"a-{number}" for number in rest}
    assert reported <= there
    sqlite(path).save(make_repair("after"))
    assert saved(path, sqlite) == there | {"after"}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
