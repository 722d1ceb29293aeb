"""The code of a module and what cells say of it, by one set of names, so that it can be read as one text.

`area` of the module `shapes` is called `shapes:area` in both: `import shapes as s; s.area(1)` becomes
`shapes:area(1)`, and `from shapes import area as f` becomes `f = shapes:area`. They are only read.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from reflex_ipython.base.tree_copy import copied
from reflex_ipython.state.changed import names_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def own_name(module: str, name: str) -> str:
    """What a module's name is called: no dot in it, as those part a class from its method."""
    return f"{module.replace('.', '/')}:{name}"


def names_in(tree: ast.Module) -> set[str]:
    """The names that the statements of a module's top level give."""
    return {name for statement in tree.body for name in names_of(statement)}


def module_statements(module: str, tree: ast.Module) -> list[ast.stmt]:
    """A module's statements, with the names of its top level as they are called elsewhere."""
    return _renamed(tree.body, _InModule(module, names_in(tree)))


def with_callers(statements: Sequence[ast.stmt], changed: Collection[str]) -> list[str]:
    """Paths of functions, and of the functions and methods that name them; where a method does, not its whole class."""
    found = dict.fromkeys(changed)
    while True:
        names = {path for path in found if "." not in path}
        more = [path for path, node in _paths(statements) if path not in found and not names.isdisjoint(_read(node))]
        if not more:
            return list(found)
        found.update(dict.fromkeys(more))


def _paths(statements: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.AST]]:
    for statement in statements:
        if isinstance(statement, _FUNCTIONS):
            yield statement.name, statement
        for part in statement.body if isinstance(statement, ast.ClassDef) else ():
            if isinstance(part, _FUNCTIONS):
                yield f"{statement.name}.{part.name}", part  # type: ignore[attr-defined]  # it is a class


def _read(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def cell_statements(statements: list[ast.stmt], module: str, names: Collection[str], bound: set[str]) -> list[ast.stmt]:
    """A cell's statements, with what they use of a module called as it is called there.

    Parameters
    ----------
    statements : list of ast.stmt
    module : str
        Its dotted name.
    names : collection of str
        Those that it gives.
    bound : set of str
        What the module is called in the cells, dots in it; what these import is added.
    """
    return _renamed(statements, _InCell(module, names, bound))


def _renamed(statements: list[ast.stmt], transformer: ast.NodeTransformer) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for statement in statements:
        found = transformer.visit(copied(statement))
        made += found if isinstance(found, list) else [found]
    return made


class _InModule(ast.NodeTransformer):
    def __init__(self, module: str, names: Collection[str]) -> None:
        self._module = module
        self._names = names
        self._depth = 0

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in self._names:
            node.id = own_name(self._module, node.id)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._definition(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._definition(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._definition(node)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ast.AST:
        if self._depth == 0:
            node.name = own_name(self._module, node.name)
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node


class _InCell(ast.NodeTransformer):
    def __init__(self, module: str, names: Collection[str], bound: set[str]) -> None:
        self._module = module
        self._names = names
        self._bound = bound

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if node.attr in self._names and _dotted(node.value) in self._bound:
            return ast.Name(own_name(self._module, node.attr), node.ctx)
        self.generic_visit(node)
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for alias in node.names:
            if alias.name == self._module:
                self._bound.add(alias.asname or alias.name)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        if node.level == 0 and node.module == self._module:
            return list(self._assignments(node)) or node
        for alias in node.names:
            if f"{node.module}.{alias.name}" == self._module:
                self._bound.add(alias.asname or alias.name)
        return node

    def _assignments(self, node: ast.ImportFrom) -> Iterator[ast.stmt]:
        for alias in node.names:
            for name in sorted(self._names) if alias.name == "*" else [alias.name]:
                target = ast.Name(name if alias.name == "*" else alias.asname or name, ast.Store())
                yield ast.Assign([target], ast.Name(own_name(self._module, name), ast.Load()))


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"
