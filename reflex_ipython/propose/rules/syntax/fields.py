"""Fields of f-strings that are not closed, empty, or hold what they can't."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate

_START = re.compile(r"(?P<prefix>[rR]?[fF][rR]?)(?P<quote>\"\"\"|'''|[\"'])")
# `x:>{width}.2f`: a field that says how the one around it is written.
_INNER_FORMAT = re.compile(r"[^{}:]+:[^{}\s]*\{\w+\}(?:\.(?:\d+|\{\w+\}))?[a-zA-Z%]?")
_OTHER = {"'": '"', '"': "'"}
_CHARACTERS = {"\\n": "chr(10)", "\\t": "chr(9)", "\\\\": "chr(92)"}


def fields(broken: Broken) -> Iterator[Candidate]:
    """`f"{x"`: `f"{x}"`; `f"x}"`: `f"{x}"`; `f"{}"`; a backslash in a field, before Python 3.12."""
    tokens = broken.cell.tokens
    for place, token in enumerate(tokens):
        match = _START.match(token.text) if token.kind == "string" else None
        if match is None:
            continue
        start, end = token.start + match.end(), token.end - len(match["quote"])
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        depth, opener = _open(broken.source, start, end)
        if depth > 0:
            yield from _unclosed(broken, token, opener, end)
            yield from _cut(broken, token, match["quote"], after)
        elif depth < 0:
            yield from _unopened(broken, start, end)
        yield from _empty(broken, token, place, start, end)
        yield from _misformatted(broken, start, end)
        yield from _backslash(broken, start, end)


def _unclosed(broken: Broken, token: Token, opener: int, end: int) -> Iterator[Candidate]:
    inside = broken.source[opener + 1 : end]
    word = re.match(r"\s*[\w.]+(?:\[[^\]]*\]|\([^)]*\))*(?:![rsa])?(?::[\d.,]*[a-z%]?)?", inside)
    why = f"The field `{{{inside[:20]}` of the f-string is never closed."
    if _INNER_FORMAT.fullmatch(inside):
        yield broken.guess([SpanEdit(end, end, "}")], 0.93, why, "field of an f-string")
    elif word and word.end() < len(inside):
        place = opener + 1 + word.end()
        yield broken.guess([SpanEdit(place, place, "}")], 0.8, why, "field of an f-string")
        yield broken.guess([SpanEdit(end, end, "}")], 0.3, why, "field of an f-string")
    elif inside:
        yield broken.guess([SpanEdit(end, end, "}")], 0.93, why, "field of an f-string")
    closer = re.search(r"[)\]]\s*$", inside)
    if closer and inside.count("(") < inside.count(")"):
        place = opener + 1 + closer.start()
        yield broken.guess([SpanEdit(place, place + 1, "}")], 0.85, f"{why} `}}` closes it.", "field of an f-string")
    doubled = [SpanEdit(opener, opener, "{")]
    yield broken.guess(
        doubled, 0.25, "A bracket that is text in an f-string is written twice.", "bracket in an f-string"
    )


def _cut(broken: Broken, token: Token, quote: str, after: Token | None) -> Iterator[Candidate]:
    """`f'{', '.join(x)}'`, `f"{x:.2f"}`: the f-string's own quotes within a field."""
    if after is None or len(quote) != 1:
        return
    source = broken.source
    if source.startswith("}", token.end):
        edits = [SpanEdit(token.end - 1, token.end + 1, f"}}{quote}")]
        yield broken.guess(edits, 0.93, "The field is closed inside the quotes.", "field of an f-string")
    row_end = source.find("\n", token.end)
    row = source[token.end : row_end if row_end >= 0 else len(source)]
    close = row.find(quote)
    if close >= 0 and "}" in row[close:] and _OTHER[quote] not in row[:close]:
        edits = [
            SpanEdit(token.end - 1, token.end, _OTHER[quote]),
            SpanEdit(token.end + close, token.end + close + 1, _OTHER[quote]),
        ]
        why = "The same quotes inside an f-string would end it; the other kind does not."
        yield broken.guess(edits, 0.93, why, "quotes in an f-string")


def _unopened(broken: Broken, start: int, end: int) -> Iterator[Candidate]:
    text = broken.source[start:end]
    place = _extra(text)
    if place is None:
        return
    word = re.search(r"[\w.]+(?:\[[^\]]*\]|\([^)]*\))*(?::[\d.,]*[a-z%]?)?$", text[:place])
    if word and not text[:place].endswith("}"):
        first = re.split(r"[.\[(:]", word.group())[0]
        why = f"`}}` closes a field that was never opened; `{{` stands in front of `{word.group()}`."
        edit = SpanEdit(start + word.start(), start + word.start(), "{")
        yield broken.guess([edit], 0.9 if first in broken.known else 0.5, why, "field of an f-string")
    edit = SpanEdit(start + place, start + place + 1, "")
    double = text[:place].endswith("}")
    yield broken.guess([edit], 0.85 if double else 0.35, "`}` closes no field.", "field of an f-string")
    edit = SpanEdit(start + place, start + place, "}")
    why = "A bracket that is text in an f-string is written twice."
    yield broken.guess([edit], 0.4, why, "bracket in an f-string")


