"""pandas rows and columns asked for the wrong way: places for labels, labels for places."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of
from reflex_ipython.propose.rules.statements import failing_cell


def _label_index(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _located(scene: Scene) -> Iterator[tuple[ast.Subscript, ast.Attribute]]:
    """`x.loc[…]` and `x.iloc[…]` of the failing statement."""
    for node in scene.every(ast.Subscript):
        if isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "iloc", "at", "iat"):
            yield node, node.value


def _by_label(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.iloc[0, "b"]`: labels belong to `loc`."""
    for node, accessor in _located(scene):
        if accessor.attr not in ("iloc", "iat"):
            continue
        table, parts = scene.text(accessor.value), index_parts(node)
        end = scene.cell.span(accessor)[1]
        name = "loc" if accessor.attr == "iloc" else "at"
        why = f"`{accessor.attr}` counts places; labels are asked for by `{name}`."
        to_loc = SpanEdit(end - len(accessor.attr), end, name)
        if len(parts) == 2 and not _label_index(parts[0]):
            if isinstance(parts[1], ast.List):
                text = f"{table}.columns.get_indexer({scene.text(parts[1])})"
            else:
                text = f"{table}.columns.get_loc({scene.text(parts[1])})"
            why2 = f"`{accessor.attr}` counts places; `get_loc` tells the place of the column."
            yield scene.proposal([scene.put(parts[1], text)], why2, "place of the column", 0.78)
            yield scene.proposal([to_loc], why, "by label", 0.6)
        else:
            yield scene.proposal([to_loc], why, "by label", 0.8)
            if len(parts) == 1:
                edits = [SpanEdit(scene.cell.span(accessor.value)[1], end, "")]
                yield scene.proposal(edits, f"`{table}` itself is asked for a column.", "column", 0.7)


