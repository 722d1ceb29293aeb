from __future__ import annotations

import json
import socket
import threading
import urllib.error
import urllib.request

import pytest

from reflex_ipython.testing import Raw, Refuse, Say, ScriptedServer, Silent


def post(server: ScriptedServer, **content: object) -> str:
    """What the server answers, read to the end, as a client without any SDK sees it."""
    request = urllib.request.Request(
        f"{server.base_url}/chat/completions",
        json.dumps({"model": "m", **content}).encode(),
        {"Content-Type": "application/json", "X-Mine": "yes"},
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=20) as response:
        return response.read().decode()


def events(body: str) -> list[object]:
    lines = [line.removeprefix("data: ") for line in body.splitlines() if line]
    return [line if line == "[DONE]" else json.loads(line) for line in lines]


def test_an_answer_comes_as_server_sent_events_and_ends_with_done():
    with ScriptedServer(Say(["a", "b"])) as server:
        *chunks, last = events(post(server))
    assert [chunk["choices"][0]["delta"].get("content") for chunk in chunks] == ["a", "b", None]
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert last == "[DONE]"


def test_usage_comes_only_if_the_request_asks_for_it():
    with ScriptedServer(Say("a", usage=(3, 4)), Say("a", usage=(3, 4))) as server:
        assert "usage" not in post(server)
        chunk = events(post(server, stream_options={"include_usage": True}))[-2]
    assert chunk["usage"] == {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}


def test_replies_come_in_the_scripts_order_and_then_an_error():
    with ScriptedServer(Say("1"), Say("2")) as server:
        assert '"1"' in post(server)
        assert '"2"' in post(server)
        with pytest.raises(urllib.error.HTTPError, match="500") as caught:
            post(server)
        caught.value.close()


def test_a_refusal_has_its_status_headers_and_json():
    with ScriptedServer(Refuse(429, "slow down", "too_fast", headers={"Retry-After": "7"})) as server:
        with pytest.raises(urllib.error.HTTPError, match="429") as caught:
            post(server)
        with caught.value as refusal:
            assert refusal.headers["Retry-After"] == "7"
            assert json.loads(refusal.read())["error"]["code"] == "too_fast"


def test_a_cut_stream_breaks_the_connection():
    with ScriptedServer(Say(["half"], ending="cut")) as server, pytest.raises(ConnectionResetError):
        post(server)


def test_a_closed_stream_just_ends():
    with ScriptedServer(Say(["half"], ending="closed")) as server:
        (chunk,) = events(post(server))
    assert chunk["choices"][0]["delta"]["content"] == "half"


def test_a_silence_lasts_until_it_is_released():
    with ScriptedServer(Say(["a"], ending="silent")) as server:
        threading.Timer(0.1, server.release).start()
        assert events(post(server))[-1] == "[DONE]"


def test_a_client_that_hangs_up_is_noticed():
    with ScriptedServer(Silent()) as server:
        body = b'{"model": "m"}'
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(head.encode() + body)
        assert server.hung_up.wait(20)


def test_requests_are_recorded_with_headers_and_json():
    with ScriptedServer(Raw("{}", "application/json")) as server:
        post(server, temperature=0.5)
    (request,) = server.chats
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.headers["x-mine"] == "yes"
    assert request.json == {"model": "m", "temperature": 0.5}


def test_a_function_can_answer_instead_of_a_script():
    with ScriptedServer(answer=lambda request: Say([f"for {request['model']}"])) as server:
        assert "for m" in post(server)


def test_the_models_are_listed():
    with ScriptedServer(models=("one", "two")) as server:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{server.base_url}/models", timeout=20) as response:
            assert [model["id"] for model in json.load(response)["data"]] == ["one", "two"]


def test_closing_ends_a_silence_and_all_threads():
    before = set(threading.enumerate())
    with ScriptedServer(Silent()) as server:
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
        while not server.requests:
            pass
    client.close()
    assert set(threading.enumerate()) == before


def test_a_server_that_never_started_can_be_closed():
    ScriptedServer().close()
