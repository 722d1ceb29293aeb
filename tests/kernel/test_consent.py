"""The first question that would leave this machine waits for the user, in a real kernel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reflex_ipython.testing import Refuse, Say, ScriptedServer
from tests.kernel.driver import Kernel

ANSWER = "Done.\n```python\nprint(42)\n```"
CELL = "nothing_like_it()"
HOST = "http://models.example"


@pytest.fixture
def server(kernel: Kernel) -> Iterator[ScriptedServer]:
    """A server that is another machine's by its name: what would go there comes here, by a proxy."""
    with ScriptedServer(Say([ANSWER]), Say([ANSWER])) as started:
        kernel.run(
            f"import os\nos.environ.update(HTTP_PROXY='http://127.0.0.1:{started.port}', NO_PROXY='')\n"
            "os.environ.pop('no_proxy', None); os.environ['MY_KEY'] = 'none of yours'\n%config Reflex.attempts = 1",
            "",
        )
        yield started


def choose(kernel: Kernel) -> str:
    return kernel.run(f"%reflex model large --base-url {HOST}/v1 --key-variable MY_KEY", "").text


def test_a_page_shows_what_would_leave_and_one_click_allows_it_and_asks(kernel: Kernel, server: ScriptedServer) -> None:
    comm = kernel.hello()
    assert f"Nothing is sent to {HOST} before you allow it" in choose(kernel)
    panel = kernel.settled(kernel.run(CELL, "a"))
    assert (panel["consent"], panel["model"]) == (HOST, "large")
    assert "Nothing has been sent. large is at models.example" in panel["notice"]["text"]
    assert server.requests == []
    name = {"session": panel["session"], "repair": panel["repair"]}
    kernel.tell(comm, type="ask", **name, hint="", allow="http://other.example")
    kernel.until_panel(panel, lambda state: state["notice"] and "Nothing has been sent" in state["notice"]["text"])
    assert server.requests == []
    kernel.tell(comm, type="ask", **name, hint="", allow=HOST)
    state = kernel.until_panel(panel, lambda state: state["fixes"])
    assert (state["consent"], len(server.chats)) == ("", 1)
    another = kernel.settled(kernel.run("nothing_else_like_it()", "b"))
    assert (another["consent"], len(another["fixes"]), len(server.chats)) == ("", 1, 2)


def test_a_command_allows_it(kernel: Kernel, server: ScriptedServer) -> None:
    kernel.hello()
    choose(kernel)
    assert kernel.run("%reflex model --allow", "").text.startswith(f"Questions may be sent to {HOST} from now on")
    assert "There is no host to be allowed" in str(kernel.run("%reflex model --allow", "").reply)
    assert server.requests == []
    assert kernel.settled(kernel.run(CELL, "a"))["fixes"]


def test_where_nobody_can_be_asked_the_settings_are_the_consent_and_that_is_said_once(
    kernel: Kernel, server: ScriptedServer
) -> None:
    choose(kernel)
    ran = kernel.run(CELL, "a")
    assert kernel.settled(ran)["fixes"]
    assert len(server.chats) == 1
    kernel.settled(kernel.run("nothing_else_like_it()", "b"))
    assert kernel.value("get_ipython().reflex_extension.assembly._told_of_consent")


def test_a_wait_for_a_busy_server_is_said_on_the_panel(kernel: Kernel) -> None:
    with ScriptedServer(Refuse(429, "slow", headers={"Retry-After": "20"})) as server:
        kernel.run(f"%reflex model large --base-url {server.base_url}", "")
        kernel.hello()
        kernel.send(CELL, "a")
        words = f"asking large (127.0.0.1:{server.port} asks to wait 20 s)"
        told = kernel.until_told("state", lambda data: data["state"]["working"] == words)["state"]
        kernel.run("6 * 7", "a")  # the cell runs again: nobody waits any more
        kernel.until_panel(told, lambda state: state["phase"] == "superseded" and not state["working"])
        assert len(server.chats) == 1


def test_what_was_spent_is_said_and_a_budget_ends_it(kernel: Kernel) -> None:
    with ScriptedServer(Say([ANSWER], usage=(70, 30)), Say([ANSWER])) as server:
        kernel.run(f"%reflex model large --base-url {server.base_url}\n%config Reflex.budget_tokens = 100", "")
        kernel.hello()
        assert kernel.settled(kernel.run(CELL, "a"))["fixes"]
        panel = kernel.settled(kernel.run("nothing_else_like_it()", "b"))
        assert "The budget of this session is used up: 100 of 100 tokens." in panel["notice"]["text"]
        assert len(server.chats) == 1
        assert "In this session: 1 question, 100 tokens." in kernel.run("%reflex", "").text
