"""Code as it would have been typed: without a word processor's quotes and blanks, and without line numbers. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reflex_ipython.propose.magics import parses

_TYPED = str.maketrans({"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "\u00a0": " ", "\u202f": " "})
_NUMBERED = re.compile(r"^ {0,4}(\d+)(?:[.:|)] ?| {1,2}|\t|$)")


def as_typed(code: str, old: str) -> str:
    """The code, mended where it parses only so; characters that the cell has itself stay.

    Parameters
    ----------
    code : str
        From a model.
    old : str
        The cell that it is for.
    """
    if parses(code):
        return code
    table = {sign: typed for sign, typed in _TYPED.items() if chr(sign) not in old}
    for tried in (code.translate(table), _without_numbers(code.split("\n"))):
        if tried and parses(tried):
            return tried
    return code


def _without_numbers(lines: Sequence[str]) -> str:
    """The lines without the numbers before them; empty if they are not numbered one after the other."""
    found = [_NUMBERED.match(line) for line in lines]
    numbers = [int(one[1]) for one in found if one is not None]
    if len(numbers) != len(lines) or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return ""
    return "\n".join(line[one.end() :] for line, one in zip(lines, found) if one is not None)
