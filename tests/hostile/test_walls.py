"""No system call reaches out of a trial, whatever the kernel has of Landlock."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import platform
import resource
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.check.trial import landlock
from reflex_ipython.check.trial.allowed import rules
from reflex_ipython.check.trial.sandbox import Sandbox
from reflex_ipython.check.trial.seccomp import processor
from reflex_ipython.check.trial.zygote import Zygote
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.models import Trial
from tests.check.build import edits
from tests.check.patience import PATIENT
from tests.hostile.segments import segments
from tests.hostile.system_calls import EVERY_NUMBER, FAMILIES, NUMBERS, PRELUDE

LEVELS = (0, 2, 4, 5, 6, 7) if os.environ.get("HOSTILE_WHOLE") else (0, 4, 7)
"""Of Landlock: none; without a promise for truncation; without one for devices; without one for signals; all."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")


class Victim:
    """What a trial could reach: this process, another one, a terminal, files."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self.terminal = terminal
        self.memory = ctypes.create_string_buffer(b"untouched", 16)
        self.path = folder / "file"
        self.path.write_bytes(b"precious")
        (folder / "place").mkdir()
        self.file = open(self.path, "rb")  # noqa: SIM115 - closed with the victim
        self.names = {
            "numbers": NUMBERS,
            "victim": process.pid,
            "kernel": os.getpid(),
            "address": ctypes.addressof(self.memory),
            "terminal": os.ttyname(terminal),
            "inherited": terminal,
            "path": str(self.path),
            "held": self.file.fileno(),
            "folder": str(folder),
            "place": str(folder / "place"),
            "queue": f"/reflex-test-{os.getpid()}",
        }

    def state(self) -> dict[str, Any]:
        """All that can be asked about it."""
        pid = self.process.pid
        flags = fcntl.ioctl(self.file, 0x80086601, bytes(8)) if _has_flags(self.file.fileno()) else b""
        return {
            "alive": self.process.poll() is None,
            "stopped": Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "Tt",
            "nice": os.getpriority(os.PRIO_PROCESS, pid),
            "io": ctypes.CDLL(None).syscall(252 if platform.machine() == "x86_64" else 31, 1, pid),
            "processors": os.sched_getaffinity(pid),
            "scheduler": (os.sched_getscheduler(pid), os.getpgid(pid)),
            "limit": resource.prlimit(pid, resource.RLIMIT_NOFILE),
            "badness": Path(f"/proc/{pid}/oom_score_adj").read_text(),
            "memory": self.memory.raw,
            "terminal": [str(part) for part in termios.tcgetattr(self.terminal)],
            "window": fcntl.ioctl(self.terminal, termios.TIOCGWINSZ, bytes(8)),
            "typed": fcntl.ioctl(self.terminal, termios.FIONREAD, bytes(4)),
            "file": (self.path.read_bytes(), self.path.stat().st_ctime_ns, flags, os.listxattr(self.path)),
            "mounts": [line for line in _mounts() if line[4] == "/" or line[4].startswith(str(self.path.parent))],
            "segments": segments(),
        }


def _mounts() -> list[list[str]]:
    """Those of this machine, whoever has made them (proc(5), `mountinfo`)."""
    return [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]


def _has_flags(fd: int) -> bool:
    with contextlib.suppress(OSError):
        fcntl.ioctl(fd, 0x80086601, bytes(8))
        return True
    return False


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    """With a process of its own group, that ends by any signal."""
    controller, terminal = os.openpty()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as process:
        made = Victim(tmp_path_factory.mktemp("victim"), process, terminal)
        yield made
        made.file.close()
        process.kill()
    os.close(controller)
    os.close(terminal)


@pytest.fixture(scope="module", params=LEVELS, ids=lambda level: f"Landlock {level}")
def zygote(request: pytest.FixtureRequest, victim: Victim) -> Iterator[Zygote]:
    """One that knows the victim, where the kernel has so much of Landlock."""
    if request.param > landlock.version():
        pytest.skip(f"this kernel has Landlock {landlock.version()}")
    exec(PRELUDE, victim.names)
    started = Zygote.start(
        PlainRunner(victim.names), limits=PATIENT, sandbox=Sandbox(landlock=request.param, seccomp=True)
    )
    yield started
    started.close()


def refused(trial: Trial) -> bool:
    """Whether a wall was met, and not a mistake of the cell's."""
    by_us = ("[Errno 13]", "[Errno 38]", "(13, ")
    return trial.outcome == "blocked" and trial.evalue.startswith(by_us)


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_reaches_out_of_a_trial(zygote: Zygote, victim: Victim, family: str) -> None:
    before = victim.state()
    trials = {name: zygote.trial(edits(source)) for name, source in FAMILIES[family].items()}
    assert victim.state() == before
    assert {name: trial for name, trial in trials.items() if not refused(trial)} == {}


