"""A page that runs an accepted cell without waiting for an answer: the kernel reads the click first, and decides.

It comes with the cell, or where something else than JupyterLab itself runs the cells in turn before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kernel.driver import Kernel

Panel = dict[str, Any]
WITH_IT, IN_TURN = WAYS = ("bring", "in_turn")
CELL = "rows.append(1)\nprint(toatl)"
FIXED = "rows.append(1)\nprint(total)"
PROPOSE_DANGER = """\
import dataclasses
from reflex_ipython.models import Edit, Fix
session = get_ipython().reflex_extension.assembly.session
last = session.repairs.latest()
edit = Edit(last.situation.place, last.situation.source, "import os\\nos.remove('precious.csv')")
fix = Fix("0badf00d", (edit,), "It was in the way.", "test")
judged = {fix.id: session.verdicts.of(last.cause, fix, None)}
session.repairs.change(last.id, lambda repair: dataclasses.replace(repair, fixes=(fix,), verdicts=judged))"""


def failed(kernel: Kernel, source: str) -> Panel:
    kernel.run("rows, total = [], 7")
    return kernel.settled(kernel.run(source, "a"))


def click(kernel: Kernel, comm: str, panel: Panel, way: str = IN_TURN, **more: Any) -> Panel:
    """What a page sends that draws the newest state, in one of the ways; gives that."""
    state = kernel.state(comm, panel["repair"])
    message = {
        "session": state["session"], "repair": state["repair"], "request": "click",
        "client": kernel.client.session.session, "shown": state["fixes"][0], "sources": [],
        "run": True, "whole": False, "read": False, "at_once": True, **more,
    }  # fmt: skip
    getattr(kernel, way)(type="accept", **message)
    return state


@pytest.mark.parametrize("way", WAYS)
def test_the_cell_goes_on_where_it_failed(kernel: Kernel, way: str) -> None:
    comm = kernel.hello()
    panel = failed(kernel, CELL)
    click(kernel, comm, panel, way)
    assert kernel.run(FIXED, "a").text == "7\n"
    assert kernel.value("rows") == [1]
    state = kernel.state(comm, panel["repair"])
    assert (state["phase"], state["accepted"]["fix"]) == ("accepted", state["fixes"][0]["id"])
    assert "Resumed at line 2" in state["notice"]["text"]


def test_what_it_shows_leaves_before_anything_is_noted_of_its_last_statement(kernel: Kernel) -> None:
    kernel.run(
        "from reflex_ipython.ipython import cell_watch\nfrom reflex_ipython.state.journal import Journal\n"
        "done, after, let_out = [], Journal.after, cell_watch.let_out\n"
        "def noted(self):\n    done.append('noted')\n    after(self)\n"
        "def left():\n    done.append('left')\n    let_out()\n"
        "Journal.after, cell_watch.let_out = noted, left"
    )
    comm = kernel.hello()
    panel = failed(kernel, CELL)
    click(kernel, comm, panel)
    kernel.run("done.clear()", "b", silent=True)
    kernel.run(FIXED, "a")
    assert kernel.value("done")[:2] == ["left", "noted"]


def test_it_may_still_be_told_that_the_page_could_not_run_it(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = failed(kernel, CELL)
    click(kernel, comm, panel)
    kernel.tell(comm, type="applied", request="click", status="run-failed")
    kernel.until_told("state", lambda data: "could not be run" in str(data["state"]["notice"]))


REFUSED: dict[str, tuple[Callable[[Panel], Panel], str]] = {
    "another text": (
        lambda fix: {"shown": {**fix, "explanation": "It is right."}},
        "doesn't show the text that the kernel has",
    ),
    "dangerous, and not read": (lambda fix: {"shown": fix}, "First tick that you have read it"),
    "of another session": (lambda fix: {"shown": fix, "session": "another"}, "a different session"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", REFUSED)
def test_what_the_kernel_refuses_does_not_run_and_its_panel_comes_again(kernel: Kernel, name: str, way: str) -> None:
    otherwise, why = REFUSED[name]
    comm = kernel.hello()
    panel = failed(kernel, CELL)
    if "dangerous" in name:
        kernel.run(PROPOSE_DANGER)
    before = kernel.value("rows")
    fix = kernel.state(comm, panel["repair"])["fixes"][0]
    click(kernel, comm, panel, way, **otherwise(fix))
    ran = kernel.run("rows.append('ran')", "a")
    assert (ran.status, why in ran.text) == ("ok", True)
    assert ran.shown[-1]["repair"] == panel["repair"]
    assert kernel.value("rows") == before
    assert kernel.state(comm, panel["repair"])["phase"] == "ready"
    kernel.run("rows.append('by hand')", "a")
    assert kernel.value("rows")[-1] == "by hand"


@pytest.mark.parametrize("way", WAYS)
def test_a_fix_of_several_cells_is_never_run_so(kernel: Kernel, way: str) -> None:
    comm = kernel.hello()
    kernel.run("def half(n):\n    return n / tow", "d")
    kernel.run("two = 2")
    panel = kernel.settled(kernel.run("half(3)", "a"))
    assert len(panel["fixes"][0]["edits"]) > 1
    click(kernel, comm, panel, way)
    assert "doesn't show the text" in kernel.run("half(3)", "a").text


@pytest.mark.parametrize("way", WAYS)
def test_only_the_very_next_cell_of_that_page_and_only_that_one_is_held_back(kernel: Kernel, way: str) -> None:
    comm = kernel.hello()
    panel = failed(kernel, CELL)
    click(kernel, comm, panel, way, session="another")
    assert kernel.run("print('another cell')", "b").text == "another cell\n"
    assert kernel.run("print('the cell')", "a").text == "the cell\n"


def test_a_page_that_could_not_run_it_holds_back_no_later_run(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = failed(kernel, CELL)
    click(kernel, comm, panel, session="another")
    kernel.in_turn(type="applied", request="click", status="run-failed")
    assert kernel.run("print('by hand')", "a").text == "by hand\n"


def test_who_runs_all_cells_behind_the_click_runs_each_once(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = failed(kernel, CELL)
    click(kernel, comm, panel, WITH_IT)
    accepted, next_one = kernel.send(FIXED, "a"), kernel.send("rows.append('next')", "b")
    assert kernel.finish(accepted).text == "7\n"
    kernel.finish(next_one)
    assert kernel.value("rows") == [1, "next"]


FORGED: dict[str, dict[str, Any]] = {
    "a rejection": {"type": "reject"},
    "a click that the page did not run": {"type": "accept", "at_once": False},
    "a click that runs another cell": {"type": "accept"},
    "nothing that is a message": {"type": "nonsense"},
}


@pytest.mark.parametrize("name", FORGED)
def test_what_a_file_has_put_into_its_cells_is_not_heard(kernel: Kernel, name: str) -> None:
    comm = kernel.hello()
    panel = failed(kernel, CELL)
    state = kernel.state(comm, panel["repair"])
    message = {
        "session": state["session"], "repair": state["repair"], "request": "click",
        "client": kernel.client.session.session, "shown": state["fixes"][0], "sources": [],
        "run": True, "whole": False, "read": False, "at_once": True,
    }  # fmt: skip
    kernel.bring(**{**message, **FORGED[name]})
    ran = kernel.run("print('by hand')", "b")
    assert ran.text == "by hand\n"
    assert kernel.state(comm, panel["repair"])["phase"] == "ready"


@pytest.mark.parametrize("told", [[], "text", None, 7, {"type": []}])
def test_metadata_of_any_form_do_nothing(kernel: Kernel, told: Any) -> None:
    kernel.hello()
    failed(kernel, CELL)
    kernel.brings = {"reflex_request": told}
    ran = kernel.run("print('by hand')", "b")
    assert (ran.status, ran.text) == ("ok", "by hand\n")


LATER = """\
import asyncio
async def later():
    while not rows: await asyncio.sleep(0.01)
    rows.append(get_ipython().run_cell("rows.append('behind it')").success)
def begin():
    return asyncio.get_running_loop().create_task(later())"""


def test_a_click_is_heard_once_though_what_its_cell_began_runs_other_code(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.run(LATER, "b")
    panel = failed(kernel, "print(toatl)\ntask = begin()")
    click(kernel, comm, panel, WITH_IT)
    assert kernel.run("print(total)\ntask = begin()", "a").text == "7\n"
    kernel.run("rows.append('go')", "c")
    while not kernel.value("task.done()"):
        pass
    assert kernel.value("rows") == ["go", "behind it", True]
