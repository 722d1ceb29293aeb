"""Cells that act through what was made before the copy, in ways that Python's own events don't show.

Whatever the kernel has of Landlock: nothing acts outside, and no verdict is plainly green.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import queue
import select
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.check.trial import landlock
from reflex_ipython.check.trial.sandbox import Sandbox
from reflex_ipython.check.trial.zygote import Zygote
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.models import Trial
from tests.check.build import edits
from tests.check.patience import PATIENT
from tests.hostile.segments import segments
from tests.hostile.system_calls import NUMBERS, PRELUDE

LEVELS = (0, 2, 4, 5, 6, 7) if os.environ.get("HOSTILE_WHOLE") else (0, 4, 7)
"""Of Landlock: each is a kernel that is in use."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

BEHIND = "\nif done is None or done in (-1, 2**64 - 1): raise OSError(ctypes.get_errno(), 'refused')"
C_OPEN = "done = libc.open({}, {})" + BEHIND + "\nos.read(done, 3)"
CELLS = {
    # descriptors
    "one in flight through a pair": "import socket; socket.recv_fds(pair, 10, 1)",
    "one in flight, in C": "done = libc.recvmsg(pair.fileno(), ctypes.create_string_buffer(200), 0)" + BEHIND,
    "a memfd": "os.pwrite(memfd, b'trial', 0)",
    "a memfd by its number in the kernel": "os.open(f'/proc/{kernel}/fd/{memfd}', os.O_RDWR)",
    "the same number, in C": C_OPEN.format("f'/proc/{kernel}/fd/{memfd}'.encode()", "2"),
    "a map of a memfd": "mapped[0] = 1",
    "room for a memfd": "os.posix_fallocate(memfd, 0, 1 << 16)",
    "a seal": "fcntl.fcntl(memfd, 1033, 2)",
    "a lock of an open file": "fcntl.fcntl(memfd, 37, struct.pack('hhqqi', 1, 0, 0, 0, 0))",
    "a lock of fcntl": "fcntl.fcntl(memfd, fcntl.F_SETLK, struct.pack('hhqqi', 1, 0, 0, 0, 0))",
    "an event counter": "os.write(counter, (1).to_bytes(8, 'little'))",
    "an event counter that is read": "os.read(counter, 8)",
    "a timer that is read": "os.read(timer, 8)",
    "a watch of files that is read": "os.read(watch, 100)",
    "a queue of signals that is read": "os.read(signals, 128)",
    "the master of a terminal": "os.write(master, b'ls\\n')",
    "a terminal that is read": "os.read(terminal, 1)",
    "a datagram socket as a file": "os.write(datagram.fileno(), b'trial')",
    "a traceback into a pipe": "import faulthandler; faulthandler.dump_traceback(file=writing)",
    # folders and places
    "below a folder": "os.open('new', os.O_WRONLY | os.O_CREAT, dir_fd=folder_fd)",
    "below a place": "done = libc.openat(place, b'new', 0o101, 0o600)" + BEHIND,
    "a link of a place": "done = libc.linkat(precious, b'', place, b'linked', 0x1000)" + BEHIND,
    "the mode of a place": "done = libc.chmod(f'/proc/self/fd/{precious}'.encode(), 0o777)" + BEHIND,
    "a place, opened to write": C_OPEN.format("f'/proc/self/fd/{precious}'.encode()", "2"),
    # pipes with names
    "a pipe in C": C_OPEN.format("fifo.encode()", "0o4000"),
    "a pipe from its folder": "os.read(os.open('fifo', os.O_RDONLY | os.O_NONBLOCK, dir_fd=folder_fd), 3)",
    "a pipe from its place": C_OPEN.format("f'/proc/self/fd/{place}/fifo'.encode()", "0o4000"),
    "a pipe from the root": C_OPEN.format("('/proc/self/root' + fifo).encode()", "0o4000"),
    "a pipe from the thread's root": C_OPEN.format("('/proc/thread-self/root' + fifo).encode()", "0o4000"),
    "a pipe beside where it is": "os.chdir(folder)\n" + C_OPEN.format("b'fifo'", "0o4000"),
    "a pipe beside where the process is": "os.chdir(folder)\n" + C_OPEN.format("b'/proc/self/cwd/fifo'", "0o4000"),
    "a pipe by a place of its own": "p = os.open(fifo, os.O_PATH)\n"
    + C_OPEN.format("f'/proc/self/fd/{p}'.encode()", "0o4000"),
    "a pipe by a link": C_OPEN.format("link.encode()", "0o4000"),
    "a pipe by a link that is relative": C_OPEN.format("f'{folder}/inner/../inner/relative'.encode()", "0o4000"),
    "a pipe by a library": "import sqlite3; sqlite3.connect(fifo).execute('SELECT 1 FROM sqlite_master')",
    "a pipe of the kernel's": C_OPEN.format("f'/proc/{kernel}/fd/{reading}'.encode()", "0o4000"),
    "a device in C": C_OPEN.format("terminal_name.encode()", "0o4400"),
    # processes
    "kill": "call('kill', child, 9)",
    "tgkill": "call('tgkill', child, child, 9)",
    "a handle of a process": "import signal; signal.pidfd_send_signal(child_fd, 9)",
    "a handle of a process, in C": "call('pidfd_send_signal', child_fd, 9, 0, 0)",
    "a descriptor by a handle": "call('pidfd_getfd', kernel_fd, memfd, 0)",
    "memory by an open file": "memory_file.seek(address); memory_file.write(b'trial')",
    "process_vm_writev": "call('process_vm_writev', kernel, 0, 0, 0, 0, 0)",
    "ptrace": "call('ptrace', 0x4206, kernel, 0, 0)",
    "badness by an open file": "badness.write('5'); badness.flush()",
    "a thread that waits": "bell.set()",
    "a thread that waits for work": "work.put('x')",
    "who may trace": "call('prctl', 0x59616D61, kernel, 0, 0, 0)",
    "who adopts": "call('prctl', 36, 0, 0, 0, 0)",
    # between processes
    "a message": "done = libc.msgsnd(queue, struct.pack('l', 1) + b'x', 1, 0)" + BEHIND,
    "the end of a queue": "done = libc.msgctl(queue, 0, None)" + BEHIND,
    "a semaphore": "done = libc.semop(semaphores, struct.pack('Hhh', 0, 1, 0), 1)" + BEHIND,
    "a semaphore's value": "done = libc.semctl(semaphores, 0, 16, 5)" + BEHIND,
    "shared memory": "libc.shmat.restype = ctypes.c_void_p; done = libc.shmat(segment, None, 0)" + BEHIND,
    "the end of shared memory": "done = libc.shmctl(segment, 0, None)" + BEHIND,
    "a new queue": "call('msgget', 0, 0o1600)",
    "new semaphores": "call('semget', 0, 1, 0o1600)",
    "new shared memory": "call('shmget', 0, 4096, 0o1600)",
    "an open queue": "done = libc.mq_send(mq, b'trial', 5, 1)" + BEHIND,
    "an open queue, to read": "done = libc.mq_receive(mq, ctypes.create_string_buffer(9000), 9000, None)" + BEHIND,
    "a queue by its name": "done = libc.mq_open(mq_name, 0)" + BEHIND,
    "a semaphore by its name": "libc.sem_open.restype = ctypes.c_void_p\n"
    "done = libc.sem_open(mq_name, 0o100, 0o600, 1) or None" + BEHIND,
    "memory by its name": "from multiprocessing import shared_memory; shared_memory.SharedMemory(shm_name)",
    "a file in memory": "open('/dev/shm/' + shm_name, 'w')",
    "an abstract socket": "import socket; a, b = socket.socketpair(type=socket.SOCK_DGRAM); a.connect(abstract)",
    "the same with a message": "import socket; a, b = socket.socketpair(type=socket.SOCK_DGRAM)\n"
    "a.sendmsg([b'trial'], [], 0, abstract)",
    # rings and counters of the kernel
    "a ring": "numbers['enter'] = 426; call('enter', ring, 1, 0, 0, 0, 0)",
    "a ring's registration": "numbers['register'] = 427; call('register', ring, 0, 0, 0)",
    "a counter": "fcntl.ioctl(perf, 0x2400, 0)",
    "faults": "fcntl.ioctl(faults, 0xC018AA3F, bytearray(24))",
    "keys": "call('keyctl', 6, -3, 0, 0, 0)",
    "a copy of the process": "numbers['vfork'] = 58; call('vfork') or os._exit(3)",
}


