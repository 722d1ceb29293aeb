"""All the places where a bracket may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.bracket_likelihood import OF_ONE_VALUE, closes, opens
from reflex_ipython.propose.rules.syntax.broken import Broken, opening
from reflex_ipython.propose.rules.syntax.candidate import (
    CLOSERS,
    HEADERS,
    Candidate,
    Logical,
    ends_operand,
    starts_operand,
)

_OPENERS = {closer: opener for opener, closer in CLOSERS.items()}
# One argument each, and never a sum or a comparison of things.
_MOST_PLACES = 24
_WRONG = re.compile(r"closing parenthesis '(.)' does not match opening parenthesis '(.)'")


def unclosed_places(broken: Broken) -> Iterator[Candidate]:
    """`if len(x > 3:`: `if len(x) > 3:`, or `if len(x > 3):`."""
    tokens = [token for token in broken.cell.tokens if token.kind not in ("newline", "comment", "magic")]
    opener = unclosed(broken, tokens)
    if opener is None:
        return
    start = tokens.index(opener)
    end = _end_of_statement(broken, tokens, start)
    closer = CLOSERS[opener.text]
    called = tokens[start - 1].text if start and tokens[start - 1].kind == "name" else ""
    places = 0
    for place in range(start, end):
        left = tokens[place]
        right = tokens[place + 1] if place + 1 < len(tokens) else None
        empty = left is opener and called
        if not (ends_operand(left) or empty) or left.depth > opener.depth + 1 + (left.kind == "close"):
            continue
        prior = 0.2 if empty else closes(broken, tokens, start, place, called, last=place + 1 == end)
        if prior and (right is None or right.text != "(" or left.end < right.start):
            what = f"{called}{opener.text}" if called else opener.text
            row = broken.cell.lineno(opener.start)
            why = f"`{what}` on line {row} was never closed; `{closer}` stands behind `{left.text[:20]}`."
            yield broken.guess([SpanEdit(left.end, left.end, closer)], prior, why, "missing bracket")
            places += 1
        if places == _MOST_PLACES:
            return
    before = tokens[start - 1] if start else None
    if before is None or not (ends_operand(before) and before.end == opener.start):
        why = f"`{opener.text}` on line {broken.cell.lineno(opener.start)} opens nothing that is closed."
        yield broken.guess([SpanEdit(opener.start, opener.end, "")], 0.25, why, "extra bracket")


def mismatched_places(broken: Broken) -> Iterator[Candidate]:
    """`foo(a[0 + b)`: `foo(a[0] + b)`, or `foo(a[0 + b])`; `[1, 2)`: `[1, 2]`, or `(1, 2)`."""
    match = _WRONG.match(broken.message)
    tokens = [token for token in broken.cell.tokens if token.kind not in ("newline", "comment", "magic")]
    index = next(
        (i for i, token in enumerate(tokens) if token.kind == "close" and token.start >= broken.problem.position), None
    )
    if match is None or index is None:
        return
    start = opening(tokens, index)
    if start is None:
        return
    wrong, opener = tokens[index], tokens[start]
    closer = CLOSERS[opener.text]
    why = f"`{opener.text}` is closed by `{closer}`, not by `{wrong.text}`."
    outer = opening(tokens, start)
    fits = outer is not None and CLOSERS[tokens[outer].text] == wrong.text
    yield broken.guess([SpanEdit(wrong.start, wrong.end, closer)], 0.3 if fits else 0.85, why, "mismatched bracket")
    if not fits:
        called = start > 0 and ends_operand(tokens[start - 1]) and tokens[start - 1].end == opener.start
        edit = SpanEdit(opener.start, opener.end, _OPENERS[wrong.text])
        yield broken.guess([edit], 0.15 if called else 0.35, why, "mismatched bracket")
        if [token.text for token in tokens[index + 1 : index + 2]] == [closer] and start + 1 < index:
            why = f"`{wrong.text}` closes a bracket that was never opened."
            first = tokens[start + 1].start
            yield broken.guess([SpanEdit(first, first, _OPENERS[wrong.text])], 0.9, why, "missing bracket")
        return
    called_name = tokens[start - 1].text if start and tokens[start - 1].kind == "name" else ""
    for place in range(start, index):
        left = tokens[place]
        if place == start or not ends_operand(left) or left.depth > opener.depth + 1 + (left.kind == "close"):
            continue
        prior = closes(broken, tokens, start, place, called_name, last=place + 1 == index)
        if prior:
            why = f"`{opener.text}` was not closed by `{closer}` before `{wrong.text}`."
            yield broken.guess([SpanEdit(left.end, left.end, closer)], prior, why, "missing bracket")
    edit = SpanEdit(opener.start, opener.end, "")
    yield broken.guess([edit], 0.15, f"`{opener.text}` opens nothing that is closed.", "extra bracket")


def unmatched_places(broken: Broken) -> Iterator[Candidate]:
    """`x = a + b) * c`: `x = (a + b) * c`; `np.ones(3, 3))`: `np.ones((3, 3))`; or one bracket less."""
    match = re.match(r"(?:f-string: )?unmatched '([)\]}])'", broken.message)
    line = broken.line
    index = next(
        (i for i, token in enumerate(line) if token.kind == "close" and token.start >= broken.problem.position), None
    )
    if match is None or index is None:
        return
    extra = line[index]
    opener = _OPENERS[extra.text]
    yield broken.guess(
        [SpanEdit(extra.start, extra.end, "")],
        0.6 if index and line[index - 1].text == extra.text else 0.4,
        f"`{extra.text}` closes nothing.",
        "extra bracket",
    )
    first = index
    while first and line[first - 1].depth >= 0 and line[first - 1].text not in ("=", ";", "return", ":"):
        first -= 1
    for place in range(first, index):
        token = line[place]
        before = line[place - 1] if place else None
        method = (
            place > 1
            and token.kind == "close"
            and before is not None
            and before.kind == "name"
            and line[place - 2].text == "."
        )
        if not starts_operand(token) and token.kind != "open" and not method:
            continue
        prior = opens(line, place, index, opener, method=method)
        if prior:
            why = f"`{extra.text}` was never opened; `{opener}` stands in front of `{token.text[:20]}`."
            yield broken.guess([SpanEdit(token.start, token.start, opener)], prior, why, "missing bracket")
    yield from _glued(broken, line, index, opener)


def unclosed(broken: Broken, tokens: Sequence[Token]) -> Token | None:
    """The bracket that was never closed: the one that Python names, or one that is open where it stopped."""
    if "was never closed" in broken.message:
        return next((t for t in tokens if t.kind == "open" and t.start >= broken.problem.position), None)
    if not broken.message.startswith("invalid syntax") and "expected ':'" not in broken.message:
        return None
    stack: list[Token] = []
    for token in tokens:
        if token.start > broken.problem.position:
            break
        if token.kind == "open":
            stack.append(token)
        elif token.kind == "close" and stack:
            stack.pop()
    header = bool(broken.line) and broken.line[0].text in HEADERS
    later = [token for token in tokens if token.start >= broken.problem.position and token.kind == "close"]
    if not stack or (later and not header and not any(t.text == "=" or t.text in HEADERS for t in broken.line)):
        return None
    return stack[-1]


def _end_of_statement(broken: Broken, tokens: Sequence[Token], start: int) -> int:
    """The place behind the last token that the bracket can close: two lines further down, or at a header's colon."""
    row = broken.cell.lineno(tokens[start].start)
    header = False
    before = start
    while before and broken.cell.lineno(tokens[before - 1].start) == row:
        before -= 1
    header = tokens[before].text in HEADERS
    end = start + 1
    while end < len(tokens):
        token = tokens[end]
        new_row = broken.cell.lineno(token.start)
        if new_row > row:
            fresh = end + 1 < len(tokens) and (
                tokens[end + 1].text == "=" or token.text in HEADERS | {"import", "from", "return", "print"}
            )
            unlike = ends_operand(tokens[end - 1]) and starts_operand(token)
            if fresh or unlike or new_row > row + 12:
                break
        elif header and token.text == ":" and token.depth == tokens[start].depth + 1 and tokens[start].text == "(":
            break
        end += 1
    return end


def _glued(broken: Broken, line: Logical, index: int, opener: str) -> Iterator[Candidate]:
    """`isinstancea, (int, float))`, `lendata)`: the name of a function and what it takes in one."""
    if opener != "(":
        return
    names = {token.text for token in broken.cell.tokens if token.kind == "name"} | broken.namespace
    for token in line[:index]:
        if token.kind != "name" or token.text in broken.namespace:
            continue
        for function in (*OF_ONE_VALUE, "isinstance", "print", "range", "sum", "max", "min", "round"):
            rest = token.text[len(function) :]
            if token.text.startswith(function) and rest and rest in names:
                place = token.start + len(function)
                why = f"`{function}` is called with brackets."
                yield broken.guess([SpanEdit(place, place, "(")], 0.93, why, "missing bracket")
