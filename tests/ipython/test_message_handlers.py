"""Messages of a page, sensible or not: none of them raises in the kernel's loop."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from reflex_ipython.errors import CellEditRefused
from reflex_ipython.ipython.at_once import AtOnce
from reflex_ipython.ipython.from_page import parse
from reflex_ipython.ipython.front_end import PageRequest
from reflex_ipython.ipython.message_handlers import MessageHandlers
from reflex_ipython.models import Repair
from reflex_ipython.present.genuine import is_fix
from reflex_ipython.present.panel import PanelState, document, panel_state

ACCEPT = {
    "type": "accept", "session": "s", "repair": "zz", "request": "r", "client": "", "shown": {}, "sources": [],
    "run": True, "whole": False, "read": False,
}  # fmt: skip
CHOICE = {"model": "tiny", "base_url": "http://127.0.0.1:1/v1", "key_variable": "OPENAI_API_KEY"}
NONSENSE: list[Any] = [
    None,
    [],
    {},
    {"type": "nonsense"},
    {"type": ["hello"]},
    {"type": "hello"},
    {**ACCEPT, "repair": 5},
    {**ACCEPT, "shown": []},
    {**ACCEPT, "sources": [5]},
    {**ACCEPT, "run": "yes"},
    {"type": "recall", "request": "r", "repair": "a", "shown": None},
    {"type": "reject", "repair": "a"},
    {"type": "enable", "enabled": "yes"},
    {"type": "ask", "repair": "a"},
    {"type": "choose", "session": "s", "repair": "zz", "name": 3},
    {"type": "set-trial", "trial": "always"},
    {"type": "try-again", "session": "s", "repair": "zz", "request": "r"},
    {"type": "want-context", "repair": "zz"},
    {"type": "want-models", "repair": "zz"},
    {
        "type": "want-key-state",
        "session": "s",
        "repair": "zz",
        "base_url": "http://127.0.0.1:1/v1",
        "key_variable": None,
    },
    {"type": "check-model", "session": "s", "repair": "zz", "request": "r", **CHOICE, "model": ["tiny"]},
    {"type": "use-model", "session": "s", "repair": "zz", **CHOICE},
]
UNKNOWN_REPAIR = [
    ACCEPT,
    {"type": "reject", "session": "s", "repair": "zz"},
    {"type": "ask", "session": "s", "repair": "zz", "hint": ""},
    {"type": "cancel", "session": "s", "repair": "zz"},
    {"type": "try", "session": "s", "repair": "zz", "fix": "f"},
    {"type": "try-again", "session": "s", "repair": "zz", "request": "r", "fix": "f"},
    {"type": "want-context", "session": "s", "repair": "zz"},
    {"type": "choose", "session": "s", "repair": "zz", "name": "total"},
    {"type": "want-models", "session": "s", "repair": "zz"},
    {"type": "use-model", "session": "s", "repair": "zz", "request": "r", **CHOICE},
    {"type": "applied", "request": "zz", "status": "read-only"},
]


class PageComm:
    """What a desk needs of a front end, and what it was told."""

    def __init__(self) -> None:
        self.page = SimpleNamespace(clients=set[str]())
        self.requests: dict[str, Any] = {}
        self.told: list[Any] = []
        self.presenter = SimpleNamespace(
            tell_pages=self.tell_pages,
            tell=self.answer,
            state=self.state,
            assure=self.tell_pages,
            has_told=self.has_told,
        )

    def tell(self, message: Any) -> None:
        self.told.append(message)

    def say(self, words: str, asked: PageRequest, *, trouble: bool = False) -> None:
        self.told.append((words, trouble))

    def answer(self, repair_id: str, message: Any) -> None:
        self.told.append(message)

    def state(self, repair: Repair, working: str) -> PanelState:
        return panel_state(repair, working=working)

    def has_told(self, repair: Repair, shown: dict[str, Any]) -> bool:
        return is_fix(shown, panel_state(repair))

    def tell_pages(self, repair: Repair, working: str) -> None:
        self.told.append(repair)


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def front_end() -> PageComm:
    return PageComm()


@pytest.fixture
def desk(shell: Any, run: Any, front_end: PageComm, warnings: list[str]) -> MessageHandlers:
    """A desk over a session in which a cell has failed."""
    run("total = 3")
    run("toatl")
    extension = shell.reflex_extension
    return MessageHandlers(
        extension.assembly.session,
        extension.config,
        front_end,
        warnings.append,
        lambda *_: None,
        str,
        print,
        None,
        AtOnce(),
    )  # type: ignore[arg-type]  # enough of one


@pytest.mark.parametrize("data", NONSENSE, ids=str)
def test_what_is_no_message_is_warned_of_once_and_changes_nothing(
    desk: MessageHandlers, shell: Any, warnings: list[str], data: Any
) -> None:
    before = shell.reflex_extension.assembly.session.repairs.latest()
    with pytest.raises(ValueError, match=r"known|missing or of the wrong kind"):
        parse(data)
    desk.receive(data)
    assert len(warnings) == 1
    assert shell.reflex_extension.assembly.session.repairs.latest() == before


@pytest.mark.parametrize("data", UNKNOWN_REPAIR, ids=str)
def test_a_repair_of_another_kernel_is_left_alone(
    desk: MessageHandlers, shell: Any, warnings: list[str], data: dict[str, Any]
) -> None:
    before = shell.reflex_extension.assembly.session.repairs.latest()
    desk.receive(data)
    assert not warnings
    assert shell.reflex_extension.assembly.session.repairs.latest() == before


def accept(repair: Repair, **choice: Any) -> dict[str, Any]:
    shown = document(panel_state(repair))["fixes"][0]
    return {**ACCEPT, "session": repair.session, "repair": repair.id, "shown": shown, "run": False, **choice}


def test_a_decision_is_noted_with_all_that_was_chosen(desk: MessageHandlers, shell: Any) -> None:
    repairs = shell.reflex_extension.assembly.session.repairs
    desk.receive(accept(repairs.latest(), sources=["total + 1"], whole=True))
    decision = repairs.latest().decision
    assert (decision.kind, decision.run, decision.whole) == ("accepted", False, True)
    assert decision.steps[-1].source == "total + 1"


def test_a_rejection_is_noted_and_what_cannot_be_decided_any_more_is_declined_and_said_on_its_panel(
    desk: MessageHandlers, shell: Any, run: Any, front_end: PageComm
) -> None:
    repairs = shell.reflex_extension.assembly.session.repairs
    first = repairs.latest()
    run("toatl + 1")
    desk.receive({"type": "reject", "session": first.session, "repair": first.id})
    assert (repairs.find(first.id).decision.kind, repairs.find(first.id).trouble) == ("rejected", "")
    desk.receive(accept(first))
    assert "it was rejected" in repairs.find(first.id).trouble
    assert [(message.request, "it was rejected" in message.reason) for message in front_end.told] == [("r", True)]
    assert repairs.latest().trouble == ""


def test_an_undoing_that_the_page_could_not_do_is_taken_back_and_said(
    desk: MessageHandlers, front_end: PageComm, shell: Any
) -> None:
    session = shell.reflex_extension.assembly.session
    repair, _ = session.decisions.accept(session.repairs.latest().id)
    session.decisions.undo(repair.id)
    front_end.requests["r"] = PageRequest(repair.id, {}, lambda: "done")
    desk.receive({"type": "applied", "request": "r", "status": "read-only"})
    assert front_end.told == [("Not undone: the cell can't be edited.", True)]
    after = session.repairs.find(repair.id)
    assert (after.decision.kind, after.trouble) == ("accepted", "Not undone: the cell can't be edited.")


def test_a_fix_that_can_not_run_in_place_any_more_stays_open_and_says_how_to_run_it(
    desk: MessageHandlers, front_end: PageComm, shell: Any
) -> None:
    def closed(repair_id: str, source: str, then: Any) -> None:
        raise CellEditRefused("This panel is closed.", "no-front-end")

    front_end.run_in_place = closed  # type: ignore[attr-defined]  # of the front end
    repairs = shell.reflex_extension.assembly.session.repairs
    desk.receive(accept(repairs.latest(), run=True))
    assert (repairs.latest().decision, repairs.latest().trouble) == (None, "This panel is closed.")
    assert [message.reason for message in front_end.told] == ["This panel is closed."]


def test_a_cell_that_was_rewritten_but_could_not_be_run_is_told_after_that(
    desk: MessageHandlers, front_end: PageComm, shell: Any
) -> None:
    session = shell.reflex_extension.assembly.session
    repair, _ = session.decisions.accept(session.repairs.latest().id)
    front_end.requests["r"] = PageRequest(repair.id, {}, None)
    front_end.finish = front_end.told.append  # type: ignore[attr-defined]  # of the front end
    for status in ("applied", "run-failed"):
        desk.receive({"type": "applied", "request": "r", "status": status})
    assert front_end.told == [front_end.requests["r"], ("The cell was rewritten, but could not be run.", True)]


def test_the_first_characters_of_an_id_are_enough(shell: Any, run: Any) -> None:
    run("total = 3")
    run("toatl")
    session = shell.reflex_extension.assembly.session
    repair = session.repairs.latest()
    session.decisions.accept(repair.id[:5])
    session.decisions.undo(repair.id[:5])
    session.decisions.reject(repair.id[:5])
    assert session.repairs.find(repair.id).decision.kind == "rejected"


@pytest.mark.parametrize("wish", ["hello", "recall"])
def test_a_page_that_asks_is_told_the_newest_state_last(desk: MessageHandlers, front_end: PageComm, wish: str) -> None:
    """Else a panel said for ever that a fix is being tried: the answer came behind what had come of it."""
    repairs = desk._session.repairs
    repair = repairs.latest()
    waits: list[bool] = []

    def change() -> None:
        waits.append(not repairs.lock.acquire(blocking=False))
        if not waits[-1]:
            repairs.lock.release()

    def tell(repair: Repair, working: Any) -> None:
        thread = threading.Thread(target=change)
        thread.start()
        thread.join()

    front_end.presenter.tell_pages = front_end.presenter.assure = tell
    messages = {
        "hello": {"type": "hello", "client": "c", "version": "0"},
        "recall": {"type": "recall", "request": "r", "repair": repair.id, "shown": {}},
    }
    desk.receive(messages[wish])
    assert waits
    assert all(waits)
