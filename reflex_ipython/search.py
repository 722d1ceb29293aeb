"""Looking for fixes on a thread of its own, so that the kernel stays free."""

from __future__ import annotations

import contextvars
import dataclasses
import threading
from collections.abc import Callable, Sequence

from reflex_ipython.models import Repair
from reflex_ipython.pipeline import grow
from reflex_ipython.protocols import Checker, FixProvider, Redactor, Request


@dataclasses.dataclass(frozen=True)
class Round:
    """Providers that are asked one after the other.

    Parameters
    ----------
    working : str
        Who is at work, in words for the user.
    providers : sequence of FixProvider
        In their order.
    needed : callable
        Given the repair as it stands by then, says whether this round is needed at all.
    """

    working: str
    providers: Sequence[FixProvider]
    needed: Callable[[Repair], bool] = lambda repair: True


class Search:
    """One search for fixes, in rounds. Nothing begins before `start`.

    Parameters
    ----------
    repair : Repair
        What is known at the beginning.
    rounds : sequence of Round
        In their order; after the first, `first_look` is set.
    checkers, request, redactor
        As in `pipeline.grow`.
    found : callable
        Called on the search's thread with each repair that has grown.
    changed : callable
        Called on the search's thread whenever `working` has changed.
    """

    def __init__(
        self,
        repair: Repair,
        rounds: Sequence[Round],
        checkers: Sequence[Checker],
        request: Request,
        redactor: Redactor,
        *,
        found: Callable[[Repair], None],
        changed: Callable[[], None],
    ) -> None:
        self.request = request
        self.working = rounds[0].working if rounds else ""
        self.first_look = threading.Event()
        self._repair = repair
        self._rounds = rounds
        self._checkers = checkers
        self._redactor = redactor
        self._found = found
        self._changed = changed
        # The copied context carries the cell that a message belongs to.
        self._thread = threading.Thread(
            target=contextvars.copy_context().run, args=(self._run,), name="reflex-search", daemon=True
        )

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask the search to stop soon; it says nothing more."""
        self.request.cancelled.set()

    def join(self, timeout: float) -> None:
        """Wait at most `timeout` seconds for the thread's end."""
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _run(self) -> None:
        rounds = iter(self._rounds)
        try:
            part = next(rounds, None)
            while part is not None:
                for repair in grow(self._repair, part.providers, self._checkers, self.request, self._redactor):
                    self._repair = repair
                    self._found(repair)
                part = next((after for after in rounds if self._needed(after)), None)
                self._now_working(part.working if part else "")
        finally:
            self._now_working("")

    def _needed(self, part: Round) -> bool:
        return not self.request.cancelled.is_set() and part.needed(self._repair)

    def _now_working(self, words: str) -> None:
        changed, self.working = self.working != words, words
        self.first_look.set()
        if changed:
            self._changed()
