"""Whole numbers where something else was given: to `range`, as a bound of a slice, as a size."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading, short
from reflex_ipython.propose.rules.values.types import INTEGERS

_SLICE = re.compile(r"slice indices must be integers or None")
_AS_INTEGER = re.compile(
    r"'([\w.]+)' object cannot be interpreted as an integer"
    r"|expected a sequence of integers or a single integer, got '-?[\d.]+'"
)


def integer_needed(failure: Failure) -> Iterator[Proposal]:
    """`range(3.0)`, `range("3")`, `range(items)`, `items[1.0:]`."""
    match = _AS_INTEGER.match(failure.error.evalue) or _SLICE.match(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    if match.re is _SLICE:
        for node in read.nodes(ast.Subscript):
            if isinstance(node.slice, ast.Slice):
                yield from _bounds(read, [node.slice.lower, node.slice.upper, node.slice.step], "")
        return
    for call in read.nodes(ast.Call):
        places = [one for one in call.args if not isinstance(one, ast.Starred)]
        if _name(call) == "range":
            yield from _counting(read, call, places, match[1])
        yield from _bounds(read, list(places), match[1] or "float")


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _bounds(read: Reading, places: list[ast.expr | None], kind: str) -> Iterator[Proposal]:
    """Each place that may hold something else than a whole number."""
    given = [one for one in places if one is not None]
    known = [one for one in given if read.type(one) not in ("", *INTEGERS, "NoneType")]
    wrong = known or [one for one in given if read.type(one) == "" and not isinstance(one, ast.Constant)]
    if not wrong:
        return
    types = {read.type(one) for one in wrong}
    if kind in ("list", "tuple", "dict", "set"):
        if read.free("len") and len(wrong) == 1:
            why = f"`{short(read.text(wrong[0]))}` is {a(kind)}; `len` gives how many members it has."
            written = isinstance(wrong[0], (ast.Tuple, ast.List))  # sizes, as of an array: nobody counts what he writes
            prior = 0.3 if written else 0.9
            yield from read.propose(read.wrap(wrong[0], "len("), why, f"length of {a(kind)}", prior)
        return
    if kind == "NoneType":
        return
    text = "str" in types or kind == "str"
    if text and kind in ("str", ""):
        names = " and ".join(f"`{short(read.text(one))}`" for one in wrong)
        why = f"{names} is text; `int` turns it into a number."
        edits = [edit for one in wrong for edit in read.wrap(one, "int(")]
        yield from read.propose(edits, why, "int of a text", 0.9)
        if any(type(read.value(one)) is str and "." in read.value(one) for one in wrong):
            edits = [edit for one in wrong for edit in read.wrap(one, "float(")]
            why = f"{names} is text; `float` turns it into a number."
            yield from read.propose(edits, why, "float of a text", 0.9)
    elif len(wrong) == 1:
        yield from whole(read, wrong[0])
    else:
        names = " and ".join(f"`{short(read.text(one))}`" for one in wrong)
        edits = [edit for one in wrong for edit in read.wrap(one, "int(")]
        why = f"{names} are floats, and whole numbers are needed; `int` cuts them off."
        yield from read.propose(edits, why, "whole number", 0.6)


def _counting(read: Reading, call: ast.Call, places: list[ast.expr], kind: str) -> Iterator[Proposal]:
    """`range(0, 1, 0.1)`: numpy counts in fractions."""
    fractions = [value for value in map(read.value, places) if type(value) is float and not value.is_integer()]
    if kind == "float" and fractions:
        numpy = read.module("numpy")
        why = f"`range` counts in whole numbers only; `arange` of numpy also in steps like {fractions[-1]!r}."
        step = len(places) == 3
        edits = read.replace(call.func, f"{numpy or 'np'}.arange")
        imports = () if numpy else ("import numpy as np",)
        yield from read.propose(edits, why, "count in fractions", 0.85 if step else 0.3, imports=imports)


def whole(read: Reading, node: ast.expr) -> Iterator[Proposal]:
    """A float where a whole number is needed."""
    value, text = read.value(node), short(read.text(node))
    even = type(value) is float and value.is_integer()
    said = f"`{text}` is a float" + (
        f" ({value!r})" if type(value) is float and not isinstance(node, ast.Constant) else ""
    )
    if read.free("int"):
        why = f"{said}, and a whole number is needed; `int` cuts it off."
        yield from read.propose(read.wrap(node, "int("), why, "whole number", 0.8 if even else 0.6)
    if read.free("round") and not even:
        why = f"{said}, and a whole number is needed; `round` rounds it."
        yield from read.propose(read.wrap(node, "round("), why, "rounded number", 0.25)
