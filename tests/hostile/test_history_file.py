"""Whatever stands where the history should, nobody waits for it, and no decision is lost."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Repair
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.file import LONGEST
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.migrations import APPLICATION_ID, NEWEST
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.settings import Settings
from reflex_ipython.testing import full_repair
from tests.hostile import ROOT
from tests.kernel.driver import Kernel
from tests.remember.open_store import open_store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither FIFOs nor kill -9")
WHOLE = bool(os.environ.get("HOSTILE_WHOLE"))
SOON = 2.0
"""Seconds within which a lock is told of; what is measured is taken on a machine that may be busy."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process holds the file for itself."""
    code = (
        "import sqlite3, sys, time\n"
        f"c = sqlite3.connect({str(path)!r}, timeout=30)\n"
        "c.execute('PRAGMA locking_mode = EXCLUSIVE'); c.execute('BEGIN EXCLUSIVE')\n"
        "print('locked', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == b"locked\n"
        yield
        other.stdin.close()


# ------------------------------------------------------------------------------------------ what stands in its place


def a_history(path: Path) -> None:
    """A file with a row."""
    store = open_store(StoreContext(lambda: Settings(history_file=str(path))), lambda text: None)
    store.save(full_repair("a0"))
    store.close()


def page(number: int, data: bytes) -> Callable[[Path], None]:
    """A page that is overwritten."""

    def damage(path: Path) -> None:
        a_history(path)
        page_of(path, number, data)

    return damage


def page_of(path: Path, number: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(number * 4096)
        file.write(data)


def database(*statements: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    return make


def beside(suffix: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    """A history, and something odd where SQLite puts a file beside it."""

    def both(path: Path) -> None:
        a_history(path)
        make(path.with_name(path.name + suffix))

    return both


def a_socket(path: Path) -> None:
    folder = os.getcwd()
    os.chdir(path.parent)  # an address is short
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.chdir(folder)


def a_table_of_noise(path: Path) -> None:
    """A history whose repairs' first page is overwritten."""
    a_history(path)
    with closing(sqlite3.connect(path)) as connection:
        [[number]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'repairs'")
    page_of(path, number - 1, os.urandom(4096))


PLACES: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a FIFO": os.mkfifo,
    "a socket": a_socket,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a device that is full": lambda path: path.symlink_to("/dev/full"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a link to nothing": lambda path: path.symlink_to(path.parent / "nowhere" / "file"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a link to a FIFO": lambda path: (os.mkfifo(path.parent / "fifo"), path.symlink_to(path.parent / "fifo")),
    "a FIFO as journal": beside("-journal", os.mkfifo),
    "a FIFO as log": beside("-wal", os.mkfifo),
    "a FIFO as shared memory": beside("-shm", os.mkfifo),
    "a folder as log": beside("-wal", Path.mkdir),
    "text": lambda path: path.write_text("Dear diary" * 1000),
    "noise": lambda path: path.write_bytes(os.urandom(50_000)),
    "a first page of noise": page(0, os.urandom(4096)),
    "a header alone": lambda path: path.write_bytes(b"SQLite format 3\x00"),
    "a table of noise": a_table_of_noise,
    "another program's database": database("CREATE TABLE repairs (car TEXT)"),
    "a newer version's": database(
        f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {NEWEST + 1}", "CREATE TABLE x (y)"
    ),
    "a table that is gone": database(f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {NEWEST}"),
    "a view": database(
        f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {NEWEST}",
        "CREATE VIEW repairs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n",
    ),
    "a table of other columns": database(
        f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {NEWEST}", "CREATE TABLE repairs (id)"
    ),
}  # fmt: skip


@pytest.mark.parametrize("make", PLACES.values(), ids=PLACES.keys())
def test_whatever_stands_in_its_place_is_told_soon_and_repairs_go_on(
    make: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / "data" / "history.sqlite"
    path.parent.mkdir()
    make(path)
    told: list[str] = []
    recorder = Recorder(
        lambda: open_store(StoreContext(lambda: Settings(history_file=str(path))), told.append), told.append
    )
    try:
        recorder.recent(1)  # what is imported is no fault of the file's
        began = time.monotonic()
        recorder.save(full_repair("b1"))
        recorder.settle()
        recorder.save(full_repair("b2"))
        assert {repair.id for repair in recorder.recent(9)} >= {"b1", "b2"}
        assert recorder.get("b1").id == "b1"
        assert time.monotonic() - began < 3 * SOON + 2 * LONGEST
    finally:
        recorder.close()
    assert told
    assert all(str(path) in words for words in told), told


def test_a_kernel_with_a_fifo_as_history_answers(tmp_path: Path, new_kernel: Callable[..., Kernel]) -> None:
    path = tmp_path / "history.sqlite"
    os.mkfifo(path)
    kernel = new_kernel()
    kernel.run(f"%load_ext reflex_ipython\n%config Reflex.history_file = {str(path)!r}\ntotal = 1")
    assert kernel.run("toatl").shown
    ran = kernel.run("%reflex history")
    assert ran.status == "ok"
    assert "NameError" in str(ran.contents("display_data", "stream"))
    assert kernel.value("1 + 1") == 2


# ------------------------------------------------------------------------------------------ a lock


def test_a_lock_is_told_of_soon_and_what_was_decided_meanwhile_is_written_when_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflex_ipython.remember.recorder.RETRY_AFTER", 0.1)
    path = tmp_path / "history.sqlite"
    a_history(path)
    told: list[str] = []
    settings = Settings(history_file=str(path))
    recorder = Recorder(lambda: open_store(StoreContext(lambda: settings), told.append), told.append)
    recorder.recent(1)
    with locked(path):
        began = time.monotonic()
        recorder.save(full_repair("b1"))
        recorder.settle()
        assert time.monotonic() - began < SOON
        began = time.monotonic()
        assert [repair.id for repair in recorder.recent(9)] == ["b1"]
        assert time.monotonic() - began < SOON
        assert any("is locked by another program" in words for words in told)
    end = time.monotonic() + 20
    while ids_in(path) != {"a0", "b1"} and time.monotonic() < end:
        time.sleep(0.02)  # nothing else is saved: it is brought by itself
    assert ids_in(path) == {"a0", "b1"}
    recorder.close()


def ids_in(path: Path) -> set[str]:
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        return {name for (name,) in connection.execute("SELECT id FROM repairs")}


def test_a_locked_file_holds_up_neither_the_history_nor_a_decision(
    tmp_path: Path, new_kernel: Callable[..., Kernel]
) -> None:
    path = tmp_path / "history.sqlite"
    a_history(path)
    kernel = new_kernel()
    kernel.run(f"%load_ext reflex_ipython\n%config Reflex.history_file = {str(path)!r}\ntotal = 1")
    kernel.run("%reflex history")
    with locked(path):
        began = time.monotonic()
        assert kernel.run("%reflex history").status == "ok"
        assert time.monotonic() - began < SOON
        assert kernel.settled(kernel.run("toatl", "cell-x"))["fixes"]
        began = time.monotonic()
        words = kernel.run("%reflex reject")
        assert "Rejected" in words.text
        assert time.monotonic() - began < 2 * SOON
        assert "this decision is not on disk yet" in words.text
        assert "is locked by another program" in words.text
    assert kernel.run("1 + 1").status == "ok"
    end = time.monotonic() + 60
    while len(ids_in(path)) < 2 and time.monotonic() < end:  # what waited is brought by itself
        time.sleep(0.05)
    assert len(ids_in(path)) == 2


# ------------------------------------------------------------------------------------------ kill -9

DELAYS = (0.0, 0.005, 0.02, 0.08) if not WHOLE else tuple(step * 0.004 for step in range(40))


@pytest.mark.parametrize("clicked", [True, False])
def test_what_was_accepted_is_on_the_disk_before_its_cell_runs(
    tmp_path: Path, new_kernel: Callable[..., Kernel], clicked: bool
) -> None:
    ran = []
    for number, delay in enumerate(DELAYS):
        path, mark = tmp_path / f"{number}.sqlite", tmp_path / f"{number}.mark"
        kernel = new_kernel()
        kernel.run(f"%load_ext reflex_ipython\n%config Reflex.history_file = {str(path)!r}\ntotal = 1")
        kernel.run("import time")
        kernel.run("%reflex history")  # imports are no part of it
        comm = kernel.hello()
        source = f"toatl; open({str(mark)!r}, 'w').close(); time.sleep(60)"
        panel = kernel.settled(kernel.run(source, "cell-x"))
        state = kernel.state(comm, panel["repair"])
        if clicked:  # else it is typed
            kernel.bring(
                type="accept", session=state["session"], repair=state["repair"], request="click",
                client=kernel.client.session.session, shown=state["fixes"][0], sources=[], run=True, whole=False,
                read=False, at_once=True,
            )  # fmt: skip
        kernel.send(source.replace("toatl", "total"), "cell-x")
        end = time.monotonic() + 30
        while not mark.exists() and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(delay)
        kill(kernel)
        history = open_store(StoreContext(lambda path=path: Settings(history_file=str(path))), lambda text: None)
        assert mark.exists()
        ran.append([repair.id for repair in history.recent(9, accepted=True)] == [panel["repair"]])
    assert ran == [True] * len(DELAYS)


def test_what_was_decided_is_on_the_disk_when_the_command_has_answered(
    tmp_path: Path, new_kernel: Callable[..., Kernel]
) -> None:
    path = tmp_path / "history.sqlite"
    kernel = new_kernel()
    kernel.run(f"%load_ext reflex_ipython\n%config Reflex.history_file = {str(path)!r}\ntotal = 1")
    kernel.run("%reflex history")  # imports are no part of it
    kernel.run("toatl", "cell-x")
    kernel.run("%reflex reject")
    kill(kernel)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT decision FROM repairs").fetchall() == [("rejected",)]


def kill(kernel: Kernel) -> None:
    """Kill the kernel as the system does when memory is short."""
    process = kernel.manager.provisioner.process  # type: ignore[union-attr]
    process.send_signal(signal.SIGKILL)
    process.wait()


# ------------------------------------------------------------------------------------------ disks and permissions

SMALL_DISK = """
import json, resource, sys
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.recorder import Recorder
from tests.remember.open_store import open_store
from reflex_ipython.settings import Settings
from reflex_ipython.testing import full_repair
told = []
settings = Settings(history_file=sys.argv[1])
recorder = Recorder(lambda: open_store(StoreContext(lambda: settings), told.append), told.append)
recorder.save(full_repair("a0"))
recorder.settle(10)
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, resource.RLIM_INFINITY))
recorder.save(full_repair("b1", source="x" * 500_000))
recorder.settle(10)
kept = [repair.id for repair in recorder.recent(9)]
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
recorder.close()
print(json.dumps([told, kept]))
"""


def test_a_disk_that_takes_no_more_is_told_and_what_did_not_fit_is_written_later(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    ran = subprocess.run(
        [sys.executable, "-c", SMALL_DISK, str(path)], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    told, kept = json.loads(ran.stdout)
    assert len(told) == 2
    assert all(str(path) in words for words in told)
    assert "not on disk yet" in told[1]
    assert sorted(kept) == ["a0", "b1"]
    assert ids_in(path) == {"a0", "b1"}


def test_a_disk_that_does_not_answer_is_told_and_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    monkeypatch.setattr("reflex_ipython.remember.recorder.READING", 0.2)
    monkeypatch.setattr("reflex_ipython.remember.recorder.STUCK", 0.05)
    answers = threading.Event()

    class Stuck(MemoryStore):
        def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
            answers.wait(30)
            return []

        def save(self, repair: Repair) -> None:
            answers.wait(30)

        def close(self) -> None:
            """Nothing is open."""

    told: list[str] = []
    said = threading.Event()

    def warn(words: str) -> None:
        told.append(words)
        said.set()

    recorder = Recorder(Stuck, warn)
    with pytest.raises(BadInput, match="did not answer within"):
        recorder.recent(1)
    recorder.save(full_repair("b1"))
    recorder.settle(0.01)
    assert said.wait(60)
    assert "not on disk yet" in told[0]
    with suppress(BadInput):
        answers.set()
        recorder.recent(1)
    recorder.close()


def test_a_disk_that_takes_its_time_is_worth_no_word() -> None:
    import threading

    answers = threading.Event()

    class Slow(MemoryStore):
        def save(self, repair: Repair) -> None:
            answers.wait(60)

        def close(self) -> None:
            """Nothing is open."""

    told: list[str] = []
    recorder = Recorder(Slow, told.append)
    recorder.save(full_repair("b1"))
    recorder.settle(0.05)
    answers.set()
    recorder.close()
    assert told == []
