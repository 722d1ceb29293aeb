"""What was open before a trial: a cell acts on stand-ins, and what it did is told, since a real run does it outside."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import mmap
import multiprocessing
import os
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker, shared_memory
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.check.trial.mappings import COPIED, Mapping
from reflex_ipython.check.trial.written_pages import words
from reflex_ipython.models import Effect, Trial
from tests.check.build import codes, criticise, edits
from tests.check.conftest import Start, Try

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")


class Things:
    """All that a kernel can have open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = open(folder / "out.txt", "w")  # noqa: SIM115 - closed with all others
        self.out.write("not flushed yet\n")
        self.edited = open(folder / "edited.bin", "w+b", buffering=0)  # noqa: SIM115 - closed with all others
        self.edited.write(b"0123456789")
        self.mapped_file = open(folder / "map.bin", "w+b")  # noqa: SIM115 - closed with all others
        self.mapped_file.truncate(1 << 20)
        self.mapped = mmap.mmap(self.mapped_file.fileno(), 0)
        self.anonymous = mmap.mmap(-1, 1 << 16)
        self.shared = shared_memory.SharedMemory(create=True, size=4096)
        self.number = multiprocessing.get_context("spawn").Value("i", 1)
        self.database = sqlite3.connect(folder / "sales.db")
        self.database.execute("PRAGMA journal_mode=wal")
        self.database.execute("CREATE TABLE t (n)")
        self.database.commit()
        self.direct = sqlite3.connect(folder / "stock.db")
        self.direct.execute("PRAGMA journal_mode=off")
        self.direct.execute("CREATE TABLE t (n)")
        self.direct.commit()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.client = socket.create_connection(self.server.getsockname())
        self.accepted, _ = self.server.accept()
        self.sleep = subprocess.Popen(["sleep", "60"])
        self.cat = subprocess.Popen(["cat"], stdin=-1, stdout=-1)
        self.reading, self.writing = os.pipe()
        os.mkfifo(folder / "fifo")
        self.fifo = os.open(folder / "fifo", os.O_RDWR | os.O_NONBLOCK)
        os.write(self.fifo, b"8 bytes.")
        self.go_on = threading.Event()
        self.thread = threading.Thread(target=self.go_on.wait, name="Loader", daemon=True)
        self.thread.start()
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.pool.submit(abs, -1).result()
        self.log = logging.getLogger("tests.hostile.inherited")
        self.log.handlers = [logging.FileHandler(folder / "app.log")]
        self.log.propagate = False
        self.log.setLevel(logging.WARNING)  # whatever other tests have made of the root

    def names(self) -> dict[str, Any]:
        """What the user calls them."""
        return {**vars(self), "folder": str(self.folder)}

    def close(self) -> None:
        """All but what the kernel closes by itself."""
        self.go_on.set()
        self.thread.join()
        self.pool.shutdown()
        for process in (self.sleep, self.cat):
            process.kill()
        self.cat.communicate()
        self.sleep.wait()
        for one in (self.out, self.edited, self.mapped, self.anonymous, self.mapped_file):
            one.close()
        for other in (self.database, self.direct, self.server, self.client, self.accepted, self.log.handlers[0]):
            other.close()
        self.shared.close()
        self.shared.unlink()
        for fd in (self.reading, self.writing, self.fifo):
            os.close(fd)

    def seen_outside(self) -> dict[str, Any]:
        """What everybody else would see of a use."""
        self.accepted.setblocking(False)
        with sqlite3.connect(self.folder / "sales.db") as other:
            rows = other.execute("SELECT count(*) FROM t").fetchone()
        other.close()
        os.set_blocking(self.reading, False)
        return {
            "files": {
                path.name: path.read_bytes()
                for path in sorted(self.folder.iterdir())
                if path.is_file() and path.stat().st_size < 1 << 20 and not path.name.endswith("-shm")
            },
            "rows": rows,
            "maps": (self.mapped[:9], self.anonymous[:9], bytes(self.shared.buf[:9]), self.number.value),
            "sent": _waiting(self.accepted.fileno()),
            "piped": _waiting(self.reading),
            "fifo": _peek(self.fifo),
            "processes": (self.sleep.poll(), self.cat.poll()),
        }


