"""What traced code asks of the network over HTTP is recorded, and the program notices nothing of that."""

from __future__ import annotations

import asyncio
import base64
import gc
import http.client
import importlib
import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import urllib3

import reflex_ipython
from reflex_ipython.traces import asking
from reflex_ipython.traces.documents import read
from reflex_ipython.traces.network import TOO_LARGE
from reflex_ipython.traces.recorded import NetworkError, NetworkExchange, Trace
from reflex_ipython.traces.redacted import SECRET_ASKED, without_secrets
from tests.traces.network_server import NetworkServer

httpx = pytest.importorskip("httpx")


@pytest.fixture(scope="module")
def server() -> Iterator[NetworkServer]:
    with NetworkServer() as found:
        yield found


def body(one: NetworkExchange) -> bytes:
    return base64.b64decode(one.response.body)


def methods() -> list[Any]:
    """All that is replaced while a trace is on."""
    connection, response = http.client.HTTPConnection, http.client.HTTPResponse
    return [
        *(requests.adapters.HTTPAdapter.send, urllib3.connectionpool.HTTPConnectionPool.urlopen),
        *(httpx.HTTPTransport.handle_request, httpx.AsyncHTTPTransport.handle_async_request),
        *(urllib.request.AbstractHTTPHandler.do_open, connection.request, connection.getresponse),
        *(response.read, response.readinto, response.readline, urllib3.response.HTTPResponse.read),
        [*sys.meta_path],
    ]


def by_requests(url: str) -> Any:
    return requests.get(f"{url}/rates?a=1", timeout=9).json()


def by_urllib3(url: str) -> Any:
    with urllib3.PoolManager() as pool:
        return json.loads(pool.request("GET", f"{url}/rates?a=1").data)


def by_urllib(url: str) -> Any:
    with urllib.request.urlopen(f"{url}/rates?a=1") as answer:
        return json.load(answer)


def by_client(url: str) -> Any:
    connection = http.client.HTTPConnection(url.removeprefix("http://"))
    connection.request("GET", "/rates?a=1")
    try:
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def by_httpx(url: str) -> Any:
    return httpx.get(f"{url}/rates?a=1").json()


async def _later(url: str) -> Any:
    async with httpx.AsyncClient() as client:
        return (await client.get(f"{url}/rates?a=1")).json()


def by_async_httpx(url: str) -> Any:
    return asyncio.run(_later(url))


ASKING = [
    pytest.param(by_requests, "requests", id="requests"),
    pytest.param(by_urllib3, "urllib3", id="urllib3"),
    pytest.param(by_urllib, "urllib.request", id="urllib"),
    pytest.param(by_client, "http.client", id="http.client"),
    pytest.param(by_httpx, "httpx", id="httpx"),
    pytest.param(by_async_httpx, "httpx async", id="async httpx"),
]


@pytest.mark.parametrize(("ask", "library"), ASKING)
def test_a_request_is_recorded_once_with_its_answer_as_it_is_read(
    server: NetworkServer, ask: Callable[[str], Any], library: str
) -> None:
    before = ask(server.url)
    with reflex_ipython.trace(values=True) as trace:
        assert ask(server.url) == before
    (found,) = trace.trace.network
    assert (found.library, found.method, found.status, found.unkept) == (library, "GET", 200, "")
    assert found.url.endswith(f"127.0.0.1:{server.port}/rates?a=1")
    assert json.loads(body(found)) == before
    assert not [name for name, _ in found.response.headers if name.lower() == "content-encoding"]
    assert trace.trace.calls[found.call or 0].id == found.call


@pytest.mark.parametrize(("ask", "library"), ASKING)
def test_what_the_network_raises_is_raised_and_recorded(
    server: NetworkServer, ask: Callable[[str], Any], library: str
) -> None:
    with pytest.raises(Exception) as before:  # noqa: PT011 - each library has its own
        ask(server.silent_url)
    with reflex_ipython.trace(values=True) as trace, pytest.raises(type(before.value)):
        ask(server.silent_url)
    (found,) = trace.trace.network
    assert (found.library, found.status) == (library, None)
    assert found.error is not None
    assert found.error.type.rpartition(".")[2] == type(before.value).__name__


def test_the_reason_of_an_error_is_recorded_as_what_it_was(server: NetworkServer) -> None:
    with reflex_ipython.trace(values=True) as trace, pytest.raises(urllib.error.URLError):
        by_urllib(server.silent_url)
    error = trace.trace.network[0].error
    assert error is not None
    (reason,) = error.arguments
    assert isinstance(reason, NetworkError)
    assert (reason.type, reason.arguments[1]) == ("ConnectionRefusedError", "Connection refused")


def test_a_stream_stays_one_and_what_is_not_read_is_not_recorded(server: NetworkServer) -> None:
    with (
        reflex_ipython.trace(values=True) as trace,
        requests.get(f"{server.url}/long", stream=True, timeout=9) as answer,
        httpx.stream("GET", f"{server.url}/long") as other,
        urllib.request.urlopen(f"{server.url}/new") as lines,
    ):
        assert (len(answer.raw.read(10)), len(next(other.iter_raw(10)))) == (10, 10)
        assert [*lines] == [b"a\n", b"b\n", b"c\n"]
    by_requests_, by_httpx_, by_urllib_ = trace.trace.network
    assert body(by_requests_) == b"x" * 10
    assert by_httpx_.response.size <= 5_000
    assert body(by_urllib_) == b"a\nb\nc\n"


