"""A zygote comes and goes without a trace, whatever ends it."""

from __future__ import annotations

import dataclasses
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.base import process_memory
from reflex_ipython.check.trial import ForkedTrials, apart, preconditions
from reflex_ipython.check.trial.outputs import Outputs
from reflex_ipython.check.trial.process import children, is_running
from reflex_ipython.check.trial.zygote import Zygote
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.models import CellChanges, Edit, Trial
from reflex_ipython.stages import Withdrawal
from tests.check.build import edits
from tests.check.conftest import Start

ROOT = Path(__file__).parents[2]


def becomes(measure: Callable[[], Any], value: Any) -> bool:
    """Whether a measure reaches a value; waits for it a moment."""
    end = time.monotonic() + 30
    while measure() != value:
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def gone(pid: int) -> bool:
    """Whether a process has ended; waits for it a moment."""
    return becomes(lambda: _state(pid) in ("", "Z"), True)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def test_closing_leaves_no_process_and_can_be_repeated(start: Start) -> None:
    zygote = start()
    zygote.trial(edits("1"))
    zygote.close()
    assert not zygote.alive
    assert not is_running(zygote.pid)
    zygote.close()
    assert zygote.memory() == 0


def test_closing_ends_a_trial_that_runs(start: Start) -> None:
    zygote = start()
    zygote.trial(edits("1"))
    trials = []
    thread = threading.Thread(target=lambda: trials.append(zygote.trial(edits("import time; time.sleep(9)"))))
    thread.start()
    while not (running := _children_of(zygote.pid)):
        time.sleep(0.01)
    zygote.close()
    thread.join()
    assert trials[0].outcome == "inconclusive"
    assert all(gone(pid) for pid in running)


@pytest.mark.parametrize("comment", ["", "#" + "x" * 2_000_000], ids=["short", "long"])
def test_a_fix_is_taken_by_a_zygote_that_gets_ready_yet(start: Start, comment: str) -> None:
    """It lies there by then; one that is longer than the system holds for it is waited for."""
    zygote, trials = start(), list[Trial]()
    os.kill(zygote.pid, signal.SIGSTOP)
    thread = threading.Thread(target=lambda: trials.append(zygote.trial(edits(f"'tried' {comment}"))))
    thread.start()
    time.sleep(0.1)
    os.kill(zygote.pid, signal.SIGCONT)
    thread.join()
    assert trials[0].result == "'tried'"


def test_a_fix_can_be_withdrawn_before_the_zygote_is_ready(start: Start, tmp_path: Path) -> None:
    zygote, trials, withdrawal, sign = start(), list[Trial](), Withdrawal(), tmp_path / "ran"
    os.kill(zygote.pid, signal.SIGSTOP)
    source = f"open({str(sign)!r}, 'w'); import time; time.sleep(60)"
    thread = threading.Thread(target=lambda: trials.append(zygote.trial(edits(source), withdrawal=withdrawal)))
    thread.start()
    time.sleep(0.1)
    withdrawal.withdraw()
    os.kill(zygote.pid, signal.SIGCONT)
    thread.join(30)
    assert (trials[0].outcome, trials[0].reason) == ("inconclusive", "it was withdrawn")
    assert not sign.exists()
    assert zygote.trial(edits("'and others go on'")).outcome == "passed"


def _children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_zygote_that_is_let_go_ends_a_moment_later(start: Start) -> None:
    zygote = start()
    zygote.trial(edits("1"))
    zygote.let_go()
    assert zygote.trial(edits("1")).outcome == "inconclusive"
    assert becomes(lambda: zygote.alive, False)
    assert gone(zygote.pid)


