"""Where a cell's statements begin: only there IPython looks for magics and shell commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_PIECE = re.compile(
    r"""(?P<string>(?:\b[A-Za-z]{1,2})?(?P<quote>'''|\"\"\"|'|\"))|(?P<comment>\#.*)|(?P<open>[(\[{])|(?P<close>[)\]}])"""
)
# A command goes on after a backslash and a line feed; with a carriage return between them it does not.
_ENDED = re.compile(r"^([^\S\r\n]*(?:[%!?,;/]|[^\r\n]*=\s*[%!])[^\r\n]*\\)\r\n?", re.MULTILINE)
_IPYTHONS = re.compile(r"^((\[nav\]|\[ins\])?\s*In\s*\[\d+\]:\s?|\s*\.{3,}:\s?)")
_PROMPTS = (
    (re.compile(r"^>>>( |$)"), re.compile(r"^(>>>|\.\.\.)( |$)")),
    (_IPYTHONS, _IPYTHONS),
)


def cleaned(source: str) -> list[str]:
    """The lines as IPython takes them: without empty ones at the top, common indentation and pasted prompts.

    Empty lines stand for what is gone, so that the numbers of the lines stay.
    """
    source = _ENDED.sub(r"\1 \n", source)
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    lines[:first] = [""] * first
    # What looks like one empty line to Python's parser may be several to IPython: a form feed ends a line as well.
    lines[first] = next((part for part in lines[first].splitlines() if part.strip()), "")
    indent = re.match(r"[ \t]*", lines[first])
    if indent is not None and indent[0]:
        lines = [line.removeprefix(indent[0]) for line in lines]
    lines = ["" if line.strip() == "\\" else line for line in lines]  # goes on, but after nothing
    for initial, prompt in _PROMPTS:
        if initial.match(lines[first]) or (first + 1 < len(lines) and prompt.match(lines[first + 1])):
            lines = [prompt.sub("", line, count=1) for line in lines]
    return lines


def beginnings(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first line of each statement or command and the line after its last, counted from 0.

    Parameters
    ----------
    lines : sequence of str
        A cell, some of whose statements may be commands: those may hold any text, and go on only after a backslash.
    """
    number = 0
    while number < len(lines):
        start, depth, quote = number, 0, ""
        command = lines[number].lstrip()[:1] in ("%", "!", "?", ",", ";", "/")
        while number < len(lines):
            line = lines[number]
            number += 1
            if command or (not depth and not quote and re.match(r"[^=('\"#]*=\s*[%!][^=]", line)):
                command = True
            else:
                depth, quote = _after(line, depth, quote)
            goes_on = line.endswith("\\") and not (not command and "#" in line and not quote)
            if not goes_on and (command or (depth <= 0 and not quote)):
                break
        yield start, number


def _after(line: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets are open after a line, and which quotes."""
    place = 0
    while place < len(line):
        if quote:
            end = re.compile(rf"(?:[^\\]|\\.)*?{quote}").match(line, place)
            if end is None:
                return depth, quote if len(quote) == 3 or line.endswith("\\") else ""
            place, quote = end.end(), ""
            continue
        found = _PIECE.search(line, place)
        if found is None or found["comment"] is not None:
            break
        place = found.end()
        if found["quote"]:
            quote = found["quote"]
        else:
            depth += 1 if found["open"] else -1
    return depth, quote if len(quote) == 3 else ""
