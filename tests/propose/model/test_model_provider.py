from __future__ import annotations

import dataclasses
import pickle
import subprocess
import sys
import threading

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.models import Edit, Finding, Fix, Verdict
from reflex_ipython.propose import conversation as conversation_module
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.prompt import LOCAL_BUDGET, size
from reflex_ipython.propose.servers import LocalServer
from reflex_ipython.protocols import Attempt, Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Refuse, Say, ScriptedServer
from tests.failures import situated

FIXED = '# sales by region\nby_region = df.groupby("region").sales.sum()\nby_region.plot(kind="bar")'


def provider_for(server: ScriptedServer, **settings: object) -> ModelProvider:
    chosen = Settings(**{"model": "scripted", "base_url": server.base_url, "timeout": 20.0, **settings})
    return ModelProvider(Context(lambda: chosen, MemoryStore()))


def words_of(server: ScriptedServer, number: int = -1) -> str:
    return server.chats[number].json["messages"][-1]["content"]


# ------------------------------------------------------------------------------------------ a fix


def test_the_model_gives_one_fix_with_its_reason_and_usage(failure, fenced):
    with ScriptedServer(Say([fenced(FIXED)], usage=(1_000, 200))) as server:
        (fix,) = provider_for(server, input_price=2.0, output_price=10.0).propose(failure, Request())
    assert fix.edits == (Edit(failure.situation.cell, failure.situation.source, FIXED),)
    assert fix.explanation == "the column is misspelt."
    assert (fix.provider, fix.detail, fix.origin) == ("scripted", "", "scripted")
    assert (fix.usage.input_tokens, fix.usage.output_tokens) == (1_000, 200)
    assert fix.usage.cost_usd == pytest.approx(0.004)
    assert fix.usage.seconds > 0


@pytest.mark.parametrize(
    ("usage", "prices"),
    [(None, {"input_price": 1.0, "output_price": 1.0}), ((1, 1), {"input_price": 1.0}), ((1, 1), {})],
    ids=["no tokens", "half a price", "no price"],
)
def test_no_cost_is_made_up(failure, fenced, usage, prices):
    with ScriptedServer(Say([fenced(FIXED)], usage=usage)) as server:
        (fix,) = provider_for(server, **prices).propose(failure, Request())
    assert fix.usage.cost_usd is None


def test_a_price_of_nothing_is_a_cost_of_nothing(failure, fenced):
    with ScriptedServer(Say([fenced(FIXED)])) as server:
        (fix,) = provider_for(server, input_price=0.0, output_price=0.0).propose(failure, Request())
    assert fix.usage.cost_usd == 0.0


def test_the_hint_and_the_attempts_reach_the_model(failure, fenced):
    with ScriptedServer(Say([fenced(FIXED)]), Say([fenced(FIXED + "\nplt.show()")])) as server:
        provider = provider_for(server)
        (first,) = provider.propose(failure, Request())
        attempts = [Attempt(first, Verdict("other_error", "raises NameError: plt"))]
        list(provider.propose(failure, Request(hint="show the figure", attempts=attempts)))
    assert "raises NameError" not in words_of(server, 0)
    assert "It failed too: raises NameError: plt" in words_of(server, 1)
    assert "show the figure" in words_of(server, 1)


def test_the_answer_is_shown_while_it_comes(failure, fenced):
    pieces = []
    with ScriptedServer(Say(["Reason: x.\n", "```python\n", FIXED, "\n```"])) as server:
        list(provider_for(server).propose(failure, Request(on_text=pieces.append)))
    assert "".join(pieces) == f"Reason: x.\n```python\n{FIXED}\n```"
    assert len(pieces) == 4


def test_the_settings_are_read_anew_at_each_call(failure, fenced):
    with ScriptedServer(Say([fenced(FIXED)])) as server:
        settings = Settings()
        provider = ModelProvider(Context(lambda: settings, MemoryStore()))
        assert provider.label == ""
        settings = Settings(model="chosen", base_url=server.base_url)
        assert provider.label == "chosen"
        (fix,) = provider.propose(failure, Request())
    assert fix.provider == "chosen"