def test_a_redirect_is_two_requests_and_one_that_is_refused_an_answer(server: NetworkServer) -> None:
    with reflex_ipython.trace(values=True) as trace:
        requests.get(f"{server.url}/moved", timeout=9)
        with pytest.raises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen(f"{server.url}/missing")
        assert raised.value.read() == b"no"
    found = [(one.url.removeprefix(server.url), one.status, body(one)) for one in trace.trace.network]
    assert found == [("/moved", 302, b""), ("/new", 200, b"a\nb\nc\n"), ("/missing", 404, b"no")]


def test_a_body_over_the_bound_is_cut_and_says_so(server: NetworkServer) -> None:
    with reflex_ipython.trace(values=True) as trace:
        assert len(requests.get(f"{server.url}/huge", timeout=9).content) == 70_000
    (found,) = trace.trace.network
    assert (len(body(found)), found.response.size, found.unkept) == (64_000, 70_000, TOO_LARGE)


def test_the_bytes_of_the_trace_bound_it(server: NetworkServer) -> None:
    with reflex_ipython.trace(values=True, bytes=1) as trace:
        requests.get(f"{server.url}/long", timeout=9)
        requests.get(f"{server.url}/long", timeout=9)
    assert "used up" in trace.trace.network[1].unkept


def test_nothing_is_replaced_but_while_a_trace_with_values_is_on(server: NetworkServer) -> None:
    before = methods()
    with reflex_ipython.trace() as trace:
        assert methods() == before
        requests.get(f"{server.url}/new", timeout=9)
    assert not trace.trace.network
    with reflex_ipython.trace(values=True), reflex_ipython.trace(values=True):
        assert not [one for one, was in zip(methods(), before) if one == was]
    assert methods() == before
    assert not asking.listeners


def test_both_of_two_traces_are_told(server: NetworkServer) -> None:
    with reflex_ipython.trace(values=True) as outer:
        with reflex_ipython.trace(values=True) as inner:
            by_requests(server.url)
        by_urllib(server.url)
    assert [len(one.trace.network) for one in (outer, inner)] == [2, 1]


def test_our_own_threads_are_not_recorded(server: NetworkServer) -> None:
    with reflex_ipython.trace(values=True) as trace:
        for name in ("reflex-search", "mine"):
            thread = threading.Thread(target=by_requests, args=(server.url,), name=name)
            thread.start()
            thread.join()
    assert len(trace.trace.network) == 1


def test_an_answer_is_let_go_as_ever(server: NetworkServer) -> None:
    gc.disable()
    try:
        with reflex_ipython.trace(values=True):
            answer = requests.get(f"{server.url}/new", timeout=9)
            there = weakref.ref(answer.raw)
            del answer
            assert there() is None
    finally:
        gc.enable()


def test_what_can_not_be_recorded_reaches_nobody(server: NetworkServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("reflex_ipython.traces.network.OpenRequest.answered", broken)
    with reflex_ipython.trace(values=True) as trace:
        assert by_requests(server.url)
    assert "RuntimeError" in trace.trace.network[0].unkept


def test_a_library_that_is_imported_meanwhile_is_seen_and_keeps_its_loader(server: NetworkServer) -> None:
    code = f"""
import sys, reflex_ipython
assert "requests" not in sys.modules and "httpx" not in sys.modules
with reflex_ipython.trace(values=True) as trace:
    assert "requests" not in sys.modules and "httpx" not in sys.modules
    import requests, httpx
    requests.get({server.url!r} + "/new"), httpx.get({server.url!r} + "/new")
print(*[one.library for one in trace.trace.network])
print(type(sys.modules["requests.adapters"].__loader__).__name__, type(httpx.__spec__.loader).__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["requests httpx", "SourceFileLoader SourceFileLoader"], done.stderr


def test_it_round_trips_and_secrets_are_taken_out_of_it(server: NetworkServer, tmp_path: Path) -> None:
    with reflex_ipython.trace(values=True) as trace:
        requests.get(f"{server.url}/secret", headers={"Authorization": "Bearer abc"}, timeout=9)
        requests.get(f"{server.url}/new?api_key=sk-proj-abcdefghijklmnopqrstuvwx0123456789", timeout=9)
        with pytest.raises(requests.ConnectionError):
            requests.get(f"{server.silent_url}/?api_key=sk-proj-abcdefghijklmnopqrstuvwx0123456789", timeout=9)
    for name in ("t.json", "t.jsonl"):
        trace.save(tmp_path / name)
        text = (tmp_path / name).read_text(encoding="utf-8")
        found: Trace = read(tmp_path / name)
        assert found == without_secrets(trace.trace)
        assert "sk-proj-abcdef" not in text
        assert "hunter2" not in text + str([body(one) for one in found.network])
        assert "session=abc" not in str(found.network)
        assert "Bearer" not in str(found.network)
        assert [one.unkept for one in found.network] == [SECRET_ASKED] * 3


def test_a_module_of_another_version_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    hook = importlib.import_module("reflex_ipython.traces.network_hook")
    monkeypatch.delattr(requests.adapters.HTTPAdapter, "send")
    with reflex_ipython.trace(values=True):
        assert not [one for one in hook._replaced if one[0] is requests.adapters.HTTPAdapter]
