"""Paths that are put together with `+`, and texts with `/`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.conversion import parses
from reflex_ipython.propose.rules.values.reading import reading, short

_PATH = re.compile(
    r"unsupported operand type\(s\) for \+: '(\w*Path)' and '\w+'|can only concatenate str \(not \"(\w*Path)\"\) to str"
)

_TEXTS = "unsupported operand type(s) for /: 'str' and 'str'"
_LIKE_A_PATH = re.compile(r"(?i)path|dir|folder|file|root|base|home|[\w)}]\.[a-z]\w{1,4}[\"']$|^[\"'][.~/]")


def joined_paths(failure: Failure) -> Iterator[Proposal]:
    """`folder + "/raw.csv"`: `folder / "raw.csv"`."""
    match = _PATH.match(failure.error.evalue) if failure.error.ename == "TypeError" else None
    read = reading(failure) if match is not None else None
    if read is None or match is None:
        return
    first = match[1] is not None  # the path is on the left
    for node in read.nodes(ast.BinOp):
        if not isinstance(node.op, ast.Add):
            continue
        edits = [SpanEdit(read.cell.span(node.left)[1], read.cell.span(node.right)[0], " / ")]
        slash = _without_slash(read.cell.text(node.right), read.cell.span(node.right)[0])
        why = "A path and the name of what is in it are joined by `/`."
        yield from read.propose([*edits, *slash], why, "joined path", 0.93 if first else 0.5)


def _without_slash(text: str, start: int) -> list[SpanEdit]:
    """The edit that takes the slash off a literal, which would start at the root again."""
    match = re.match(r"[fr]?[\"'](/+)", text)
    return [SpanEdit(start + match.start(1), start + match.end(1), "")] if match else []


def divided_texts(failure: Failure) -> Iterator[Proposal]:
    """`"data" / "raw.csv"`: `Path("data") / "raw.csv"`."""
    read = reading(failure) if failure.error.ename == "TypeError" and failure.error.evalue == _TEXTS else None
    for node in read.nodes(ast.BinOp) if read is not None else []:
        assert read is not None
        both = (node.left, node.right)
        if not isinstance(node.op, ast.Div) or any(read.type(one) not in ("str", "") for one in both):
            continue
        values, like = [read.value(one) for one in both], any(_LIKE_A_PATH.search(read.text(one)) for one in both)
        if all(parses(float, value) for value in values):
            continue  # "10" / "4"
        if not like and not any(type(value) is str and not parses(float, value) for value in values):
            continue  # nobody knows what they are: as likely numbers
        known = read.module("pathlib.Path")
        module = read.module("pathlib") if known is None else None
        name = known or (f"{module}.Path" if module else "Path")
        imports = () if known or module else ("from pathlib import Path",)
        why = f"`{short(read.text(node.left))}` is text; `/` joins a `Path` with what is in it."
        edits = read.wrap(node.left, f"{name}(")
        yield from read.propose(edits, why, "path of a text", 0.93 if like else 0.6, imports=imports)
