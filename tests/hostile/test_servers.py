"""Whatever a model's server does, the panel ends in words or in a fix, in bounded time and memory."""

from __future__ import annotations

import json
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reflex_ipython.errors import ProviderError
from reflex_ipython.models import Edit, Fix, Usage, new_id
from reflex_ipython.propose.chat import stream_chat
from reflex_ipython.propose.request_cancel import hanging_up_when
from reflex_ipython.propose.servers import find_local_servers, list_models
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer
from tests.hostile import ROOT
from tests.hostile.asked import BY_RULE, CELL, SOURCE, Asked
from tests.hostile.bad_servers import (
    ALIKE,
    ANSWER,
    ENDLESS,
    FIX,
    FIXED,
    LARGE,
    STREAM,
    TABLE,
    WORDS,
    BadServer,
    Client,
    drips,
    goes_on,
    refuses,
    says,
    silent_after,
)

HELP = re.compile(
    r"Ask again|Reflex\.|%reflex|[Cc]hoose|Is the server running|hint|another model|does not answer|say more", re.ASCII
)
"""What a sentence that says what to do has."""
WHOLE = bool(os.environ.get("HOSTILE_WHOLE"))
BUSY = 120.0
"""Seconds: for a busy machine, not a figure of merit."""
PATIENT = {"timeout": BUSY / 2, "total_timeout": BUSY}
"""Settings for what a server says, and not when: the others have time enough to find out that it does not."""


@pytest.fixture(scope="module")
def good() -> Iterator[ScriptedServer]:
    """A server as it should be."""
    with ScriptedServer(answer=lambda request: Say([ANSWER])) as server:
        yield server


@pytest.fixture
def asked() -> Iterator[Callable[..., Asked]]:
    """Makes sessions."""
    made: list[Asked] = []

    def make(*args: object, **settings: object) -> Asked:
        made.append(Asked(*args, **settings))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


def ends_plainly(asked: Asked, good: ScriptedServer, expected: str = WORDS) -> str:
    """A failure is asked about, and the next one of a good server; gives the words on the first one's panel."""
    limit = asked.session.settings.total_timeout
    began = time.monotonic()
    repair = asked.fail(limit + BUSY)
    assert time.monotonic() - began < limit + BUSY
    assert not asked.working()
    panel = asked.panels[-1]
    assert (panel["repair"], panel["working"]) == (repair.id, "")
    assert repair.fixes, "what the rules have found stays"
    assert BY_RULE in [fix.edits[-1].source for fix in repair.fixes]
    assert len(json.dumps(panel)) < 200_000
    trouble = repair.trouble
    if expected == FIX:
        assert [fix.edits[-1].source for fix in repair.fixes if fix.provider == "m"] == [FIXED], trouble
    else:
        assert HELP.search(trouble), trouble
        assert len(trouble) <= 1_000
        assert not re.search(r"Traceback|\binf\b|\bnan\b|object at 0x", trouble), trouble
        assert trouble in json.dumps(panel, ensure_ascii=False) or not trouble.isprintable() or '"' in trouble
    asked.set(base_url=good.base_url, total_timeout=60.0, timeout=30.0)
    again = asked.fail()
    assert FIXED in [fix.edits[-1].source for fix in again.fixes], "the next failure works"
    assert again.trouble == ""
    return trouble


@pytest.mark.parametrize("row", [row for row in TABLE if WHOLE or row not in ALIKE])
def test_a_bad_server_ends_in_words_or_in_a_fix(row: str, asked: Callable[..., Asked], good: ScriptedServer) -> None:
    expected, talk = TABLE[row]
    patience = PATIENT if expected == FIX else {}
    with BadServer(talk) as server:
        ends_plainly(asked(base_url=server.base_url, **patience), good, expected)


def test_a_slow_answer_is_told_with_the_setting_that_allows_more(
    asked: Callable[..., Asked], good: ScriptedServer
) -> None:
    with BadServer(goes_on(STREAM, b": ping\n\n", 0.05)) as server:
        trouble = ends_plainly(asked(base_url=server.base_url, timeout=BUSY, total_timeout=4.0), good)
    assert "not complete after 4 s" in trouble
    assert "Reflex.total_timeout" in trouble


@pytest.mark.parametrize(
    ("seconds", "words"),
    [("7", "in 7 s."), ("0", "in 0 s."), ("600", "in 10 min."), ("7200", "in 2 h."), ("inf", "in a while."),
     ("1e999", "in a while."), ("-5", "in a while."), ("nan", "in a while."), ("99999999", "in a while.")],
)  # fmt: skip
def test_the_wait_of_a_limit_is_told_as_a_person_would(
    seconds: str, words: str, asked: Callable[..., Asked], good: ScriptedServer
) -> None:
    refusal = refuses("429 Many", b'{"error": {"message": "Slow down."}}', f"Retry-After: {seconds}")
    with BadServer(refusal) as server:
        trouble = ends_plainly(asked(base_url=server.base_url, timeout=6.0, total_timeout=6.5), good)
    assert trouble.endswith(f"Ask again {words}")


