"""A server that sends a question on, and what else could carry the key somewhere else."""

from __future__ import annotations

import threading

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.chat import Reply, stream_chat
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Raw, Say, ScriptedServer

KEY = "sk-" + "very-secret-0123456789"


def ask(server: ScriptedServer) -> Reply | None:
    settings = Settings(model="scripted", base_url=server.base_url, api_key=KEY, timeout=20.0)
    return stream_chat([{"role": "user", "content": "why?"}], settings, cancelled=threading.Event())


def redirect(status: int, location: str) -> Raw:
    return Raw("elsewhere", "text/plain", status, {"Location": location})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_another_host_or_port_gets_nothing(status: int, host: str) -> None:
    with ScriptedServer(Say("ok")) as other:
        where = f"http://{host}:{other.port}/v1/chat/completions"
        with ScriptedServer(redirect(status, where)) as server, pytest.raises(ModelError) as refused:
            ask(server)
        assert other.requests == []
    assert f"{host}:{other.port}".replace("[", "").replace("]", "") in str(refused.value).replace("[", "").replace(
        "]", ""
    )
    assert "It was not sent there" in str(refused.value)
    assert "Reflex.base_url" in str(refused.value)


@pytest.mark.parametrize(
    "location",
    ["https://127.0.0.1/v1/chat/completions", "//evil.invalid/v1", "http://[", "http://a:b@evil.invalid/", "ftp://x/y"],
)
def test_no_spelling_of_another_place_is_followed(location: str) -> None:
    with ScriptedServer(redirect(307, location)) as server, pytest.raises(ModelError) as refused:
        ask(server)
    assert len(server.requests) == 1
    assert refused.value.code == "bad-reply"


@pytest.mark.parametrize("location", ["/v1/chat/completions", "completions", "{origin}/v1/chat/completions"])
def test_a_redirect_within_the_server_is_followed(location: str) -> None:
    with ScriptedServer(answer=lambda question: replies.pop(0)) as server:
        replies = [redirect(308, location.format(origin=server.base_url.removesuffix("/v1"))), Say("ok")]
        reply = ask(server)
    assert reply is not None
    assert reply.text == "ok"
    assert [request.json["messages"] for request in server.requests] == [[{"role": "user", "content": "why?"}]] * 2


def test_a_circle_of_redirects_ends() -> None:
    with ScriptedServer(answer=lambda question: redirect(307, "/v1/chat/completions")) as server:
        with pytest.raises(ModelError):
            ask(server)
        assert len(server.requests) < 50


def test_what_the_environment_says_of_another_server_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-another")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway-Key: of-another")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-" + "of-another-0123456789")
    with ScriptedServer(Say("ok")) as server:
        ask(server)
    sent = str(server.requests[0].headers)
    assert "of-another" not in sent
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_what_the_environment_says_of_its_own_server_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(Say("ok")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_ORG_ID", "org-of-this")
        ask(server)
    assert server.requests[0].headers["openai-organization"] == "org-of-this"


def test_neither_a_proxy_nor_netrc_comes_between_a_local_server_and_its_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    netrc = f"{tmp_path}/netrc"
    with open(netrc, "w") as file:
        file.write("machine 127.0.0.1 login ann password of-netrc\ndefault login eve password of-netrc\n")
    monkeypatch.setenv("NETRC", netrc)
    with ScriptedServer(Say("stolen")) as proxy, ScriptedServer(Say("ok")) as server:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        reply = ask(server)
    assert reply is not None
    assert reply.text == "ok"
    assert proxy.requests == []
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
