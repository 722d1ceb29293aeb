"""Whether what a page shows is what it was told: asked at each click, for which somebody waits."""

from __future__ import annotations

import dataclasses
from typing import Any

from reflex_ipython.ipython.from_kernel import State
from reflex_ipython.ipython.notebook import NotebookPresenter
from reflex_ipython.models import Edit, Fix, Repair
from reflex_ipython.present.offers import NOTHING, Offers
from reflex_ipython.stages import Work
from tests.repairs.fakes import a_failure


class Pages:
    """Those that a presenter tells, with how often it has made a panel."""

    def __init__(self) -> None:
        self.states: list[dict[str, Any]] = []
        self.made = 0
        self.presenter = NotebookPresenter(lambda *_, **__: None, self._hear, self._offers, lambda state: None)

    def _hear(self, message: Any) -> None:
        assert isinstance(message, State)
        self.states.append(message.state)

    def _offers(self, repair: Repair, work: Work | None) -> Offers:
        self.made += 1
        return NOTHING


def _repair() -> Repair:
    failure = a_failure()
    edit = Edit(failure.situation.place, failure.situation.source, "print(total)")
    return Repair("r", "s", failure, (Fix("f", (edit,), "why", "rule", "near name"),))


def test_what_was_told_last_is_known_without_a_panel_made_anew() -> None:
    pages, repair = Pages(), _repair()
    pages.presenter.tell_pages(repair, None)
    (shown,) = pages.states[-1]["fixes"]
    assert pages.presenter.has_told(repair, {**shown, "verdict": {"text": "was looked at later"}})
    assert pages.made == 1


def test_a_text_that_was_not_told_is_looked_at_and_refused() -> None:
    pages, repair = Pages(), _repair()
    pages.presenter.tell_pages(repair, None)
    (shown,) = pages.states[-1]["fixes"]
    (edit,) = shown["edits"]
    assert not pages.presenter.has_told(repair, {**shown, "edits": [{**edit, "source": "print(0)"}]})
    assert not pages.presenter.has_told(repair, {**shown, "edits": [{**edit, "hunks": []}]})


def test_a_fix_that_is_another_one_since_is_refused() -> None:
    pages, repair = Pages(), _repair()
    pages.presenter.tell_pages(repair, None)
    (shown,) = pages.states[-1]["fixes"]
    others = dataclasses.replace(repair, fixes=(dataclasses.replace(repair.fixes[0], explanation="another"),))
    assert not pages.presenter.has_told(others, shown)
    pages.presenter.forget(repair.id)
    assert pages.presenter.has_told(repair, shown)
