"""Messages of a page, sensible or not: none of them raises in the kernel's loop."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reflex_ipython.ipython.desk import Desk
from reflex_ipython.ipython.messages import parse
from reflex_ipython.models import Repair

NONSENSE: list[Any] = [
    None,
    [],
    {},
    {"type": "nonsense"},
    {"type": "hello"},
    {
        "type": "decide",
        "repair": "a",
        "fix": "b",
        "decision": "maybe",
        "sources": [""],
        "run": True,
        "whole": False,
        "applied": True,
    },
    {
        "type": "decide",
        "repair": "a",
        "fix": "b",
        "decision": "accepted",
        "sources": [5],
        "run": True,
        "whole": False,
        "applied": True,
    },
    {"type": "refused", "repair": "a", "status": "no such status"},
    {"type": "enable", "enabled": "yes"},
    {"type": "ask", "repair": "a"},
]
UNKNOWN_REPAIR = [
    {
        "type": "decide",
        "repair": "zz",
        "fix": "b",
        "decision": word,
        "sources": [""],
        "run": True,
        "whole": False,
        "applied": True,
    }
    for word in ("accepted", "rejected")
] + [
    {"type": "refused", "repair": "zz", "status": "read-only"},
    {"type": "ask", "repair": "zz", "hint": ""},
    {"type": "cancel", "repair": "zz"},
    {"type": "applied", "request": "zz", "status": "read-only"},
]


class Page:
    """What a desk needs of a front end, and what it was told."""

    def __init__(self) -> None:
        self.page = SimpleNamespace(clients=set[str]())
        self.requests: dict[str, Any] = {}
        self.told: list[Any] = []
        self.presenter = SimpleNamespace(tell_pages=self.tell_pages)

    def tell(self, message: Any) -> None:
        self.told.append(message)

    def tell_pages(self, repair: Repair, working: str) -> None:
        self.told.append(repair)


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def desk(shell: Any, run: Any, warnings: list[str]) -> Desk:
    """A desk over a session in which a cell has failed."""
    run("total = 3")
    run("toatl")
    extension = shell.reflex_extension
    return Desk(extension.assembly.session, extension.config, Page(), warnings.append)  # type: ignore[arg-type]  # enough of one


@pytest.mark.parametrize("data", NONSENSE, ids=str)
def test_what_is_no_message_is_warned_of_once_and_changes_nothing(
    desk: Desk, shell: Any, warnings: list[str], data: Any
) -> None:
    before = shell.reflex_extension.assembly.session.repairs.latest()
    with pytest.raises(ValueError, match=r"known|missing or of the wrong kind"):
        parse(data)
    desk.receive(data)
    assert len(warnings) == 1
    assert shell.reflex_extension.assembly.session.repairs.latest() == before


@pytest.mark.parametrize("data", UNKNOWN_REPAIR, ids=str)
def test_a_repair_of_another_kernel_is_left_alone(
    desk: Desk, shell: Any, warnings: list[str], data: dict[str, Any]
) -> None:
    before = shell.reflex_extension.assembly.session.repairs.latest()
    desk.receive(data)
    assert not warnings
    assert shell.reflex_extension.assembly.session.repairs.latest() == before


def test_the_first_characters_of_an_id_are_enough(shell: Any, run: Any) -> None:
    run("total = 3")
    run("toatl")
    session = shell.reflex_extension.assembly.session
    repair = session.repairs.latest()
    session.accept(repair.id[:5])
    session.undo(repair.id[:5])
    session.reject(repair.id[:5])
    assert session.repairs.find(repair.id).decision.kind == "rejected"
