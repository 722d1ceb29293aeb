"""What goes with a question: consent before it, patience with a busy server, and a budget; over real sockets."""

from __future__ import annotations

import dataclasses
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose import asking as asking_module
from reflex_ipython.propose.address import address
from reflex_ipython.propose.asking import Asking
from reflex_ipython.propose.consent import Consent, consent_file
from reflex_ipython.propose.spending import Spending
from reflex_ipython.propose.transport import AnswerPiece, HangUp, Message
from reflex_ipython.protocols import Outgoing, Request
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Refuse, Say, ScriptedServer, Silent

MESSAGES = [{"role": "user", "content": "why? " * 100}]
ELSEWHERE = "http://models.example/v1"
SOON = {"Retry-After-Ms": "20"}


def asking(**changes: Any) -> Asking:
    return Asking(Consent(**changes), Spending())


def at(server: ScriptedServer, **changes: Any) -> Settings:
    return Settings(**{"model": "tiny", "base_url": server.base_url, "timeout": 20.0, "total_timeout": 30.0, **changes})


def refused(asks: Asking, settings: Settings) -> ModelError:
    with pytest.raises(ModelError) as caught:
        asks.ask(MESSAGES, settings, Request())
    return caught.value


# ------------------------------------------------------------------------------------------ consent


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """A server that is another machine's by its name: what would go there comes here, by a proxy."""
    with ScriptedServer(Say("one"), Say("two"), Say("three")) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        yield server


def there(base_url: str = ELSEWHERE, **changes: Any) -> Settings:
    return Settings(model="large", base_url=base_url, api_key="any", **changes)


def test_nothing_leaves_this_machine_before_the_user_has_allowed_it(elsewhere: ScriptedServer) -> None:
    asks = asking()
    error = refused(asks, there())
    assert (error.code, elsewhere.requests) == ("no-consent", [])
    for words in ("large is at models.example", "the failing cell, its traceback", "not encrypted", "model --allow"):
        assert words in str(error)
    assert "in the Python files below this folder" in str(error)
    assert "Python files" not in str(refused(asks, there(similar_code=False)))
    assert asks.consent.missing(there(), address(there())) == "http://models.example"
    assert asks.consent.allow("http://models.example")
    assert asks.ask(MESSAGES, there(), Request()).text == "one"
    assert elsewhere.chats[0].headers["host"] == "models.example"


def test_what_was_allowed_is_known_in_other_sessions_and_for_that_host_alone(elsewhere: ScriptedServer) -> None:
    asking().consent.allow("http://models.example")
    assert asking().ask(MESSAGES, there(), Request()).text == "one"
    for other in ("http://other.example/v1", "http://models.example:81/v1", "https://models.example/v1"):
        assert refused(asking(), there(other)).code == "no-consent"
    assert json.loads(consent_file().read_text()) == {"hosts": ["http://models.example"]}
    assert consent_file().stat().st_mode & 0o077 == 0


def test_a_server_on_this_machine_needs_no_consent(elsewhere: ScriptedServer) -> None:
    assert asking().ask(MESSAGES, at(elsewhere), Request()).text == "one"
    assert not consent_file().exists()


@pytest.mark.parametrize("hosts", ["models.example", "a.example, models.example", "*"])
def test_a_setting_can_allow_a_host(elsewhere: ScriptedServer, hosts: str) -> None:
    assert asking().ask(MESSAGES, there(allowed_hosts=hosts), Request()).text == "one"
    other = there("http://other.example/v1", allowed_hosts=hosts.replace("*", ""))
    assert refused(asking(), other).code == "no-consent"


def test_where_nobody_can_be_asked_the_settings_are_the_consent(elsewhere: ScriptedServer) -> None:
    called: list[bool] = []
    assert asking(attended=lambda: bool(called.append(True))).ask(MESSAGES, there(), Request()).text == "one"
    assert called == [True], "the user is told of it there"
    assert not consent_file().exists()


