"""What the stages ask of each other and no plugin brings: trials, files, the presenter, what leaves this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from reflex_ipython.models import Cause, CellChanges, Edit, Finding, Repair, RunOption, Trial
from reflex_ipython.protocols import Outgoing


@dataclass(frozen=True)
class Withheld:
    """A secret that was taken out of a text.

    Parameters
    ----------
    placeholder : str
        What stands there instead.
    kind : str
        What it is, in a word or two.
    place : str
        Where it stood, in words.
    """

    placeholder: str
    kind: str
    place: str


class Redactor(Protocol):
    """Takes secrets out of what may leave the machine, and puts them back into what comes in return."""

    def learn(self, value: object) -> None:
        """Look for secrets in all the texts of a value: they are taken out of every text from then on."""

    def cause(self, cause: Cause) -> Cause:
        """What failed or is wanted, without secrets."""

    def text(self, text: str) -> str:
        """A text without secrets, with the same placeholders."""

    def restore(self, text: str) -> str:
        """The text with what was taken out put back."""

    def withheld(self, text: str) -> Sequence[Withheld]:
        """What was taken out of a text that was made of redacted ones; never the values."""


@dataclass(frozen=True)
class Question:
    """What one provider would send, and what was withheld from it.

    Parameters
    ----------
    provider : str
        The provider's label; empty: it can't be asked now.
    outgoing : Outgoing or None
        None: the provider does not show in advance what it sends, or whether it sends anything.
    withheld : tuple of Withheld
    """

    provider: str
    outgoing: Outgoing | None = None
    withheld: tuple[Withheld, ...] = ()


class Withdrawal:
    """Ends one trial that nobody waits for any more, from another thread: at once, whether it runs or has not begun."""

    def __init__(self) -> None:
        self.is_withdrawn = False
        self._end: Callable[[], object] | None = None
        self._lock = threading.Lock()

    def withdraw(self) -> None:
        """Nobody waits for it any more."""
        with self._lock:
            self.is_withdrawn = True
            if self._end is not None:
                self._end()
                self._end = None

    def begin(self, start: Callable[[], object], end: Callable[[], object]) -> bool:
        """Begin the trial, unless it is withdrawn; whether it has begun.

        Parameters
        ----------
        start : callable
            Begins it.
        end : callable
            Ends it; called at most once, after `start`.
        """
        with self._lock:
            if not self.is_withdrawn:
                start()
                self._end = end
            return not self.is_withdrawn

    def done(self) -> None:
        """The trial is over."""
        with self._lock:
            self._end = None


class Trials(Protocol):
    """Runs fixes in copies of the live kernel."""

    def after_reply(self, work: Callable[[], None], ready: Callable[[], bool]) -> None:
        """Do it on the main thread once the running cell's reply is out and it is ready; before another cell runs."""

    def when_free(self, work: Callable[[], None]) -> None:
        """Do it on the main thread once no cell runs there, whichever thread this is."""

    def freeze(self, repair_id: str) -> None:
        """Copy the kernel as it is now, for the trials of one repair. On the main thread, before another cell runs."""

    def run(
        self,
        repair_id: str,
        changes: CellChanges,
        most: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        """Put a fix into effect in that copy as accepting it would. Blocks: not on the main thread.

        Parameters
        ----------
        repair_id : str
        changes : CellChanges
        most : float or None
            Seconds that it may take at most. None: all that a trial may.
        withdrawal : Withdrawal or None
            May end it before its time.
        """

    def several(self, repair_id: str) -> AbstractContextManager[int]:
        """Until the end of the block, several fixes of a repair can be tried at once, on threads; gives how many."""

    def is_gone(self, repair_id: str) -> bool:
        """Whether there was a copy, and is none any more."""

    def release(self, repair_id: str) -> None:
        """The repair was decided or is out of date: its copy goes."""

    def close(self) -> None:
        """All copies go."""


class Consequences(Protocol):
    """Finds out what accepting a fix would do, without doing it. May be called on any thread."""

    def run_options(self, changes: CellChanges) -> tuple[RunOption, ...]:
        """How the failing cell can be run; empty: it just runs."""

    def findings(self, changes: CellChanges) -> Iterable[Finding]:
        """What else the user would want to know."""


@dataclass(frozen=True)
class Work:
    """What is being done for a repair.

    Parameters
    ----------
    kind : str
        "looking": the rules look; "trying": a fix is tried; "searching": candidates are tried; "asking": a provider
        that costs something is asked; "reviewing": it is asked whether what ran does what was wanted.
    whom : str
        Who is asked: that provider's label.
    attempt, of : int
        For which time, and how often at most.
    why : str
        Why it is asked again, in a few words.
    waits : str
        What is waited for meanwhile, in a few words; empty for the answer itself.
    """

    kind: Literal["looking", "trying", "searching", "asking", "reviewing"]
    whom: str = ""
    attempt: int = 1
    of: int = 1
    why: str = ""
    waits: str = ""


class Files(Protocol):
    """Rewrites files of the user's own. May be called on any thread."""

    def obstacle(self, edit: Edit) -> str:
        """Why a file can't be rewritten, as a sentence; empty if nothing is in the way."""

    def write(self, edits: Iterable[Edit]) -> None:
        """Give files their new texts, all of them or none.

        Raises
        ------
        FileRefused
            If one of them can't be rewritten: it has changed since, or is read-only.
        """


class Presenter(Protocol):
    """Shows a repair to the user. Its methods may be called on any thread."""

    def show(self, repair: Repair, work: Work | None) -> None:
        """Show a repair that is new. `work`: what is being done for it; None: nothing."""

    def update(self, repair: Repair, work: Work | None) -> None:
        """Show what has changed in a repair that was shown before."""

    def note(self, repair: Repair) -> None:
        """Say in one line, below the cell that has just run, what became of an accepted repair."""

    def text(self, repair: Repair, piece: str, start: bool) -> None:
        """Show a piece of what a model writes. `start`: the first piece of a new answer."""