class Made:
    """What a kernel can have made, and what everybody else sees of it."""

    def __init__(self, folder: Path) -> None:
        libc = self.libc = ctypes.CDLL(None, use_errno=True)
        libc.syscall.restype = ctypes.c_long
        self.folder = folder
        (folder / "precious").write_text("precious")
        (folder / "inner").mkdir()
        os.mkfifo(folder / "fifo")
        (folder / "link").symlink_to(folder / "fifo")
        (folder / "inner" / "relative").symlink_to("../fifo")
        self.fifo_end = os.open(folder / "fifo", os.O_RDWR | os.O_NONBLOCK)
        os.write(self.fifo_end, b"8 bytes.")
        self.passed = open(folder / "passed", "w+")  # noqa: SIM115 - closed with all others
        self.other_pair, self.pair = socket.socketpair()
        socket.send_fds(self.other_pair, [b"x"], [self.passed.fileno()])
        self.memfd = os.memfd_create("user")
        os.write(self.memfd, b"shared".ljust(4096))
        self.mapped = mmap.mmap(self.memfd, 4096)
        self.counter = libc.eventfd(0, 0o4000)
        self.master, self.terminal = os.openpty()
        self.reading, self.writing = os.pipe()
        self.receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.receiver.bind(("127.0.0.1", 0))
        self.datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagram.connect(self.receiver.getsockname())
        self.abstract = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.abstract.bind(f"\0reflex-test-{os.getpid()}")
        self.child = subprocess.Popen(["sleep", "600"])
        self.badness = open(f"/proc/{self.child.pid}/oom_score_adj", "r+")  # noqa: SIM115 - as above
        self.memory = ctypes.create_string_buffer(b"untouched", 16)
        self.memory_file = open(f"/proc/{os.getpid()}/mem", "r+b", buffering=0)  # noqa: SIM115 - as above
        self.queue, self.semaphores = libc.msgget(0, 0o1600), libc.semget(0, 1, 0o1600)
        self.segment = libc.shmget(0, 4096, 0o1600)
        self.mq_name = f"/reflex-test-{os.getpid()}".encode()
        self.mq = libc.mq_open(self.mq_name, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600, None)
        libc.mq_send(self.mq, b"hello", 5, 1)
        self.shm = Path("/dev/shm") / f"reflex-test-{os.getpid()}"
        self.shm.write_text("precious")
        self.woken: list[str] = []
        self.bell, self.go_on = threading.Event(), threading.Event()
        self.work: queue.Queue[str] = queue.Queue()
        self.threads = [threading.Thread(target=self._wait), threading.Thread(target=self._serve)]
        for thread in self.threads:
            thread.start()
        signals = (ctypes.c_ulong * 16)(1 << 9)
        watch = libc.inotify_init1(0o4000)
        libc.inotify_add_watch(watch, os.fsencode(folder), 0xFFF)
        self.numbers = {
            "folder_fd": os.open(folder, os.O_RDONLY), "place": os.open(folder, os.O_PATH), "watch": watch,
            "precious": os.open(folder / "precious", os.O_PATH), "timer": libc.timerfd_create(1, 0o4000),
            "signals": libc.signalfd(-1, ctypes.byref(signals), 0o4000), "child_fd": os.pidfd_open(self.child.pid),
            "kernel_fd": os.pidfd_open(os.getpid()), "ring": self._call("io_uring_setup", 4, bytes(256)),
            "perf": self._call("perf_event_open", struct.pack("IIQ", 1, 128, 0) + bytes(112), 0, -1, -1, 0),
            "faults": self._call("userfaultfd", 1),
        }  # fmt: skip

    def _call(self, name: str, *arguments: Any) -> int:
        return int(self.libc.syscall(NUMBERS[name], *arguments))  # -1 where this machine has none: refused as well

    def _wait(self) -> None:
        self.bell.wait()
        self.woken += [] if self.go_on.is_set() else ["by the bell"]

    def _serve(self) -> None:
        self.work.get()
        self.woken += [] if self.go_on.is_set() else ["by work"]

    def names(self) -> dict[str, Any]:
        """What the user calls them."""
        same = (
            *("pair", "memfd", "mapped", "counter", "master", "terminal", "reading", "writing", "datagram", "badness"),
            *("memory_file", "queue", "semaphores", "segment", "mq", "mq_name", "bell", "work"),
        )
        names = {
            **{name: getattr(self, name) for name in same}, **self.numbers, "numbers": dict(NUMBERS),
            "folder": str(self.folder), "fifo": str(self.folder / "fifo"), "link": str(self.folder / "link"),
            "terminal_name": os.ttyname(self.terminal), "kernel": os.getpid(), "child": self.child.pid,
            "address": ctypes.addressof(self.memory), "abstract": self.abstract.getsockname(),
            "shm_name": self.shm.name,
        }  # fmt: skip
        exec(PRELUDE, names)
        return names

    def seen_outside(self) -> dict[str, Any]:
        """What everybody else would see of an act."""
        ready = [self.receiver, self.abstract, self.counter, self.reading, self.master, self.pair, self.fifo_end]
        info, fifo = ctypes.create_string_buffer(200), os.read(self.fifo_end, 100)
        os.write(self.fifo_end, fifo)
        self.libc.msgctl(self.queue, 2, info)  # IPC_STAT
        return {
            "files": {str(path): path.stat()[:1] + path.stat()[6:7] for path in sorted(self.folder.rglob("*"))},
            "precious": ((self.folder / "precious").read_text(), self.shm.read_text(), fifo),
            "memory": (self.memory.raw, bytes(self.mapped[:9]), os.fstat(self.memfd).st_size),
            "ready": [one if isinstance(one, int) else one.fileno() for one in select.select(ready, [], [], 0)[0]],
            "child": (self.child.poll(), Path(f"/proc/{self.child.pid}/oom_score_adj").read_text()),
            "queues": (info.raw, self.libc.semctl(self.semaphores, 0, 12), os.pread(self.mq, 100, 0)),
            "segments": segments(),
            "woken": list(self.woken),
        }

    def close(self) -> None:
        """All of it."""
        self.go_on.set()
        self.bell.set()
        self.work.put("")
        for thread in self.threads:
            thread.join()
        self.child.kill()
        self.child.wait()
        self.libc.msgctl(self.queue, 0, None)
        self.libc.semctl(self.semaphores, 0, 0)
        self.libc.shmctl(self.segment, 0, None)
        self.libc.mq_unlink(self.mq_name)
        self.shm.unlink()
        self.mapped.close()
        for one in (self.passed, self.badness, self.memory_file):
            one.close()
        for other in (self.other_pair, self.pair, self.receiver, self.datagram, self.abstract):
            other.close()
        mine = (
            self.fifo_end,
            self.memfd,
            self.counter,
            self.master,
            self.terminal,
            self.reading,
            self.writing,
            self.mq,
        )
        for fd in (*mine, *self.numbers.values()):
            if fd >= 0:
                os.close(fd)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """For all levels."""
    things = Made(tmp_path_factory.mktemp("made"))
    yield things
    things.close()


