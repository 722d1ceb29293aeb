"""What the cell magics hold: the one table of those that are known."""

from __future__ import annotations

import re
from typing import Literal

Content = Literal["python", "elsewhere", "other", "unknown"]
"""Python that runs in the user's namespace; Python that another process runs; no Python; nobody knows what."""

_PYTHON = "time timeit capture prun memit mprun lprun debug"
_ELSEWHERE = "px python python2 python3 pypy"
_OTHER = """! sx system bash sh cmd script perl ruby html HTML svg SVG javascript js latex markdown file writefile
    sql R julia"""
_TABLE: dict[str, Content] = {
    **dict.fromkeys(_PYTHON.split(), "python"),
    **dict.fromkeys(_ELSEWHERE.split(), "elsewhere"),
    **dict.fromkeys(_OTHER.split(), "other"),
}
_TRACED = ("%%reflex trace", "%%reflex\ttrace")  # in words, a request is never read as code
_HELP = re.compile(r"%%\w+\?")


def is_cell_magic(line: str) -> bool:
    """Whether the first line of a cell, without its indentation, makes a magic of the whole cell."""
    return line.startswith("%%") and _HELP.match(line) is None


def content(line: str) -> Content:
    """What a cell holds that begins with this line.

    A magic that is not in the table, a library's or the user's own, may hold anything: whoever looks for something in
    code has to look there as well.

    Parameters
    ----------
    line : str
        With the two signs, without indentation.
    """
    if line.startswith(_TRACED):
        return "python"
    # As IPython cuts off the name. One with a tab behind it is no magic's.
    return _TABLE.get(line[2:].rstrip().partition(" ")[0], "unknown")
