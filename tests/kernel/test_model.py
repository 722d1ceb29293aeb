"""A model at work while the kernel is: a scripted server over a real socket, in a real kernel."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from reflex_ipython.testing import Refuse, Say, ScriptedServer, Silent
from tests.kernel.driver import Kernel

ANSWER = ["It needs a value.\n```py", "thon\n", "answer = 42\n", "```\n"]


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def choose(kernel: Kernel, server: ScriptedServer) -> None:
    kernel.run(f"%reflex model tiny --base-url {server.base_url}")


def test_a_model_is_asked_by_itself_when_no_rule_fits_and_the_kernel_stays_free(kernel: Kernel) -> None:
    with ScriptedServer(Silent()) as server:
        choose(kernel, server)
        ran = kernel.run("answer = nothing_like_it()", "a")
        kernel.until_panel(ran.shown[-1], lambda state: state["working"] == "asking tiny")
        assert kernel.value("6 * 7") == 42
        server.release()


def test_its_text_streams_and_its_fix_is_shown_with_what_it_took(kernel: Kernel) -> None:
    with ScriptedServer(Say(ANSWER, usage=(120, 9))) as server:
        choose(kernel, server)
        comm = kernel.hello()
        kernel.send("answer = nothing_like_it()", "a")
        pieces = [kernel.until_told("text")["text"]]
        while "42" not in "".join(pieces):
            pieces.append(kernel.until_told("text")["text"])
        state = kernel.until_told("state", lambda data: data["state"]["fixes"] and not data["state"]["working"])[
            "state"
        ]
        fix = state["fixes"][0]
        assert len(pieces) > 1
        assert fix["edits"][-1]["source"] == "answer = 42"
        assert fix["explanation"] == "It needs a value."
        assert "120 + 9 tokens" in fix["usage"]
        assert comm


def test_where_another_server_is_chosen_the_trouble_with_the_one_before_is_no_longer_said(kernel: Kernel) -> None:
    with (
        ScriptedServer(Refuse(404, "There is no such model.", code="model_not_found")) as bad,
        ScriptedServer(Say(ANSWER)) as server,
    ):
        kernel.run(f"%reflex model tiny --base-url {bad.base_url}")
        kernel.hello()
        ran = kernel.run("answer = nothing_like_it()", "a")
        panel = ran.shown[-1]
        state = kernel.until_panel(panel, lambda state: state["notice"] and not state["working"])
        assert "no such model" in state["notice"]["text"]
        choose(kernel, server)
        kernel.until_panel(panel, lambda state: state["notice"] and "no such model" not in state["notice"]["text"])


def test_cancel_ends_the_question_and_a_hint_asks_again(kernel: Kernel) -> None:
    with ScriptedServer(Silent(), Say(ANSWER)) as server:
        choose(kernel, server)
        comm = kernel.hello()
        panel = kernel.run("answer = nothing_like_it()", "a").shown[-1]
        until(lambda: server.chats)
        kernel.tell(comm, type="cancel", session=panel["session"], repair=panel["repair"])
        state = kernel.until_told("state", lambda data: not data["state"]["working"])["state"]
        assert state["phase"] == "nothing"
        assert state["notice"]["text"] == "Stopped before a fix was found."
        kernel.tell(comm, type="ask", session=panel["session"], repair=panel["repair"], hint="the answer is 42")
        kernel.until_told("state", lambda data: data["state"]["working"] == "asking tiny")
        kernel.until_told("state", lambda data: data["state"]["fixes"])
        assert "the answer is 42" in str(server.chats[-1].json)


def test_running_the_cell_again_withdraws_the_question(kernel: Kernel) -> None:
    with ScriptedServer(Silent(), Silent()) as server:
        choose(kernel, server)
        kernel.hello()
        first = kernel.run("nothing_like_it()", "a").shown[-1]
        request = kernel.send("5", "a")
        told = kernel.until_told(
            "state", lambda data: (data["state"]["repair"], data["state"]["phase"]) == (first["repair"], "superseded")
        )
        assert told["state"]["working"] == ""
        assert request


def test_trouble_is_said_in_words_on_the_panel(kernel: Kernel) -> None:
    with ScriptedServer(Refuse(401, "Incorrect API key")) as server:
        choose(kernel, server)
        kernel.run("%config Reflex.api_key = 'sk-very-secret-1234567890'")
        kernel.hello()
        kernel.send("nothing_like_it()", "a")
        state = kernel.until_told("state", lambda data: data["state"]["notice"])["state"]
        assert "key" in state["notice"]["text"]
        assert "very-secret" not in str(state)


def test_a_secret_in_the_cell_never_leaves_and_comes_back_in_the_fix(kernel: Kernel) -> None:
    secret = "sk-abcdefghij0123456789abcdefghij"
    cell = f"key = '{secret}'\nnothing_like_it(key)"

    def answer(request: object) -> Say:
        placeholder = re.findall(r"REDACTED_\d+", str(request))[0]
        return Say(f"Done.\n```python\nkey = '{placeholder}'\nprint(len(key))\n```")

    with ScriptedServer(answer=answer) as server:
        choose(kernel, server)
        kernel.hello()
        kernel.send(cell, "a")
        state = kernel.until_told("state", lambda data: data["state"]["fixes"])["state"]
        assert secret not in str([chat.json for chat in server.chats])
        assert state["fixes"][0]["edits"][-1]["source"] == f"key = '{secret}'\nprint(len(key))"


def test_nothing_is_sent_before_a_model_was_chosen(kernel: Kernel, monkeypatch: object) -> None:
    with ScriptedServer(Say(ANSWER)) as server:
        kernel.run(f"%config Reflex.base_url = '{server.base_url}'")
        panel = kernel.settled(kernel.run("nothing_like_it()", "a"))
        assert panel["model"] == ""
        assert not server.chats


def test_an_open_panel_learns_at_once_who_can_be_asked(kernel: Kernel) -> None:
    decided = kernel.settled(kernel.run("nothing_like_it()", "a"))
    kernel.run("%reflex reject")
    panel = kernel.settled(kernel.run("nothing_like_it()", "b"))
    assert (panel["model"], panel["chooses_model"]) == ("", True)
    with ScriptedServer() as server:
        choose(kernel, server)
        state = kernel.until_panel(panel, lambda state: state["model"])
        assert (state["model"], state["chooses_model"]) == ("tiny", False)
        assert "this machine" in state["model_terms"]
        kernel.run("%reflex model another")
        kernel.until_panel(panel, lambda state: state["model"] == "another")
        ran = kernel.run("%reflex model another")
        assert ran.panels == []
        kernel.run("%reflex model off")
        kernel.until_panel(panel, lambda state: state["chooses_model"])
        assert kernel.until_panel(decided, lambda state: state["phase"] == "rejected")["model"] == ""
        assert not server.chats


def test_what_came_of_an_answer_is_a_turn_of_the_chat_until_one_convinces(kernel: Kernel) -> None:
    replies = (
        "I don't know.",
        "```python\nanswer = nothing_like_it()\n```",
        "```python\nanswer = salse[0]\n```",
        "It is `sales`.\n```python\nanswer = sales[0]\n```",
    )
    with ScriptedServer(*(Say([reply]) for reply in replies)) as server:
        choose(kernel, server)
        kernel.run("sales = [42]")
        ran = kernel.run("answer = nothing_like_it()", "a")
        state = kernel.settled(ran)
        assert [fix["edits"][-1]["source"] for fix in state["fixes"]] == ["answer = sales[0]", "answer = salse[0]"]
        *_, last = server.chats
        turns = [message["content"] for message in last.json["messages"]]
        assert "There is no name 'nothing_like_it'." in turns[1]
        assert "answer = salse[0]" in turns[2]
        assert "NameError: name 'salse' is not defined" in turns[3]
        assert "There is no name 'salse'.\nNames that exist: sales" in turns[3]
        assert ["You answered with no code" in chat.body.decode() for chat in server.chats] == [
            False,
            True,
            True,
            False,
        ]


def test_what_an_attempt_looks_up_in_vain_is_told_with_what_there_is_in_the_kernel(kernel: Kernel) -> None:
    replies = ("prices['aple']", "shop.ownr", "shop.owner")
    with ScriptedServer(*(Say([f"```python\nanswer = {reply}\n```"]) for reply in replies)) as server:
        choose(kernel, server)
        kernel.run("class Shop:\n    owner = 'Ann'\nshop, prices = Shop(), {'apple': 1}")
        state = kernel.settled(kernel.run("answer = nothing_like_it()", "a"))
        assert state["fixes"][0]["edits"][-1]["source"] == "answer = shop.owner"
        *_, first, _, second = [message["content"] for message in server.chats[-1].json["messages"]]
        assert "prices (dict) has no key 'aple'.\nIts keys: apple\n" in first
        assert "shop (Shop) has no attribute 'ownr'.\nWhat is there: owner\n" in second


def test_the_model_is_asked_where_a_rules_fix_fails_its_trial(kernel: Kernel) -> None:
    with ScriptedServer(Say(["```python\ntotal = sales[0] / 2\n```"])) as server:
        choose(kernel, server)
        kernel.run("sales = [42]")
        state = kernel.settled(kernel.run("total = salse[0] / 0", "a"))
        assert state["fixes"][0]["edits"][-1]["source"] == "total = sales[0] / 2"
        [chat] = server.chats
        assert "ZeroDivisionError: division by zero" in chat.json["messages"][1]["content"]


def test_a_run_that_supersedes_a_question_closes_its_connection(kernel: Kernel) -> None:
    with ScriptedServer(Say(["Let me "], ending="silent")) as server:
        choose(kernel, server)
        kernel.hello()
        kernel.send("nothing_like_it()", "a")
        kernel.until_told("text", lambda data: data["text"])
        kernel.run("5", "a")
        assert server.hung_up.wait(20)


def test_of_two_cells_that_fail_at_once_only_the_newest_is_asked_about(kernel: Kernel) -> None:
    with ScriptedServer(answer=lambda asked: Say(ANSWER) if "second_one" in str(asked) else Silent()) as server:
        choose(kernel, server)
        kernel.run("from reflex_ipython.repairs import newest; newest.TOGETHER = 1e9", "")
        kernel.hello()
        first = kernel.run("first_one()", "a").shown[-1]
        kernel.until_panel(first, lambda state: state["working"].startswith("asking") and server.asked.wait(20))
        second = kernel.run("second_one()", "b").shown[-1]
        assert server.hung_up.wait(20)
        state = kernel.until_panel(first, lambda state: not state["working"])
        assert "Another cell failed right after this one" in state["notice"]["text"]
        assert kernel.until_panel(second, lambda state: state["fixes"])
