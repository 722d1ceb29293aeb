"""Several fixes are tried at once, each in a copy of its own, and none of them is the worse for it."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reflex_ipython.base import process_memory
from reflex_ipython.check.trial import ForkedTrials, control, limits
from reflex_ipython.check.trial.channel import Receiver
from reflex_ipython.check.trial.limits import MIB, Limits
from reflex_ipython.check.trial.openings import Openings
from reflex_ipython.check.trial.process import children, descendants
from reflex_ipython.check.trial.zygote import Zygote
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.models import CellChanges, Trial
from tests.check.build import edits
from tests.check.conftest import Start
from tests.check.test_zygote import ROOT, becomes, gone

MEET = """
import glob, os, tempfile, time
kept = bytes(60 << 20).replace(b'\\0', b'x') if large else b''
open(tempfile.mkdtemp() + '/here', 'w').close()
while not os.path.exists(top + '/go'): time.sleep(0.01)
"""
"""Waits until it is said that all are there."""
LAST = "while len(glob.glob(top + '/reflex-trial-*')) > 1: time.sleep(0.01)\n'the last'"


@pytest.fixture(autouse=True)
def processors(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how many processors there are: two, unless it is called."""

    def there_are(count: int) -> None:
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(count)))

    there_are(2)
    return there_are


@pytest.fixture
def begin(start: Start, tmp_path: Path) -> Callable[..., Zygote]:
    """Starts a zygote, of which trials know where the others' folders are."""

    def begun(runner: Any = None, large: bool = False, **options: Any) -> Zygote:
        namespace = {"top": str(tmp_path / "scratch"), "large": large}
        return start(runner=(runner or PlainRunner)(namespace), **options)

    return begun


class Running:
    """Trials that run at the same time: each is seen in its folder while the others are in theirs."""

    def __init__(self, zygote: Zygote, folder: Path, *sources: str) -> None:
        self._go = folder / "go"
        self._trials: list[Trial] = []
        self._thread = threading.Thread(target=self._run, args=(zygote, sources))
        self._thread.start()
        assert becomes(lambda: len(list(folder.glob("reflex-trial-*/*/here"))), len(sources))
        self.processes = descendants(zygote.pid)
        self.twins = [pid for pid in children(zygote.pid) if children(pid)]

    def _run(self, zygote: Zygote, sources: tuple[str, ...]) -> None:
        with zygote.several() as most, ThreadPoolExecutor(len(sources)) as pool:
            assert most == len(sources)
            self._trials += pool.map(lambda source: zygote.trial(edits(MEET + source)), sources)

    def go_on(self) -> list[Trial]:
        """Have them go on once all are there, to their end."""
        self._go.touch()
        trials = self.end()
        self._go.unlink()
        return trials

    def end(self) -> list[Trial]:
        """Wait for them."""
        self._thread.join()
        return self._trials


# ------------------------------------------------------------------ how many


@pytest.mark.parametrize("count", [2, 3, 4])
def test_so_many_run_at_the_same_time_each_in_a_folder_of_its_own(
    begin: Callable[..., Zygote], processors: Callable[[int], None], tmp_path: Path, count: int
) -> None:
    processors(count)
    zygote = begin()
    trials = Running(zygote, tmp_path / "scratch", *["os.getppid()"] * count).go_on()
    assert [trial.outcome for trial in trials] == ["passed"] * count, trials
    parents = {trial.result for trial in trials}
    assert (len(parents), str(zygote.pid) in parents) == (count, True)


def test_otherwise_the_zygote_tries_one_after_the_other_by_itself(begin: Callable[..., Zygote]) -> None:
    zygote = begin()
    with ThreadPoolExecutor(4) as pool:
        trials = list(pool.map(lambda _: zygote.trial(edits("import os; os.getppid()")), range(8)))
    assert {trial.result for trial in trials} == {str(zygote.pid)}


