"""Where the source of the user's functions is found."""

from __future__ import annotations

import ast
from collections import OrderedDict
from types import CodeType

_MOST = 5_000
"""Functions that are remembered, the ones compiled last."""


class Source:
    """A function's node, and its parameters as a call looks at them.

    Parameters
    ----------
    node : ast.FunctionDef or ast.Lambda
    """

    __slots__ = ("known", "kwarg", "local", "names", "node", "positional", "simple", "vararg")

    def __init__(self, node: ast.FunctionDef | ast.Lambda) -> None:
        arguments = node.args
        self.node = node
        self.positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        keywords = [each.arg for each in arguments.kwonlyargs]
        self.vararg = None if arguments.vararg is None else arguments.vararg.arg
        self.kwarg = None if arguments.kwarg is None else arguments.kwarg.arg
        self.known = frozenset((*self.positional, *keywords))
        self.names = (*self.positional, *keywords, *filter(None, (self.vararg, self.kwarg)))
        self.simple = len(self.names) == len(self.positional)
        self.local: tuple[tuple[str, ...], tuple[str, ...], frozenset[str]] = ((), (), frozenset())

    def local_names(self, code: CodeType) -> frozenset[str]:
        """The names that the function's code does not look up elsewhere."""
        names, cells = code.co_varnames, code.co_cellvars
        if self.local[0] != names or self.local[1] != cells:
            self.local = names, cells, frozenset((*names, *cells))
        return self.local[2]


class Functions:
    """The nodes of the functions that cells defined at their top level, and of the methods of such classes."""

    def __init__(self) -> None:
        self._sources: OrderedDict[tuple[str, int], Source] = OrderedDict()

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
        while len(self._sources) > _MOST:
            self._sources.popitem(last=False)

    def _add(self, node: ast.FunctionDef, filename: str) -> None:
        line = node.decorator_list[0].lineno if node.decorator_list else node.lineno
        self._sources[filename, line] = Source(node)
        self._sources.move_to_end((filename, line))

    def find(self, code: CodeType) -> Source | None:
        """The source that the code was compiled from; None if nobody knows, or if it is not as simple as that."""
        source = self._sources.get((code.co_filename, code.co_firstlineno))
        if source is None or source.node.name != code.co_name:  # type: ignore[union-attr]  # only those are added
            return None
        return source if code.co_varnames[: len(source.names)] == source.names else None