@pytest.mark.parametrize(
    ("base_url", "prices", "where", "cost"),
    [
        ("http://127.0.0.1:11434/v1", (None, None), "local", ""),
        ("http://localhost:1/v1", (1.0, 2.5), "local", "1 + 2.5 US dollars per million tokens"),
        ("https://models.example/v1", (None, None), "remote", "what its server charges"),
        ("https://models.example/v1", (0.15, 0.6), "remote", "0.15 + 0.6 US dollars per million tokens"),
        ("https://models.example/v1", (0.0, 0.0), "remote", ""),
        ("https://models.example/v1", (1.0, None), "remote", "what its server charges"),
        ("no address", (None, None), "remote", "what its server charges"),
        ("http://[half", (None, None), "remote", "what its server charges"),
    ],
)
def test_it_says_where_it_works_and_what_it_costs(base_url, prices, where, cost):
    settings = Settings(model="m", base_url=base_url, input_price=prices[0], output_price=prices[1])
    provider = ModelProvider(Context(lambda: settings, MemoryStore()))
    assert (provider.where, provider.cost) == (where, cost)


def test_how_long_an_answer_took_is_by_the_clock_that_it_was_given(failure, fenced):
    with ScriptedServer(Say([fenced(FIXED)])) as server:
        settings = Settings(model="m", base_url=server.base_url)
        provider = ModelProvider(Context(lambda: settings, MemoryStore(), clock=iter([5.0, 7.5]).__next__))
        (fix,) = provider.propose(failure, Request())
    assert fix.usage.seconds == 2.5


def test_two_failures_are_asked_about_at_once(failure, fenced):
    together = threading.Barrier(2, timeout=20)

    def answer(request):
        together.wait()
        marker = "one" if "marker_one" in request["messages"][-1]["content"] else "two"
        return Say([fenced(f"print({marker!r})")])

    fixes: dict[str, str] = {}
    with ScriptedServer(answer=answer) as server:
        provider = provider_for(server)

        def propose(marker: str) -> None:
            other = situated(failure, source=f"print(marker_{marker})")
            (fix,) = provider.propose(other, Request())
            fixes[marker] = fix.edits[-1].source

        threads = [threading.Thread(target=propose, args=(marker,)) for marker in ("one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert fixes == {"one": "print('one')", "two": "print('two')"}


# ------------------------------------------------------------------------------------------ no fix


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Say(["I don't know."]), "no code for this cell"),
        (Say([]), "sent an empty answer"),
        (Say([f"```python\n{FIXED}"], ending="closed"), "was cut off"),
        (Say([f"```python\n{FIXED}"], finish_reason="length"), r"was cut off\. Reflex\.max_tokens"),
        (Say([f"```python\n{FIXED}"], finish_reason="content_filter"), "was cut off"),
    ],
    ids=["prose", "nothing", "half a stream", "token limit", "filter"],
)
def test_a_reply_without_a_fix_is_an_error_in_words(failure, reply, words):
    with ScriptedServer(reply) as server, pytest.raises(ModelError, match=words) as caught:
        list(provider_for(server).propose(failure, Request()))
    assert caught.value.code == "bad-reply"


def test_the_same_cell_is_no_fix(failure, fenced):
    reply = Say([fenced(failure.situation.source)])
    with ScriptedServer(reply) as server, pytest.raises(ModelError, match="with the same cell") as caught:
        list(provider_for(server).propose(failure, Request()))
    assert caught.value.code == "bad-reply"


def test_what_came_before_the_connection_broke_is_not_taken_for_a_fix(failure, fenced):
    with ScriptedServer(Say([fenced(FIXED)], ending="cut")) as server, pytest.raises(ModelError) as caught:
        list(provider_for(server).propose(failure, Request()))
    assert caught.value.code == "no-connection"


def test_nothing_is_proposed_after_a_cancel(failure, fenced):
    request = Request()
    with ScriptedServer(Say([fenced(FIXED)], ending="silent")) as server:
        waiter = threading.Thread(target=lambda: (server.asked.wait(60), request.cancelled.set()))
        waiter.start()
        assert list(provider_for(server, timeout=600.0).propose(failure, request)) == []
        waiter.join()


# ------------------------------------------------------------------------------------------ asked again