# ------------------------------------------------------------------------------------------ before a connection


@pytest.fixture
def silent_resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Look-ups of one name that nobody answers until the event is set; an interrupt would not end them either."""
    answer, real = threading.Event(), socket.getaddrinfo

    def look_up(host: str, *more: Any, **options: Any) -> Any:
        if host == "model.test":
            answer.wait(4 * BUSY)
            raise socket.gaierror(-3, "Temporary failure in name resolution")
        return real(host, *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    yield answer
    answer.set()


def test_an_address_that_is_never_found_ends_the_question_in_time(
    asked: Callable[..., Asked], good: ScriptedServer, silent_resolver: threading.Event
) -> None:
    trouble = ends_plainly(asked(base_url="http://model.test:8000/v1", api_key="sk-none", allowed_hosts="*"), good)
    assert "model.test:8000 could not be reached within 0.6 s" in trouble
    assert not silent_resolver.is_set()


def test_a_cancel_does_not_wait_for_an_address(
    silent_resolver: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(model="m", base_url="http://model.test/v1", api_key="sk-none", total_timeout=600.0)
    cancelled, asking = threading.Event(), threading.Event()
    real = socket.getaddrinfo

    def look_up(*where: Any, **options: Any) -> Any:
        asking.set()
        return real(*where, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(stream_chat, [{"role": "user", "content": "why?"}], settings, cancelled=cancelled)
        assert asking.wait(BUSY)
        cancelled.set()
        assert answer.result(BUSY) is None
    assert not silent_resolver.is_set()


def test_a_connection_that_comes_too_late_is_hung_up() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, hanging_up_when(threading.Event(), 600.0) as line:
        line.hang_up()
        line.add(ours)
        theirs.settimeout(BUSY)
        assert theirs.recv(1) == b""
    assert not line.connected


# ------------------------------------------------------------------------------------------ TLS


# Python itself forgets to close a socket whose connection is reset just as it is wrapped.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "talk",
    [
        says(b"HTTP/1.1 400 Bad\r\n\r\nThis is no TLS."),
        silent_after(b"\x16\x03\x03"),
        drips(b"\x16\x03\x03\x40\x00" + bytes(16_384)),
        lambda client: client.reset(),
        lambda client: None,
    ],
    ids=["plain HTTP", "silence", "a handshake byte by byte", "a reset", "an end"],
)
def test_tls_that_comes_to_nothing_ends_in_words(
    talk: object, asked: Callable[..., Asked], good: ScriptedServer
) -> None:
    with BadServer(talk, early=True) as server:  # type: ignore[arg-type]
        ends_plainly(asked(base_url=server.base_url.replace("http:", "https:"), api_key="k"), good)


def test_a_question_in_plain_words_to_a_server_that_speaks_tls_ends_in_words(
    asked: Callable[..., Asked], good: ScriptedServer
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def talk(client: Client) -> None:
        context.wrap_socket(client.connection, server_side=True)

    with BadServer(talk, early=True) as server:
        ends_plainly(asked(base_url=server.base_url), good)


# ------------------------------------------------------------------------------------------ the list of models

NO_MODEL = refuses("404 No", b'{"error": {"message": "no such model", "code": "model_not_found"}}')
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
LISTS = {
    "none": lambda client: None,
    "silence": lambda client: client.wait(),
    "headers byte by byte": drips(b"x" * 10_000, before=b"HTTP/1.1 200 OK\r\nX: "),
    "headers without end": goes_on(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 100),
    "JSON byte by byte": drips(b" " * 10_000, before=HEAD),
    "JSON without end": goes_on(HEAD + b'{"data": ["', b"x" * 65_536),
    "deep JSON": says(HEAD, b"[" * 200_000),
    "data null": says(HEAD, b'{"data": null}'),
    "data 5": says(HEAD, b'{"data": 5}'),
    "data of other things": says(HEAD, b'{"data": [1, null, [], {"id": 5}, {"id": null}, {"name": "x"}]}'),
    "names of 100 KB": says(HEAD, json.dumps({"data": [{"id": "x" * 100_000}] * 8}).encode()),
    "names of escape sequences": says(HEAD, b'{"data": [{"id": "\\u001b[2J\\ud800\\u202e"}]}'),
    "100 Continue without end": goes_on(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a status of letters": says(b"HTTP/1.1 abc\r\n\r\n"),
    "a reset": lambda client: client.reset(),
}


@pytest.mark.parametrize("models", LISTS.values(), ids=LISTS.keys())
def test_a_list_of_models_that_is_none_ends_in_words(
    models: object, asked: Callable[..., Asked], good: ScriptedServer
) -> None:
    with BadServer(NO_MODEL, models=models) as server:  # type: ignore[arg-type]
        assert "has no model 'm'" in ends_plainly(asked(base_url=server.base_url, **PATIENT), good)
        began = time.monotonic()
        found = find_local_servers(0.2, {"Ollama": server.port, "LM Studio": server.port, "llama.cpp": server.port})
        assert all(len(model) <= 100 for each in found for model in each.models)
        assert len(list_models(server.base_url, 0.2)) <= 1
        assert time.monotonic() - began < BUSY


# ------------------------------------------------------------------------------------------ providers and checkers


class Evil(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text either")


class Raises:
    """A provider, and a checker, that raises."""

    name, where, cost, label = "raises", "remote", "", "raises"

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def propose(self, *args: object) -> Iterator[Fix]:
        raise self.error
        yield

    def check(self, *args: object) -> Iterator[None]:
        raise self.error
        yield


ERRORS = [
    ValueError("odd"), ProviderError("x" * 10**6), Evil(), MemoryError(), RecursionError(), SystemExit(3),
    KeyboardInterrupt(), GeneratorExit(), StopIteration(), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "odd"),
    BaseException("bare"), ValueError("\ud800\x1b[2J"),
]  # fmt: skip


@pytest.mark.parametrize("error", ERRORS, ids=[type(error).__name__ for error in ERRORS])
@pytest.mark.parametrize("place", ["a provider", "an instant provider", "a checker"])
def test_whatever_is_raised_ends_as_words_on_the_panel(
    place: str, error: BaseException, asked: Callable[..., Asked]
) -> None:
    raising = Raises(error)
    raising.where = "instant" if place == "an instant provider" else "remote"
    session = asked(checkers=[raising]) if place == "a checker" else asked(providers=[raising])
    repair = session.fail()
    assert not session.working()
    assert session.panels[-1]["working"] == ""
    assert repair.trouble
    assert len(repair.trouble) <= 1_000
    raising.error = ProviderError("As it should.")
    raising.check = lambda *args: iter(())  # type: ignore[method-assign]
    again = session.fail()
    assert again.fixes or again.trouble == "As it should."


def test_a_copy_that_can_not_be_tried_ends_as_words_and_the_fix_stays(asked: Callable[..., Asked]) -> None:
    session = asked(trial="automatic", model=None)
    repair = session.fail()
    assert "no process can be made" in repair.trouble
    assert [fix.edits[-1].source for fix in repair.fixes] == [BY_RULE]
    assert session.panels[-1]["working"] == ""


class Odd:
    """A provider whose fix can't be shown."""

    name, where, cost, label = "odd", "remote", "", "odd"

    def __init__(self, **odd: object) -> None:
        self._odd = odd

    def propose(self, failure: object, request: object) -> Iterator[Fix]:
        edit = Edit(CELL, SOURCE, FIXED)
        yield Fix(**{"id": new_id(), "edits": (edit,), "explanation": "", "provider": "odd", **self._odd})


