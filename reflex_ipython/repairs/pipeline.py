"""The order of the stages: ask the providers, cheapest first; check what they propose; hand on what has grown.

It knows the protocols alone: who proposes, checks and shows is the session's affair.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

from reflex_ipython.base.opcodes import opcodes
from reflex_ipython.errors import ProviderError, told
from reflex_ipython.models import CellEdit, Failure, Fix, Repair, Trial, Verdict
from reflex_ipython.protocols import Attempt, FixProvider, Redactor, Request

_LONGEST_TROUBLE = 1_000
"""Characters of what a provider says went wrong: a sentence or two."""

Judge = Callable[[Failure, Fix, "Trial | None"], Verdict]
"""Says what is known of a fix; without a trial, from the texts alone."""


def grow(
    repair: Repair, providers: Sequence[FixProvider], judge: Judge, request: Request, redactor: Redactor
) -> Iterator[Repair]:
    """Ask each provider in turn for fixes of a repair.

    Parameters
    ----------
    repair : Repair
        What is known so far; what it proposes already is not proposed again.
    providers : sequence of FixProvider
        In the order in which they are asked.
    judge : callable
        Says what is known of each fix before it is tried.
    request : Request
        When it is cancelled, nothing more is yielded.
    redactor : Redactor
        Applied to all that a provider that is not instant gets to see, and undone in what it answers.

    Yields
    ------
    Repair
        With one more fix and its verdict, or with `trouble` in words.
    """
    for provider in providers:
        try:
            for fix in _proposals(provider, repair.failure, request, redactor):
                if request.cancelled.is_set():
                    return
                if not _known(fix, repair):
                    repair = _with(repair, fix, judge(repair.failure, fix, None))
                    yield repair
        except ProviderError as error:
            if not request.cancelled.is_set():
                repair = dataclasses.replace(repair, trouble=redactor.restore(str(error)[:_LONGEST_TROUBLE]))
                yield repair
        except Exception as error:  # noqa: BLE001 - a provider may be foreign code
            repair = dataclasses.replace(
                repair, trouble=f"The provider {provider.name!r} failed: {told(error)}. Ask again, or go on without it."
            )
            yield repair


def worth_another(verdict: Verdict, before: Verdict | None) -> bool:
    """Whether a provider should be told what was found, and asked again.

    Not if the fix convinces, if nobody could try it, or if it came to the same end as the one before.
    """
    tried = verdict.outcome in ("passed", "other_error", "timed_out", "blocked")
    same = before is not None and (before.outcome, before.reason) == (verdict.outcome, verdict.reason)
    return tried and not convincing(verdict) and not (same and verdict.outcome != "passed")


def convincing(verdict: Verdict) -> bool:
    """Whether the fix passed, and nothing speaks against it."""
    return verdict.outcome == "passed" and all(finding.severity == "note" for finding in verdict.findings)


def best_first(repair: Repair) -> Repair:
    """The repair with the fixes that pass in front, the shortest edit first; then the untried; then the others."""

    def rank(fix: Fix) -> tuple[int, int]:
        verdict = repair.verdict(fix)
        if verdict.dangerous:
            return 4, 0
        if verdict.outcome == "passed":
            return (0, _size(fix)) if convincing(verdict) else (1, _size(fix))
        return (2, 0) if verdict.outcome in ("not_tried", "inconclusive") else (3, 0)

    return dataclasses.replace(repair, fixes=tuple(sorted(repair.fixes, key=rank)))


def _size(fix: Fix) -> int:
    """How many characters its edits take out and put in, line by line."""
    size = 0
    for edit in fix.edits:
        old, new = edit.expected.split("\n"), edit.source.split("\n")
        for tag, i1, i2, j1, j2 in opcodes(old, new):
            if tag != "equal":
                size += sum(map(len, old[i1:i2])) + sum(map(len, new[j1:j2]))
    return size


def _proposals(provider: FixProvider, failure: Failure, request: Request, redactor: Redactor) -> Iterator[Fix]:
    if provider.where == "instant":
        yield from provider.propose(failure, request)
        return
    for fix in provider.propose(*without_secrets(failure, request, redactor)):
        edits = tuple(_restored(edit, failure, redactor) for edit in fix.edits)
        yield dataclasses.replace(fix, edits=edits, explanation=redactor.restore(fix.explanation))


def without_secrets(failure: Failure, request: Request, redactor: Redactor) -> tuple[Failure, Request]:
    """What a provider that is not instant gets to see: a secret that one text gives away is taken out of all."""
    redactor.learn((failure, request.hint, tuple((attempt.fix, attempt.verdict) for attempt in request.attempts)))
    return redactor.failure(failure), _redacted(request, redactor)


def _redacted(request: Request, redactor: Redactor) -> Request:
    return dataclasses.replace(
        request,
        hint=redactor.text(request.hint),
        attempts=tuple(_redacted_attempt(attempt, redactor) for attempt in request.attempts),
        on_text=lambda piece: request.on_text(redactor.restore(piece)),
    )


def _redacted_attempt(attempt: Attempt, redactor: Redactor) -> Attempt:
    """An earlier fix holds what was restored in it, and what was found out about it may quote that."""
    text, verdict = redactor.text, attempt.verdict
    edits = tuple(
        dataclasses.replace(edit, expected=text(edit.expected), source=text(edit.source)) for edit in attempt.fix.edits
    )
    findings = tuple(dataclasses.replace(finding, text=text(finding.text)) for finding in verdict.findings)
    return Attempt(
        dataclasses.replace(attempt.fix, edits=edits, explanation=text(attempt.fix.explanation)),
        dataclasses.replace(verdict, reason=text(verdict.reason), findings=findings),
    )


def _restored(edit: CellEdit, failure: Failure, redactor: Redactor) -> CellEdit:
    """The edit of the real cell. What was not changed is as it was: texts that were restored may differ in `~`."""
    sources = {cell.cell: cell.source for cell in failure.earlier} | {failure.cell: failure.source}
    expected = sources[edit.cell] if edit.cell in sources else redactor.restore(edit.expected)
    source = expected if edit.source == edit.expected else redactor.restore(edit.source)
    return dataclasses.replace(edit, expected=expected, source=source)


def _known(fix: Fix, repair: Repair) -> bool:
    sources = [edit.source for edit in fix.edits]
    unchanged = all(edit.source == edit.expected for edit in fix.edits)
    return unchanged or any([edit.source for edit in other.edits] == sources for other in repair.fixes)


def _with(repair: Repair, fix: Fix, verdict: Verdict) -> Repair:
    """The repair with one more fix; what went wrong before is no longer the last word."""
    return dataclasses.replace(
        repair, fixes=(*repair.fixes, fix), verdicts={**repair.verdicts, fix.id: verdict}, trouble=""
    )
