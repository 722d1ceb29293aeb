"""With a real model behind a real server. What it answers is not asserted: that it answers, and how, is."""

from __future__ import annotations

import threading
from urllib.parse import urlsplit

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.models import CellRef, ExceptionInfo, Failure, Situation
from reflex_ipython.propose.chat import stream_chat
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.servers import find_local_servers, list_models
from reflex_ipython.protocols import Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings

COUNT = [{"role": "user", "content": "Count from one to fifty, in words."}]


def settings_for(server, **changes) -> Settings:
    return Settings(
        **{
            "model": "smollm2",
            "base_url": server.base_url,
            "timeout": 120.0,
            "temperature": 0.0,
            "max_tokens": 60,
            **changes,
        }
    )


def failure_of(source: str) -> Failure:
    error = ExceptionInfo("NameError", "name 'scoers' is not defined")
    return Failure("1", "2026-11-21T10:00:00.000+00:00", Situation(CellRef("c", 1), source), "run", (error,), 1)


def test_the_answer_streams_in_several_pieces_and_its_usage_is_reported(server):
    pieces: list[str] = []
    reply = stream_chat(COUNT, settings_for(server), cancelled=threading.Event(), on_text=pieces.append)
    assert len(pieces) > 5
    assert "".join(pieces) == reply.text
    assert reply.input_tokens > 5
    assert 5 < reply.output_tokens <= 60
    assert reply.finish_reason in ("stop", "length")


def test_a_cancelled_answer_leaves_the_server_free_for_the_next(server):
    cancelled = threading.Event()
    pieces: list[str] = []

    def listen(text: str) -> None:
        pieces.append(text)
        if len(pieces) == 3:
            cancelled.set()

    endless = settings_for(server, max_tokens=900)
    assert stream_chat(COUNT, endless, cancelled=cancelled, on_text=listen) is None
    assert len(pieces) == 3
    # The server has one slot: it answers this only once it has noticed that nobody listens any more.
    reply = stream_chat(COUNT, settings_for(server, max_tokens=5), cancelled=threading.Event())
    assert reply.text


def test_the_server_is_cancelled_while_it_still_reads_the_question(server):
    cancelled = threading.Event()
    long = [{"role": "user", "content": "word " * 400}]
    waiter = threading.Timer(0.05, cancelled.set)
    waiter.start()
    assert stream_chat(long, settings_for(server, max_tokens=900), cancelled=cancelled) is None
    waiter.join()
    assert stream_chat(COUNT, settings_for(server, max_tokens=5), cancelled=threading.Event()).text


def test_the_provider_gives_a_fix_or_says_in_words_why_not(server):
    provider = ModelProvider(Context(lambda: settings_for(server, max_tokens=200), MemoryStore()))
    pieces: list[str] = []
    failure = failure_of("print(sum(scoers))")
    outcome = None
    try:
        (fix,) = provider.propose(failure, Request(on_text=pieces.append))
        outcome = fix.edits[-1].source != failure.situation.source and fix.usage.output_tokens > 0
    except ModelError as error:
        outcome = (error.code, str(error).partition(" answer")[0])
    assert outcome in (True, ("bad-reply", "The model"), ("bad-reply", "The model's"))
    assert len(pieces) > 5


def test_a_cell_that_is_too_long_for_the_model_is_told_in_words(server):
    provider = ModelProvider(Context(lambda: settings_for(server), MemoryStore()))
    with pytest.raises(ModelError, match="too long for smollm2") as caught:
        list(provider.propose(failure_of("print(scoers)\n" * 600), Request()))
    assert caught.value.code == "too-long"


def test_a_server_that_dies_midway_is_told_in_words(new_server):
    server = new_server()
    pieces: list[str] = []

    def listen(text: str) -> None:
        pieces.append(text)
        if len(pieces) == 3:
            server.process.kill()
            server.process.wait()

    with pytest.raises(ModelError, match="broke off before its answer was complete") as caught:
        stream_chat(COUNT, settings_for(server, max_tokens=900), cancelled=threading.Event(), on_text=listen)
    assert caught.value.code == "no-connection"
    assert pieces

    with pytest.raises(ModelError, match="Is the server running") as caught:
        stream_chat(COUNT, settings_for(server), cancelled=threading.Event())
    assert caught.value.code == "no-connection"


def test_the_server_is_found_as_llama_cpp_and_as_nothing_else(server):
    port = urlsplit(server.base_url).port
    (found,) = find_local_servers(20, {"Ollama": port, "LM Studio": port, "llama.cpp": port})
    assert (found.name, found.base_url) == ("llama.cpp", server.base_url)
    assert found.models == list_models(server.base_url) != ()
