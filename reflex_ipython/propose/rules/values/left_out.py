"""Items of a loop that lack what the others have: they are left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading, short

_NONE = re.compile(r"'NoneType' object (?:has no attribute|is not (?:subscriptable|iterable))|.*not 'NoneType'$")


def item_left_out(failure: Failure) -> Iterator[Proposal]:
    """A blank line that has no second field, a text without a match, a record with None: `continue`."""
    read = reading(failure) if failure.error.ename in ("IndexError", "AttributeError", "TypeError") else None
    loop = _loop(read) if read is not None else None
    if read is None or loop is None:
        return
    if failure.error.ename == "IndexError":
        yield from _too_few(read)
    elif _NONE.match(failure.error.evalue):
        yield from _nothing(read, loop)


def _loop(read: Reading) -> ast.For | None:
    """The loop that has the failing statement right in its block, or in a branch of it."""
    statement = read.statement
    around = (node for node in read.above(statement)) if statement is not None else iter(())
    for node in around:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.While, ast.With, ast.Try)):
            return None
        if isinstance(node, ast.For):
            return node
    return None


def _too_few(read: Reading) -> Iterator[Proposal]:
    for node in read.nodes(ast.Subscript):
        owner, place = node.value, read.value(node.slice)
        held = read.first_items(owner)
        if (
            type(place) is not int
            or place < 0
            or not isinstance(owner, ast.Name)
            or not isinstance(held, (list, tuple))
        ):
            continue
        given = read.loop_of(owner.id) is not None or _is_split(read, owner.id)
        if given and len(held) <= place and read.free("len"):
            blank = not any(str(one).strip() for one in held)
            why = f"`{owner.id}` is {short(repr(held))} here: without a place {place}, it is left out."
            yield from _skipped(read, f"len({owner.id}) < {place + 1}", why, 0.8 if blank else 0.4)


def _is_split(read: Reading, name: str) -> bool:
    made = read.assigned(name)
    return made is not None and isinstance(made.value, ast.Call) and read.called(made.value) in ("split", "rsplit")


def _nothing(read: Reading, loop: ast.For) -> Iterator[Proposal]:
    of_the_loop = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    for node in read.here:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and read.type(node) == "NoneType":
            made = read.assigned(node.id)
            searched = made is not None and isinstance(made.value, ast.Call) and read.called(made.value) in _SEARCH
            if searched or node.id in of_the_loop:
                what = "nothing was found" if searched else "it has no value"
                why = f"`{node.id}` is None: {what}, and this item is left out."
                yield from _skipped(read, f"{node.id} is None", why, 0.7)
                return
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in of_the_loop:
            held, key = read.first_items(node.value), read.value(node.slice)
            if isinstance(held, dict) and held.get(key, ...) is None:
                text = read.text(node)
                why = f"`{short(text)}` is None here: this item is left out."
                yield from _skipped(read, f"{text} is None", why, 0.55)
                return


_SEARCH = frozenset({"search", "match", "fullmatch", "find", "get"})


def _skipped(read: Reading, condition: str, why: str, prior: float) -> Iterator[Proposal]:
    statement = read.statement
    if statement is None:
        return
    start = read.cell.offset(statement.lineno, 0)
    indent = read.cell.source[start : read.cell.span(statement)[0]]
    if not indent.strip():
        step = "\t" if "\t" in indent else "    "
        line = f"if {condition}:{read.cell.newline}{indent}{step}continue"
        yield from read.propose(read.insert_above(statement, line), why, "item left out", prior)
