"""The kernel's side of the conversation with a page, message by message over a real comm."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.driver import BROUGHT, PATIENCE, Kernel, said_to_pages

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def fail(kernel: Kernel, cell: str = "a") -> dict:
    kernel.run("total = 3", "before")
    return kernel.until_panel(kernel.run("toatl", cell).shown[-1], lambda state: state["fixes"])


def test_the_widget_comes_along_until_the_page_has_said_hello(kernel: Kernel) -> None:
    before = kernel.run("1 / 0").contents("display_data")[0]["data"]
    kernel.hello()
    after = kernel.run("1 / 0").contents("display_data")[0]["data"]
    assert WIDGET_VIEW in before
    assert WIDGET_VIEW not in after
    assert {"text/html", "text/plain"} <= set(after)


def test_a_display_brings_its_state_to_the_pages_and_to_nobody_else(kernel: Kernel) -> None:
    """As a message of its own, it would have the panel wait until the page's system has confirmed it."""
    without = kernel.run("1 / 0").contents("display_data")[0]
    assert BROUGHT not in without["transient"]
    kernel.hello()
    ran = kernel.run("1 / 0")
    (display,) = ran.contents("display_data")
    brought = display["transient"][BROUGHT]
    assert (brought["type"], brought["state"]["repair"]) == ("state", ran.shown[-1]["repair"])
    shown = next(n for n, message in enumerate(ran.messages) if message["msg_type"] == "display_data")
    assert not [m for m in ran.messages[:shown] if m["msg_type"] == "comm_msg"], "nothing else goes before"


def test_the_widget_says_what_is_new_once_its_output_is_drawn_anew(kernel: Kernel) -> None:
    kernel.run("total = 3")
    kernel.send("toatl")
    outputs, states = 0, []
    while not states or states[-1]["working"]:
        message = kernel.client.get_iopub_msg(timeout=PATIENCE)
        outputs += message["msg_type"] == "update_display_data"
        changed = message["content"].get("data", {}).get("state") if message["msg_type"] == "comm_msg" else None
        if changed:
            states.append(changed["state"])
            assert outputs == len(states), "who begins to type where something new is seen would lose it"


def test_a_page_that_comes_late_is_told_of_every_open_repair(kernel: Kernel) -> None:
    panel = fail(kernel)
    comm = kernel.comm()
    kernel.tell(comm, type="hello", client="another-tab", version="0")
    state = kernel.until_told("state", lambda data: data["state"]["repair"] == panel["repair"])["state"]
    assert state["fixes"][0]["edits"][0]["source"] == "total"


