"""What was tried before, as turns of the chat: the model's own answer, then what came of it. Pure.

What the rules have found goes along in the question, to choose from: the model has not said that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reflex_ipython.models import CellRef, Edit, Finding, Fix, Situation, Target, Verdict, target_name
from reflex_ipython.propose.answer_form import AnswerForm
from reflex_ipython.propose.assign import name
from reflex_ipython.propose.extract import NO_REASON
from reflex_ipython.propose.fences import fenced, section
from reflex_ipython.propose.limits import PromptLimits
from reflex_ipython.propose.looked_up import looked_up, there_instead
from reflex_ipython.propose.shorten import one_line, shorten
from reflex_ipython.protocols import Attempt

Message = dict[str, str]

NOT_WANTED = ", but the user wants something else"
TAKE = "If one of these is what is meant, answer with it."
ELSE = "Find another repair than those before."
OF_RULES = "rule"
"""The provider whose fixes no model has said."""
_SAID = 1_000
_CANDIDATES = _FINDINGS = 5
_THERE = 12
"""Names that are told of what there is, where an attempt has looked something up in vain."""


def candidates(attempts: Sequence[Attempt], situation: Situation, limits: PromptLimits) -> str:
    """What the search without a model has found: each change, and what came of it."""
    found = [attempt for attempt in attempts if attempt.fix.provider == OF_RULES and attempt.fix.edits]
    told = [
        f"{number}. {what_came(attempt.verdict, situation)}\n"
        f"{fenced(changed(attempt.fix, limits.earlier_size or 300, situation.place), 'python')}"
        for number, attempt in enumerate(found[:_CANDIDATES], 1)
    ]
    heading = "Repairs that a search has tried"
    chosen = any(may_be_chosen(attempt.verdict) for attempt in found[:_CANDIDATES])
    return section(heading, *told, TAKE if chosen else "") if told else ""


def may_be_chosen(verdict: Verdict) -> bool:
    """Whether a model may answer with what the search has found: no trial speaks against it."""
    return verdict.outcome in ("passed", "not_tried") or verdict.is_past


def turns(
    attempts: Sequence[Attempt], situation: Situation, limits: PromptLimits, form: AnswerForm
) -> Iterator[Message]:
    """Two messages for each of the latest attempts: what the model said, and what came of it."""
    said = [attempt for attempt in attempts if attempt.fix.provider != OF_RULES]
    for attempt in said[-limits.attempts :]:
        yield {"role": "assistant", "content": _answer(attempt.fix, limits.earlier_size or 300, situation.place)}
        yield {"role": "user", "content": f"{what_came(attempt.verdict, situation, NOT_WANTED)}\n\n{form.again}"}


def unusable(reply: str, problem: str, form: AnswerForm, size: int = 2_000) -> list[Message]:
    """Two messages for an answer that holds no fix.

    Parameters
    ----------
    reply : str
        All that the model wrote.
    problem : str
        What is wrong with it, as a sentence.
    form : AnswerForm
        How the model is to answer.
    size : int
        Characters of it that are repeated.
    """
    return [
        {"role": "assistant", "content": shorten(reply.strip(), size) or "(nothing)"},
        {"role": "user", "content": f"{problem}\n\n{ELSE} {form.again}"},
    ]


def _answer(fix: Fix, size: int, place: Target) -> str:
    reason = "" if fix.explanation == NO_REASON else one_line(fix.explanation)
    return f"{reason}\n\n{fenced(changed(fix, size, place), 'python')}".lstrip()


def changed(fix: Fix, size: int, place: Target) -> str:
    """The new texts of a fix, by name where there is more than the one of the place itself."""
    edits = [edit for edit in fix.edits if edit.source != edit.expected] or fix.edits
    several = {edit.target for edit in edits} != {place}
    texts = [shorten(edit.source.strip(), size // len(edits)) for edit in edits]
    return "\n\n".join(f"{_headline(edit)}\n{text}" if several else text for edit, text in zip(edits, texts))


def _headline(edit: Edit) -> str:
    return name(edit.target) if isinstance(edit.target, CellRef) else f"# {target_name(edit.target)}"


def what_came(verdict: Verdict, situation: Situation, unwanted: str = "") -> str:
    """What is known of an attempt, and nothing that is not.

    Parameters
    ----------
    verdict : Verdict
    situation : Situation
    unwanted : str
        What to say of one that ran, where nothing speaks against it.
    """
    if verdict.outcome == "passed":
        said = f"It ran without an error{_but(verdict.doubts) or unwanted}."
    elif verdict.outcome == "not_tried":
        said = f"It is not known whether it runs{f': {verdict.reason}' * bool(verdict.reason)}{_but(verdict.doubts)}."
    else:
        said = (_PAST if verdict.is_past else _FAILED[verdict.outcome]).format(reason=_error(verdict, situation))
        if verdict.doubts:
            said += "\n\n" if "\n" in said else " "  # a fence ends its line
            said += _also(verdict.doubts)
    return shorten(said, _SAID)


_PAST = "It gets past the error, and could not be judged further: {reason}"
_FAILED = {
    "other_error": "It failed too: {reason}",
    "blocked": "The sandbox that it was tried in stopped it: {reason}",
    "timed_out": "It did not finish: {reason}",
    "inconclusive": "It could not be judged: {reason}",
}


def _error(verdict: Verdict, situation: Situation) -> str:
    """The error that a trial ended with: its words, its line, and what there is of what was looked up in vain."""
    trial = verdict.trial
    if verdict.outcome != "other_error" or trial is None or not trial.evalue:
        return _sentence(verdict.reason)
    line = f"\nline {trial.lineno}: {trial.statement.strip()}" if trial.statement else ""
    found = list(looked_up(trial.lookup, situation, _THERE))
    if trial.ename == "UnboundLocalError":  # there is such a name
        found = found[1:]
    there = "\n".join(found) or there_instead(trial.ename, trial.evalue, situation)
    known = f"\n{there}" if there else ""
    return f"it {verdict.reason}.\n{fenced(f'{trial.ename}: {shorten(trial.evalue.strip(), 500)}{line}{known}')}"


def _but(findings: Sequence[Finding]) -> str:
    return f", but it {_texts(findings)}" if findings else ""


def _also(findings: Sequence[Finding]) -> str:
    return f"Also, it {_texts(findings)}."


def _texts(findings: Sequence[Finding]) -> str:
    return "; it ".join(finding.text.rstrip(".") for finding in findings[:_FINDINGS])


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
