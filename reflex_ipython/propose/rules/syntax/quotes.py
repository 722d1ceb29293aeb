"""Strings that do not end where they should."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lexing import Token, lex
from reflex_ipython.propose.rules.syntax.candidate import Candidate, candidate

_START = re.compile(r"([rRbBuUfF]{0,2})([\"'])(?!\2\2)(.*)")
_TAIL = re.compile(r"[)\]}:,;\s]*$")
_BETWEEN_LETTERS = re.compile(r"[^\W\d_]'[^\W\d_]")
_IN_FIELD = re.compile(r"[fF][rR]?(['\"])[^\r\n]*[\[(]\1")
_OTHER = {"'": '"', '"': "'"}
_MOST = 8  # apostrophes, or subscripts in f-strings


def missing_quote(cell: Cell) -> Iterator[Candidate]:
    """`print("hello)`: `print("hello")`. Text that might be code is left alone: `"Total: + str(x)`."""
    broken = _broken(cell)
    match = _START.fullmatch(broken.text) if broken else None
    if broken is None or match is None or "#" in match.group(3):
        return
    quote, body, start = match.group(2), match.group(3), broken.start + match.start(3)
    why = f"The text that starts with `{(quote + body)[:20].rstrip()}` never ends."
    yield from _mismatched(cell, body, start, quote)
    index = re.match(r"[\w .-]+(?=\])", body)
    if index and _token_before(cell, broken) == "[":
        place = start + index.end()
        yield candidate(cell, [SpanEdit(place, place, quote)], why, "missing quote")
        return
    tail = _TAIL.search(body)
    text = body[: tail.start()] if tail else body
    if re.search(r"\\[\"']\s*$", body):
        return  # `'C:\\'`: it may be the backslash that is one too few
    if not text or re.search(r"[(\[{+%=\]})]", text) or (broken.depth and "," in text) or _OTHER[quote] in text:
        return
    if (":" in text and _innermost(cell, broken) == "{") or any(line[0] is broken for line in cell.logical_lines):
        return  # a key and its value; a text that is compared, perhaps
    for place in range(start + len(text), start + len(body.rstrip()) + 1):
        yield candidate(cell, [SpanEdit(place, place, quote)], why, "missing quote", 0.4)


def apostrophe(cell: Cell) -> Iterator[Candidate]:
    """`'I don't know'`: the apostrophe gets a backslash."""
    source, count = cell.source, 0
    for _ in range(_MOST if _BETWEEN_LETTERS.search(source) else 0):
        place = _apostrophe(lex(source))
        if place is None:
            break
        source, count = f"{source[:place]}\\{source[place:]}", count + 1
    if count:
        why = "The apostrophe would end the text; with a backslash it is a part of it."
        yield Candidate(source, count, why, "apostrophe in a text")


def nested_quotes(cell: Cell) -> Iterator[Candidate]:
    """`f'{d['a']}'`: `f'{d["a"]}'`, for Python before 3.12."""
    source, count = cell.source, 0
    for _ in range(_MOST if _IN_FIELD.search(source) else 0):
        places = _nested(source)
        if places is None:
            break
        for place in places:
            source = source[:place] + _OTHER[source[place]] + source[place + 1 :]
        count += 2
    if count:
        why = "The same quotes inside an f-string would end it; the other kind does not."
        yield Candidate(source, count, why, "quotes in an f-string")


def _mismatched(cell: Cell, body: str, start: int, quote: str) -> Iterator[Candidate]:
    """`"hello')`: it starts with one quote and ends with the other."""
    other = _OTHER[quote]
    match = re.fullmatch(rf"[^{other}]*[^{other}\s({other}]({other})[)\]}}:,;\s]*", body)
    if match:
        place = start + match.start(1)
        why = f"The text starts with `{quote}` and has to end with it."
        yield candidate(cell, [SpanEdit(place, place + 1, quote)], why, "mismatched quote")


def _broken(cell: Cell) -> Token | None:
    assert cell.problem is not None
    if not cell.problem.message.startswith("unterminated"):
        return None
    return next((token for token in cell.tokens if token.kind == "broken"), None)


def _innermost(cell: Cell, token: Token) -> str:
    """The bracket that is open around a token; empty if there is none."""
    before = [other for other in cell.tokens if other.start < token.start and other.kind == "open"]
    return next((other.text for other in reversed(before) if other.depth == token.depth - 1), "")


def _token_before(cell: Cell, token: Token) -> str:
    index = cell.tokens.index(token)
    return cell.tokens[index - 1].text if index else ""


def _apostrophe(tokens: tuple[Token, ...]) -> int | None:
    """Where a string ends between two letters, as an apostrophe would, if there is such a place."""
    for token, following in itertools.pairwise(tokens):
        match = _START.fullmatch(token.text) if token.kind == "string" else None
        if match and match.group(2) == "'" and following.kind == "name" and following.start == token.end:
            inside = match.group(3)[:-1]
            if inside[-1:].isalpha() and not inside.endswith("\\"):
                return token.end - 1
    return None


def _nested(source: str) -> tuple[int, int] | None:
    """The two quotes inside a replacement field that are the f-string's own."""
    for token in lex(source):
        match = _START.fullmatch(token.text) if token.kind == "string" else None
        if match and "f" in match.group(1).lower() and token.text[-2:-1] in ("[", "("):
            key = re.compile(rf"[\w .-]+(?={match.group(2)}[\])])").match(source, token.end)
            if key:
                return token.end - 1, key.end()
    return None