WITHOUT_A_FIX = {
    "no code": ("I don't know.", "You answered with no code for this cell."),
    "nothing": ("", "You sent an empty answer."),
    "the same cell": ("```python\n{same}\n```", "You repeat what fails."),
    "the same cell with a comment": ("```python\n# now it works\n{same}  # fixed\n```", "You repeat what fails."),
    "what does not parse": (
        "```python\n{broken}\n```",
        "Your answer is not valid Python: '(' was never closed, line 2.",
    ),
    "an earlier attempt": ("```python\n{tried}\n```", "You repeat what fails."),
    "an earlier attempt with a comment": ("```python\n# now it works\n{tried}\n```", "You repeat what fails."),
}


class Questions:
    """How often a model may be asked, and what was said of its answers."""

    def __init__(self, most: int = 5) -> None:
        self.most = most
        self.problems: list[str] = []

    def another(self, problem: str) -> bool:
        self.problems.append(problem)
        return len(self.problems) < self.most


def attempts_of(failure, provider: str, verdict: Verdict) -> list[Attempt]:
    source = failure.situation.source
    edit = Edit(failure.situation.place, source, source.replace("regoin", "Region"))
    return [Attempt(Fix("f", (edit,), "why", provider), verdict)]


@pytest.mark.parametrize("case", WITHOUT_A_FIX)
def test_an_answer_without_a_fix_goes_on_as_turns_of_the_chat(failure, fenced, case):
    source = failure.situation.source
    reply, words = WITHOUT_A_FIX[case]
    tried = source.replace("regoin", "Region")
    reply = reply.format(same=source, broken=source.replace('"regoin")', '"region"'), tried=tried)
    questions = Questions()
    attempts = attempts_of(failure, "scripted", Verdict("other_error", "raises KeyError"))
    with ScriptedServer(Say([reply]), Say([fenced(FIXED)], usage=(50, 7))) as server:
        request = Request(attempts=attempts, ask_again=questions.another)
        [fix] = provider_for(server).propose(failure, request)
    first, second = (chat.json["messages"] for chat in server.chats)
    assert second[: len(first)] == first
    answer, complaint = second[len(first) :]
    assert (answer["role"], complaint["role"]) == ("assistant", "user")
    assert answer["content"] == (reply or "(nothing)")
    assert complaint["content"].startswith(words)
    assert len(questions.problems) == 1
    assert fix.edits[0].source == FIXED
    assert fix.usage.input_tokens == 150, "both questions are counted"


def test_of_a_repair_that_ran_it_is_not_said_that_it_fails(failure, fenced):
    attempts = attempts_of(failure, "scripted", Verdict("passed", "", (Finding("dropped-rows", "drops 3 rows"),)))
    with ScriptedServer(Say([fenced(attempts[0].fix.edits[0].source)]), Say([fenced(FIXED)])) as server:
        list(provider_for(server).propose(failure, Request(attempts=attempts, ask_again=Questions().another)))
    said = server.chats[1].json["messages"][-1]["content"]
    assert said.startswith("You repeat an earlier repair. It ran without an error, but it drops 3 rows.\n")


def test_nothing_that_does_not_parse_is_ever_proposed(failure):
    reply = Say(["```python\nby_region = df.groupby(\nby_region.plot(kind='bar')\n```"])
    with ScriptedServer(reply) as server, pytest.raises(ModelError, match="is not valid Python"):
        list(provider_for(server).propose(failure, Request()))


def test_it_is_asked_as_often_as_it_may_be_and_then_said(failure):
    questions = Questions(3)
    with ScriptedServer(*[Say(["I don't know."])] * 9) as server, pytest.raises(ModelError, match="no code") as caught:
        list(provider_for(server).propose(failure, Request(ask_again=questions.another)))
    assert caught.value.code == "bad-reply"
    assert len(server.chats) == 3


def test_a_server_that_is_none_is_not_asked_again(failure):
    questions = Questions()
    with ScriptedServer(Say(["<!DOCTYPE html><html></html>"])) as server, pytest.raises(ModelError, match="web page"):
        list(provider_for(server).propose(failure, Request(ask_again=questions.another)))
    assert questions.problems == []


def test_a_model_that_repeats_itself_is_asked_hotter_once(failure, fenced):
    same, prose = Say([fenced(failure.situation.source)]), Say(["I don't know."])
    with ScriptedServer(prose, same, same, Say([fenced(FIXED)])) as server:
        request = Request(ask_again=Questions().another)
        list(provider_for(server, temperature=0.0).propose(failure, request))
    assert [chat.json["temperature"] for chat in server.chats] == [0.0, 0.0, 0.8, 0.0]


