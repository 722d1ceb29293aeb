"""What happens while a request is worked on, for whoever wants to follow it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from reflex_ipython.models import Repair, execution, to_json
from reflex_ipython.stages import Work


@dataclass(frozen=True)
class ExecutionEvent:
    """Something that happened.

    Parameters
    ----------
    kind : str
        "working": what is being done now; "text": a piece of what the model writes; "attempt": one is over.
    data : dict
        As JSON: a `stages.Work`, `{"text": "…", "first": true}`, or an `ExecutionAttempt`.
    """

    kind: Literal["working", "text", "attempt"]
    data: dict[str, Any]


Listen = Callable[[ExecutionEvent], object]


class EventPresenter:
    """A presenter that shows nothing, and tells what happens.

    Parameters
    ----------
    listen : callable
        Is told, on whichever thread.
    """

    def __init__(self, listen: Listen) -> None:
        self._listen = listen
        self._work: Work | None = None
        self._attempts = 0

    def show(self, repair: Repair, work: Work | None) -> None:
        """Tell what is new."""
        self.update(repair, work)

    def update(self, repair: Repair, work: Work | None) -> None:
        """As above."""
        for attempt in execution(repair).attempts[self._attempts :]:
            self._attempts += 1
            self._listen(ExecutionEvent("attempt", to_json(attempt)))
        if work != self._work:
            self._work = work
            if work is not None:
                self._listen(ExecutionEvent("working", dataclasses.asdict(work)))

    def note(self, repair: Repair) -> None:
        """Nothing is accepted here."""

    def text(self, repair: Repair, piece: str, start: bool) -> None:
        """Pass on what the model writes."""
        self._listen(ExecutionEvent("text", {"text": piece, "first": start}))
