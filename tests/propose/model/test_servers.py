from __future__ import annotations

import json
import socket

import pytest

from reflex_ipython.propose.servers import LocalServer, find_local_servers, list_models, suggestion
from reflex_ipython.testing import Raw, ScriptedServer


def as_json(content: object) -> Raw:
    return Raw(json.dumps(content), "application/json")


def models(*names: str, owner: str) -> Raw:
    return as_json({"object": "list", "data": [{"id": name, "object": "model", "owned_by": owner} for name in names]})


OLLAMA = {
    "/v1/models": models("qwen:1.5b", "llama:8b", owner="library"),
    "/api/version": as_json({"version": "0.12.3"}),
}
LLAMA_CPP = {
    "/v1/models": models("small.gguf", owner="llamacpp"),
    "/props": as_json({"default_generation_settings": {}}),
}
LM_STUDIO = {
    "/v1/models": models("qwen2.5-coder-7b", owner="organization_owner"),
    "/api/v0/models": as_json({"object": "list", "data": [{"id": "qwen2.5-coder-7b", "state": "loaded"}]}),
}
SERVERS = {"Ollama": OLLAMA, "llama.cpp": LLAMA_CPP, "LM Studio": LM_STUDIO}


@pytest.mark.parametrize("name", SERVERS)
def test_a_running_server_is_found_and_named_with_its_models(name):
    with ScriptedServer(routes=SERVERS[name]) as server:
        (found,) = find_local_servers(20, {name: server.port})
    names = tuple(entry["id"] for entry in json.loads(SERVERS[name]["/v1/models"].body)["data"])
    assert found == LocalServer(name, server.base_url, names)


def test_all_that_run_are_found_in_order():
    with (
        ScriptedServer(routes=OLLAMA) as one,
        ScriptedServer(routes=LM_STUDIO) as two,
        ScriptedServer(routes=LLAMA_CPP) as three,
    ):
        found = find_local_servers(20, {"Ollama": one.port, "LM Studio": two.port, "llama.cpp": three.port})
    assert [server.name for server in found] == ["Ollama", "LM Studio", "llama.cpp"]


@pytest.mark.parametrize("name", SERVERS)
@pytest.mark.parametrize(
    "routes",
    [
        {"/v1/models": Raw("<html>It works!</html>")},
        {"/v1/models": models("gpt", owner="somebody")},
        {"/v1/models": Raw("no", status=404)},
        {"/v1/models": as_json([1, 2])},
        {"/v1/models": as_json({"data": "no"})},
        {"/v1/models": Raw('{"data": [', "application/json")},
    ],
    ids=["a web page", "another server", "404", "a list", "odd data", "half JSON"],
)
def test_another_server_on_that_port_is_not_named(name, routes):
    with ScriptedServer(routes=routes) as server:
        assert find_local_servers(20, {name: server.port}) == []


@pytest.mark.parametrize("name", SERVERS)
def test_a_model_server_on_another_ones_port_is_not_called_by_that_name(name):
    for other in SERVERS.keys() - {name}:
        with ScriptedServer(routes=SERVERS[other]) as server:
            assert find_local_servers(20, {name: server.port}) == []


def test_an_ollama_without_a_model_is_found_and_said_to_have_none():
    routes = {**OLLAMA, "/v1/models": as_json({"object": "list", "data": None})}
    with ScriptedServer(routes=routes) as server:
        found = find_local_servers(20, {"Ollama": server.port})
    assert found == [LocalServer("Ollama", server.base_url, ())]
    assert "has no model yet" in suggestion(found)


def test_a_port_where_nobody_is_is_passed_over():
    with ScriptedServer() as server:
        pass
    assert find_local_servers(0.3, {"Ollama": server.port}) == []


def test_something_that_never_answers_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert find_local_servers(0.1, {"llama.cpp": mute.getsockname()[1]}) == []


def test_something_that_does_not_speak_http_is_passed_over():
    with socket.create_server(("127.0.0.1", 0)) as odd:
        import threading

        def talk() -> None:
            connection, _ = odd.accept()
            with connection:
                connection.sendall(b"SSH-2.0-OpenSSH_9\r\n")

        thread = threading.Thread(target=talk)
        thread.start()
        assert find_local_servers(20, {"llama.cpp": odd.getsockname()[1]}) == []
        thread.join()


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with ScriptedServer(routes=OLLAMA) as server:
        assert len(find_local_servers(20, {"Ollama": server.port})) == 1


def test_no_port_no_server():
    assert find_local_servers(20, {}) == []


def test_nothing_is_asked_of_a_model_while_looking():
    with ScriptedServer(routes=OLLAMA) as server:
        find_local_servers(20, {"Ollama": server.port})
    assert {request.method for request in server.requests} == {"GET"}


def test_the_models_of_an_address_are_listed():
    with ScriptedServer(models=("one", "two")) as server:
        assert list_models(server.base_url) == ("one", "two")
    assert list_models(server.base_url) == ()


def test_the_suggestion_says_how_to_choose():
    found = [LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("a", "b"))]
    text = suggestion(found)
    assert "`%reflex model a --base-url http://127.0.0.1:11434/v1`" in text
    assert "also has b" in text
    assert suggestion([]) == ""