def test_an_inherited_terminal_is_not_there(zygote: Zygote, victim: Victim) -> None:
    before = victim.state()
    trial = zygote.trial(edits("termios.tcsetattr(inherited, termios.TCSANOW, [0, 0, 0, 0, 0, 0, [b'x'] * 32])"))
    assert (trial.outcome, victim.state()) == ("other_error", before)  # it is /dev/null there, and that is no terminal


def test_every_number_that_is_not_allowed_is_refused(zygote: Zygote) -> None:
    known = processor()
    assert known is not None
    allowed = {known.calls[name] for name in rules(1, files=False) if name in known.calls}
    allowed |= {335, 336}  # traps of uprobes on x86_64: outside of these they end who calls them, without any filter
    trial = zygote.trial(edits(f"allowed = {allowed}\n{EVERY_NUMBER}"))
    assert (trial.outcome, trial.result) == ("passed", "[]"), trial


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only there are calls of another processor understood")
def test_a_call_by_the_conventions_of_another_processor_ends_the_trial(zygote: Zygote, victim: Victim) -> None:
    code = bytes([0xB8, *struct.pack("<I", 20), 0xCD, 0x80, 0xC3])  # mov eax, 20; int 0x80; ret
    source = (
        "import mmap\nm = mmap.mmap(-1, 4096, prot=7)\n"
        f"m.write({code!r})\nctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()"
    )
    trial = zygote.trial(edits(source))
    assert (trial.outcome, trial.result) == ("inconclusive", "")
    assert "crashed the copy of the kernel (SIG" in trial.reason  # SIGSYS; SIGSEGV where the kernel knows no such calls


