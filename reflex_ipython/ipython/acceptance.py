"""`%reflex accept` as a cell of its own *becomes* the fixed source, where no page can rewrite the failed cell.

It is an input transformer, so that the fix runs as any cell does: top-level await, magics, true tracebacks, `In` and
`Out`, and an `error` reply if it fails. In a notebook the cell's text is replaced as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from reflex_ipython.ipython.traced_cells import trace_options
from reflex_ipython.ipython.which import Which, which

_ACCEPT = re.compile(r"\s*%reflex[ \t]+accept(?P<rest>(?:[ \t]+\S+)*)\s*")
_RESUME = re.compile(r"\s*%reflex[ \t]+resume(?:[ \t]+(?P<id>\w+))?[ \t]*\n(?P<source>.*)", re.DOTALL)
_FLAGS = {"--resume": "resume", "--whole": "whole"}


class AcceptCommand(NamedTuple):
    """What a cell accepts: which fix of which repair; how it is to run, "" if that is not said."""

    which: Which
    how: str


class ResumeCommand(NamedTuple):
    """A cell that is another one, mended by the user: of which repair ("": the latest), and the mended source."""

    repair_id: str
    source: str


class Acceptance:
    """The transformer. It only looks things up, since IPython calls transformers whenever it likes.

    Parameters
    ----------
    fixed_source : callable
        Gives the source that would be accepted; None if there is none, if the failed cell itself can be rewritten, or
        if there is something to say first.
    resumable : callable
        Says whether a mended source can be resumed.
    """

    def __init__(
        self, fixed_source: Callable[[AcceptCommand], str | None], resumable: Callable[[ResumeCommand], bool]
    ) -> None:
        self._fixed_source = fixed_source
        self._resumable = resumable
        self._last: tuple[str, str | None] = ("", None)

    def __call__(self, lines: list[str]) -> list[str]:
        """As IPython asks of transformers: lines with their ends in, lines out."""
        cell = "".join(lines)
        source = self.source(cell)
        self._last = (cell.strip(), source)
        return lines if source is None else (source.rstrip("\n") + "\n").splitlines(keepends=True)

    def becomes(self, cell: str) -> str | None:
        """What runs in place of a raw cell which begins now: what IPython was given, not what is known since."""
        last, source = self._last
        return source if last == cell.strip() else self.source(cell)

    def source(self, cell: str) -> str | None:
        """What this raw cell becomes; None for all that is no acceptance."""
        resumes = resumed(cell)
        if resumes is not None:
            return resumes.source if self._resumable(resumes) else None
        accepts = accepted(cell)
        return None if accepts is None else self._fixed_source(accepts)


def accepted(cell: str) -> AcceptCommand | None:
    """What `%reflex accept [ID] [N] [--resume | --whole]` as a whole cell accepts; None for any other cell."""
    if "%reflex" not in cell:
        return None
    match = _ACCEPT.fullmatch(cell)
    words = match["rest"].split() if match is not None else []
    flags = [_FLAGS[word] for word in words if word in _FLAGS]
    meant = which([word for word in words if word not in _FLAGS])
    if match is None or meant is None or len(flags) > 1:
        return None
    return AcceptCommand(meant, "".join(flags))


def resumed(cell: str) -> ResumeCommand | None:
    """What a cell resumes that begins with a line `%reflex resume [ID]`; None for any other cell."""
    match = _RESUME.fullmatch(cell) if "%reflex" in cell else None
    return None if match is None or not match["source"].strip() else ResumeCommand(match["id"] or "", match["source"])


def is_command(cell: str) -> bool:
    """Whether a cell is nothing but a command of ours: it changes nothing of the user's, and counts as no cell.

    Nor does what begins with `%reflex resume` and can't be resumed: that line refuses all of it.
    """
    if "%reflex" not in cell:
        return False
    is_line = re.fullmatch(r"\s*%reflex\b[^\n]*\s*", cell) is not None
    return is_line or is_request(cell) or resumed(cell) is not None


def is_request(cell: str) -> bool:
    """Whether a cell is nothing but a request in words, by its magic."""
    return re.match(r"\s*%%reflex\b", cell) is not None and trace_options(cell) is None
