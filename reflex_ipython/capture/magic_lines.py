"""What magics run, `%time f(x)`, `%%prun`: code of the cell, which Python knows by another name."""

from __future__ import annotations

import dataclasses
import re

from reflex_ipython.base.magics import Magic, code_in, in_place
from reflex_ipython.capture.cells import TIMED
from reflex_ipython.capture.trace import Step

_NAMES = (*TIMED, "<string>")
"""What the magics call the code that they run; the last is `%prun`'s."""
_WHOLE = re.compile(r"%%(?:prun|time|timeit)(?:[ \t]+-\w+(?:[ \t]+\d+)?)*[ \t]*\n")
"""The first line of a cell that is run as a whole, without code of its own in that line."""


def with_code_of_magics(found: list[Step]) -> list[Step]:
    """The steps with the code of a magic told as the cell's own, at its line.

    Parameters
    ----------
    found : list of Step
        Outermost first.
    """
    cell: Step | None = None
    steps: list[Step] = []
    for step in found:
        if step.cell is not None:
            cell = step
        elif cell is not None and step.origin == "user" and step.filename in _NAMES:
            step = _in_the_cell(step, cell)
        steps.append(step)
    return steps


def _in_the_cell(step: Step, outer: Step) -> Step:
    """The step as one of the cell's; as it is where the cell's line is no magic that runs Python."""
    assert outer.cell is not None
    source = outer.cell.source
    if source.startswith("%%"):
        body = step.is_top or step.function == "inner"  # `%%timeit` puts it into a function
        if not body or _WHOLE.match(source) is None:
            return step
        return dataclasses.replace(step, cell=outer.cell, text=source.partition("\n")[2])
    lineno = outer.raw_lineno
    reading = in_place(source)
    magic = next((one for one in reading.magics if one.first + 1 == lineno), None)
    start = code_in(magic) if magic is not None else None
    if magic is None or start is None or step.lineno != 1:
        return step

    def code(one: Magic) -> str:
        return one.text[start:] if one is magic else one.stand_in

    span = None
    if step.span is not None:
        first, last, left, right = step.span
        span = (lineno, lineno, left + magic.column, right + magic.column) if first == last else None
    return dataclasses.replace(step, lineno=lineno, span=span, cell=outer.cell, text=reading.python(code))