ORDINARY = {
    "threads": "import threading\nt = threading.Thread(target=print); t.start(); t.join(); 'fine'",
    "a pool": "from concurrent.futures import ThreadPoolExecutor as P\nwith P(4) as p: p.map(abs, range(9))\n'fine'",
    "linear algebra": "import numpy as np; float((np.ones((300, 300)) @ np.ones((300, 300))).sum()) and 'fine'",
    "a loop of events": "import asyncio; asyncio.run(asyncio.sleep(0.01, 'fine'))",
    "a pair of sockets": "import socket; a, b = socket.socketpair(); a.sendall(b'x'); b.recv(1) and 'fine'",
    "a pair that does not block": "import socket; a, b = socket.socketpair(); a.setblocking(False)\n'fine'",
    "a signal to itself": "import signal\nsignal.signal(10, lambda *_: None); os.kill(os.getpid(), 10); 'fine'",
    "a thread's signal": "signal.signal(10, lambda *_: None); signal.pthread_kill(threading.get_ident(), 10); 'fine'",
    "an alarm": "import time\nsignal.signal(14, lambda *_: None); signal.setitimer(0, 0.01); time.sleep(0.02); 'fine'",
    "nice": "os.nice(1) and 'fine'",
    "its own priority of disks": "call('ioprio_set', 1, 0, 3 << 13); 'fine'",
    "its processors": "os.sched_setaffinity(0, os.sched_getaffinity(0)); 'fine'",
    "its limits": "import resource; resource.getrlimit(resource.RLIMIT_NOFILE) and 'fine'",
    "its name": "call('prctl', 15, b'trial\\0', 0, 0, 0); 'fine'",
    "a pipe": "r, w = os.pipe(); os.set_blocking(r, False); os.write(w, b'x'); os.read(r, 1) and 'fine'",
    "the size of a terminal": "import shutil; shutil.get_terminal_size() and 'fine'",
    "is it a terminal": "import sys; [os.isatty(fd) for fd in range(3)] and 'fine'",
    "anonymous memory": "import mmap; m = mmap.mmap(-1, 9999); m.madvise(mmap.MADV_DONTNEED); 'fine'",
    "a database in memory": "import sqlite3; c = sqlite3.connect(':memory:'); c.execute('CREATE TABLE t (n)'); 'fine'",
    "a lock of a file": "fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB); 'fine'",
    "what a file says": "os.stat(path), os.listxattr(path), os.statvfs(path), os.listdir(folder); 'fine'",
    "watching": "libc.inotify_init1(0) > 0 and 'fine'",
    "a clock": "import time; time.clock_gettime(time.CLOCK_MONOTONIC); time.sleep(0.001); 'fine'",
    "trust": "import ssl; ssl.create_default_context(); 'fine'",
    "random bytes": "len(os.urandom(9)) == 9 and 'fine'",
    "a table": "import pandas as pd; pd.DataFrame({'a': [1, 2]}).groupby('a').size().sum() and 'fine'",
    "what it is": "import platform; platform.uname(), os.getloadavg(), os.cpu_count(), os.getgroups(); 'fine'",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_what_stays_inside_works(zygote: Zygote, name: str) -> None:
    trial = zygote.trial(edits(ORDINARY[name]))
    assert (trial.outcome, trial.result) == ("passed", "'fine'"), trial


IN_SCRATCH = {
    "a database": "c = sqlite3.connect(p); c.execute('CREATE TABLE t (n)'); c.execute('INSERT INTO t VALUES (1)'); "
    "c.commit(); c.close(); sqlite3.connect(p).execute('SELECT n FROM t').fetchone() == (1,) and 'fine'",
    "a database with a log": "c = sqlite3.connect(p); c.execute('PRAGMA journal_mode=WAL'); "
    "c.execute('CREATE TABLE t (n)'); c.commit(); c.close(); 'fine'",
    "a table": "import pandas as pd; pd.DataFrame({'a': [1]}).to_csv(p); len(pd.read_csv(p)) == 1 and 'fine'",
    "an array on disk": "import numpy as np; m = np.memmap(p, 'u1', 'w+', shape=9999); m[:] = 1; m.flush(); 'fine'",
    "an archive": "import zipfile\nwith zipfile.ZipFile(p, 'w') as z: z.writestr('a', 'b')\n'fine'",
    "a copy": "import shutil; open(p, 'w').write('x' * 99999); shutil.copyfile(p, p + '2') and 'fine'",
    "a lock": "f = open(p, 'w'); fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_EX); 'fine'",
    "a pipe with a name": "os.mkfifo(p); os.close(os.open(p, os.O_RDONLY | os.O_NONBLOCK)); 'fine'",
    "a figure": "import matplotlib; matplotlib.use('agg'); import matplotlib.pyplot as plt\n"
    "plt.plot([1, 2]); plt.savefig(p + '.png'); os.path.getsize(p + '.png') and 'fine'",
}


@pytest.mark.parametrize("name", IN_SCRATCH)
def test_temporary_files_can_be_used_as_ever(zygote: Zygote, name: str) -> None:
    begin = "import sqlite3, tempfile\np = tempfile.mkdtemp() + '/p'\n"
    trial = zygote.trial(edits(begin + IN_SCRATCH[name]))
    if "temporary files can't be written" in str(trial.missing):
        assert trial.outcome == "blocked", trial
    else:
        assert (trial.outcome, trial.result) == ("passed", "'fine'"), trial
