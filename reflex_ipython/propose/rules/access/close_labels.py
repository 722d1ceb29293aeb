"""Columns and keys that are written otherwise: one, or several of them at once."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.access.edits import asked_labels, candidate
from reflex_ipython.propose.rules.access.nearness import SURE_ENOUGH, Near, near, nearest
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.misspelt_key import constants, literal_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import (
    expressions,
    failing_cell,
    failing_line,
    failing_nodes,
    statement_at,
)

_LEAST = 0.5  # what is asked of the same table and is not there must be something else that is
_ALONE = 0.45  # of the likelihood that all are meant
_RULE = {"column": "closest column", "key": "closest key"}


def close_labels(failure: Failure) -> Iterator[Proposal]:
    """`df.groupby("Region")["Sales"]`: `df.groupby("region")["sales"]`; `config["epoch"]`: `config["epochs"]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in _RULE or cell is None or not lookup.available:
        return
    nodes = failing_nodes(failure, cell)
    written = any(isinstance(node, ast.expr) and ast.unparse(node) == lookup.owner for node in nodes)
    asked_for = list(asked_labels(nodes, lookup.owner if written else ""))
    places = [node for node in asked_for if node.value == lookup.wanted] or list(_listed(cell, lookup.wanted))
    if not places:
        return
    asked = {*_lists_with([*nodes, *cell.every(ast.List)], lookup.wanted), *_of_owner(cell, lookup)}
    together = {**dict.fromkeys(_columns_of_calls(nodes), SURE_ENOUGH), **dict.fromkeys(asked, _LEAST)}
    for found in _unsaid(near(lookup.wanted, lookup.available), {str(node.value) for node in asked_for}):
        alone = dict.fromkeys(places, found.word)
        others = {
            node: word for node, least in together.items() for word in [_meant(node, lookup, found, least)] if word
        }
        yield from _renamed(cell, lookup, {**others, **alone}, found.prior)
        if others.keys() - alone.keys():
            yield from _renamed(cell, lookup, alone, found.prior * _ALONE)


def _unsaid(found: list[Near], said: set[str]) -> list[Near]:
    """Of two that are equally like the label, the one that the statement does not ask for already.

    `df["price"] - df["price_y"]` with `price_x` and `price_y`: a column is not taken from itself.
    """
    if len(found) < 2 or found[0].prior != found[1].prior:
        return found
    equals = [one for one in found if one.prior == found[0].prior]
    left = [one for one in equals if one.word not in said]
    if len(left) != 1 or len(equals) != 2:
        return found
    graded = [Near(left[0].word, 0.8), *(Near(one.word, one.prior * 0.6) for one in found if one is not left[0])]
    return graded


def close_columns_as_attributes(failure: Failure) -> Iterator[Proposal]:
    """`df.Price * df.Units`: `df.price * df.units`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "attribute" or cell is None or not lookup.owner_type.startswith("pandas."):
        return
    accesses = [
        node
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node.value) == lookup.owner
    ]
    for found in near(lookup.wanted, lookup.available):
        edits: list[SpanEdit] = []
        for node in accesses:
            word = found.word if node.attr == lookup.wanted else _other(node.attr, lookup.available)
            end = cell.span(node)[1]
            if word and cell.source[end - len(node.attr) : end] == node.attr:
                start = end - len(node.attr)
                dot = cell.source[start - 1] == "."
                if word.isidentifier():
                    edits.append(SpanEdit(start, end, word))
                elif dot:
                    edits.append(SpanEdit(start - 1, end, f"[{word!r}]"))
        why = f"`{lookup.owner}` has no column or attribute `{lookup.wanted}`; `{found.word}` is there."
        yield from candidate(cell, edits, why, "closest column", found.prior)


def label_handed_on(failure: Failure) -> Iterator[Proposal]:
    """`average(df, "Price")`, where the function asks the table for what it was given: `average(df, "price")`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in _RULE or failure.stage == "syntax":
        return
    if cell is not None and failing_line(failure) == failure.lineno:
        return
    cell = read(failure.situation.source)
    statement = statement_at(cell, failure.lineno)
    nodes = [node for node in expressions(statement) if isinstance(node, ast.Call)] if statement else []
    places = [node for node in asked_labels(nodes) if node.value == lookup.wanted]
    for found in near(lookup.wanted, lookup.available) if places else ():
        yield from _renamed(cell, lookup, dict.fromkeys(places, found.word), found.prior)


def merge_key(failure: Failure) -> Iterator[Proposal]:
    """`a.merge(b, on="region")` where `b` has no such column: any of its columns may be the key. A guess."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "column" or cell is None:
        return
    calls = [node for node in failing_nodes(failure, cell) if isinstance(node, ast.Call)]
    merges = [call for call in calls if ast.unparse(call.func).rpartition(".")[2] in ("merge", "join")]
    for call in merges if merges and not near(lookup.wanted, lookup.available) else ():
        given = {keyword.arg: keyword for keyword in call.keywords}
        for column in lookup.available[:4]:
            why = f"`{lookup.owner}` has no column {lookup.wanted!r}; {column!r} is one of its columns."
            if "on" in given:
                start, end = cell.span(given["on"])
                pair = f"left_on={cell.text(given['on'].value)}, right_on={column!r}"
                yield from candidate(cell, [SpanEdit(start, end, pair)], why, "key of a merge", 0.35)
            for side in ("left_on", "right_on"):
                node = given[side].value if side in given else None
                if isinstance(node, ast.Constant) and node.value == lookup.wanted:
                    yield from candidate(cell, [SpanEdit(*cell.span(node), repr(column))], why, "key of a merge", 0.35)


def _other(wanted: str, available: tuple[str, ...]) -> str | None:
    return None if wanted in available else nearest(wanted, available)


def _renamed(cell: Cell, lookup: Lookup, words: dict[ast.Constant, str], prior: float) -> Iterator[Proposal]:
    edits = [literal_edit(cell, node, word) for node, word in words.items() if word.isprintable() and "\\" not in word]
    made = [edit for edit in edits if edit is not None and not set(edit.text) & set("'\"{}")]
    owner = f"`{lookup.owner}`" if lookup.owner else "The table" if lookup.kind == "column" else "The mapping"
    pairs = {str(node.value): word for node, word in sorted(words.items(), key=lambda one: cell.span(one[0]))}
    several = "s" if len(pairs) > 1 else ""
    why = f"{owner} has no {lookup.kind}{several} {_told(pairs)}; it has {_told(pairs.values())}."
    yield from candidate(cell, made, why, _RULE[lookup.kind], prior)


def _told(words: Iterable[str]) -> str:
    return ", ".join(map(repr, words))


def _meant(node: ast.Constant, lookup: Lookup, found: Near, least: float) -> str | None:
    """What another label of the statement stands for, if that is not there either."""
    wanted = str(node.value)
    if wanted == lookup.wanted:
        return found.word
    return None if wanted in lookup.available else nearest(wanted, lookup.available, least)


def _listed(cell: Cell, wanted: str) -> Iterator[ast.Constant]:
    """The label where the cell puts it into a variable: `columns = ["Price"]`."""
    for node in cell.every(ast.Assign):
        yield from (constant for constant in constants(node.value) if constant.value == wanted)


def _lists_with(nodes: list[ast.AST], wanted: str) -> Iterator[ast.Constant]:
    """The other labels of a list, tuple or dict in which the wanted one stands."""
    for node in nodes:
        if isinstance(node, (ast.List, ast.Dict)):
            found = list(constants(node))
            if any(one.value == wanted for one in found):
                yield from found


def _of_owner(cell: Cell, lookup: Lookup) -> Iterator[ast.Constant]:
    """The labels that the same owner is asked for in the whole cell, unless the cell puts them there."""
    if not lookup.owner.isidentifier():
        return
    stored = [node for node in cell.every(ast.Name) if node.id == lookup.owner and isinstance(node.ctx, ast.Store)]
    if len(stored) > 1:
        return
    asked = [node for node in cell.every(ast.Subscript) if _asked(node.value) == lookup.owner]
    put = {one.value for node in asked if isinstance(node.ctx, ast.Store) for one in constants(node.slice)}
    for node in asked:
        yield from (one for one in constants(node.slice) if one.value not in put)


def _asked(node: ast.expr) -> str:
    indexer = isinstance(node, ast.Attribute) and node.attr in ("loc", "at")
    return ast.unparse(node.value if indexer and isinstance(node, ast.Attribute) else node)


_COLUMNS = frozenset(
    {"by", "on", "columns", "subset", "x", "y", "hue", "index", "values", "left_on", "right_on", "c", "s"}
    | {"id_vars", "value_vars", "usecols", "parse_dates", "index_col"}
)
_METHODS = frozenset({"groupby", "sort_values", "set_index", "agg", "drop_duplicates", "nlargest", "explode"})


def _columns_of_calls(nodes: list[ast.AST]) -> Iterator[ast.Constant]:
    """The texts that can only be columns, by the argument that they are given as, and what is picked from a result."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from (one for keyword in node.keywords if keyword.arg in _COLUMNS for one in constants(keyword.value))
            if node.func.attr in _METHODS and node.args:
                yield from constants(node.args[0])
            named = node.keywords if node.func.attr in ("agg", "aggregate") else []
            yield from (
                one for each in named if isinstance(each.value, ast.Tuple) for one in constants(each.value.elts[0])
            )
        elif isinstance(node, ast.Subscript) and isinstance(node.value, (ast.Call, ast.Subscript)):
            yield from constants(node.slice)
