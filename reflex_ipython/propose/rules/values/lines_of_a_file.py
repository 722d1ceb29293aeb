"""What `readlines` gave is asked for a method of texts: the file was to be read as one text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading, short

_METHODS = frozenset(name for name in dir(str) if not name.startswith("_"))


def text_of_a_file(failure: Failure) -> Iterator[Proposal]:
    """`f.readlines().split("\\n")`: `f.read().split("\\n")`."""
    lookup = failure.lookup
    if lookup is None or lookup.kind != "attribute" or lookup.owner_type.rpartition(".")[2] != "list":
        return
    read = reading(failure)
    if read is None:
        return
    for node in read.nodes(ast.Attribute):
        made = read.assigned(node.value.id) if isinstance(node.value, ast.Name) else None
        lines = made.value if made is not None else node.value
        if node.attr != lookup.wanted or node.attr not in _METHODS or not isinstance(lines, ast.Call):
            continue
        if isinstance(lines.func, ast.Attribute) and lines.func.attr == "readlines" and not lines.args:
            end = read.cell.span(lines.func)[1]
            edit = SpanEdit(end - len("readlines"), end, "read")
            why = f"`{short(read.text(lines))}` is a list of lines; `read` gives one text, which has `{node.attr}`."
            # No line has anything to split at its own end.
            sure = 1.0 if made is None else 0.9  # the name may be used for the lines as well
            prior = sure if _at_line_ends(read, node) else 0.4
            yield from read.propose([edit], why, "text of a file", prior)


def _at_line_ends(read: Reading, node: ast.Attribute) -> bool:
    """Whether a text is split where its lines end."""
    call = read.parent(node)
    given = read.value(call.args[0]) if isinstance(call, ast.Call) and call.args else ""
    return node.attr == "splitlines" or (node.attr in ("split", "rsplit") and given in ("\n", "\r\n"))
