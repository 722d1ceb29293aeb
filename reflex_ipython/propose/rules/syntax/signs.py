"""Characters that look like Python's, and are not."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.characters import HIDDEN
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate

_POWERS = {"⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9"}
_SIGNS = {
    "→": "->",
    "⇒": "=>",
    "·": "*",
    "∙": "*",
    "•": "*",
    "⋅": "*",
    "∗": "*",
    "∕": "/",
    "⁄": "/",
    "、": ",",
    "。": ".",
    "【": "[",
    "】": "]",
    "「": "'",
    "」": "'",
    "《": "<",
    "》": ">",
    "＂": '"',
    "＇": "'",
    "¬": "not ",
    "∧": "and",
    "∨": "or",
    "∈": "in",
    "∉": "not in",
    "≡": "==",
    "≔": ":=",
    "½": "0.5",
    "¼": "0.25",
    "¾": "0.75",
    "∞": "float('inf')",
}
_QUOTES = "“”„‟″‘’‚‛′´`ʼ«»"
_WIDE = range(0xFF01, 0xFF5F)


def wide_signs(broken: Broken) -> Iterator[Candidate]:
    """Full-width brackets and digits, `x²`, `→`, hidden characters: what Python writes for them."""
    if broken.source.isascii() and "\x00" not in broken.source and not HIDDEN.search(broken.source):
        return
    edits, shown = [], []
    for token in broken.cell.tokens:
        if token.kind in ("string", "comment", "broken", "magic", "newline"):
            continue
        for place, char in enumerate(token.text, token.start):
            new = _plain(char)
            if char in _POWERS:
                new = _power(broken.source, place)
            if new is not None:
                edits.append(SpanEdit(place, place + 1, new))
                shown.append(char)
    for hit in HIDDEN.finditer(broken.source):
        around = next((token for token in broken.cell.tokens if token.start <= hit.start() < token.end), None)
        if hit.group() == "\r" or "\ud800" <= hit.group() <= "\udfff":
            continue  # a line end; half of a character, of which nobody knows what it was
        if around is None or around.kind not in ("string", "comment", "newline"):
            edits.append(SpanEdit(hit.start(), hit.end(), ""))
            shown.append(hit.group())
    if edits:
        names = ", ".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in dict.fromkeys(shown))
        why = f"Python does not take these characters in code: {names}."
        yield broken.guess({edit.start: edit for edit in edits}.values(), 0.95, why, "odd characters")


def odd_quotes(broken: Broken) -> Iterator[Candidate]:
    """`´text´`, `“text"`, `«text»`: quotes that are none to Python, in a row where they come in pairs."""
    odd = [token for token in broken.cell.tokens if token.kind == "other" and token.text in _QUOTES]
    rows = {broken.cell.lineno(token.start) for token in odd}
    if not odd or not rows:
        return
    edits = []
    for row in rows:
        start = broken.cell.starts[row - 1]
        text = broken.cell.line(row)
        places = [place for place, char in enumerate(text) if char in _QUOTES + "\"'"]
        outer = _outer(text, places)
        if not outer:
            return
        double = '"' not in text or any(text[first] in '“„‟″"' for first, _ in outer)
        quote = '"' if double else "'"
        for first, last in outer:
            inner = text[first + 1 : last]
            sign = ("'" if quote == '"' else '"') if quote in inner else quote
            edits += [SpanEdit(start + first, start + first + 1, sign), SpanEdit(start + last, start + last + 1, sign)]
    why = "Python's quotes are the straight ones: \" and '."
    yield broken.guess(edits, 0.9, why, "odd quotes")


def _outer(text: str, places: list[int]) -> list[tuple[int, int]]:
    """The pairs of quotes: one that follows a sign or a space, up to one that a sign or the end follows."""
    pairs: list[tuple[int, int]] = []
    first: int | None = None
    for place in places:
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        if first is None and (not before or not before.isalnum()):
            first = place
        elif first is not None and (not after or after in ")]},:;+%.= \t" or not after.isalnum()):
            kind, other = text[first], text[place]
            single, double = "‘’‚‛′´`'ʼ", '“”„‟″"«»'
            if (kind in single) == (other in single) or (kind in double) == (other in double):
                pairs.append((first, place))
                first = None
    return pairs if first is None else []


def _plain(char: str) -> str | None:
    if ord(char) in _WIDE and not char.isalpha():
        return chr(ord(char) - 0xFEE0)
    return _SIGNS.get(char)


def _power(source: str, place: int) -> str:
    before = source[place - 1 : place]
    digit = _POWERS[source[place]]
    return digit if before in _POWERS else f"**{digit}"
