"""Where the source of the user's functions is found."""

from __future__ import annotations

import ast
from collections import OrderedDict
from types import CodeType

_MOST = 5_000
"""Functions that are remembered, the ones compiled last."""


class Functions:
    """The nodes of the functions that cells defined at their top level, and of the methods of such classes."""

    def __init__(self) -> None:
        self._nodes: OrderedDict[tuple[str, int], ast.FunctionDef] = OrderedDict()

    def add(self, body: list[ast.stmt], filename: str) -> None:
        """A cell was compiled.

        Parameters
        ----------
        body : list of ast.stmt
            Its statements.
        filename : str
            The name that its code has.
        """
        for node in body:
            if type(node) is ast.FunctionDef:
                self._add(node, filename)
            elif type(node) is ast.ClassDef:
                for method in node.body:
                    if type(method) is ast.FunctionDef:
                        self._add(method, filename)
        while len(self._nodes) > _MOST:
            self._nodes.popitem(last=False)

    def _add(self, node: ast.FunctionDef, filename: str) -> None:
        line = node.decorator_list[0].lineno if node.decorator_list else node.lineno
        self._nodes[filename, line] = node
        self._nodes.move_to_end((filename, line))

    def find(self, code: CodeType) -> ast.FunctionDef | None:
        """The node that the code was compiled from; None if nobody knows, or if it is not as simple as that."""
        node = self._nodes.get((code.co_filename, code.co_firstlineno))
        if node is None or node.name != code.co_name:
            return None
        arguments = node.args
        names = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        names += [each.arg for each in (arguments.vararg, arguments.kwarg) if each is not None]
        return node if code.co_varnames[: len(names)] == tuple(names) else None
