"""Statements that parse and do not compile: IPython finds that out when their turn comes."""

from __future__ import annotations

import ast

_LATE = (ast.Return, ast.Break, ast.Continue, ast.Nonlocal, ast.Global, ast.Yield, ast.YieldFrom, ast.Starred)
"""What the compiler refuses in the wrong place; there are others, which hardly anybody writes."""


def late_syntax_error(statement: ast.stmt) -> SyntaxError | None:
    """What the compiler says of a statement; None if it takes it, or there is nothing in it that it could refuse."""
    if not any(isinstance(node, _LATE) for node in ast.walk(statement)):
        return None
    try:
        compile(ast.Module([statement], []), "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError):
        return None
    return None
