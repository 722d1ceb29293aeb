"""What a page's popover asks of a kernel: settings, a model without a failed cell, a new trial, what would be sent."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from reflex_ipython.testing import Raw, Say, ScriptedServer
from tests.kernel.driver import Kernel

OLLAMA = {"/api/version": Raw('{"version": "0.9"}', "application/json")}
CONFIG = "get_ipython().reflex_extension.config"
NEEDS_COPIES = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")


def say(kernel: Kernel, comm: str, panel: dict[str, Any], type: str, **fields: Any) -> None:
    kernel.tell(comm, type=type, session=panel["session"], repair=panel["repair"], **fields)


def session_of(kernel: Kernel, comm: str) -> str:
    kernel.tell(comm, type="hello", client=kernel.client.session.session, version="0")
    return str(kernel.until_told("welcome")["session"])


def test_a_page_is_told_of_every_setting_that_it_shows(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.tell(comm, type="set-trial", trial="on click")
    assert kernel.until_told("welcome")["trial"] == "on click"
    kernel.send("%config Reflex.trial = 'off'")
    told = kernel.until_told("welcome")
    assert (told["trial"], told["model"], told["server"], told["enabled"]) == ("off", "", "", True)
    kernel.send("%reflex model tiny --base-url http://127.0.0.1:1/v1")
    told = kernel.until_told("welcome", lambda data: data["server"])
    assert (told["model"], told["server"]) == ("tiny", "127.0.0.1:1")
    kernel.tell(comm, type="no-model")
    assert kernel.until_told("welcome", lambda data: not data["model"])["server"] == ""
    assert kernel.value(f"({CONFIG}.trial, {CONFIG}.model)") == ("off", None)


def test_what_is_no_setting_changes_nothing_and_is_warned_of(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.tell(comm, type="set-trial", trial="always")
    assert kernel.value(f"{CONFIG}.trial") == "automatic"


def test_a_model_is_chosen_before_any_cell_has_failed(kernel: Kernel) -> None:
    comm = kernel.hello()
    named = {"session": session_of(kernel, comm), "repair": ""}
    with ScriptedServer(Say(["ready"]), models=("tiny",), routes=OLLAMA) as server:
        kernel.run(
            f"from reflex_ipython.propose.servers import PORTS\nPORTS.clear(); PORTS['Ollama'] = {server.port}", ""
        )
        kernel.tell(comm, type="want-models", **named)
        found = kernel.until_told("models", lambda data: not data["searching"])
        assert (found["repair"], found["servers"][0]["models"]) == ("", ["tiny"])
        filled = {"model": "tiny", "base_url": server.base_url, "key_variable": "OPENAI_API_KEY"}
        kernel.tell(comm, type="check-model", request="c", **named, **filled)
        assert kernel.until_told("model-answer", lambda data: data["request"] == "c")["good"]
        kernel.tell(comm, type="use-model", request="u", **named, **filled)
        assert kernel.until_told("model-answer", lambda data: data["request"] == "u")["chosen"]
        assert kernel.value(f"{CONFIG}.model") == "tiny"


@NEEDS_COPIES
def test_a_fix_is_tried_again_on_the_state_that_is_there_now(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.run("total, seen = 3, []", "before")
    panel = kernel.settled(kernel.run("seen.append(total)\nprint(toatl)", "a"))
    fix = panel["fixes"][0]
    assert fix["verdict"]["tone"] == "good"
    kernel.run("del total", "b")
    say(kernel, comm, panel, "try-again", request="r", fix=fix["id"])
    state = kernel.until_panel(panel, lambda state: state["working"])
    assert state["fixes"][0]["verdict"]["tone"] == "plain"  # what was known of it does not count any more
    state = kernel.until_panel(panel, lambda state: not state["working"])
    assert state["fixes"][0]["verdict"]["text"].startswith("raises NameError on line 1 instead")
    kernel.run("total = 4", "b")
    say(kernel, comm, panel, "try-again", request="s", fix=fix["id"])
    kernel.until_panel(panel, lambda state: state["working"])
    state = kernel.until_panel(panel, lambda state: not state["working"])
    assert state["fixes"][0]["verdict"]["tone"] == "good"
    assert kernel.value("seen") == [3]  # the copies are copies


@NEEDS_COPIES
def test_a_failure_whose_copy_is_gone_gets_another_one(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.run("total = 3", "before")
    panels = [kernel.settled(kernel.run(f"print(toatl, {cell!r})", cell)) for cell in "abcd"]
    first = panels[0]
    say(kernel, comm, first, "try-again", request="r", fix=first["fixes"][0]["id"])
    kernel.until_panel(first, lambda state: state["working"])
    state = kernel.until_panel(first, lambda state: not state["working"])
    assert state["fixes"][0]["verdict"]["text"].startswith("ran in a copy of your kernel")
    kernel.accept(comm, first)
    assert kernel.run("print(total, 'a')", "a").status == "ok"


def test_what_can_not_be_tried_again_is_declined_in_words(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.run("total = 3", "before")
    panel = kernel.settled(kernel.run("print(toatl)", "a"))
    say(kernel, comm, panel, "try-again", request="r", fix="another")
    assert kernel.until_told("declined")["reason"] == "That fix is no longer open."
    kernel.run("%config Reflex.trial = 'off'")
    say(kernel, comm, panel, "try-again", request="s", fix=panel["fixes"][0]["id"])
    declined = kernel.until_told("declined")
    assert (declined["request"], "Fixes are not tried" in declined["reason"]) == ("s", True)


def test_what_would_be_sent_is_shown_and_nothing_is_sent(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = kernel.settled(kernel.run("password = 'hunter2-hunter2'\nnothing_like_it()", "a"))
    say(kernel, comm, panel, "want-context")
    told = kernel.until_told("context")
    assert told["repair"] == panel["repair"]
    assert told["text"].startswith("No model is chosen, so nothing is sent.")
    assert "nothing_like_it" in told["text"]
    assert "hunter2" not in told["text"]
    with ScriptedServer() as server:
        kernel.run(f"%reflex model tiny --base-url {server.base_url}")
        say(kernel, comm, panel, "want-context")
        told = kernel.until_told("context")
        assert told["text"].startswith(f"This would be sent to {server.base_url}/chat/completions")
        assert server.chats == []
