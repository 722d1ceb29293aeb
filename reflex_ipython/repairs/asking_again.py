"""Whether who has proposed something is asked once more: what came of it, and how often that may be."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from reflex_ipython.models import Cause, Verdict, Wish
from reflex_ipython.repairs.progress import Progress
from reflex_ipython.repairs.ranking import convincing
from reflex_ipython.repairs.rounds import Round

SAME = 3
"""So many attempts in a row that come to the same end are the last ones."""
_SAME_OF_WISH = 2
"""The same for code that is wanted where nothing failed."""
SAME_END = "The last attempts ended alike ({}), so nobody was asked again. Say it in other words, or give a hint."

UNTRIABLE = frozenset({"installs"})
"""Codes of findings that say why a trial could not do what the fix does: that is no reason to want another."""


class AskingAgain:
    """The questions of one round to its providers, of which the first is asked already.

    Parameters
    ----------
    part : Round
    cause : Failure or Wish
    progress : Progress
        Says of each further question which one it is, and why.
    """

    def __init__(self, part: Round, cause: Cause, progress: Progress) -> None:
        self._part = part
        self._progress = progress
        self._same = _SAME_OF_WISH if isinstance(cause, Wish) else SAME
        self._asked = 1
        self._ends: list[Verdict] = []

    def begins(self, why: str) -> bool:
        """Begin one more; False if there were enough.

        Parameters
        ----------
        why : str
            In a few words.
        """
        if self._asked >= self._part.attempts or self._progress.is_cancelled:
            return False
        self._asked += 1
        work = self._part.work
        self._progress.begins(dataclasses.replace(work, attempt=self._asked, of=self._part.attempts, why=why))
        return True

    def begins_after(self, verdict: Verdict) -> bool:
        """Begin one more if it is worth it, after an attempt that has come to this."""
        if not worth_another(verdict, self._ends, self._same):
            return False
        self._ends.append(verdict)
        return self.begins(_why(verdict))

    def trouble(self, verdict: Verdict) -> str:
        """What to say of an attempt that has come to this, if it was one too many that did; else empty."""
        return SAME_END.format(_why(verdict)) if is_repeated(verdict, self._ends, self._same) else ""


def worth_another(verdict: Verdict, before: Sequence[Verdict] = (), same: int = SAME) -> bool:
    """Whether a provider should be told what was found, and asked again.

    Not if the fix convinces, if it gets past the error and nothing speaks against it, if nobody could try it or a trial
    is not allowed to do what it does, or if so many in a row came to the same end.
    """
    allowed = not any(finding.code in UNTRIABLE for finding in verdict.findings)
    tried = verdict.outcome in ("passed", "other_error", "timed_out") or (
        allowed and (verdict.outcome == "blocked" or verdict.is_past)
    )
    mended = convincing(verdict) or (verdict.is_past and not verdict.doubts)
    return tried and not mended and not is_repeated(verdict, before, same)


def is_repeated(verdict: Verdict, before: Sequence[Verdict], times: int) -> bool:
    """Whether so many attempts in a row came to the same end, which is none that passed."""
    ends = [(one.outcome, one.reason) for one in (*before, verdict)][-times:]
    return len(ends) == times and len(set(ends)) == 1 and verdict.outcome != "passed"


def _why(verdict: Verdict) -> str:
    """What was wrong with an attempt, in a few words."""
    if verdict.outcome != "passed":
        return verdict.reason
    return next((finding.text for finding in verdict.doubts), "not convincing")