def index_parts(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _slices(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df[:, 0]`: rows and columns at once are asked for by `iloc`, or `loc`."""
    for node in scene.every(ast.Subscript):
        if isinstance(node.slice, ast.Tuple) and not (
            isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "iloc", "at", "iat")
        ):
            labels = [
                one for one in ast.walk(node.slice) if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            ways = (("loc", 0.9), ("iloc", 0.3)) if labels else (("iloc", 0.9), ("loc", 0.35))
            for name, prior in ways:
                why = f"A table is asked for rows and columns at once by `{name}`."
                yield scene.proposal([scene.after(node.value, f".{name}")], why, "rows and columns", prior)


def missing_place(failure: Failure) -> Iterator[Proposal]:
    """`df[0]`, `s[-1]`, `df["a", "b"]`, `df.loc[:, 0]`: a place, or several labels, where one label is wanted."""
    cell, error = failing_cell(failure), failure.error
    if cell is None or error.ename not in ("KeyError", "IndexError", "InvalidIndexError"):
        return
    scene = Scene(failure, cell)
    wanted = error.evalue.strip()
    if wanted.startswith("(") and error.ename in ("KeyError", "InvalidIndexError"):
        yield from _several(scene)
    if re.fullmatch(r"-?\d+", wanted) and error.ename == "KeyError":
        yield from _place(scene, int(wanted))
    if wanted.startswith("'") and error.ename == "KeyError":
        yield from _value_of_column(scene, wanted[1:-1])
    if "not found in axis" in wanted:
        for call in scene.calls("drop"):
            if call.args and not keyword(call, "axis", "columns"):
                start = scene.cell.span(call.args[0])[0]
                why = "`drop` looks for rows; `columns=` says that columns are meant."
                yield scene.proposal([SpanEdit(start, start, "columns=")], why, "columns to drop", 0.95)
            elif (axis := keyword(call, "axis")) is not None and isinstance(axis.value, ast.Constant):
                other = {0: "1", 1: "0", "index": '"columns"', "columns": '"index"'}.get(axis.value.value)
                if other:
                    why = "What is to be dropped is on the other axis."
                    yield scene.proposal([scene.put(axis.value, other)], why, "other axis", 0.9)
    yield from _row_wise(scene, wanted)


def _value_of_column(scene: Scene, wanted: str) -> Iterator[Proposal]:
    """`df.loc["York"]` where York is a value of a column: that column as the index, or the rows that have it."""
    for node in scene.every(ast.Subscript):
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            yield from _value_and_column(scene, node, wanted)
        if not isinstance(node.slice, ast.Constant) or node.slice.value != wanted:
            continue
        located = isinstance(node.value, ast.Attribute) and node.value.attr == "loc"
        table = node.value.value if isinstance(node.value, ast.Attribute) and located else node.value
        if not isinstance(table, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        holding = [
            name
            for name in scene.columns(table)
            if wanted in scene.samples(ast.Subscript(table, ast.Constant(name)))
            and not scene.columns(table)[name].startswith(("object; {", "object; ["))
        ]
        for name in holding[:3]:
            why = f"{wanted!r} is no label of `{table.id}`; it is a value of its column `{name}`."
            column = f'{table.id}["{name}"]'
            rows = f"{table.id}[{column} == {scene.text(node.slice)}]"
            alone = len(holding) == 1
            if located:
                edit = scene.after(table, f'.set_index("{name}")')
                yield scene.proposal([edit], why, "column of the label", 0.82 if alone else 0.45)
            yield scene.proposal([scene.put(node, rows)], why, "rows with the value",
                                 0.38 if located else 0.7 if alone else 0.45)  # fmt: skip


def _value_and_column(scene: Scene, node: ast.Subscript, wanted: str) -> Iterator[Proposal]:
    """`df.loc["York", "n"]` where York is a value of one column: that column as the index."""
    assert isinstance(node.slice, ast.Tuple)
    row, indexer = node.slice.elts[0], node.value
    if not isinstance(row, ast.Constant) or row.value != wanted or not isinstance(node.ctx, ast.Load):
        return
    if not isinstance(indexer, ast.Attribute) or indexer.attr not in ("loc", "at"):
        return
    table = indexer.value
    holding = [
        name for name in scene.columns(table) if wanted in scene.samples(ast.Subscript(table, ast.Constant(name)))
    ]
    texts = [name for name, facts in scene.columns(table).items() if re.match(r"str|object|category", facts)]
    for name in holding or (texts if len(texts) == 1 else []):
        why = f"{wanted!r} is no label of `{scene.text(table)}`; its column `{name}` has such values."
        edit = scene.after(table, f'.set_index("{name}")')
        yield scene.proposal([edit], why, "column of the label", 0.85 if len(holding) < 2 else 0.45)


def _several(scene: Scene) -> Iterator[Proposal]:
    """`df["a", "c"]`: a list of columns; `df[0, "a"]`: a row and a column."""
    for node in scene.every(ast.Subscript):
        if not isinstance(node.slice, ast.Tuple) or (
            isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "iloc")
        ):
            continue
        if scene.type(node.value) in ("dict", "defaultdict", "Counter", "OrderedDict"):
            continue
        elts = node.slice.elts
        if all(_label_index(one) for one in elts):
            why = "Several columns are asked for by a list."
            yield scene.proposal([scene.put(node.slice, f"[{scene.text(node.slice)}]")], why, "columns as a list", 0.9)
        elif len(elts) == 2 and _label_index(elts[1]):
            why = "A row and a column are asked for by `loc`."
            yield scene.proposal([scene.after(node.value, ".loc")], why, "row and column", 0.9)
        elif len(elts) == 2:
            why = "Rows and columns by their places are asked for by `iloc`."
            yield scene.proposal([scene.after(node.value, ".iloc")], why, "row and column", 0.86)


def _place(scene: Scene, wanted: int) -> Iterator[Proposal]:
    """A whole number is no label: the place is meant."""
    for node in scene.every(ast.Subscript):
        index = node.slice
        negative = isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)
        literal = (isinstance(index, ast.Constant) and index.value == wanted) or (negative and wanted < 0)
        owner, located = node.value, isinstance(node.value, ast.Attribute) and node.value.attr == "loc"
        if isinstance(index, ast.Tuple) and located:
            table = scene.text(node.value.value) if isinstance(node.value, ast.Attribute) else ""
            for at, part in enumerate(index.elts):
                if isinstance(part, ast.Constant) and part.value == wanted and len(index.elts) == 2:
                    other = index.elts[1 - at]
                    why = f"{wanted} is a place, no label; `iloc` counts places."
                    if not _label_index(other):
                        end = scene.cell.span(node.value)[1]
                        yield scene.proposal([SpanEdit(end - 3, end, "iloc")], why, "by place", 0.85)
                    axis = "columns" if at == 1 else "index"
                    why = f"{wanted} is a place, no label; `{axis}` tells its label."
                    yield scene.proposal([scene.put(part, f"{table}.{axis}[{wanted}]")], why, "label of the place", 0.7)
            continue
        if not literal and not isinstance(index, (ast.Name, ast.BinOp, ast.Call)):
            continue
        why = f"There is no label {wanted}; `iloc` counts places."
        if located:
            end = scene.cell.span(node.value)[1]
            yield scene.proposal([SpanEdit(end - 3, end, "iloc")], why, "by place", 0.88)
        elif scene.is_table(owner):
            name = scene.text(owner)
            parent = next((one for one in scene.every(ast.Subscript) if one.value is node), None)
            prior = 0.8 if parent is not None else 0.46
            yield scene.proposal([scene.after(owner, ".iloc")], f"{why} This is the row.", "row by place", prior)
            edits = [scene.put(node, f"{name}.iloc[:, {scene.text(index)}]")]
            yield scene.proposal(
                edits, f"{why} This is the column.", "column by place", 0.44 if parent is None else 0.3
            )
        elif isinstance(owner, (ast.Name, ast.Subscript, ast.Attribute, ast.Call)) and not isinstance(
            node.ctx, ast.Del
        ):
            if scene.type(owner) in ("dict", "list"):
                continue
            sure = scene.is_column(owner) or wanted < 0
            yield scene.proposal([scene.after(owner, ".iloc")], why, "by place", 0.86 if sure else 0.8)


def _row_wise(scene: Scene, wanted: str) -> Iterator[Proposal]:
    """`df.apply(lambda row: row["a"])`: a row at a time takes `axis=1`."""
    for call in scene.cell.every(ast.Call):
        if called(call) != "apply" or keyword(call, "axis") or len(call.args) != 1 or owner_of(call) is None:
            continue
        given = call.args[0]
        asked: list[ast.AST] = list(ast.walk(given)) if isinstance(given, ast.Lambda) else []
        if isinstance(given, ast.Name):
            asked = [
                part for node in scene.cell.every(ast.FunctionDef) if node.name == given.id for part in ast.walk(node)
            ]
        if any(isinstance(node, ast.Subscript) and _label_index(node.slice) for node in asked):
            why = "`apply` gives columns to its function; `axis=1` gives it rows, which have these labels."
            yield scene.proposal([scene.argument(call, "axis=1")], why, "row by row", 0.93)


def counts(node: ast.expr) -> bool:
    """Whether an expression says how many there are: `len(df)`, `df.shape[0]`, `a.size`."""
    sized = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    length = isinstance(node, ast.Call) and called(node) == "len" and isinstance(node.func, ast.Name)
    return sized or length or (isinstance(node, ast.Attribute) and node.attr == "size")


def _out_of_rows(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for node, accessor in _located(scene):
        if accessor.attr in ("iloc", "iat"):
            for part in index_parts(node):
                if counts(part):
                    why = f"Places count from 0: the last is `{scene.text(part)} - 1`."
                    yield scene.proposal([scene.after(part, " - 1")], why, "last place", 0.9)
                if isinstance(part, ast.Constant) and isinstance(part.value, int):
                    why = f"`{scene.text(accessor.value)}` has no place {part.value}; -1 is its last."
                    shape = scene.shape(accessor.value)
                    prior = 0.62 if shape and part.value in shape else 0.4
                    yield scene.proposal([scene.put(part, "-1")], why, "last place", prior)
                if isinstance(part, ast.Name) and part is index_parts(node)[0]:
                    yield from _loop_over_rows(scene, part.id, scene.text(accessor.value))


def _loop_over_rows(scene: Scene, name: str, table: str) -> Iterator[Proposal]:
    """`for i in range(4): table.iloc[i]`: `range(len(table))`."""
    for loop in scene.loops():
        if not isinstance(loop.target, ast.Name) or loop.target.id != name or not isinstance(loop.iter, ast.Call):
            continue
        if called(loop.iter) == "range" and loop.iter.args:
            stop = loop.iter.args[min(1, len(loop.iter.args) - 1)]
            why = f"The loop asks for more rows than `{table}` has; `len({table})` is how many there are."
            yield scene.proposal([scene.put(stop, f"len({table})")], why, "number of rows", 0.85)


def _set_as_index(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for node in scene.every(ast.Subscript):
        for part in index_parts(node):
            if isinstance(part, ast.Set):
                text = scene.text(part)
                edit = scene.put(part, f"[{text[1:-1]}]")
                yield scene.proposal([edit], "Labels are given as a list; a set has no order.", "list of labels", 0.95)
            elif isinstance(part, ast.Name) and scene.type(part) == "set":
                edit = scene.put(part, f"list({part.id})")
                yield scene.proposal([edit], "Labels are given as a list; a set has no order.", "list of labels", 0.92)


indexing: Rule = answers(
    "indexing",
    (r"Location based indexing can only have|\.iloc requires numeric indexers|Cannot index by location index"
     r"|iAt based indexing can only have", _by_label),
    (r"(?:InvalidIndexError|TypeError|KeyError): .*slice\(|unhashable type: 'slice'", _slices),
    (r"positional indexer is out-of-bounds|positional indexers are out-of-bounds", _out_of_rows),
    (r"Passing a set as an indexer", _set_as_index),
)  # fmt: skip

RULES = (
    missing_place,
    indexing,
)
