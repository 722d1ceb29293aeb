"""What stands around a line of a cell that does not parse: the block that it is in, and its whole text."""

from __future__ import annotations

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken


def header_around(broken: Broken, row: int, words: tuple[str, ...]) -> list[Token] | None:
    """The header of the function or loop that a line is in."""
    here = len(
        broken.indent(next(each for each in broken.cell.logical_lines if broken.cell.lineno(each[0].start) == row))
    )
    for line in reversed(broken.cell.logical_lines):
        depth = len(broken.indent(line))
        if broken.cell.lineno(line[0].start) >= row or depth >= here or line[-1].text != ":":
            continue
        if line[0].text in words:
            return line
        here = depth
        if line[0].text in ("def", "class"):
            return None
    return None


def block_above(broken: Broken, row: int, words: tuple[str, ...]) -> tuple[list[Token], list[int], str] | None:
    """The function or loop that ends in front of a line: its header, the lines from its end to that line, its unit."""
    lines = [line for line in broken.cell.logical_lines if broken.cell.lineno(line[0].start) <= row]
    for place in range(len(lines) - 2, -1, -1):
        header, level = lines[place], len(broken.indent(lines[place]))
        if header[0].text not in words or header[-1].text != ":":
            continue
        body = lines[place + 1]
        outside = [line for line in lines[place + 1 :] if len(broken.indent(line)) <= level]
        if (
            len(broken.indent(body)) <= level
            or not outside
            or any(len(broken.indent(line)) < level for line in outside)
        ):
            return None
        first, last = broken.cell.lineno(outside[0][0].start), row
        rows = [r for r in range(first, last + 1) if broken.cell.line(r).strip()]
        return header, rows, broken.indent(body)[level:]
    return None


def whole_line(broken: Broken, row: int) -> tuple[int, int]:
    starts = broken.cell.starts
    end = starts[row] if row < len(starts) else len(broken.source)
    return starts[row - 1], end


def without_line(broken: Broken, row: int, whole: tuple[int, int]) -> list[SpanEdit]:
    """The edit that takes a line out; a block that it was alone in gets `pass`."""
    lines = broken.cell.logical_lines
    place = next(i for i, line in enumerate(lines) if broken.cell.lineno(line[0].start) == row)
    indent = broken.indent(lines[place])
    alone = (
        place > 0
        and lines[place - 1][-1].text == ":"
        and (place + 1 == len(lines) or len(broken.indent(lines[place + 1])) < len(indent))
    )
    if alone:
        return [SpanEdit(lines[place][0].start, lines[place][-1].end, "pass")]
    start, end = whole
    if end == len(broken.source) and start and not broken.source.endswith("\n"):
        start -= 1
    return [SpanEdit(start, end, "")]
