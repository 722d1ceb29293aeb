"""The panel's form for choosing a model, as a page speaks to a real kernel: found, tested, used over real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from reflex_ipython.testing import Raw, Refuse, Say, ScriptedServer, Silent
from tests.kernel.driver import Kernel

OLLAMA = {"/api/version": Raw('{"version": "0.9"}', "application/json")}
UNKNOWN = "answer = nothing_like_it('a value of mine')"


class Form:
    """What a page's form says and hears; `panel` is that of a cell that failed."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.comm = kernel.hello()
        self.panel = kernel.settled(kernel.run(UNKNOWN, "a"))

    def say(self, type: str, **fields: Any) -> None:
        named = {"session": self.panel["session"], "repair": self.panel["repair"]}
        self.kernel.tell(self.comm, type=type, **{**named, **fields})

    def hear(self, type: str, **fields: Any) -> dict[str, Any]:
        return self.kernel.until_told(type, lambda data: all(data.get(name) == fields[name] for name in fields))

    def fill(self, type: str, request: str, base_url: str, model: str = "tiny", key: str = "OPENAI_API_KEY") -> None:
        self.say(type, request=request, model=model, base_url=base_url, key_variable=key)

    def answer(self, type: str, base_url: str, **fields: str) -> dict[str, Any]:
        self.fill(type, f"{type}-r", base_url, **fields)
        return self.hear("model-answer", request=f"{type}-r")

    def set(self) -> Any:
        config = "get_ipython().reflex_extension.config"
        return self.kernel.value(f"({config}.model, {config}.base_url, {config}.key_variable)")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(Say(["ready"]), Say(["ready"]), models=("tiny", "large"), routes=OLLAMA) as started:
        yield started


@pytest.fixture
def form(kernel: Kernel) -> Form:
    return Form(kernel)


SOON = 20.0
"""Seconds: a test of a model that nobody stops ends by itself after a minute."""
NOTHING_SET = (None, None, "OPENAI_API_KEY")


def look_at(kernel: Kernel, **ports: int) -> None:
    """Where servers are looked for; no test is to find what happens to run on its machine."""
    kernel.run(f"from reflex_ipython.propose.servers import PORTS\nPORTS.clear(); PORTS.update({ports})", "")


def test_a_panel_without_a_fix_offers_the_form_until_a_model_is_chosen(form: Form, server: ScriptedServer) -> None:
    assert form.panel["chooses_model"]
    form.kernel.run("%reflex model tiny")
    form.kernel.until_panel(form.panel, lambda state: not state["chooses_model"])
    form.kernel.run("%reflex model off")
    form.kernel.until_panel(form.panel, lambda state: state["chooses_model"])


def test_nothing_is_looked_for_before_the_form_asks(form: Form, server: ScriptedServer) -> None:
    look_at(form.kernel, Ollama=server.port)
    form.kernel.run("another_one()", "b")
    assert server.requests == []
    form.say("want-models")
    first = form.hear("models")
    assert (first["searching"], first["servers"]) == (True, [])
    assert (first["model"], first["base_url"], first["key_variable"]) == (
        "",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
    )
    found = form.hear("models")
    assert (found["searching"], found["repair"]) == (False, form.panel["repair"])
    assert found["servers"] == [{"name": "Ollama", "base_url": server.base_url, "models": ["tiny", "large"]}]
    assert {request.method for request in server.requests} == {"GET"}


def test_a_form_whose_search_finds_nothing_hears_that(form: Form) -> None:
    look_at(form.kernel)
    form.say("want-models")
    assert form.hear("models", searching=False)["servers"] == []


