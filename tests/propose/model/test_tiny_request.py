"""Whether a model answers: one short question, which has nothing of the user's in it and ends soon."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.tiny_request import QUESTION, time_to_answer
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Raw, Refuse, Reply, Say, ScriptedServer, Silent

MISSING = Refuse(404, "The model `scripted` does not exist", "model_not_found")


def at(server: ScriptedServer, **settings: Any) -> Settings:
    return Settings(**{"model": "scripted", "base_url": server.base_url, "timeout": 20.0, **settings})


def refused(settings: Settings, patience: float = 20.0) -> ModelError:
    with pytest.raises(ModelError) as caught:
        time_to_answer(settings, threading.Event(), patience=patience)
    return caught.value


def test_one_short_question_is_asked_and_nothing_else_is_sent() -> None:
    with ScriptedServer(Say(["ready"])) as server:
        seconds = time_to_answer(at(server), threading.Event(), clock=itertools.count(10.0, 0.5).__next__)
    (chat,) = server.requests
    assert chat.json["messages"] == [{"role": "user", "content": QUESTION}]
    assert chat.json["model"] == "scripted"
    assert seconds is not None
    assert 0.5 <= seconds <= 2.0


def test_it_hangs_up_as_soon_as_the_model_begins_to_answer() -> None:
    with ScriptedServer(Say(["re"], ending="silent")) as server:
        assert time_to_answer(at(server), threading.Event()) is not None
        assert server.hung_up.wait(20)


@pytest.mark.parametrize("body", ['data: {"choices": [{"delta": {"reasoning_content": "hm"}}]}\n\ndata: [DONE]\n\n'])
def test_a_model_that_thinks_and_says_nothing_has_answered(body: str) -> None:
    with ScriptedServer(Raw(body, "text/event-stream")) as server:
        assert time_to_answer(at(server), threading.Event()) is not None


@pytest.mark.parametrize("reply", [Silent(), MISSING])
def test_who_ends_it_waits_no_longer(reply: Reply) -> None:
    ended = threading.Event()

    def answer(request: Any) -> Reply:
        ended.set()
        return reply

    with ScriptedServer(answer=answer) as server:
        assert time_to_answer(at(server), ended) is None


def test_it_takes_no_longer_than_it_may() -> None:
    with ScriptedServer(Silent()) as server:
        assert refused(at(server), patience=2.0).code == "timeout"


def test_a_model_that_is_not_there_is_named_with_those_that_are() -> None:
    names = [f"model-{number}" for number in range(9)]
    with ScriptedServer(MISSING, MISSING, models=("one", "two")) as server:
        trouble = refused(at(server))
        assert str(trouble) == f"The server at 127.0.0.1:{server.port} has no model scripted. It has: one, two."
        assert trouble.code == "no-such-model"
    with ScriptedServer(MISSING, models=()) as server:
        assert str(refused(at(server))).endswith("has no model scripted. It has none.")
    with ScriptedServer(MISSING, models=names) as server:
        assert str(refused(at(server))).endswith(f"It has: {', '.join(names[:8])}, …")


def test_a_key_that_is_not_there_is_named_by_its_variable_and_nothing_is_sent() -> None:
    settings = Settings(model="m", base_url="https://models.example/v1", key_variable="MY_KEY")
    trouble = refused(settings)
    assert str(trouble).startswith("MY_KEY is not set in the kernel's environment.")
    assert trouble.code == "no-key"


def test_where_nobody_listens_nothing_answers() -> None:
    with ScriptedServer() as server:
        pass
    assert str(refused(at(server))).startswith(f"Nothing answers at {server.base_url}.")


def test_the_key_of_the_named_variable_is_sent_and_in_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "own-very-secret-0123456789"
    monkeypatch.setenv("MY_KEY", key)
    with ScriptedServer(Refuse(401, f"Incorrect API key provided: {key}")) as server:
        trouble = refused(at(server, key_variable="MY_KEY"))
    assert server.chats[0].headers["authorization"] == f"Bearer {key}"
    assert key not in str(trouble)
    assert "Set MY_KEY or Reflex.api_key." in str(trouble)
    assert trouble.__context__ is not None
    assert trouble.__context__.__context__ is None, "the SDK's error holds the request, and that the key"
