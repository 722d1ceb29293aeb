"""What a model is shown of a file: all of a short one, of another the definition that failed. Pure."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from reflex_ipython.base.parsing import parse
from reflex_ipython.base.spans import first_line
from reflex_ipython.models import FileSource

WHOLE = 6_000
"""Characters of a file that is shown whole."""
_AROUND = 30
"""Lines on either side of the failing one, of a file that does not parse."""


@dataclass(frozen=True)
class Excerpt:
    """Some lines of a file.

    Parameters
    ----------
    file : FileSource
    first, last : int
        The first line (from 0), and the line after the last.
    """

    file: FileSource
    first: int
    last: int

    @property
    def text(self) -> str:
        """The lines."""
        return "\n".join(self.file.source.split("\n")[self.first : self.last])

    @property
    def is_whole(self) -> bool:
        """Whether they are all lines of the file."""
        return self.first == 0 and self.last >= self.file.source.count("\n") + 1

    @property
    def above(self) -> str:
        """What the file imports above them, and the names that its top level gives to plain values: they are there."""
        tree = parse(self.file.source)
        told = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
        lines = self.file.source.split("\n")
        found = [node for node in tree.body if isinstance(node, told) and node.lineno <= self.first] if tree else []
        return "\n".join("\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in found)

    def with_text(self, text: str) -> str:
        """The whole file with other lines in their place."""
        lines = self.file.source.split("\n")
        return "\n".join([*lines[: self.first], *text.split("\n"), *lines[self.last :]])


def excerpt(file: FileSource, lineno: int | None) -> Excerpt:
    """The lines of a file that a fix may have to change.

    Parameters
    ----------
    file : FileSource
    lineno : int or None
        The line that failed, 1-based.
    """
    count = file.source.count("\n") + 1
    if len(file.source) <= WHOLE or lineno is None:
        return Excerpt(file, 0, count)
    tree = parse(file.source)
    around = [node for node in tree.body if _covers(node, lineno)] if tree is not None else []
    if around:
        return Excerpt(file, first_line(around[0]) - 1, around[0].end_lineno or lineno)
    return Excerpt(file, max(lineno - 1 - _AROUND, 0), min(lineno + _AROUND, count))


def _covers(node: ast.stmt, lineno: int) -> bool:
    return first_line(node) <= lineno <= (node.end_lineno or node.lineno)
