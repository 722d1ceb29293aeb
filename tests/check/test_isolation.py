"""Whatever the code in a trial tries, the process that was copied and its files stay as they are.

Every target is in a temporary folder or on loopback, and every bomb is small: a broken wall must not hurt anybody.
"""

from __future__ import annotations

import ctypes
import dataclasses
import mmap
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing import shared_memory
from pathlib import Path

import pytest

from reflex_ipython.check.trial import descriptors
from reflex_ipython.check.trial.sandbox import Sandbox, offered
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.models import CellChanges
from tests.check.build import edits
from tests.check.conftest import Start, Try
from tests.check.digest import digest
from tests.check.patience import PATIENT

MIB = 1 << 20


def test_what_is_written_to_an_inherited_file_stays_in_the_copy(attempt: Try, tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with open(path, "w+") as file:
        file.write("from the kernel\n")
        file.flush()
        file.write("not flushed yet\n")
        trial = attempt("log.write('from the trial\\n'); log.flush(); log.seek(0); log.read()", {"log": file})
        assert trial.result == "'from the kernel\\nnot flushed yet\\nfrom the trial\\n'"
        assert path.read_text() == "from the kernel\n"
    assert path.read_text() == "from the kernel\nnot flushed yet\n"


def test_an_inherited_descriptor_that_is_written_behind_pythons_back_stays_in_the_copy(
    attempt: Try, tmp_path: Path
) -> None:
    path = tmp_path / "log.bin"
    with open(path, "ab") as file:
        source = "import ctypes; ctypes.CDLL(None).write(fd, b'trial', 5)"
        assert attempt(source, {"fd": file.fileno()}).result == "5"
    assert path.read_bytes() == b""


def test_reading_on_does_not_move_the_kernels_position(attempt: Try, tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("one\ntwo\nthree\n")
    with open(path, buffering=1) as file:
        assert file.readline() == "one\n"
        position = os.lseek(file.fileno(), 0, os.SEEK_CUR)
        os.lseek(file.fileno(), 4, os.SEEK_SET)
        trial = attempt("import os; os.read(fd, 100)", {"fd": file.fileno()})
        assert trial.result == "b'two\\nthree\\n'"
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) == 4 != position


def test_a_file_of_the_shells_own_is_read_where_it_is_and_not_written(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    path.write_bytes(b"a year of cells")

    class Shell(PlainRunner):
        own_files = (str(path),)

    with open(path, "r+b", buffering=0) as file:
        zygote = start(runner=Shell({"history": file}))
        assert zygote.trial(edits("history.read(6)")).result == "b'a year'"
        assert zygote.trial(edits("import os; os.fstat(history.fileno()).st_ino")).result == str(path.stat().st_ino)
        trial = zygote.trial(edits("history.write(b'no')"))
        assert (trial.outcome, trial.ename) == ("other_error", "OSError")
        assert file.tell() == 0
    assert path.read_bytes() == b"a year of cells"


def test_a_writable_file_that_is_too_large_to_copy_can_be_read_but_not_written(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.bin"
    path.write_bytes(b"0123456789" * 1000)
    monkeypatch.setattr(descriptors, "COPIED", 100)
    with open(path, "r+b", buffering=0) as file:
        zygote = start({"file": file})
        assert zygote.trial(edits("file.read(4)")).result == "b'0123'"
        trial = zygote.trial(edits("file.write(b'x')"))
    assert (trial.outcome, path.read_bytes()[:4]) == ("blocked", b"0123")


def test_a_socket_leads_nowhere(attempt: Try) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        accepted, _ = server.accept()
        with accepted:
            trial = attempt("client.sendall(b'from the trial')", {"client": client})
            accepted.settimeout(0.1)
            with pytest.raises(TimeoutError):
                accepted.recv(100)
            accepted.settimeout(60)
            client.sendall(b"still there")
            assert accepted.recv(100) == b"still there"
    assert trial.outcome == "blocked"


def test_a_pipe_leads_nowhere_and_is_not_kept_open(start: Start) -> None:
    reading, writing = os.pipe()
    zygote = start({"reading": reading, "writing": writing})
    zygote.trial(edits("import os; os.write(writing, b'from the trial')"))
    os.close(writing)
    assert os.read(reading, 100) == b""  # the end: neither a word of the trial, nor a copy that holds it open
    os.close(reading)


def test_a_listening_port_can_be_used_again_while_a_zygote_lives(start: Start) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    address = server.getsockname()
    start({"server": server}).trial(edits("pass"))
    server.close()
    socket.create_server(address).close()


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_an_sqlite_connection_commits_into_the_copy(attempt: Try, tmp_path: Path, mode: str) -> None:
    path = tmp_path / "sales.db"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode={mode}")
    connection.execute("CREATE TABLE t (n)")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.commit()
    connection.execute("INSERT INTO t VALUES (2)")  # a transaction is open
    before = {file.name: file.read_bytes() for file in tmp_path.glob("sales.db*")}
    source = "c.execute('INSERT INTO t VALUES (3)'); c.commit(); c.execute('DELETE FROM t'); c.commit()"
    trial = attempt(source, {"c": connection})
    assert {file.name: file.read_bytes() for file in tmp_path.glob("sales.db*")} == before
    connection.commit()
    connection.close()
    other = sqlite3.connect(path)
    assert other.execute("SELECT n FROM t").fetchall() == [(1,), (2,)]
    other.close()
    assert trial.outcome in ("passed", "blocked")


def test_a_new_sqlite_connection_can_read_but_not_write(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "sales.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (n)")
    connection.close()
    zygote = start({"path": str(path)})
    begin = "import sqlite3; c = sqlite3.connect(path); "
    assert zygote.trial(edits(begin + "c.execute('SELECT count(*) FROM t').fetchone()")).result == "(0,)"
    assert zygote.trial(edits(begin + "c.execute('INSERT INTO t VALUES (1)'); c.commit()")).outcome == "blocked"


def test_a_memory_map_is_private(attempt: Try, tmp_path: Path) -> None:
    path = tmp_path / "map.bin"
    path.write_bytes(b"0" * 8192)
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        trial = attempt("m[:5] = b'trial'; m.flush(); bytes(m[:6])", {"m": mapped})
        assert trial.result == "b'trial0'"
        assert mapped[:5] == path.read_bytes()[:5] == b"00000"


def test_a_large_memory_map_is_private(attempt: Try, tmp_path: Path) -> None:
    path = tmp_path / "map.bin"
    path.write_bytes(b"")
    os.truncate(path, 80 * MIB)
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        assert attempt("m[:5] = b'trial'; bytes(m[:6])", {"m": mapped}).result == "b'trial\\x00'"
        assert mapped[:5] == b"\0" * 5


def test_a_map_that_is_longer_than_its_file_kills_nobody(attempt: Try, tmp_path: Path) -> None:
    path = tmp_path / "map.bin"
    path.write_bytes(b"1" * 8192)
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        os.truncate(path, 4096)
        assert attempt("m[0]", {"m": mapped}).result == "49"


@pytest.fixture
def shared() -> Iterator[shared_memory.SharedMemory]:
    """Shared memory, and the process that looks after it, from before the zygote's time."""
    made = shared_memory.SharedMemory(create=True, size=4096)
    yield made
    made.close()
    made.unlink()


def test_shared_memory_is_private_and_can_not_be_removed(shared: shared_memory.SharedMemory, attempt: Try) -> None:
    shared.buf[0] = 1
    trial = attempt("s.buf[0] = 99\nv = s.buf[0]\ns.unlink()", {"s": shared})
    assert trial.outcome == "blocked"
    assert shared.buf[0] == 1
    shared_memory.SharedMemory(shared.name).close()


def test_the_copy_is_frozen_while_the_kernel_goes_on(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "map.bin"
    path.write_bytes(b"0" * 4096)
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        namespace = {"items": [1], "mapped": mapped, "file": file}
        zygote = start(namespace)
        zygote.trial(edits("pass"))  # it has settled
        namespace["items"].append(2)
        mapped[:3] = b"new"
        os.write(file.fileno(), b"NEW")
        assert zygote.trial(edits("items, bytes(mapped[:3]), file.read(3)")).result == "([1], b'000', b'000')"
        zygote.trial(edits("items.append(7); mapped[:1] = b'7'"))
        assert zygote.trial(edits("items, bytes(mapped[:1])")).result == "([1], b'0')", "one trial saw another"


HOSTILE_TO_FILES = {
    "write": "open(path, 'w').write('trial')",
    "append": "open(path, 'a').write('trial')",
    "truncate on opening": "import os; os.open(path, os.O_RDONLY | os.O_TRUNC)",
    "truncate": "import os; os.truncate(path, 0)",
    "unlink": "import os; os.unlink(path)",
    "rename": "import os; os.rename(path, path + '.old')",
    "replace": "import os, tempfile; n = tempfile.mktemp(); open(n, 'w').close(); os.replace(n, path)",
    "link": "import os; os.link(path, path + '.link')",
    "symlink": "import os; os.symlink(path, path + '.link')",
    "chmod": "import os; os.chmod(path, 0o777)",
    "chown": "import os; os.chown(path, os.getuid(), os.getgid())",
    "utime": "import os; os.utime(path, (1, 1))",
    "remove the folder": "import os, shutil; shutil.rmtree(os.path.dirname(path))",
    "a new file": "open(path + '.new', 'w')",
    "a new folder": "import os; os.mkdir(path + '.new')",
    "a fifo": "import os; os.mkfifo(path + '.fifo')",
    "ctypes open": "import ctypes; c = ctypes.CDLL(None, use_errno=True); fd = c.open(path.encode(), 1)\n"
    "if fd < 0: raise OSError(ctypes.get_errno(), 'open')\nc.write(fd, b'trial', 5)",
    "ctypes unlink": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.unlink(path.encode()): raise OSError(ctypes.get_errno(), 'unlink')",
    "ctypes chmod": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.chmod(path.encode(), 0o777): raise OSError(ctypes.get_errno(), 'chmod')",
    "ctypes fchmod": "import ctypes, os; c = ctypes.CDLL(None, use_errno=True); fd = os.open(path, 0)\n"
    "if c.fchmod(fd, 0o777): raise OSError(ctypes.get_errno(), 'fchmod')",
    "through /proc": "import os; fd = os.open(path, os.O_RDONLY); open(f'/proc/self/fd/{fd}', 'w')",
    "through a folder": "import os; d = os.open(os.path.dirname(path), os.O_RDONLY)\n"
    "os.open(os.path.basename(path), os.O_WRONLY, dir_fd=d)",
    "the kernel's memory": "import os; open(f'/proc/{kernel}/mem', 'r+b')",
}

WITHOUT_LANDLOCK = Sandbox(landlock=0, seccomp=True)


@pytest.mark.parametrize("sandbox", [None, WITHOUT_LANDLOCK], ids=["all layers", "without Landlock"])
@pytest.mark.parametrize("source", HOSTILE_TO_FILES.values(), ids=HOSTILE_TO_FILES)
def test_no_file_is_changed(attempt: Try, tmp_path: Path, source: str, sandbox: Sandbox | None) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "precious.txt"
    path.write_text("precious")
    path.chmod(0o640)
    namespace = {"path": str(path), "kernel": os.getpid()}
    before = digest(namespace, folder)
    trial = attempt(source, namespace, sandbox=sandbox)
    after = digest(namespace, folder)
    assert after["files"] == before["files"]
    assert trial.outcome == "blocked", trial


def test_temporary_files_can_be_used_and_are_gone_afterwards(attempt: Try, tmp_path: Path) -> None:
    source = (
        "import tempfile\nwith tempfile.TemporaryDirectory() as d:\n"
        "    open(d + '/a', 'w').write('x')\nwith tempfile.TemporaryFile() as f: f.write(b'x')\n'fine'"
    )
    trial = attempt(source)
    assert (trial.outcome, trial.result) == ("passed", "'fine'"), trial


def test_too_many_temporary_files_end_the_trial(attempt: Try) -> None:
    source = (
        "import tempfile, time\nfor n in range(40):\n    f = tempfile.NamedTemporaryFile(delete=False)\n"
        "    f.write(bytes(1 << 20)); f.close(); time.sleep(0.05)\ntime.sleep(60)"  # until it is noticed
    )
    trial = attempt(source, seconds=60.0, limits=dataclasses.replace(PATIENT, scratch=4 * MIB))
    assert (trial.outcome, "temporary files" in trial.reason) == ("inconclusive", True), trial


HOSTILE_TO_NETWORK = {
    "tcp": "import socket; socket.create_connection(tcp).sendall(b'trial')",
    "udp": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'trial', udp)",
    "unix": "import socket; s = socket.socket(socket.AF_UNIX); s.connect(unix); s.sendall(b'trial')",
    "unix datagram through a pair": "import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
    "a.sendto(b'trial', datagram)",
    "dns": "import socket; socket.getaddrinfo('localhost.invalid', 80)",
    "http": "import urllib.request as u; u.urlopen(f'http://127.0.0.1:{tcp[1]}/')",
    "bind": "import socket; socket.create_server(('127.0.0.1', 0))",
    "ctypes socket": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.socket(2, 1, 0) < 0: raise OSError(ctypes.get_errno(), 'socket')",
}


@pytest.mark.parametrize("source", HOSTILE_TO_NETWORK.values(), ids=HOSTILE_TO_NETWORK)
def test_nothing_is_sent(attempt: Try, tmp_path: Path, source: str) -> None:
    names = {"unix": str(tmp_path / "s"), "datagram": str(tmp_path / "d")}
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagram,
    ):
        udp.bind(("127.0.0.1", 0))
        unix.bind(names["unix"])
        unix.listen()
        datagram.bind(names["datagram"])
        trial = attempt(source, {"tcp": tcp.getsockname(), "udp": udp.getsockname(), **names})
        for one in (tcp, udp, unix, datagram):
            one.setblocking(False)
            with pytest.raises(BlockingIOError):
                one.accept() if one in (tcp, unix) else one.recv(100)
    assert trial.outcome == "blocked", trial


HOSTILE_TO_PROCESSES = {
    "run": "import subprocess; subprocess.run(['touch', path])",
    "system": "import os; os.system('touch ' + path)",
    "popen": "import os; os.popen('touch ' + path)",
    "spawn": "import os; os.posix_spawn('/bin/touch', ['touch', path], {})",
    "exec": "import os; os.execv('/bin/touch', ['touch', path])",
    "fork bomb": "import os, time\nfor _ in range(3): os.fork()\ntime.sleep(5)",
    "multiprocessing": "import multiprocessing as m; m.get_context('fork').Process(target=print).start()",
    "kill": "import os; os.kill(kernel, 10)",
    "kill the group": "import os; os.killpg(group, 10)",
    "queue a signal": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.kill(kernel, 10): raise OSError(ctypes.get_errno(), 'kill')",
    "a pidfd": "import os, signal; signal.pidfd_send_signal(os.pidfd_open(kernel), 10)",
}


@pytest.mark.parametrize("source", HOSTILE_TO_PROCESSES.values(), ids=HOSTILE_TO_PROCESSES)
def test_no_process_is_started_and_no_signal_sent(attempt: Try, tmp_path: Path, source: str) -> None:
    got: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: got.append(number))
    try:
        path = tmp_path / "touched"
        trial = attempt(source, {"path": str(path), "kernel": os.getpid(), "group": os.getpgrp()})
        time.sleep(0.01)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert trial.outcome == "blocked", trial
    assert not path.exists()
    assert got == []


def test_a_running_subprocess_of_the_kernel_is_neither_spoken_to_nor_ended(attempt: Try) -> None:
    with subprocess.Popen([sys.executable, "-c", "print(input())"], stdin=-1, stdout=-1, text=True) as process:
        attempt("p.stdin.write('trial\\n'); p.stdin.flush()", {"p": process})
        trial = attempt("import os; os.kill(p.pid, 9)", {"p": process})
        out, _ = process.communicate("kernel\n", timeout=60)
    assert (trial.outcome, out) == ("blocked", "kernel\n")


def test_sysv_shared_memory_is_private(attempt: Try) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(0, 4096, 0o1600)
    address = libc.shmat(segment, None, 0)
    try:
        trial = attempt("import ctypes; ctypes.memset(a, 7, 8); ctypes.string_at(a, 1)", {"a": address})
        assert trial.result == "b'\\x07'"
        assert ctypes.string_at(address, 8) == bytes(8)
    finally:
        libc.shmdt(ctypes.c_void_p(address))
        libc.shmctl(segment, 0, None)


def test_leaving_the_process_costs_nothing(start: Start) -> None:
    zygote = start()
    trial = zygote.trial(edits("import os; os._exit(7)"))
    assert (trial.outcome, "exit code 7" in trial.reason) == ("inconclusive", True)
    trial = zygote.trial(edits("import ctypes; ctypes.string_at(0)"))
    assert (trial.outcome, "SIGSEGV" in trial.reason) == ("inconclusive", True)
    assert zygote.trial(edits("'still here'")).result == "'still here'"


def test_a_balloon_is_stopped_by_its_bound(attempt: Try) -> None:
    source = "kept = [bytearray(16 << 20) for _ in range(40)]"
    trial = attempt(source, limits=dataclasses.replace(PATIENT, memory=128 * MIB))
    assert (trial.outcome, trial.ename) == ("inconclusive", "MemoryError"), trial
    assert trial.peak_bytes < 200 * MIB


def test_a_balloon_of_files_in_memory_is_refused(attempt: Try) -> None:
    assert attempt("import os; os.memfd_create('balloon')").outcome == "blocked"


def test_an_endless_loop_ends_with_its_line(attempt: Try) -> None:
    source = "import time\nend = time.monotonic() + 20\nwhile time.monotonic() < end:\n    pass"
    trial = attempt(source, seconds=2.0)
    assert trial.outcome == "timed_out"
    assert trial.lineno in (3, 4)
    assert "2 s" in trial.reason


def test_a_loop_that_swallows_everything_ends_too(attempt: Try) -> None:
    source = (
        "import time, signal\nfor s in range(1, 32):\n    try: signal.signal(s, signal.SIG_IGN)\n"
        "    except OSError: pass\nend = time.monotonic() + 20\nwhile time.monotonic() < end:\n"
        "    try:\n        while time.monotonic() < end: pass\n    except BaseException: pass"
    )
    assert attempt(source, seconds=2.0).outcome == "timed_out"


def test_a_flood_of_output_is_cut(start: Start) -> None:
    zygote = start(limits=dataclasses.replace(PATIENT, output=1_000))
    trial = zygote.trial(edits("for _ in range(200_000): print('flood')"))
    assert (trial.outcome, len(trial.stdout)) == ("passed", 1_000)
    trial = zygote.trial(edits("import os\nfor _ in range(100): os.write(1, b'flood' * 100_000)"))
    assert (trial.outcome, len(trial.stdout)) == ("passed", 1_000)
    trial = zygote.trial(edits("'x' * 10_000_000"))
    assert len(trial.result) <= 2_000


def test_input_is_refused_in_words(attempt: Try) -> None:
    trial = attempt("name = input('Name? ')")
    assert (trial.outcome, trial.reason) == ("blocked", "wants to ask for input")


def test_the_limits_can_not_be_lifted(attempt: Try) -> None:
    source = "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))"
    assert attempt(source).outcome == "blocked"


def test_a_thread_does_not_get_around_the_walls(attempt: Try, tmp_path: Path) -> None:
    path = tmp_path / "precious.txt"
    path.write_text("precious")
    source = (
        "import threading\nseen = []\ndef work():\n    try: open(path, 'w')\n"
        "    except OSError as e: seen.append(e.errno)\nt = threading.Thread(target=work); t.start(); t.join(); seen"
    )
    trial = attempt(source, {"path": str(path)})
    assert (trial.result, path.read_text()) == ("[13]", "precious")


def test_what_was_wanted_is_told_even_if_the_code_goes_on(attempt: Try, tmp_path: Path) -> None:
    source = "try: open(path, 'w')\nexcept OSError: pass\n'went on'"
    trial = attempt(source, {"path": str(tmp_path / "x")})
    assert (trial.outcome, trial.result) == ("passed", "'went on'")
    assert [access.text for access in trial.accesses] == [f"write to {tmp_path / 'x'}"]


def test_where_there_is_no_seccomp_nothing_runs() -> None:
    assert "seccomp" in Sandbox(landlock=7, seccomp=False).why_not
    assert Sandbox(landlock=7, seccomp=True).why_not == ""


def test_a_missing_layer_is_named(attempt: Try) -> None:
    assert attempt("1", sandbox=WITHOUT_LANDLOCK).missing == ("Landlock: temporary files can't be written",)
    assert attempt("1").missing == offered().missing


@pytest.mark.alone  # threads, children and descriptors that other tests left may go meanwhile
def test_a_trial_leaves_the_kernel_as_it_was(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    lock = threading.Lock()
    with open(folder / "file.txt", "w+") as file, sqlite3.connect(folder / "x.db") as connection:
        namespace = {"items": [1, {"a": 2}], "file": file, "connection": connection, "lock": lock, "text": "x"}
        zygote = start(namespace)
        zygote.trial(edits("pass"))
        before = digest(namespace, folder)
        for source in ("items[1]['a'] = 3; del text; file.write('x'); file.flush()", "import os; os.chdir('/')", "1/0"):
            zygote.trial(edits(source))
        assert digest(namespace, folder) == before
    connection.close()


def test_a_thread_from_before_the_walls_is_shut_in_as_well(start: Start) -> None:
    class Threaded(PlainRunner):
        def rewind(self, changes: CellChanges) -> None:
            self.go, self.done = threading.Event(), threading.Event()
            self.namespace.update(go=self.go, done=self.done)
            threading.Thread(target=self._work, daemon=True).start()

        def _work(self) -> None:
            libc = ctypes.CDLL(None, use_errno=True)
            self.go.wait()
            self.namespace["opened"] = libc.socket(2, 1, 0)
            self.done.set()

    trial = start(runner=Threaded({})).trial(edits("go.set(); done.wait(); opened"))
    assert trial.result == "-1"
