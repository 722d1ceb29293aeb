from __future__ import annotations

import json
import logging
import threading
import time

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.chat import stream_chat
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Raw, Refuse, Say, ScriptedServer, Silent

KEY = "sk-very-secret-0123456789"


# ------------------------------------------------------------------------------------------ an answer


def test_the_text_arrives_piece_by_piece_and_is_given_whole_at_the_end(ask):
    pieces = []
    with ScriptedServer(Say(["Mis", "spelt", "."], usage=(321, 12))) as server:
        reply = ask(server, on_text=pieces.append)
    assert pieces == ["Mis", "spelt", "."]
    assert (reply.text, reply.model, reply.finish_reason) == ("Misspelt.", "scripted", "stop")
    assert (reply.input_tokens, reply.output_tokens) == (321, 12)


def test_a_piece_is_handed_on_before_the_answer_is_complete(ask):
    with ScriptedServer(Say(["first"], ending="silent")) as server:
        reply = ask(server, on_text=lambda text: server.release())  # else it would stay silent
    assert reply is not None


def test_half_a_character_does_not_keep_a_question_from_being_sent():
    """Words of an exception may hold one: a file's name that is no text, say."""
    with ScriptedServer(Say("ok")) as server:
        reply = stream_chat(
            [{"role": "user", "content": "no file 'caf\udce9'"}],
            Settings(model="scripted", base_url=server.base_url),
            cancelled=threading.Event(),
        )
    assert reply is not None
    assert server.requests[0].json["messages"][0]["content"] == "no file 'caf?'"


def test_only_what_is_set_is_sent(ask):
    with ScriptedServer(Say("a"), Say("a")) as server:
        ask(server)
        ask(server, temperature=0.0, max_tokens=50)
    bare, full = (request.json for request in server.requests)
    assert set(bare) == {"model", "messages", "stream", "stream_options"}
    assert full["temperature"] == 0.0
    assert full["max_tokens"] == 50


def test_a_server_that_does_not_know_stream_options_is_asked_without_them(ask):
    with ScriptedServer(Refuse(400, "Unrecognized request argument: stream_options"), Say("ok")) as server:
        reply = ask(server)
    assert reply.text == "ok"
    assert reply.input_tokens is None
    assert ["stream_options" in request.json for request in server.requests] == [True, False]


