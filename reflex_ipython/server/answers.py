"""What the service is asked, checked, and what it answers: JSON on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reflex_ipython.errors import BadInput
from reflex_ipython.models import LONGEST_WISH, Execution, Repair, RepairFilter, Wish

DEFAULT_RETRIES, DEFAULT_TIMEOUT = 5, 30.0
LIMIT, MOST = 50, 500
"""Repairs in one answer: unless somebody says otherwise, and at most."""
LOOKED_THROUGH = 5_000
"""The latest repairs that filters look through."""
LINE_FILTERS = ("text", "ename", "notebook", "provider", "rule", "model", "outcome", "since", "until")
"""Those of `GET history`, as `RepairFilter` has them."""
DECISIONS = ("accepted", "rejected", "superseded", "undone", "open")


@dataclass(frozen=True)
class ExecuteBody:
    """The body of a request.

    Parameters
    ----------
    request : str
        The words.
    max_retries : int
        Attempts at most.
    timeout : float
        Seconds of each run.
    """

    request: str
    max_retries: int = DEFAULT_RETRIES
    timeout: float = DEFAULT_TIMEOUT


def asked(body: object, *, max_attempts: int, max_timeout: float) -> ExecuteBody:
    """The body of a request, checked.

    Raises
    ------
    BadInput
        In a sentence that names the field.
    """
    if not isinstance(body, dict):
        raise BadInput("The body has to be a JSON object.")
    unknown = sorted(set(body) - {"request", "max_retries", "timeout"})
    if unknown:
        raise BadInput(f"There is no field {unknown[0]!r}: there are request, max_retries and timeout.")
    request = body.get("request")
    if not isinstance(request, str) or not request.strip():
        raise BadInput("`request` has to say in words what the code is to do.")
    if len(request) > LONGEST_WISH:
        raise BadInput(f"`request` is longer than {LONGEST_WISH:,} characters.")
    retries, timeout = body.get("max_retries", DEFAULT_RETRIES), body.get("timeout", DEFAULT_TIMEOUT)
    if type(retries) is not int or not 1 <= retries <= max_attempts:
        raise BadInput(f"`max_retries` has to be a whole number from 1 to {max_attempts}.")
    if type(timeout) not in (int, float) or not 0 < timeout <= max_timeout:
        raise BadInput(f"`timeout` has to be a number of seconds up to {max_timeout:g}.")
    return ExecuteBody(request, retries, float(timeout))


def executed(execution: Execution, total_attempts: int) -> Mapping[str, Any]:
    """What came of a request.

    Parameters
    ----------
    execution : Execution
    total_attempts : int
        How many were to be made at most.
    """
    return {
        "id": execution.id,
        "success": execution.success,
        "results": [
            {
                "attempt": attempt.number,
                "total_attempts": total_attempts,
                "success": attempt.success,
                "code": attempt.code,
                "output": attempt.output,
                "error": attempt.error or None,
                "execution_time": attempt.seconds,
                "findings": list(attempt.findings),
            }
            for attempt in execution.attempts
        ],
        "final_code": execution.final,
        "final_result": execution.output if execution.final is not None else None,
        "reason": execution.reason or None,
        "total_time": execution.seconds,
        "input_tokens": execution.input_tokens,
        "output_tokens": execution.output_tokens,
        "model": execution.model,
    }


@dataclass(frozen=True)
class Filters:
    """Which repairs are wanted."""

    limit: int = LIMIT
    kind: str = ""
    decision: str = ""
    error: str = ""
    since: str = ""

    def chosen(self, repairs: Sequence[Repair]) -> list[Repair]:
        """Those of them, in their order."""
        return [repair for repair in repairs if self._is_wanted(repair)][: self.limit]

    def _is_wanted(self, repair: Repair) -> bool:
        is_wish = isinstance(repair.cause, Wish)
        ename = repair.failure.error.ename if repair.failure is not None else ""
        return (
            (not self.kind or is_wish == (self.kind == "request"))
            and (not self.decision or _decision(repair) == self.decision)
            and (not self.error or ename == self.error)
            and (not self.since or repair.cause.at >= self.since)
        )


def filters(given: Mapping[str, str]) -> Filters:
    """The filters of an address.

    Raises
    ------
    BadInput
        In a sentence that names the one that can't be used.
    """
    unknown = sorted(set(given) - {"limit", "kind", "decision", "error", "since", "token"})
    if unknown:
        raise BadInput(f"There is no filter {unknown[0]!r}: there are limit, kind, decision, error and since.")
    limit = _limit(given)
    _one_of("kind", given.get("kind", ""), ("failure", "request"))
    _one_of("decision", given.get("decision", ""), DECISIONS)
    return Filters(limit, *(given.get(name, "") for name in ("kind", "decision", "error", "since")))


def asked_lines(given: Mapping[str, str]) -> tuple[RepairFilter, int]:
    """Which repairs the address asks for in a line each, and how many at most.

    Raises
    ------
    BadInput
        In a sentence that names what can't be used.
    """
    unknown = sorted(set(given) - {*LINE_FILTERS, "limit", "token"})
    if unknown:
        raise BadInput(f"There is no filter {unknown[0]!r}: there are limit, {', '.join(LINE_FILTERS)}.")
    limit = _limit(given)
    texts: dict[str, Any] = {name: given[name] for name in LINE_FILTERS if name in given}
    return RepairFilter(**texts), limit


def _limit(given: Mapping[str, str]) -> int:
    limit = given.get("limit", str(LIMIT))
    if not limit.isdecimal() or len(limit) > len(str(MOST)) or not 1 <= int(limit) <= MOST:
        raise BadInput(f"`limit` has to be a whole number from 1 to {MOST}.")
    return int(limit)


def listed(repairs: Sequence[Repair]) -> Mapping[str, Any]:
    """Repairs, a row each."""
    return {"repairs": list(_rows(repairs))}


def _rows(repairs: Sequence[Repair]) -> Iterator[Mapping[str, Any]]:
    for repair in repairs:
        failure, rerun = repair.failure, repair.rerun
        yield {
            "id": repair.id,
            "session": repair.session,
            "at": repair.cause.at,
            "kind": "failure" if failure is not None else "request",
            "title": repair.cause.title,
            "error": failure.error.ename if failure is not None else None,
            "fixes": len(repair.fixes),
            "decision": _decision(repair),
            "succeeded": rerun.succeeded if rerun is not None else None,
        }


def _decision(repair: Repair) -> str:
    return repair.decision.kind if repair.decision is not None else "open"


def _one_of(name: str, value: str, choices: Sequence[str]) -> None:
    if value and value not in choices:
        raise BadInput(f"`{name}` has to be one of {', '.join(choices)}.")
