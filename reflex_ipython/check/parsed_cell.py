"""A cell's text as the checkers see it: its Python, parsed, and its magics apart."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from reflex_ipython.base.parsing import parsed
from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.check.lines import beginnings, cleaned

# Cell magics whose body is Python that runs in the user's namespace.
_PYTHON_CELL = re.compile(r"%%(time|timeit|capture|prun|memit|mprun)\b")
_VALUE = re.compile(r"^(?P<target>\s*[A-Za-z_*(\[][^=#]*=\s*)(?P<magic>[%!][^=].*)$")
_CALL = re.compile(r"^(?P<indent>\s*)(?P<sign>[,;/])(?P<function>[\w.]+)(?P<rest>.*)$")
# A line of a cell that has no other may be a magic without its sign.
_AUTOMATIC = re.compile(r"^(?P<indent>\s*)(?P<magic>[A-Za-z_]\w*(\s+[^=\s(\[.,].*)?)$")
_LINE = re.compile(r"^(?P<indent>\s*)(?P<magic>[%!?].*|[\w.]+\?{1,2}\s*)$")


@dataclass(frozen=True)
class ParsedCell:
    """What there is in a cell.

    Parameters
    ----------
    source : str
        Its whole text.
    tree : ast.Module or None
        Its Python, with the same line numbers; None where it does not parse, or is another language.
    magics : tuple of str
        Magics, shell commands and requests for help, without the indentation.
    error : SyntaxError or None
        Why it does not parse.
    """

    source: str
    tree: ast.Module | None
    magics: tuple[str, ...] = ()
    error: SyntaxError | None = None

    def nodes(self) -> Sequence[ast.AST]:
        """All nodes of the tree; none where there is no tree."""
        return self._nodes

    @functools.cached_property
    def _nodes(self) -> Sequence[ast.AST]:
        return tuple(ast.walk(self.tree)) if self.tree is not None else ()


@working_cache(maxsize=64)
def read(source: str) -> ParsedCell:
    """Parse a cell. Never raises."""
    found = parsed(source)
    if isinstance(found, ast.Module):
        return ParsedCell(source, found)
    python, magics = without_magics(source)
    if python is None:
        return ParsedCell(source, None, magics)
    found = parsed(python)
    return (
        ParsedCell(source, found, magics) if isinstance(found, ast.Module) else ParsedCell(source, None, magics, found)
    )


def without_magics(source: str) -> tuple[str | None, tuple[str, ...]]:
    """The cell with `pass` or `None` for each magic or shell command, line by line; None for another language."""
    lines = cleaned(source)
    magics = []
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        magics.append(lines[first])
        if not _PYTHON_CELL.match(lines[first]):
            return None, ("\n".join(lines).strip(),)
        lines[first] = "pass"
        rest = "\n".join(["", *lines[first + 1 :]]) if first + 1 < len(lines) else ""
        below, inner = (rest, ()) if isinstance(parsed(rest), ast.Module) else without_magics(rest)
        if below is None:  # %%time, and below it %%bash
            return None, (*magics, *inner)
        return "\n".join([*lines[:first], "pass" + below]) if below else "pass", (*magics, *inner)
    alone = sum(map(bool, map(str.strip, lines))) == 1
    for start, end in list(beginnings(lines)):
        replaced = _without_magic(lines[start], alone)
        if replaced is not None:
            lines[start], magic = replaced
            magics.append("\n".join([magic.strip(), *lines[start + 1 : end]]))
            lines[start + 1 : end] = [""] * (end - start - 1)
    return "\n".join(lines), tuple(magic for magic in magics if magic)


def _without_magic(line: str, alone: bool) -> tuple[str, str] | None:
    """A line without its magic, and that; None if it has none."""
    if (match := _VALUE.match(line)) is not None:
        return f"{match['target']}None", match["magic"]
    if (match := _LINE.match(line)) is not None:
        return f"{match['indent']}pass", match["magic"]
    if (match := _CALL.match(line)) is not None:
        return f"{match['indent']}{_called(match['sign'], match['function'], match['rest'].strip())}", ""
    if alone and (match := _AUTOMATIC.match(line)) is not None:
        return f"{match['indent']}pass", f"%{match['magic']}"
    return None


def _called(sign: str, function: str, rest: str) -> str:
    """The call that IPython makes of `,f a b`, `;f a b` and `/f a, b`."""
    if sign == "/":
        return f"{function}({rest})"
    return f"{function}({', '.join(map(repr, rest.split() if sign == ',' else [rest]))})"
