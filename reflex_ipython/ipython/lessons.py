"""What was learnt of accepted fixes, to be read and to be switched off."""

from __future__ import annotations

from reflex_ipython.errors import BadInput
from reflex_ipython.present.memory import Remembered
from reflex_ipython.propose.recall.evidence import Evidence, gathered
from reflex_ipython.propose.recall.holes import readable
from reflex_ipython.propose.recall.switched_off import SwitchedOff
from reflex_ipython.protocols import Recalls

_LISTED = 5_000


class Lessons:
    """Those of a history.

    Parameters
    ----------
    history : Recalls
    switched_off : SwitchedOff or None
        None: as it is in the user's data folder.
    """

    def __init__(self, history: Recalls, switched_off: SwitchedOff | None = None) -> None:
        self._history = history
        self._off = switched_off or SwitchedOff()

    def rows(self) -> list[Remembered]:
        """All of them, rules first."""
        off = self._off.ids()
        return [_row(each, each.lesson.id in off) for each in self._known()]

    def switch(self, prefix: str, *, on: bool) -> str:
        """Switch one off or on; gives what to say.

        Raises
        ------
        BadInput
            If none or several begin so, or the choice can't be written down.
        """
        found = [each for each in self._known() if each.lesson.id.startswith(prefix)]
        if len(found) != 1:
            many = f"{len(found)} of them begin with {prefix!r}" if found else f"There is none with the ID {prefix!r}"
            raise BadInput(f"{many}: `%reflex memory` lists them.")
        lesson = found[0].lesson
        try:
            self._off.switch(lesson.id, on=on)
        except OSError as error:
            raise BadInput(f"That can't be written down: {error}.") from error
        if on:
            return f"{lesson.id} is proposed again."
        return (
            f"{lesson.id} is not proposed any more, in any notebook. `%reflex memory --on {lesson.id}` takes that back."
        )

    def _known(self) -> list[Evidence]:
        return [each for each in gathered(self._history.precedents("", _LISTED)) if each.right]


def _row(evidence: Evidence, is_off: bool) -> Remembered:
    wrong = f"; {evidence.wrong} times not" if evidence.wrong > 1 else "; once not" if evidence.wrong else ""
    lesson = evidence.lesson
    state = "off" if is_off else "rule" if evidence.is_rule else "remembered" if evidence.is_usable else "given up"
    return Remembered(lesson.id, readable(lesson.before), readable(lesson.after), evidence.words() + wrong, state)
