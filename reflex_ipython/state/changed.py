"""Which definitions of a cell a new text changes: pure, from the two texts."""

from __future__ import annotations

import ast
from collections import Counter

from reflex_ipython.state.definitions import definitions

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def changed_definitions(old: ast.Module, new: ast.Module) -> tuple[str, ...]:
    """The names whose meaning differs.

    Parameters
    ----------
    old, new : ast.Module
        The trees of the cell's old and new text.

    Returns
    -------
    tuple of str
        The paths of functions whose text differs or that are gone, `f`, `A.method`, without those inside of others;
        then the other names of the top level that statements give which differ, `RATE`; of a plain class, `A.RATE`.
        Names that only the new text has are left out: nothing can have used them.
    """
    before, after = definitions(old), definitions(new)
    functions = [
        path for path, nodes in before.items() if "<" not in path and _texts(nodes) != _texts(after.get(path, []))
    ]
    kept = Counter(ast.dump(_without_functions(statement)) for statement in new.body)
    gone = Counter(ast.dump(_without_functions(statement)) for statement in old.body) - kept
    later = {statement.name: statement for statement in new.body if isinstance(statement, ast.ClassDef)}
    others = [
        name
        for statement in old.body
        if ast.dump(_without_functions(statement)) in gone
        for name in _attributes_of(statement, later) or names_of(statement)
    ]
    return tuple(dict.fromkeys([*functions, *others]))


def _texts(nodes: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda]) -> list[str]:
    return [ast.dump(node) for node in nodes]


def _without_functions(statement: ast.stmt) -> ast.stmt:
    """A class without its methods: they are compared one by one. All else as it is."""
    if not isinstance(statement, ast.ClassDef):
        return statement
    rest = [part for part in statement.body if not isinstance(part, _FUNCTIONS)]
    fields = {name: getattr(statement, name) for name in statement._fields}
    return ast.ClassDef(**{**fields, "body": rest})


def _attributes_of(statement: ast.stmt, later: dict[str, ast.ClassDef]) -> list[str]:
    """The attributes that differ, `A.RATE`, of a class that nothing but its text makes; else none."""
    new = later.get(statement.name) if isinstance(statement, ast.ClassDef) else None
    if new is None or not isinstance(statement, ast.ClassDef) or _heading(statement) != _heading(new):
        return []
    if statement.decorator_list or statement.keywords:  # a dataclass: its defaults go into its objects
        return []
    kept = Counter(map(ast.dump, new.body))
    gone = [part for part in statement.body if not isinstance(part, _FUNCTIONS) and ast.dump(part) not in kept]
    return [f"{statement.name}.{name}" for part in gone for name in names_of(part)]


def _heading(statement: ast.ClassDef) -> list[str]:
    return [ast.dump(part) for part in (*statement.bases, *statement.keywords, *statement.decorator_list)]


def names_of(statement: ast.stmt) -> list[str]:
    """The names that a statement of the top level gives a value to."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