def test_a_provider_whose_key_is_there_is_offered_and_chosen_by_its_address(form: Form) -> None:
    look_at(form.kernel)
    form.kernel.run("import os; os.environ['GROQ_API_KEY'] = 'gsk-never-told-4711'", "")
    form.say("want-models")
    told = form.hear("models", searching=False)
    (groq,) = told["providers"]
    assert groq == {"label": "Groq", "base_url": "https://api.groq.com/openai/v1", "key_variable": "GROQ_API_KEY"}
    assert "never-told" not in str(told)
    form.answer("use-model", groq["base_url"], key="GROQ_API_KEY")
    assert form.kernel.value("get_ipython().reflex_extension.config.provider") == "groq"
    assert form.set() == ("tiny", None, "OPENAI_API_KEY")


def test_the_search_keeps_no_cell_waiting(form: Form) -> None:
    look_at(form.kernel)
    form.kernel.run(
        "import threading, reflex_ipython.ipython.model_form as model_form\n"
        "found = threading.Event()\n"
        "late = model_form.ModelServer('late', '', ())\n"
        "model_form.find_local_servers = lambda: [] if found.wait(20) else [late]",
        "",
    )
    form.say("want-models")
    form.kernel.send("found.set()", "")  # if the search were waited for, nobody would ever set it
    assert form.hear("models", searching=False)["servers"] == []


def test_a_test_asks_one_short_question_and_chooses_nothing(form: Form, server: ScriptedServer) -> None:
    answer = form.answer("check-model", server.base_url)
    assert (answer["good"], answer["chosen"]) == (True, False)
    assert answer["words"].startswith(f"tiny at {server.base_url} answered in ")
    (chat,) = server.chats
    assert "a value of mine" not in chat.body.decode()
    assert "nothing_like_it" not in chat.body.decode()
    assert form.set() == NOTHING_SET


def test_a_test_that_is_stopped_hangs_up_and_says_nothing_and_the_next_one_ends_it_too(form: Form) -> None:
    with ScriptedServer(Silent()) as first, ScriptedServer(Silent()) as second, ScriptedServer(Say(["ready"])) as third:
        form.fill("check-model", "one", first.base_url)
        assert first.asked.wait(60)
        form.say("end-check", request="another")
        form.say("end-check", request="one")
        assert first.hung_up.wait(SOON)
        form.fill("check-model", "two", second.base_url)
        assert second.asked.wait(60)
        form.fill("check-model", "three", third.base_url)
        assert second.hung_up.wait(SOON)
        assert form.hear("model-answer")["request"] == "three"


def test_the_kernel_stays_free_while_a_model_is_tested(form: Form) -> None:
    with ScriptedServer(Silent()) as server:
        form.fill("check-model", "one", server.base_url)
        assert server.asked.wait(60)
        assert form.kernel.value("6 * 7") == 42
        assert form.kernel.run("%unload_ext reflex_ipython", "").status == "ok"
        assert server.hung_up.wait(SOON)


def test_why_a_model_does_not_answer_is_said(form: Form) -> None:
    with ScriptedServer(Refuse(404, "model 'tiny' not found"), models=("a", "b")) as server:
        words = form.answer("check-model", server.base_url)["words"]
        assert words == f"The server at 127.0.0.1:{server.port} has no model tiny. It has: a, b."
    answer = form.answer("check-model", server.base_url)
    assert answer["words"].startswith(f"Nothing answers at {server.base_url}.")
    assert answer["good"] is False
    words = form.answer("check-model", "https://models.example/v1", key="MY_KEY")["words"]
    assert words.startswith("MY_KEY is not set in the kernel's environment.")
    assert form.set() == NOTHING_SET


def test_what_is_used_is_set_and_every_open_panel_learns_of_it(form: Form, server: ScriptedServer) -> None:
    another = form.kernel.settled(form.kernel.run("another_one()", "b"))
    answer = form.answer("use-model", server.base_url)
    assert (answer["good"], answer["chosen"]) == (True, True)
    assert answer["words"].startswith(f"In this kernel, tiny at {server.base_url} is asked when no rule fits.")
    assert "sent to" not in answer["words"]
    assert form.set() == ("tiny", server.base_url, "OPENAI_API_KEY")
    for panel in (form.panel, another):
        state = form.kernel.until_panel(panel, lambda state: state["model"] == "tiny")
        assert not state["chooses_model"]
    assert server.chats == []
    form.say("ask", hint="")
    form.kernel.until_told("state", lambda data: data["state"]["working"] == "asking tiny")


