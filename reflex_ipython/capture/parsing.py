"""Parsing the user's code once more, in silence: what Python warns of, it has said when the cell ran."""

from __future__ import annotations

import ast
from types import CodeType

from reflex_ipython.base.unwarned import unwarned


def parse(text: str) -> ast.Module | None:
    """The syntax tree of a text; None if it does not parse."""
    try:
        with unwarned():
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # all that the parser raises
        return None


def compiled(tree: ast.Module) -> CodeType | None:
    """The bytecode of a tree, in which `await` may stand at the top level; None if it does not compile."""
    try:
        with unwarned():
            code: CodeType = compile(tree, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            return code
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a `return` outside of a function, say
        return None
