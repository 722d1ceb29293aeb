"""What magics run, `%time f(x)`, `%%prun`: code of the cell, which Python knows by another name."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from reflex_ipython.base.magics import Magic, code_in, in_place
from reflex_ipython.capture.cells import TIMED
from reflex_ipython.capture.trace import Step

_NAMES = (*TIMED, "<string>")
"""What the magics call the code that they run; the last is `%prun`'s."""
_WHOLE = re.compile(r"%%(?:prun|time|timeit)(?:[ \t]+-\w+(?:[ \t]+\d+)?)*[ \t]*\n")
"""The first line of a cell that is run as a whole, without code of its own in that line."""


def with_code_of_magics(found: list[Step], around: Callable[[], Step | None]) -> list[Step]:
    """The steps with the code of a magic told as the cell's own, at its line.

    Parameters
    ----------
    found : list of Step
        Outermost first.
    around : callable
        Gives the cell's step that led to them, where they begin beneath it: `%time` of older versions of IPython shows
        the error itself, and goes on.
    """
    cell: Step | None = None
    steps: list[Step] = []
    for step in found:
        if step.cell is not None:
            cell = step
        elif step.origin == "user" and step.filename in _NAMES:
            outer = cell or around()
            if outer is not None:
                lines = {outer.raw_lineno} if cell is not None else _lines(outer)
                step = _in_the_cell(step, outer, lines)
        steps.append(step)
    return steps


def _lines(outer: Step) -> set[int]:
    """The lines of all the code that a step is in: which of them it had come to is not known any more."""
    numbers = {number for _, _, number in outer.frame.f_code.co_lines() if number}
    return {dataclasses.replace(outer, lineno=number).raw_lineno for number in numbers}


def _in_the_cell(step: Step, outer: Step, lines: set[int]) -> Step:
    """The step as one of the cell's; as it is where not one magic that runs Python is at one of those lines."""
    assert outer.cell is not None
    source = outer.cell.source
    if _WHOLE.match(source) is not None:
        body = step.is_top or step.function == "inner"  # `%%timeit` puts it into a function
        return dataclasses.replace(step, cell=outer.cell, text=source.partition("\n")[2]) if body else step
    reading = in_place(source)
    there = ((one, code_in(one)) for one in reading.magics if one.first + 1 in lines)
    running = [(one, start) for one, start in there if start is not None]
    if len(running) != 1 or step.lineno != 1:
        return step
    ((magic, start),) = running
    lineno = magic.first + 1

    def code(one: Magic) -> str:
        return one.text[start:] if one is magic else one.stand_in

    span = None
    if step.span is not None:
        first, last, left, right = step.span
        span = (lineno, lineno, left + magic.column, right + magic.column) if first == last else None
    return dataclasses.replace(step, lineno=lineno, span=span, cell=outer.cell, text=reading.python(code))
