"""Where the wishes of pages and panels arrive, on whichever thread."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.base.characters import encodable
from reflex_ipython.errors import BadInput, CellEditRefused, ReflexError
from reflex_ipython.ipython.at_once import AtOnce, cell_of
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.ipython.from_kernel import (
    Declined,
    OutgoingContext,
    Resumable,
    TextTried,
    TookBack,
    UnknownRepair,
    Welcome,
)
from reflex_ipython.ipython.from_page import (
    Accept,
    Applied,
    ApplyStatus,
    Ask,
    Back,
    Cancel,
    Cells,
    CheckModel,
    Choose,
    Edited,
    Enable,
    EndCheck,
    Hello,
    NoModel,
    Recall,
    Reject,
    Resume,
    SetTrial,
    Try,
    TryAgain,
    TryText,
    Undo,
    UseModel,
    WantContext,
    WantKeyState,
    WantModels,
    parse,
)
from reflex_ipython.ipython.front_end import NotebookFrontEnd, PageRequest
from reflex_ipython.ipython.greeting import told
from reflex_ipython.ipython.mending import OVER
from reflex_ipython.models import CellChanges, Edit, Fix, Repair, Step, Verdict, cell_changes
from reflex_ipython.present.context import context
from reflex_ipython.present.genuine import is_fix, is_saved
from reflex_ipython.present.mended import resume_offer
from reflex_ipython.present.notice import Notice
from reflex_ipython.present.verdict_line import text_verdict
from reflex_ipython.repairs.decisions import edited_fix
from reflex_ipython.repairs.session import Session
from reflex_ipython.version import __version__

if TYPE_CHECKING:
    from reflex_ipython.ipython.ahead import Ahead
    from reflex_ipython.ipython.model_form import ModelForm

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
ANOTHER_SESSION = "Not done: this panel belongs to a different session of the kernel."
NOT_WHAT_IS_SHOWN = (
    "Not applied: this panel doesn't show the text that the kernel has for this fix. Look at the fix again."
)
BY_HAND = "Not run: one of these cells begins with a magic of its own. Run them yourself, then this one."
STILL_RUNS = "Not undone: the cell has not ended yet. Wait for it, or interrupt it, and click again."
TOO_LATE = "The cell was rewritten, but the old line had begun by then. Run the cell again when it has ended."
ENDED = "The cell was rewritten, but its run had ended by then. Run it again."
NOT_READ = "Not run: this fix is dangerous. First tick that you have read it."


class MessageHandlers:
    """Does what a message asks for.

    Parameters
    ----------
    session : Session
    config : Reflex
    front_end : NotebookFrontEnd
    warn : callable
    undo : callable
        Puts the state back to where the run of an accepted repair began, on the main thread; gives words.
    cells_came : callable
        Is given the name under which a page was asked for its cells, and the cells.
    back : callable
        Takes back the run of the last cell, and answers.
    ahead : Ahead
        Changes the cell that runs.
    at_once : AtOnce
        Is told which cell that a page runs by itself is not to run.
    """

    def __init__(
        self,
        session: Session,
        config: Reflex,
        front_end: NotebookFrontEnd,
        warn: Callable[[str], None],
        cells_came: Callable[[str, list[dict[str, Any]]], None],
        undo: Callable[[Repair], str],
        back: Callable[[Back], None],
        ahead: Ahead,
        at_once: AtOnce,
    ) -> None:
        self._session = session
        self._config = config
        self._front_end = front_end
        self._warn = warn
        self._undo_run = undo
        self._ahead = ahead
        self._at_once = at_once
        self._actions: dict[type, Callable[..., None]] = {
            Hello: self._hello,
            Recall: self._recall,
            Accept: self._accept,
            Edited: self._edited,
            Resume: self._resume,
            Reject: self._reject,
            Undo: self._undo,
            Back: back,
            Try: lambda wish: session.trying.fix(wish.repair, wish.fix),
            TryAgain: lambda wish: session.trying.again(wish.repair, wish.fix),
            TryText: self._try_text,
            Choose: lambda wish: session.trying.name(wish.repair, wish.name),
            Ask: self._ask,
            WantContext: self._context,
            WantModels: lambda wish: self.model_form.want(wish),
            WantKeyState: lambda wish: self.model_form.key_state(wish),
            CheckModel: lambda wish: self.model_form.check(wish),
            EndCheck: lambda wish: self.model_form.end_check(wish),
            UseModel: lambda wish: self.model_form.use(wish),
            NoModel: lambda wish: setattr(config, "model", None),
            Cancel: lambda wish: session.cancel(wish.repair),
            Enable: lambda wish: setattr(config, "enabled", wish.enabled),
            SetTrial: lambda wish: setattr(config, "trial", wish.trial),
            Applied: self._applied,
            Cells: lambda answer: cells_came(answer.request, answer.cells),
        }

    @functools.cached_property
    def model_form(self) -> ModelForm:
        """What the form for choosing a model asks for; made when it is first opened."""
        from reflex_ipython.ipython.model_form import ModelForm  # it imports an HTTP client, which no failure needs

        return ModelForm(self._session, self._config, self._front_end.presenter.tell)

    def close(self) -> None:
        """End what was begun and not finished."""
        if "model_form" in vars(self):
            self.model_form.close()

    def receive(self, data: Any) -> None:
        """Do what a JSON object asks for; what can't be done is said on the panel."""
        try:
            message = parse(data)
        except ValueError as error:
            self._warn(f"a message from the page was not understood: {error}")
            return
        self._act(message)

    def receive_with(self, cell: str | None, data: Any) -> None:
        """Do what came with a cell that begins, if that is a click which runs it; the file may have said anything."""
        try:
            message = parse(data)
        except ValueError:
            return
        if isinstance(message, Accept) and message.at_once and cell is not None and cell_of(message) == cell:
            self._act(message)

    def _act(self, message: Any) -> None:
        try:
            if getattr(message, "session", self._session.id) != self._session.id:
                raise BadInput(ANOTHER_SESSION)
            self._actions[type(message)](message)
        except ReflexError as error:
            if isinstance(message, Accept) and message.at_once:
                self._at_once.refuse(message, str(error))
            if isinstance(message, Accept | Resume | TryAgain):  # first: the panel still says that it was accepted
                self._front_end.presenter.tell(message.repair, Declined(message.request, message.repair, str(error)))
            if isinstance(message, Back):
                self._front_end.tell(TookBack(message.request, "", False, str(error), ()))
            self._say(getattr(message, "repair", ""), str(error))

    def welcome(self) -> None:
        """Tell all pages how things stand."""
        self._front_end.tell(Welcome(self._session.id, __version__, **told(self._session.settings)))

    def _hello(self, message: Hello) -> None:
        self._front_end.page.clients.add(message.client)
        for opened in self._session.repairs.all_open():
            with self._session.repairs.lock:  # what changes meanwhile is told behind this
                self._front_end.presenter.tell_pages(opened.repair, opened.work)
        self.welcome()  # last: then the page asks about the panels that it has not heard of

    def _recall(self, message: Recall) -> None:
        front_end, repairs = self._front_end, self._session.repairs

        def answer(repair: Repair | None) -> None:
            with repairs.lock:  # what changes meanwhile is told behind this
                if repair is None or repair.id not in repairs:
                    front_end.presenter.tell(message.repair, UnknownRepair(message.request, message.repair))
                else:
                    opened = repairs.open(repair.id)
                    front_end.presenter.assure(opened.repair, opened.work)

        def saved(repair: Repair) -> bool:
            return is_saved(message.shown, front_end.presenter.state(repair, None))

        self._session.recall(message.repair, saved, answer)

    def _accept(self, message: Accept) -> None:
        """What is written and run, where, and whether it needs a tick, is what the kernel knows of the fix."""
        # A page that runs the cell itself is to run it before it draws.
        with self._session.shown_later() if message.client else contextlib.nullcontext():
            self._apply(message)

    def _apply(self, message: Accept) -> None:
        session, front_end = self._session, self._front_end
        repair = session.repairs.find(message.repair)
        fix = repair.fix(str(message.shown.get("id")))
        if fix is None or not is_fix(message.shown, front_end.presenter.state(repair, None)):
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
        try:
            if to_page:
                front_end.apply_in(message.client, message.request, repair.id, changes, run=message.run)
                session.decisions.settle()  # while the page sends the cell, which waits for it
            elif message.run:
                # The panel went with the old output, and with it the fixed source, which the cell itself does not have.
                if not changes.fits_in_one:
                    raise CellEditRefused(BY_HAND, "no-front-end")
                front_end.run_in_place(repair.id, changes.in_one, lambda: session.show(repair.id))
        except CellEditRefused as error:
            session.decisions.refused(repair.id, str(error))
            raise

    def _mend(self, message: Accept, repair: Repair, fix: Fix) -> None:
        """The page changes the cell's text, and what of it has not begun runs as it says there."""
        session = self._session
        source = cell_changes(edited_fix(fix, repair.situation, message.sources), repair.situation).failing.source
        if repair.verdict(fix).dangerous and not message.read:
            raise BadInput(NOT_READ)
        self._ahead.check(repair, source)
        repair, changes = session.decisions.accept(repair.id, fix.id, message.sources)
        try:
            self._front_end.mend_in(
                message.client, message.request, repair.id, changes, lambda: self._ahead.mend(repair, source)
            )
        except CellEditRefused as error:
            session.decisions.refused(repair.id, str(error))
            raise

    def _edited(self, message: Edited) -> None:
        """Whether the cell, as the user has changed it, could go on where it failed."""
        changed = message.source != self._session.repairs.find(message.repair).situation.source
        run_options = self._session.resumable(message.repair, message.source) if changed else ()
        label, words = resume_offer(run_options) if changed else ("", "")
        answer = Resumable(message.repair, message.source, label, words)
        self._front_end.presenter.tell(message.repair, answer)

    def _try_text(self, message: TryText) -> None:
        def tell(trying: bool, verdict: Notice | None = None) -> None:
            answer = TextTried(message.repair, message.request, trying, verdict)
            self._front_end.presenter.tell(message.repair, answer)

        def tried(fix: Fix, verdict: Verdict) -> None:
            line = text_verdict(verdict, first=bool(fix.runs_first))
            with self._session.repairs.lock:  # that it is being tried is said before
                tell(False, line and Notice(encodable(line.text), line.tone))

        with self._session.repairs.lock:
            tell(self._session.trying.text(message.repair, message.fix, message.sources, tried))

    def _resume(self, message: Resume) -> None:
        session, front_end = self._session, self._front_end
        label, words = resume_offer(session.resumable(message.repair, message.source))
        if not label:
            raise BadInput(f"Not resumed. {words}")
        repair, changes = session.decisions.mended(message.repair, message.source)
        there = dataclasses.replace(changes.failing, expected=message.source)  # the user has written it
        try:
            if message.client:
                front_end.apply_in(message.client, message.request, repair.id, CellChanges((), there), run=True)
            else:
                front_end.run_in_place(repair.id, there.source, lambda: session.show(repair.id))
        except CellEditRefused as error:
            session.decisions.refused(repair.id, str(error))
            raise

    def _ask(self, message: Ask) -> None:
        self._session.repairs.find(message.repair)
        if message.allow:
            self._session.questions.allow(message.allow)
        self._session.questions.ask(message.repair, message.hint)

    def _context(self, message: WantContext) -> None:
        try:
            text = context(self._session.questions.preview(message.repair))
        except ReflexError as error:  # no server can be asked: that is the answer
            text = str(error)
        self._front_end.presenter.tell(message.repair, OutgoingContext(message.repair, encodable(text)))

    def _reject(self, message: Reject) -> None:
        self._session.decisions.reject(message.repair)

    def _undo(self, message: Undo) -> None:
        """What was rejected is open again; of what was accepted, the cells get their old texts back, and the state."""
        session, front_end = self._session, self._front_end
        repair = session.repairs.find(message.repair)
        if repair.decision is not None and repair.decision.kind == "rejected":
            session.decisions.reopen(repair.id)
            return
        if repair.decision is not None and repair.decision.run and repair.rerun is None:
            raise BadInput(STILL_RUNS)
        changes = session.decisions.undo(repair.id)
        try:
            front_end.undo_in(message.client, message.request, repair.id, changes, lambda: self._undo_run(repair))
        except CellEditRefused as error:
            session.decisions.refused(repair.id, str(error))
            raise

    def _applied(self, message: Applied) -> None:
        if message.status != "applied":
            self._at_once.forget(message.request)
        asked = self._front_end.requests.get(message.request)  # kept: "applied" may be followed by "run-failed"
        if asked is None:
            return
        if message.status != "applied":
            rewritten = any(isinstance(step, Edit) and step.source != step.expected for step in self._applied_to(asked))
            words = HALF_DONE if message.status == "first-failed" and rewritten else REFUSALS[message.status]
            words = words.replace("applied", "undone") if asked.done else words  # only an undoing has something to say
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

    def _applied_to(self, asked: PageRequest) -> tuple[Step, ...]:
        """The steps of what a page was asked to do."""
        return self._session.repairs[asked.repair].applied if asked.repair in self._session.repairs else ()

    def _say(self, repair_id: str, words: str) -> None:
        if repair_id in self._session.repairs:
            self._session.trouble(repair_id, words)


def _is_one_cell(changes: CellChanges) -> bool:
    """Whether the failing cell is all that changes, and nothing is to be done before it runs."""
    return not (changes.earlier or changes.first or changes.installs)