def test_accepting_in_the_page_and_running_the_cell_is_one_repair(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    answer = kernel.accept(comm, panel)
    assert answer["edits"] == [{"cell": "a", "expected": "toatl", "source": "total"}]
    ran = kernel.run("total", "a")
    assert ran.status == "ok"
    assert "Ran, no error" in ran.panels[-1]["notice"]["text"]
    assert "accepted" in str(kernel.run("%reflex history").contents("display_data"))


def test_two_decisions_count_once(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    kernel.tell(comm, type="reject", session=panel["session"], repair=panel["repair"])
    kernel.until_told("state", lambda data: data["state"]["phase"] == "rejected")
    assert "it was rejected" in kernel.accept(comm, panel)["reason"]
    assert kernel.state(comm, panel["repair"])["phase"] == "rejected"
    assert kernel.value("'_ran' in globals()") is False


def test_an_edit_that_the_page_refused_leaves_the_repair_open_with_the_reason(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    request = kernel.accept(comm, panel)["request"]
    kernel.tell(comm, type="applied", request=request, status="source-changed")
    state = kernel.until_told("state", lambda data: data["state"]["phase"] == "ready" and data["state"]["notice"])[
        "state"
    ]
    assert "has changed" in state["notice"]["text"]


def test_the_accept_command_asks_the_tab_that_runs_it_and_only_that_one(kernel: Kernel) -> None:
    kernel.hello()
    fail(kernel)
    request = kernel.send("%reflex accept", "b")
    apply = kernel.until_told("apply")
    assert apply["client"] == kernel.client.session.session
    assert apply["edits"] == [{"cell": "a", "expected": "toatl", "source": "total"}]
    assert apply["run"] == "a"
    assert request


def test_the_accept_command_hears_of_a_refusal(kernel: Kernel) -> None:
    comm = kernel.hello()
    fail(kernel)
    kernel.send("%reflex accept", "b")
    apply = kernel.until_told("apply")
    kernel.tell(comm, type="applied", request=apply["request"], status="cell-not-found")
    state = kernel.until_told("state", lambda data: data["state"]["phase"] == "ready" and data["state"]["notice"])[
        "state"
    ]
    assert "no longer in the notebook" in state["notice"]["text"]


def test_undo_sends_the_old_text_back_without_running_it(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    kernel.accept(comm, panel)
    kernel.run("total", "a")
    kernel.send("%reflex undo", "b")
    apply = kernel.until_told("apply")
    assert apply["edits"] == [{"cell": "a", "expected": "total", "source": "toatl"}]
    assert apply["run"] == "", "nothing is run"
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    undone = "Undone: the cell has its old text back, state restored exactly, what it has shown stays there."
    kernel.until_told("state", lambda data: (data["state"]["notice"] or {}).get("text") == undone)


@pytest.mark.parametrize("how", ["click", "command"])
def test_a_page_is_asked_to_rewrite_the_cell_before_it_says_that_it_was(kernel: Kernel, how: str) -> None:
    """Else the next key runs the fixed text below the word "undone"."""
    comm = kernel.hello()
    panel = fail(kernel)
    kernel.accept(comm, panel)
    kernel.run("total", "a")
    kernel.until_told("state", lambda data: data["state"]["notice"] is not None)
    if how == "click":
        client = kernel.client.session.session
        kernel.tell(comm, type="undo", session=panel["session"], repair=panel["repair"], client=client, request="1")
    else:
        kernel.send("%reflex undo", "b")
    told = kernel.until_told(("apply", "state"), lambda data: data["type"] == "apply" or is_undone(data))
    assert told["type"] == "apply"
    assert is_undone(kernel.until_told("state", is_undone))


def undone_and_accepted_anew(kernel: Kernel) -> str:
    """One page is asked to undo, and does not answer; in another the fix is accepted anew, and runs. Gives the comm."""
    kernel.run("rows, total = [], 3")
    comm = kernel.hello()
    panel = kernel.until_panel(kernel.run("rows.append(toatl)", "a").shown[-1], lambda state: state["fixes"])
    kernel.accept(comm, panel)
    kernel.run("rows.append(total)", "a")
    client = kernel.client.session.session
    while "Ran, no error" not in str(kernel.told[panel["repair"]]["notice"]):  # it may have come before the cell's end
        kernel.until_told("state")
    kernel.tell(comm, type="undo", session=panel["session"], repair=panel["repair"], client=client, request="slow")
    kernel.until_told("apply")
    kernel.accept(comm, panel)
    kernel.run("rows.append(total)", "a")
    return comm


@pytest.mark.parametrize("status", ["applied", "source-changed"])
def test_what_a_slow_page_was_asked_to_undo_stands_once_it_was_accepted_anew(kernel: Kernel, status: str) -> None:
    comm = undone_and_accepted_anew(kernel)
    kernel.tell(comm, type="applied", request="slow", status=status)
    assert kernel.value("rows") == [3, 3]  # what was told before the answer has been read by then
    (repair,) = kernel.told
    state = kernel.state(comm, repair)
    assert (state["phase"], state["notice"]["text"].split(" · ")[0]) == ("accepted", "Ran, no error")


def test_that_a_cell_has_not_ended_is_not_said_once_it_has(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    kernel.accept(comm, panel)
    client = kernel.client.session.session
    kernel.tell(comm, type="undo", session=panel["session"], repair=panel["repair"], client=client, request="1")
    kernel.until_told("state", lambda data: "has not ended yet" in str(data["state"]["notice"]))
    kernel.run("total", "a")
    assert "has not ended" not in kernel.state(comm, panel["repair"])["notice"]["text"]


def is_undone(told: dict[str, Any]) -> bool:
    """Whether a page that draws this says that the old text is back."""
    return "Undone" in (told["state"]["notice"] or {}).get("text", "")


@pytest.mark.parametrize("run", [True, False])
def test_so_it_is_before_a_command_has_it_say_accepted(kernel: Kernel, run: bool) -> None:
    kernel.hello()
    fail(kernel)
    kernel.send("%reflex accept" if run else "%reflex accept --only-rewrite", "b")
    told = kernel.until_told(
        ("apply", "state"), lambda data: data["type"] == "apply" or data["state"]["phase"] == "accepted"
    )
    assert told["type"] == "apply"


def test_the_line_below_an_accepted_cell_brings_how_it_went(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    kernel.accept(comm, panel)
    ran = kernel.run("total", "a")
    (note,) = ran.contents("display_data")
    brought = note["transient"][BROUGHT]["state"]
    assert (brought["repair"], brought["phase"]) == (panel["repair"], "accepted")
    assert brought["notice"]["text"] in note["data"]["text/plain"]
    told = [said_to_pages(message) for message in ran.messages if message["msg_type"] == "comm_msg"]
    states = [data["state"] for data in told if data.get("type") == "state"]  # on a busy machine, before the cell's end
    while not any(state["notice"] == brought["notice"] for state in states):
        states.append(kernel.until_told("state")["state"])
    assert states[-1]["repair"] == panel["repair"], "a moment later, for whoever has not that line"


def test_the_saved_note_of_a_fix_that_was_undone_says_so(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.accept(comm, fail(kernel))
    note = kernel.run("total", "a").contents("display_data")[-1]["transient"]["display_id"]
    kernel.send("%reflex undo", "b")
    apply = kernel.until_told("apply")
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    while (message := kernel.client.get_iopub_msg(timeout=60))["msg_type"] != "update_display_data" or (
        message["content"]["transient"]["display_id"] != note
    ):
        pass
    assert message["content"]["data"]["text/plain"].startswith("Reflex — Undone: the cell has its old text back")


def test_an_accepted_fix_without_a_page_runs_into_the_failed_cell(kernel: Kernel) -> None:
    failing = kernel.send("print(toatl); from IPython.display import HTML; HTML('<b>x</b>')", "a")
    kernel.finish(failing)
    kernel.run("total = 3")
    fixed = kernel.run("print(toatl); from IPython.display import HTML; HTML('<b>x</b>')", "a")
    panel = fixed.shown[-1]
    comm = kernel.comm()
    kernel.settled(fixed)  # what a trial finds changes what is shown
    state = kernel.state(comm, panel["repair"])
    kernel.tell(
        comm, type="accept", session=state["session"], repair=state["repair"], request="r", client="",
        shown=state["fixes"][0], sources=[], run=True, whole=False, read=False,
    )  # fmt: skip
    seen, parents = [], set()
    while True:
        message = kernel.client.get_iopub_msg(timeout=60)
        if message["msg_type"] in ("clear_output", "stream", "execute_result", "error"):
            seen.append(message["msg_type"])
            parents.add(message["parent_header"]["msg_id"])
        if message["msg_type"] == "execute_result":
            break
    assert seen == ["clear_output", "stream", "execute_result"]
    assert parents == {fixed.messages[0]["parent_header"]["msg_id"]}


def test_switching_off_in_the_page_is_the_setting(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.tell(comm, type="enable", enabled=False)
    assert kernel.until_told("welcome")["enabled"] is False
    assert not kernel.run("1 / 0").shown


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "nonsense"},
        {"type": "accept", "repair": 5},
        {"type": "cancel"},
        {"type": "ask", "repair": "zz", "hint": ""},
    ],
)
def test_a_message_that_makes_no_sense_harms_nothing(kernel: Kernel, message: dict) -> None:
    kernel.tell(kernel.hello(), **message)
    assert kernel.value("1 + 1") == 2


def test_a_front_end_that_closes_the_comm_closes_it_for_itself_alone(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.client.shell_channel.send(kernel.client.session.msg("comm_close", {"comm_id": comm, "data": {}}))
    assert kernel.comm() == comm
    kernel.tell(comm, type="enable", enabled=False)
    assert kernel.until_told("welcome")["enabled"] is False


def test_what_the_first_cell_needs_is_imported_once_the_reply_to_loading_is_out() -> None:
    kernel = Kernel()
    try:
        ran = kernel.run(
            "import sys, threading, time\n"
            "def look():\n"
            "    while 'reflex_ipython.state.journal' not in sys.modules:\n        time.sleep(0.01)\n"
            "    print('there now')\n"
            "[get_ipython().run_line_magic('load_ext', 'reflex_ipython'),"  # nothing of its cell follows
            " print('reflex_ipython.state.journal' in sys.modules),"
            " threading.Thread(target=look, daemon=True).start()];"
        )
        text = ran.text
        assert text.startswith("False\n")
        while "there now" not in text:  # no other cell runs
            text += str(kernel.client.get_iopub_msg(timeout=60)["content"].get("text", ""))
    finally:
        kernel.close()
