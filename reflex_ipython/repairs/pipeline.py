"""The order of the stages: ask the providers, cheapest first; check what they propose; hand on what has grown.

It knows the protocols alone: who proposes, checks and shows is the session's affair.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

from reflex_ipython.capture.private_paths import private_paths, without_paths
from reflex_ipython.errors import ProviderError, told
from reflex_ipython.models import (
    Cause,
    Edit,
    Fix,
    Lookup,
    Repair,
    RunCell,
    Situation,
    Step,
    Target,
    Trial,
    ValueFacts,
    Verdict,
)
from reflex_ipython.protocols import Attempt, FixProvider, Request
from reflex_ipython.stages import Redactor

_LONGEST_TROUBLE = 1_000
"""Characters of what a provider says went wrong: a sentence or two."""

Judge = Callable[[Cause, Fix, "Trial | None"], Verdict]
"""Says what is known of a fix; without a trial, from the texts alone."""


def grow(
    repair: Repair,
    providers: Sequence[FixProvider],
    judge: Judge,
    request: Request,
    redactor: Callable[[], Redactor],
    candidates: list[Fix] | None = None,
    complete: Callable[[Fix, Cause], Fix] = lambda fix, cause: fix,
    enrich: Callable[[Cause], Cause] = lambda cause: cause,
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
    redactor : callable
        Gives what is applied to all that a provider that is not instant gets to see, and undone in what it answers:
        each time the same one.
    candidates : list of Fix or None
        Gets the fixes that must be tried before they are shown. None: they are shown at once.
    complete : callable
        Adds to a fix the runs of other cells that its edits need.
    enrich : callable
        Adds to the cause what only a provider is told that is not instant, before secrets are taken out.

    Yields
    ------
    Repair
        With one more fix and its verdict, or with `trouble` in words.
    """
    for provider in providers:
        try:
            for fix in _proposals(provider, repair.cause, request, redactor, enrich):
                if request.cancelled.is_set():
                    return
                fix = complete(fix, repair.cause)
                if fix.is_candidate and candidates is not None:
                    candidates.append(fix)
                elif not _known(fix, repair):
                    repair = _with(repair, fix, judge(repair.cause, fix, None))
                    yield repair
        except ProviderError as error:
            if not request.cancelled.is_set():
                repair = dataclasses.replace(repair, trouble=redactor().restore(str(error)[:_LONGEST_TROUBLE]))
                yield repair
        except Exception as error:  # noqa: BLE001 - a provider may be foreign code
            repair = dataclasses.replace(
                repair, trouble=f"The provider {provider.name!r} failed: {told(error)}. Ask again, or go on without it."
            )
            yield repair


def _proposals(
    provider: FixProvider,
    cause: Cause,
    request: Request,
    redactor: Callable[[], Redactor],
    enrich: Callable[[Cause], Cause],
) -> Iterator[Fix]:
    if provider.where == "instant":
        yield from provider.propose(cause, request)
        return
    secrets = redactor()
    for fix in provider.propose(*without_secrets(enrich(cause), request, secrets)):
        steps = tuple(_restored(step, cause.situation, secrets) for step in fix.steps)
        yield dataclasses.replace(fix, steps=steps, explanation=secrets.restore(fix.explanation))


def without_secrets(cause: Cause, request: Request, redactor: Redactor) -> tuple[Cause, Request]:
    """What a provider that is not instant gets to see: a secret that one text gives away is taken out of all.

    Nor does it see the names of files that are hidden or outside the working folder, or what was made of these.
    """
    private = private_paths(cause)
    cause = without_paths(cause, private)
    attempts = tuple(attempt for attempt in request.attempts if not any(map(_says(attempt), private)))
    request = dataclasses.replace(request, attempts=attempts)
    redactor.learn((cause, request.hint, tuple((attempt.fix, attempt.verdict) for attempt in request.attempts)))
    return redactor.cause(cause), _redacted(request, redactor)


def _says(attempt: Attempt) -> Callable[[str], bool]:
    """Whether an earlier fix puts in a path, or says it."""
    before = "\n".join(edit.expected for edit in attempt.fix.edits)
    after = "\n".join([attempt.fix.explanation, *(edit.source for edit in attempt.fix.edits)])
    return lambda path: path.rstrip("/") in after and path.rstrip("/") not in before


