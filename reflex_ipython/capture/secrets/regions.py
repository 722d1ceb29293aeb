"""Where a cell's text is code, and where it is a string, a comment or a line for the shell.

Only what is not code may hold a secret without quotes: `password: str` is a type in the one, `password: swordfish` a
password in the other. The cell need not parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.cell_magics import content, is_cell_magic

_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?:[rRbBfFuUtT]{0,2})(?P<triple>\"{3}|'{3})"
    r"|(?:[rRbBfFuUtT]{0,2})(?P<one>\"(?P<double>(?:[^\"\\\n]|\\.)*)(?:\"|$)|'(?P<single>(?:[^'\\\n]|\\.)*)(?:'|$))"
    r"|^[ \t]{0,100}(?P<magic>(?:[%!]|[\w, ]{1,60}=[ \t]*[%!])[^\n]*)",
    re.M | re.S,
)


def not_code(source: str) -> Iterator[tuple[int, int]]:
    """The spans of a cell that are no Python code: what is inside of strings, comments, magics and shell lines.

    Parameters
    ----------
    source : str
        The raw text of a cell, or some lines of it.
    """
    at = 0
    for line in source.split("\n"):
        if line.strip() and not is_cell_magic(line.lstrip()):
            break
        held = content(line.lstrip()) if line.strip() else "python"
        if held in ("other", "unknown"):
            yield at, len(source)
        if held == "other":
            return
        at += len(line) + 1
    at = 0
    while (found := _TOKEN.search(source, at)) is not None:
        at = max(found.end(), at + 1)
        if found["triple"]:
            end = source.find(found["triple"], at)
            yield at, end if end >= 0 else len(source)
            at = end + 3 if end >= 0 else len(source)
        elif found["one"]:
            yield found.span("double") if found["double"] is not None else found.span("single")
        else:
            yield found.span("comment") if found["comment"] else found.span("magic")