def _waiting(fd: int) -> bytes:
    try:
        return os.read(fd, 100)
    except BlockingIOError:
        return b""


def _peek(fd: int) -> bytes:
    """What waits in a pipe; it is put back."""
    found = _waiting(fd)
    os.write(fd, found)
    return found


@pytest.fixture(autouse=True, scope="module")
def lasting() -> Iterator[None]:
    """What Python keeps once it is used: the process that looks after shared memory, the memory of shared numbers."""
    resource_tracker.ensure_running()
    kept = multiprocessing.get_context("spawn").Value("i", 1)
    yield
    del kept


@pytest.fixture
def things(start: Start, tmp_path: Path) -> Iterator[Things]:
    """They are there after the zygote's fixture has counted, and gone before it counts again."""
    folder = tmp_path / "data"
    folder.mkdir()
    made = Things(folder)
    yield made
    made.close()


USES = {
    "out.write('hello world\\n')": "writes 12 bytes to the open file out.txt",
    "print('hello', file=out); out.flush()": "writes 6 bytes to the open file out.txt",
    "out.write('hello'); out.close()": "writes 5 bytes to the open file out.txt",
    "import os; os.write(out.fileno(), b'abc')": "writes 3 bytes to the open file out.txt",
    "import ctypes; ctypes.CDLL(None).write(out.fileno(), b'abc', 3)": "writes 3 bytes to the open file out.txt",
    "edited.seek(0); edited.write(b'x')": "changes the open file edited.bin",
    "edited.truncate(3)": "shortens the open file edited.bin",
    "import os; os.pwrite(edited.fileno(), b'x', 0); os.close(edited.fileno())": "changes the open file edited.bin",
    "import fcntl; fcntl.flock(out, fcntl.LOCK_EX)": "locks the open file out.txt",
    "import fcntl; fcntl.lockf(out, fcntl.LOCK_EX | fcntl.LOCK_NB)": "locks the open file out.txt",
    "log.warning('hello')": "writes 6 bytes to the open file app.log",
    "mapped[0] = 1": "changes the mapped file map.bin",
    "mapped[1_000_000] = 1": "changes the mapped file map.bin",
    "anonymous[0] = 1": "changes memory that it shares with other processes",
    "shared.buf[0] = 1": "changes the shared memory NAME",
    "number.value = 2": "changes memory that it shares with other processes",
    "database.execute('INSERT INTO t VALUES (1)'); database.commit()": "commits to sales.db",
    "with database: database.execute('DELETE FROM t WHERE n = 0'); database.execute('DROP TABLE t')": (
        "commits to sales.db"
    ),
    "direct.execute('INSERT INTO t VALUES (1)'); direct.commit()": "commits to stock.db",
    "import os; os.write(client.fileno(), b'abc')": "sends 3 bytes on a connection to ADDRESS",
    "cat.stdin.write(b'abc'); cat.stdin.flush()": "writes 3 bytes to the process CAT (cat)",
    "cat.stdin.write(b'abc')": "writes 3 bytes to the process CAT (cat)",
    "cat.stdout.read()": "reads from the process CAT (cat)",
    "import os; os.write(writing, b'1')": "writes 1 byte to a pipe",
    "import os; os.read(reading, 1)": "reads from a pipe",
    "import os; os.close(writing)": "closes a pipe",
    "cat.stdin.close()": "closes the pipe to the process CAT (cat)",
    "client.close()": "closes a connection to ADDRESS",
    "import os; os.read(fifo, 1)": "reads from the pipe FIFO",
    "import os; os.write(fifo, b'1')": "writes 1 byte to the pipe FIFO",
}

