"""A repair that is a choice, in a real kernel: a page or a command says which fix is meant, else none is taken."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.kernel.driver import Kernel

FAILING = "total = 0\nfor digit in number:\n    total += int(digit)"
DIGITS, COUNTED = (FAILING.replace("number", f"{function}(number)") for function in ("str", "range"))

Panel = dict[str, Any]


def asked(kernel: Kernel) -> Panel:
    """The panel of a cell that may mean two things."""
    kernel.run("number = 12", "before")
    panel = kernel.settled(kernel.run(FAILING, "a"))
    assert panel["question"] == "Several fixes run, with different results. Which one is meant?"
    assert [fix["edits"][0]["source"] for fix in panel["fixes"]] == [DIGITS, COUNTED]
    return panel


def is_open(kernel: Kernel, panel: Panel) -> bool:
    """Whether nothing came of what was asked for."""
    state = kernel.state(kernel.comm(), panel["repair"])
    return (state["phase"], state["accepted"], kernel.value("total")) == ("ready", None, 0)


def test_each_fix_says_what_it_gives(kernel: Kernel) -> None:
    assert [fix["gives"] for fix in asked(kernel)["fixes"]] == ["`total` = 3", "`total` = 66"]


@pytest.mark.parametrize(("index", "source", "total"), [(0, DIGITS, 3), (1, COUNTED, 66)])
def test_what_a_page_picked_is_what_it_is_asked_to_write(kernel: Kernel, index: int, source: str, total: int) -> None:
    comm = kernel.hello()
    panel = asked(kernel)
    answer = kernel.accept(comm, panel, shown=panel["fixes"][index])
    assert answer["edits"] == [{"cell": "a", "expected": FAILING, "source": source}]
    assert kernel.run(source, "a").status == "ok"
    assert kernel.value("total") == total
    state = kernel.state(comm, panel["repair"])
    assert (state["accepted"]["fix"], state["question"]) == (panel["fixes"][index]["id"], "")


FORGERIES: dict[str, Callable[[Panel, Panel], Any]] = {
    "one with the other's text": lambda fix, other: fix.update(edits=other["edits"]),
    "one with the other's id": lambda fix, other: fix.update(id=other["id"]),
    "an id that nobody knows": lambda fix, other: fix.update(id="11111111"),
    "no id": lambda fix, other: fix.pop("id"),
    "an empty id": lambda fix, other: fix.update(id=""),
    "a number for an id": lambda fix, other: fix.update(id=2),
    "a reason of its own": lambda fix, other: fix.update(explanation="This one is meant."),
}


def test_a_forged_or_late_message_takes_none_of_them(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = asked(kernel)
    for forge in FORGERIES.values():
        shown, other = copy.deepcopy(panel["fixes"])
        forge(shown, other)
        request = {"session": panel["session"], "repair": panel["repair"], "request": "forged"}
        how = {"client": kernel.client.session.session, "sources": [], "run": True, "whole": False, "read": False}
        kernel.tell(comm, type="accept", shown=shown, **request, **how)
        assert "doesn't show the text" in kernel.until_told(("apply", "declined"))["reason"]
    assert is_open(kernel, panel)
    kernel.tell(comm, type="reject", session=panel["session"], repair=panel["repair"])
    kernel.until_told("state", lambda data: data["state"]["phase"] == "rejected")
    assert "it was rejected" in kernel.accept(comm, panel, shown=panel["fixes"][1])["reason"]


@pytest.mark.parametrize("page", [True, False], ids=["page", "no page"])
def test_the_command_wants_to_be_told_which(kernel: Kernel, page: bool) -> None:
    if page:
        kernel.hello()
    panel = asked(kernel)
    ran = kernel.run("%reflex accept", "b")
    assert ran.status == "error"
    assert "Which one is meant? Nothing has changed." in ran.reply["evalue"]
    assert "%reflex accept 2  for digit in range(number):" in ran.reply["evalue"]
    assert is_open(kernel, panel)


def test_the_command_with_a_number_has_the_page_write_that_one(kernel: Kernel) -> None:
    kernel.hello()
    asked(kernel)
    ran = kernel.run("%reflex accept 2", "b")
    assert ran.status == "ok"
    [apply] = [data for content in ran.contents("comm_msg") if (data := content["data"]).get("type") == "apply"]
    assert [edit["source"] for edit in apply["edits"]] == [COUNTED]


def test_the_command_with_a_number_becomes_that_cell_where_no_page_can_write(kernel: Kernel) -> None:
    asked(kernel)
    assert kernel.run("%reflex accept 2", "b").status == "ok"
    assert kernel.value("total") == 66
