"""Requests in words, as they stand in a cell, and as IPython takes them."""

from __future__ import annotations

import re

from reflex_ipython.ipython.acceptance import is_request
from reflex_ipython.ipython.traced_cells import trace_options, without_line

_LINE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<request>%reflex[ \t]+(?P<command>do[ \t]+(?P<words>.*?)))[ \t]*$", re.MULTILINE
)


def request_in(source: str, words: str) -> str:
    """The part of a cell that the code for some words takes the place of: all of it, or the line that says them.

    Parameters
    ----------
    source : str
        The cell's raw text.
    words : str
    """
    if is_request(source):
        return source
    lines = [found for found in _LINE.finditer(source) if found["words"].strip() == words]
    if not lines or not source.replace(lines[0][0], "", 1).strip():
        return source
    return lines[0]["request"]


def as_ipython_takes_it(lines: list[str]) -> list[str]:
    """An input transformer: IPython refuses a magic whose words are all on its line, and takes a `?` for its own.

    Parameters
    ----------
    lines : list of str
        A cell's, with their ends.
    """
    cell = "".join(lines)
    if "%reflex" not in cell:
        return lines
    if trace_options(cell) is not None:
        return without_line(cell).splitlines(keepends=True)
    magic, _, body = cell.lstrip().partition("\n")
    if is_request(cell) and not magic.startswith(("%%reflex?", "%%reflex trace -")):
        words = magic[len("%%reflex") :].strip()
        return ["%%reflex\n", *(f"{words}\n{body.rstrip()}\n").splitlines(keepends=True)]
    return _LINE.sub(_call, cell).splitlines(keepends=True) if "?" in cell else lines


def _call(found: re.Match[str]) -> str:
    """The line as the call that IPython would make of it, if its end would be taken for a question to IPython."""
    if not found["words"].endswith("?"):
        return found[0]
    return f"{found['indent']}get_ipython().run_line_magic('reflex', {found['command']!r})"
