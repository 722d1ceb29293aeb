"""A name that is picked on the panel, message by message in a real kernel."""

from __future__ import annotations

from typing import Any

from tests.kernel.driver import Kernel

SETUP = "import collections\nclass Row(collections.UserDict): pass\nrow = Row(region='north', sales=3)\nran = []"
CELL = "ran.append(1)\nrow['pulse'].upper()"


def fail(kernel: Kernel) -> dict[str, Any]:
    kernel.run(SETUP, "a")
    return kernel.settled(kernel.run(CELL, "b"))


def choose(kernel: Kernel, comm: str, panel: dict[str, Any], name: str) -> None:
    kernel.tell(comm, type="choose", session=panel["session"], repair=panel["repair"], name=name)


def test_a_picked_name_is_tried_on_the_copy_and_runs_here_only_once_it_is_accepted(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    assert (panel["fixes"], panel["names"]) == ([], ["sales", "region"])
    assert [step["label"] for step in panel["steps"]] == ["Edit this cell"]
    choose(kernel, comm, panel, "region")
    told = kernel.until_told("state", lambda data: any(fix["gives"] for fix in data["state"]["fixes"]))["state"]
    [fix] = told["fixes"]
    assert fix["origin"] == "you: chosen name"
    assert fix["verdict"]["tone"] == "good"
    assert "NORTH" in fix["gives"]
    assert (told["names"], told["steps"]) == ([], [])
    assert kernel.value("len(ran)") == 1
    assert kernel.accept(comm, told)["edits"][0]["source"] == "ran.append(1)\nrow['region'].upper()"


def test_a_text_that_the_kernel_has_not_offered_is_refused(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    choose(kernel, comm, panel, "x'] or ran.append(2) or row['region")
    told = kernel.until_told("state", lambda data: "not offered" in str(data["state"]["notice"]))["state"]
    assert told["fixes"] == []
    assert kernel.value("len(ran)") == 1


def test_the_cell_that_should_have_set_a_name_can_be_gone_to(kernel: Kernel) -> None:
    kernel.hello()
    kernel.run("a = 1\nbananas = 1 / 0", "first")
    panel = kernel.settled(kernel.run("bananas + 1", "second"))
    [there, here] = panel["steps"]
    assert (there["cell"]["id"], there["line"], there["edit"]) == ("first", 2, False)
    assert there["label"] == f"Go to In [{there['cell']['execution_count']}]"
    assert (here["cell"]["id"], here["edit"]) == ("second", True)