@pytest.fixture(scope="module", params=LEVELS, ids=lambda level: f"Landlock {level}")
def zygote(request: pytest.FixtureRequest, made: Made) -> Iterator[Zygote]:
    """One that has them, where the kernel has so much of Landlock."""
    if request.param > landlock.version():
        pytest.skip(f"this kernel has Landlock {landlock.version()}")
    started = Zygote.start(
        PlainRunner(made.names()), limits=PATIENT, sandbox=Sandbox(landlock=request.param, seccomp=True)
    )
    yield started
    started.close()


def _is_green(trial: Trial) -> bool:
    """Whether nothing is said that a person would want to know; that C functions are called is said of all of them."""
    told = [effect for effect in trial.effects if "(ctypes)" not in effect.text]
    return trial.outcome == "passed" and not told and not trial.accesses


def test_nothing_made_before_leads_out_of_a_trial_unseen(zygote: Zygote, made: Made) -> None:
    before = made.seen_outside()
    trials = {name: zygote.trial(edits(source)) for name, source in CELLS.items()}
    assert made.seen_outside() == before
    assert [name for name, trial in trials.items() if _is_green(trial)] == []
    mistaken = ("NameError", "AttributeError", "TypeError", "SyntaxError", "error", "ImportError")
    assert {name: trial.evalue for name, trial in trials.items() if trial.ename in mistaken} == {}