def test_twins_are_gone_when_several_are_no_longer_tried_and_come_again(
    begin: Callable[..., Zygote], tmp_path: Path
) -> None:
    zygote = begin()
    for _ in range(3):
        descriptors = os.listdir("/proc/self/fd")
        Running(zygote, tmp_path / "scratch", "1", "2").go_on()
        assert becomes(lambda: len(children(zygote.pid)), 1), "the watcher alone should be left"
        assert os.listdir("/proc/self/fd") == descriptors
    assert zygote.trial(edits("import os; os.getppid()")).result == str(zygote.pid)


def test_there_are_no_more_than_processors_and_no_more_than_memory_allows(
    monkeypatch: pytest.MonkeyPatch, processors: Callable[[int], None]
) -> None:
    held = 0
    monkeypatch.setattr(process_memory, "rewritable", lambda: held)
    monkeypatch.setattr(process_memory, "available", lambda: 64 << 30)
    found = []
    for count in (1, 2, 3, 64):
        processors(count)
        found.append(limits.at_once(Limits()))
    assert found == [1, 2, 3, 4]
    by_memory = {}
    for megabytes in (1000, 1400, 3000, 5000):
        held = megabytes * MIB
        by_memory[megabytes] = limits.at_once(Limits(memory=4096 * MIB))
    assert by_memory == {1000: 4, 1400: 2, 3000: 1, 5000: 1}


def test_where_there_is_no_copy_one_is_tried_at_a_time() -> None:
    trials = ForkedTrials()
    with trials.several("a") as most:
        assert most == 1
    trials.freeze("a", PlainRunner({}))
    with trials.several("a") as most:
        assert most == 2
    trials.close()
    assert most == 2


# ------------------------------------------------------------------ what each has


@pytest.mark.alone
def test_they_share_the_memory_and_one_alone_has_all_of_it(
    begin: Callable[..., Zygote], monkeypatch: pytest.MonkeyPatch, processors: Callable[[int], None], tmp_path: Path
) -> None:
    monkeypatch.setattr(process_memory, "available", lambda: 64 << 30)
    processors(4)
    zygote = begin(limits=Limits(seconds=60.0, set_up=60.0, memory=2048 * MIB))
    bound = "import resource\nresource.getrlimit(resource.RLIMIT_AS)[0]"
    shared = [int(trial.result) for trial in Running(zygote, tmp_path / "scratch", *[bound] * 4).go_on()]
    alone = int(zygote.trial(edits(bound)).result)
    assert all(abs(alone - one - 1536 * MIB) < 100 * MIB for one in shared), (alone, shared)


def test_all_that_they_hold_is_counted(begin: Callable[..., Zygote], tmp_path: Path) -> None:
    zygote = begin(large=True)
    running = Running(zygote, tmp_path / "scratch", "1", "2")
    held = zygote.memory()
    assert [trial.outcome for trial in running.go_on()] == ["passed", "passed"]
    assert held > 120 * MIB
    assert becomes(lambda: zygote.memory() < 120 * MIB, True), "they are over: what they held is free as they end"


def test_a_twin_has_nothing_of_the_trial_that_it_was_made_beside(begin: Callable[..., Zygote], tmp_path: Path) -> None:
    class Looking(PlainRunner):
        def rewind(self, changes: CellChanges) -> None:
            gc.unfreeze()
            kinds = (Receiver, Openings)
            self.namespace["found"] = [one for one in gc.get_objects() if any(type(one) is kind for kind in kinds)]

    zygote = begin(runner=Looking)
    zygote.trial(edits("1"))
    at_rest = opened(zygote.pid)
    running = Running(zygote, tmp_path / "scratch", "found", "found")
    beside = opened(*running.twins), opened(zygote.pid)
    assert [trial.result for trial in running.go_on()] == ["[]", "[]"]
    assert beside[0] == beside[1] != at_rest  # each of them has what its own trial needs


