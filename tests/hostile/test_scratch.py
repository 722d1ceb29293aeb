"""Nothing that a trial writes stays in the temporary folder, whoever is killed, and whatever the trial did to it."""

from __future__ import annotations

import dataclasses
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reflex_ipython.check.trial import scratch
from reflex_ipython.check.trial.zygote import Zygote
from reflex_ipython.execution.plain_runner import PlainRunner
from tests.check.build import edits
from tests.check.patience import PATIENT
from tests.kernel.driver import PATIENCE, Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

ROOT = Path(__file__).parents[2]
WHOLE = bool(os.environ.get("HOSTILE_WHOLE"))
WITHOUT_PRIVILEGES = """
import ctypes, struct
ctypes.CDLL(None).capset(struct.pack("Ii", 0x20080522, 0), bytes(24))
"""
"""Root may do anything to any folder; for others permissions matter."""

UNRULY = """
import ctypes, os, tempfile
top = tempfile.mkdtemp()
link = lambda target, place: ctypes.CDLL(None).symlink(target.encode(), place.encode())
with open(top + '/large', 'wb') as file:
    file.write(bytes(20 << 20))
os.makedirs(top + '/a/b/c')
open(top + '/a/b/c/file', 'w').close()
link(precious, top + '/a/link')
link(os.path.dirname(precious), top + '/a/b/folder')
os.mkdir(top + '/closed', 0)
old = os.umask(0o777)
os.makedirs(top + '/a/shut')
os.umask(old)
os.chdir(top)
for n in range(90):
    os.mkdir('d' * 50)
    os.chdir('d' * 50)
os.chdir('/')
"""
"""Folders without permissions, links that lead out, and a path that is longer than any path may be."""


def until(condition: Callable[[], object]) -> bool:
    """Whether a condition comes true; waits for that."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.fixture
def temporary(tmp_path: Path) -> Iterator[Path]:
    """The temporary folder of the processes of a test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    yield folder
    for left in folder.iterdir():
        scratch.remove(str(left))


