"""What a model's reply comes to: fixes, or why there is none. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reflex_ipython.models import LIKELY, Cause, CellSource, Edit, Step, Wish
from reflex_ipython.propose.extract import Answer, Unusable, alternatives, extract, is_same
from reflex_ipython.propose.home import also_shown, file_in_question, sources_in_question
from reflex_ipython.propose.magics import parses, syntax_error
from reflex_ipython.propose.needs import implied, needs
from reflex_ipython.propose.turns import NOT_WANTED, OF_RULES, may_be_chosen, what_came
from reflex_ipython.protocols import Attempt

SAYS = "The model proposes no change of the code. It says: \u201c{}\u201d"


@dataclass(frozen=True)
class Proposed:
    """A fix in the making.

    Parameters
    ----------
    steps : tuple of Step
    reason : str
        In the model's words.
    prior : float
        Less than 1 where it is one of several things that may be meant.
    """

    steps: tuple[Step, ...]
    reason: str
    prior: float = 1.0


class NeedsMore(Unusable):
    """The model says what it lacks, or that there is no repair here: to ask again would bring the same."""


def answered(
    cause: Cause,
    reply: str,
    *,
    attempts: Sequence[Attempt] = (),
    shown: Sequence[CellSource] | None = None,
    complete: bool = True,
) -> tuple[Proposed, ...] | Unusable:
    """What a reply proposes that parses and is new.

    Parameters
    ----------
    cause : Failure or Wish
        What was asked about.
    reply : str
        All that the model wrote.
    attempts : sequence of Attempt
        What was proposed before.
    shown : sequence of CellSource or None
        The earlier cells that the question showed whole. None: all that there is room for in the longest one.
    complete : bool
        Whether the reply ended as it should.

    Returns
    -------
    tuple of Proposed or Unusable
        Several where the model leaves it to the user. `NeedsMore`: nothing more is to be expected of it.
    """
    shown = also_shown(cause) if shown is None else shown
    found = _proposed(cause, reply, attempts, shown, complete=complete)
    if isinstance(found, Unusable):
        return found
    reasons = {one: _why_not(one.steps, attempts, cause) for one in found}
    good = tuple(one for one in found if reasons[one] is None)
    return good or next(reason for reason in reasons.values() if reason is not None)


def _why_not(steps: Sequence[Step], attempts: Sequence[Attempt], cause: Cause) -> Unusable | None:
    edits = [step for step in steps if isinstance(step, Edit)]
    wrong = next((edit.source for edit in edits if not parses(edit.source)), None)
    if wrong is not None:
        why = syntax_error(wrong)
        return Unusable(f"The model's answer is not valid Python{f': {why}' * bool(why)}.")
    repeated = next((attempt.verdict for attempt in attempts if _is_repeated(steps, attempt)), None)
    if repeated is None:
        return None
    came = "" if repeated.refuted else what_came(repeated, cause.situation, NOT_WANTED)
    return Unusable("The model has no other fix than one that was already proposed.", repeats=True, came=came)


def _is_repeated(steps: Sequence[Step], attempt: Attempt) -> bool:
    """Whether it is that attempt again. One of the rules may be chosen unless its trial speaks against it."""
    if attempt.fix.provider == OF_RULES and may_be_chosen(attempt.verdict):
        return False
    own, other = _effective(steps), _effective(attempt.fix.steps)
    return len(own) == len(other) and all(map(_is_same_step, own, other))


def _effective(steps: Iterable[Step]) -> list[Step]:
    """The steps that change something."""
    return [step for step in steps if not (isinstance(step, Edit) and step.source == step.expected)]


def _is_same_step(one: Step, other: Step) -> bool:
    """Whether two steps are the same, comments and blanks in a new text apart."""
    if isinstance(one, Edit) and isinstance(other, Edit):
        return one.target == other.target and is_same(one.source, other.source)
    return one == other


def _proposed(
    cause: Cause, reply: str, attempts: Sequence[Attempt], shown: Sequence[CellSource], *, complete: bool
) -> tuple[Proposed, ...] | Unusable:
    """What a reply proposes, whatever it is worth."""
    said = needs(reply)
    if said is not None and said.is_choice:
        place = cause.situation.place
        several = alternatives(reply, sources_in_question(cause)[-1])
        if len(several) > 1:
            edits = [
                (Edit(place, cause.situation.source, _standing(cause, one.sources[0])), one.reason) for one in several
            ]
            return tuple(Proposed((edit,), reason, LIKELY) for edit, reason in edits)
    answer = extract(reply, sources_in_question(cause), shown=shown, complete=complete)
    if isinstance(answer, Answer):
        return (Proposed(_edits(cause, answer, shown), answer.reason),)
    if said is None:
        return answer
    steps = implied(said, cause, attempts)
    return (Proposed(steps, said.words),) if steps else NeedsMore(SAYS.format(said.words), again=False)


def _edits(cause: Cause, answer: Answer, shown: Sequence[CellSource]) -> tuple[Edit, ...]:
    cells = (*shown, *sources_in_question(cause))
    places = (*(cell.cell for cell in cells[:-1]), cause.situation.place)
    edits = [Edit(place, old.source, new) for place, old, new in zip(places, cells, answer.sources)]
    part = file_in_question(cause)
    if part is not None:  # the last but one
        edits[-2] = Edit(part.file.file, part.file.source, part.with_text(answer.sources[-2]))
    changed = [edit for edit in edits if edit.source != edit.expected]
    return tuple(_in_place(edit, cause) if edit.target == cause.situation.place else edit for edit in changed)


def _in_place(edit: Edit, cause: Cause) -> Edit:
    """The edit of the place itself: there the request stands that the code replaces, if it was a request."""
    return Edit(edit.target, cause.situation.source, _standing(cause, edit.source))


def _standing(cause: Cause, code: str) -> str:
    return cause.with_code(code) if isinstance(cause, Wish) else code
