"""A foreseen error as if it had been raised where it will be: with a traceback, and so captured like any other."""

from __future__ import annotations

import ast
from types import CodeType, FunctionType
from typing import Any

_PLACE = "reflex: the error"


def raised(error: BaseException, node: ast.AST, filename: str, namespace: dict[str, Any]) -> BaseException:
    """Raise an error at the place of a node, and catch it.

    Nothing but that happens: the code does not read the namespace, and makes no audit event of a statement that runs.

    Parameters
    ----------
    error : BaseException
        As `foresee` has made it. A `SyntaxError` has its place in itself, and is not raised.
    node : ast.AST
        What will raise it.
    filename : str
        The name of the cell's code.
    namespace : dict
        The user's, which the frame has as its globals.

    Returns
    -------
    BaseException
        The same one, with a traceback.
    """
    if isinstance(error, SyntaxError):
        error.filename = filename
        return error
    code = compile(ast.Module([_raising(node)], []), filename, "exec", dont_inherit=True)
    # `exec` would tell the hook that watches for statements; a constant can be any object.
    code = code.replace(co_consts=tuple(error if one == _PLACE else one for one in code.co_consts))
    try:
        _call(code, namespace)
    except BaseException as caught:  # noqa: BLE001 - it is the one that was given
        return caught
    return error


def _call(code: CodeType, namespace: dict[str, Any]) -> None:
    FunctionType(code, namespace)()


def _raising(node: ast.AST) -> ast.stmt:
    statement: ast.stmt = ast.Raise(ast.Constant(_PLACE), None)
    for part in ast.walk(statement):
        ast.copy_location(part, node)
    return statement
