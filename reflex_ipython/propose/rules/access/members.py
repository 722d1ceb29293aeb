"""A key asked for as an attribute, and an attribute as a key."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate, text_of, variable
from reflex_ipython.propose.rules.access.nearness import near, nearest
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_NO_ITEMS = re.compile(r"'[\w.]+' object is not subscriptable|tuple indices must be integers or slices, not str")


def key_as_attribute(failure: Failure) -> Iterator[Proposal]:
    """`config.lr` of a dict: `config["lr"]`, for all of its keys in the statement."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or (lookup.kind, lookup.owner_type) != ("attribute", "dict") or cell is None:
        return
    asked = [
        node
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == lookup.owner
    ]
    known = variable(failure, lookup.owner)
    keys = known.labels if known else ()
    if lookup.wanted in keys or not keys:
        words = {node: node.attr for node in asked if node.attr in keys or node.attr == lookup.wanted}
        yield from _as_keys(cell, lookup.owner, words, 0.93)
        yield from _chained(cell, failing_nodes(failure, cell), lookup.owner)
        return
    for found in near(lookup.wanted, keys):
        words = {node: found.word if node.attr == lookup.wanted else nearest(node.attr, keys) or "" for node in asked}
        yield from _as_keys(cell, lookup.owner, {node: word for node, word in words.items() if word}, found.prior * 0.9)


def _chained(cell: Cell, nodes: list[ast.AST], owner: str) -> Iterator[Proposal]:
    """`config.model.lr`, dicts in a dict: `config["model"]["lr"]`."""
    inner = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    edits = []
    for node in nodes:
        if isinstance(node, ast.Attribute) and node not in inner and node not in called:
            keys, base = [], node
            while isinstance(base, ast.Attribute) and ast.unparse(base) != owner:
                keys.append(base.attr)
                base = base.value  # type: ignore[assignment]  # the loop looks what it is
            if len(keys) > 1 and ast.unparse(base) == owner:
                written = "".join(f"[{_quoted(key)}]" for key in reversed(keys))
                edits.append(SpanEdit(cell.span(base)[1], cell.span(node)[1], written))
    why = f"`{owner}` is a dict that holds dicts: their items are asked for in square brackets."
    yield from candidate(cell, edits, why, "key, not attribute", 0.92)


def _as_keys(cell: Cell, owner: str, words: dict[ast.Attribute, str], prior: float) -> Iterator[Proposal]:
    edits = [
        SpanEdit(cell.span(node.value)[1], cell.span(node)[1], f"[{_quoted(word)}]") for node, word in words.items()
    ]
    why = f"`{owner}` is a dict: its items are asked for in square brackets."
    yield from candidate(cell, edits, why, "key, not attribute", prior)


def _quoted(word: str) -> str:
    return repr(word) if '"' in word or "\\" in word else f'"{word}"'


def attribute_as_key(failure: Failure) -> Iterator[Proposal]:
    """`person["name"]` of an object: `person.name`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "TypeError" or not _NO_ITEMS.fullmatch(failure.error.evalue):
        return
    asked: dict[str, list[ast.Subscript]] = {}
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and text_of(node.slice) is not None:
            asked.setdefault(node.value.id, []).append(node)
    for name, nodes in asked.items():
        known = variable(failure, name)
        if known is None or known.kind in ("table", "mapping", "array"):
            continue
        words = [
            nearest(str(_key(node)), known.labels, 0.5) if _key(node) not in known.labels else _key(node)
            for node in nodes
        ]
        edits = [
            SpanEdit(cell.span(node.value)[1], cell.span(node)[1], f".{word}")
            for node, word in zip(nodes, words)
            if word and word.isidentifier()
        ]
        exact = all(_key(node) in known.labels for node in nodes)
        why = f"`{name}` is {a(f'`{known.type}`')}, which has attributes, not keys."
        yield from candidate(
            cell, edits if len(edits) == len(nodes) else [], why, "attribute, not key", 0.93 if exact else 0.6
        )


def _key(node: ast.Subscript) -> str:
    return text_of(node.slice) or ""
