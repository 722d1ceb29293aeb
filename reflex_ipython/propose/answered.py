"""What a model's reply comes to: fixes, or why there is none. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from reflex_ipython.models import LIKELY, Cause, Edit, Step
from reflex_ipython.propose.extract import Answer, Unusable, alternatives, extract
from reflex_ipython.propose.home import also_shown, sources_in_question
from reflex_ipython.propose.needs import implied, needs

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


def answered(cause: Cause, reply: str, *, complete: bool = True) -> tuple[Proposed, ...] | Unusable:
    """What a reply proposes.

    Parameters
    ----------
    cause : Failure or Wish
        What was asked about.
    reply : str
        All that the model wrote.
    complete : bool
        Whether the reply ended as it should.

    Returns
    -------
    tuple of Proposed or Unusable
        Several where the model leaves it to the user. `NeedsMore`: nothing more is to be expected of it.
    """
    said = needs(reply)
    if said is not None and said.is_choice:
        place = cause.situation.place
        several = alternatives(reply, sources_in_question(cause)[-1])
        if len(several) > 1:
            edits = [(Edit(place, cause.situation.source, one.sources[0]), one.reason) for one in several]
            return tuple(Proposed((edit,), reason, LIKELY) for edit, reason in edits)
    answer = extract(reply, sources_in_question(cause), shown=also_shown(cause), complete=complete)
    if isinstance(answer, Answer):
        return (Proposed(_edits(cause, answer), answer.reason),)
    if said is None:
        return answer
    steps = implied(said, cause)
    return (Proposed(steps, said.words),) if steps else NeedsMore(SAYS.format(said.words), again=False)


def _edits(cause: Cause, answer: Answer) -> tuple[Edit, ...]:
    cells = (*also_shown(cause), *sources_in_question(cause))
    places = (*(cell.cell for cell in cells[:-1]), cause.situation.place)
    edits = [Edit(place, old.source, new) for place, old, new in zip(places, cells, answer.sources)]
    return tuple(edit for edit in edits if edit.source != edit.expected)
