"""Statements that lack their end, their beginning, or a value."""

from __future__ import annotations

import itertools
import keyword
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import BUILTINS, Broken, closing
from reflex_ipython.propose.rules.syntax.candidate import HEADERS, Candidate, ends_operand, starts_operand

_PLAIN = frozenset({"+", "-", "*", "/", "**", "//", "%", "and", "or", "==", ","})


def trailing(broken: Broken) -> Iterator[Candidate]:
    """`x = 5 +`, `x = a.`, `assert x,`, `return x,;`: an end with nothing behind it. `x = ` gets `None`."""
    line = broken.line
    last = line[-1] if line else None
    if last is None or broken.stop < len(line) - 1 or len(line) < 2:
        return
    if last.text in _PLAIN | {"&", "|", "<", ">", "in", "is", "not", "if"}:
        why = f"`{last.text}` has nothing behind it."
        yield broken.guess(
            [SpanEdit(line[-2].end, last.end, "")], 0.85 if last.text == "," else 0.35, why, "unfinished"
        )
    if last.text == "=":
        indent = broken.source[last.end : last.end + 1] == " "
        why = f"`{broken.text(line[:-1])} =` has no value behind it; `None` stands for one."
        yield broken.guess([SpanEdit(last.end, last.end + indent, " None")], 0.4, why, "unfinished")


def empty_values(broken: Broken) -> Iterator[Candidate]:
    """`{'a': , 'b': 2}`, `f(a=, b=2)`: `None` where a value is missing."""
    line = broken.line
    edits = [
        SpanEdit(a.end, a.end, " None" if a.text == ":" else "None")
        for a, b in itertools.pairwise(line)
        if (a.text == "=" and a.depth and (b.text == "," or b.kind == "close"))
        or (a.text == ":" and a.depth and (b.text == "," or b.text == "}") and broken.is_in_braces(line.index(a)))
    ]
    if edits:
        yield broken.guess(edits, 0.55, "A value is missing there; `None` stands for one.", "missing value")


def last_resort(broken: Broken) -> Iterator[Candidate]:
    """One sign taken out or put in where the parser stopped."""
    line = broken.line
    for place in range(max(0, broken.stop - 1), min(broken.stop + 2, len(line))):
        token = line[place]
        between = 0 < place < len(line) - 1 and ends_operand(line[place - 1]) and starts_operand(line[place + 1])
        if not token.text.isprintable() or (place == 0 and token.text == "$"):  # a terminal's prompt, no slip
            continue
        if token.kind in ("operator", "close", "other") and token.text not in (".", "=") and not between:
            why = f"Python stops at `{token.text}`; without it, it goes on."
            prior = 0.3 if token.kind in ("other", "close") else 0.2
            yield broken.guess([SpanEdit(token.start, token.end, "")], prior, why, "sign taken out")


def missing_keyword(broken: Broken) -> Iterator[Candidate]:
    """`x == 3:` and a block: `if x == 3:`; `i in range(3):`: `for`; `f(x):`: `def`."""
    lines = broken.cell.logical_lines
    for place, line in enumerate(lines[:-1]):
        deeper = len(broken.indent(lines[place + 1])) > len(broken.indent(line))
        if (
            line[-1].text != ":"
            or not deeper
            or len(line) < 3
            or line[0].text in HEADERS
            or line[0].start > broken.problem.end
        ):
            continue
        if any(token.text == ":" and not token.depth for token in line[:-1]) or not ends_operand(line[-2]):
            continue
        texts = [token.text for token in line]
        start = SpanEdit(line[0].start, line[0].start, "")
        call = line[0].kind == "name" and texts[1] == "(" and closing(line, 1) == len(line) - 2
        why = "A line that ends with a colon starts a block, and begins with a word that says which."
        if call and line[0].text not in broken.namespace:
            yield broken.guess([start._replace(text="def ")], 0.87, why, "missing keyword")
        elif texts[1] == "in" and line[0].text not in broken.namespace:
            yield broken.guess([start._replace(text="for ")], 0.87, why, "missing keyword")
        else:
            yield broken.guess([start._replace(text="if ")], 0.7, why, "missing keyword")
            yield broken.guess([start._replace(text="while ")], 0.25, why, "missing keyword")
            if texts[1] == "in":
                yield broken.guess([start._replace(text="for ")], 0.5, why, "missing keyword")
        return


def missing_equals(broken: Broken) -> Iterator[Candidate]:
    """`rate 0.5`: `rate = 0.5`."""
    statement = broken.statement
    if len(statement) < 2:
        return
    name, value = statement[0], statement[1]
    starts = value.kind in ("number", "string") or (value.kind == "open" and name.end < value.start)
    if name.kind == "name" and starts and name.text not in BUILTINS and not keyword.iskeyword(name.text):
        why = f"A name gets its value with `=`: `{name.text} = {broken.text(statement[1:])[:20]}`."
        prior = 0.4 if name.text in broken.namespace else 0.8
        yield broken.guess([SpanEdit(name.end, value.start, " = ")], prior, why, "missing =")
