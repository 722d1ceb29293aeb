"""The functions of a cell or a file, by the path that leads to them: `f`, `A.method`, `outer.<locals>.inner`.

A lambda that is all that a name of the top level is given, `f = lambda: 1`, has that name.
The path is made from the nesting, in the tree and in the code alike: Python 3.10 has no `co_qualname`.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator
from inspect import CO_OPTIMIZED
from types import CodeType
from typing import TypeVar

from reflex_ipython.base.spans import first_line

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LAMBDA = "<lambda>"
_TRANSPARENT = "<generic parameters of "
"""The scope of `def f[T]()` since Python 3.12; it is not in the name of what it holds."""


@dataclasses.dataclass(frozen=True)
class CompiledCell:
    """A cell's text as IPython compiles it, or a file's as Python does.

    Parameters
    ----------
    tree : ast.Module
        Of the transformed text.
    filename : str
        The name of the cell's code.
    flags : int
        Of the compiler: the `from __future__` imports that hold in the shell.
    whole : bool
        Whether all statements were compiled together, as a file's are: an import beside a function changes its code.
    """

    tree: ast.Module
    filename: str
    flags: int = 0
    whole: bool = False

    def codes(self) -> dict[str, list[CodeType]]:
        """The code of every function in it, in order, by path."""
        found: dict[str, list[CodeType]] = {}
        for statement, inside in self._of_statements():
            for path, code in _named(statement, _codes(inside, "")):
                found.setdefault(path, []).append(code)
        return found

    def _of_statements(self) -> Iterator[tuple[ast.stmt, Iterable[object]]]:
        """Each statement with the constants of its code, which hold the functions."""
        if self.whole:
            together = compile(self.tree, self.filename, "exec", self.flags, True).co_consts
            for statement in self.tree.body:
                yield statement, [one for one in together if type(one) is CodeType and _is_in(one, statement)]
            return
        flags = self.flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        for statement in self.tree.body:  # one by one, as IPython does
            yield statement, compile(ast.Module([statement], []), self.filename, "exec", flags, True).co_consts

    def definitions(self) -> dict[str, list[Definition]]:
        """The tree of every function in it, in order, by path."""
        return definitions(self.tree)


def definitions(tree: ast.Module) -> dict[str, list[Definition]]:
    """The tree of every function in a cell, in order, by path."""
    found: dict[str, list[Definition]] = {}
    for statement in tree.body:
        for path, node in _named(statement, _definitions(ast.Module([statement], []), "")):
            found.setdefault(path, []).append(node)
    return found


_Found = TypeVar("_Found")


def _named(statement: ast.stmt, found: Iterator[tuple[str, _Found]]) -> Iterator[tuple[str, _Found]]:
    """The same, with the name that a statement gives to a lambda in place of `<lambda>`."""
    name = name_of_lambda(statement)
    for path, o in found:
        yield (name + path[len(_LAMBDA) :] if name and path.startswith(_LAMBDA) else path), o


def name_of_lambda(statement: ast.stmt) -> str:
    """`f` of `f = lambda: 1`; empty for everything else, and for a lambda with others in its defaults."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or not isinstance(statement.value, ast.Lambda):
        return ""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    inside = [node for node in ast.walk(statement.value.args) if isinstance(node, ast.Lambda)]
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) and not inside else ""


def _is_in(code: CodeType, statement: ast.stmt) -> bool:
    return first_line(statement) <= code.co_firstlineno <= (statement.end_lineno or statement.lineno)


def _codes(constants: Iterable[object], prefix: str) -> Iterator[tuple[str, CodeType]]:
    for inner in constants:
        if type(inner) is not CodeType:
            continue
        if inner.co_name.startswith(_TRANSPARENT):
            yield from _codes(inner.co_consts, prefix)
        elif inner.co_flags & CO_OPTIMIZED:
            yield prefix + inner.co_name, inner
            yield from _codes(inner.co_consts, f"{prefix}{inner.co_name}.<locals>.")
        else:
            yield from _codes(inner.co_consts, f"{prefix}{inner.co_name}.")


_COMPREHENSIONS: dict[type[ast.AST], str] = {
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
    for child in ast.iter_child_nodes(node):
        yield from _definition(child, prefix)


def _definition(node: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        name = getattr(node, "name", _LAMBDA)
        for outer in _around(node):  # defaults and decorators run where the function is defined
            yield from _definition(outer, prefix)
        yield prefix + name, node
        for inner in node.body if isinstance(node.body, list) else [node.body]:
            yield from _definition(inner, f"{prefix}{name}.<locals>.")
        return
    inside = prefix
    if isinstance(node, ast.ClassDef):
        inside = f"{prefix}{node.name}."
    elif type(node) in _COMPREHENSIONS:
        inside = f"{prefix}{_COMPREHENSIONS[type(node)]}.<locals>."
    yield from _definitions(node, inside)


def _around(node: Definition) -> list[ast.AST]:
    return [*getattr(node, "decorator_list", []), node.args]
