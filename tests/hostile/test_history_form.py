"""What is kept: the history has what a model gets, and nothing has the key, whatever a server echoes."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.chat import stream_chat
from reflex_ipython.propose.echo import Echo, without_key
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Raw, Refuse, Say, ScriptedServer
from tests.hostile import planted
from tests.ipython import conftest as in_shell

KEY = "sk-" + "Very5ecret0123456789"
HELD, WRITTEN = planted.password("held"), planted.password("written")
ANSWER = "It needs a value.\n```python\nanswer = 42\n```\n"

plain_shell, shell, run = in_shell.plain_shell, in_shell.shell, in_shell.run


def everything_in(path: Path) -> str:
    """All rows of the file, and the file itself with what waits to be written into it."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT * FROM repairs").fetchall()
    connection.close()
    raw = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    return json.dumps(rows) + raw.decode("latin-1")


@pytest.fixture
def history(shell: Any, tmp_path: Path) -> Callable[[], str]:
    """Ends the session, and gives all that its history file holds."""
    file = tmp_path / "history.sqlite"
    shell.run_line_magic("config", f"Reflex.history_file = {str(file)!r}")

    def read() -> str:
        shell.reflex_extension.assembled.session.recorder.close()
        return everything_in(file)

    return read


def test_the_history_has_neither_the_secrets_of_values_nor_those_of_cells(
    shell: Any, run: Any, history: Callable[[], str]
) -> None:
    shell.user_ns["told"] = {"user": "ann", "password": HELD}
    shell.user_ns["message"] = f"no login with {HELD} for ann"
    run(f"def login(told):\n    db_password = {WRITTEN!r}\n    raise ValueError(message)")
    run("login(told)")
    run(f"connect(password={WRITTEN!r})")

    kept = history()

    assert re.search(r"no login with REDACTED_\d for ann", kept)
    assert HELD not in kept
    assert WRITTEN not in kept


def test_a_cell_without_secrets_is_kept_as_it_is(run: Any, history: Callable[[], str], tmp_path: Path) -> None:
    source = f"open({str(Path.home() / 'sales.csv')!r})  # max_tokens=512, primary_key"
    run(source)

    assert json.dumps(json.dumps(source)[1:-1])[1:-1] in history() or json.dumps(source)[1:-1] in history()


def test_a_setting_keeps_everything(shell: Any, run: Any, history: Callable[[], str]) -> None:
    shell.run_line_magic("config", "Reflex.history_redacted = False")
    run(f"connect(password={WRITTEN!r})")

    assert WRITTEN in history()


def test_a_fix_with_a_secret_is_shown_with_it_and_kept_without(
    shell: Any, run: Any, history: Callable[[], str]
) -> None:
    answer = "It needs a value.\n```python\nanswer = login(password='REDACTED_1')\n```\n"
    with ScriptedServer(answer=lambda question: Say([answer])) as server:
        shell.run_line_magic("reflex", f"model tiny --base-url {server.base_url}")
        run(f"answer = nothing_like_it(password={WRITTEN!r})")
        fixes = shell.reflex_extension.assembled.session.repairs.latest().fixes
        kept = history()
    assert WRITTEN in fixes[0].edits[-1].source
    assert WRITTEN not in kept
    assert "answer = login(password='REDACTED_1')" in kept


# ------------------------------------------------------------------------------------------ the key


def ask(server: ScriptedServer, pieces: list[str], key: str = KEY) -> Any:
    settings = Settings(model="scripted", base_url=server.base_url, api_key=key, timeout=20.0)
    question = [{"role": "user", "content": "why?"}]
    return stream_chat(question, settings, cancelled=threading.Event(), on_text=pieces.append)


def shows(key: str, text: str) -> bool:
    return any(key[at : at + 8] in text for at in range(len(key) - 7))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    "echo", [KEY, KEY[:8], KEY[5:15], KEY[-8:], f"{KEY}{KEY}", f"'{KEY[:-1]}'", f"{KEY[:9]}…{KEY[-9:]}"]
)
def test_an_echo_of_the_key_is_neither_shown_nor_given(echo: str, size: int) -> None:
    said = f"You sent {echo} to me, and that was it. sk-"
    pieces: list[str] = []
    with ScriptedServer(Say([said[at : at + size] for at in range(0, len(said), size)])) as server:
        reply = ask(server, pieces)
    assert "".join(pieces) == reply.text
    assert not shows(KEY, reply.text)
    assert reply.text.startswith("You sent ")
    assert reply.text.endswith(" to me, and that was it. sk-")