def test_where_a_question_goes_is_said_and_the_address_that_goes_without_saying_is_not_set(form: Form) -> None:
    words = form.answer("use-model", "https://models.example/v1", key="MY_KEY")["words"]
    assert "What is asked is sent to models.example." in words
    assert form.set() == ("tiny", "https://models.example/v1", "MY_KEY")
    form.answer("use-model", "https://api.openai.com/v1")
    assert form.set() == ("tiny", None, "OPENAI_API_KEY")


@pytest.mark.parametrize(
    "fields",
    [{"model": ""}, {"base_url": "localhost:11434"}, {"key": "sk-abcdefghij0123456789abcdefghij"}, {"key": "my key"}],
    ids=str,
)
@pytest.mark.parametrize("type", ["use-model", "check-model"])
def test_what_can_not_be_used_changes_nothing_and_is_said(form: Form, fields: dict[str, str], type: str) -> None:
    answer = form.answer(type, **{"base_url": "http://127.0.0.1:9/v1", **fields})
    assert (answer["good"], answer["chosen"]) == (False, False)
    assert answer["words"]
    assert "abcdefghij" not in answer["words"]
    assert form.set() == NOTHING_SET


def key_state(form: Form, base_url: str, key_variable: str = "OPENAI_API_KEY") -> tuple[bool, str]:
    form.say("want-key-state", base_url=base_url, key_variable=key_variable)
    told = form.hear("key-state", base_url=base_url, key_variable=key_variable)
    return told["missing"], told["words"]


def test_whether_the_key_is_there_is_said_and_never_the_key(form: Form) -> None:
    openai, here, lan = "https://api.openai.com/v1", "http://127.0.0.1:9/v1", "http://192.168.7.7:11434/v1"
    form.kernel.run("import os; os.environ['MY_KEY'] = 'quite plain words 4711'", "")
    sent = "What is asked is sent to api.openai.com."
    assert key_state(form, openai) == (True, f"OPENAI_API_KEY is not set in the kernel's environment. {sent}")
    assert key_state(form, openai, "MY_KEY") == (False, f"MY_KEY is set in the kernel's environment. {sent}")
    assert key_state(form, here) == (False, "OPENAI_API_KEY is not sent to a server on this machine.")
    assert key_state(form, here, "NONE_OF_MINE")[0] is False
    assert key_state(form, lan, "MY_KEY")[1].endswith("is sent to 192.168.7.7:11434, not encrypted.")
    assert key_state(form, "nonsense")[0] is True
    assert "The key itself" in key_state(form, openai, "sk-abcdefghij0123456789abcdefghij")[1]
    form.kernel.run("%config Reflex.api_key = 'another 4711'", "")
    assert key_state(form, openai)[1].startswith("The key that Reflex.api_key was set to is used.")


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("want-models", {}),
        ("want-key-state", {}),
        ("check-model", {"request": "r", "model": "tiny"}),
        ("use-model", {"request": "r", "model": "tiny"}),
    ],
)
@pytest.mark.parametrize("name", [{"session": "another"}, {"repair": "0badf00d"}], ids=str)
def test_a_panel_that_is_not_this_kernels_gets_nothing_done(
    form: Form, server: ScriptedServer, type: str, fields: dict[str, str], name: dict[str, str]
) -> None:
    look_at(form.kernel, Ollama=server.port)
    more = {} if type == "want-models" else {"base_url": server.base_url, "key_variable": "MINE"}
    form.say(type, **{**fields, **more, **name})
    form.say("end-check", request="nobody")
    form.say("want-key-state", base_url=server.base_url, key_variable="LAST")
    told = form.kernel.until_told(("models", "key-state", "model-answer"), lambda data: True)
    assert told.get("key_variable") == "LAST"
    assert form.set() == NOTHING_SET
    assert server.requests == []
