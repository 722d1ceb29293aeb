"""`&&`, `||` and `!`, which Python writes as words, or as `&`, `|` and `~`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken, opening, touch
from reflex_ipython.propose.rules.syntax.candidate import (
    COMPARISONS,
    Candidate,
    ends_operand,
    starts_operand,
)


def double_signs(broken: Broken) -> Iterator[Candidate]:
    """`df[df.a > 3 && df.b < 5]`: `df[(df.a > 3) & (df.b < 5)]`; `mask = a && b`: `a & b`, or `a and b`."""
    line = broken.line
    doubled = [
        place
        for place, (left, right) in enumerate(itertools.pairwise(line))
        if left.text == right.text and left.text in ("&", "|") and touch(left, right)
    ]
    if not doubled:
        return
    inside = opening(line, doubled[0])
    in_brackets = inside is not None and line[inside].text == "["
    words, signs = [], []
    for place in doubled:
        word = "and" if line[place].text == "&" else "or"
        left, right = line[place].start, line[place + 1].end
        gap = (
            "" if broken.source[left - 1].isspace() else " ",
            "" if broken.source[right : right + 1].isspace() else " ",
        )
        words.append(SpanEdit(left, right, f"{gap[0]}{word}{gap[1]}"))
        signs.append(SpanEdit(left, right, line[place].text))
        signs += _around(line, place)
    nots = [place for place, token in enumerate(line[:-1]) if token.text == "!" and not touch_equals(line, place)]
    words += [SpanEdit(line[place].start, line[place].end, "not ") for place in nots]
    signs += [SpanEdit(line[place].start, line[place].end, "~") for place in nots]
    why = "Python writes `and` and `or` for one truth, and `&` and `|` for each element of a table or array."
    yield broken.guess(_merged(signs), 0.9 if in_brackets else 0.5, why, "operator")
    yield broken.guess(words, 0.2 if in_brackets else 0.5, why, "operator")


def exclamation(broken: Broken) -> Iterator[Candidate]:
    """`x = !y`: `x = not y`; `df[!df.a]`: `df[~df.a]`."""
    line = broken.line
    places = [
        place
        for place, token in enumerate(line[:-1])
        if (token.text == "!" and starts_operand(line[place + 1]))
        or (token.text == "!" and line[place + 1].text == "(")
    ]
    places = [place for place in places if place == 0 or not ends_operand(line[place - 1])]
    if not places:
        return
    around = opening(line, places[0])
    masked = around is not None and line[around].text == "[" and around > 0 and ends_operand(line[around - 1])
    why = "Python writes `not` for one truth, and `~` for each element of a table or array."
    yield broken.guess(
        [SpanEdit(line[p].start, line[p].end, "not ") for p in places], 0.3 if masked else 0.8, why, "operator"
    )
    yield broken.guess(
        [SpanEdit(line[p].start, line[p].end, "~") for p in places], 0.85 if masked else 0.3, why, "operator"
    )


def touch_equals(line: Sequence[Token], place: int) -> bool:
    """Whether a `!` is a part of `!=` or `=!`."""
    return line[place + 1].text == "=" or (
        place > 0 and line[place - 1].text == "=" and touch(line[place - 1], line[place])
    )


def _around(line: Sequence[Token], place: int) -> Iterator[SpanEdit]:
    """Brackets around the comparisons on both sides of an operator that binds closer than they do."""
    depth = line[place].depth
    first = place
    while first and line[first - 1].depth >= depth and line[first - 1].text not in ("&", "|", "=", ",", "return", "if"):
        if line[first - 1].kind == "open" and line[first - 1].depth < depth:
            break
        first -= 1
    last = place + 2
    while last < len(line) and line[last].depth >= depth and line[last].text not in ("&", "|", ",", ":", ";"):
        if line[last].kind == "close" and line[last].depth == depth:
            break
        last += 1
    for start, end in ((first, place), (place + 2, last)):
        side = line[start:end]
        if any(token.depth == depth and token.text in COMPARISONS for token in side):
            yield SpanEdit(side[0].start, side[0].start, "(")
            yield SpanEdit(side[-1].end, side[-1].end, ")")


def _merged(edits: list[SpanEdit]) -> list[SpanEdit]:
    """Each edit once: two operators share the comparison between them."""
    return list(dict.fromkeys(edits))