def _empty(broken: Broken, token: Token, place: int, start: int, end: int) -> Iterator[Candidate]:
    hits = list(re.finditer(r"(?<!\{)\{\s*\}(?!\})", broken.source[start:end]))
    if not hits:
        return
    tokens = broken.cell.tokens
    following = [other.text for other in tokens[place + 1 : place + 3]]
    if following == [".", "format"]:
        mark = token.start + token.text.lower().index("f")
        why = "`.format(...)` fills the fields, so the text needs no `f` in front."
        yield broken.guess([SpanEdit(mark, mark + 1, "")], 0.97, why, "f-string")
        return
    arguments = _arguments(broken, place)
    if arguments and len(arguments) == len(hits):
        why = f"The fields of an f-string hold their values: `{{{arguments[0][2]}}}`."
        edits = [
            SpanEdit(start + hit.start(), start + hit.end(), f"{{{text}}}")
            for hit, (_, _, text) in zip(hits, arguments)
        ]
        edits.append(SpanEdit(token.end, arguments[-1][1], ""))
        yield broken.guess(edits, 0.9, why, "field of an f-string")
    why = "A field of an f-string can't be empty; brackets that are text are written twice."
    edits = [SpanEdit(start + hit.start(), start + hit.end(), "{{}}") for hit in hits]
    yield broken.guess(edits, 0.5, why, "bracket in an f-string")
    mark = token.start + token.text.lower().index("f")
    yield broken.guess([SpanEdit(mark, mark + 1, "")], 0.35, "Without the `f` in front, brackets are text.", "f-string")


def _misformatted(broken: Broken, start: int, end: int) -> Iterator[Candidate]:
    """`{x.2f}`, `{x;.2f}`: a colon; `{round(x, 2}`: a bracket; `{x!r` has its end at the text's."""
    text = broken.source[start:end]
    formats = list(
        re.finditer(
            r"\{(\s*[A-Za-z_][\w.]*(?:\[[^\]{}]*\]|\([^(){}]*\))*)[;,]?(\.\d+[fFeEgG%]|[;,][\d.,]*[dfe%])\}", text
        )
    )
    if formats:
        edits = [SpanEdit(start + hit.end(1), start + hit.end() - 1, f":{hit[2].lstrip(';,')}") for hit in formats]
        why = f"How a value is written stands behind a colon: `:{formats[0][2].lstrip(';,')}`."
        yield broken.guess(edits, 0.93, why, "format in an f-string")
    for hit in re.finditer(r"\{([^{}:]*)((?::[^{}]*)?)\}", text):
        missing = hit[1].count("(") - hit[1].count(")")
        if missing == 1 and re.search(r"[\w\]\)'\"]\s*$", hit[1]):
            edit = SpanEdit(start + hit.end(1), start + hit.end(1), ")")
            yield broken.guess([edit], 0.93, "`(` in the field is never closed.", "bracket in an f-string")


def _backslash(broken: Broken, start: int, end: int) -> Iterator[Candidate]:
    """`f"{'\\n'.join(x)}"`: `chr(10)` is the same without a backslash."""
    if "cannot include a backslash" not in broken.message:
        return
    text = broken.source[start:end]
    edits = [
        SpanEdit(start + hit.start(), start + hit.end(), _CHARACTERS[hit.group(2)])
        for field in re.finditer(r"\{[^{}]*\}", text)
        for hit in re.finditer(r"([\"'])(\\n|\\t|\\\\)\1", text)
        if field.start() <= hit.start() < field.end()
    ]
    if edits:
        why = "Before Python 3.12, a field of an f-string holds no backslash; `chr(10)` is a line end."
        yield broken.guess(edits, 0.93, why, "backslash in an f-string")
    edits = [
        SpanEdit(start + hit.start(), start + hit.end(), hit.group(1))
        for field in re.finditer(r"\{[^{}]*\}", text)
        for hit in re.finditer(r"\\([\"'])", text)
        if field.start() <= hit.start() < field.end()
    ]
    if edits:
        quote = edits[0].text
        inner = [SpanEdit(edit.start, edit.end, _OTHER[edit.text]) for edit in edits]
        why = "Before Python 3.12, a field of an f-string can't hold a backslash; the other quotes need none."
        yield broken.guess(inner, 0.95 if _OTHER[quote] not in text else 0.5, why, "backslash in an f-string")


def _open(source: str, start: int, end: int) -> tuple[int, int]:
    """How many fields are open at the end of a text, and where the last of them was; -1 for one closed too often."""
    openers: list[int] = []
    place = start
    while place < end:
        two = source[place : place + 2]
        if not openers and two in ("{{", "}}"):
            place += 2
            continue
        if source[place] == "{":
            openers.append(place)
        elif source[place] == "}":
            if not openers:
                return -1, place
            openers.pop()
        place += 1
    return len(openers), openers[-1] if openers else start


def _extra(text: str) -> int | None:
    depth, place = _open(text, 0, len(text))
    return place if depth < 0 else None


def _arguments(broken: Broken, place: int) -> list[tuple[int, int, str]]:
    """What stands behind an f-string in the same brackets: `print(f"{} {}", a, b)`."""
    tokens = broken.cell.tokens
    depth, first = tokens[place].depth, None
    found: list[tuple[int, int, str]] = []
    for token in tokens[place + 1 :]:
        ends = token.kind == "newline" or (token.kind == "close" and token.depth <= depth)
        if first is not None and (ends or (token.text == "," and token.depth == depth)):
            last = max(other.end for other in tokens if other.end <= token.start)
            found.append((first, last, broken.source[first:last]))
            first = None
        elif first is None and token.text != "," and not ends:
            if not found and tokens[place + 1].text != ",":
                return []
            first = token.start
        if ends:
            break
    return found
