"""Functions that are called or defined without their brackets."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import (
    Candidate,
    Logical,
    ends_operand,
    starts_operand,
)

# One argument each, and never a sum or a comparison of things.
_OF_ONE = frozenset(
    {"len", "int", "float", "str", "type", "input", "abs", "list", "set", "bool", "ord", "chr", "sorted"}
)


def brackets_of_call(broken: Broken) -> Iterator[Candidate]:
    """`len x`, `range 10`, `raise ValueError "no"`, `plt.title "x"`: `len(x)`."""
    line = broken.line
    for place in range(len(line) - 1):
        name, operand = line[place], line[place + 1]
        gap = name.end < operand.start or operand.kind == "string"
        if (
            name.kind != "name"
            or not ends_operand(name)
            or not starts_operand(operand)
            or not gap
            or operand.text == "not"
        ):
            continue
        if place and line[place - 1].text in ("def", "class", "import", "as", "for", "global"):
            continue
        builtin = name.text in _OF_ONE | {
            "range",
            "print",
            "sum",
            "max",
            "min",
            "round",
            "display",
            "enumerate",
            "zip",
            "exit",
            "open",
            "help",
        }
        raised = name.text[0].isupper() and place and line[place - 1].text == "raise"
        method = place and line[place - 1].text == "." and operand.kind in ("string", "number")
        if not (builtin or raised or method):
            continue
        end = place + 1
        while end + 1 < len(line) and _goes_on(line, end, place):
            end += 1
        loose = end
        depth = name.depth
        while loose + 1 < len(line) and line[loose + 1].depth >= depth:
            following = line[loose + 1]
            if following.text in (":", ";", "for", "if") and following.depth == depth:
                break
            if following.kind == "close" and following.depth == depth:
                break
            if following.text == "," and following.depth == depth and depth:
                break
            loose += 1
        why = f"`{name.text}` is called with brackets."
        acts = place == 0 or raised or method
        edits = [SpanEdit(name.end, operand.start, "("), SpanEdit(line[end].end, line[end].end, ")")]
        yield broken.guess(edits, 0.9 if not acts or end == loose else 0.5, why, "missing brackets")
        if loose != end:
            edits = [SpanEdit(name.end, operand.start, "("), SpanEdit(line[loose].end, line[loose].end, ")")]
            yield broken.guess(edits, 0.9 if acts else 0.4, why, "missing brackets")
        return


def brackets_of_def(broken: Broken) -> Iterator[Candidate]:
    """`def f x, y:`: `def f(x, y):`; `def f(x` and a block; `def (x):` without a name."""
    line, texts = broken.line, broken.texts
    if not line or texts[0] != "def" or len(line) < 3:
        return
    end = next((i for i in range(len(line) - 1, 0, -1) if texts[i] == ":" and line[i].depth <= 1), len(line))
    if line[1].kind == "name" and line[2].kind == "name":
        why = "What a function takes stands in brackets behind its name."
        edits = [SpanEdit(line[1].end, line[2].start, "("), SpanEdit(line[end - 1].end, line[end - 1].end, ")")]
        if end == len(line):
            edits.append(SpanEdit(line[-1].end, line[-1].end, ":"))
        yield broken.guess(edits, 0.92, why, "missing brackets")
    if line[1].kind == "name" and texts[2] in ("[", "{") and line[end - 1].kind == "close":
        why = "What a function takes stands in round brackets."
        edits = [SpanEdit(line[2].start, line[2].end, "("), SpanEdit(line[end - 1].start, line[end - 1].end, ")")]
        yield broken.guess(edits, 0.9, why, "brackets of a function")
    if texts[1] == "(":
        yield from _nameless(broken)


def _nameless(broken: Broken) -> Iterator[Candidate]:
    line = broken.line
    called = [
        left.text
        for left, right in zip(broken.cell.tokens, broken.cell.tokens[1:])
        if left.kind == "name"
        and right.text == "("
        and left.text not in broken.known | {"def", "if", "while", "in", "print"}
    ]
    name = called[0] if len(set(called)) == 1 else "function"
    why = "A function needs a name between `def` and its brackets."
    if name != "function":
        why += f" The cell calls `{name}`."
    yield broken.guess(
        [SpanEdit(line[0].end, line[1].start, f" {name}")], 0.9 if called else 0.45, why, "name of a function"
    )


def _goes_on(line: Logical, end: int, place: int) -> bool:
    """Whether the operand that ends at a place goes on behind it: `x.y[0](z)`."""
    following, depth = line[end + 1], line[place].depth
    if following.depth > depth:
        return True
    if following.kind == "close":
        return following.depth > depth
    if following.kind == "open":
        return following.start == line[end].end
    return following.text == "." or line[end].text == "."