def _redacted(request: Request, redactor: Redactor) -> Request:
    return dataclasses.replace(
        request,
        hint=redactor.text(request.hint),
        attempts=tuple(_redacted_attempt(attempt, redactor) for attempt in request.attempts),
        on_text=lambda piece: request.on_text(redactor.restore(piece)),
        ask_again=lambda problem: request.ask_again(redactor.restore(problem)),
    )


def _redacted_attempt(attempt: Attempt, redactor: Redactor) -> Attempt:
    """An earlier fix holds what was restored in it, and what was found out about it may quote that."""
    text, verdict = redactor.text, attempt.verdict
    steps = tuple(_rewritten(step, text) for step in attempt.fix.steps)
    findings = tuple(dataclasses.replace(finding, text=text(finding.text)) for finding in verdict.findings)
    return Attempt(
        dataclasses.replace(attempt.fix, steps=steps, explanation=text(attempt.fix.explanation)),
        dataclasses.replace(
            verdict, reason=text(verdict.reason), findings=findings, trial=_redacted_trial(verdict.trial, text)
        ),
    )


def _redacted_trial(trial: Trial | None, text: Callable[[str], str]) -> Trial | None:
    """What a run raised, printed and gave may hold a secret as well."""
    if trial is None:
        return None
    changes = tuple(
        dataclasses.replace(
            change, before=_redacted_facts(change.before, text), after=_redacted_facts(change.after, text)
        )
        for change in trial.changes
    )
    return dataclasses.replace(
        trial,
        reason=text(trial.reason),
        evalue=text(trial.evalue),
        statement=text(trial.statement),
        stdout=text(trial.stdout),
        result=text(trial.result),
        changes=changes,
        replay=trial.replay and dataclasses.replace(trial.replay, difference=text(trial.replay.difference)),
        lookup=_redacted_lookup(trial.lookup, text),
    )


def _redacted_lookup(lookup: Lookup | None, text: Callable[[str], str]) -> Lookup | None:
    """What it names: nothing else is told of one in a trial."""
    return lookup and Lookup(
        lookup.kind,
        text(lookup.wanted),
        text(lookup.owner),
        text(lookup.owner_type),
        tuple(map(text, lookup.available)),
        others=tuple(map(text, lookup.others)),
        levels=tuple(map(text, lookup.levels)),
    )


def _redacted_facts(facts: ValueFacts | None, text: Callable[[str], str]) -> ValueFacts | None:
    return None if facts is None else dataclasses.replace(facts, text=text(facts.text))


def _rewritten(step: Step, text: Callable[[str], str]) -> Step:
    """The step with its sources as `text` gives them."""
    if isinstance(step, Edit):
        return dataclasses.replace(step, expected=text(step.expected), source=text(step.source))
    return dataclasses.replace(step, source=text(step.source)) if isinstance(step, RunCell) else step


def _restored(step: Step, situation: Situation, redactor: Redactor) -> Step:
    """The step on the real sources. What was not changed is as it was: texts that were restored may differ in `~`."""
    if not isinstance(step, Edit):
        return _rewritten(step, redactor.restore)
    sources: dict[Target, str] = {cell.cell: cell.source for cell in situation.earlier}
    sources.update((known.file, known.source) for known in situation.files)
    sources[situation.place] = situation.source
    expected = sources[step.target] if step.target in sources else redactor.restore(step.expected)
    source = expected if step.source == step.expected else redactor.restore(step.source)
    return dataclasses.replace(step, expected=expected, source=source)


def _known(fix: Fix, repair: Repair) -> bool:
    """Whether it changes nothing, or is the same as another one that is no mere candidate."""
    same = [other for other in repair.fixes if _effective(other) == _effective(fix)]
    return not _effective(fix) or any(not other.is_candidate or fix.is_candidate for other in same)


def _effective(fix: Fix) -> list[Step]:
    return [step for step in fix.steps if not (isinstance(step, Edit) and step.source == step.expected)]


def _with(repair: Repair, fix: Fix, verdict: Verdict) -> Repair:
    """The repair with one more fix, in the place of a candidate that it chose; any earlier trouble is over."""
    others = tuple(other for other in repair.fixes if _effective(other) != _effective(fix))
    return dataclasses.replace(repair, fixes=(*others, fix), verdicts={**repair.verdicts, fix.id: verdict}, trouble="")