def opened(pid: int) -> list[str]:
    """The kinds of what a process has open."""
    found = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            kind, _, rest = os.readlink(f"/proc/{pid}/fd/{fd}").partition(":")
            found.append(kind if rest else "file")
    return sorted(found)


def test_the_walls_of_each_are_up(begin: Callable[..., Zygote], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "precious").write_text("precious")
    zygote = begin()
    for attack in (
        f"open({str(tmp_path / 'precious')!r}, 'w')",
        f"open({str(tmp_path / 'pipe')!r})",
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "os.kill(os.getppid(), 9)",
        "other, = (one for one in glob.glob(top + '/reflex-trial-*') if not tempfile.mkdtemp().startswith(one + '/'))\n"
        "open(other + '/mine', 'w')",
    ):
        trials = Running(zygote, tmp_path / "scratch", attack, attack).go_on()
        while any(trial.ename == "ValueError" for trial in trials):  # on a busy machine the other may be over by then
            trials = Running(zygote, tmp_path / "scratch", attack, attack).go_on()
        assert [trial.outcome for trial in trials] == ["blocked", "blocked"], trials
    assert (tmp_path / "precious").read_text() == "precious"


# ------------------------------------------------------------------ one that ends badly


@pytest.mark.parametrize("end", ["ctypes.string_at(0)", "os._exit(3)", "os.kill(os.getpid(), 9)", "exit()", "1 / 0"])
def test_one_that_breaks_down_does_not_hurt_the_other(begin: Callable[..., Zygote], tmp_path: Path, end: str) -> None:
    zygote = begin()
    broken = f"import ctypes\nkept = open(tempfile.mkdtemp() + '/kept', 'w')\n{end}"
    for sources in ((broken, LAST), (LAST, broken)):
        trials = Running(zygote, tmp_path / "scratch", *sources).go_on()
        assert sorted(trial.result for trial in trials) == ["", "'the last'"], trials
    assert zygote.trial(edits("'still here'")).result == "'still here'"


def test_if_a_twin_is_killed_the_zygote_goes_on_without_one(begin: Callable[..., Zygote], tmp_path: Path) -> None:
    zygote = begin()
    with zygote.several():
        running = Running(zygote, tmp_path / "scratch", LAST, LAST)
        os.kill(*running.twins, signal.SIGKILL)
        trials = sorted(running.go_on(), key=lambda trial: trial.outcome)
        assert [trial.outcome for trial in trials] == ["inconclusive", "passed"], trials
        assert "ended before the trial was over" in trials[0].reason
        with ThreadPoolExecutor(2) as pool:
            trials = list(pool.map(lambda _: zygote.trial(edits("import os; os.getppid()")), range(4)))
    assert {trial.result for trial in trials} == {str(zygote.pid)}