PIPES = [name for name in CELLS if name.startswith("a pipe") and "kernel's" not in name]


def test_a_pipe_with_a_name_is_told_whatever_code_opens_it(zygote: Zygote) -> None:
    for name in PIPES:
        accesses = [access.text for access in zygote.trial(edits(CELLS[name])).accesses]
        assert any(text.startswith(("read from ", "write to ")) for text in accesses), (name, accesses)


def test_pipes_and_devices_that_are_the_cells_own_can_be_opened(zygote: Zygote) -> None:
    source = (
        "r, w = os.pipe(); os.write(w, b'own'); a = os.read(libc.open(f'/proc/self/fd/{r}'.encode(), 0o4000), 3)\n"
        "b = libc.open(b'/dev/null', 0), libc.open(b'/dev/urandom', 0), libc.open(b'/dev/stdin', 0)\n"
        "a, min(b) > 2, libc.open(b'/nowhere', 0), ctypes.get_errno(), libc.open(None, 0), ctypes.get_errno()"
    )
    trial = zygote.trial(edits(source))
    assert (trial.outcome, trial.result, trial.accesses) == ("passed", "(b'own', True, -1, 2, -1, 14)", ()), trial


def test_openings_of_many_threads_are_all_answered(zygote: Zygote) -> None:
    source = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "def opened(n):\n    with open('/proc/self/stat') as file: return len(file.read()) > 9\n"
        "with ThreadPoolExecutor(8) as pool: every = all(pool.map(opened, range(400)))\nevery"
    )
    trial = zygote.trial(edits(source))
    assert (trial.outcome, trial.result, trial.accesses) == ("passed", "True", ()), trial


def test_what_a_deep_folder_has_is_opened_as_ever(zygote: Zygote) -> None:
    source = (
        "import tempfile\nos.chdir(tempfile.mkdtemp())\n"
        "for _ in range(40): os.mkdir('d' * 200); os.chdir('d' * 200)\n"
        "open('f', 'w').write('deep')\nopen('f').read()"
    )
    trial = zygote.trial(edits(source))
    assert trial.outcome == ("blocked" if "temporary files" in str(trial.missing) else "passed"), trial