def test_nobody_who_closes_it_waits_for_that_moment(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(apart: object) -> None:
        raise AssertionError("it did not end by itself")

    monkeypatch.setattr("reflex_ipython.check.trial.zygote_main._MOMENT", 600.0)
    monkeypatch.setattr(apart.Apart, "kill", kill)
    zygote = start()
    zygote.trial(edits("1"))
    zygote.let_go()
    time.sleep(0.3)  # more than it takes to end
    assert zygote.alive, "it did nothing, and is in no hurry"
    zygote.close(60.0)
    assert gone(zygote.pid)


def test_a_zygote_that_is_killed_is_noticed_and_reaped(start: Start) -> None:
    zygote = start()
    os.kill(zygote.pid, signal.SIGKILL)
    trial = zygote.trial(edits("1"))
    assert (trial.outcome, "ended" in trial.reason) == ("inconclusive", True)
    zygote.close()


def test_a_zygote_goes_by_itself_when_its_time_is_over(start: Start) -> None:
    zygote = start(keep=0.2)
    assert gone(zygote.pid)
    assert becomes(lambda: zygote.alive, False)


def test_zygote_and_candidate_die_with_the_kernel(tmp_path: Path) -> None:
    script = tmp_path / "kernel.py"
    script.write_text(
        "import os, threading, time\n"
        "from reflex_ipython.execution.plain_runner import PlainRunner\n"
        "from reflex_ipython.check.trial.zygote import Zygote\n"
        "from tests.check.build import edits\n"
        "zygote = Zygote.start(PlainRunner({}))\n"
        "zygote.trial(edits('1'))\n"
        "threading.Thread(target=zygote.trial, args=(edits('import time; time.sleep(9)'),), daemon=True).start()\n"
        "while not (c := open(f'/proc/{zygote.pid}/task/{zygote.pid}/children').read().split()): time.sleep(0.01)\n"
        "print(zygote.pid, *c, flush=True)\n"
        "time.sleep(60)\n"
    )
    environment = {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, script], stdout=-1, cwd=ROOT, env=environment) as kernel:
        assert kernel.stdout is not None
        pids = [int(word) for word in kernel.stdout.readline().split()]
        kernel.kill()
    assert len(pids) >= 2  # the candidate of the first trial may just be going
    assert all(gone(pid) for pid in pids)


def test_a_kernel_that_is_killed_leaves_no_file(tmp_path: Path) -> None:
    script = tmp_path / "kernel.py"
    script.write_text(
        "import os, signal\n"
        "from reflex_ipython.execution.plain_runner import PlainRunner\n"
        "from reflex_ipython.check.trial.zygote import Zygote\n"
        "from tests.check.build import edits\n"
        "zygote = Zygote.start(PlainRunner({}))\n"
        "assert zygote.trial(edits('1')).outcome == 'passed'\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    folder = tmp_path / "temporary"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, env={"PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}, timeout=60
    )
    assert (done.returncode, list(folder.iterdir())) == (-signal.SIGKILL, [])


