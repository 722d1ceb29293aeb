"""What becomes of a click that decides: cells are rewritten in a page, and run there, or get their old texts back."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from reflex_ipython.errors import BadInput, CellEditRefused
from reflex_ipython.ipython.at_once import AtOnce
from reflex_ipython.ipython.from_page import Accept, Applied, ApplyStatus, Resume, Undo
from reflex_ipython.ipython.front_end import NotebookFrontEnd, PageRequest
from reflex_ipython.ipython.mending import OVER
from reflex_ipython.models import CellChanges, Edit, Fix, Repair, Step, cell_changes
from reflex_ipython.present.mended import resume_offer
from reflex_ipython.present.outcome import NOT_UNDONE
from reflex_ipython.repairs.decisions import edited_fix
from reflex_ipython.repairs.session import Session

if TYPE_CHECKING:
    from reflex_ipython.ipython.ahead import Ahead

REFUSALS: dict[ApplyStatus, str] = {
    "source-changed": "Not applied: the cell has changed since this fix was made.",
    "cell-not-found": "Not applied: the cell is no longer in the notebook.",
    "read-only": "Not applied: the cell can't be edited.",
    "kernel-mismatch": "Not applied: the notebook uses a different kernel now.",
    "first-failed": "Not run: one of the cells that run first failed. Its own panel says why.",
    "run-failed": "The cell was rewritten, but could not be run.",
}
HALF_DONE = (
    "The cells were rewritten, but one of those that run first failed, so the rest was not run. Its own panel says why."
)
NOT_WHAT_IS_SHOWN = (
    "Not applied: this panel doesn't show the text that the kernel has for this fix. Look at the fix again."
)
BY_HAND = "Not run: one of these cells begins with a magic of its own. Run them yourself, then this one."
STILL_RUNS = f"{NOT_UNDONE}: the cell has not ended yet. Wait for it, or interrupt it, and click again."
TOO_LATE = "The cell was rewritten, but the old line had begun by then. Run the cell again when it has ended."
ENDED = "The cell was rewritten, but its run had ended by then. Run it again."
NOT_READ = "Not run: this fix is dangerous. First tick that you have read it."


class DecisionHandlers:
    """Does what Accept, Resume and Undo ask for.

    Parameters
    ----------
    session : Session
    front_end : NotebookFrontEnd
    undo : callable
        Gives what puts the state back to where the run of an accepted repair began, to be called on the main thread;
        that gives words.
    ahead : Ahead
        Changes the cell that runs.
    at_once : AtOnce
        Is told which cell that a page runs by itself could not be run.
    """

    def __init__(
        self,
        session: Session,
        front_end: NotebookFrontEnd,
        undo: Callable[[Repair], Callable[[], str]],
        ahead: Ahead,
        at_once: AtOnce,
    ) -> None:
        self._session = session
        self._front_end = front_end
        self._undo = undo
        self._ahead = ahead
        self._at_once = at_once

    def accept(self, message: Accept) -> None:
        """What is written and run, where, and whether it needs a tick, is what the kernel knows of the fix."""
        # A page that runs the cell itself is to run it before it draws.
        with self._session.shown_later() if message.client else contextlib.nullcontext():
            self._apply(message)

    def _apply(self, message: Accept) -> None:
        session, front_end = self._session, self._front_end
        repair = session.repairs.find(message.repair)
        fix = repair.fix(str(message.shown.get("id")))
        if fix is None or not front_end.presenter.has_told(repair, message.shown):
            raise BadInput(NOT_WHAT_IS_SHOWN)
        if repair.failure is not None and repair.failure.foreseen:
            if message.at_once:
                raise BadInput(NOT_WHAT_IS_SHOWN)
            self._mend(message, repair, fix)
            return
        if message.run and repair.verdict(fix).dangerous and not message.read:
            raise BadInput(NOT_READ)
        if message.at_once:
            if not _is_one_cell(cell_changes(fix, repair.situation)):
                raise BadInput(NOT_WHAT_IS_SHOWN)
            session.decisions.accept(repair.id, fix.id, settled=False)
            front_end.expect(message.request, repair.id)
            return
        to_page = bool(message.client)
        repair, changes = session.decisions.accept(
            repair.id, fix.id, message.sources, run=message.run, whole=message.whole, settled=not to_page
        )
        with self._in_page(repair.id):
            if to_page:
                front_end.apply_in(message.client, message.request, repair.id, changes, run=message.run)
                session.decisions.settle()  # while the page sends the cell, which waits for it
            elif message.run:
                # The panel went with the old output, and with it the fixed source, which the cell itself does not have.
                if not changes.fits_in_one:
                    raise CellEditRefused(BY_HAND, "no-front-end")
                front_end.run_in_place(repair.id, changes.in_one, lambda: session.show(repair.id))

    def _mend(self, message: Accept, repair: Repair, fix: Fix) -> None:
        """The page changes the cell's text, and what of it has not begun runs as it says there."""
        session = self._session
        source = cell_changes(edited_fix(fix, repair.situation, message.sources), repair.situation).failing.source
        if repair.verdict(fix).dangerous and not message.read:
            raise BadInput(NOT_READ)
        self._ahead.check(repair, source)
        repair, changes = session.decisions.accept(repair.id, fix.id, message.sources)
        with self._in_page(repair.id):
            self._front_end.mend_in(
                message.client, message.request, repair.id, changes, lambda: self._ahead.mend(repair, source)
            )

    def resume(self, message: Resume) -> None:
        """The cell, as the user has changed it, goes on where it failed."""
        session, front_end = self._session, self._front_end
        label, words = resume_offer(session.resumable(message.repair, message.source))
        if not label:
            raise BadInput(f"Not resumed. {words}")
        repair, changes = session.decisions.mended(message.repair, message.source)
        there = dataclasses.replace(changes.failing, expected=message.source)  # the user has written it
        with self._in_page(repair.id):
            if message.client:
                front_end.apply_in(message.client, message.request, repair.id, CellChanges((), there), run=True)
            else:
                front_end.run_in_place(repair.id, there.source, lambda: session.show(repair.id))

    def undo(self, message: Undo) -> None:
        """What was rejected is open again; of what was accepted, the cells get their old texts back, and the state."""
        session, front_end = self._session, self._front_end
        repair = session.repairs.find(message.repair)
        if repair.decision is not None and repair.decision.kind == "rejected":
            session.decisions.reopen(repair.id)
            return
        if repair.decision is not None and repair.decision.run and repair.rerun is None:
            raise BadInput(STILL_RUNS)
        undone = self._undo(repair)
        # A page that says "undone" is to have the old text back, which a key may run at once.
        with session.shown_later(), self._in_page(repair.id):
            changes = session.decisions.undo(repair.id)
            front_end.undo_in(message.client, message.request, repair.id, changes, undone)

    def applied(self, message: Applied) -> None:
        """A page has done what it was asked for, or says why not."""
        if message.status != "applied":
            self._at_once.forget(message.request)
        asked = self._front_end.requests.get(message.request)  # kept: "applied" may be followed by "run-failed"
        if asked is None:
            return
        if message.status != "applied":
            rewritten = any(isinstance(step, Edit) and step.source != step.expected for step in self._applied_to(asked))
            words = HALF_DONE if message.status == "first-failed" and rewritten else REFUSALS[message.status]
            if asked.done:  # only an undoing has something to say
                words = words.replace("Not applied", NOT_UNDONE)
            if not self._decided_anew(asked):
                self._session.decisions.refused(asked.repair, words)
            self._front_end.say(words, asked, trouble=True)
            return
        try:
            if asked.at_once is not None:
                asked.at_once()
        except BadInput as error:
            over = str(error) == OVER
            self._session.decisions.refused(asked.repair, ENDED if over else TOO_LATE)
            if over:  # there is nothing left to decide
                self._session.decisions.over(asked.repair, ENDED)
        self._front_end.finish(asked)

    @contextlib.contextmanager
    def _in_page(self, repair_id: str) -> Iterator[None]:
        """What a page is asked to do for a decision; where it can't, nothing was decided."""
        try:
            yield
        except CellEditRefused as error:
            self._session.decisions.refused(repair_id, str(error))
            raise

    def _decided_anew(self, asked: PageRequest) -> bool:
        """Whether what a slow page was asked to undo is accepted by now, or the other way round: by another page."""
        repairs = self._session.repairs
        decision = repairs[asked.repair].decision if asked.repair in repairs else None
        return decision is not None and decision.kind == ("accepted" if asked.done else "undone")

    def _applied_to(self, asked: PageRequest) -> tuple[Step, ...]:
        """The steps of what a page was asked to do."""
        return self._session.repairs[asked.repair].applied if asked.repair in self._session.repairs else ()


def _is_one_cell(changes: CellChanges) -> bool:
    """Whether the failing cell is all that changes, and nothing is to be done before it runs."""
    return not (changes.earlier or changes.first or changes.installs)
