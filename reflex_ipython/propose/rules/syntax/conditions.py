"""Conditions and values as other languages, or plain English, write them."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken, touch
from reflex_ipython.propose.rules.syntax.candidate import (
    COMPARISONS,
    CONDITIONS,
    Candidate,
    ends_operand,
    starts_operand,
)

_STARTS = frozenset({"=", "return", ",", "(", "[", "{", "else", ":", "+=", "print", "lambda", "in"})
# Words side by side, and what Python writes for them.
_PHRASES: dict[tuple[str, ...], str] = {
    ("not", "is"): "is not",
    ("in", "not"): "not in",
    ("is", "not", "in"): "not in",
    ("not", "is", "in"): "not in",
    ("is", "in"): "in",
    ("is", "equal", "to"): "==",
    ("equal", "to"): "==",
    ("equals", "to"): "==",
    ("equals",): "==",
    ("is", "not", "equal", "to"): "!=",
    ("not", "equal", "to"): "!=",
    ("is", "greater", "than"): ">",
    ("greater", "than"): ">",
    ("is", "less", "than"): "<",
    ("less", "than"): "<",
    ("xor",): "^",
    ("mod",): "%",
    ("div",): "//",
    ("and", "and"): "and",
    ("or", "or"): "or",
    ("and", "or"): "or",
    ("in", "in"): "in",
    ("not", "not", "in"): "not in",
    ("isn", "'"): "is not",
}


def ternary(broken: Broken) -> Iterator[Candidate]:
    """`x = a > b ? a : b`: `x = a if a > b else b`."""
    line = broken.line
    marks = [place for place, token in enumerate(line) if token.text == "?" and 0 < place < len(line) - 2]
    if not marks:
        return
    mark = marks[0]
    depth = line[mark].depth
    first = mark
    while (
        first
        and line[first - 1].depth >= depth
        and not (line[first - 1].depth == depth and line[first - 1].text in _STARTS)
    ):
        first -= 1
    if first and line[first - 1].kind == "open" and line[first - 1].depth == depth:
        first = mark  # not reached: the loop ends at the bracket, which is less deep
    inner, colon = 0, None
    for place in range(mark + 1, len(line)):
        if line[place].depth == depth and line[place].text == "?":
            inner += 1
        elif line[place].depth == depth and line[place].text == ":":
            if not inner:
                colon = place
                break
            inner -= 1
    if colon is None or colon + 1 >= len(line) or first == mark:
        return
    last = colon + 1
    while last < len(line) and line[last].depth >= depth and line[last].text not in (",", ";"):
        if line[last].kind == "close" and line[last].depth == depth:
            break
        last += 1
    condition, yes, no = line[first:mark], line[mark + 1 : colon], line[colon + 1 : last]
    if not condition or not yes or not no:
        return
    text = f"{broken.text(yes)} if {broken.text(condition)} else {broken.text(no)}"
    why = "Python writes `a if condition else b` for `condition ? a : b`."
    yield broken.guess([SpanEdit(condition[0].start, no[-1].end, text)], 0.95, why, "condition")


def first_that_is_there(broken: Broken) -> Iterator[Candidate]:
    """`x = name ?? "none"`: `x = name if name is not None else "none"`."""
    statement = broken.statement
    marks = [
        place
        for place in range(1, len(statement) - 2)
        if statement[place].text == statement[place + 1].text == "?" and touch(statement[place], statement[place + 1])
    ]
    if len(marks) != 1:
        return
    mark, texts = marks[0], [token.text for token in statement]
    first = texts.index("=") + 1 if "=" in texts[:mark] else 1 if texts[0] == "return" else 0
    value, other = broken.text(statement[first:mark]), broken.text(statement[mark + 2 :])
    if value:
        edit = SpanEdit(statement[first].start, statement[-1].end, f"{value} if {value} is not None else {other}")
        why = "Python has no `??`; `a if a is not None else b` does the same."
        yield broken.guess([edit], 0.93, why, "condition")


def phrases(broken: Broken) -> Iterator[Candidate]:
    """`x not is y`, `x in not y`, `x is equal to y`: the operator that is meant."""
    texts = broken.texts
    for length in (4, 3, 2, 1):
        for place in range(1, len(texts) - length):
            phrase = tuple(text.lower() for text in texts[place : place + length])
            meant = _PHRASES.get(phrase)
            if meant and ends_operand(broken.line[place - 1]):
                first, last = broken.line[place], broken.line[place + length - 1]
                why = f"Python writes `{meant}` for `{broken.text(broken.line[place : place + length])}`."
                yield broken.guess([SpanEdit(first.start, last.end, meant)], 0.93, why, "operator")
                return
    for place in range(1, len(texts) - 1):
        if texts[place] in ("contains", "includes", "has") and texts[0] in CONDITIONS:
            left, right = broken.line[place - 1], broken.line[place + 1]
            if ends_operand(left) and starts_operand(right):
                why = "Python asks for what is contained first: `a in b`."
                yield broken.guess(
                    [SpanEdit(left.start, right.end, f"{right.text} in {left.text}")], 0.85, why, "operator"
                )


def repeated_subject(broken: Broken) -> Iterator[Candidate]:
    """`x > 5 and < 10`: `x > 5 and x < 10`."""
    line = broken.line
    for place in range(1, len(line) - 1):
        if line[place].text in ("and", "or", "&&", "||") and line[place + 1].text in COMPARISONS:
            first = place
            while first and (
                line[first - 1].depth > line[place].depth or line[first - 1].text not in COMPARISONS | {"in"}
            ):
                first -= 1
            end = first - 1  # the place of the comparison
            start = end
            while start > 0 and (
                line[start - 1].kind in ("name", "close", "open", "string", "number") or line[start - 1].text == "."
            ):
                if line[start - 1].kind == "name" and line[start - 1].text in CONDITIONS | {
                    "and",
                    "or",
                    "not",
                    "in",
                    "return",
                }:
                    break
                if line[start - 1].kind == "open" and line[start - 1].depth < line[place].depth:
                    break
                start -= 1
            subject = broken.text(line[start:end])
            if not subject:
                return
            why = f"`{line[place].text}` joins two whole comparisons: `{subject}` has to be named in both."
            edit = SpanEdit(line[place + 1].start, line[place + 1].start, f"{subject} ")
            yield broken.guess([edit], 0.93, why, "comparison")