_PROCESS = "it waits for a process of your kernel, which the copy of the kernel does not have"
REFUSED = {
    "client.send(b'abc')": "wants to send on a connection to ADDRESS",
    "client.sendall(b'abc')": "wants to send on a connection to ADDRESS",
    "client.makefile('wb', buffering=0).write(b'abc')": "wants to send on a connection to ADDRESS",
    "client.recv(3)": "wants to receive from a connection to ADDRESS",
    "server.accept()": "wants to accept connections on the socket on ADDRESS",
    "sleep.kill()": "wants to end the process SLEEP (sleep)",
    "sleep.terminate()": "wants to end the process SLEEP (sleep)",
    "sleep.send_signal(10)": "wants to send a signal to the process SLEEP (sleep)",
    "import os; os.kill(sleep.pid, 9)": "wants to end the process SLEEP (sleep)",
    "sleep.wait()": "it would wait for the process SLEEP (sleep), which the copy of the kernel does not have",
    "sleep.wait(0.1)": "it would wait for the process SLEEP (sleep), which the copy of the kernel does not have",
    "cat.communicate(b'abc')": "it would wait for the process CAT (cat), which the copy of the kernel does not have",
    "with sleep: pass": "it would wait for the process SLEEP (sleep), which the copy of the kernel does not have",
    "import os; os.waitpid(sleep.pid, 0)": _PROCESS,
    "import os; os.wait()": _PROCESS,
    "thread.join()": "it would wait for the thread Loader, which the copy of the kernel does not have",
    "import threading; [each.join() for each in threading.enumerate() if each.name == 'Loader']": (
        "it would wait for the thread Loader, which the copy of the kernel does not have"
    ),
    "thread.join(0.1)": "it would wait for the thread Loader, which the copy of the kernel does not have",
    "open(folder + '/fifo').read()": "wants to read from FIFO",
    "import os; os.read(os.open(folder + '/fifo', os.O_RDONLY | os.O_NONBLOCK), 8)": "wants to read from FIFO",
    "from pathlib import Path; Path(folder, 'fifo').read_bytes()": "wants to read from FIFO",
    "open('/proc/self/root' + folder + '/fifo')": "wants to read from /proc/self/rootFIFO",
    "import os; os.chdir(folder); open('fifo')": "wants to read from fifo",
}

UNTOUCHED = [
    "1 + 1",
    "print('to the cell alone')",
    "out.name, out.mode, out.closed, out.fileno(), database.total_changes, client.getsockname, sleep.pid, thread.name",
    "out.close()",
    "edited.seek(0); edited.read()",
    "mapped[0], anonymous[0], shared.buf[0], number.value, bytes(mapped[:100_000])[:1]",
    "mapped.flush()",
    "database.execute('SELECT * FROM t').fetchall(), direct.execute('SELECT count(*) FROM t').fetchall()",
    "list(pool.map(abs, [-1, -2]))",
    "import logging; logging.getLogger('another').warning('to standard error')",
    "log.debug('below the level')",
    "sleep.poll()",
    "thread.is_alive()",
    "import subprocess, threading, socket, multiprocessing, sqlite3",
    "import threading; t = threading.Thread(target=print); t.start(); t.join()",
    "import socket; a, b = socket.socketpair(); a.send(b'x'); b.recv(1)",
    "import sqlite3; c = sqlite3.connect(':memory:'); c.execute('CREATE TABLE t (n)'); c.commit()",
    "import tempfile\nwith tempfile.TemporaryFile() as f: f.write(b'x')",
    "import io; io.StringIO().write('x'); io.BytesIO().write(b'x')",
    "import traceback, warnings, logging, inspect\ntry: 1 / 0\nexcept Exception: traceback.format_exc()",
    "import collections, dataclasses, typing; collections.namedtuple('T', 'a b')(1, 2)",
    "import ctypes, gc; gc.collect()",
]


def _told(text: str, things: Things) -> str:
    host, port = things.server.getsockname()
    named = {
        "ADDRESS": f"{host}:{port}",
        "CAT": str(things.cat.pid),
        "SLEEP": str(things.sleep.pid),
        "FIFO": str(things.folder / "fifo"),
        "NAME": things.shared.name,
    }
    for word, meant in named.items():
        text = text.replace(word, meant)
    return text


def test_every_use_is_told_and_none_is_real(start: Start, things: Things) -> None:
    before = things.seen_outside()
    zygote = start(things.names())
    found = {source: zygote.trial(edits(source)) for source in USES}
    texts = {source: [effect.text for effect in trial.effects] for source, trial in found.items()}
    missing = {source: texts[source] for source, text in USES.items() if _told(text, things) not in texts[source]}
    assert missing == {}
    more = {source: texts[source] for source in USES if len(texts[source]) > 1 and "ctypes" not in source}
    assert more == {}, "a use is told as several"
    assert {trial.outcome for trial in found.values()} == {"passed"}
    assert things.seen_outside() == before


