"""What is not written at once: compressors, archives, C's buffers, locks between processes, and many open files."""

from __future__ import annotations

import bz2
import csv
import ctypes
import gzip
import io
import lzma
import multiprocessing
import os
import resource
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.check.trial import testimony
from reflex_ipython.check.trial.origins import Origin
from reflex_ipython.check.trial.stand_ins import StandIn
from tests.check.build import criticise, edits
from tests.check.conftest import Start

# ruff: noqa: SIM115 - the files of a test are closed together
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")


@pytest.fixture(autouse=True, scope="module")
def lasting() -> Iterator[None]:
    """What Python keeps once it is used: the process that looks after locks, the memory of shared numbers."""
    resource_tracker.ensure_running()
    kept = multiprocessing.get_context("spawn").Value("i", 1)
    yield
    del kept


class Labelled(io.TextIOWrapper):
    """A text file of the user's own class."""


class Writers:
    """All that keeps what it is given, each with a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gz = gzip.open(folder / "a.gz", "wb")
        self.bz = bz2.open(folder / "a.bz2", "wb")
        self.bz_text = bz2.open(folder / "t.bz2", "wt")
        self.xz = lzma.open(folder / "a.xz", "wb")
        self.xz.write(b"0")  # its header is written by now
        self.archive = zipfile.ZipFile(folder / "a.zip", "w")
        self.member = zipfile.ZipFile(folder / "m.zip", "w", zipfile.ZIP_DEFLATED).open("m", "w")
        self.tar = tarfile.open(folder / "a.tar", "w")
        self.tar_gz = tarfile.open(folder / "a.tgz", "w:gz")
        self.stream = tarfile.open(str(folder / "s.tgz"), "w|gz")
        self.table = open(folder / "t.csv", "w")
        self.rows = csv.writer(self.table)
        self.text = open(folder / "t.txt", "w")
        self.labelled = Labelled(open(folder / "l.txt", "wb"))
        self.libc = ctypes.CDLL(None)
        self.libc.fopen.restype = ctypes.c_void_p
        self.stdio = ctypes.c_void_p(self.libc.fopen(os.fsencode(folder / "c.txt"), b"w"))
        self.libc.fputs(b"of the kernel", self.stdio)
        os.mkfifo(folder / "fifo")
        self.fifo_end = os.open(folder / "fifo", os.O_RDWR | os.O_NONBLOCK)
        self.fifo = ctypes.c_void_p(self.libc.fopen(os.fsencode(folder / "fifo"), b"w"))

    def names(self) -> dict[str, Any]:
        """What the user calls them; `write` and `rows` are all there is of their files."""
        hidden = ("table", "text", "libc", "fifo_end")
        named = {name: value for name, value in vars(self).items() if name not in hidden}
        return {**named, "write": self.text.write, "tarfile": tarfile, "io": io, "ctypes": ctypes}

    def sizes(self) -> dict[str, int]:
        """What everybody else sees of a write."""
        return {path.name: path.stat().st_size for path in sorted(self.folder.iterdir())}

    def close(self) -> None:
        """All of them."""
        holder = vars(self.member)["_zipfile"]
        for one in (self.gz, self.bz, self.bz_text, self.xz, self.member, holder, self.archive, self.tar, self.tar_gz):
            one.close()
        for other in (self.stream, self.table, self.text, self.labelled):
            other.close()
        self.libc.fclose(self.stdio)
        self.libc.fclose(self.fifo)
        os.close(self.fifo_end)


@pytest.fixture
def writers(start: Start, tmp_path: Path) -> Iterator[Writers]:
    """They are there after the zygote's fixture has counted, and gone before it counts again."""
    folder = tmp_path / "data"
    folder.mkdir()
    made = Writers(folder)
    yield made
    made.close()


_ADD = "i = tarfile.TarInfo('a'); i.size = 3; {}.addfile(i, io.BytesIO(b'abc'))"
_PUTS = "ctypes.CDLL(None).fputs(b'hello', {})"
USES = {
    "gz.write(b'hello')": ("writes 5 bytes to the open file a.gz", "gz"),
    "bz.write(b'hello')": ("writes 5 bytes to the open file a.bz2", "bz"),
    "bz_text.write('hello')": ("writes 5 bytes to the open file t.bz2", "bz_text"),
    "xz.write(b'hello')": ("writes 5 bytes to the open file a.xz", "xz"),
    "archive.writestr('a', 'b')": ("writes 32 bytes to the open file a.zip", "archive"),
    "member.write(b'hello')": ("writes 5 bytes to the open file m.zip", "member"),
    _ADD.format("tar"): ("writes 1,024 bytes to the open file a.tar", "tar"),
    _ADD.format("tar_gz"): ("writes 1,024 bytes to the open file a.tgz", "tar_gz"),
    _ADD.format("stream"): ("writes 1,024 bytes to the open file s.tgz", "stream"),
    "rows.writerow([1, 2])": ("writes 5 bytes to the open file t.csv", "rows"),
    "write('hello')": ("writes 5 bytes to the open file t.txt", "write"),
    "labelled.write('hello')": ("writes 5 bytes to the open file l.txt", "labelled"),
    _PUTS.format("stdio"): ("writes 5 bytes to the open file c.txt", ""),
    _PUTS.format("fifo"): ("writes 5 bytes to the pipe FIFO", ""),
}


