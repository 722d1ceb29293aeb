"""The earlier cell that a failure belongs to: the one whose function failed when the failing cell called it. Pure."""

from __future__ import annotations

from reflex_ipython.models import Cause, CellSource, Failure, Frame

_WHOLE = 3_000
"""Characters of a cell beyond which a question shows no more than its beginning and end."""


def innermost(failure: Failure) -> Frame | None:
    """The innermost frame that is the user's: it ran a cell's code."""
    return next((frame for frame in reversed(failure.error.frames) if frame.cell is not None), None)


def home(failure: Failure) -> CellSource | None:
    """The earlier cell whose function failed; None where the failing cell's own code did, or that cell can't be edited.

    A cell magic makes of its cell what it likes, so that is left alone.
    """
    frame = innermost(failure)
    if frame is None or frame.cell == failure.situation.cell or frame.function == "<module>":
        return None
    found = [cell for cell in failure.situation.earlier if cell.cell == frame.cell]
    return found[0] if len(found) == 1 and not found[0].source.lstrip().startswith("%%") else None


def sources_in_question(cause: Cause) -> tuple[CellSource, ...]:
    """The texts that a fix may have to change: last the one of the place itself, which need not be a cell's."""
    own = CellSource(cause.situation.cell, cause.situation.source)
    earlier = home(cause) if isinstance(cause, Failure) else None
    return (own,) if earlier is None else (earlier, own)


def also_shown(cause: Cause) -> tuple[CellSource, ...]:
    """The other earlier cells that the question shows whole: a fix may change them by their numbers."""
    likely = [cell.cell for cell in sources_in_question(cause)]
    others = [cell for cell in cause.situation.earlier if cell.cell not in likely and cell.cell.execution_count]
    return tuple(cell for cell in others if isinstance(cause, Failure) and _may_change(cell.source))


def _may_change(source: str) -> bool:
    return len(source) <= _WHOLE and not source.lstrip().startswith("%%")
