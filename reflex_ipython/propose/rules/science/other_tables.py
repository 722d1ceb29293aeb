"""A column that another table has, a file that was read with another separator, columns that have numbers for names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.nearness import near
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, called, keyword
from reflex_ipython.propose.rules.statements import failing_cell

_READERS = ("read_csv", "read_table", "read_fwf", "read_excel")
_SEPARATORS = ";\t|,:"
_MANY = 4


def _scene(failure: Failure) -> Scene | None:
    lookup, cell = failure.lookup, failing_cell(failure)
    asked = lookup is not None and (
        lookup.kind == "column" or (lookup.kind == "attribute" and lookup.owner_type.endswith("DataFrame"))
    )
    return Scene(failure, cell) if asked and cell is not None else None


def other_table(failure: Failure) -> Iterator[Proposal]:
    """`features["target"]` where `features` was cut from `data`, which has it: `data["target"]`."""
    lookup, scene = failure.lookup, _scene(failure)
    if lookup is None or scene is None or not lookup.owner.isidentifier() or lookup.wanted in lookup.levels:
        return
    holding = [name for name, what in lookup.holders.items() if what == "column" and name != lookup.owner]
    close = bool(near(lookup.wanted, lookup.available))
    sources = _sources(failure, scene, lookup.owner)
    for name in holding[:_MANY]:
        edits = [
            scene.put(node.value, name)
            for node in scene.every(ast.Subscript)
            if isinstance(node.value, ast.Name)
            and node.value.id == lookup.owner
            and isinstance(node.slice, ast.Constant)
            and node.slice.value == lookup.wanted
            and isinstance(node.ctx, ast.Load)
        ]
        if edits:
            cut = f", which `{lookup.owner}` was made from" if name in sources else ""
            why = f"`{lookup.owner}` has no column {lookup.wanted!r}; `{name}`{cut} has."
            prior = 0.84 if cut else 0.6 if len(holding) == 1 else 0.42
            if any(f"{lookup.wanted}{suffix}" in lookup.available for suffix in ("_x", "_left", "_l")):
                prior = 0.3  # a merge has put both tables' columns there
            yield scene.proposal(edits, why, "column of another table", min(prior, 0.4) if close else prior)


def _sources(failure: Failure, scene: Scene, name: str) -> set[str]:
    """The names that a table was made from, as the cells say."""
    return {
        node.id
        for _, assigned in _assigned(failure, scene, name)
        for node in ast.walk(assigned.value)
        if isinstance(node, ast.Name)
    }


def _assigned(failure: Failure, scene: Scene, name: str) -> list[tuple[Cell, ast.Assign]]:
    """Where the cells assign a name, the latest first: the failing cell, then the earlier ones."""
    cells = [scene.cell, *(read(one.source) for one in reversed(failure.situation.earlier))]
    return [
        (cell, node)
        for cell in cells
        for node in reversed(cell.every(ast.Assign))
        if any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]


def separator(failure: Failure) -> Iterator[Proposal]:
    """`df["price"]` of a table whose only column is `item;price;stock`: the file is read with `sep=";"`."""
    lookup, scene = failure.lookup, _scene(failure)
    if lookup is None or scene is None or not lookup.owner.isidentifier():
        return
    columns = list(scene.columns(lookup.owner)) or list(lookup.available if lookup.kind == "column" else ())
    if len(columns) != 1:
        return
    signs = [
        sign for sign in _SEPARATORS if lookup.wanted in [part.strip(" '\"") for part in columns[0].split(sign)[:500]]
    ]
    for sign in [one for one in signs if one in columns[0]][:1]:
        column = ast.Subscript(ast.Name(lookup.owner), ast.Constant(columns[0]))
        value = scene.value(lookup.owner)
        labels = value.text.split("\n")[1] if value is not None and "\n" in value.text else ""
        # The part of a row in front of its first comma became its label.
        commas = sign == ";" and (
            sign in labels or any(re.search(r"(?:^|;)-?\d+,\d+(?:;|$)", one) for one in scene.samples(column))
        )
        ways = [("", 0.45 if commas else 0.94), (', decimal=","', 0.86)] if commas else [("", 1.0)]
        for more, prior in ways:
            why = f"`{lookup.owner}` has one column, {columns[0]!r}: the file separates its columns by {sign!r}."
            text = f'sep="{sign}"'.replace("\t", "\\t") + more
            yield from _read_again(failure, scene, lookup.owner, text, why, prior)


def _read_again(failure: Failure, scene: Scene, name: str, argument: str, why: str, prior: float) -> Iterator[Proposal]:
    """The latest reading of a table with an argument more: where it stands, or again in front of the failing cell."""
    for cell, assigned in _assigned(failure, scene, name):
        call = assigned.value
        if not isinstance(call, ast.Call) or called(call) not in _READERS:
            return
        if keyword(call, "sep", "delimiter", "header"):
            return
        there = Scene(failure, cell)
        if cell is scene.cell:
            yield scene.proposal([there.argument(call, argument)], why, "separator of the file", prior)
        else:
            start, end = cell.span(assigned)
            edited = apply(cell.source, [there.argument(call, argument)])
            statement = edited[start : end + len(edited) - len(cell.source)]
            first = scene.cell.tree.body[0] if scene.cell.tree and scene.cell.tree.body else None
            if first is not None and "\n" not in statement:
                edits = [scene.line_above(first, statement)]
                yield scene.proposal(edits, f"{why} It is read again.", "separator of the file", prior)
        return


def numbered_columns(failure: Failure) -> Iterator[Proposal]:
    """`df["temp"]` of a table whose columns have numbers for names: the column of that number."""
    lookup, scene = failure.lookup, _scene(failure)
    if lookup is None or scene is None or lookup.kind != "column" or lookup.available or not lookup.others:
        return
    numbers = [one for one in lookup.others if one.isdigit()]
    if not lookup.owner.isidentifier() or len(numbers) != len(lookup.others):
        return
    columns = scene.columns(lookup.owner)
    nodes = [
        node
        for node in scene.every(ast.Constant)
        if node.value == lookup.wanted and isinstance(scene.cell.parent(node), ast.Subscript)
    ]
    numeric = any(_calculated(scene, node) for node in nodes)
    meant = [one for one in numbers if not numeric or columns.get(one, "").startswith(("int", "float"))]
    for number in meant[:_MANY] if nodes else ():
        facts = columns.get(number, "")
        held = f" (it holds {facts.partition('; ')[2]})" if facts else ""
        why = f"The columns of `{lookup.owner}` have numbers for names; this is column {number}{held}."
        edits = [scene.put(node, number) for node in nodes]
        yield scene.proposal(edits, why, "column by its number", 0.66 if len(meant) == 1 else 0.42)


def _calculated(scene: Scene, node: ast.Constant) -> bool:
    """Whether a column is compared with a number, or used in arithmetic or statistics."""
    column = scene.cell.parent(node)
    outer = scene.cell.parent(column) if column is not None else None
    if isinstance(outer, ast.Compare):
        others = [outer.left, *outer.comparators]
        return any(isinstance(one, ast.Constant) and isinstance(one.value, (int, float)) for one in others)
    statistics = ("mean", "sum", "std", "median", "max", "min", "describe", "plot", "hist", "cumsum", "diff", "rolling")
    return isinstance(outer, ast.BinOp) or (isinstance(outer, ast.Attribute) and outer.attr in statistics)


RULES: tuple[Rule, ...] = (other_table, separator, numbered_columns)
