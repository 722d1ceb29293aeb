"""A cell's text as the checkers see it: its Python, parsed, and its magics apart."""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

# Cell magics whose body is Python that runs in the user's namespace.
_PYTHON_CELL = re.compile(r"%%(time|timeit|capture|prun|memit|mprun)\b")
_VALUE = re.compile(r"^(?P<target>\s*[A-Za-z_][\w., \[\]'\"]*=\s*)(?P<magic>[%!][^=].*)$")
_LINE = re.compile(r"^(?P<indent>\s*)(?P<magic>[%!?].*|[\w.]+\?{1,2}\s*)$")


@dataclass(frozen=True)
class Cell:
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

    def nodes(self) -> Iterator[ast.AST]:
        """All nodes of the tree; none where there is no tree."""
        if self.tree is not None:
            yield from ast.walk(self.tree)


@functools.lru_cache(maxsize=64)
def read(source: str) -> Cell:
    """Parse a cell. Never raises."""
    found = _parse(source)
    if isinstance(found, ast.Module):
        return Cell(source, found)
    python, magics = without_magics(source)
    if python is None:
        return Cell(source, None, magics)
    found = _parse(python)
    return Cell(source, found, magics) if isinstance(found, ast.Module) else Cell(source, None, magics, found)


def without_magics(source: str) -> tuple[str | None, tuple[str, ...]]:
    """The cell with `pass` or `None` for each magic or shell command, line by line; None for another language."""
    lines = source.split("\n")
    magics = []
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        magics.append(lines[first])
        if not _PYTHON_CELL.match(lines[first]):
            return None, (source.strip(),)
        lines[first] = "pass"
    for number, line in enumerate(lines):
        if (match := _VALUE.match(line)) is not None:
            lines[number] = f"{match['target']}None"
        elif (match := _LINE.match(line)) is not None:
            lines[number] = f"{match['indent']}pass"
        else:
            continue
        magics.append(match["magic"].strip())
    return "\n".join(lines), tuple(magics)


def _parse(source: str) -> ast.Module | SyntaxError:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in somebody else's string
            tree = compile(source, "<cell>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nested too deep for the parser
        return SyntaxError(str(error) or "nested too deep", ("<cell>", 1, 1, None))
    assert isinstance(tree, ast.Module)
    return tree
