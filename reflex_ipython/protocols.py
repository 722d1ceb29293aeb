"""What a plugin is made with and has to have: narrow interfaces of providers, checkers and stores.

A provider or a checker of your own is a class with the members below, named in your package's entry points
`reflex_ipython.providers` or `reflex_ipython.checkers`; it is called with a `Context` and returns an instance. A store
is named in `reflex_ipython.stores`, and called with a `StoreContext`; `reflex_ipython.testing.StoreSuite` tests it. The
built-in ones come in through the same interfaces.

Who only has another way to reach a language model need not write a provider: a `Transport` goes into the one that is
there, `lambda context: ModelProvider(context, transport=Mine())` (`reflex_ipython.propose.transport`, `.model`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from reflex_ipython.models import (
    Cause,
    Finding,
    Fix,
    Precedent,
    Repair,
    RepairFilter,
    RepairSummary,
    Tally,
    Trial,
    Usage,
    Verdict,
    Wish,
)
from reflex_ipython.settings import Settings


class RepairHistory(Protocol):
    """Read access to the remembered repairs: what was decided before, and how it went."""

    def get(self, prefix: str) -> Repair:
        """The repair whose id starts with `prefix`.

        Raises
        ------
        BadInput
            If there is none, or more than one.
        """

    def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
        """The latest repairs, newest first.

        Parameters
        ----------
        count : int
            The maximum number of repairs.
        accepted : bool or None
            True: only accepted ones; False: only ones that were not accepted; None: all.
        """


@runtime_checkable
class Recalls(Protocol):
    """A history that can tell at once what was decided about the same mistake."""

    def precedents(self, mistake: str, count: int) -> list[Precedent]:
        """The latest that are known of a mistake, the latest first; empty `mistake`: of all.

        Parameters
        ----------
        mistake : str
            As in `Lesson.mistake`.
        count : int
            The maximum number.
        """


@dataclass(frozen=True)
class StoreContext:
    """What a store is made with. A store is itself the history, so it gets no other history to read.

    Parameters
    ----------
    settings : callable
        Returns the current settings: the user may change them at any time.
    clock : callable
        Returns seconds, for durations: only the difference between two of its values is meaningful.
    """

    settings: Callable[[], Settings]
    clock: Callable[[], float] = field(default=time.monotonic, kw_only=True)


@dataclass(frozen=True)
class Context(StoreContext):
    """What every other plugin is made with.

    Parameters
    ----------
    store : RepairHistory
        What was decided before. The history is opened when it is first read, which waits for the disk, and is read as
        it is kept: with its secrets, unless `history_redacted` is on. So read it while proposing, not when made.
    attended : callable
        Whether there is anybody who can be asked for consent. It is called where consent is missing; if there is
        nobody, the user is told that the settings were taken for it.
    """

    store: RepairHistory
    attended: Callable[[], bool] = field(default=lambda: True, kw_only=True)


@dataclass(frozen=True)
class Attempt:
    """A fix that was proposed before, and what was found out about it."""

    fix: Fix
    verdict: Verdict


@dataclass(frozen=True)
class Request:
    """What a provider is asked, besides what failed or is wanted.

    Parameters
    ----------
    hint : str
        What the user adds in words; empty if nothing.
    attempts : sequence of Attempt
        What was proposed before, oldest first.
    cancelled : threading.Event
        Set when nobody waits any more: stop soon, yield nothing more.
    on_text : callable
        To be called with each piece of text as it arrives, if the provider has something to show meanwhile.
    ask_again : callable
        To be called with what is wrong with an answer that holds no fix, as a sentence, before the same question goes
        on. False: it was asked often enough.
    on_wait : callable
        To be called with what is waited for, in a few words; with an empty text once it is over.
    """

    hint: str = ""
    attempts: Sequence[Attempt] = ()
    cancelled: threading.Event = field(default_factory=threading.Event)
    on_text: Callable[[str], None] = lambda text: None
    ask_again: Callable[[str], bool] = lambda problem: False
    on_wait: Callable[[str], None] = lambda words: None


@dataclass(frozen=True)
class Outgoing:
    """A request as it would leave this machine: to which address, with which bytes as its body."""

    url: str
    body: bytes


Where = Literal["instant", "local", "remote"]
"""Where a provider works: at once and offline, in milliseconds; longer, on this machine; or on another machine."""


class FixProvider(Protocol):
    """Proposes fixes. It does not decide whether they are good."""

    name: str
    """One word, shown as the fix's origin."""

    @property
    def where(self) -> Where:
        """Where it works. What is instant is always asked, and asked first, whatever the user has chosen.

        The others are asked as the settings say, or at a click, and are given the cause with its secrets replaced by
        placeholders.
        """

    @property
    def cost(self) -> str:
        """What it costs to ask it, in words: "2 + 10 US dollars per million tokens". Empty: nothing."""

    @property
    def label(self) -> str:
        """What to call it where it can be asked: a model's name. Empty: it can't be asked, no model is chosen."""

    def propose(self, cause: Cause, request: Request) -> Iterable[Fix]:
        """Yield fixes, the best one first; yield nothing when unsure.

        Parameters
        ----------
        cause : Failure or Wish
            What failed, or what is wanted if nothing did: one that only handles failures yields nothing for a wish.
        request : Request

        Raises
        ------
        ProviderError
            With a sentence for the user.
        """


