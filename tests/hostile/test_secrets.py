"""Secrets in all places of a notebook, and what a model's server really gets of them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator

import pytest

from reflex_ipython.capture import Redactor
from reflex_ipython.models import Failure, Repair, Verdict
from reflex_ipython.pipeline import grow
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.protocols import Context, Request
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer
from tests.capture.conftest import Notebook
from tests.hostile import planted

WHOLE = bool(os.environ.get("HOSTILE_WHOLE"))
Case = tuple[str, str, Callable[["Sent"], str]]
"""Text, secret (or the text that must arrive), and what puts it into a notebook and gives what was sent."""


class Sent:
    """Asks a real server about a notebook's failure, and gives what it got."""

    def __init__(self, server: ScriptedServer) -> None:
        self._server = server

    def __call__(self, failure: Failure, hint: str = "", known: frozenset[str] = frozenset()) -> str:
        settings = Settings(model="scripted", base_url=self._server.base_url, timeout=30.0)
        provider = ModelProvider(Context(lambda: settings))
        repair = Repair("r", "s", failure)
        request = Request(hint=hint, cancelled=threading.Event())
        before = len(self._server.chats)
        redactor = Redactor(home="/home/ann", user="ann", known=known)
        list(grow(repair, [provider], lambda *_: Verdict(), request, redactor))
        assert len(self._server.chats) == before + 1
        messages = self._server.chats[-1].json["messages"]
        return "\n".join(message["content"] for message in messages)

    def in_cell(self, text: str) -> str:
        notebook = Notebook()
        return self(notebook.fail(f"{text}\nnothing_like_it", "nothing_like_it"))

    def in_earlier_cell(self, text: str) -> str:
        notebook = Notebook()
        notebook.run(f"def load():\n    nothing_like_it\n\n\n{text}", "def load():\n    nothing_like_it\n")
        return self(notebook.fail("load()"))

    def in_message(self, text: str) -> str:
        notebook = Notebook()
        notebook.namespace["told"] = [text]
        notebook.run("def stop():\n    raise RuntimeError(told[0])")
        return self(notebook.fail("stop()"))

    def in_value(self, text: str) -> str:
        notebook = Notebook()
        notebook.namespace["told"] = text
        return self(notebook.fail("told.nothing_like_it"))

    def in_items(self, text: str) -> str:
        notebook = Notebook()
        notebook.namespace["told"] = {"a": 1, "text": text}
        return self(notebook.fail("told.nothing_like_it"))

    def in_hint(self, text: str) -> str:
        return self(Notebook().fail("nothing_like_it"), hint=text)


def quoted(text: str) -> str:
    return f"x = {text!r}" if "\n" not in text else f'x = """{text}"""'


def secret_cases() -> Iterator[Case]:
    for service, make in planted.BY_SHAPE.items():
        key = make(service)
        yield quoted(key), key, Sent.in_cell
        yield quoted(key), key, Sent.in_earlier_cell
        if len(key) < 150 and "\n" not in key:
            yield f"the key {key} was not accepted", key, Sent.in_message
            yield key, key, Sent.in_hint
        if len(key) < 55:
            yield key, key, Sent.in_value
    for text, make in planted.IN_CODE:
        key = make(text)
        yield text.replace("§", key), key, Sent.in_cell
        if not text.startswith("%%"):
            yield text.replace("§", key), key, Sent.in_earlier_cell
    for text in planted.IN_WORDS:
        key = planted.password(text)
        for place in (Sent.in_message, Sent.in_value, Sent.in_items, Sent.in_hint):
            yield text.replace("§", key), key, place
        yield f"text = {text.replace('§', key)!r}", key, Sent.in_cell
        yield "\n".join(f"# {line}" for line in text.replace("§", key).split("\n")), key, Sent.in_cell


def harmless_cases() -> Iterator[Case]:
    for text in planted.HARMLESS_CODE:
        yield text, text, Sent.in_cell
        yield text, text, Sent.in_earlier_cell
    for text in planted.HARMLESS_WORDS:
        yield text, text, Sent.in_message
        yield text, text, Sent.in_hint
        yield f"# {text}", text, Sent.in_cell


@pytest.fixture(scope="module")
def sent() -> Iterator[Sent]:
    with ScriptedServer(answer=lambda question: Say(["I do not know."])) as server:
        yield Sent(server)


def some(cases: Iterator[Case]) -> list[Case]:
    """All cases, or every third of them: each row of the tables is there in one place at least."""
    found = list(cases)
    return found if WHOLE else found[::3]


def test_secrets_are_withheld_wherever_they_stand(sent: Sent) -> None:
    cases = some(secret_cases())
    gone = [(place.__name__, text) for text, key, place in cases if _shows(key, place(sent, text))]

    assert len(cases) >= 150
    assert len(gone) <= 0.03 * len(cases), "\n".join(f"{place}: {text[:140]!r}" for place, text in gone)


def test_harmless_look_alikes_arrive_as_they_are(sent: Sent) -> None:
    cases = some(harmless_cases())
    damaged = [(place.__name__, text) for text, wanted, place in cases if wanted not in place(sent, text)]

    assert len(cases) >= 80
    assert len(damaged) <= 0.03 * len(cases), "\n".join(f"{place}: {text[:140]!r}" for place, text in damaged)


def _shows(key: str, sent: str) -> bool:
    lines = key.split("\n")
    return any(line in sent for line in ([key] if len(lines) == 1 else lines[1:-1]))
