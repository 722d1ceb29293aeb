"""The statements of cells that some names need: by what each reads, binds and changes."""

from __future__ import annotations

import ast
import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence

from reflex_ipython.base.parsing import parse
from reflex_ipython.base.spans import first_line
from reflex_ipython.capture.dataflow import CellNames, names

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclasses.dataclass(frozen=True)
class CellStatement:
    """A statement at the top of a cell.

    Parameters
    ----------
    text : str
    kind : str
        "import"; "definition" of a function or class; "constant": a name for what is written there; else "other".
    source : int
        The position of its text among several.
    first, last : int
        Its lines there, from 1.
    """

    text: str
    kind: str
    source: int = dataclasses.field(default=0, compare=False)
    first: int = dataclasses.field(default=0, compare=False)
    last: int = dataclasses.field(default=0, compare=False)

    @functools.cached_property
    def names(self) -> CellNames:
        """What it reads, binds and changes."""
        return names(self.text)


def statements(sources: Iterable[str]) -> list[CellStatement]:
    """The statements of several texts, in their order, each import by itself."""
    found = []
    for position, source in enumerate(sources):
        tree = parse(source)
        lines = source.split("\n")
        for node in tree.body if tree is not None else ():
            place = (position, first_line(node), node.end_lineno or node.lineno)
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found += [CellStatement(text, "import", *place) for text in _imports(node)]
            elif not (isinstance(node, ast.Pass) or _is_text(node)):
                found.append(CellStatement(_text(node, lines), _kind(node), *place))
    return found


def only(chosen: Iterable[CellStatement], sources: Sequence[str]) -> list[str]:
    """Several texts with nothing but some of their statements, which keep their lines."""
    kept: list[set[int]] = [set() for _ in sources]
    for one in chosen:
        kept[one.source].update(range(one.first, one.last + 1))
    return [
        "\n".join(line if number in lines else "" for number, line in enumerate(source.split("\n"), 1))
        for source, lines in zip(sources, kept)
    ]


def needed(
    wanted: Iterable[str], available: Sequence[CellStatement], given: Callable[[str], bool] = lambda name: False
) -> list[CellStatement]:
    """Those among some statements that names need, in their order.

    Parameters
    ----------
    wanted : iterable of str
        What is to be there in the end.
    available : sequence of CellStatement
    given : callable
        Says of a name that it needs none of them.
    """
    chosen: set[int] = set()
    todo = [(name, len(available)) for name in wanted]
    seen = set(todo)
    while todo:
        name, before = todo.pop()
        if given(name):
            continue
        for position in _makers(name, available, before):
            if position in chosen:
                continue
            chosen.add(position)
            statement = available[position]
            end = len(available) if statement.kind == "definition" else position
            needs = {(need, end) for need in statement.names.reads} - seen
            seen |= needs
            todo += needs
    return [available[position] for position in sorted(chosen)]


def _makers(name: str, available: Sequence[CellStatement], before: int) -> list[int]:
    """The statement that binds a name last, with those that change its object since, or bind it by what it was."""
    found: list[int] = []
    for position in range(before - 1, -1, -1):
        one = available[position]
        if name in one.names.defines:
            found.append(position)
            if one.kind == "import" or name not in one.names.reads:
                break
        elif name in one.names.changes:
            found.append(position)
    is_import = bool(found) and available[found[-1]].kind == "import"
    return found[-1:] if is_import else found


def data_names(wanted: Iterable[str], available: Sequence[CellStatement]) -> list[str]:
    """The names of values among those that names need, theirs in turn left out: neither imports nor definitions."""
    found: dict[str, None] = {}
    todo, seen = list(wanted), set(wanted)
    while todo:
        name = todo.pop()
        makers = [available[position] for position in _makers(name, available, len(available))]
        if any(one.kind == "other" for one in makers) or (len(makers) > 1 and makers[-1].kind == "constant"):
            found[name] = None
            continue
        needs = {need for one in makers for need in one.names.reads} - seen
        seen |= needs
        todo += needs
    return sorted(found)


def _kind(node: ast.stmt) -> str:
    if isinstance(node, _DEFINITIONS):
        return "definition"
    if isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets):
        plain = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.Load, ast.USub, ast.Lambda)
        if isinstance(node.value, ast.Lambda) or all(isinstance(one, plain) for one in ast.walk(node.value)):
            return "constant"
    return "other"


def _imports(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [ast.unparse(ast.ImportFrom(node.module, [alias], node.level)) for alias in node.names]
    return [ast.unparse(ast.Import([alias])) for alias in node.names]


def _text(node: ast.stmt, lines: list[str]) -> str:
    """As it is written, with its decorators."""
    first = first_line(node)
    last = node.end_lineno or node.lineno
    whole = "\n".join(lines[first - 1 : last]).rstrip()
    tree = parse(whole)
    if tree is not None and len(tree.body) == 1:
        return whole
    return ast.unparse(node)  # it shares its line with others


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
