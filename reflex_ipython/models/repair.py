"""One failure or wish with all that came of it: the unit of history."""

from __future__ import annotations

import dataclasses
from typing import Literal

from reflex_ipython.models.failure import Cause, Failure
from reflex_ipython.models.fix import LIKELY, Fix, Step, is_rival
from reflex_ipython.models.lesson import Lesson, Precedent
from reflex_ipython.models.situation import CellRef, Situation
from reflex_ipython.models.verdict import Verdict

RepairOutcome = Literal["open", "no fix", "accepted", "edited", "failed", "rejected", "undone", "superseded"]
"""What became of a repair. "edited": accepted with changes of the user's own; "failed": its run failed after that."""


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
    over : bool
        Whether it stands for good, though it was undone: its cell has run again since.
    """

    kind: Literal["accepted", "rejected", "superseded", "undone"]
    at: str
    fix_id: str | None = None
    steps: tuple[Step, ...] = ()
    run: bool = True
    whole: bool = False
    reason: str = ""
    over: bool = False


@dataclasses.dataclass(frozen=True)
class StaleCell:
    """A cell whose results were computed with values that are no more.

    Parameters
    ----------
    cell : CellRef
    names : tuple of str
        Which values: the names that have others now.
    """

    cell: CellRef
    names: tuple[str, ...]


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
    stale : tuple of StaleCell
        The cells that have not run since, and have used what it made anew; in the order in which they can run again.
    """

    succeeded: bool
    at: str
    ename: str = ""
    evalue: str = ""
    seconds: float = 0.0
    state: str = ""
    stale: tuple[StaleCell, ...] = ()


@dataclasses.dataclass(frozen=True)
class Asked:
    """One time that a provider was asked, and what came of it.

    Parameters
    ----------
    number : int
        Which time it was, from 1.
    fix_id : str
        The fix that it answered with; empty if there was none in its answer.
    problem : str
        What was wrong with an answer that held none, as a sentence.
    seconds : float
        From the question until what it answered was tried.
    """

    number: int
    fix_id: str = ""
    problem: str = ""
    seconds: float = 0.0


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
    asked : tuple of Asked
        The questions to providers that take their time, in the order in which they were asked.
    notebook : str
        The notebook's file, as far as the kernel knows it: its path, or what stands for it where names are not kept.
    author : str
        Who worked on which machine; empty unless the settings ask for it.
    lesson : Lesson or None
        What there is to be learnt of it for another notebook.
    revised : str
        When it was saved as it is, ISO 8601 in UTC: an older state that comes later does not replace a newer one.
    """

    id: str
    session: str
    cause: Cause
    fixes: tuple[Fix, ...] = ()
    verdicts: dict[str, Verdict] = dataclasses.field(default_factory=dict)
    decision: Decision | None = None
    rerun: Rerun | None = None
    trouble: str = ""
    asked: tuple[Asked, ...] = ()
    notebook: str = ""
    author: str = ""
    lesson: Lesson | None = None
    revised: str = dataclasses.field(default="", compare=False)

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
    def worked(self) -> bool | None:
        """Whether the user's decision and the run after it speak for the fix; None: they say nothing of it yet."""
        if self.decision is None or self.decision.kind == "superseded":
            return None
        if self.decision.kind == "accepted":
            return self.rerun.succeeded if self.rerun is not None else None
        return False

    @property
    def decided_fix(self) -> Fix | None:
        """The fix that was decided on; where that is none, the first."""
        return self.fix(self.decision.fix_id if self.decision else None) or next(iter(self.fixes), None)

    @property
    def outcome(self) -> RepairOutcome:
        """What became of it, in a word."""
        if self.decision is None:
            return "open" if self.fixes else "no fix"
        if self.decision.kind != "accepted":
            return self.decision.kind
        if self.rerun is not None and not self.rerun.succeeded:
            return "failed"
        fix = self.decided_fix
        return "edited" if fix is not None and self.decision.steps not in ((), fix.steps) else "accepted"

    @property
    def usage(self) -> tuple[float, int]:
        """Seconds and tokens that models took for all of its fixes."""
        used = [fix.usage for fix in self.fixes if fix.usage is not None]
        tokens = sum((each.input_tokens or 0) + (each.output_tokens or 0) for each in used)
        return sum(each.seconds for each in used), tokens

    @property
    def precedent(self) -> Precedent | None:
        """What it says of the lesson that was learnt of it."""
        if self.lesson is None or self.worked is None:
            return None
        return Precedent(self.lesson, self.worked, self.cause.at, self.notebook, self.session)

    @property
    def is_decided(self) -> bool:
        """Whether nothing is to be decided any more; what was undone can be decided again, until its cell runs."""
        return self.decision is not None and (self.decision.kind != "undone" or self.decision.over)

    @property
    def is_open_without_a_pass(self) -> bool:
        """Whether something failed, nothing is decided, and none of the fixes ran: then the user may know more."""
        passed = any(self.verdict(fix).outcome == "passed" for fix in self.fixes)
        return self.failure is not None and self.decision is None and not passed

    @property
    def is_choice(self) -> bool:
        """Whether several things may be meant: nothing but its running speaks for the first fix, or its rivals run too.

        Where nothing could be tried, what is likely is a choice as well. So are two that were stopped past the error:
        nobody knows what they come to.
        """
        first = self.fixes[0] if self.fixes else None
        if first is None or not first.is_candidate:
            return False
        verdict, digest = self.verdict(first), self._digest(first)
        if first.prior < LIKELY or verdict.outcome == "not_tried":
            return True
        rivals = [fix for fix in self.fixes[1:] if fix.is_candidate and is_rival(fix.prior, first.prior)]
        return any(
            self.verdict(fix).is_past if verdict.is_past else self._digest(fix) not in ("", digest) for fix in rivals
        )

    def _digest(self, fix: Fix) -> str:
        """What its trial came to; empty if it did not pass."""
        verdict = self.verdict(fix)
        return verdict.trial.digest if verdict.outcome == "passed" and verdict.trial is not None else ""

    def fix(self, fix_id: str | None) -> Fix | None:
        """The fix with that id, if it is one of this repair's."""
        return next((fix for fix in self.fixes if fix.id == fix_id), None)
