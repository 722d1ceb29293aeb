"""The fenced blocks of a text in Markdown, as models write it."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

_OPENING = re.compile(r"^(?P<before>(?:(?!```).)*?)(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[\w+#.-]*)[^`~\n]*$")
_ONE_LINE = re.compile(r"```(?:(?:i?python|py)[ \t]+)?([^`\n]+)```")
_PROMPT = re.compile(r"^(In \[\d*\]: ?|>>> ?)")
_CONTINUED = re.compile(r"^( *\.{3,}:? ?)")


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Parameters
    ----------
    text, language : str
        What is between the fences, and what stands beside the opening one, in lower case.
    closed : bool
        Whether the closing fence was there too.
    start, end : int
        The lines of the fences in the text, 0-based.
    """

    text: str
    language: str
    closed: bool
    start: int
    end: int


def blocks(text: str) -> list[Block]:
    """The blocks in their order. Nothing that was opened inside a block counts."""
    lines = text.split("\n")
    found: list[Block] = []
    number = 0
    while number < len(lines):
        opening, one_line = _OPENING.match(lines[number]), _ONE_LINE.search(lines[number])
        number += 1
        if one_line is not None:
            found.append(Block(one_line[1].strip(), "", True, number - 1, number - 1))
            continue
        if opening is None:
            continue
        start, fence = number, opening["fence"]
        while number < len(lines) and not _closes(lines[number], fence):
            number += 1
        closed = number < len(lines)
        if not closed and lines[-1].rstrip().endswith(fence):  # behind the last line, where none should be
            lines[-1], closed = lines[-1].rstrip()[: -len(fence)].rstrip(), True
        indent = opening["before"] if opening["before"].isspace() else ""
        content = (line[len(indent) :] if line.startswith(indent) else line for line in lines[start:number])
        found.append(Block("\n".join(content), opening["language"].lower(), closed, start - 1, number))
        number += 1
    return found


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


def bare_code(text: str) -> str:
    """A block's code without what models put around it: indentation of the whole, IPython's or Python's prompts."""
    lines = textwrap.dedent(text.strip("\n")).split("\n")
    if any(_PROMPT.match(line) for line in lines[:1]):
        lines = [_CONTINUED.sub("", line) if _CONTINUED.match(line) else _PROMPT.sub("", line) for line in lines]
    return "\n".join(lines).rstrip()