ODD = {
    "usage that is no number": {"usage": Usage("m", float("-inf"), float("nan"), float("inf"), float("nan"))},
    "usage of text": {"usage": "many"},
    "an explanation of a number": {"explanation": 5},
    "an explanation of nothing": {"explanation": None},
    "an explanation of half a character": {"explanation": "\ud800"},
    "edits of nothing": {"edits": None},
    "edits of text": {"edits": ("text",)},
    "an id of a list": {"id": []},
    "a provider of an object": {"provider": object()},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_a_fix_that_can_not_be_shown_does_not_stop_the_panel(
    odd: dict[str, object], asked: Callable[..., Asked]
) -> None:
    session = asked(providers=[Odd(**odd)])
    repair = session.fail()
    assert not session.working()
    assert session.panels[-1]["working"] == ""
    assert repair.trouble or repair.fixes
    assert session.session.decisions.reject(repair.id).decision is not None, "it can be decided"


# ------------------------------------------------------------------------------------------ memory

MEASURE = """
import resource, sys
from tests.hostile.asked import Asked
from tests.hostile.bad_servers import TABLE, BadServer, says, STREAM, GOOD
def ask(talk):
    with BadServer(talk) as server:
        asked = Asked(base_url=server.base_url, timeout=20.0, total_timeout=3.0)
        repair = asked.fail()
        asked.close()
        return repair.trouble
ask(says(STREAM, GOOD))  # what is imported is no fault of the server's
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for row in sys.argv[1:]:
    assert ask(TABLE[row][1])
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(row, round((after - before) / (1024 if sys.platform != "darwin" else 1024**2)), sep="\\t", flush=True)
"""
MOST = 150
"""MB: the server's own part, which runs in the same process, included."""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows tells no peak of memory by this way")
@pytest.mark.parametrize("rows", [sorted(LARGE)[::2]] if not WHOLE else [[row] for row in [*LARGE, *ENDLESS]])
def test_memory_stays_bounded(rows: list[str]) -> None:
    ran = subprocess.run([sys.executable, "-c", MEASURE, *rows], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    grown = dict(line.split("\t") for line in ran.stdout.splitlines())
    assert set(grown) == set(rows)
    assert max(map(int, grown.values())) < MOST, grown
