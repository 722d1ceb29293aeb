"""Names that are meant as text, as a column or as a key: `df[price]`, `print(hello)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.lookups.forms import where
from reflex_ipython.propose.rules.lookups.missing import Missing, missing_name
from reflex_ipython.propose.rules.proposal import Proposal

TEXT = "text without quotes"
"""The rule's name."""
_TABLES = frozenset({"df", "data", "dataset", "dataframe", "table", "frame", "DF", "dat", "Data", "df_data", "dt"})
"""What everybody calls a table: no name that tells one from another."""
_ENDINGS = frozenset(
    {
        *("csv", "txt", "json", "xlsx", "xls", "tsv", "dat", "parquet", "pkl", "png", "jpg", "jpeg", "pdf", "html"),
        *("xml", "md", "log", "yaml", "yml", "npy", "npz", "h5", "zip", "gz", "py", "ipynb", "db", "sqlite", "feather"),
    }
)


def bare_text(failure: Failure) -> Iterator[Proposal]:
    """`df[price]`: `df["price"]`; `open(data.txt)`: `open("data.txt")`; `price.mean()`: `df["price"].mean()`."""
    missing = missing_name(failure)
    reads = missing.reads() if missing is not None and not missing.is_unassigned else []
    if missing is None or not reads:
        return
    yield from _file(missing, reads)
    held = missing.lookup.holders
    labels = [name for name, kind in held.items() if kind in ("column", "key")]
    others = _others(missing)
    texts = [read for read in reads if _may_be_text(missing, read)]
    if texts and not any(
        isinstance(missing.cell.parent(read), ast.Call) and read in _functions(missing) for read in reads
    ):
        prior = max(_prior(missing, read, labels) for read in texts)
        edits = _quoted(missing, texts) + others
        what = f"`{labels[0]}` has {missing.wanted!r}" if labels else "in quotes it is text"
        why = f"The name `{missing.wanted}` is not defined; {what}."
        yield from missing.changed(edits, why, TEXT, prior)
    yield from _columns(missing, reads, labels)
    yield from _attributes(missing, held)
    yield from _renamed_tables(missing, reads)


def _file(missing: Missing, reads: list[ast.Name]) -> Iterator[Proposal]:
    """`open(data.txt)`."""
    for node in reads:
        parent = missing.cell.parent(node)
        if isinstance(parent, ast.Attribute) and parent.attr in _ENDINGS:
            place = where(missing.cell, parent)
            if place is not None and not place[2]:
                name = missing.cell.source[place[0] : place[1]]
                why = f"A file's name is text, in quotes; `{name}` asks `{missing.wanted}` for `{parent.attr}`."
                yield from missing.changed([SpanEdit(place[0], place[1], f'"{name}"')], why, TEXT, 0.9)
                return


def _may_be_text(missing: Missing, node: ast.Name) -> bool:
    """Whether a text makes sense where the name stands."""
    parent = missing.cell.parent(node)
    if isinstance(parent, ast.Subscript):
        return parent.slice is node
    if isinstance(parent, ast.Call):
        return node is not parent.func
    if isinstance(parent, ast.Compare):
        return True
    return isinstance(parent, (ast.List, ast.Tuple, ast.Set, ast.keyword, ast.Dict, ast.Assign, ast.Return))


def _prior(missing: Missing, node: ast.Name, labels: list[str]) -> float:
    parent = missing.cell.parent(node)
    outer = missing.cell.parent(parent) if isinstance(parent, (ast.List, ast.Tuple)) else parent
    if isinstance(outer, ast.Subscript) and (outer.slice is node or outer.slice is parent):
        if isinstance(outer.ctx, ast.Store) and not labels:
            return 0.4 if len(missing.wanted) == 1 else 0.55
        return 0.9  # that it runs means that the key is there
    if labels and isinstance(parent, (ast.Call, ast.keyword, ast.List, ast.Tuple)):
        return 0.75
    if isinstance(parent, (ast.List, ast.Tuple, ast.Set)) and any(_is_text(one) for one in parent.elts):
        return 0.7
    if isinstance(parent, ast.Dict):
        texts = [*parent.keys] if node in parent.keys else [*parent.values]
        return 0.7 if any(_is_text(one) for one in texts) else 0.35
    if isinstance(parent, ast.Compare):
        return 0.45
    if isinstance(parent, ast.keyword):
        return 0.45
    return 0.35 if isinstance(parent, ast.Call) and len(missing.wanted) > 1 else 0.2


