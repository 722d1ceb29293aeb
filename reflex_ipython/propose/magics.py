"""IPython's own syntax in a cell, as far as a model's answer is concerned: kept where the model left it out."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from reflex_ipython.base.magics import as_ipython, is_magic
from reflex_ipython.base.parsing import parse
from reflex_ipython.base.syntax_trees import syntax_tree

_ELSEWHERE = re.compile(r"^%%(?:python|py|ipython)\d?\s*$")


def parses(source: str) -> bool:
    """Whether a cell is Python once its magics are set aside. A cell magic of another language parses always."""
    if parse(source) is not None:
        return True
    cell = as_ipython(source)
    elsewhere = any(magic.content == "elsewhere" for magic in cell.magics)
    return not elsewhere if cell.foreign else parse(cell.python()) is not None


def syntax_error(source: str) -> str:
    """Why a cell that does not parse does not, in a few words; empty where they can't be told."""
    try:
        syntax_tree(as_ipython(source).python())
    except SyntaxError as error:
        return f"{error.msg}, line {error.lineno}"
    except ValueError:  # a null byte
        return ""
    return ""


def tree(source: str) -> ast.Module | None:
    """The syntax tree of a cell, with `pass` for its magics and the same line numbers; None if it does not parse."""
    found = parse(source)
    return parse(as_ipython(source).python()) if found is None else found


def without_header(new: str, old: str) -> str:
    """The new cell without a `%%python` that a model put above it: that would run it in another process."""
    header, _, rest = new.partition("\n")
    return rest if _ELSEWHERE.match(header) and not old.lstrip().startswith("%%") else new


def keep_magics(old: str, new: str) -> str:
    """The new cell with those magics of the old one that a model left out put back in their places."""
    if parse(old) is not None:
        return new  # no magics in there: what looks like one is inside a string
    old_lines, new_lines = old.split("\n"), new.split("\n")
    for magic in as_ipython(old).magics:
        line = old_lines[magic.first]
        if not magic.assigns and not _has(line, new_lines):
            place = _place(old_lines[: magic.first], new_lines)
            new_lines[place:place] = [line] if magic.content else old_lines[magic.first : magic.end]
    kept = "\n".join(new_lines)
    return kept if parses(kept) or not parses(new) else new


def _has(magic: str, lines: Sequence[str]) -> bool:
    """Whether the magic is there, perhaps corrected: the fix may be to the magic itself."""
    from rapidfuzz.fuzz import ratio  # imported at the first answer, not at load

    return any(is_magic(line) and ratio(magic.strip(), line.strip()) > 60 for line in lines)


def _place(before: Sequence[str], lines: Sequence[str]) -> int:
    """Where a line belongs: after the nearest of the lines before it that is still there, else at the top."""
    return next((lines.index(line) + 1 for line in reversed(before) if line.strip() and line in lines), 0)
