"""What a page is answered before anything has failed."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.ipython.from_kernel import Welcome, dump
from reflex_ipython.ipython.from_page import Hello, parse
from reflex_ipython.ipython.greeting import Greeting, told
from reflex_ipython.ipython.page_comm import PageComm
from reflex_ipython.settings import Settings
from reflex_ipython.version import __version__

HELLO = {"type": "hello", "client": "a page", "version": "0"}


class Kept(PageComm):
    """Keeps what would be sent."""

    def __init__(self) -> None:
        super().__init__(lambda data: None, kernel=None)
        self.sent: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)


@pytest.mark.parametrize("enabled", [True, False])
def test_a_hello_is_answered_as_the_message_handlers_answer_it(enabled: bool) -> None:
    page = Kept()
    greeting = Greeting(page)
    assert greeting.answered(HELLO, Settings(enabled=enabled))
    assert page.sent == [dump(Welcome(greeting.session, __version__, enabled, "automatic", "", ""))]
    assert page.clients == {parse(HELLO).client if isinstance(parse(HELLO), Hello) else ""}


@pytest.mark.parametrize(
    "data",
    [
        {"type": "hello"},
        {**HELLO, "client": 3},
        {**HELLO, "client": ""},
        {**HELLO, "version": None},
        {**HELLO, "more": 1},
        {**HELLO, "type": "bye"},
        [HELLO],
        "hello",
        None,
    ],
)
def test_what_is_no_hello_is_left_to_those_who_can_say_what_is_wrong(data: Any) -> None:
    page = Kept()
    assert not Greeting(page).answered(data, Settings())
    assert not page.sent
    assert not page.clients


@pytest.mark.parametrize(
    ("settings", "server"),
    [
        (Settings(model="tiny", base_url="http://127.0.0.1:11434/v1"), "127.0.0.1:11434"),
        (Settings(model="tiny", base_url="https://me:secret@models.example/v1"), "models.example"),
        (Settings(model="tiny", provider="groq"), "groq"),
        (Settings(model="tiny"), ""),
        (Settings(base_url="https://models.example/v1"), ""),
    ],
)
def test_a_page_is_told_where_the_model_is_and_nothing_secret_of_its_address(settings: Settings, server: str) -> None:
    assert (told(settings)["model"], told(settings)["server"]) == (settings.model or "", server)
