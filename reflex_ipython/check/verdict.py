"""Findings and trial together: what is said of a fix."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from reflex_ipython.models import Failure, Finding, Trial, Verdict


def verdict(failure: Failure, findings: Iterable[Finding], trial: Trial | None) -> Verdict:
    """The verdict on a fix.

    Parameters
    ----------
    failure : Failure
        What the fix is for.
    findings : iterable of Finding
        Of all checkers.
    trial : Trial or None
        None: nobody tried (yet).
    """
    if trial is None:
        return Verdict(findings=tuple(findings))
    return Verdict(trial.outcome, reason(failure, trial), tuple(findings), trial=trial)


def reason(failure: Failure, trial: Trial) -> str:
    """What a trial says, in words: empty for one that passed."""
    if trial.outcome != "other_error":
        return trial.reason
    same = trial.ename == failure.error.ename and trial.evalue == failure.error.evalue
    verb = "still raises" if same else "raises"
    place = f" on line {trial.lineno}" if trial.lineno is not None else ""
    where = f" {trial.reason}" if trial.reason else ""
    return f"{verb} {trial.ename}{place}{where}" + ("" if same else " instead")


def tried_line(verdict: Verdict) -> str:
    """How a trial that passed went, in a line: what the panel says in green, or in yellow if there is a "but".

    Returns
    -------
    str
        "ran in a copy of your kernel, 0.21 s", or "runs, but drops 3 of 100 rows of `df`".
    """
    trial = verdict.trial
    if trial is None or trial.outcome != "passed":
        return ""
    but = next((finding for finding in verdict.findings if finding.severity != "note"), None)
    if but is not None:
        return f"runs, but {but.text}"
    return f"ran in a copy of your kernel, {max(trial.seconds, 0.01):.2f} s"


def tried(verdict: Verdict, failure: Failure, trial: Trial) -> Verdict:
    """The same verdict once the trial is known."""
    return dataclasses.replace(verdict, outcome=trial.outcome, reason=reason(failure, trial), trial=trial)
