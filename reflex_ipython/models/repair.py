"""One failure or wish with all that came of it: the unit of history."""

from __future__ import annotations

import dataclasses
from typing import Literal

from reflex_ipython.models.failure import Cause, Failure
from reflex_ipython.models.fix import LIKELY, Fix, Step, is_rival
from reflex_ipython.models.situation import Situation
from reflex_ipython.models.verdict import Verdict


@dataclasses.dataclass(frozen=True)
class Decision:
    """What became of a proposal.

    Parameters
    ----------
    kind : str
        "accepted" and "rejected" are the user's; "superseded": the cell ran again or was changed meanwhile.
    at : str
        When, ISO 8601 in UTC.
    fix_id : str or None
        Which fix, for an accepted one.
    steps : tuple of Step
        Of an accepted fix, as they were decided for: hunks left out, the user's own edits included.
    run : bool
        Whether the failing code was to be run at once.
    whole : bool
        Whether all of it was to run, even where it could have been resumed.
    reason : str
        In words, where it needs them.
    """

    kind: Literal["accepted", "rejected", "superseded", "undone"]
    at: str
    fix_id: str | None = None
    steps: tuple[Step, ...] = ()
    run: bool = True
    whole: bool = False
    reason: str = ""


@dataclasses.dataclass(frozen=True)
class Rerun:
    """How the accepted fix went in the user's kernel.

    Parameters
    ----------
    succeeded : bool
    at : str
        When it ended, ISO 8601 in UTC.
    ename, evalue : str
        What it raised, if it did.
    seconds : float
        How long it ran.
    state : str
        What was put back and where it went on, in words; empty if it just ran.
    """

    succeeded: bool
    at: str
    ename: str = ""
    evalue: str = ""
    seconds: float = 0.0
    state: str = ""


@dataclasses.dataclass(frozen=True)
class Repair:
    """One failure or wish with all that came of it: the unit of history.

    Parameters
    ----------
    id : str
        Short and random.
    session : str
        The id of the session that opened it.
    cause : Failure or Wish
    fixes : tuple of Fix
        The proposals, best first.
    verdicts : dict of str to Verdict
        By the fix's id.
    decision : Decision or None
    rerun : Rerun or None
    trouble : str
        What could not be done, in words.
    """

    id: str
    session: str
    cause: Cause
    fixes: tuple[Fix, ...] = ()
    verdicts: dict[str, Verdict] = dataclasses.field(default_factory=dict)
    decision: Decision | None = None
    rerun: Rerun | None = None
    trouble: str = ""

    @property
    def situation(self) -> Situation:
        """Where code is wanted."""
        return self.cause.situation

    @property
    def failure(self) -> Failure | None:
        """What went wrong; None if nothing did."""
        return self.cause if isinstance(self.cause, Failure) else None

    @property
    def applied(self) -> tuple[Step, ...]:
        """The steps of the fix that was accepted, as they were decided for; empty if none was."""
        return self.decision.steps if self.decision is not None else ()

    def verdict(self, fix: Fix) -> Verdict:
        """The verdict on `fix`; a fix that nobody looked at was not tried."""
        return self.verdicts.get(fix.id, Verdict())

    @property
    def is_decided(self) -> bool:
        """Whether nothing is to be decided any more; what was undone can be decided again."""
        return self.decision is not None and self.decision.kind != "undone"

    @property
    def is_open_without_a_pass(self) -> bool:
        """Whether something failed, nothing is decided, and none of the fixes ran: then the user may know more."""
        passed = any(self.verdict(fix).outcome == "passed" for fix in self.fixes)
        return self.failure is not None and self.decision is None and not passed

    @property
    def is_choice(self) -> bool:
        """Whether several things may be meant: nothing but its running speaks for the first fix, or its rivals run too.

        Where nothing could be tried, what is likely is a choice as well.
        """
        first = self.fixes[0] if self.fixes else None
        if first is None or not first.is_candidate:
            return False
        if first.prior < LIKELY or self.verdict(first).outcome == "not_tried":
            return True
        digest = self._digest(first)
        return any(
            fix.is_candidate and is_rival(fix.prior, first.prior) and self._digest(fix) not in ("", digest)
            for fix in self.fixes[1:]
        )

    def _digest(self, fix: Fix) -> str:
        """What its trial came to; empty if it did not pass."""
        verdict = self.verdict(fix)
        return verdict.trial.digest if verdict.outcome == "passed" and verdict.trial is not None else ""

    def fix(self, fix_id: str | None) -> Fix | None:
        """The fix with that id, if it is one of this repair's."""
        return next((fix for fix in self.fixes if fix.id == fix_id), None)