def test_what_the_rules_have_found_may_be_chosen_if_it_ran(failure, fenced):
    tried = failure.situation.source.replace("regoin", "Region")
    for verdict, words in (
        (Verdict("passed"), ""),
        (Verdict("blocked", is_past=True), ""),
        (Verdict("other_error", "raises X"), "already proposed"),
    ):
        request = Request(attempts=attempts_of(failure, "rule", verdict))
        with ScriptedServer(Say([fenced(tried)])) as server:
            if words:
                with pytest.raises(ModelError, match=words):
                    list(provider_for(server).propose(failure, request))
            else:
                [fix] = provider_for(server).propose(failure, request)
                assert fix.edits[0].source == tried


def test_a_long_chat_stays_within_the_budget(failure, fenced):
    long = Say(["I don't know. " * 500])
    with ScriptedServer(long, long, long, Say([fenced(FIXED)])) as server:
        list(provider_for(server).propose(failure, Request(ask_again=Questions().another)))
    assert max(size(chat.json["messages"]) for chat in server.chats) <= LOCAL_BUDGET


# ------------------------------------------------------------------------------------------ too long


TOO_LONG = Refuse(400, "maximum context length is 2048 tokens", "context_length_exceeded")


def test_a_question_that_is_too_long_is_asked_again_shorter(failure, fenced):
    values = tuple(
        dataclasses.replace(failure.error.frames[0].variables[0], name=f"df{n}", text="row\n" * 300) for n in range(9)
    )
    frame = dataclasses.replace(failure.error.frames[0], variables=values)
    wide = dataclasses.replace(failure, exceptions=(dataclasses.replace(failure.error, frames=(frame,)),))
    with ScriptedServer(TOO_LONG, Say([fenced(FIXED)])) as server:
        (fix,) = provider_for(server).propose(wide, Request())
    assert fix.edits[-1].source == FIXED
    assert len(words_of(server, 1)) < len(words_of(server, 0))
    assert failure.situation.source in words_of(server, 1)


def test_a_question_that_stays_too_long_is_told_in_words(failure):
    with ScriptedServer(TOO_LONG, TOO_LONG, Say("never asked")) as server:
        with pytest.raises(ModelError, match=r"too long for scripted: .*2048 tokens") as caught:
            list(provider_for(server).propose(failure, Request()))
        assert len(server.chats) == 2
    assert caught.value.code == "too-long"


# ------------------------------------------------------------------------------------------ nobody to ask


@pytest.fixture
def ollama_runs(monkeypatch):
    found = [LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("qwen2.5-coder",))]
    monkeypatch.setattr(conversation_module, "find_local_servers", lambda: found)  # else: whatever runs on this machine


@pytest.mark.usefixtures("ollama_runs")
@pytest.mark.parametrize(("model", "code"), [(None, "no-such-model"), ("gpt", "no-key")])
def test_a_server_on_this_machine_is_named_and_not_used(failure, model, code):
    provider = ModelProvider(Context(lambda: Settings(model=model), MemoryStore()))
    with pytest.raises(ModelError, match=r"Ollama is running: `%reflex model qwen2\.5-coder --base-url") as caught:
        list(provider.propose(failure, Request()))
    assert caught.value.code == code


def test_a_model_that_the_server_lacks_is_told_with_those_that_it_has(failure):
    refusal = Refuse(404, 'model "scripted" not found', "model_not_found")
    scripted = ScriptedServer(refusal, models=("qwen:7b", "llama:8b"))
    with scripted as server, pytest.raises(ModelError, match="It has: qwen:7b, llama:8b") as caught:
        list(provider_for(server).propose(failure, Request()))
    assert caught.value.code == "no-such-model"


def test_the_error_pickles(failure):
    refusal = Refuse(429, "slow", headers={"Retry-After": "7"})
    with ScriptedServer(refusal) as server, pytest.raises(ModelError) as caught:
        list(provider_for(server, total_timeout=5.0).propose(failure, Request()))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code, again.retry_after) == (str(caught.value), "rate-limit", 7.0)


def test_importing_the_provider_imports_nothing_heavy():
    code = (
        "import sys, reflex_ipython.propose.model, reflex_ipython.propose.servers\n"
        "print([name for name in ('openai', 'httpx', 'pydantic', 'rapidfuzz', 'IPython') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
