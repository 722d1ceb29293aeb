"""A cell's text as the checkers see it: its Python, parsed, and its magics apart."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import dataclass

from reflex_ipython.base.magics import Magic, as_ipython
from reflex_ipython.base.parsing import parsed, parsed_once
from reflex_ipython.base.working_cache import working_cache


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
    elsewhere : bool
        Whether its Python may run in another namespace than the notebook's: it stands below a cell magic that nobody
        knows, or one that has another process run it.
    """

    source: str
    tree: ast.Module | None
    magics: tuple[str, ...] = ()
    error: SyntaxError | None = None
    elsewhere: bool = False

    def nodes(self) -> Sequence[ast.AST]:
        """All nodes of the tree; none where there is no tree."""
        return self._nodes

    @functools.cached_property
    def _nodes(self) -> Sequence[ast.AST]:
        found: list[ast.AST] = [self.tree] if self.tree is not None else []
        for node in found:  # as `ast.walk` goes, in half its time: a cell may be long
            for name in node._fields:
                value = getattr(node, name, None)
                if type(value) is list:
                    found += [each for each in value if isinstance(each, ast.AST)]
                elif isinstance(value, ast.AST):
                    found.append(value)
        return tuple(found)


@working_cache(maxsize=64)
def read(source: str) -> ParsedCell:
    """Parse a cell. Never raises."""
    found = parsed_once(source)
    if isinstance(found, ast.Module):
        return ParsedCell(source, found)
    cell = as_ipython(source, automatic=True)
    magics = tuple(magic.text for magic in cell.magics if not magic.call)
    if cell.foreign:
        return ParsedCell(source, None, magics)
    found = parsed(cell.python(_stand_in))
    if isinstance(found, SyntaxError):
        return ParsedCell(source, None, magics, found)
    elsewhere = any(magic.content in ("elsewhere", "unknown") for magic in cell.magics)
    return ParsedCell(source, found, magics, elsewhere=elsewhere)


def _stand_in(magic: Magic) -> str:
    """`,f a b` calls a function of the user's: that is looked at as any other call is."""
    return magic.call or magic.stand_in