@runtime_checkable
class Asks(Protocol):
    """A provider that sends what it is given to another program or machine, and can show that beforehand."""

    def would_send(self, cause: Cause, request: Request) -> Outgoing:
        """What `propose` would send first. Nothing is sent."""


@dataclass(frozen=True)
class Review:
    """Whether code that ran does what was asked for, as a provider sees it.

    Parameters
    ----------
    fulfils : bool
    words : str
        Why, in its words, in a sentence; may be empty.
    usage : Usage or None
        What it took to ask.
    """

    fulfils: bool
    words: str = ""
    usage: Usage | None = None


@runtime_checkable
class Reviews(Protocol):
    """A provider that can say whether code does what was asked for."""

    def review(self, wish: Wish, fix: Fix, trial: Trial, request: Request) -> Review | None:
        """Its opinion of code that ran; None: it has none.

        Raises
        ------
        ProviderError
            With a sentence for the user.
        """


@runtime_checkable
class NeedsConsent(Protocol):
    """A provider that sends nothing to another machine before the user has allowed that."""

    @property
    def consent_for(self) -> str:
        """The host that has to be allowed first; empty: none."""

    def allow(self, host: str) -> None:
        """Send to that host from now on, in other sessions as well."""


@runtime_checkable
class Closes(Protocol):
    """A provider that holds something which has to end with the session."""

    def close(self) -> None:
        """Let go of it."""


class Checker(Protocol):
    """Looks at a fix, at nothing else, and says what it found.

    One that has `needs_trial = False` looks at nothing but cause and fix, and is not asked again once that was tried.
    """

    name: str

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterable[Finding]:
        """Yield findings; nothing is good news. Asked again once the fix was tried."""


class RepairStore(RepairHistory, Protocol):
    """Remembers repairs."""

    def save(self, repair: Repair) -> None:
        """Add the repair, or replace the one with its id."""

    def close(self) -> None:
        """Let go of the file."""


@runtime_checkable
class IndexedStore(RepairStore, Recalls, Protocol):
    """A store that finds and counts by itself. Of one that does not, the latest repairs are looked through."""

    def find(self, which: RepairFilter, count: int) -> list[Repair]:
        """The latest that are meant, newest first.

        Parameters
        ----------
        which : RepairFilter
        count : int
            The maximum number.
        """

    def summaries(self, which: RepairFilter, count: int) -> list[RepairSummary]:
        """The same in a line each."""

    def tallies(self) -> list[Tally]:
        """How many came to what, by day and by month, in any order."""

    def remove(self, which: RepairFilter) -> int:
        """Forget those that are meant, and what was learnt of them; gives how many that were."""
