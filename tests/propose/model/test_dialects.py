"""Each provider that has a name is asked as it wants to be, and understood as it speaks, over a real socket."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.chat import Reply, stream_chat, would_send
from reflex_ipython.propose.presets import LOCAL, PRESETS
from reflex_ipython.settings import Settings
from reflex_ipython.testing import DIALECTS, Raw, Refuse, Say, ScriptedServer

KEY = "sk-very-secret-0123456789"
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Why?"},
    {"role": "assistant", "content": "Because."},
    {"role": "user", "content": "Really?"},
]
HERE = ("ollama", "lm-studio", "vllm", "llama.cpp")
NAMES = [name for name in PRESETS if name != LOCAL]

Ask = Callable[..., "Reply | None"]


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    if request.param == "anthropic" and importlib.util.find_spec("anthropic") is None:
        pytest.skip("anthropic is not installed")
    return str(request.param)


def settings_for(server: ScriptedServer, name: str, **changes: Any) -> Settings:
    key = None if name in HERE else KEY
    fields = {"provider": name, "model": "large", "base_url": server.base_url, "api_key": key, "timeout": 20.0}
    return Settings(**{**fields, **changes})


def ask(server: ScriptedServer, name: str, pieces: list[str] | None = None, **changes: Any) -> Reply | None:
    on_text = (lambda text: None) if pieces is None else pieces.append
    return stream_chat(MESSAGES, settings_for(server, name, **changes), cancelled=threading.Event(), on_text=on_text)


def trouble(server: ScriptedServer, name: str) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(server, name)
    assert KEY not in str(caught.value)
    return caught.value


def test_there_is_a_dialect_for_each_preset() -> None:
    assert sorted(DIALECTS) == sorted(NAMES)


def test_it_is_asked_as_it_wants_to_be_and_answers_with_the_tokens_counted(name: str) -> None:
    pieces: list[str] = []
    with ScriptedServer(Say(["Mis", "spelt", "."], usage=(321, 12)), dialect=name) as server:
        reply = ask(server, name, pieces, max_tokens=50, temperature=0.5)
    assert ("".join(pieces), len(pieces)) == ("Misspelt.", 3)
    assert (reply.text, reply.model, reply.finish_reason) == ("Misspelt.", "large", "stop")
    assert (reply.input_tokens, reply.output_tokens) == (321, 12)
    (request,) = server.chats
    assert len(server.requests) == 1, "nothing of the request had to be taken back"
    assert {"Be brief.", "Why?", "Because.", "Really?"} <= set(_texts(request.json))
    assert request.json["temperature"] == 0.5
    assert 50 in (request.json.get("max_tokens"), request.json.get("max_completion_tokens"))


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [value] if isinstance(value, str) else []


def test_what_it_thinks_is_no_part_of_the_answer(name: str) -> None:
    with ScriptedServer(Say(["ok"], thinking=["Let me ", "see."]), dialect=name) as server:
        reply = ask(server, name)
    assert (reply.text, reply.thinking) == ("ok", "Let me see.")


def test_a_tool_that_nobody_offered_is_no_answer_and_no_harm(name: str) -> None:
    with ScriptedServer(Say([], tool="python"), Say(["Look: "], tool="python"), dialect=name) as server:
        silent, speaking = ask(server, name), ask(server, name)
    assert (silent.text, silent.finish_reason in ("tool_calls", "tool_use")) == ("", True)
    assert speaking.text == "Look: "


def test_a_stream_that_does_not_say_that_it_is_done_is_whole_all_the_same(name: str) -> None:
    with ScriptedServer(Say(["all ", "of it"], ending="no done"), dialect=name) as server:
        reply = ask(server, name)
    assert (reply.text, reply.finish_reason, reply.output_tokens) == ("all of it", "stop", 20)


def test_an_answer_that_was_cut_off_says_so(name: str) -> None:
    replies = Say(["half"], finish_reason="length"), Say(["half"], ending="closed"), Say(["half"], ending="cut")
    with ScriptedServer(*replies, dialect=name) as server:
        assert ask(server, name).finish_reason == "length"
        assert ask(server, name).finish_reason == ""
        assert "broke off" in str(trouble(server, name))


def test_cancelling_closes_the_connection(name: str) -> None:
    cancelled = threading.Event()
    with ScriptedServer(Say(["a"], ending="silent"), dialect=name) as server:
        settings = settings_for(server, name)
        assert stream_chat(MESSAGES, settings, cancelled=cancelled, on_text=lambda text: cancelled.set()) is None
        assert server.hung_up.wait(20)


@pytest.mark.parametrize("headers", [{"Retry-After": "7"}, {"retry-after": formatdate(usegmt=True)}], ids=["s", "date"])
def test_too_many_requests_are_told_with_the_time_to_wait(name: str, headers: dict[str, str]) -> None:
    with ScriptedServer(Refuse(429, "Slow down, please", headers=headers), dialect=name) as server:
        error = trouble(server, name)
    assert (error.code, error.retry_after) == ("rate-limit", 7 if "Retry-After" in headers else 0)
    assert "Slow down, please." in str(error)


def test_an_error_is_told_in_the_servers_own_words(name: str) -> None:
    with ScriptedServer(Refuse(500, "Out of paper"), Refuse(404, "No model 'large' was found"), dialect=name) as server:
        assert "has a problem of its own (500): Out of paper. Ask" in str(trouble(server, name))
        assert trouble(server, name).code == "no-such-model"


def test_an_overloaded_server_is_asked_again_when_it_says(name: str) -> None:
    status = 529 if name == "anthropic" else 503
    with ScriptedServer(Refuse(status, "Overloaded", headers={"Retry-After": "3"}), dialect=name) as server:
        error = trouble(server, name)
    assert (error.retry_after, "can't answer just now: Overloaded. Ask again in 3 s." in str(error)) == (3, True)


def test_a_key_that_is_missing_is_told_with_the_providers_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for preset in PRESETS.values():
        monkeypatch.delenv(preset.key_variable or "NONE", raising=False)
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)  # which is for OpenAI alone
    for name in set(NAMES) - {*HERE, "openai"}:
        with pytest.raises(ModelError, match=f"set {PRESETS[name].key_variable} or") as caught:
            stream_chat(MESSAGES, Settings(provider=name, model="large"), cancelled=threading.Event())
        assert caught.value.code == "no-key"


def test_the_wrong_key_is_told_with_the_variable_to_set(name: str) -> None:
    with ScriptedServer(Refuse(401, "Invalid key"), dialect=name) as server:
        error = trouble(server, name)
    assert (error.code, "Invalid key." in str(error)) == ("bad-key", True)
    assert f"Set {PRESETS[name].key_variable or 'OPENAI_API_KEY'} or" in str(error)


def test_what_would_be_sent_is_what_is_sent(name: str) -> None:
    with ScriptedServer(Say("ok"), dialect=name) as server:
        outgoing = would_send(MESSAGES, settings_for(server, name))
        assert server.requests == []
        ask(server, name)
    assert outgoing.body == server.chats[0].body
    assert server.chats[0].path in outgoing.url


def test_the_kinds_of_a_models_parts_may_be_odd_and_nothing_breaks(name: str) -> None:
    body = 'data: {"choices": [{"delta": {"content": [5, {"type": "text"}, {"thinking": [5, {}]}]}}], "usage": 5}\n\n'
    events = 'event: message_start\ndata: {"type": "message_start", "message": {"usage": {"input_tokens": "many"}}}\n\n'
    odd = Raw(body if name != "anthropic" else events, "text/event-stream")
    with ScriptedServer(odd, dialect=name) as server:
        reply = ask(server, name)
    assert (reply.text, reply.input_tokens) == ("", None)


# ------------------------------------------------------------------------------------------ what one of them does alone


def test_azure_is_asked_for_a_deployment_by_the_version_of_its_api(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(Say("a"), Say("b"), dialect="azure") as server:
        ask(server, "azure")
        monkeypatch.setenv("AZURE_OPENAI_AD_TOKEN", "of-another-account")
        ask(server, "azure", base_url=f"{server.base_url}?api-version=2030-01-01")
    first, second = server.chats
    assert first.path == "/openai/deployments/large/chat/completions"
    assert (first.headers["api-key"], first.query) == (KEY, {"api-version": "2024-10-21"})
    assert second.query == {"api-version": "2030-01-01"}
    assert "of-another-account" not in str(second.headers)


def test_azures_newer_address_is_openais_own() -> None:
    with ScriptedServer(Say("a"), dialect="openai") as server:
        ask(server, "azure", base_url=f"{server.base_url.removesuffix('/v1')}/openai/v1")
    assert server.chats[0].path == "/openai/v1/chat/completions"


def test_azures_address_is_the_users_own() -> None:
    with pytest.raises(ModelError, match=r"set AZURE_OPENAI_ENDPOINT, or Reflex\.base_url"):
        stream_chat(MESSAGES, Settings(provider="azure", model="large", api_key=KEY), cancelled=threading.Event())


def test_the_beginning_of_a_question_is_kept_by_anthropic_for_the_next() -> None:
    pytest.importorskip("anthropic")
    with ScriptedServer(Say("ok"), dialect="anthropic") as server:
        ask(server, "anthropic", temperature=1.5)
    sent = server.chats[0].json
    assert [block["cache_control"]["type"] for block in sent["system"]] == ["ephemeral"]
    assert ["cache_control" in turn["content"][0] for turn in sent["messages"]] == [False, False, True]
    assert (sent["max_tokens"], sent["temperature"]) == (8192, 1.0)


def test_an_error_in_the_middle_of_anthropics_stream_is_told() -> None:
    pytest.importorskip("anthropic")
    error = 'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}\n\n'
    with ScriptedServer(Raw(error, "text/event-stream"), dialect="anthropic") as server:
        assert "can't answer just now: Overloaded." in str(trouble(server, "anthropic"))


def test_an_error_in_the_middle_of_openrouters_stream_is_told() -> None:
    chunk = (
        'data: {"choices": [{"delta": {"content": ""}, "finish_reason": "error"}], "error": {"code": 502, "message": '
    )
    with ScriptedServer(Raw(chunk + '"Provider gone"}}\n\n', "text/event-stream"), dialect="openrouter") as server:
        assert "Provider gone." in str(trouble(server, "openrouter"))


def test_what_openrouter_charges_is_known() -> None:
    with ScriptedServer(Say("ok", cost=0.0123), dialect="openrouter") as server:
        assert ask(server, "openrouter").cost == 0.0123


def test_geminis_time_to_wait_stands_in_the_error_itself() -> None:
    with ScriptedServer(Refuse(429, "You exceeded your current quota", "34s"), dialect="gemini") as server:
        error = trouble(server, "gemini")
    assert (error.code, error.retry_after) == ("rate-limit", 34)


def test_a_model_that_has_its_own_temperature_is_asked_without_one(name: str) -> None:
    refusal = Refuse(400, "Unsupported value: 'temperature' does not support 0.2 with this model.", "unsupported_value")
    with ScriptedServer(refusal, Say("ok"), dialect=name) as server:
        assert ask(server, name, temperature=0.2).text == "ok"
    assert "temperature" not in server.chats[1].json


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("vllm", "System role not supported"),
        ("gemini", "Developer instruction is not enabled for models/gemma-3-27b-it"),
        ("openai", "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
    ],
)
def test_a_model_without_a_systems_turn_hears_its_words_in_the_users(name: str, words: str) -> None:
    with ScriptedServer(Refuse(400, words), Say("ok"), dialect=name) as server:
        assert ask(server, name).text == "ok"
    first, *rest = server.chats[1].json["messages"]
    assert first == {"role": "user", "content": "Be brief.\n\nWhy?"}
    assert rest == MESSAGES[2:]


def test_a_model_that_refuses_even_that_is_told() -> None:
    refusal = Refuse(400, "System role not supported")
    with ScriptedServer(refusal, refusal, dialect="vllm") as server:
        assert "System role not supported" in str(trouble(server, "vllm"))
    assert len(server.chats) == 2


def test_a_provider_that_nobody_knows_is_told() -> None:
    with pytest.raises(ModelError, match=r"'grok' is none of openai, anthropic, .*Reflex\.base_url alone"):
        stream_chat(MESSAGES, Settings(provider="grok", model="m"), cancelled=threading.Event())


def test_without_anthropics_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "anthropic", None)
    with ScriptedServer(dialect="anthropic") as server:
        assert "`%pip install 'reflex-ipython[anthropic]'`" in str(trouble(server, "anthropic"))
    assert server.requests == []