def test_if_no_twin_can_be_made_the_zygote_does_it_all(
    begin: Callable[..., Zygote], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fork() -> int:
        raise OSError("no more processes")

    monkeypatch.setattr(control, "after_fork", SimpleNamespace(fork=fork))
    zygote = begin()
    with zygote.several() as most, ThreadPoolExecutor(most) as pool:
        trials = list(pool.map(lambda _: zygote.trial(edits("import os; os.getppid()")), range(2)))
    assert [trial.result for trial in trials] == [str(zygote.pid)] * 2


def test_a_copy_that_can_not_be_set_up_says_so_to_all(begin: Callable[..., Zygote]) -> None:
    class Stuck(PlainRunner):
        def detach(self) -> None:
            raise RuntimeError("stuck")

    zygote = begin(runner=Stuck)
    with zygote.several() as most, ThreadPoolExecutor(most) as pool:
        trials = list(pool.map(lambda _: zygote.trial(edits("1")), range(2)))
    assert [trial.outcome for trial in trials if trial.reason.endswith("stuck")] in (["not_tried"], ["not_tried"] * 2)
    assert {trial.outcome for trial in trials} <= {"not_tried", "inconclusive"}


# ------------------------------------------------------------------ all of them


@pytest.mark.parametrize("how", ["let go", "closed", "killed"])
def test_all_that_run_end_with_the_zygote_and_leave_nothing(
    begin: Callable[..., Zygote], tmp_path: Path, how: str
) -> None:
    zygote = begin()
    running = Running(zygote, tmp_path / "scratch", "1", "2")
    {"let go": zygote.let_go, "closed": zygote.close, "killed": lambda: os.kill(zygote.pid, signal.SIGKILL)}[how]()
    assert [trial.outcome for trial in running.end()] == ["inconclusive", "inconclusive"]
    assert all(map(gone, [zygote.pid, *running.processes]))
    assert becomes(lambda: zygote.alive, False)


def test_who_waits_for_a_line_is_told_when_all_is_over(begin: Callable[..., Zygote], tmp_path: Path) -> None:
    zygote = begin()
    running = Running(zygote, tmp_path / "scratch", "1", "2")
    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(zygote.trial, edits("1")) for _ in range(3)]
        zygote.let_go()
        assert {one.result().outcome for one in waiting} == {"inconclusive"}
    assert {trial.outcome for trial in running.end()} == {"inconclusive"}
    assert zygote.trial(edits("1")).outcome == "inconclusive"


KERNEL = f"""
import os, sys, threading, time
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.zygote import Zygote
from tests.check.build import edits
os.sched_getaffinity = lambda pid: {{0, 1}}
zygote = Zygote.start(PlainRunner({{"top": sys.argv[1], "large": False}}), limits=Limits(60.0, 60.0))
with zygote.several():
    for _ in range(2):
        threading.Thread(target=zygote.trial, args=(edits({MEET!r}),), daemon=True).start()
    print(zygote.pid, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process with two trials."""
    environment = {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", KERNEL, str(tmp_path)]
    with subprocess.Popen(command, stdout=-1, text=True, cwd=ROOT, env=environment) as started:
        yield started
        started.kill()


@pytest.mark.parametrize("who", ["kernel", "zygote", "twin", "kernel zygote", "zygote twin"])
def test_whoever_is_killed_nothing_is_left(kernel: subprocess.Popen[str], tmp_path: Path, who: str) -> None:
    assert kernel.stdout is not None
    zygote = int(kernel.stdout.readline())
    assert becomes(lambda: len(list(tmp_path.glob("reflex-trial-*/*/here"))), 2)
    processes = descendants(zygote)
    (twin,) = (pid for pid in children(zygote) if children(pid))
    pids = {"kernel": kernel.pid, "zygote": zygote, "twin": twin}
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for one in who.split():
            os.kill(pids[one], number)
    if who == "twin":
        assert all(map(gone, children(twin)))
        assert becomes(lambda: len(list(tmp_path.iterdir())), 1), "the twin's folder is left"
        kernel.kill()
    assert all(map(gone, processes))
    assert becomes(lambda: list(tmp_path.iterdir()), [])


def test_if_the_zygote_is_killed_all_go_at_once_whatever_the_kernel_does(
    kernel: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert kernel.stdout is not None
    zygote = int(kernel.stdout.readline())
    assert becomes(lambda: len(list(tmp_path.glob("reflex-trial-*/*/here"))), 2)
    processes = descendants(zygote)
    os.kill(kernel.pid, signal.SIGSTOP)
    os.kill(zygote, signal.SIGKILL)
    assert all(map(gone, processes))
    assert list(tmp_path.iterdir()) == []


def test_a_long_fix_has_its_twin_made_as_well(
    begin: Callable[..., Zygote], processors: Callable[[int], None], tmp_path: Path
) -> None:
    """What is long is sent once somebody is ready for it: he has to be made first."""
    long = "\n#" + "x" * 50_000
    running = Running(begin(), tmp_path / "scratch", f"'one'{long}", f"'other'{long}")
    assert [trial.result for trial in running.go_on()] == ["'one'", "'other'"]
