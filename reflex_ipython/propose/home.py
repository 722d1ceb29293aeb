"""The earlier cell or the file that a failure belongs to: whose code failed when the failing cell called it. Pure."""

from __future__ import annotations

from reflex_ipython.models import Cause, CellRef, CellSource, Failure, FileSource, Frame, Wish
from reflex_ipython.propose.file_excerpt import Excerpt, excerpt
from reflex_ipython.propose.limits import STEPS, PromptLimits


def innermost(failure: Failure) -> Frame | None:
    """The innermost frame that is the user's: it ran the code of a cell, or of a file that can be edited."""
    files = {file.filename for file in failure.situation.files}
    own = (frame for frame in reversed(failure.error.frames) if frame.cell is not None or frame.filename in files)
    return next(own, None)


def home(failure: Failure) -> CellSource | FileSource | None:
    """The earlier cell or the file whose code failed; None where the failing cell's own did, or that can't be edited.

    A cell magic makes of its cell what it likes, so that is left alone.
    """
    unparsed = unparsed_file(failure)
    frame = innermost(failure)
    if unparsed is not None or frame is None:
        return unparsed
    if frame.cell is None:
        return next(file for file in failure.situation.files if file.filename == frame.filename)
    if frame.cell == failure.situation.cell or frame.function == "<module>":
        return None
    found = [cell for cell in failure.situation.earlier if cell.cell == frame.cell]
    return found[0] if len(found) == 1 and not found[0].source.lstrip().startswith("%%") else None


def unparsed_file(failure: Failure) -> FileSource | None:
    """The file of the user's own that could not be imported since it does not parse: no module was made of it."""
    if failure.syntax is not None or failure.error.ename not in ("SyntaxError", "IndentationError", "TabError"):
        return None
    return next((file for file in failure.situation.files if not file.module), None)


def sources_in_question(cause: Cause) -> tuple[CellSource, ...]:
    """The texts that a fix may have to change: last the one of the place itself, which need not be a cell's."""
    own = CellSource(cause.situation.cell, cause.code if isinstance(cause, Wish) else cause.situation.source)
    earlier = home(cause) if isinstance(cause, Failure) else None
    if isinstance(earlier, FileSource):
        earlier = CellSource(_number_of_file(cause), shown_of_file(cause, earlier).text)
    return (own,) if earlier is None else (earlier, own)


def file_in_question(cause: Cause) -> Excerpt | None:
    """What the first of these texts is of a file, which answers name by a number as if it were a cell, or None."""
    there = home(cause) if isinstance(cause, Failure) else None
    return shown_of_file(cause, there) if isinstance(there, FileSource) else None


def shown_of_file(cause: Cause, file: FileSource) -> Excerpt:
    """The lines of a file that a question shows."""
    lines = (
        [frame.lineno for frame in cause.error.frames if frame.filename == file.filename]
        if isinstance(cause, Failure)
        else []
    )
    return excerpt(file, lines[-1] if lines else None)


def _number_of_file(cause: Cause) -> CellRef:
    """A number that no cell has yet."""
    situation = cause.situation
    numbers = [situation.cell.execution_count, *(cell.cell.execution_count for cell in situation.earlier)]
    return CellRef(None, max(number or 0 for number in numbers) + 1)


def earlier_shown(cause: Cause, limits: PromptLimits) -> tuple[CellSource, ...]:
    """The latest of the other earlier cells, as many as a question has room for."""
    likely = [cell.cell for cell in sources_in_question(cause)]
    others = tuple(cell for cell in cause.situation.earlier if cell.cell not in likely)
    return others[-limits.earlier_cells :] if limits.earlier_cells else ()


def also_shown(cause: Cause, limits: PromptLimits = STEPS[0]) -> tuple[CellSource, ...]:
    """Those that the question shows whole: a fix may change them by their numbers, where they still have that text."""
    if not isinstance(cause, Failure):
        return ()
    return tuple(cell for cell in earlier_shown(cause, limits) if _may_change(cell, limits))


def _may_change(cell: CellSource, limits: PromptLimits) -> bool:
    source = cell.source.strip()
    return (
        bool(cell.cell.execution_count)
        and not cell.edited
        and len(source) <= limits.earlier_size
        and not source.startswith("%%")
    )
