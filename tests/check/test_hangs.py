"""What hangs in a naive fork: put right where it can be, ended in time where it can't."""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib.util
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from reflex_ipython.base.running_loop import loop_is_running
from reflex_ipython.check.trial import descriptors, guard, process, why_not_fork
from reflex_ipython.check.trial.after_fork import fresh_event_loop
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.timeout_report import answer_with_stack, ask_for_stack, timeout_report
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.models import CellChanges, Trial
from tests.check.build import edits
from tests.check.conftest import Start, Try

ROOT = Path(__file__).parents[2]


def test_a_lock_that_another_thread_holds_ends_as_inconclusive_with_the_line(attempt: Try) -> None:
    lock, release = threading.Lock(), threading.Event()
    held = threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            release.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    trial = attempt("x = 1\nwith lock:\n    x = 2", {"lock": lock}, seconds=2.0)
    release.set()
    thread.join()
    assert (trial.outcome, trial.lineno, trial.statement) == ("inconclusive", 2, "with lock:")
    assert (
        trial.reason
        == "timed out after 2 s on line 2, possibly waiting for a thread that the copy of the kernel does not have"
    )


class Slow(PlainRunner):
    """Takes long to put the state back."""

    def rewind(self, changes: CellChanges) -> None:
        time.sleep(1.5)


def test_the_time_that_a_fix_has_is_its_own(start: Start) -> None:
    assert start(runner=Slow({})).trial(edits("1 + 1"), seconds=1.0).result == "2"


class Busy(PlainRunner):
    """Needs much of the processor to put the state back."""

    def rewind(self, changes: CellChanges) -> None:
        while time.process_time() < 2.5:
            pass


def test_the_processor_time_that_a_fix_has_is_its_own(start: Start) -> None:
    zygote = start(runner=Busy({}), limits=Limits(seconds=1.0, set_up=60.0))
    assert zygote.trial(edits("sum(range(10))")).result == "45"


def test_the_time_that_a_copy_takes_to_be_set_up_is_not_said_to_be_the_fixs(start: Start) -> None:
    trial = start(runner=Slow({})).trial(edits("import time; time.sleep(600)"), seconds=0.5)
    assert trial.reason.startswith("timed out after 0.5 s")


def test_what_has_used_up_its_processor_time_is_told_with_its_line(start: Start) -> None:
    trial = start().trial(edits("x = 1\nwhile True: pass"), seconds=0.5)
    assert (trial.outcome, trial.lineno) == ("timed_out", 2)


def test_what_has_come_by_the_time_counts_though_it_is_looked_at_late(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, came = guard.readable, list[list[int]]()

    def late(fds: list[int], seconds: float) -> list[int]:
        """Once the cell has begun, who waits for it has no turn until its time is over."""
        if len(came) == 1:
            time.sleep(1.5)
            came.append([])
            return []
        there = looks(fds, seconds)
        came.extend([there] if fds[0] in there else [])  # its report; a file that it opens is asked about before
        return there

    monkeypatch.setattr(guard, "readable", late)
    assert start().trial(edits("import time; time.sleep(0.3); 'done'"), seconds=1.0).result == "'done'"


def test_a_long_trial_steps_back_behind_the_users_own_cells(start: Start) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    nice = "os.getpriority(os.PRIO_PROCESS, 0)"
    behind = min(19, own + 10)
    waits = f"import os, time\nwhile {nice} < {behind}:\n    time.sleep(0.01)\n{nice}"
    assert start().trial(edits(waits), seconds=600.0).result == str(behind)
    assert start().trial(edits(f"import os\n{nice}")).result == str(own)


def test_a_line_of_what_runs_before_the_failing_cell_is_none_of_its(start: Start) -> None:
    trial = start().trial(edits("\n\nimport time; time.sleep(600)", "x = 1\ny = 2\nz = 3"), seconds=0.5)
    assert (trial.lineno, trial.statement, " on line" in trial.reason) == (None, "", False)


STACK = """\
Stack (most recent call first):
  File "/lib/slow.py", line 7 in <module>
  File "/tmp/cell.py", line {} in <module>
  File "/lib/reflex_ipython/check/trial/candidate.py", line 340 in _drive
  File "/lib/reflex_ipython/check/trial/candidate.py", line 66 in become_candidate
"""


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (STACK.format(3), 3),
        (STACK.format(3).partition('  File "/tmp')[0], None),
        (STACK.format(3).replace("_drive", "before_the_cell"), None),
    ],
)
def test_a_look_at_where_a_fix_stands_counts_if_it_is_whole(written: str, line: int | None) -> None:
    trace = os.memfd_create("trace", os.MFD_CLOEXEC)
    os.write(trace, written.encode())
    assert timeout_report(trace, 2.0, 2.0, runnable=True).lineno == line
    os.close(trace)


