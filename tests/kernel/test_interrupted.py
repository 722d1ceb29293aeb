"""A Ctrl-C that comes as a state is put back: all of it is, or nothing has begun; what is neither is said."""

from __future__ import annotations

import pytest

from tests.kernel.driver import Kernel

CELL = "if True:\n    log.append('s')\n    print({})"
NAMES = "total, log = [1], []"
STRIKE = """
import os, signal
from reflex_ipython.ipython.accepted_runs import AcceptedRuns
from reflex_ipython.repairs.decisions import Decisions
from reflex_ipython.state.journal import Journal
def strike_in(cls, name, times):
    usual = getattr(cls, name)
    def struck(self, *given, **named):
        setattr(cls, name, usual)
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        return usual(self, *given, **named)
    # of a library, as far as anybody can see: what is the user's is interrupted at once
    struck.__code__ = struck.__code__.replace(co_filename=os.__file__)
    setattr(cls, name, struck)
"""
PLACES = {"as it is accepted": "Decisions, '_accept'", "as it is prepared": "AcceptedRuns, '_prepared'"}


def strikes(kernel: Kernel, where: str, times: int) -> None:
    """Have Ctrl-C strike so often the next time that it is there."""
    kernel.run(f"{STRIKE}strike_in({where}, {times})", silent=True, store_history=False)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("where", PLACES.values(), ids=PLACES)
def test_a_fix_that_is_accepted_never_runs_on_what_the_failed_run_has_left(
    kernel: Kernel, where: str, times: int
) -> None:
    kernel.run(NAMES)
    kernel.settled(kernel.run(CELL.format("toatl")))
    strikes(kernel, where, times)
    ran = kernel.run("%reflex accept")
    if times == 2:  # nothing has begun, and it can be accepted once more
        assert ran.reply["ename"] == "KeyboardInterrupt"
        assert kernel.run("%reflex accept").status == "ok"
    assert kernel.value("log") == ["s"]


def test_a_page_is_told_of_a_fix_that_was_interrupted_before_it_began(kernel: Kernel) -> None:
    client = kernel.hello()
    kernel.run(NAMES)
    panel = kernel.settled(kernel.run(CELL.format("toatl"), "a"))
    strikes(kernel, PLACES["as it is prepared"], 2)
    kernel.accept(client, panel)
    assert kernel.run(CELL.format("total"), "a").reply["ename"] == "KeyboardInterrupt"
    told = kernel.until_panel(panel, lambda state: state["notice"] is not None)
    assert told["notice"]["text"] == "Not run: it was interrupted before it began."
    assert told["phase"] == "ready"


@pytest.mark.parametrize("times", [1, 2])
def test_what_is_taken_back_is_so_in_whole_or_it_is_said(kernel: Kernel, times: int) -> None:
    kernel.run("rows = []")
    kernel.run("rows.append(1)")
    strikes(kernel, "Journal, 'rollback'", times)
    ran = kernel.run("%reflex back")
    if times == 1:
        assert kernel.value("rows") == []
    else:
        assert "Interrupted half way" in ran.reply["evalue"]
        assert "There is no run to take back" in kernel.run("%reflex back").reply["evalue"]