def test_what_would_reach_others_or_wait_for_them_is_refused_in_words(start: Start, things: Things) -> None:
    before = things.seen_outside()
    zygote = start(things.names())
    found = {source: zygote.trial(edits(source)) for source in REFUSED}
    assert {source: trial.reason for source, trial in found.items()} == {
        source: _told(text, things) for source, text in REFUSED.items()
    }
    assert {trial.outcome for trial in found.values()} == {"blocked", "inconclusive"}
    assert things.seen_outside() == before


def test_a_refusal_that_the_cell_swallows_is_told(start: Start, things: Things) -> None:
    zygote = start(things.names())
    for line in ("client.sendall(b'x')", "sleep.kill()", "thread.join()", "open(folder + '/fifo')"):
        trial = zygote.trial(edits(f"try: {line}\nexcept OSError: pass"))
        assert (trial.outcome, len(trial.accesses)) == ("passed", 1), line
        assert codes("1 / 0", f"try: {line}\nexcept OSError: pass", trial).count("reaches-out") == 1


def test_what_is_not_touched_is_not_told(start: Start, things: Things) -> None:
    zygote = start(things.names())
    for source in UNTOUCHED:
        trial = zygote.trial(edits(source))
        assert (trial.outcome, trial.effects, trial.accesses) == ("passed", (), ()), source


def test_a_process_that_runs_and_a_thread_that_lives_are_not_taken_for_ended(start: Start, things: Things) -> None:
    assert start(things.names()).trial(edits("sleep.poll(), thread.is_alive()")).result == "(None, True)"


def test_what_one_trial_did_is_not_told_of_the_next(start: Start, things: Things) -> None:
    zygote = start(things.names())
    for source in ("out.write('x'); mapped[0] = 1", "1 + 1"):
        trial = zygote.trial(edits(source))
    assert trial.effects == ()


def test_a_use_is_told_even_if_the_cell_fails_or_runs_out_of_time(start: Start, things: Things) -> None:
    zygote = start(things.names())
    failing = zygote.trial(edits("out.write('x'); 1 / 0"))
    endless = zygote.trial(edits("import os; os.write(out.fileno(), b'x')\nimport time; time.sleep(600)"), 4.0)
    assert [trial.outcome for trial in (failing, endless)] == ["other_error", "inconclusive"]
    assert [[effect.text for effect in trial.effects] for trial in (failing, endless)] == [
        ["writes 1 byte to the open file out.txt"]
    ] * 2


def test_a_map_that_is_too_large_to_be_copied_is_looked_at_as_well(start: Start, tmp_path: Path) -> None:
    with open(tmp_path / "large.bin", "w+b") as file:
        file.truncate(COPIED + (1 << 20))
        with mmap.mmap(file.fileno(), 0) as large:
            large[0] = 1
            zygote = start({"large": large})
            found = {
                source: [effect.text for effect in zygote.trial(edits(source)).effects]
                for source in ("large[0], large[-1]", "large[0] = 2", "large[-1] = 2")
            }
    told = ["changes the mapped file large.bin"]
    assert found == {"large[0], large[-1]": [], "large[0] = 2": told, "large[-1] = 2": told}


def test_what_a_rollback_does_to_shared_memory_is_not_the_cells_doing(start: Start, things: Things) -> None:
    from reflex_ipython.execution.plain_runner import PlainRunner
    from reflex_ipython.models import CellChanges

    class Rewinding(PlainRunner):
        def rewind(self, changes: CellChanges) -> None:
            things.mapped[0] = 7
            things.out.write("by the rollback")

    trial = start(runner=Rewinding(things.names())).trial(edits("mapped[0]"))
    assert (trial.result, trial.effects) == ("7", ())


def test_the_kernels_own_text_that_waits_in_a_buffer_is_not_the_cells(start: Start, things: Things) -> None:
    assert start(things.names()).trial(edits("out.flush()")).effects == ()


