"""Where and why a cell does not parse, in the lines that the user sees."""

from __future__ import annotations

from typing import Any

from reflex_ipython.capture import chain, safe_inspection
from reflex_ipython.capture.bounds import clip
from reflex_ipython.capture.cells import CellLookup, LineMap, ran
from reflex_ipython.models import SyntaxProblem


def problem(exc: BaseException, source: str, cells: CellLookup, stage: str) -> SyntaxProblem | None:
    """What a SyntaxError (or IndentationError, TabError) says of the failing cell, with its place in the raw text.

    Parameters
    ----------
    exc : BaseException
        Any exception.
    source : str
        The raw text of the cell.
    cells : CellLookup
        Knows the cell by its code's file name.
    stage : str
        "syntax" if the cell did not compile: then an error in a text without a name is the cell's.

    Returns
    -------
    SyntaxProblem or None
        None if it is no syntax error, or one in another text: a module, `eval`. Lines and columns are None where they
        do not correspond to the raw cell.
    """
    if not safe_inspection.is_a(exc, SyntaxError):
        return None
    message, filename = _get(exc, "msg"), _get(exc, "filename")
    text = clip(message, 1_000) if type(message) is str else chain.ename(exc)
    cell = cells.find(filename) if type(filename) is str else None
    if (cell.source != source) if cell else stage != "syntax":
        return None
    lines = LineMap(source, ran(filename, source) if cell else source)
    start = _place(lines, source, _get(exc, "lineno"), _get(exc, "offset"), _get(exc, "text"))
    end = _place(lines, source, _get(exc, "end_lineno"), _get(exc, "end_offset"))
    if None in start + end or (start[0], start[1] or 0) > (end[0] or 0, end[1] or 0):
        end = (None, None)
    return SyntaxProblem(text, *start, *end)


def _get(exc: BaseException, name: str) -> Any:
    return chain.field(exc, SyntaxError, name)


def _place(lines: LineMap, source: str, lineno: Any, offset: Any, text: Any = None) -> tuple[int | None, int | None]:
    """The 1-based line and column in the raw text; None for what can't be told."""
    if type(lineno) is not int or lineno < 1:  # -1 and 0 stand for "not known"
        return None, None
    found = lines.raw(lineno)
    raw = source.split("\n")
    if found is None or found > len(raw) + 1:
        return None, None
    shift = lines.shift(lineno)
    if type(text) is str and found <= len(raw) and text.strip() and text.strip() not in raw[found - 1]:
        shift = None  # the line that Python saw is not the one that the user wrote
    if type(offset) is not int or offset < 1 or shift is None:
        return found, None
    return found, offset + shift
