"""A traceback as a model needs it: the user's code with its lines, a library's in one line a frame."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reflex_ipython.models import ExceptionInfo, Failure, Frame, SyntaxProblem
from reflex_ipython.propose.home import file_in_question, sources_in_question
from reflex_ipython.propose.shorten import shorten

_LIBRARY = re.compile(r".*?(?:site-packages|dist-packages|lib/python3\.\d+|Lib)[/\\]")
_COMPILED = (".pyx", ".pxi")
_FRAME_SIZE = 1_000
_NOTE_SIZE = 300

_RELATIONS = {
    "raised": "",
    "cause": "It was raised from this one:\n",
    "context": "It came up while this one was being handled:\n",
    "member": "One of its group:\n",
}


def traceback_text(failure: Failure, exceptions: int, library_frames: int, message_size: int) -> str:
    """What was raised, and what led to it.

    Parameters
    ----------
    failure : Failure
    exceptions : int
        How many exceptions of the chain or group to show at most.
    library_frames : int
        How many frames of libraries to show at most, the outermost, which the user's code called, first.
    message_size : int
        The longest message, in characters.
    """
    distinct = {(error.ename, error.evalue): error for error in reversed(failure.exceptions)}  # the first of each
    shown = [error for error in failure.exceptions if error is distinct[error.ename, error.evalue]]
    texts = [_exception(error, failure, library_frames, message_size) for error in shown[:exceptions]]
    if failure.syntax is not None:
        texts.append(_syntax(failure.syntax, failure.situation.source))
    return "\n\n".join(texts)


def _exception(error: ExceptionInfo, failure: Failure, library_frames: int, message_size: int) -> str:
    frames = _frames(error.frames, failure, library_frames)
    notes = [f"note: {shorten(note, _NOTE_SIZE)}" for note in error.notes[:3]]
    told = failure.syntax is not None and error is failure.error and failure.syntax.message in error.evalue
    message = "" if told else f": {shorten(error.evalue.strip(), message_size)}"  # else it follows, with its line
    raised = f"{error.ename}{message}"
    return "\n".join([f"{_RELATIONS[error.relation]}{raised}", *notes, *frames])


def _frames(frames: Sequence[Frame], failure: Failure, library_frames: int) -> list[str]:
    shown, left = [], library_frames
    for frame in frames:
        if not is_library(frame):
            shown.append(_own_frame(frame, failure))
        elif left:
            left -= 1
            shown.append(f"  in {frame.function} of {_package(frame.filename)}")
    return shown


def _package(filename: str) -> str:
    """The package that a library's file belongs to."""
    return re.split(r"[/\\\\]|\.py$", _LIBRARY.sub("", filename))[0] or "Python"


def is_library(frame: Frame) -> bool:
    """Whether its code is installed, or Python's own."""
    compiled = frame.filename.endswith(_COMPILED) or frame.filename.startswith("<")
    return frame.cell is None and (compiled or bool(_LIBRARY.match(frame.filename)))


def _own_frame(frame: Frame, failure: Failure) -> str:
    """Where it was, and the failing line; the lines around it where their cell is not in the question anyway."""
    cells = {cell.cell: cell.source for cell in sources_in_question(failure)}
    inside = "" if frame.function == "<module>" else f"{frame.function}, "
    shown = file_in_question(failure)
    if shown is not None and frame.filename == shown.file.filename:
        line = _line(shown.file.source, frame.lineno)
        return f"  in {inside}{_place(frame, failure)}: {line}"
    if frame.cell in cells and frame.cell is not None:
        line = _line(cells[frame.cell], frame.lineno)
        return f"  in {inside}{_place(frame, failure)}, line {frame.lineno}" + (f": {line}" if line else "")
    return f"  in {inside}{_place(frame, failure)}, line {frame.lineno}:\n{shorten(_marked(frame), _FRAME_SIZE)}"


def _place(frame: Frame, failure: Failure) -> str:
    if frame.cell is None:
        return re.split(r"[/\\]", frame.filename)[-1]
    if frame.cell == failure.situation.cell:
        return "the cell that fails"
    return f"cell In [{frame.cell.execution_count or ' '}]"


def _marked(frame: Frame) -> str:
    """The frame's lines, with an arrow at the one that failed."""
    lines = enumerate(frame.source.rstrip("\n").split("\n"), frame.first_lineno)
    return "\n".join(f"{'  -> ' if number == frame.lineno else '     '}{line}" for number, line in lines)


def _syntax(problem: SyntaxProblem, source: str) -> str:
    if problem.lineno is None:
        return f"The cell does not parse: {problem.message}"
    line = _line(source, problem.lineno)
    return f"The cell does not parse: {problem.message}, line {problem.lineno}" + (f": {line}" if line else "")


def _line(source: str, number: int) -> str:
    """One line of a cell, 1-based; empty where there is none."""
    lines = source.split("\n")
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""
