"""A failure in what a line magic runs, `%time f(x)`, as it looks without the magic: the code in it is code too."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from reflex_ipython.base.magics import code_in, in_place
from reflex_ipython.base.parsing import parse
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.statements import failing_line

_MARK = "  # magic line, cut off"
"""Stands behind the code while the magic is away, so that its line is found again."""


@dataclass(frozen=True)
class MagicLine:
    """The failure of the bare code, and the magic that was in front of it.

    Parameters
    ----------
    failure : Failure
        With a text in which the magic's code stands by itself.
    magic : str
        What stood in front of the code: `%timeit -n 10 `.
    """

    failure: Failure
    magic: str

    def restored(self, source: str) -> str | None:
        """A proposed text with the magic in its place again; None if its line is none that the magic could run."""
        lines = source.split("\n")
        found = [number for number, line in enumerate(lines) if line.endswith(_MARK)]
        if len(found) != 1:
            return None
        line = lines[found[0]].removesuffix(_MARK)
        code = line.lstrip()
        if not code or parse(code) is None:
            return None
        lines[found[0]] = f"{line[: len(line) - len(code)]}{self.magic}{code}"
        return "\n".join(lines)


def magic_line(failure: Failure) -> MagicLine | None:
    """The failure without the magic; None where no line magic that runs Python failed.

    Parameters
    ----------
    failure : Failure
    """
    source, lineno = failure.situation.source, failing_line(failure)
    if "%" not in source or lineno is None or _MARK in source or "\r" in source:
        return None
    reading = in_place(source)
    magic = next((one for one in reading.magics if one.first + 1 == lineno), None)
    start = code_in(magic) if magic is not None else None
    if magic is None or start is None or magic.end != magic.first + 1:
        return None
    code = magic.text[start:].rstrip()
    lines = source.split("\n")
    lines[magic.first] = f"{lines[magic.first][: magic.column]}{code}{_MARK}"
    bare = "\n".join(lines)
    situation = dataclasses.replace(failure.situation, source=bare)
    # What the magic could not compile is no failure of running: the rules look for what is wrong with its syntax.
    stage = "syntax" if failure.error.ename in ("SyntaxError", "IndentationError") else failure.stage
    return MagicLine(dataclasses.replace(failure, situation=situation, stage=stage), magic.text[:start])
