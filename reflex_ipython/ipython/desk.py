"""Where the wishes of pages and panels arrive, on whichever thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reflex_ipython.errors import ReflexError
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.ipython.front_end import NotebookFrontEnd
from reflex_ipython.ipython.messages import (
    Applied,
    ApplyStatus,
    Ask,
    Cancel,
    Decide,
    Enable,
    Hello,
    Refused,
    Try,
    Welcome,
    parse,
)
from reflex_ipython.session import Session
from reflex_ipython.version import __version__

REFUSALS: dict[ApplyStatus, str] = {
    "source-changed": "Not applied: the cell has changed since this fix was made.",
    "cell-not-found": "Not applied: the cell is not in the notebook any more.",
    "read-only": "Not applied: the cell can't be edited.",
    "kernel-mismatch": "Not applied: the notebook has another kernel now.",
    "run-failed": "The cell was rewritten, but could not be run.",
}


class Desk:
    """Does what a message asks for.

    Parameters
    ----------
    session : Session
    config : Reflex
    front_end : NotebookFrontEnd
    warn : callable
    """

    def __init__(
        self, session: Session, config: Reflex, front_end: NotebookFrontEnd, warn: Callable[[str], None]
    ) -> None:
        self._session = session
        self._config = config
        self._front_end = front_end
        self._warn = warn
        self._actions: dict[type, Callable[..., None]] = {
            Hello: self._hello,
            Decide: self._decide,
            Refused: self._refused,
            Try: lambda wish: session.try_fix(wish.repair, wish.fix),
            Ask: lambda wish: session.ask(wish.repair, wish.hint),
            Cancel: lambda wish: session.cancel(wish.repair),
            Enable: self._enable,
            Applied: self._applied,
        }

    def receive(self, data: Any) -> None:
        """Do what a JSON object asks for; what can't be done is said on the panel."""
        try:
            message = parse(data)
        except ValueError as error:
            self._warn(f"a message of the page was not understood: {error}")
            return
        try:
            self._actions[type(message)](message)
        except ReflexError as error:
            self._say(getattr(message, "repair", ""), str(error))

    def welcome(self) -> None:
        """Tell all pages how things stand."""
        self._front_end.tell(Welcome(self._session.id, __version__, self._config.enabled))

    def _hello(self, message: Hello) -> None:
        self._front_end.page.clients.add(message.client)
        self.welcome()
        for repair in self._session.repairs.all():
            self._front_end.presenter.tell_pages(repair, self._session.searches.working(repair.id))

    def _decide(self, message: Decide) -> None:
        if message.decision == "rejected":
            self._session.reject(message.repair)
            return
        repair, fix = self._session.accept(
            message.repair,
            message.fix,
            message.sources,
            run=message.run,
            whole=message.whole,
            applied=message.applied,
        )
        if not message.applied and message.run:
            # The panel went with the old output, and with it the fixed source, which the cell itself does not have.
            self._front_end.run_in_place(repair.id, fix.edit.source, lambda: self._session.repairs.show(repair.id))

    def _refused(self, message: Refused) -> None:
        if message.status != "applied":
            self._session.refused(message.repair, REFUSALS[message.status])

    def _enable(self, message: Enable) -> None:
        self._config.enabled = message.enabled

    def _applied(self, message: Applied) -> None:
        asked = self._front_end.requests.get(message.request)  # kept: "applied" may be followed by "run-failed"
        if asked is None:
            return
        if message.status != "applied":
            words = REFUSALS[message.status]
            words = words.replace("applied", "undone") if asked.done else words  # only an undoing has something to say
            self._session.refused(asked.repair, words)
            self._front_end.say(words, asked, trouble=True)
        else:
            self._front_end.finish(asked)

    def _say(self, repair_id: str, words: str) -> None:
        for repair in self._session.repairs.all():
            if repair.id == repair_id:
                self._session.trouble(repair_id, words)
