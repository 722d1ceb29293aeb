"""What is known of a fix, in one line of facts."""

from __future__ import annotations

from reflex_ipython.models import REPLAYED, Finding, RunOption, Verdict
from reflex_ipython.present.notice import Notice, Tone
from reflex_ipython.present.preview import put_out

PAST, BLOCKED = "gets past the error, then", "blocked by the sandbox"


def verdict_line(verdict: Verdict, *, at_work: bool = False) -> Notice:
    """What is known of a fix, in one line of facts.

    Parameters
    ----------
    verdict : Verdict
    at_work : bool
        Whether something is being done for its repair: what was not tried may be soon.
    """
    if verdict.outcome == "passed":
        return _passed_line(verdict)
    if verdict.outcome == "other_error":
        return Notice(verdict.reason, "bad")
    if verdict.outcome in ("timed_out", "inconclusive"):
        return Notice(f"{PAST if verdict.is_past else 'inconclusive:'} {verdict.reason}", "warning")
    tone: Tone = "plain"
    words = "not tried yet" if at_work and not verdict.reason else "not tried"
    if verdict.outcome == "blocked":
        words, tone = f"{PAST} is {BLOCKED}" if verdict.is_past else BLOCKED, "warning"
    return Notice(f"{words}: {verdict.reason}" if verdict.reason else words, tone)


def _passed_line(verdict: Verdict) -> Notice:
    but = objection(verdict)
    if but is not None:
        return Notice(f"runs, but {but.text}", "warning")
    took = f", {max(verdict.trial.seconds, 0.01):.2f} s" if verdict.trial else ""
    seen = put_out(verdict.trial) if verdict.trial else ()
    replayed = [finding.text for finding in verdict.findings if finding.code == REPLAYED]
    return Notice(" · ".join([f"ran in a copy of your kernel{took}", *replayed, *seen]), "good")


def with_start(line: Notice, verdict: Verdict, *, first: bool) -> Notice:
    """The line, and where the accepted cell will start to run.

    Parameters
    ----------
    line : Notice
        Of `verdict_line`.
    verdict : Verdict
    first : bool
        Whether other cells run first.
    """
    if first and verdict.outcome == "other_error":  # it may not come so far
        return line
    if first:  # nothing is put back once other cells have run, and nothing is left out
        return Notice(f"{line.text} · then all of this cell runs", line.tone)
    option = verdict.run_options[0] if verdict.run_options else RunOption()
    if not option.restores:
        since = "" if verdict.outcome == "not_tried" else "another cell has run since; "  # a trial was before that
        return Notice(f"{line.text} · {since}the whole cell will run on the current state", line.tone)
    if option.line is None or verdict.outcome == "other_error":  # then where it starts is not what matters
        return line
    ahead = f"runs {option.first} first, " if option.first else ""
    return Notice(f"{line.text} · {ahead}resumes at line {option.line}", line.tone)


def text_verdict(verdict: Verdict, *, first: bool) -> Notice | None:
    """What is known of a fix that the user has changed, or why it could not be tried; None if neither is known.

    Parameters
    ----------
    verdict : Verdict
    first : bool
        Whether other cells run first.
    """
    if verdict.outcome == "not_tried" and not verdict.reason:
        return None
    return with_start(verdict_line(verdict), verdict, first=first)


def is_in_line(finding: Finding, verdict: Verdict) -> bool:
    """Whether the line says a finding already."""
    but = objection(verdict)
    return finding is but or (finding.code == REPLAYED and verdict.outcome == "passed" and but is None)


def objection(verdict: Verdict) -> Finding | None:
    """What speaks most against a fix that ran; it is said in the verdict's line."""
    if verdict.outcome != "passed":
        return None
    return next((finding for finding in verdict.findings if finding.severity != "note"), None)
