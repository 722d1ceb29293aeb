"""Recorded requests of web applications, made again in process with a changed function."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.check.replay import ReplayChecker
from reflex_ipython.models import Fix, Replay, Trial
from reflex_ipython.traces.recording import Recording
from reflex_ipython.traces.replaying import Replayer
from tests.traces.test_replay import define

SHOP = """\
import asyncio, itertools, json
numbers = itertools.count()

def price(count):
    return {"price": 10 / count}

def other(count):
    return price(count)

def answer(path, query, body):
    if path == "/number":
        return {**price(1), "number": next(numbers)}
    if path == "/echo":
        return {"body": body.decode(), "price": other(1)}
    if path == "/plain":
        return {"ok": True}
    return price(int(query.partition("=")[2]))

def wsgi(environ, start):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    told = answer(environ["PATH_INFO"], environ["QUERY_STRING"], body)
    start("200 OK", [("Content-Type", "application/json")])
    yield json.dumps(told).encode()

async def asgi(scope, receive, send):
    message = await receive()
    told = answer(scope["path"], scope["query_string"].decode(), message["body"])
    await asyncio.sleep(0)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})
"""
RIGHT = "def price(count):\n    return {'price': 10 / count if count else 0}"
WRONG = "def price(count):\n    return {'price': 10 // max(count, 1)}"
STILL = "def price(count):\n    return {'price': 10 / count, 'more': 1 / count}"
CALLS = ("/price?count=4", "/number", "/echo", "/plain", "/price?count=0")

Ask = Callable[[Recording, dict[str, Any], str], None]


def ask_wsgi(recording: Recording, scope: dict[str, Any], address: str) -> None:
    import io

    path, _, query = address.partition("?")
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "QUERY_STRING": query}
    environ |= {"wsgi.input": io.BytesIO(b"some"), "CONTENT_LENGTH": "4"}  # type: ignore[dict-item]
    list(recording.wsgi(scope["wsgi"])(environ, lambda *_: None))


def ask_asgi(recording: Recording, scope: dict[str, Any], address: str) -> None:
    path, _, query = address.partition("?")

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"some"}

    async def send(message: Any) -> None:
        pass

    asked = {"type": "http", "method": "POST", "path": path, "query_string": query.encode(), "headers": []}
    asyncio.run(recording.asgi(scope["asgi"])(asked, receive, send))


def replayed(ask: Ask, after: str, *addresses: str) -> Replay:
    """What comes of requests when a text is run after they were recorded."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    define(SHOP, scope)
    with reflex_ipython.trace(values=True) as trace:
        for address in addresses:
            with contextlib.suppress(ZeroDivisionError):
                ask(trace, scope, address)
    replayer = Replayer([trace._recorder], "ZeroDivisionError")
    define(after, scope)
    found = asyncio.run(replayer.replay(5.0))
    assert found is not None
    return found


@pytest.fixture(params=[ask_wsgi, ask_asgi])
def ask(request: pytest.FixtureRequest) -> Ask:
    found: Ask = request.param
    return found


def test_a_right_fix_answers_as_before_and_what_failed_is_answered(ask: Ask) -> None:
    found = replayed(ask, RIGHT, *CALLS)
    assert (found.same_requests, found.different_requests, found.failing_request) == (2, 0, "passes")
    assert found.words == (
        "3 of 3 recorded calls give the same, 2 of 2 recorded requests get the same answer, and the failing one passes"
    )


def test_an_answer_that_changes_is_named_with_its_request(ask: Ask) -> None:
    found = replayed(ask, WRONG, *CALLS)
    assert (found.same_requests, found.different_requests) == (0, 2), "JSON tells 10 from 10.0"
    only = Replay(different_requests=1, same_requests=1, difference=found.difference)
    assert "price" in found.difference
    (finding,) = ReplayChecker().check(None, Fix("x", (), "", ""), Trial("passed", replay=only))  # type: ignore[arg-type]
    assert finding.code == "changed-result"
    assert finding.text.startswith("1 of 2 recorded requests get another answer: ")


def test_the_difference_of_an_answer_is_told_where_no_call_can_be_made_again(ask: Ask) -> None:
    scope: dict[str, Any] = {"__name__": "__main__"}
    define(SHOP.replace("count):\n    return {", "count, shelf=(one for one in ())):\n    return {", 1), scope)
    with reflex_ipython.trace(values=True) as trace:
        ask(trace, scope, "/price?count=4")
    replayer = Replayer([trace._recorder], "")
    define(WRONG.replace("count)", "count, shelf=())", 1), scope)
    found = asyncio.run(replayer.replay(5.0))
    assert found is not None
    assert found.words == (
        "1 of 1 recorded request gets another answer: POST /price?count=4 gave 2.5 at ['price'], gives 2"
    )


def test_what_fails_still_is_said(ask: Ask) -> None:
    found = replayed(ask, STILL, "/price?count=0")
    assert (found.failing_request, found.is_changed) == ("ZeroDivisionError", True)


def test_what_a_new_function_passes_on_to_the_old_one_counts(ask: Ask) -> None:
    held = replayed(ask, "held = answer\ndef answer(path, query, body):\n    return held(path, query, body)", "/plain")
    assert held.same_requests == 1


def test_an_application_that_goes_its_own_way_is_not_counted(ask: Ask) -> None:
    """The old function is held in the application, so the new one has no part in what it answers."""
    before = SHOP.replace("told = answer(", "told = HELD(").replace("def wsgi", "HELD = answer\n\ndef wsgi")
    scope: dict[str, Any] = {"__name__": "__main__"}
    define(before, scope)
    with reflex_ipython.trace(values=True) as trace:
        ask(trace, scope, "/plain")
    replayer = Replayer([trace._recorder], "")
    define("def answer(path, query, body):\n    return {'ok': False}", scope)
    found = asyncio.run(replayer.replay(5.0))
    assert found is not None
    assert (found.same_requests, found.different_requests) == (0, 0)
