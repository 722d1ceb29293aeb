"""Functions and classes that are imported as if they were modules."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes


def member_imported_as_a_module(failure: Failure) -> Iterator[Proposal]:
    """`import os.path.join as join`: `from os.path import join`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "module" or cell is None:
        return
    owner, _, member = lookup.wanted.rpartition(".")
    module = sys.modules.get(owner)
    if not owner or module is None or member not in vars(module):
        return
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Import) or len(node.names) != 1 or node.names[0].name != lookup.wanted:
            continue
        name = node.names[0].asname
        renamed = f" as {name}" if name not in (None, member) else ""
        edits = [SpanEdit(*cell.span(node), f"from {owner} import {member}{renamed}")]
        if name is None:  # it is asked for by its full name then
            called = [one for one in cell.every(ast.Attribute) if ast.unparse(one) == lookup.wanted]
            edits += [SpanEdit(*cell.span(one), member) for one in called]
        why = f"`{member}` is no module but in the module `{owner}`: `from {owner} import {member}`."
        yield Proposal(apply(cell.source, edits), why, "import from a module", 0.95)