def become_candidate(trace: int, ready: int) -> None:
    """Has the name of the outermost function of a trial, which is waited for."""
    answer_with_stack(trace)
    os.write(ready, b"x")
    while True:
        time.sleep(600)


def test_a_process_that_answers_says_where_it_stands_and_goes_on() -> None:
    trace = os.memfd_create("trace", os.MFD_CLOEXEC)
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        become_candidate(trace, writing)
    os.read(reading, 1)
    ask_for_stack(pid, trace)
    goes_on = not process.wait(pid, 0)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert goes_on
    assert b"in become_candidate" in os.pread(trace, 10_000, 0)
    for fd in (trace, reading, writing):
        os.close(fd)


def test_a_fix_may_be_given_more_time_than_is_usual(start: Start) -> None:
    zygote = start(limits=Limits(seconds=0.2))
    assert zygote.trial(edits("import time; time.sleep(0.6)"), seconds=600.0).outcome == "passed"


def test_a_copy_that_is_not_set_up_in_time_is_inconclusive(start: Start) -> None:
    trial = start(runner=Slow({}), limits=Limits(set_up=0.2)).trial(edits("1 + 1"))
    assert (trial.outcome, trial.reason) == ("inconclusive", "the copy of the kernel was not set up within 0.2 s")


def test_a_thread_pool_from_before_works_in_the_copy(attempt: Try) -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(pool.map(abs, [-1, -2, -3])) == [1, 2, 3]
        trial = attempt("list(pool.map(abs, [-4, -5, -6]))", {"pool": pool})
        assert trial.result == "[4, 5, 6]"
        assert pool.submit(abs, -7).result() == 7


def test_an_error_of_a_task_is_the_tasks(attempt: Try) -> None:
    source = "import concurrent.futures as c\nwith c.ThreadPoolExecutor(1) as pool:\n    pool.submit(int, 'x').result()"
    assert attempt(source).outcome == "other_error"
    assert attempt("import multiprocessing as m\nm.get_context('no such')").outcome == "other_error"


def test_a_future_of_a_thread_that_is_not_there_is_inconclusive(attempt: Try) -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        go_on = threading.Event()
        namespace = {"future": pool.submit(go_on.wait), "pool": pool}
        found = [attempt(source, namespace, seconds=2.0) for source in ("future.result()", "future.result(0.1)")]
        go_on.set()
    assert [trial.outcome for trial in found] == ["inconclusive"] * 2
    assert "possibly waiting for a thread that the copy of the kernel does not have" in found[0].reason


def test_random_numbers_are_those_that_the_kernel_would_draw(start: Start) -> None:
    random.seed(5)
    zygote = start()
    trials = [zygote.trial(edits("import random; random.random()")) for _ in range(2)]
    assert [trial.result for trial in trials] == [repr(random.random())] * 2


