"""What is like the code that failed, or like what is asked for, and is not told of otherwise."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence

from reflex_ipython.base.library_files import is_library
from reflex_ipython.capture.similar.pieces import CodePiece, pieces, words_of
from reflex_ipython.capture.similar.project import ProjectPieces
from reflex_ipython.capture.similar.ranking import ranked
from reflex_ipython.models import Cause, CellSource, Failure, SimilarCode

MOST = 4
SECONDS = 0.5
"""That reading the project's files may take for one question; what was read stays known."""
LONGEST = 3_000
"""Characters of a piece that is told."""
_LATEST = 300  # cells
_REMEMBERED = 50  # failures and wishes
_COMMANDS = ("%reflex", "%%reflex")


class SimilarSearch:
    """Finds it for one kernel, on whichever thread asks.

    Parameters
    ----------
    cells : callable
        Gives the cells that ran, oldest first.
    folder : callable
        Gives the project's folder.
    """

    def __init__(self, cells: Callable[[], Sequence[CellSource]], folder: Callable[[], str] = os.getcwd) -> None:
        self._cells = cells
        self._folder = folder
        self._project = ProjectPieces()
        self._lock = threading.Lock()
        self._found: OrderedDict[str, tuple[SimilarCode, ...]] = OrderedDict()
        """By the cause's id: what is asked again, and what was shown before it is sent, is the same."""

    def with_similar(self, cause: Cause) -> Cause:
        """The same failure or wish with the code that is most like it (`Situation.similar`)."""
        with self._lock:
            similar = self._found.get(cause.id)
            if similar is None:
                similar = self._found[cause.id] = self._like(cause)
                if len(self._found) > _REMEMBERED:
                    self._found.popitem(last=False)
        return dataclasses.replace(cause, situation=dataclasses.replace(cause.situation, similar=similar))

    def _like(self, cause: Cause) -> tuple[SimilarCode, ...]:
        known = set(_told(cause))
        found = [piece for piece in self._all() if _shape(piece.source) not in known]
        best = ranked(_asked(cause), found, MOST)
        return tuple(SimilarCode(piece.place, piece.name, piece.source[:LONGEST]) for piece in best)

    def _all(self) -> Iterator[CodePiece]:
        """Each text once: a cell that ran several times, a file that was copied."""
        seen: set[str] = set()
        for piece in (*self._of_cells(), *self._project.of(self._folder(), SECONDS)):
            shape = _shape(piece.source)
            if shape not in seen:
                seen.add(shape)
                yield piece

    def _of_cells(self) -> Iterator[CodePiece]:
        for cell in reversed(self._cells()[-_LATEST:]):
            if not cell.source.lstrip().startswith(_COMMANDS) and not cell.error:
                number = cell.cell.execution_count
                yield from pieces(f"In [{number}]" if number else "a cell", cell.source, whole=True)


def _asked(cause: Cause) -> Iterator[str]:
    """The words of what failed, those of the failing lines and of what was looked for more than once."""
    situation = cause.situation
    if not isinstance(cause, Failure):
        yield from words_of(cause.words)
    for piece in pieces("", situation.source, whole=True):
        yield from piece.words
    if isinstance(cause, Failure):
        own = [frame for frame in cause.error.frames if frame.cell is not None or not is_library(frame.filename)]
        for frame in own[-2:]:
            lines = frame.source.split("\n")
            failing = lines[frame.lineno - frame.first_lineno : frame.lineno - frame.first_lineno + 1]
            yield from words_of("\n".join([*lines, *failing]))
        if cause.lookup is not None:
            yield from words_of(cause.lookup.wanted)


def _told(cause: Cause) -> Iterator[str]:
    """The shapes of what the question has already."""
    situation = cause.situation
    for source in (situation.source, *(cell.source for cell in situation.earlier)):
        yield _shape(source)
        yield from (_shape(piece.source) for piece in pieces("", source, whole=True))
    for file in situation.files:
        yield from (_shape(piece.source) for piece in pieces("", file.source, whole=False))


def _shape(source: str) -> str:
    return " ".join(source.split())