@pytest.mark.parametrize(
    "reply",
    [
        Refuse(401, f"Incorrect API key provided: {KEY}."),
        Refuse(401, f"Incorrect API key provided: {KEY[:9]}*****{KEY[-8:]}."),
        Refuse(400, f"Bad header 'Bearer {KEY}'"),
        Refuse(404, f"no model for {KEY}", code="model_not_found"),
        Refuse(429, f"slow down, {KEY}"),
        Refuse(500, f"trouble with {KEY[2:12]}"),
        Raw(json.dumps({"error": {"message": f"no {KEY}"}}), "application/json"),
        Raw(f"<html>{KEY}</html>"),
        Raw(KEY, "text/plain", 418),
        Raw("", "text/plain", 307, {"Location": f"http://{KEY.lower()}.invalid/{KEY}"}),
    ],
)
def test_no_error_shows_the_key(reply: Any) -> None:
    with ScriptedServer(reply) as server, pytest.raises(ModelError) as error:
        ask(server, [])
    chain, one = [], error.value
    while one is not None:
        chain += [str(one), repr(one), str(vars(one))]
        one = one.__cause__ or one.__context__
    assert not shows(KEY, " ".join(chain))


def test_a_key_that_no_header_can_carry_is_not_shown_either() -> None:
    with ScriptedServer(Say("ok")) as server, pytest.raises(ModelError) as error:
        ask(server, [], key=f"{KEY}\n")
    assert not shows(KEY, str(error.value))


def test_a_key_in_a_fix_is_neither_shown_nor_kept(shell: Any, run: Any, history: Callable[[], str]) -> None:
    answer = f"Your key is {KEY}.\n```python\nanswer = {KEY!r}\n```\n"
    with ScriptedServer(answer=lambda question: Say(list(answer))) as server:
        shell.run_line_magic("config", f"Reflex.api_key = {KEY!r}")
        shell.run_line_magic("reflex", f"model tiny --base-url {server.base_url}")
        _, shown = run("answer = nothing_like_it()")
        repair = shell.reflex_extension.assembled.session.repairs.latest()
        kept = history()
    assert repair.fixes[0].edits[-1].source == "answer = '<key>'"
    assert not shows(KEY, f"{repair} {shown} {kept}")


def test_the_key_of_a_variable_of_any_name_is_neither_sent_in_a_question_nor_shown_nor_kept(
    shell: Any, run: Any, history: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = "quite plain words 4711"  # by its look nobody takes it for a key
    monkeypatch.setenv("MINE", held)
    answer = f"You hold {held}.\n```python\nanswer = 42\n```\n"
    with ScriptedServer(answer=lambda question: Say(list(answer))) as server:
        shell.run_line_magic("reflex", f"model tiny --base-url {server.base_url} --key-variable MINE")
        _, shown = run(f"answer = nothing_like_it({held!r})")
        repair = shell.reflex_extension.assembled.session.repairs.latest()
        kept = history()
    assert {chat.headers["authorization"] for chat in server.chats} == {f"Bearer {held}"}
    assert not [chat for chat in server.chats if held in chat.body.decode()]
    assert held not in f"{repair.fixes[0].explanation} {kept}"
    assert repair.fixes[0].edits[-1].source == "answer = 42", shown


@pytest.mark.parametrize("key", ["", "x", "ollama", "none"])
def test_a_key_that_is_none_hides_no_words(key: str) -> None:
    echo = Echo(key)
    assert echo.piece("no ollama, none, x") + echo.rest() == "no ollama, none, x"


def test_a_text_without_the_key_is_as_it_was() -> None:
    text = "sk-Very sk- Very5ec 0123456 skVery5ec"
    assert without_key(text, KEY) == text


# ------------------------------------------------------------------------------------------ %reflex context


def test_the_context_shows_every_byte_that_is_sent(shell: Any, run: Any) -> None:
    with ScriptedServer(answer=lambda question: Say(["I do not know."])) as server:
        shell.run_line_magic("config", "Reflex.ask_model = 'on request'")
        shell.run_line_magic("reflex", f"model tiny --base-url {server.base_url}")
        run(f"answer = nothing_like_it(password={WRITTEN!r})  # größer")
        _, shown = run("%reflex context why is it größer")
        assert server.chats == []
        run("%reflex fix why is it größer")
        sent, *_ = server.chats  # the others ask again, as there was no fix
    assert sent.body.decode() in shown
    assert f"{len(sent.body):,} bytes" in shown
    assert f"{server.base_url}/chat/completions" in shown
    assert "REDACTED_1: password, in the failing cell, the traceback" in shown
    assert WRITTEN not in shown


def test_without_a_model_the_context_says_that_nothing_is_sent(run: Any) -> None:
    run("answer = nothing_like_it()")
    _, shown = run("%reflex context")

    assert "No model is chosen, so nothing is sent." in shown
    assert "nothing_like_it" in shown
    assert "Withheld: nothing, because no secret was recognised." in shown
