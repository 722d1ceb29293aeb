"""When enough of an answer has come: its end is not waited for, and what goes round in circles is cut. Pure.

Fed with the text as it is streamed. What a reasoning model thinks aloud does not count: that may be long, and the time
of an answer is bounded anyhow.
"""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.models import Cause, CellSource, Failure
from reflex_ipython.propose.assign import familiar
from reflex_ipython.propose.blocks import Block, bare_code, blocks
from reflex_ipython.propose.extract import NO_REASON, Answer, extract
from reflex_ipython.propose.home import sources_in_question
from reflex_ipython.propose.needs import needs
from reflex_ipython.propose.plain import is_thinking, plain

DONE, TOO_LONG = "done", "too long"
"""Why it is enough: the code is complete; it will not come to an end."""

ROOM, TIMES = 4_000, 3
"""Characters of an answer that are never too many, and how many times the text of its cells it may be besides."""

ROOM_FOR_A_WISH = 20_000
"""The same for code that is not there yet."""

_LINES = 40
"""So often in a row no line is repeated by who means it."""

_BEHIND = 160
"""Characters behind a finished block in which another one would have been announced."""

_LIKE = 50.0
"""Per cent of likeness to its cell from which a block is the answer, and no remark."""

_STEP = 200
"""Characters after which it is looked again, if no line has ended."""


class AnswerEnd:
    """Says when to stop reading an answer.

    Parameters
    ----------
    cells : sequence of CellSource
        The cells that likely need a change: the one that failed comes last.
    shown : sequence of CellSource
        Other cells that may change.
    early : bool
        Whether to stop behind the finished code: where nobody counts the tokens, as that comes at the end.
    room : int
        Characters besides those of the cells.
    """

    def __init__(
        self, cells: Sequence[CellSource], shown: Sequence[CellSource] = (), *, early: bool, room: int = ROOM
    ) -> None:
        self._cells = cells
        self._shown = shown
        self._early = early and not any("```" in cell.source for cell in (*cells, *shown))
        self._most = room + TIMES * sum(len(cell.source) for cell in cells) + sum(len(cell.source) for cell in shown)
        self._text = ""
        self._pieces: list[str] = []  # that came since
        self._size = 0
        self.reason = ""
        """Why it is enough; empty: it is not."""

    def enough(self, piece: str) -> bool:
        """Take in a piece; whether to stop reading."""
        self._pieces.append(piece)
        self._size += len(piece)
        if "\n" in piece or self._size >= _STEP:
            self._text += "".join(self._pieces)
            self._pieces, self._size = [], 0
            self.reason = self._look()
        return bool(self.reason)

    def _look(self) -> str:
        if is_thinking(self._text):
            return ""
        text = plain(self._text)
        if self._early and self._is_done(text):
            return DONE
        return TOO_LONG if len(text) > self._most or _circles(text) else ""

    def _is_done(self, text: str) -> bool:
        """Whether the code is there, and its reason, and nothing more can belong to it."""
        found = blocks(text)
        behind = "\n".join(text.split("\n")[found[-1].end + 1 :]).strip() if found else ""
        ended = behind or self._text.rstrip(" ").endswith("\n")  # else a fence may still be the beginning of one
        if not found or not ended or not all(block.closed for block in found) or needs(text) is not None:
            return False
        alone = len(self._cells) + len(self._shown) == 1
        if not alone and (len(behind) < _BEHIND or behind.endswith(":")):
            return False
        answer = extract(text, self._cells, shown=self._shown)
        return isinstance(answer, Answer) and answer.reason != NO_REASON and self._is_like(found)

    def _is_like(self, found: Sequence[Block]) -> bool:
        """Whether the last block is a cell's, and not a command or an example."""
        every = (*self._shown, *self._cells)
        return max(familiar(bare_code(found[-1].text), cell.source) for cell in every) >= _LIKE


def end_of(cause: Cause, shown: Sequence[CellSource], *, early: bool) -> AnswerEnd:
    """What says when enough of the answer to a question has come.

    Parameters
    ----------
    cause : Failure or Wish
        What is asked about.
    shown, early
        As above.
    """
    room = ROOM if isinstance(cause, Failure) else ROOM_FOR_A_WISH
    return AnswerEnd(sources_in_question(cause), shown, early=early, room=room)


def _circles(text: str) -> bool:
    lines = [line.strip() for line in text[-_LINES * 200 :].split("\n")[:-1] if line.strip()][-_LINES:]
    return len(lines) == _LINES and len(set(lines)) == 1