def test_a_cell_can_await_inside_a_running_loop_and_not_start_another(start: Start) -> None:
    async def kernel() -> list[Trial]:
        assert loop_is_running()
        zygote = start()
        sources = [
            "import asyncio\nawait asyncio.sleep(0.01, 'slept')",
            "import asyncio\nasyncio.run(asyncio.sleep(0))",
        ]
        sources.append("import asyncio\nawait asyncio.to_thread(abs, -3)")
        return [await asyncio.to_thread(zygote.trial, edits(source)) for source in sources]

    slept, nested, threaded = asyncio.run(kernel())
    assert slept.result == "'slept'"
    assert (nested.outcome, nested.ename) == ("other_error", "RuntimeError")
    assert threaded.result == "3"


def test_without_a_running_loop_a_cell_can_start_one(attempt: Try) -> None:
    assert attempt("import asyncio\nasyncio.run(asyncio.sleep(0.01, 'slept'))").result == "'slept'"


def test_an_import_in_the_background_is_waited_for_or_nothing_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_to_import.py").write_text(
        "import builtins\nbuiltins.slow_started.set()\nbuiltins.slow_go_on.wait()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import builtins

    started, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(builtins, "slow_started", started, raising=False)
    monkeypatch.setattr(builtins, "slow_go_on", go_on, raising=False)
    thread = threading.Thread(target=__import__, args=("slow_to_import",))
    thread.start()
    started.wait()
    try:
        assert "imported in the background" in why_not_fork()
    finally:
        go_on.set()
        thread.join()
        sys.modules.pop("slow_to_import")
    assert why_not_fork() == ""


def test_a_gpu_in_use_is_never_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "targets", lambda: iter(["/dev/null", "/dev/nvidiactl"]))
    assert why_not_fork() == "the GPU is in use, and can't be copied"


def test_another_thread_than_the_main_one_is_told_that_it_can_not_fork() -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(why_not_fork()))
    thread.start()
    thread.join()
    assert found == ["the cell did not run on the kernel's main thread"]


def test_a_fresh_loop_is_not_the_kernels(start: Start) -> None:
    async def kernel() -> tuple[bool, str]:
        loop = asyncio.get_running_loop()
        trial = start({"loop": loop}).trial(edits("import asyncio\nasyncio.get_running_loop() is loop"))
        return asyncio.get_running_loop() is loop, trial.result

    assert asyncio.run(kernel()) == (True, "False")
    assert fresh_event_loop(running=False) is None
    asyncio.get_event_loop_policy().get_event_loop().close()
    asyncio.set_event_loop(None)


PROGRAMS = {
    "OpenMP after a fit": """
        import numpy as np
        from sklearn.ensemble import HistGradientBoostingRegressor
        x = np.random.default_rng(0).normal(size=(2000, 5)); y = x[:, 0]
        model = HistGradientBoostingRegressor(max_iter=5).fit(x, y)
        namespace = dict(x=x, y=y, model=model)
        source = "model.fit(x, y).predict(x[:3]).shape"
        expected = "(3,)"
        """,
    "joblib after a parallel run": """
        from joblib import Parallel, delayed
        Parallel(n_jobs=2)(delayed(abs)(-n) for n in range(4))
        namespace = {}
        source = "from joblib import Parallel, delayed\\nParallel(n_jobs=2)(delayed(abs)(-n) for n in range(3))"
        expected = "[0, 1, 2]"
        """,
    "BLAS threads": """
        import numpy as np
        a = np.ones((600, 600)); a @ a
        namespace = dict(a=a)
        source = "float((a @ a).sum())"
        expected = "216000000.0"
        """,
    "an in-process figure": """
        import matplotlib; matplotlib.use("agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(); axes.plot([1, 2]); figure.canvas.draw()
        namespace = dict(axes=axes, figure=figure)
        source = "axes.plot([3, 4]); figure.canvas.draw(); len(axes.lines)"
        expected = "2"
        """,
}

DRIVER = """
import sys, threading
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.timeout_report import answer_with_stack, ask_for_stack, timeout_report
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.check.trial.zygote import Zygote
from tests.check.build import edits
zygote = Zygote.start(PlainRunner(namespace), limits=Limits(60.0, 60.0))
for _ in range(2):
    trial = zygote.trial(edits(source), 60)
    assert (trial.outcome, trial.result) == ("passed", expected), trial
zygote.close()
print("fine")
"""


