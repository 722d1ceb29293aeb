"""What came of a request in words: each attempt, and the code in the end. Its JSON form is stable."""

from __future__ import annotations

import dataclasses

from reflex_ipython.models.fix import Fix
from reflex_ipython.models.repair import Asked, Repair
from reflex_ipython.models.verdict import Verdict

NOT_AS_ASKED = "not-as-asked"
"""The code of the finding that what ran does not do what was asked for."""


@dataclasses.dataclass(frozen=True)
class ExecutionAttempt:
    """One time that a model was asked for the code.

    Parameters
    ----------
    number : int
        From 1.
    code : str
        What it wrote; empty if its answer held no code.
    success : bool
        Whether that ran without an error in the sandbox, and does what was asked for as far as is known.
    error : str
        What went wrong, in words: the exception as the end of a traceback has it, or what is wrong with the answer.
    output : str
        What was printed, then the last expression's text.
    seconds : float
        From the question until the code was tried and judged.
    findings : tuple of str
        What a reviewer would want to know of it, and what the model said of it when it was asked.
    """

    number: int
    code: str = ""
    success: bool = False
    error: str = ""
    output: str = ""
    seconds: float = 0.0
    findings: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Execution:
    """What came of a request in words.

    Parameters
    ----------
    id : str
        Of its repair in the history.
    request : str
        The words.
    success : bool
        Whether there is code that ran without an error, and does what was asked for as far as is known.
    attempts : tuple of ExecutionAttempt
        In the order in which the model was asked.
    final : str or None
        The best code that ran without an error; None if none did.
    output : str
        What that printed, then the last expression's text.
    reason : str
        Why there is no success, in words; empty if there is.
    seconds : float
        All of it together.
    input_tokens, output_tokens : int or None
        Of all answers that held code, and of the questions about them; None where a server did not count them.
    model : str
        Who wrote it, as the server names it; empty if nobody has.
    """

    id: str
    request: str
    success: bool = False
    attempts: tuple[ExecutionAttempt, ...] = ()
    final: str | None = None
    output: str = ""
    reason: str = ""
    seconds: float = 0.0
    input_tokens: int | None = None
    output_tokens: int | None = None
    model: str = ""

    def __str__(self) -> str:
        """In a few lines."""
        times = "1 attempt" if len(self.attempts) == 1 else f"{len(self.attempts)} attempts"
        head = f"{'success' if self.success else 'no success'} after {times}, {self.seconds:.1f} s: {self.request}"
        return "\n".join(filter(None, (head, self.reason, self.final, self.output)))


def execution(repair: Repair, seconds: float | None = None) -> Execution:
    """What came of a request so far, as its repair tells it.

    Parameters
    ----------
    repair : Repair
        Of a wish.
    seconds : float or None
        What all of it took. None: what the attempts took together.
    """
    attempts = tuple(_attempt(repair, one) for one in repair.asked)
    best = next((fix for fix in repair.fixes if repair.verdict(fix).outcome == "passed"), None)
    success = best is not None and is_as_asked(repair.verdict(best))
    usages = [fix.usage for fix in repair.fixes if fix.usage is not None]
    return Execution(
        repair.id,
        getattr(repair.cause, "words", repair.cause.title),
        success,
        attempts,
        _code(repair, best) if best is not None else None,
        _output(repair.verdict(best)) if best is not None else "",
        "" if success else _reason(repair, attempts),
        round(sum(one.seconds for one in attempts) if seconds is None else seconds, 3),
        _sum([usage.input_tokens for usage in usages]),
        _sum([usage.output_tokens for usage in usages]),
        usages[-1].model if usages else "",
    )


def is_as_asked(verdict: Verdict) -> bool:
    """Whether code ran, and nobody says that it does not do what was asked for."""
    return verdict.outcome == "passed" and not any(one.code == NOT_AS_ASKED for one in verdict.findings)


def _attempt(repair: Repair, asked: Asked) -> ExecutionAttempt:
    fix = repair.fix(asked.fix_id)
    if fix is None:
        return ExecutionAttempt(asked.number, error=asked.problem, seconds=asked.seconds)
    verdict = repair.verdict(fix)
    return ExecutionAttempt(
        asked.number,
        _code(repair, fix),
        is_as_asked(verdict),
        _error(verdict),
        _output(verdict),
        asked.seconds,
        tuple(finding.text for finding in verdict.findings),
    )


def _code(repair: Repair, fix: Fix) -> str:
    return fix.source_of(repair.situation.place, "")


def _error(verdict: Verdict) -> str:
    trial = verdict.trial
    if verdict.outcome == "passed":
        return next((one.text for one in verdict.findings if one.code == NOT_AS_ASKED), "")
    if verdict.outcome == "other_error" and trial is not None:
        line = f" (line {trial.lineno})" if trial.lineno is not None else ""
        return f"{trial.ename}: {trial.evalue}{line}" if trial.evalue else f"{trial.ename}{line}"
    return verdict.reason or {"not_tried": "it was not tried"}.get(verdict.outcome, verdict.outcome)


def _output(verdict: Verdict) -> str:
    trial = verdict.trial
    return "" if trial is None else "\n".join(filter(None, (trial.stdout.rstrip("\n"), trial.result)))


def _reason(repair: Repair, attempts: tuple[ExecutionAttempt, ...]) -> str:
    if repair.trouble:
        return repair.trouble
    return attempts[-1].error if attempts else "The model was not asked yet."


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None
