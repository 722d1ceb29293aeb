"""Ctrl-C at any moment: shown once, as without the extension; the kernel and the extension go on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import reflex_ipython
from tests.kernel.drawn_interrupt import without_entered_hook
from tests.kernel.driver import Kernel, Ran

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts a kernel by an event, not a signal"),
]
FOLDER = str(Path(reflex_ipython.__file__).parent)
_STRIKE = f"""
import signal, time
class Strike:
    tries, struck, due, lost, waited = 0, 0, False, 0, True
    def arm(self, seconds):
        self.tries, self.waited = 400, False
        signal.setitimer(signal.ITIMER_REAL, seconds)
    def wait(self):
        self.waited = True
        if self.due:
            time.sleep(10)
            self.lost += 1
    def __call__(self, number, frame):
        ours, callers = None, set()
        while frame is not None:
            if frame.f_code.co_filename.startswith({FOLDER!r}):
                ours = frame if frame.f_code.co_name != "send" else None  # what it calls is not ours
            callers.add(frame.f_code.co_name)
            frame = frame.f_back
        if "run_cell" in callers and ours is not None and ours.f_lasti > 4:
            self.struck += 1
            self.due = not self.waited or not callers.isdisjoint({{"transformed", "pre_run_cell"}})
            signal.raise_signal(signal.SIGINT)
        elif self.tries:
            self.tries -= 1
            signal.setitimer(signal.ITIMER_REAL, 0.00003)
strike = Strike()
signal.signal(signal.SIGALRM, strike)
"""
STRIKE = f"import signal\nexec(compile({_STRIKE!r}, signal.__file__, 'exec'))"
"""Interrupts as soon as code of ours runs on the main thread, from some time on.

By a timer, since no tracer sees the lines of an audit hook. A cell waits at its end for what has struck by then: how
long its own statements take must not decide whether the interrupt still finds it. Nobody can catch it in a function's
very first instruction, nor does a kernel without us before it runs a cell. It strikes as if it came from outside: code
of the user's that ours calls may be interrupted, but this is Python's own.
"""
DISARM = "strike.tries, strike.due = 0, False\nsignal.setitimer(signal.ITIMER_REAL, 0)"
HEALTHY = "kept = [1]\nkept.append(len(kept))\nkept = [kept]\nprint('last')"
WAITING = HEALTHY + "\nstrike.wait()"


@pytest.fixture
def kernels(new_kernel: Callable[..., Kernel]) -> tuple[Kernel, Kernel]:
    """One without and one with the extension."""
    plain, loaded = new_kernel(), new_kernel()
    loaded.run("%load_ext reflex_ipython")
    return plain, loaded


@pytest.fixture
def new_kernel() -> Iterator[Callable[..., Kernel]]:
    started: list[Kernel] = []

    def start() -> Kernel:
        started.append(Kernel())
        return started[-1]

    yield start
    for kernel in started:
        kernel.close()


def interrupted(kernel: Kernel, source: str, seconds: float) -> Ran:
    """Run a cell and interrupt it, that long after its first output."""
    request = kernel.send("print('begun', flush=True)\n" + source)
    while kernel.client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
        pass
    time.sleep(seconds)
    kernel.manager.interrupt_kernel()
    return kernel.finish(request)


def could_not_draw(ran: Ran) -> bool:
    """Whether IPython failed to draw the interrupt: one that strikes a statement's very first instruction has no line.

    A kernel without us shows nothing then either.
    """
    return ran.reply.get("ename") == "KeyboardInterrupt" and "IPython/core/ultratb.py" in ran.text


CELLS = {
    "one long statement": "while True: pass",
    "a sleep": "import time\ntime.sleep(60)",
    "many short statements": "x = []\n" + "x.append(1)\nx = x[-5:]\n" * 20_000 + "while True: pass",
    "awaits": "import asyncio\nfor _ in range(600): await asyncio.sleep(0.1)",
    "a thread that is waited for": "import threading\nthreading.Event().wait(60)",
    "work in a library": "import numpy as np\na = np.ones((400, 400))\nwhile True: a = a @ a / 400",
}


@pytest.mark.parametrize("source", CELLS.values(), ids=CELLS.keys())
def test_an_interrupt_is_shown_once_as_without_the_extension(kernels: tuple[Kernel, Kernel], source: str) -> None:
    plain, loaded = (interrupted(kernel, source, 0.3) for kernel in kernels)
    assert loaded.status == plain.status == "error"
    if not could_not_draw(loaded):
        shown = [content["ename"] for content in loaded.contents("error")]
        assert shown == ([content["ename"] for content in plain.contents("error")] or ["KeyboardInterrupt"])
        if plain.contents("error"):  # between two statements it may end a cell of a kernel without us unseen
            assert loaded.kinds == plain.kinds
    tracebacks = [line for content in loaded.contents("error") for line in content["traceback"]]
    assert "reflex" not in without_entered_hook("\n".join(tracebacks))
    assert "reflex" not in loaded.text.lower() or could_not_draw(loaded)  # it shows all that was at work then
    assert all(kernel.value("1 + 1") == 2 for kernel in kernels)


def test_an_interrupt_in_code_of_ours_is_shown_once_and_without_that_code(kernels: tuple[Kernel, Kernel]) -> None:
    _, kernel = kernels
    kernel.run(HEALTHY)
    kernel.run(STRIKE)
    wrong, places = [], range(60)
    for place in places:  # from the statement that arms it on, and from the end of that cell on
        delay = (1 + place) * 0.00005
        ran = []
        for cell in (f"strike.arm({delay})\n{WAITING}", WAITING, f"strike.wait()\n{DISARM}"):
            ran.append(kernel.run(cell))
            if ran[-1].status == "error":
                kernel.run("strike.due = False")
        errors = [content for each in ran for content in each.contents("error")]
        text = "".join(each.text for each in ran) + str(errors)
        if "reflex" in text or [error["ename"] for error in errors] not in ([], ["KeyboardInterrupt"]):
            wrong.append((place, [each.status for each in ran], text[-3000:]))
        assert kernel.value("strike.lost") == 0
    assert kernel.value("strike.struck") > len(places) // 2, "the interrupts came"
    assert not wrong, wrong[:3]
    kernel.run("signal.signal(signal.SIGALRM, signal.SIG_IGN)\ntotal = 1")
    assert kernel.run("toatl").shown, "what an interrupt has hit works again"


def test_a_cell_that_was_interrupted_between_others_harms_none_of_them(kernels: tuple[Kernel, Kernel]) -> None:
    for kernel in kernels:
        kernel.run("kept = []")
        interrupted(kernel, "kept.append(1)\nimport time\ntime.sleep(60)", 0.1)
        kernel.run("kept.append(2)")
    assert kernels[0].value("kept") == kernels[1].value("kept") == [1, 2]