@pytest.mark.parametrize("content", ["", "no JSON", "[]", '{"hosts": 5}', '{"hosts": [5]}', "[" * 100_000])
def test_a_file_that_is_damaged_allows_nothing(content: str) -> None:
    consent_file().parent.mkdir(parents=True)
    consent_file().write_text(content)
    assert refused(asking(), there()).code == "no-consent"
    assert asking().consent.allow("http://models.example")
    assert asking().consent.missing(there(), address(there())) == ""


def test_a_consent_that_can_not_be_written_down_holds_for_the_session(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    consent = Consent(file=lambda: tmp_path / "file" / "hosts.json")
    assert consent.allow("http://models.example") is False
    assert consent.missing(there(), address(there())) == ""


def test_consents_of_two_kernels_at_once_are_both_kept(tmp_path: Path) -> None:
    hosts = [f"{number}.example" for number in range(5)]
    for host in hosts:
        Consent().allow(host)
    assert json.loads(consent_file().read_text())["hosts"] == hosts
    assert os.listdir(consent_file().parent) == [consent_file().name]


# ------------------------------------------------------------------------------------------ patience


def test_a_server_that_says_when_to_come_back_is_asked_again_then_and_it_is_said() -> None:
    said: list[str] = []
    with ScriptedServer(Refuse(429, "slow", headers=SOON), Refuse(503, "busy", headers=SOON), Say("ok")) as server:
        reply = asking().ask(MESSAGES, at(server), Request(on_wait=said.append))
        assert len(server.chats) == 3
    assert reply.text == "ok"
    assert said == [f"127.0.0.1:{server.port} asks to wait 0 s", "", f"127.0.0.1:{server.port} asks to wait 0 s", ""]


def test_who_would_wait_for_too_long_is_told_at_once() -> None:
    with ScriptedServer(Refuse(429, "slow", headers={"Retry-After": "31"})) as server:
        error = refused(asking(), at(server))
        assert len(server.chats) == 1
    assert (error.code, error.retry_after) == ("rate-limit", 31)


def test_a_server_that_does_not_say_when_is_not_asked_again() -> None:
    with ScriptedServer(Refuse(429, "slow"), Say("ok")) as server:
        assert refused(asking(), at(server)).code == "rate-limit"


def test_a_server_that_says_at_once_for_ever_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = 0.0

    class Passing(threading.Event):
        """Who waits for it waits in no time; its own clock tells for how long."""

        def wait(self, timeout: float | None = None) -> bool:
            nonlocal passed
            passed += timeout or 0.0
            return self.is_set()

    monkeypatch.setattr(asking_module, "time", SimpleNamespace(monotonic=lambda: passed))
    with ScriptedServer(answer=lambda asked: Refuse(429, "slow", headers={"Retry-After": "0"})) as server:
        with pytest.raises(ModelError) as caught:
            asking().ask(MESSAGES, at(server, total_timeout=60.0), Request(cancelled=Passing()))
        assert caught.value.code == "rate-limit"
        assert len(server.chats) < 14
    assert 20 < passed < 60


def test_a_wait_can_be_cancelled() -> None:
    cancelled = threading.Event()
    with ScriptedServer(Refuse(429, "slow", headers={"Retry-After": "25"})) as server:
        request = Request(cancelled=cancelled, on_wait=lambda words: cancelled.set())
        assert asking().ask(MESSAGES, at(server), request) is None
        assert len(server.chats) == 1


# ------------------------------------------------------------------------------------------ a budget


def test_a_budget_of_tokens_ends_the_questions_of_a_session() -> None:
    asks = asking()
    with ScriptedServer(Say("a", usage=(60, 30)), Say("b", usage=(60, 30)), Say("c")) as server:
        settings = at(server, budget_tokens=100)
        asks.ask(MESSAGES, settings, Request())
        asks.ask(MESSAGES, settings, Request())
        error = refused(asks, settings)
        assert len(server.chats) == 2
        assert error.code == "budget"
        assert "used up: 180 of 100 tokens." in str(error)
        assert "raise Reflex.budget_tokens" in str(error)
        assert str(asks.spending) == "2 questions, 180 tokens"
        assert asks.ask(MESSAGES, dataclasses.replace(settings, budget_tokens=200), Request()).text == "c"


def test_tokens_that_a_server_does_not_count_are_counted_by_the_text() -> None:
    asks = asking()
    with ScriptedServer(Say("x" * 400, usage=None)) as server:
        asks.ask(MESSAGES, at(server), Request())
        assert "used up: about 225 of 100 tokens" in str(refused(asks, at(server, budget_tokens=100)))


def test_an_answer_that_was_broken_off_is_counted_and_a_refusal_is_not() -> None:
    asks, cancelled = asking(), threading.Event()
    with ScriptedServer(Refuse(400, "no"), Say(["x" * 40], ending="cut"), Silent()) as server:
        refused(asks, at(server))
        assert str(asks.spending) == ""
        refused(asks, at(server))
        assert str(asks.spending) == "1 question, about 135 tokens"
        request = Request(cancelled=cancelled)
        stop = threading.Thread(target=lambda: server.asked.wait(20) and cancelled.set())
        server.asked.clear()
        stop.start()
        assert asks.ask(MESSAGES, at(server), request) is None
        stop.join()
    assert str(asks.spending) == "2 questions, about 260 tokens"


def test_a_budget_of_dollars_goes_by_the_prices() -> None:
    asks = asking()
    with ScriptedServer(Say("a", usage=(1_000_000, 100_000))) as server:
        settings = at(server, input_price=1.0, output_price=10.0, budget_dollars=1.5)
        asks.ask(MESSAGES, settings, Request())
        assert "used up: $2.0000 of $1.5." in str(refused(asks, settings))
    assert str(asks.spending) == "1 question, 1,100,000 tokens, $2.0000"


def test_a_budget_of_dollars_goes_by_what_the_server_says_where_it_does() -> None:
    asks = asking()
    with ScriptedServer(Say("a", cost=0.25), dialect="openrouter") as server:
        settings = at(server, provider="openrouter", api_key="mine", budget_dollars=0.2)
        asks.ask(MESSAGES, settings, Request())
        assert "$0.2500 of $0.2." in str(refused(asks, settings))


def test_where_prices_are_not_known_a_budget_of_dollars_asks_for_them(elsewhere: ScriptedServer) -> None:
    error = refused(asking(), there(budget_dollars=1.0, allowed_hosts="*"))
    assert "what models.example charges is not known" in str(error)
    assert elsewhere.requests == []


# ------------------------------------------------------------------------------------------ a transport of one's own


class Parrot:
    """Says what it was asked, word by word."""

    def stream(self, messages: list[Message], settings: Settings, line: HangUp) -> Iterator[AnswerPiece]:
        for word in messages[-1]["content"].split()[:2]:
            yield AnswerPiece(f"{word} ", input_tokens=7)
        yield AnswerPiece(output_tokens=2, finish_reason="stop")

    def would_send(self, messages: list[Message], settings: Settings) -> Outgoing:
        return Outgoing("parrot:", messages[-1]["content"].encode())


def test_a_transport_of_ones_own_is_used_with_all_that_goes_with_it() -> None:
    asks = Asking(Consent(), Spending(), transport=Parrot())
    reply = asks.ask(MESSAGES, Settings(model="p", base_url="http://127.0.0.1:9/v1"), Request())
    assert (reply.text, reply.input_tokens, reply.output_tokens, reply.finish_reason) == ("why? why? ", 7, 2, "stop")
    assert str(asks.spending) == "1 question, 9 tokens"
    assert refused(asks, there()).code == "no-consent"
