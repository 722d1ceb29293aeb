"""Changing a cell that runs: the statements that have not begun, and no other.

IPython compiles a cell's statements one by one from a list. What stands behind the one that runs is replaced in that
very list.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from typing import Any, NamedTuple

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.statements import UnderWay
from reflex_ipython.ipython.trees import tree_of

BEGUN = "Not applied: the fix changes a line that has begun to run. Wait for the cell to end, or interrupt it."
OVER = "Not applied: the cell is no longer running."
NO_CODE = "Not applied: the text can't be compiled."
_IMPORTS = (ast.Import, ast.ImportFrom)


class Mended(NamedTuple):
    """The statements of the new text, and their places in the order in which they run."""

    nodes: list[ast.stmt]
    order: list[int]


class _Parts(NamedTuple):
    """A new text against what has begun: the places of that, of imports inserted in it, and of all behind."""

    begun: list[int]
    inserted: list[int]
    rest: list[int]


def mend(shell: Any, under_way: UnderWay, source: str) -> Mended:
    """Have the cell that runs go on with another text.

    Parameters
    ----------
    shell : InteractiveShell
    under_way : UnderWay
        The cell.
    source : str
        Its new text. What has begun must be in it as it is; imports may stand among that, and run next.

    Raises
    ------
    BadInput
        If that can't be done, in words; nothing is changed then.
    """
    begun = under_way.begun
    old, nodes, parts = _compared(shell, under_way, source)
    tail = [*parts.inserted, *parts.rest]
    text = _text_that_runs(under_way.filename, shell.transform_cell(source), old[begun - 1], nodes, parts)
    replaced = under_way.to_run[begun:]
    under_way.to_run[begun:] = _with_modes([nodes[place] for place in tail], shell.ast_node_interactivity)
    if any(under_way.runs(node) for node, _ in replaced):  # it began meanwhile
        raise BadInput(BEGUN)
    _show_text(under_way.filename, text)
    return Mended(nodes, [*parts.begun, *tail])


def check(shell: Any, under_way: UnderWay, source: str) -> None:
    """Refuse what `mend` would refuse."""
    _compared(shell, under_way, source)


def _compared(shell: Any, under_way: UnderWay, source: str) -> tuple[list[ast.stmt], list[ast.stmt], _Parts]:
    """The old statements, the new ones, and what has begun of them."""
    tree = tree_of(shell, source)
    if tree is None:
        raise BadInput(NO_CODE)
    old, nodes = [node for node, _ in list(under_way.to_run)], list(tree.body)
    parts = _parts(old[: under_way.begun], nodes) if under_way.begun else None
    if parts is None:
        raise BadInput(BEGUN)
    return old, nodes, parts


def _parts(begun: Sequence[ast.stmt], nodes: Sequence[ast.stmt]) -> _Parts | None:
    """None: what has begun is not in it as it is."""
    same, inserted = list[int](), list[int]()
    for place, node in enumerate(nodes):
        if len(same) == len(begun):
            break
        if ast.dump(node) == ast.dump(begun[len(same)]):
            same.append(place)
        elif isinstance(node, _IMPORTS):
            inserted.append(place)
        else:
            return None
    if len(same) < len(begun):
        return None
    return _Parts(same, inserted, list(range(same[-1] + 1, len(nodes))))


def _with_modes(nodes: Sequence[ast.stmt], interactivity: str) -> list[tuple[ast.stmt, str]]:
    """The statements as IPython's list has them: which of them display their value."""
    last = len(nodes) - 1
    shown = {
        "all": set(range(len(nodes))),
        "last": {last},
        "last_expr": {last} if nodes and isinstance(nodes[-1], ast.Expr) else set[int](),
        "last_expr_or_assign": {last} if nodes and isinstance(nodes[-1], ast.Expr) else set[int](),
    }.get(interactivity, set())
    return [(node, "single" if place in shown else "exec") for place, node in enumerate(nodes)]


def _text_that_runs(name: str, transformed: str, last: ast.stmt, nodes: Sequence[ast.stmt], parts: _Parts) -> str:
    """The text for tracebacks: what has begun keeps its lines, and what comes behind gets lines that fit to them."""
    end = last.end_lineno or last.lineno
    moved = (nodes[parts.begun[-1]].end_lineno or 0) - end
    for place in parts.rest if moved else ():
        ast.increment_lineno(nodes[place], -moved)
    for place in parts.inserted:
        for part in ast.walk(nodes[place]):
            ast.copy_location(part, last)
    before = linecache.getlines(name)
    behind = transformed.splitlines(True)
    return "".join([*before[:end], *behind[end + moved :]]) if before else transformed


def _show_text(name: str, text: str) -> None:
    entry = (len(text), None, text.splitlines(True), name)
    linecache.cache[name] = entry
    interactive = getattr(linecache, "_interactive_cache", None)  # since Python 3.13
    if isinstance(interactive, dict) and name in interactive:
        interactive[name] = entry
