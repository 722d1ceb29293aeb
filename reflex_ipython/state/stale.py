"""Which results of earlier cells were computed with a function's old code: a static read of the cells."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Collection, Iterator, Sequence, Set

from reflex_ipython.state.deferring import DEFERRING, KEEPING, called, passes_on, runs_nothing


@dataclasses.dataclass(frozen=True)
class Stale:
    """What is stale of one cell.

    Parameters
    ----------
    cell : int
        Its index among the cells that were given.
    names : tuple of str
        Names whose values it computed, and that still have them.
    output : bool
        Whether the value that it displayed is one of them: its `Out[n]`.
    caches : tuple of str
        Paths of functions that call the old code and remember what they return: `lru_cache`, `cached_property`.
    """

    cell: int
    names: tuple[str, ...]
    output: bool
    caches: tuple[str, ...] = ()


def stale_results(cells: Sequence[Sequence[ast.stmt]], changed: Collection[str], since: int = 0) -> tuple[Stale, ...]:
    """The results that may have been computed with the old code.

    Parameters
    ----------
    cells : sequence of sequences of ast.stmt
        The top-level statements of the cells, in the order in which they ran.
    changed : collection of str
        The paths of the changed functions, `f`, `A.method`.
    since : int
        The index of the cell that defined them.

    Returns
    -------
    tuple of Stale
        In the order of the cells; those with nothing stale are left out.
    """
    users = {path.partition(".")[0] for path in changed}
    every = [statement for cell in cells for statement in cell]
    functions = {one.name: one for one in every if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
    attributes = {path.rpartition(".")[2] for path in changed if "." in path} - set(_methods(every))
    known = _Foretold(
        set(_inheriting(every, changed, attributes)), attributes | set(_properties(every)), dict(functions)
    )
    stale: dict[str, int] = {}
    caches: dict[str, int] = {}
    outputs: set[int] = set()
    for place in range(since, len(cells)):
        for statement in cells[place]:
            read, written = set(_read(statement)), dict.fromkeys(_written(statement), place)
            if read & users and (_defines(statement) or known.passes_on(statement, users)):
                users |= written.keys()  # it calls what changed; so does whoever calls it
                caches.update({path: place for path in _cached(statement, users) if path not in changed})
            elif _defines(statement):
                if place > since:  # from here on the name means something else
                    users -= written.keys()
                    stale = {name: cell for name, cell in stale.items() if name not in written}
            elif read & (users | stale.keys()):
                stale.update(written)
                if isinstance(statement, ast.Expr) and statement is cells[place][-1]:
                    outputs.add(place)
            else:
                for name in _assigned(statement):
                    stale.pop(name, None)
    return tuple(
        Stale(place, _of_cell(place, stale), place in outputs, _of_cell(place, caches))
        for place in sorted({*stale.values(), *caches.values(), *outputs})
    )


def _of_cell(place: int, found: dict[str, int]) -> tuple[str, ...]:
    return tuple(name for name, cell in found.items() if cell == place)


def _defines(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def _cached(statement: ast.stmt, users: Collection[str]) -> Iterator[str]:
    """The functions and methods it defines that remember what they return and read one of those names."""
    inside = statement.body if isinstance(statement, ast.ClassDef) else []
    prefix = f"{statement.name}." if isinstance(statement, ast.ClassDef) else ""
    for node in [statement, *inside]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            remembers = any("cache" in called(decorator) for decorator in node.decorator_list)
            if remembers and not set(_read(node)).isdisjoint(users):
                yield prefix + node.name


_MAKING = frozenset({"__init__", "__new__", "__post_init__"})


@dataclasses.dataclass(frozen=True)
class _Foretold:
    """What the cells tell beforehand.

    Parameters
    ----------
    plain : set of str
        Classes whose objects are made without what changed.
    computed : set of str
        Attributes that run a function.
    functions : dict of str to ast.stmt
        The functions that the cells define, by name, as they are in the end.
    """

    plain: set[str]
    computed: set[str]
    functions: dict[str, ast.stmt]

    def keeps(self, name: str) -> bool:
        """Whether what is called so calls none of its arguments."""
        own = self.functions.get(name)
        return passes_on(own) if isinstance(own, ast.FunctionDef) else name in DEFERRING

    def passes_on(self, statement: ast.stmt, users: Set[str]) -> bool:
        """Whether it calls nothing that changed, but holds it: `g = f`, `partial(f)`, `m = shop.total`, `Shop()`."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            if isinstance(call.func, ast.Attribute) and call.func.attr in KEEPING:
                return all(self._runs_nothing(part, users) for part in (*call.args, *call.keywords))
        holding = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)
        value = statement.value if isinstance(statement, holding) else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self.plain:
            return [node for node in ast.walk(value) if isinstance(node, ast.Call)] == [value]
        return value is not None and self._runs_nothing(value, users)

    def _runs_nothing(self, value: ast.AST, users: Set[str]) -> bool:
        runs = any(isinstance(node, ast.Attribute) and node.attr in self.computed for node in ast.walk(value))
        return not runs and runs_nothing(value, lambda name: name not in users and self.keeps(name))


