"""Findings and trial together: what is said of a fix."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reflex_ipython.check.never_run import is_past
from reflex_ipython.models import Cause, Failure, Finding, Trial, Verdict

_INSTALLS = re.compile(r"wants to start a process: .*\b(?:pip3?|conda|mamba|micromamba|uv|apt|apt-get) install\b")
"""What is blocked of `%pip install`: the command of a shell, with paths of this machine in it."""
_STOPPED = ("timed_out", "inconclusive", "blocked")
INSTALLS = "it installs something first, which can't be tried on a copy"


def verdict(cause: Cause, findings: Iterable[Finding], trial: Trial | None, source: str = "") -> Verdict:
    """The verdict on a fix.

    Parameters
    ----------
    cause : Failure or Wish
        What the fix is for.
    findings : iterable of Finding
        Of all checkers.
    trial : Trial or None
        None: nobody tried (yet).
    source : str
        The failing cell's new text.
    """
    if trial is None:
        return Verdict(findings=tuple(findings))
    past = trial.outcome in _STOPPED and isinstance(cause, Failure) and is_past(cause, source, trial.lineno)
    outcome = "inconclusive" if past and trial.outcome == "timed_out" else trial.outcome  # no fault of the fix
    return Verdict(outcome, reason(cause, trial), tuple(findings), trial=trial, is_past=past)


def reason(cause: Cause, trial: Trial) -> str:
    """What a trial says, in words: empty for one that passed."""
    if trial.outcome == "blocked" and _INSTALLS.match(trial.reason):
        return INSTALLS
    if trial.outcome != "other_error":
        return trial.reason
    before = cause.error if isinstance(cause, Failure) else None
    same = before is not None and (trial.ename, trial.evalue) == (before.ename, before.evalue)
    verb = "still raises" if same else "raises"
    place = f" on line {trial.lineno}" if trial.lineno is not None else ""
    where = f" {trial.reason}" if trial.reason else ""
    return f"{verb} {trial.ename}{place}{where}" + ("" if same or before is None else " instead")