@pytest.fixture
def nobody_buries_orphans(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose first process does not know of them: one still lies there."""
    monkeypatch.setattr(apart, "_left_lying", {0: -apart._PATIENCE})
    monkeypatch.setattr(apart, "is_there", lambda pid: True)


@pytest.mark.usefixtures("nobody_buries_orphans")
def test_code_that_waits_for_all_its_children_does_not_confuse_us(start: Start) -> None:
    zygote = start()
    with zygote._lock:  # so that the user's code is the first, as it may be
        os.kill(zygote.pid, signal.SIGKILL)
        assert os.waitpid(zygote.pid, 0)[0] == zygote.pid
    zygote.close()
    assert not zygote.alive


def test_an_interrupt_of_the_kernel_does_not_reach_the_copy(start: Start) -> None:
    zygote = start()
    zygote.trial(edits("1"))
    assert os.getpgid(zygote.pid) != os.getpgrp()
    os.kill(zygote.pid, signal.SIGINT)
    assert zygote.trial(edits("'still here'")).result == "'still here'"


def test_a_forged_report_is_no_verdict(start: Start) -> None:
    forged = json.dumps({"outcome": "splendid"})
    source = (
        "import os, stat\nfor fd in range(3, 64):\n    try:\n        if stat.S_ISFIFO(os.fstat(fd).st_mode): "
        f"os.write(fd, {forged!r}.encode())\n    except OSError: pass\nos._exit(0)"
    )
    trial = start().trial(edits(source))
    assert (trial.outcome, "so nothing is proven" in trial.reason) == ("inconclusive", True)


def test_several_cells_run_in_order_and_the_line_is_the_failing_cells(start: Start) -> None:
    zygote = start({"n": 1})
    assert zygote.trial(edits("n += 1", "n += 1\nn")).result == "3"
    trial = zygote.trial(edits("n += 1", "n\n1 / 0"))
    assert (trial.ename, trial.lineno, trial.statement) == ("ZeroDivisionError", 2, "1 / 0")
    trial = zygote.trial(edits("1 / 0", "n"))
    assert (trial.outcome, trial.lineno, trial.reason) == ("other_error", None, "in an earlier cell of the fix")


def test_an_earlier_cell_takes_effect_as_the_runner_knows_how_and_only_if_it_changed(start: Start) -> None:
    class Swapping(PlainRunner):
        async def apply(self, edit: Edit, outputs: Outputs) -> BaseException | None:
            exec(edit.source, swapped := {})
            self.namespace["f"].__code__ = swapped["f"].__code__
            return None

    def f() -> int:
        return 1

    zygote = start(runner=Swapping({"f": f, "alias": f}))
    changes = edits("def f():\n    return 2", "alias()")
    (earlier,) = changes.earlier
    assert zygote.trial(changes).result == "2"
    unchanged = dataclasses.replace(earlier, expected=earlier.source)
    assert zygote.trial(dataclasses.replace(changes, earlier=(unchanged,))).result == "1"
    assert f() == 1


def test_an_error_inside_an_edited_function_is_told_with_the_failing_cells_line(start: Start) -> None:
    trial = start().trial(edits("def f(n):\n\n\n    return 1 / n", "n = 0\nf(n)"))
    assert (trial.outcome, trial.reason) == ("other_error", "")
    assert (trial.ename, trial.lineno, trial.statement) == ("ZeroDivisionError", 2, "f(n)")


def test_the_copy_starts_from_where_the_rerun_will(start: Start) -> None:
    class Journal(PlainRunner):
        def rewind(self, changes: CellChanges) -> None:
            self.namespace["items"].pop()

    items = [1, 2]
    zygote = start(runner=Journal({"items": items}))
    for _ in range(2):
        trial = zygote.trial(edits("items.append(3)\nitems"))
        assert trial.result == "[1, 3]"
    assert items == [1, 2]


def test_a_rollback_that_fails_is_told_and_nothing_runs(start: Start) -> None:
    class Journal(PlainRunner):
        def rewind(self, changes: CellChanges) -> None:
            raise KeyError("lost")

    trial = start(runner=Journal({})).trial(edits("print('ran')"))
    assert (trial.outcome, trial.stdout, "lost" in trial.reason) == ("inconclusive", "", True)


def test_a_runner_that_can_not_be_detached_means_that_nothing_is_tried(start: Start) -> None:
    class Stuck(PlainRunner):
        def detach(self) -> None:
            raise RuntimeError("stuck")

    assert start(runner=Stuck({})).trial(edits("1")).reason.endswith("RuntimeError: stuck")


# ------------------------------------------------------------------ all zygotes of a kernel


def test_there_are_never_more_than_so_many() -> None:
    trials = ForkedTrials(most=2)
    try:
        pids = set()
        for repair in "abc":
            assert trials.freeze(repair, PlainRunner({"name": repair})) == ""
            pids.add(trials._zygotes[repair].pid)
        assert becomes(lambda: sum(map(is_running, pids)), 2)
        overtaken = "only the last 2 failures can be tried"
        assert trials.run("a", edits("name")).reason == overtaken
        assert [trials.run(repair, edits("name")).result for repair in "bc"] == ["'b'", "'c'"]
        assert (trials.copies, trials.memory() > 0) == (2, True)
        trials.release("b")
        assert trials.copies == 1
        assert trials.run("b", edits("name")).reason.startswith("its copy of the kernel was let go when")
    finally:
        trials.close()
    assert not any(map(is_running, pids))


def test_nothing_of_a_forgotten_repair_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    trials = ForkedTrials(most=3)
    before, pids = set(os.listdir("/proc/self/fd")), set()
    names = [f"repair-{number}" for number in range(12)]
    zygotes = weakref.WeakSet[object]()
    for name in names:
        with monkeypatch.context() as context:
            if name in names[::4]:
                context.setattr(preconditions.sys, "platform", "darwin")
            trials.freeze(name, PlainRunner({}))
        zygotes.update(trials._zygotes.values())
        pids.update(zygote.pid for zygote in trials._zygotes.values())
    assert trials.run(names[8], edits("1")).reason.startswith("the kernel can only be copied on Linux")
    assert trials.run(names[-1], edits("1")).result == "1"
    for name in names:
        trials.forget(name)
    assert all(map(gone, pids))
    assert becomes(lambda: set(os.listdir("/proc/self/fd")) - before, set())
    assert becomes(lambda: gc.collect() * 0 + len(zygotes), 0)
    assert not any(name in str(vars(trials)) for name in names)


def test_why_there_is_no_copy_is_known_until_the_repair_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    trials = ForkedTrials()
    monkeypatch.setattr(preconditions.sys, "platform", "darwin")
    why_not = trials.freeze("a", PlainRunner({}))
    trials.release("a")
    assert trials.run("a", edits("1")).reason == why_not
    monkeypatch.undo()
    assert trials.freeze("a", PlainRunner({})) == ""
    assert trials.run("a", edits("1")).result == "1"
    trials.close()


def test_of_the_latest_failure_it_is_said_that_its_copy_has_ended_and_not_that_others_came() -> None:
    trials = ForkedTrials(keep=0.05)
    trials.freeze("a", PlainRunner({}))
    end = time.monotonic() + 30
    while (trial := trials.run("a", edits("1"))).outcome != "not_tried" and time.monotonic() < end:
        time.sleep(0.05)
    assert (trials.copies, trials.memory()) == (0, 0)
    trials.close()
    assert trial.reason.startswith("its copy of the kernel has ended: one is kept for")
    assert trials.run("a", edits("1")).reason == trial.reason


def test_too_little_memory_means_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_memory, "available", lambda: process_memory.reserve() + (1 << 20))
    trials = ForkedTrials()
    assert "not enough memory" in trials.freeze("a", PlainRunner({}))
    assert trials.run("a", edits("1")).reason.startswith("not enough memory: a copy of the kernel may need up to 0.")
    assert children() == [] or all(pid for pid in children())


def test_elsewhere_than_on_linux_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preconditions.sys, "platform", "darwin")
    assert ForkedTrials().freeze("a", PlainRunner({})) == "the kernel can only be copied on Linux, and this is darwin"


def test_memory_that_runs_low_during_a_trial_ends_it_and_the_zygote(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, trials = os.getpid(), list[int]()

    def available() -> int:
        """Low in the zygote, from when a trial runs on: it has two children then, with what watches its folder."""
        if os.getpid() != kernel and len(children()) > 1:
            trials.extend(children())
        return 0 if trials else 8 << 30

    monkeypatch.setattr(process_memory, "available", available)
    zygote = start()
    trial = zygote.trial(edits("import time; time.sleep(9)"))
    assert (trial.outcome, "memory ran low" in trial.reason) == ("inconclusive", True)
    assert gone(zygote.pid)


def test_a_kernel_with_very_many_open_files_can_be_copied(start: Start) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2048, hard), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        assert start().trial(edits("'fine'")).result == "'fine'"
    finally:
        for fd in held:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_second_failure_of_the_same_repair_replaces_its_copy() -> None:
    trials = ForkedTrials()
    pids = []
    for name in ("first", "second"):
        trials.freeze("a", PlainRunner({"name": name}))
        pids.append(trials._zygotes["a"].pid)
    assert trials.run("a", edits("name")).result == "'second'"
    assert becomes(lambda: list(map(is_running, pids)), [False, True])
    trials.close()
    assert not is_running(pids[1])


def test_a_withdrawn_trial_ends_at_once_and_the_copy_serves_the_next(start: Start) -> None:
    zygote, withdrawal, trials = start(), Withdrawal(), list[Trial]()
    assert zygote.trial(edits("1")).outcome == "passed"
    endless = edits("import time; time.sleep(9)")
    thread = threading.Thread(target=lambda: trials.append(zygote.trial(endless, 9, withdrawal)))
    thread.start()
    assert becomes(lambda: bool(children(zygote.pid)), True)
    withdrawal.withdraw()
    thread.join(8)
    assert [trial.reason for trial in trials] == ["it was withdrawn"]
    assert zygote.trial(edits("2")).outcome == "passed"


def test_why_nothing_can_be_tried_is_told_whenever_it_is_asked(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The zygote has said so, and ended, before anybody asks it."""

    def fail(maps: list[str]) -> None:
        raise RuntimeError("as it happens")

    monkeypatch.setattr("reflex_ipython.check.trial.after_fork.after_fork", fail)
    reaped, reap = threading.Event(), Zygote._reap
    monkeypatch.setattr(Zygote, "_reap", lambda self: (reaped.wait(), reap(self)))
    words = "the copy of the kernel could not be set up: RuntimeError: as it happens"
    zygote = start()
    try:
        assert gone(zygote.pid)
        told = [zygote.trial(edits("1")) for _ in range(2)]
    finally:
        reaped.set()
    told.append(zygote.trial(edits("1")))
    assert [(trial.outcome, trial.reason) for trial in told] == [("not_tried", words)] * 3


def test_a_long_fix_can_be_withdrawn_at_once(start: Start) -> None:
    zygote, trials, withdrawal = start(), list[Trial](), Withdrawal()
    os.kill(zygote.pid, signal.SIGSTOP)
    source = "#" + "x" * 2_000_000
    thread = threading.Thread(target=lambda: trials.append(zygote.trial(edits(source), withdrawal=withdrawal)))
    thread.start()
    time.sleep(0.1)
    withdrawing = threading.Thread(target=withdrawal.withdraw)
    withdrawing.start()
    withdrawing.join(30)
    assert not withdrawing.is_alive(), "it waits for the zygote"
    os.kill(zygote.pid, signal.SIGCONT)
    thread.join()
    assert (trials[0].outcome, trials[0].reason) == ("inconclusive", "it was withdrawn")
