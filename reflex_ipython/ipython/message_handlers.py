"""Where the wishes of pages and panels arrive, on whichever thread."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.base.characters import encodable
from reflex_ipython.errors import BadInput, ReflexError
from reflex_ipython.ipython.at_once import AtOnce, cell_of
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.ipython.decision_handlers import DecisionHandlers
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
from reflex_ipython.ipython.front_end import NotebookFrontEnd
from reflex_ipython.ipython.greeting import told
from reflex_ipython.models import Fix, Repair, Verdict
from reflex_ipython.present.context import context
from reflex_ipython.present.genuine import is_saved
from reflex_ipython.present.mended import resume_offer
from reflex_ipython.present.notice import Notice
from reflex_ipython.present.verdict_line import text_verdict
from reflex_ipython.repairs.session import Session
from reflex_ipython.version import __version__

if TYPE_CHECKING:
    from reflex_ipython.ipython.ahead import Ahead
    from reflex_ipython.ipython.model_form import ModelForm

ANOTHER_SESSION = "Not done: this panel belongs to a different session of the kernel."


class MessageHandlers:
    """Does what a message asks for.

    Parameters
    ----------
    session : Session
    config : Reflex
    front_end : NotebookFrontEnd
    warn : callable
    undo : callable
        Gives what puts the state back to where the run of an accepted repair began, to be called on the main thread;
        that gives words.
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
        undo: Callable[[Repair], Callable[[], str]],
        back: Callable[[Back], None],
        ahead: Ahead,
        at_once: AtOnce,
    ) -> None:
        self._session = session
        self._config = config
        self._front_end = front_end
        self._warn = warn
        self._at_once = at_once
        decisions = DecisionHandlers(session, front_end, undo, ahead, at_once)
        self._actions: dict[type, Callable[..., object]] = {
            Hello: self._hello,
            Recall: self._recall,
            Accept: decisions.accept,
            Edited: self._edited,
            Resume: decisions.resume,
            Reject: lambda wish: session.decisions.reject(wish.repair),
            Undo: decisions.undo,
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
            Applied: decisions.applied,
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

    def _say(self, repair_id: str, words: str) -> None:
        if repair_id in self._session.repairs:
            self._session.trouble(repair_id, words)
