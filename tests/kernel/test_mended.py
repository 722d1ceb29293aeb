"""A failed cell that the user has mended by hand goes on where it failed."""

from __future__ import annotations

from typing import Any

from tests.kernel.driver import Kernel

CELL = "counter += 1\nseen.append(1)\nvalue = seen[9]\nprint('end', value)"
MENDED = CELL.replace("seen[9]", "seen[0]")
STATE = "get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state"


def fail(kernel: Kernel) -> dict[str, Any]:
    kernel.run("counter, seen = 0, []", "before")
    return kernel.settled(kernel.run(CELL, "a"))


def resumable(kernel: Kernel, comm: str, panel: dict[str, Any], source: str) -> tuple[str, str]:
    kernel.tell(comm, type="edited", session=panel["session"], repair=panel["repair"], source=source)
    answer = kernel.until_told("resumable", lambda data: data["source"] == source)
    return answer["label"], answer["words"]


def resume(kernel: Kernel, comm: str, panel: dict[str, Any], source: str) -> dict[str, Any]:
    kernel.tell(
        comm, type="resume", session=panel["session"], repair=panel["repair"], request="r", source=source,
        client=kernel.client.session.session,
    )  # fmt: skip
    return kernel.until_told(("apply", "declined"), lambda data: data["request"] == "r")


def test_what_ran_does_not_run_again_when_the_mended_cell_is_resumed(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    assert resumable(kernel, comm, panel, MENDED) == ("Resume at line 3", "")
    answer = resume(kernel, comm, panel, MENDED)
    assert answer["edits"] == [{"cell": "a", "expected": MENDED, "source": MENDED}]
    assert answer["run"] == "a"
    ran = kernel.run(MENDED, "a")
    assert ran.text == "end 1\n"
    assert kernel.value("(counter, seen, value)") == (1, [1], 1)
    assert kernel.value(STATE) == "resumed at line 3, state restored exactly"


def test_a_mended_cell_that_the_user_runs_runs_whole(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    resumable(kernel, comm, panel, MENDED)
    assert kernel.run(MENDED, "a").text == "end 1\n"
    assert kernel.value("(counter, seen)") == (2, [1, 1])


def test_where_what_ran_first_has_changed_there_is_no_offer_and_it_is_said_why(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    changed = MENDED.replace("counter += 1", "counter += 2")
    label, words = resumable(kernel, comm, panel, changed)
    assert label == ""
    assert "runs whole" in words
    assert "runs whole" in resume(kernel, comm, panel, changed)["reason"]
    assert kernel.value("(counter, seen)") == (1, [1])


def test_once_another_cell_has_run_nothing_is_resumed(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    kernel.run("other = 1", "b")
    label, words = resumable(kernel, comm, panel, MENDED)
    assert label == ""
    assert "Another cell has run" in words


def test_a_page_that_does_not_run_it_leaves_the_repair_as_it_was(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    request = resume(kernel, comm, panel, MENDED)["request"]
    kernel.tell(comm, type="applied", request=request, status="source-changed")
    state = kernel.until_told("state", lambda data: data["state"]["phase"] != "accepted")["state"]
    assert [fix["origin"] for fix in state["fixes"]] == [fix["origin"] for fix in panel["fixes"]]
    assert resumable(kernel, comm, panel, MENDED)[0] == "Resume at line 3"


def test_the_commands_edit_and_resume_do_the_same_without_a_page(kernel: Kernel) -> None:
    kernel.run("counter, seen, none = 0, [], None", "before")
    cell = CELL.replace("seen[9]", "open('/nowhere/at/all')")
    panel = kernel.settled(kernel.run(cell, "a"))
    assert panel["fixes"] == []
    edit = kernel.run("%reflex edit")
    assert edit.reply["payload"][0]["text"] == f"%reflex resume\n{cell}"
    ran = kernel.run(f"%reflex resume\n{MENDED}")
    assert ran.text == "end 1\n"
    assert kernel.value("(counter, seen)") == (1, [1])


def test_resume_runs_nothing_where_what_ran_first_has_changed(kernel: Kernel) -> None:
    fail(kernel)
    ran = kernel.run("%reflex resume\n" + MENDED.replace("counter += 1", "counter += 2"))
    assert ran.status == "error"
    assert "Nothing was run. Nothing of what had run can be skipped" in ran.reply["evalue"]
    assert kernel.value("(counter, seen)") == (1, [1])