POLARS = """
import polars
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.check.trial.zygote import Zygote
from tests.check.build import edits
df = polars.DataFrame({"a": list(range(200_000)), "b": [n % 7 for n in range(200_000)]})
source = "df.group_by('b').agg(polars.col('a').sum()).height"
eval(source)
zygote = Zygote.start(PlainRunner({"df": df, "polars": polars}))
for text in ("df.height", source):
    trial = zygote.trial(edits(text), 1)
    print(trial.outcome, trial.reason)
zygote.close()
"""

PROCESSES = """
import concurrent.futures, multiprocessing, sys, time
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.check.trial.zygote import Zygote
from tests.check.build import edits

def main(method):
    context = multiprocessing.get_context(method)
    process = context.Process(target=time.sleep, args=(60,))
    process.start()
    queue = context.Queue()
    queue.put(1)
    executor = concurrent.futures.ProcessPoolExecutor(1, mp_context=context)
    with executor, context.Pool(1) as pool, context.Manager() as manager:
        shared = manager.dict(a=1)
        assert (executor.submit(abs, -1).result(), pool.apply(abs, (-1,))) == (1, 1)
        names = {"executor": executor, "pool": pool, "queue": queue, "process": process, "shared": shared}
        zygote = Zygote.start(PlainRunner(names))
        for line in sys.stdin:
            trial = zygote.trial(edits(line), 5)
            print(trial.outcome, trial.reason or trial.result)
        zygote.close()
        assert (executor.submit(abs, -2).result(), pool.apply(abs, (-2,)), shared["a"]) == (2, 2, 1)
        assert queue.get(timeout=5) == 1
    process.kill()
    process.join()

if __name__ == "__main__":
    main(METHOD)
"""
HANDS = "blocked wants to hand work to other processes"
WORKS = "blocked wants to work with other processes"
WAITS = "inconclusive it waits for another process or thread of your kernel, which the copy of the kernel does not have"
WITH_PROCESSES = {
    "pool.map(abs, [-2])": "passed [2]",
    "pool.apply_async(abs, (-2,)).get(timeout=60)": "passed 2",
    "list(executor.map(abs, [-2]))": "passed [2]",
    "executor.submit(abs, -2).result(timeout=60)": "passed 2",
    "queue.put(3)": HANDS,
    "queue.get(timeout=3)": WAITS,
    "process.join()": WAITS,
    "shared['a'] = 2": WORKS,
    "import multiprocessing as m; m.Pool(1).starmap(max, [(1, 2)])": "passed [2]",
    "import concurrent.futures as c; c.ProcessPoolExecutor(1).submit(abs, -1).result()": "passed 1",
    "1 + 1": "passed 2",
}


def run(program: str, folder: Path, lines: str = "") -> str:
    """What a program prints that runs in a process of its own, and is given some lines."""
    script = folder / "program.py"
    script.write_text(program)
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", script],
        input=lines,
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "HOME": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_library_that_used_threads_goes_on_working_in_the_copy(program: str, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    assert run(textwrap.dedent(program) + DRIVER, tmp_path) == "fine\n"


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_work_for_other_processes_is_done_in_the_copy_and_what_can_not_be_is_not_the_fixs_fault(
    method: str, tmp_path: Path
) -> None:
    told = run(PROCESSES.replace("METHOD", repr(method)), tmp_path, "\n".join(WITH_PROCESSES))
    assert dict(zip(WITH_PROCESSES, told.splitlines())) == WITH_PROCESSES


@pytest.mark.skipif(importlib.util.find_spec("polars") is None, reason="polars is not there")
def test_a_library_whose_threads_can_not_be_replaced_is_named(tmp_path: Path) -> None:
    passed, waited = run(POLARS, tmp_path).splitlines()
    assert passed == "passed "
    why = "possibly waiting for threads of polars that the copy of the kernel does not have"
    assert waited == f"inconclusive timed out after 1 s on line 1, {why}"