def test_a_use_is_a_finding_and_only_a_note_where_the_failed_cell_works_with_the_same(
    start: Start, things: Things
) -> None:
    new = "out.write('x')"
    trial = start(things.names()).trial(edits(new))
    assert trial.effects == (Effect("writes 1 byte to the open file out.txt", ("out",)),), trial
    for old, severity in (("out.wirte('x')", "note"), ("1 / 0", "warning")):
        found = [finding for finding in criticise(old, new, trial) if finding.code == "acts-outside"]
        assert [(one.text, one.severity) for one in found] == [(trial.effects[0].text, severity)]


def test_a_queue_of_other_processes_takes_nothing(attempt: Try) -> None:
    context = multiprocessing.get_context("spawn")
    queue, event = context.Queue(), context.Event()
    try:
        trials = [attempt(source, {"queue": queue, "event": event}) for source in ("queue.put(1)", "event.set()")]
        assert (queue.empty(), event.is_set()) == (True, False)
    finally:
        queue.close()
    assert [(trial.outcome, trial.reason) for trial in trials] == [
        ("blocked", "wants to hand work to other processes")
    ] * 2


@pytest.mark.parametrize("source", ["pool.terminate()", "with pool: pass"])
def test_the_processes_of_a_pool_go_on(attempt: Try, source: str) -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        trial = attempt(source, {"pool": pool})
        assert pool.apply(abs, (-1,)) == 1
    assert trial.outcome == "blocked"
    assert trial.reason.startswith("wants to end the process ")


def test_a_task_of_the_kernels_loop_is_not_the_fixs_fault(start: Start) -> None:
    async def kernel() -> Trial:
        task = asyncio.ensure_future(asyncio.sleep(60))
        zygote = start({"task": task})
        trial = await asyncio.to_thread(zygote.trial, edits("await task"))
        task.cancel()
        return trial

    trial = asyncio.run(kernel())
    assert (trial.outcome, trial.reason) == (
        "inconclusive",
        "it waits for a task of your kernel's event loop, which the copy of the kernel does not have",
    )


def test_a_zeromq_socket_sends_and_receives_nothing(start: Start) -> None:
    zmq = pytest.importorskip("zmq")
    with zmq.Context() as context, context.socket(zmq.PUSH) as push, context.socket(zmq.PULL) as pull:
        port = push.bind_to_random_port("tcp://127.0.0.1")
        pull.connect(f"tcp://127.0.0.1:{port}")
        zygote = start({"push": push, "pull": pull})
        trials = [
            zygote.trial(edits(source))
            for source in ("push.send(b'x')", "push.send_multipart([b'x'])", "pull.recv()", "push.closed, pull.type")
        ]
        assert pull.poll(100) == 0
        push.send(b"from the kernel")
        assert pull.recv() == b"from the kernel"
    address = f"tcp://127.0.0.1:{port}"
    assert [trial.reason for trial in trials] == [
        f"wants to send on the ZeroMQ socket {address}",
        f"wants to send on the ZeroMQ socket {address}",
        f"wants to receive from the ZeroMQ socket {address}",
        "",
    ]


def test_a_progress_bar_and_a_figure_leave_no_finding(start: Start) -> None:
    tqdm = pytest.importorskip("tqdm")
    plt = pytest.importorskip("matplotlib.pyplot")
    list(tqdm.tqdm(range(2), disable=False))  # makes the lock that all processes share
    figure, axes = plt.subplots()
    zygote = start({"tqdm": tqdm, "plt": plt, "axes": axes, "figure": figure})
    for source in (
        "for n in tqdm.tqdm(range(20)): pass",
        "axes.plot([1, 2]); figure.canvas.draw()",
        "plt.subplots()[1].hist([1, 2]); plt.gcf().savefig(__import__('io').BytesIO())",
    ):
        trial = zygote.trial(edits(source))
        assert (trial.outcome, trial.effects, trial.accesses) == ("passed", (), ()), (source, trial)
    plt.close("all")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/data/a b.npy", "changes the mapped file a b.npy"),
        ("/data/gone.npy (deleted)", "changes the mapped file gone.npy"),
        ("/dev/zero (deleted)", "changes memory that it shares with other processes"),
        ("/dev/shm/psm_1", "changes the shared memory psm_1"),
        ("", "changes memory that it shares with other processes"),
    ],
)
def test_shared_memory_has_a_name(path: str, told: str) -> None:
    assert words(Mapping(0, 4096, 3, 0, path)) == told
