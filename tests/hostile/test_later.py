"""What a cell leaves behind for later: a trial that is over does not see it, and says so."""

from __future__ import annotations

import asyncio
import sys

import pytest

from reflex_ipython.models import Trial
from tests.check.build import edits
from tests.check.conftest import Start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

THREAD = "leaves a thread running, whose further doings a trial does not see"
EXIT = "leaves something to be run when the kernel ends (atexit), which a trial does not see"
LEFT = {
    "import atexit; atexit.register(print, 'x')": EXIT,
    "import atexit\n@atexit.register\ndef at_the_end(): open('/tmp/x', 'w')": EXIT,
    "import threading, time\ndef work(): time.sleep(600)\nthreading.Thread(target=work, daemon=True).start()": THREAD,
    "import threading\ndef work(): pass\nt = threading.Timer(600, work); t.daemon = True; t.start()": THREAD,
}
NOT_LEFT = (
    "import threading\ndef work(): pass\nt = threading.Thread(target=work); t.start(); t.join()",
    "import concurrent.futures as c\npool = c.ThreadPoolExecutor(2); list(pool.map(abs, [-1, 2]))",
    "import weakref\nclass A: pass\na = A(); weakref.finalize(a, print)",
    "import logging.handlers, multiprocessing.util, tempfile\nd = tempfile.mkdtemp()",
    "import atexit; atexit.unregister(print)",
)


def test_what_is_left_for_later_is_told(start: Start) -> None:
    zygote = start()
    found = {source: [effect.text for effect in zygote.trial(edits(source)).effects] for source in LEFT}
    assert found == {source: [told] for source, told in LEFT.items()}


def test_what_is_over_and_what_libraries_leave_is_not_told(start: Start) -> None:
    zygote = start()
    for source in NOT_LEFT:
        trial = zygote.trial(edits(source))
        assert (trial.outcome, trial.effects) == ("passed", ()), source


def test_a_task_that_nobody_waited_for_is_told(start: Start) -> None:
    async def kernel() -> list[Trial]:
        zygote = start({"asyncio": asyncio})
        sources = ("t = asyncio.ensure_future(asyncio.sleep(600)); await asyncio.sleep(0)", "await asyncio.sleep(0)")
        return [await asyncio.to_thread(zygote.trial, edits(source)) for source in sources]

    left, waited = asyncio.run(kernel())
    told = "leaves a task running, whose further doings a trial does not see"
    assert [(one.outcome, [effect.text for effect in one.effects]) for one in (left, waited)] == [
        ("passed", [told]),
        ("passed", []),
    ]