def in_another_process(program: str, *words: object, temporary: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if temporary is not None:
        environment["TMPDIR"] = str(temporary)
    command = [sys.executable, "-c", program, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)


# ------------------------------------------------------------------ one folder


def test_any_tree_is_removed_and_what_links_lead_to_is_not(tmp_path: Path) -> None:
    precious = tmp_path / "mine" / "precious"
    precious.parent.mkdir()
    precious.write_text("precious")
    folder = tmp_path / "folder"
    folder.mkdir()
    build = f"import sys, tempfile\ntempfile.tempdir, precious = sys.argv[1:]\n{WITHOUT_PRIVILEGES}{UNRULY}"
    remove = (
        f"import sys\nfrom reflex_ipython.check.trial import scratch\n{WITHOUT_PRIVILEGES}scratch.remove(sys.argv[1])"
    )
    built = in_another_process(build, folder, precious)
    assert (built.returncode, len(list(folder.iterdir()))) == (0, 1), built.stderr
    removed = in_another_process(remove, folder)
    assert (removed.returncode, folder.exists()) == (0, False), removed.stderr
    assert (precious.read_text(), os.listdir(precious.parent)) == ("precious", ["precious"])


def test_a_folder_that_somebody_else_removes_at_the_same_time_is_no_error(tmp_path: Path) -> None:
    remove = f"from reflex_ipython.check.trial import scratch\nscratch.remove({str(tmp_path / 'folder')!r})"
    for _ in range(3):
        for n in range(200):
            (tmp_path / "folder" / str(n) / "inner").mkdir(parents=True)
        processes = [subprocess.Popen([sys.executable, "-c", remove], stderr=-1, cwd=ROOT) for _ in range(2)]
        assert [process.communicate()[1] for process in processes] == [b"", b""]
        assert not (tmp_path / "folder").exists()


def test_what_is_left_in_no_folder_is_left_after_a_trial(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    precious = tmp_path / "precious"
    precious.write_text("precious")
    zygote = Zygote.start(PlainRunner({"precious": str(precious)}), limits=PATIENT)
    seen = [(zygote.trial(edits(UNRULY)), list(temporary.iterdir())) for _ in range(2)]
    zygote.close()
    assert [(trial.outcome, left) for trial, left in seen] == [("passed", [])] * 2, seen
    assert precious.read_text() == "precious"


HOARDERS = {
    "plainly": "open(f'{top}/{n}', 'wb').write(bytes(1 << 20))",
    "without a name": "kept.append(open(str(n), 'wb', buffering=0)); kept[-1].write(bytes(1 << 20)); os.unlink(str(n))",
    "where nobody may look": "os.mkdir(f'{top}/{n}', 0o300); open(f'{top}/{n}/f', 'wb').write(bytes(1 << 20))",
    "far below": "os.mkdir('d'); os.chdir('d'); open('f', 'wb').write(bytes(1))",
}


@pytest.mark.parametrize("how", HOARDERS)
def test_what_is_hidden_counts_as_well(temporary: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    source = (
        "import itertools, os, tempfile, time\nkept, top = [], tempfile.mkdtemp()\nos.chdir(top)\n"
        f"for n in itertools.count():\n    {HOARDERS[how]}\n    time.sleep(0.01)"  # until somebody looks, however late
    )
    zygote = Zygote.start(PlainRunner({}), limits=dataclasses.replace(PATIENT, scratch=16 << 20, seconds=300.0))
    trial = zygote.trial(edits(source))
    zygote.close()
    assert (trial.outcome, "temporary files" in trial.reason) == ("inconclusive", True), trial
    assert list(temporary.iterdir()) == []


# ------------------------------------------------------------------ whose it is


def test_the_next_start_removes_what_nobody_owns_and_nothing_else(temporary: Path) -> None:
    with scratch.owned(str(owned := temporary / scratch.name())):
        orphan = temporary / scratch.name()
        (orphan / "inner").mkdir(parents=True)
        (users := temporary / "mine").mkdir()
        link = temporary / scratch.name()
        link.symlink_to(users)
        assert scratch.sweep(str(temporary)) == [str(orphan)]
        assert {owned, users, link} == set(temporary.iterdir())
    assert {users, link} == set(temporary.iterdir())
    link.unlink()
    assert scratch.sweep(str(temporary / "not there")) == []


def test_a_folder_that_is_swept_while_it_is_made_is_made_again(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, times = fcntl.flock, []

    def sweep_first(fd: int, operation: int) -> None:
        if not times:
            times.append(1)
            os.rmdir(os.readlink(f"/proc/self/fd/{fd}"))
        lock(fd, operation)

    monkeypatch.setattr(scratch.fcntl, "flock", sweep_first)
    with scratch.owned(str(folder := temporary / scratch.name())):
        assert (folder.is_dir(), times) == (True, [1])


# ------------------------------------------------------------------ who is killed

KERNEL = """
import os, sys, threading, time
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.check.trial.zygote import Zygote
from tests.check.build import edits
from tests.check.patience import PATIENT
zygote = Zygote.start(PlainRunner({"precious": sys.argv[1]}), limits=PATIENT)
zygote.trial(edits("1"))
source = sys.argv[2] + "\\nimport time\\nopen(top + '/written', 'w').close()\\ntime.sleep(60)"
threading.Thread(target=zygote.trial, args=(edits(source),), daemon=True).start()
print(zygote.pid, zygote._folders[0], flush=True)
time.sleep(600)
"""


def parents() -> dict[int, tuple[int, str]]:
    """The parent and the name of each process."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            head, _, tail = Path(f"/proc/{name}/stat").read_text().rpartition(")")
        except OSError:
            continue
        found[int(name)] = (int(tail.split()[1]), head.partition("(")[2])
    return found


class Running:
    """A process with a trial that has written, and the processes that belong to it."""

    def __init__(self, temporary: Path) -> None:
        precious = temporary.parent / "precious"
        precious.write_text("precious")
        self.kernel = subprocess.Popen(
            [sys.executable, "-c", KERNEL, str(precious), UNRULY],
            env={**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}, stdout=-1, text=True,
        )  # fmt: skip
        assert self.kernel.stdout is not None
        pid, folder = self.kernel.stdout.readline().split()
        self.zygote, self.folder = int(pid), Path(folder)
        if not until(lambda: list(self.folder.glob("*/written"))):
            self.close()
            pytest.fail("the trial has not written")
        children = {child: name for child, (parent, name) in parents().items() if parent == self.zygote}
        (self.watcher,) = (child for child, name in children.items() if name in ("sh", "dash", "bash", "busybox"))
        (self.candidate,) = set(children) - {self.watcher}

    def kill(self, *who: str) -> None:
        """End some of them at once, by a signal that nobody can catch; then wait until all are gone."""
        pids = [getattr(self, one) for one in who]
        for one in [pid if isinstance(pid, int) else pid.pid for pid in pids]:
            os.kill(one, signal.SIGSTOP)
        for one in [pid if isinstance(pid, int) else pid.pid for pid in pids]:
            os.kill(one, signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        """Until nobody is left but the kernel, if that lives."""
        assert until(lambda: all(map(gone, (self.zygote, self.candidate, self.watcher))))

    def close(self) -> None:
        self.kernel.kill()
        self.kernel.communicate()


@pytest.fixture
def running(temporary: Path) -> Iterator[Running]:
    """A process with a trial."""
    started = Running(temporary)
    yield started
    started.close()


@pytest.mark.parametrize("who", ["kernel", "zygote", "candidate", "kernel zygote", "kernel zygote candidate"])
def test_whoever_is_killed_during_a_trial_nothing_is_left(running: Running, temporary: Path, who: str) -> None:
    if who == "candidate":
        os.kill(running.candidate, signal.SIGKILL)
    else:
        running.kill(*who.split())
    assert until(lambda: list(temporary.iterdir()) == [])
    assert (temporary.parent / "precious").read_text() == "precious"


def test_an_end_that_can_be_caught_leaves_nothing_either(running: Running, temporary: Path) -> None:
    running.kernel.terminate()
    running.wait()
    assert until(lambda: list(temporary.iterdir()) == [])


def test_what_is_sent_to_the_whole_group_does_not_reach_the_watcher(running: Running) -> None:
    assert os.getpgid(running.watcher) == os.getsid(running.watcher) == running.watcher
    assert running.watcher not in (os.getpgid(running.zygote), os.getpgid(running.candidate))


def test_if_even_the_watcher_is_killed_the_next_start_removes_it(running: Running, temporary: Path) -> None:
    running.kill("kernel", "zygote", "candidate", "watcher")
    assert list(temporary.iterdir()) == [running.folder]
    other = Running(temporary)
    try:
        assert until(lambda: list(temporary.iterdir()) == [other.folder])
        third = Running(temporary)
        assert set(temporary.iterdir()) == {other.folder, third.folder}, "a living kernel's folder was swept"
        third.close()
        third.wait()
    finally:
        other.close()
        other.wait()
    assert until(lambda: list(temporary.iterdir()) == [])


def test_where_there_is_no_shell_trials_go_on(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr("reflex_ipython.check.trial.watcher._SHELL", "/no/such/shell")
    zygote = Zygote.start(PlainRunner({}), limits=PATIENT)
    trial = zygote.trial(edits("import tempfile; tempfile.mkdtemp() and 'fine'"))
    zygote.close()
    assert (trial.result, list(temporary.iterdir())) == ("'fine'", [])


# ------------------------------------------------------------------ real kernels

ENDS: dict[str, Callable[[Kernel], None]] = {
    "killed": lambda kernel: kernel.manager.signal_kernel(signal.SIGKILL),
    "restarted": lambda kernel: kernel.manager.restart_kernel(now=False),
    "restarted at once": lambda kernel: kernel.manager.restart_kernel(now=True),
    "shut down": lambda kernel: kernel.manager.shutdown_kernel(now=False),
    "shut down at once": lambda kernel: kernel.manager.shutdown_kernel(now=True),
}


@pytest.mark.parametrize("end", ENDS if WHOLE else ("killed", "restarted"))
def test_a_kernel_that_ends_during_a_trial_leaves_nothing(temporary: Path, end: str) -> None:
    kernel = Kernel(TMPDIR=str(temporary))
    try:
        kernel.run("%load_ext reflex_ipython\nprecious = 'precious'\ntotal = 3")
        kernel.run(f"toatl\n{UNRULY}\nwhile True: pass")
        assert until(lambda: list(temporary.glob("reflex-trial-*/*/large")))
        ENDS[end](kernel)
        assert until(lambda: list(temporary.glob("reflex-trial-*")) == [])
    finally:
        kernel.close()


def test_who_sweeps_a_folder_holds_its_lock_until_it_is_gone(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, held = temporary / scratch.name(), list[bool]()
    folder.mkdir()
    remove = scratch.remove

    def look_and_remove(path: str) -> None:
        lock = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held.append(True)
        os.close(lock)
        remove(path)

    monkeypatch.setattr(scratch, "remove", look_and_remove)
    assert scratch.sweep(str(temporary)) == [str(folder)]
    assert held == [True]


def test_a_folder_that_is_being_made_is_never_swept_from_under_its_owner(temporary: Path) -> None:
    """Others sweep all the time, in the moments between its making and its lock as well."""
    swept = threading.Event()

    def sweep() -> None:
        while not swept.is_set():
            scratch.sweep(str(temporary))

    threads = [threading.Thread(target=sweep) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for number in range(300):
            folder = temporary / f"{scratch.name()}-{number}"
            with scratch.owned(str(folder)):
                (folder / "written").write_text("")
                assert (folder / "written").exists()
    finally:
        swept.set()
        for thread in threads:
            thread.join()
    assert list(temporary.iterdir()) == []
