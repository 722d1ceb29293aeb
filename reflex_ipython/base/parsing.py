"""Parsing the user's code once more, in silence: what Python warns of, it has said when the cell ran.

As in a cell, `await` may stand at the top level.
"""

from __future__ import annotations

import ast
from types import CodeType

from reflex_ipython.base.unwarned import unwarned

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def parsed(source: str) -> ast.Module | SyntaxError:
    """The syntax tree of a source, or why there is none. Never raises, whatever the text is."""
    found = _compiled(source, _FLAGS | ast.PyCF_ONLY_AST)
    assert isinstance(found, (ast.Module, SyntaxError))
    return found


def parse(source: str) -> ast.Module | None:
    """The syntax tree of a source; None if it does not parse."""
    found = parsed(source)
    return found if isinstance(found, ast.Module) else None


def compiled(tree: ast.Module) -> CodeType | SyntaxError:
    """The bytecode of a tree, or why it has none: a tree may have a `return` outside of a function, say."""
    found = _compiled(tree, _FLAGS)
    assert isinstance(found, (CodeType, SyntaxError))
    return found


def _compiled(source: str | ast.Module, flags: int) -> object:
    try:
        with unwarned():
            return compile(source, "<cell>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nested too deep for the parser
        return SyntaxError(str(error) or "nested too deep", ("<cell>", 1, 1, None))
