"""What is known of a fix before anybody accepts it."""

from __future__ import annotations

import dataclasses
from typing import Literal

from reflex_ipython.models.trial import Outcome, Trial


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something that a careful reviewer would want to know of a fix."""

    code: str
    text: str
    severity: Literal["note", "warning", "danger"] = "warning"


@dataclasses.dataclass(frozen=True)
class RunOption:
    """One way to run an accepted cell.

    Parameters
    ----------
    line : int or None
        The line of its new source where it goes on, 1-based; None: all of it runs.
    repeats : tuple of str
        What would happen a second time, or starts from what can't be put back: worth a person's yes.
    restores : bool
        Whether the state is put back first. Not once another cell has run.
    first : str
        The lines above that one which run in front of it, in words: they were inserted before what has run.
    """

    line: int | None = None
    repeats: tuple[str, ...] = ()
    restores: bool = True
    first: str = ""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What is known of a fix before anybody accepts it.

    Parameters
    ----------
    outcome : str
        What happened when it was tried: one of `Outcome`.
    reason : str
        In words, where the outcome needs them.
    findings : tuple of Finding
        From all checkers, in their order.
    run_options : tuple of RunOption
        How an accepted cell can be run: the first is what happens if nobody says otherwise. Empty: it just runs.
    trial : Trial or None
        What was seen when it ran in a copy of the kernel; None where nobody tried yet.
    is_past : bool
        Whether the trial was stopped, or blocked, when it was past the statement that failed: that one is mended.
    """

    outcome: Outcome = "not_tried"
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    run_options: tuple[RunOption, ...] = ()
    trial: Trial | None = None
    is_past: bool = False

    @property
    def dangerous(self) -> bool:
        """Whether a finding says that running this needs a person's explicit yes."""
        return any(finding.severity == "danger" for finding in self.findings)

    @property
    def refuted(self) -> bool:
        """Whether a trial speaks against the fix: not one that was stopped when it was past the error."""
        return self.outcome in ("other_error", "timed_out", "blocked") and not self.is_past

    @property
    def doubts(self) -> tuple[Finding, ...]:
        """The findings that speak against the fix."""
        return tuple(finding for finding in self.findings if finding.severity != "note")

    @property
    def repeats(self) -> tuple[str, ...]:
        """What would happen a second time if it runs as it does by itself."""
        return self.run_options[0].repeats if self.run_options else ()
