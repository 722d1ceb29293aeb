"""The provider: what helped with the same mistake before is proposed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reflex_ipython.models import Cause, Edit, Failure, Fix, Lesson, new_id
from reflex_ipython.propose.recall.evidence import Evidence, gathered
from reflex_ipython.propose.recall.holes import literal_texts, readable
from reflex_ipython.propose.recall.mistake import mistake, shape
from reflex_ipython.propose.recall.place import failing_statements
from reflex_ipython.propose.recall.rewriting import rewritten
from reflex_ipython.propose.recall.switched_off import SwitchedOff
from reflex_ipython.protocols import Context, Recalls, Request, Where

_PRECEDENTS, _LESSONS = 200, 40
"""How many of the latest are looked at: a failure waits a few milliseconds for that."""


class RecallProvider:
    """Knows what was accepted for the same mistake in any notebook, and ran. All of it is tried before it is shown.

    Parameters
    ----------
    context : Context
        Its store is asked, if it can tell precedents.
    switched_off : SwitchedOff or None
        What the user does not want recalled. None: as it is in the user's data folder.
    """

    name = "remembered"
    where: Where = "instant"
    cost = ""
    label = "what was accepted before"

    def __init__(self, context: Context, switched_off: SwitchedOff | None = None) -> None:
        self._context = context
        self._off = switched_off or SwitchedOff()

    def propose(self, cause: Cause, request: Request) -> Iterator[Fix]:
        """Yield what helped before, the likeliest first; nothing for a wish."""
        store = self._context.store
        if not self._context.settings().recall or not isinstance(cause, Failure) or not isinstance(store, Recalls):
            return
        _, statements = failing_statements(cause)
        if not statements:
            return
        statement = statements[-1]
        precedents = store.precedents(mistake(cause), _PRECEDENTS)
        known = shape(statement, cause.situation.meanings) if precedents and not hasattr(statement, "body") else ""
        off = self._off.ids() if precedents else frozenset()
        seen = {
            cause.situation.source,
            *(attempt.fix.source_of(cause.situation.place, "") for attempt in request.attempts),
        }
        usable = [each for each in gathered(precedents) if each.is_usable and each.lesson.id not in off]
        for evidence, source in _most_specific(cause, [each for each in usable if each.fits(known)][:_LESSONS]):
            if request.cancelled.is_set():
                return
            if source not in seen:
                seen.add(source)
                yield self._fix(cause, evidence, source, known)

    def _fix(self, failure: Failure, evidence: Evidence, source: str, known: str) -> Fix:
        situation = failure.situation
        words = evidence.words()
        return Fix(
            new_id(),
            (Edit(situation.place, situation.source, source),),
            f"{'A rule of your own' if evidence.is_rule else 'This helped before'}: {in_words(evidence.lesson)}.",
            self.name,
            f"{words}, in {evidence.notebooks} notebooks" if evidence.is_rule else words,
            prior=evidence.prior(known),
            lesson=evidence.lesson,
        )


def _most_specific(failure: Failure, known: Sequence[Evidence]) -> list[tuple[Evidence, str]]:
    """The new texts by those lessons that say most exactly what they are for: in texts that the cell has as well."""
    found = [(each, source) for each in known for source in rewritten(failure, each.lesson)]
    most = max((literal_texts(evidence.lesson.before) for evidence, _ in found), default=0)
    return [one for one in found if literal_texts(one[0].lesson.before) == most]


def in_words(lesson: Lesson) -> str:
    """A lesson in one line."""
    return f"`{readable(lesson.before)}` became `{'; '.join(readable(lesson.after).split(chr(10)))}`"
