"""A failure in a file of the user's own, as rules read it: as if the file were a cell that failed."""

from __future__ import annotations

import dataclasses

from reflex_ipython.base.parsing import compile_error, parsed
from reflex_ipython.models import CellRef, Failure, FileSource, Frame, SyntaxProblem


def as_cell(file: FileSource) -> CellRef:
    """What stands for a file where rules look for the cell."""
    return CellRef(file.filename)


def in_file(failure: Failure, file: FileSource) -> Failure:
    """The failure with the file's text for the cell's, and the frames of that file for frames of the cell.

    Parameters
    ----------
    failure : Failure
    file : FileSource
        One of its situation's.
    """
    place = as_cell(file)
    situation = dataclasses.replace(
        failure.situation,
        place=place,
        source=file.source,
        files=tuple(one for one in failure.situation.files if one != file),
    )
    exceptions = tuple(
        dataclasses.replace(one, frames=tuple(_of_cell(frame, file, place) for frame in one.frames))
        for one in failure.exceptions
    )
    lines = [frame.lineno for frame in failure.error.frames if frame.filename == file.filename]
    lineno = lines[-1] if lines else None
    found = dataclasses.replace(failure, situation=situation, exceptions=exceptions, lineno=lineno)
    return found if file.module else _unparsed(found)


def _of_cell(frame: Frame, file: FileSource, place: CellRef) -> Frame:
    return dataclasses.replace(frame, cell=place) if frame.filename == file.filename else frame


def _unparsed(failure: Failure) -> Failure:
    """As a cell that does not parse fails: before any of it runs."""
    problem = _problem(failure.situation.source)
    if problem is None:
        return failure
    raised = dataclasses.replace(failure.error, frames=())
    return dataclasses.replace(
        failure, stage="syntax", syntax=problem, lineno=problem.lineno, exceptions=(raised, *failure.exceptions[1:])
    )


def _problem(source: str) -> SyntaxProblem | None:
    tree = parsed(source)
    error = tree if isinstance(tree, SyntaxError) else compile_error(tree)
    if not isinstance(error, SyntaxError):
        return None
    return SyntaxProblem(error.msg, error.lineno, error.offset, error.end_lineno, error.end_offset)
