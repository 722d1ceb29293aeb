"""What a notebook's front end keeps for each repair, and that all of it goes with the repair."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reflex_ipython.errors import CellEditRefused
from reflex_ipython.ipython.front_end import KEPT_REQUESTS, NotebookFrontEnd
from reflex_ipython.ipython.notebook import KEPT_WIDGETS, WidgetPanel
from reflex_ipython.models import CellChanges, CellRef, Edit, Repair
from reflex_ipython.present.offers import NOTHING
from tests.repairs.fakes import a_failure


class Widget:
    """A panel's widget, as far as a presenter needs it."""

    model_id = "m"

    def __init__(self, state: dict[str, Any]) -> None:
        self.state, self.told, self.open = state, list[Any](), True

    def tell(self, message: Any) -> None:
        self.told.append(message)

    def close(self) -> None:
        self.open = False


class Session:
    """A kernel's session (`jupyter_client.session.Session`) that sends nothing."""

    def send(self, *arguments: Any, **named: Any) -> None:
        pass


@pytest.fixture
def widgets() -> dict[str, Widget]:
    """All that were made, by their repairs."""
    return {}


@pytest.fixture
def front_end(widgets: dict[str, Widget], monkeypatch: pytest.MonkeyPatch) -> NotebookFrontEnd:
    shell = SimpleNamespace(get_parent=lambda: {"header": {"session": "tab"}})
    shell.kernel = SimpleNamespace(shell=shell, session=Session(), iopub_socket=None)
    page = SimpleNamespace(clients=set[str](), send=lambda message: None)
    made: NotebookFrontEnd = NotebookFrontEnd(shell, page, lambda data: None, lambda repair, work: NOTHING)  # type: ignore[arg-type]  # enough of one

    def make_panel(state: dict[str, Any]) -> WidgetPanel:
        widgets[state["repair"]] = Widget(state)
        return WidgetPanel(widgets[state["repair"]], shell.get_parent())

    monkeypatch.setattr(made.presenter, "_make_panel", make_panel)
    return made


def shown(front_end: NotebookFrontEnd, repair_id: str) -> Repair:
    repair = Repair(repair_id, "s", a_failure())
    front_end.presenter.show(repair, None)
    return repair


def test_a_repair_that_is_forgotten_takes_its_panel_and_what_a_page_was_asked_along(
    front_end: NotebookFrontEnd, widgets: dict[str, Widget]
) -> None:
    front_end.page.clients.add("tab")
    for repair_id in ("old", "new"):
        shown(front_end, repair_id)
        front_end.apply(repair_id, CellChanges((), Edit(CellRef("a", 1), "x", "y")), run=True)
    front_end.forget("old")
    assert {name: widget.open for name, widget in widgets.items()} == {"old": False, "new": True}
    assert [asked.repair for asked in front_end.requests.values()] == ["new"]
    assert list(front_end.presenter.panels) == ["new"]
    with pytest.raises(CellEditRefused, match="accept old"):
        front_end.run_in_place("old", "y", lambda: None)
    front_end.forget("never shown")


def test_what_is_said_of_a_forgotten_repair_reaches_no_panel(
    front_end: NotebookFrontEnd, widgets: dict[str, Widget]
) -> None:
    repair = shown(front_end, "old")
    front_end.presenter.text(repair, "a word", True)
    front_end.forget("old")
    front_end.presenter.text(repair, "too late", False)
    assert [message.text for message in widgets["old"].told] == ["a word"]


def test_the_panels_that_were_not_shown_for_the_longest_are_closed_first(
    front_end: NotebookFrontEnd, widgets: dict[str, Widget]
) -> None:
    names = [str(number) for number in range(KEPT_WIDGETS)]
    for name in (*names, names[0], "one more"):
        shown(front_end, name)
    assert [name for name, widget in widgets.items() if not widget.open] == [names[1]]
    assert len(widgets) == KEPT_WIDGETS + 1


def test_of_what_pages_were_asked_only_the_latest_is_kept(front_end: NotebookFrontEnd) -> None:
    front_end.page.clients.add("tab")
    for number in range(KEPT_REQUESTS + 5):
        front_end.apply(f"r{number}", CellChanges((), Edit(CellRef("a", 1), "x", "y")), run=True)
    assert [asked.repair for asked in front_end.requests.values()] == [f"r{n}" for n in range(5, KEPT_REQUESTS + 5)]


def test_once_all_is_closed_no_panel_is_left(front_end: NotebookFrontEnd, widgets: dict[str, Widget]) -> None:
    shown(front_end, "a")
    front_end.close()
    assert not widgets["a"].open
    assert front_end.presenter.panels == {}