def test_what_a_writer_holds_back_is_told_and_written_nowhere(start: Start, writers: Writers) -> None:
    before = writers.sizes()
    zygote = start(writers.names())
    found = {}
    for source in USES:
        effects = [one for one in zygote.trial(edits(source)).effects if "ctypes" not in one.text]
        found[source] = [(one.text.replace(str(writers.folder / "fifo"), "FIFO"), *one.names) for one in effects]
    assert found == {source: [tuple(filter(None, told))] for source, told in USES.items()}
    assert writers.sizes() == before
    assert _is_empty(writers.fifo_end)


def _is_empty(fd: int) -> bool:
    try:
        return not os.read(fd, 1)
    except BlockingIOError:
        return True


def test_writers_that_are_only_looked_at_are_not_told(start: Start, writers: Writers) -> None:
    zygote = start(writers.names())
    for source in (
        "gz.tell(), bz.tell(), xz.tell()",
        "archive.namelist(), tar.getnames(), labelled.name",
        "rows.dialect",
    ):
        trial = zygote.trial(edits(source))
        assert (trial.outcome, trial.effects) == ("passed", ()), (source, trial)


def test_what_c_code_prints_is_shown_and_what_the_kernels_c_code_printed_is_not(start: Start) -> None:
    libc = ctypes.CDLL(None)
    trial = start().trial(edits("import ctypes; ctypes.CDLL(None).printf(b'no end of line'); None"))
    assert trial.stdout == "no end of line"
    assert libc.fflush(None) == 0


LOCKS = {
    "lock.acquire()": ("takes a lock that it shares with other processes", "lock"),
    "recursive.acquire()": ("takes a lock that it shares with other processes", "recursive"),
    "semaphore.acquire()": ("takes a semaphore that it shares with other processes", "semaphore"),
    "semaphore.release()": ("releases a semaphore that it shares with other processes", "semaphore"),
    "condition.acquire()": ("takes a lock that it shares with other processes", "condition"),
    "number.get_lock().acquire()": ("takes a lock that it shares with other processes", "number"),
}


def test_a_lock_of_other_processes_that_is_kept_or_let_go_is_told(start: Start) -> None:
    context = multiprocessing.get_context("spawn")
    names = {
        "lock": context.Lock(),
        "recursive": context.RLock(),
        "semaphore": context.Semaphore(3),
        "condition": context.Condition(),
        "number": context.Value("i", 1),
    }
    zygote = start(names)
    found = {source: [(one.text, *one.names) for one in zygote.trial(edits(source)).effects] for source in LOCKS}
    assert found == {source: [told] for source, told in LOCKS.items()}
    for source in ("with lock, recursive, semaphore: pass", "number.value", "condition.acquire(); condition.release()"):
        assert zygote.trial(edits(source)).effects == (), source
    assert names["lock"].acquire(block=False)


@pytest.mark.parametrize("source", ["queue.put(1)", "queue.task_done()"])
def test_a_queue_that_counts_its_tasks_takes_nothing(start: Start, source: str) -> None:
    queue: Any = multiprocessing.get_context("spawn").JoinableQueue()
    try:
        trial = start({"queue": queue}).trial(edits(source))
        assert queue.empty()
    finally:
        queue.close()
    assert (trial.outcome, trial.reason, trial.effects) == ("blocked", "wants to hand work to other processes", ())


def test_no_number_of_open_files_is_too_large_to_be_followed(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    count = 700
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, hard), hard))  # as most systems have it
    pairs = [os.pipe() for _ in range(20)]
    files = [open(folder / f"{n:0>60}", "w") for n in range(count)]
    try:
        zygote = start({"files": files, "pairs": pairs})
        assert zygote.trial(edits("1")).effects == ()
        for source, told in {
            "files[0].write('x')": "writes 1 byte to the open file " + f"{0:0>60}",
            "files[-1].write('x')": "writes 1 byte to the open file " + f"{count - 1:0>60}",
            "import os; os.write(pairs[-1][1], b'x')": "writes 1 byte to a pipe",
            "import os; os.read(pairs[-1][0], 1)": "reads from a pipe",
            "files[-1].close()": f"closes or replaces the open file {count - 1:0>60}, so its use can't be followed",
        }.items():
            trial = zygote.trial(edits(source))
            assert (trial.outcome, [one.text for one in trial.effects]) == ("passed", [told]), source
    finally:
        for file in files:
            file.close()
        for end in (end for pair in pairs for end in pair):
            os.close(end)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_stand_ins_of_any_name_fit_into_messages_that_a_pipe_takes_at_once() -> None:
    for name in ("\x1f" * 255, "\U0001f600" * 255, "\udce4" * 255, '"' * 255):
        told = [StandIn(Origin("file", name), number, 1 << 60, 1 << 60, number) for number in range(30)]
        messages = list(testimony.started(told, list(range(1_000))))
        assert max(map(len, messages)) < 4_000
        read = testimony.read(messages)
        assert [one.inherited for one in read.stand_ins] == list(range(30))
        assert read.written == list(range(1_000))


def test_what_is_held_back_is_a_note_where_the_failed_cell_works_with_the_same(start: Start, writers: Writers) -> None:
    trial = start(writers.names()).trial(edits("bz.write(b'x')"))
    for old, severity in (("bz.wirte(b'x')", "note"), ("1 / 0", "warning")):
        found = [one.severity for one in criticise(old, "bz.write(b'x')", trial) if one.code == "acts-outside"]
        assert found == [severity]


@pytest.mark.parametrize("words", [("3",), ("x", "1"), ("3", "5", "7"), ()])
def test_a_count_that_a_cell_invents_breaks_nothing(start: Start, words: tuple[str, ...]) -> None:
    source = f"import sys\nfor kind in ('withheld', 'semaphore'): sys.audit('reflex_ipython.trial.' + kind, *{words})"
    assert start().trial(edits(source)).outcome == "passed"
