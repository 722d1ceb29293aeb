"""IPython's own syntax in a cell, as far as a model's answer is concerned: told from Python, and kept."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from reflex_ipython.base.parsing import parse

_MAGIC_LINE = re.compile(r"^\s*(%{1,2}\w|!|\?)|^[^#'\"]*\w\?{1,2}\s*$")
_MAGIC_VALUE = re.compile(r"^(\s*[\w, .\[\]'\"]+=\s*)(%\w|!).*$")
_PYTHON_CELL_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun", "%%memit", "%%mprun", "%%px")


def is_magic(line: str) -> bool:
    """Whether a line is a magic, a shell command or a request for help."""
    return bool(_MAGIC_LINE.match(line))


def parses(source: str) -> bool:
    """Whether a cell is Python once its magics are set aside. A cell magic of another language parses always."""
    first = next((line for line in source.split("\n") if line.strip()), "")
    foreign = first.startswith("%%") and first.split()[0] not in _PYTHON_CELL_MAGICS
    return foreign or tree(source) is not None


def tree(source: str) -> ast.Module | None:
    """The syntax tree of a cell, with `pass` for its magics and the same line numbers; None if it does not parse."""
    found = parse(source)
    if found is not None:
        return found
    lines = source.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith(_PYTHON_CELL_MAGICS):
        lines[first] = ""
    return parse("\n".join(map(_as_python, lines)))


def _as_python(line: str) -> str:
    if is_magic(line):
        return f"{line[: len(line) - len(line.lstrip())]}pass"
    return _MAGIC_VALUE.sub(r"\1None", line)


def keep_magics(old: str, new: str) -> str:
    """The new cell with those magic lines of the old one that a model left out put back in their places."""
    if parse(old) is not None:
        return new  # no magics in there: what looks like one is inside a string
    old_lines, new_lines = old.split("\n"), new.split("\n")
    for number, line in enumerate(old_lines):
        if is_magic(line) and not _has(line, new_lines):
            new_lines.insert(_place(old_lines[:number], new_lines), line)
    kept = "\n".join(new_lines)
    return kept if parses(kept) or not parses(new) else new


def _has(magic: str, lines: Sequence[str]) -> bool:
    """Whether the magic is there, perhaps corrected: the fix may be to the magic itself."""
    from rapidfuzz.fuzz import ratio  # imported at the first answer, not at load

    return any(is_magic(line) and ratio(magic.strip(), line.strip()) > 60 for line in lines)


def _place(before: Sequence[str], lines: Sequence[str]) -> int:
    """Where a line belongs: after the nearest of the lines before it that is still there, else at the top."""
    return next((lines.index(line) + 1 for line in reversed(before) if line.strip() and line in lines), 0)