def _methods(statements: Sequence[ast.stmt]) -> Iterator[str]:
    for statement in statements:
        for node in statement.body if isinstance(statement, ast.ClassDef) else []:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.name


def _inheriting(statements: Sequence[ast.stmt], changed: Collection[str], attributes: Set[str]) -> Iterator[str]:
    """The classes whose objects are made without what has changed in them; and those that inherit from these."""
    classes = {path.partition(".")[0] for path in changed if "." in path}
    reading = {one.name for one in statements if isinstance(one, ast.ClassDef) and _makes_with(one, attributes)}
    plain = {name for name in classes - reading if name not in changed and f"{name}.__init__" not in changed}
    yield from plain
    for statement in statements:
        if isinstance(statement, ast.ClassDef):
            bases = {base.id for base in statement.bases if isinstance(base, ast.Name)}
            own = {node.name for node in statement.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
            if bases & plain and not own & _MAKING and statement.name not in classes:
                plain.add(statement.name)
                yield statement.name


def _makes_with(statement: ast.ClassDef, attributes: Set[str]) -> bool:
    """Whether what makes a class's objects reads one of these attributes."""
    making = [node for node in statement.body if isinstance(node, ast.FunctionDef) and node.name in _MAKING]
    return any(
        isinstance(part, ast.Attribute) and part.attr in attributes for node in making for part in ast.walk(node)
    )


def _properties(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """The names of the properties that classes define: to read one is to run it."""
    for statement in statements:
        for node in statement.body if isinstance(statement, ast.ClassDef) else []:
            decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
            if any("property" in called(decorator) for decorator in decorators):
                yield node.name  # type: ignore[attr-defined]  # it has decorators


def _read(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _assigned(statement: ast.stmt) -> Iterator[str]:
    """Names that get another value for certain, as a whole."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from (node.id for node in ast.walk(target) if _stored(node) and isinstance(node, ast.Name))
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)


def _written(statement: ast.stmt) -> Iterator[str]:
    """Names that get another value, or whose object is changed: `x = `, `x.a = `, `x[0] = `, `x.append()`."""
    if _defines(statement):
        yield statement.name  # type: ignore[attr-defined]  # `_defines` has looked at the type
        return
    inside = {
        id(part) for node in ast.walk(statement) if isinstance(node, ast.comprehension) for part in _targets(node)
    }
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield from () if id(node) in inside else (node.id,)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and _stored(node):
            yield from _root(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from _root(node.value.func) if isinstance(node.value.func, ast.Attribute) else ()


def _targets(node: ast.comprehension) -> Iterator[ast.AST]:
    """What a comprehension gives values to: names of its own."""
    return ast.walk(node.target)


def _stored(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _root(node: ast.AST) -> Iterator[str]:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
