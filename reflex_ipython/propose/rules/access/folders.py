"""Folders: the one at home, one to be made first, the one whose names were listed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import above, candidate, literals, told_path
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_WRITES = re.compile(r"to_\w+|save\w*|dump|write\w*|mkdir|imsave|imwrite")


def home_folder(failure: Failure) -> Iterator[Proposal]:
    """`open("~/notes.txt")`: `open(os.path.expanduser("~/notes.txt"))`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "path" or cell is None or not lookup.wanted.startswith("~"):
        return
    nodes = failing_nodes(failure, cell)
    texts: list[ast.expr] = [*literals(nodes, lookup.wanted)]
    names = [node for node in nodes if isinstance(node, ast.Name) and told_path(failure, node.id) == lookup.wanted]
    edits = [SpanEdit(*cell.span(node), f"os.path.expanduser({cell.text(node)})") for node in texts or names]
    if edits and "os" not in {*failure.situation.names, *cell.bound}:
        edits.append(import_edit(cell, ["import os"]))
    why = "`~` stands for your home folder in a shell alone; `os.path.expanduser` puts the folder in its place."
    yield from candidate(cell, edits, why, "home folder", 0.92)


def folder_to_make(failure: Failure) -> Iterator[Proposal]:
    """`df.to_csv("out/x.csv")` without a folder `out`: `os.makedirs("out", exist_ok=True)` in front of it."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "path" or cell is None:
        return
    nodes = failing_nodes(failure, cell)
    folder = lookup.wanted if "non-existent directory" in failure.error.evalue else lookup.owner
    if folder in ("", ".") or f"{folder}/" in lookup.available or not any(map(writes, nodes)):
        return
    edits = list(above(cell, failure, f"os.makedirs({folder!r}, exist_ok=True)"))
    if edits and "os" not in {*failure.situation.names, *cell.bound}:
        edits.append(import_edit(cell, ["import os"]))
    if len({edit.start for edit in edits}) < len(edits):
        edits = [SpanEdit(edits[0].start, edits[0].end, edits[1].text + edits[0].text)]
    why = f"There is no folder {folder!r} to write into; `os.makedirs` makes it."
    yield from candidate(cell, edits, why, "folder that must be there", 0.88)


def names_in_a_folder(failure: Failure) -> Iterator[Proposal]:
    """`for name in os.listdir("data"): open(name)`: `open(os.path.join("data", name))`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "path" or cell is None:
        return
    loops: list[ast.For | ast.comprehension] = [*cell.every(ast.For), *cell.every(ast.comprehension)]
    for loop in loops:
        if not isinstance(loop.target, ast.Name):
            continue
        listed = [
            node for node in ast.walk(loop.iter) if isinstance(node, ast.Call) and _is_listing(node) and node.args
        ]
        for call in listed:
            reads = [
                node
                for node in failing_nodes(failure, cell)
                if isinstance(node, ast.Call) and not _is_listing(node) and node.args
                if isinstance(node.args[0], ast.Name) and node.args[0].id == loop.target.id
            ]
            folder = cell.text(call.args[0])
            edits = [
                SpanEdit(*cell.span(node.args[0]), f"os.path.join({folder}, {loop.target.id})") for node in reads[:1]
            ]
            if edits and "os" not in {*failure.situation.names, *cell.bound}:
                edits.append(import_edit(cell, ["import os"]))
            why = f"`listdir` gives names without their folder; {lookup.wanted!r} is in {folder}."
            yield from candidate(cell, edits, why, "names in a folder", 0.92)


def _is_listing(call: ast.Call) -> bool:
    return ast.unparse(call.func).rpartition(".")[2] == "listdir"


def writes(node: ast.AST) -> bool:
    """Whether a call writes a file: `open(…, "w")`, `to_csv`, `savefig`."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func).rpartition(".")[2]
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    modes = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return _WRITES.fullmatch(name) is not None or (name == "open" and any(mode[:1] in "wax" for mode in modes if mode))