def test_a_server_that_wants_the_new_name_of_max_tokens_gets_it(ask):
    refusal = Refuse(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    with ScriptedServer(refusal, Say("ok")) as server:
        assert ask(server, max_tokens=9).text == "ok"
    assert server.requests[1].json["max_completion_tokens"] == 9
    assert "max_tokens" not in server.requests[1].json


def test_chunks_of_odd_shapes_are_passed_over(ask):
    chunks = [{"choices": None}, {"choices": []}, {"choices": [{"delta": None}]}, 5, {"choices": [{"delta": {}}]}]
    chunks += [{"choices": [{"delta": {"reasoning_content": "hm", "content": None}}]}]
    chunks += [{"choices": [{"delta": {"content": "ok"}}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    with ScriptedServer(Raw(body, "text/event-stream")) as server:
        reply = ask(server)
    assert (reply.text, reply.finish_reason) == ("ok", "stop")


def test_a_server_that_does_not_stream_is_understood(ask):
    body = {
        "model": "whole",
        "choices": [{"message": {"role": "assistant", "content": "all of it"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 6},
    }
    pieces = []
    with ScriptedServer(Raw(json.dumps(body), "application/json")) as server:
        reply = ask(server, on_text=pieces.append)
    assert pieces == ["all of it"]
    assert (reply.text, reply.model, reply.input_tokens, reply.output_tokens) == ("all of it", "whole", 5, 6)


def test_choices_null_in_a_whole_answer_are_no_text(ask):
    with ScriptedServer(Raw('{"choices": null}', "application/json")) as server:
        assert ask(server).text == ""


def test_a_stream_without_a_finish_reason_says_so(ask):
    with ScriptedServer(Say(["half"], ending="closed")) as server:
        assert ask(server).finish_reason == ""


def test_a_model_that_goes_round_in_circles_is_stopped(ask):
    with ScriptedServer(Say(["x" * 60_000] * 3, ending="silent")) as server:
        with pytest.raises(ModelError, match="did not end") as caught:
            ask(server)
        assert server.hung_up.wait(20)
    assert caught.value.code == "bad-reply"


def test_an_error_of_the_listener_is_the_listeners(ask):
    def broken(text: str) -> None:
        raise LookupError("mine")

    with ScriptedServer(Say("a")) as server, pytest.raises(LookupError, match="mine"):
        ask(server, on_text=broken)


def test_two_can_ask_at_once(ask):
    together = threading.Barrier(2, timeout=20)
    replies: dict[str, object] = {}

    def answer(request):
        together.wait()  # neither is answered before both have asked
        return Say([request["model"]])

    with ScriptedServer(answer=answer) as server:
        names = ("one", "two")
        threads = [
            threading.Thread(target=lambda name=name: replies.update({name: ask(server, model=name)})) for name in names
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {name: reply.text for name, reply in replies.items()} == {"one": "one", "two": "two"}


# ------------------------------------------------------------------------------------------ cancelling


@pytest.mark.usefixtures("no_socket_is_left")
@pytest.mark.parametrize(
    "reply",
    [Silent(), Say(["a"], ending="silent"), Say(["a"] * 100_000, delay=0.01)],
    ids=["mute", "midway", "talking"],
)
def test_cancelling_hangs_up_at_once_and_leaves_nothing_behind(ask, reply):
    cancelled = threading.Event()
    with ScriptedServer(reply) as server:
        waiter = threading.Thread(target=lambda: (server.asked.wait(60), cancelled.set()))
        waiter.start()
        assert ask(server, cancelled, timeout=600.0) is None
        waiter.join()
        if not isinstance(reply, Say) or reply.ending == "silent":
            assert server.hung_up.wait(20)


def test_nothing_is_shown_after_a_cancel(ask):
    cancelled = threading.Event()
    pieces = []

    def listen(text: str) -> None:
        pieces.append(text)
        cancelled.set()

    with ScriptedServer(Say(["a", "b", "c"])) as server:
        assert ask(server, cancelled, listen) is None
    assert pieces == ["a"]


@pytest.mark.usefixtures("no_socket_is_left")
def test_a_cancel_before_the_connection_ends_the_request_too(ask):
    cancelled = threading.Event()
    cancelled.set()
    with ScriptedServer(Silent()) as server:
        assert ask(server, cancelled, timeout=600.0) is None


def test_a_refusal_after_a_cancel_is_not_told(ask):
    cancelled = threading.Event()

    def answer(request):
        cancelled.set()
        return Refuse(401, "no")

    with ScriptedServer(answer=answer) as server:
        assert ask(server, cancelled) is None


# ------------------------------------------------------------------------------------------ errors in words

ERRORS = {
    "a bad key": (Refuse(401, "Incorrect API key provided.", "invalid_api_key"), "bad-key", "does not accept the key"),
    "a forbidden key": (Refuse(403, "Country not supported"), "bad-key", "Country not supported"),
    "a bad key as 400": (Refuse(400, "API key not valid."), "bad-key", "OPENAI_API_KEY"),
    "no such model": (
        Refuse(404, "The model `scripted` does not exist", "model_not_found"),
        "no-such-model",
        "has no model 'scripted'",
    ),
    "no such model, Ollama": (Refuse(404, 'model "scripted" not found'), "no-such-model", "has no model 'scripted'"),
    "no model loaded": (Refuse(400, "No models loaded. Please load one."), "no-such-model", "No models loaded"),
    "a wrong path": (Raw("404 page not found", "text/plain", 404), "bad-reply", "usually ends in /v1"),
    "rate limit": (Refuse(429, "Slow down", headers={"Retry-After": "7"}), "rate-limit", r"Ask again in 7 s\."),
    "rate limit without a time": (Refuse(429, "Slow down"), "rate-limit", "Ask again in a while"),
    "no money": (Refuse(429, "You exceeded your current quota", "insufficient_quota"), "rate-limit", "no credit left"),
    "no money, 402": (Refuse(402, "Insufficient Balance"), "rate-limit", "no credit left"),
    "too long": (Refuse(400, "Too long", "context_length_exceeded"), "too-long", "too long for scripted"),
    "too long, vLLM": (Refuse(400, "This model's maximum context length is 4096 tokens."), "too-long", "4096 tokens"),
    "too long, llama.cpp": (
        Refuse(400, "the request exceeds the available context size, try increasing it"),
        "too-long",
        "too long for scripted",
    ),
    "too large": (Raw("<html>413</html>", status=413), "too-long", "it sent a web page"),
    "a gateway's timeout": (Raw("<html>504</html>", status=504), "timeout", "took too long"),
    "a broken server": (Raw("<html>Bad gateway</html>", status=502), "other", r"a problem of its own \(502\)"),
    "a server that loads": (Refuse(503, "Loading model"), "other", "Loading model. Ask again in a moment"),
    "another refusal": (
        Refuse(400, "Unsupported value: 'temperature' does not support 0.2 with this model."),
        "other",
        "'temperature' does not support 0.2",
    ),
    "a web page": (Raw("<html>Log in</html>"), "bad-reply", "with a web page"),
    "no JSON": (Raw("data: {half\n\n", "text/event-stream"), "bad-reply", "did not answer like a model server"),
    "a JSON list": (Raw("[1]", "application/json"), "bad-reply", "did not answer like a model server"),
    "an error with status 200": (Raw('{"error": "out of memory"}', "application/json"), "other", "out of memory"),
    "an error in the stream": (
        Raw('data: {"error": {"message": "context size exceeded"}}\n\n', "text/event-stream"),
        "too-long",
        "context size exceeded",
    ),
    "a cut stream": (Say(["half"], ending="cut"), "no-connection", "broke off before its answer was complete"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_an_error_is_told_in_words_with_its_code(ask, case):
    reply, code, words = ERRORS[case]
    with ScriptedServer(reply) as server, pytest.raises(ModelError, match=words) as caught:
        ask(server)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"Retry-After": "7"}, 7.0, 7.0),
        ({"Retry-After": "7", "Retry-After-Ms": "1500"}, 1.5, 1.5),
        ({"Retry-After": time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 36_000))}, 1.0, 36_000.0),
        ({"Retry-After": "Fri, 01 Jan 1999 00:00:00 GMT"}, 0.0, 0.0),
    ],
    ids=["seconds", "milliseconds", "a date", "a date that has passed"],
)
def test_the_wait_of_a_rate_limit_is_given_in_seconds(ask, headers, least, most):
    with ScriptedServer(Refuse(429, "Slow down", headers=headers)) as server, pytest.raises(ModelError) as caught:
        ask(server)
    assert least <= caught.value.retry_after <= most


def test_a_wait_that_can_not_be_read_is_no_wait(ask):
    refusal = Refuse(429, "Slow down", headers={"Retry-After": "soon"})
    with ScriptedServer(refusal) as server, pytest.raises(ModelError, match="in a while") as caught:
        ask(server)
    assert caught.value.retry_after is None


def test_a_refusal_is_not_tried_again_behind_the_users_back(ask):
    with ScriptedServer(Refuse(429, "Slow down"), Say("a")) as server:
        with pytest.raises(ModelError):
            ask(server)
        assert len(server.requests) == 1


@pytest.mark.usefixtures("no_socket_is_left")
@pytest.mark.parametrize("reply", [Silent(), Say(["a"], ending="silent")], ids=["from the start", "midway"])
def test_a_server_that_falls_silent_is_given_up(ask, reply):
    with ScriptedServer(reply) as server, pytest.raises(ModelError, match=r"was silent for 0\.3 s") as caught:
        ask(server, timeout=0.3)
    assert caught.value.code == "timeout"


def test_a_server_that_is_not_there_is_named(ask):
    with ScriptedServer() as server:
        pass
    with pytest.raises(ModelError, match=rf"Nothing answers at {server.base_url}\. Is the server running") as caught:
        ask(server)
    assert caught.value.code == "no-connection"


def test_an_address_without_a_scheme_is_told():
    settings = Settings(model="m", base_url="localhost:11434/v1")
    with pytest.raises(ModelError, match="begin with http://") as caught:
        stream_chat([], settings, cancelled=threading.Event())
    assert caught.value.code == "no-connection"


def test_a_proxy_of_the_environment_is_not_used_for_this_machine(ask, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with ScriptedServer(Say("direct")) as server:
        assert ask(server).text == "direct"


# ------------------------------------------------------------------------------------------ the key


@pytest.mark.parametrize(
    "reply",
    [
        Refuse(401, f"Incorrect API key provided: {KEY}"),
        Refuse(500, f"can't use {KEY}"),
        Raw(f'{{"error": "what is {KEY}?"}}', "application/json"),
        Raw(f'data: {{"error": {{"message": "what is {KEY}?"}}}}\n\n', "text/event-stream"),
        Refuse(429, f"{KEY} is too fast"),
        Say(["half"], ending="cut"),
    ],
    ids=["401", "500", "json", "stream", "429", "cut"],
)
def test_the_key_is_in_no_error_and_in_no_log(ask, reply, caplog):
    caplog.set_level(logging.DEBUG)
    with ScriptedServer(reply) as server, pytest.raises(ModelError) as caught:
        ask(server, api_key=KEY)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(caught.value) + repr(caught.value) + repr(vars(caught.value))
    assert caught.value.__context__ is None, "the SDK's error holds the request, and that the key"
    assert KEY not in caplog.text


def test_the_key_of_the_environment_is_used_with_the_environments_server(ask, monkeypatch):
    with ScriptedServer(Say("a")) as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        ask(server, base_url=None)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_the_key_of_the_environment_is_not_given_to_a_server_on_this_machine(ask, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ScriptedServer(Say("a")) as server:
        ask(server)
    assert KEY not in str(server.requests[0].headers)


def test_without_a_key_a_server_elsewhere_is_not_asked():
    with pytest.raises(ModelError, match=r"No key for api\.openai\.com: set OPENAI_API_KEY") as caught:
        stream_chat([], Settings(model="m"), cancelled=threading.Event())
    assert caught.value.code == "no-key"