def _others(missing: Missing) -> list[SpanEdit]:
    """The edits of the failing statement's other names that are not defined, and stand where a text does."""
    statement = missing.statement()
    known = {missing.wanted, *missing.cell.bound, *missing.lookup.available, *missing.failure.situation.names}
    nodes = [
        node
        for node in (ast.walk(statement) if statement is not None else ())
        if isinstance(node, ast.Name) and node.id not in known and _may_be_text(missing, node)
    ]
    return [edit for node in nodes for edit in _quoted(missing, [node])]


def _quoted(missing: Missing, nodes: list[ast.Name]) -> list[SpanEdit]:
    edits = []
    for node in nodes:
        place = where(missing.cell, node)
        if place is not None:
            quote = "'" if place[2] or _quotes_simply(missing) else '"'
            edits.append(SpanEdit(place[0], place[1], f"{quote}{node.id}{quote}"))
    return edits


def _quotes_simply(missing: Missing) -> bool:
    return missing.cell.source.count("'") > missing.cell.source.count('"')


def _columns(missing: Missing, reads: list[ast.Name], labels: list[str]) -> Iterator[Proposal]:
    """`price * qty`: `df["price"] * df["qty"]`, with the other columns of the same table that are not defined."""
    used = {node.id for node in ast.walk(missing.statement() or ast.Module([], [])) if isinstance(node, ast.Name)}
    labels = [name for name in labels if name in used] or labels
    for table in labels[:3]:
        quote = "'" if _quotes_simply(missing) else '"'
        edits = missing.renamed(f"{table}[{quote}{missing.wanted}{quote}]")
        rivals = len(labels)
        alone = any(not _may_be_text(missing, read) for read in reads)
        prior = (0.75 if alone else 0.4) / (1 if rivals == 1 else 2)
        why = f"The name `{missing.wanted}` is not defined; `{table}` has {missing.wanted!r}."
        yield from missing.changed(edits, why, "column without its table", prior)
        more = _like_it(missing, table, quote)
        if more:
            yield from missing.changed([*edits, *more], why, "columns without their table", prior)


def _like_it(missing: Missing, table: str, quote: str) -> list[SpanEdit]:
    statement = missing.statement()
    known = {missing.wanted, *missing.cell.bound, *missing.lookup.available, *missing.failure.situation.names}
    nodes = [
        node
        for node in (ast.walk(statement) if statement is not None else ())
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known
    ]
    return [SpanEdit(*missing.cell.span(node), f"{table}[{quote}{node.id}{quote}]") for node in nodes]


def _attributes(missing: Missing, held: dict[str, str]) -> Iterator[Proposal]:
    """`speed`: `car.speed`, where one of the user's objects has it."""
    for name in [name for name, kind in held.items() if kind == "attribute"][:3]:
        why = f"The name `{missing.wanted}` is not defined; `{name}` has an attribute of that name."
        yield from missing.changed(missing.renamed(f"{name}.{missing.wanted}"), why, "attribute of an object", 0.45)


def _renamed_tables(missing: Missing, reads: list[ast.Name]) -> Iterator[Proposal]:
    """`data.groupby(...)`, where the only table is called `df`."""
    tables = [name for name, kind in missing.lookup.holders.items() if kind == "table"]
    parents = [missing.cell.parent(read) for read in reads]
    asked = all(isinstance(one, (ast.Attribute, ast.Subscript)) and one.value in reads for one in parents)
    if not asked or not tables:
        return
    columns = any(isinstance(one, ast.Subscript) and _has_text(one.slice) for one in parents)
    prior = (0.65 if columns else 0.55) if len(tables) == 1 and missing.wanted in _TABLES else 0.4
    for name in tables[:3]:
        why = f"The name `{missing.wanted}` is not defined; the table here is called `{name}`."
        if len(tables) > 1:
            why = f"The name `{missing.wanted}` is not defined; `{name}` is one of the tables."
        yield from missing.changed(missing.renamed(name), why, "name of the table", prior)


def _functions(missing: Missing) -> set[ast.expr]:
    return {call.func for call in missing.calls()}


def _is_text(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _has_text(node: ast.AST) -> bool:
    return any(_is_text(inner) for inner in ast.walk(node))
