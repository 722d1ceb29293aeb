"""What is kept in context variables is put back where the cells see it, whoever asks for that; in a real kernel."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.kernel.driver import Kernel

NUMPY = (
    "import numpy as np",
    "np.set_printoptions(precision=2); np.seterr(all='ignore')",
    "(np.get_printoptions()['precision'], np.geterr()['over'])",
)
DECIMAL = (
    "import decimal\ndecimal.getcontext()",
    "decimal.setcontext(decimal.Context(prec=9))",
    "decimal.getcontext().prec",
)
OWN = ("import contextvars\ncv = contextvars.ContextVar('cv')\ncv.set(1)", "cv.set(cv.get() + 1)", "cv.get()")
KEPT = pytest.mark.parametrize(("setup", "change", "value"), [NUMPY, DECIMAL, OWN], ids=["numpy", "decimal", "own"])


def accepted(kernel: Kernel, comm: str, body: str) -> dict[str, Any]:
    """A cell fails, and a page runs its fix; gives the panel."""
    panel = kernel.settled(kernel.run(body, "b"))
    answer = kernel.accept(comm, panel)
    kernel.tell(comm, type="applied", request=answer["request"], status="applied")
    ran = kernel.run(answer["edits"][0]["source"], "b")
    assert ran.status == "ok"
    return panel


@KEPT
def test_an_undo_of_a_page_puts_it_back(kernel: Kernel, setup: str, change: str, value: str) -> None:
    kernel.run(f"{setup}\ntotal = [3]")
    comm, before = kernel.hello(), kernel.value(value)
    panel = accepted(kernel, comm, f"if 1:\n    {change}; toatl[0]\n    assert {value} != {before}")
    undo(kernel, comm, panel)
    assert kernel.value(value) == before


@KEPT
def test_a_page_takes_it_back(kernel: Kernel, setup: str, change: str, value: str) -> None:
    kernel.run(f"{setup}")
    comm, before = kernel.hello(), kernel.value(value)
    assert kernel.run(f"if 1:\n    {change}\n    assert {value} != {before}").status == "ok"
    kernel.tell(comm, type="back", request="1")
    assert "state restored exactly" in kernel.until_told("took-back")["words"]
    assert kernel.value(value) == before


@KEPT
def test_a_command_whose_text_a_page_puts_back_puts_it_back(
    kernel: Kernel, setup: str, change: str, value: str
) -> None:
    kernel.run(f"{setup}\ntotal = [3]")
    comm, before = kernel.hello(), kernel.value(value)
    panel = accepted(kernel, comm, f"if 1:\n    {change}; toatl[0]\n    assert {value} != {before}")
    command = kernel.send("%reflex undo")
    request = kernel.until_told("apply")["request"]
    kernel.finish(command)
    kernel.tell(comm, type="applied", request=request, status="applied")
    until_restored(kernel, panel)
    assert kernel.value(value) == before


def test_what_a_cell_that_awaits_set_for_itself_does_not_come_to_others(kernel: Kernel) -> None:
    """It runs in a copy of the context: what later cells see stays as it is, also where only a part is undone."""
    kernel.run(f"{OWN[0]}\nimport asyncio\ntotal = [3]")
    comm = kernel.hello()
    body = "await asyncio.sleep(0); cv.set(5)\nif cv.get():\n    await asyncio.sleep(0); cv.set(6); toatl[0]"
    panel = accepted(kernel, comm, body)
    undo(kernel, comm, panel)
    assert kernel.value("cv.get()") == 1


def test_nobody_makes_decimals_context_for_cells_that_await(kernel: Kernel) -> None:
    """They have one each, unless one was made before; then all of them would share it."""
    kernel.run("import asyncio, decimal\ntotal = [3]")
    comm = kernel.hello()
    loop = "for i in range(2):\n    await asyncio.sleep(0); decimal.getcontext().prec = 9; toatl[0]"
    accepted(kernel, comm, f"await asyncio.sleep(0)\n{loop}")
    assert kernel.value("decimal.getcontext().prec") == 28


def test_an_asynchronous_generator_that_was_dropped_is_no_task_left_running(kernel: Kernel) -> None:
    kernel.run("import asyncio\nasync def rows():\n    for i in range(3):\n        await asyncio.sleep(0); yield i")
    kernel.run("got, total = [], 3")
    cell = "async for r in rows():\n    got.append(r)\n    if r == 1: got.append(toatl)"
    assert kernel.settled(kernel.run(cell))["fixes"][0]["run_options"] == []


def undo(kernel: Kernel, comm: str, panel: dict[str, Any]) -> None:
    """As a page does that has put the old text back."""
    client = kernel.client.session.session
    kernel.tell(comm, type="undo", session=panel["session"], repair=panel["repair"], client=client, request="1")
    kernel.tell(comm, type="applied", request=kernel.until_told("apply")["request"], status="applied")
    until_restored(kernel, panel)


def until_restored(kernel: Kernel, panel: dict[str, Any]) -> None:
    kernel.until_panel(panel, lambda state: "state restored exactly" in (state["notice"] or {}).get("text", ""))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 starts no task in a context that is there")
@KEPT
def test_a_fix_that_runs_in_its_place_leaves_it_to_later_cells(
    kernel: Kernel, setup: str, change: str, value: str
) -> None:
    kernel.run(f"{setup}\ntotal = [3]")
    before = kernel.value(value)
    panel = kernel.settled(kernel.run(f"toatl[0]; {change}", "b"))
    state = kernel.state(kernel.comm(), panel["repair"])
    kernel.tell(
        kernel.comm(), type="accept", session=state["session"], repair=state["repair"], request="r", client="",
        shown=state["fixes"][0], sources=[], run=True, whole=False, read=False,
    )  # fmt: skip
    kernel.until_panel(panel, lambda state: state["phase"] == "accepted" and state["notice"]["tone"] == "good")
    assert kernel.value(value) != before
