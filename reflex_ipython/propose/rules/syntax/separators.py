"""Commas, colons, operators and ends of statements that are missing, doubled or of the wrong kind."""

from __future__ import annotations

import itertools
import keyword
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken, closing, opening
from reflex_ipython.propose.rules.syntax.candidate import HEADERS, Candidate, ends_operand, starts_operand

_STATEMENTS = HEADERS | {"import", "from", "return", "raise", "print", "del", "assert", "break", "continue", "pass"}
_PARAMETERS = frozenset(
    {"axis", "sep", "end", "inplace", "index", "columns", "by", "key", "reverse", "color", "label", "figsize", "header"}
    | {"size", "n", "how", "on", "ascending", "random_state", "test_size", "encoding", "dtype", "bins", "alpha", "kind"}
)


def between_values(broken: Broken) -> Iterator[Candidate]:
    """`[a b]`, `f(x, axis 1)`, `{'a' 1}`, `'a' + x 'b'`: what is missing between two values in brackets."""
    line = broken.line
    gaps = [
        place
        for place, (a, b) in enumerate(itertools.pairwise(line))
        if a.depth and (b.depth or b.kind == "open") and ends_operand(a) and _begins(a, b) and not _beside(a, b)
    ]
    if not gaps:
        return
    place = gaps[0]
    a, b = line[place], line[place + 1]
    around = opening(line, place + 1)
    if around is None:
        return
    kind = line[around].text
    call = kind == "(" and around > 0 and ends_operand(line[around - 1])
    shown = f"`{a.text[:20]}` and `{b.text[:20]}`"
    if kind == "{" and a.kind in ("string", "number", "name") and _starts_item(broken, place):
        why = "In a dict, a colon stands between a key and its value."
        yield broken.guess(
            [SpanEdit(line[p].end, line[p].end, ":") for p in gaps if _starts_item(broken, p)],
            0.85,
            why,
            "missing colon",
        )
        return
    if (
        call
        and a.kind == "name"
        and a.text not in broken.namespace
        and _starts_item(broken, place)
        and b.kind != "name"
    ):
        why = f"`{a.text}` is the name of an argument, which gets its value with `=`."
        yield broken.guess([SpanEdit(a.end, b.start, "=")], 0.9 if a.text in _PARAMETERS else 0.6, why, "missing =")
    texts = "string" in (a.kind, b.kind)
    joined = texts and any(token.text == "+" and token.depth == b.depth for token in line)
    if joined:
        why = f"Between {shown} stands nothing that joins them; `+` does."
        signs = [SpanEdit(line[p].end, line[p + 1].start, " + ") for p in gaps]
        yield broken.guess(signs, 0.8, why, "missing operator")
    if a.kind == "number" and b.kind != "string" and b.kind != "number":
        why = f"Between {shown} stands nothing; a product needs `*`."
        yield broken.guess([SpanEdit(line[p].end, line[p].end, " *") for p in gaps], 0.5, why, "missing operator")
    if kind == "{":
        gaps = [p for p in gaps if not _starts_item(broken, p)]
    why = f"Between {shown} stands nothing; values in brackets are separated by commas."
    prior = 0.35 if joined else 0.45 if a.kind == "number" and b.kind == "name" else 0.7
    yield broken.guess([SpanEdit(line[p].end, line[p].end, ",") for p in gaps], prior, why, "missing comma")
    if a.kind == b.kind == "name" and "_" not in a.text + b.text and len(gaps) == 1:
        both = f"{a.text}_{b.text}"
        if both in broken.known:
            why = f"`{both}` has an underscore where a space stands."
            yield broken.guess([SpanEdit(a.end, b.start, "_")], 0.9, why, "space in a name")
    if a.kind == b.kind == "name" and a.text + b.text in broken.known:
        yield broken.guess([SpanEdit(a.end, b.start, "")], 0.9, f"`{a.text + b.text}` is one name.", "space in a name")
    if a.kind == b.kind == "name" and place and line[place - 1].text == ".":
        why = f"`{a.text} {b.text}` may be one name."
        yield broken.guess([SpanEdit(a.end, b.start, "")], 0.75, why, "space in a name")


def key_without_colon(broken: Broken) -> Iterator[Candidate]:
    """`{'a': 1, 'b' 'c'}`: texts in a row are one text, but not where the others are a key and its value."""
    line = broken.line
    for place in range(1, len(line) - 2):
        a, b, after = line[place], line[place + 1], line[place + 2]
        alone = _starts_item(broken, place) and (after.text == "," or after.kind == "close")
        if a.kind == b.kind == "string" and alone and broken.is_in_braces(place):
            around = opening(line, place)
            if any(token.text == ":" and token.depth == a.depth for token in line[around:]):
                why = "In a dict, a colon stands between a key and its value."
                yield broken.guess([SpanEdit(a.end, a.end, ":")], 0.93, why, "missing colon")


def joined_texts(broken: Broken) -> Iterator[Candidate]:
    """`label = "Total: " str(x) " EUR"`: `+` joins texts."""
    line = broken.line
    gaps = [
        (a, b)
        for a, b in itertools.pairwise(line)
        if not (a.depth and b.depth) and ends_operand(a) and starts_operand(b) and {a.kind, b.kind} > {"string"}
    ]
    if gaps and all(a.end < b.start for a, b in gaps):
        shown = f"`{gaps[0][0].text[:20]}` and `{gaps[0][1].text[:20]}`"
        why = f"Between {shown} stands nothing that joins them; `+` does."
        yield broken.guess([SpanEdit(a.end, b.start, " + ") for a, b in gaps], 0.8, why, "missing operator")


def doubled(broken: Broken) -> Iterator[Candidate]:
    """`[1,,2]`, `x..y`, `if x::`, `f(a;b)`, `{'a': 1; 'b': 2}`, `x[1;3]`, `{'a', : 1}`."""
    line = broken.line
    for place, (a, b) in enumerate(itertools.pairwise(line)):
        if a.text == b.text and a.text in (",", ".", ":") and a.end <= b.start:
            why = f"One `{a.text}` is enough."
            if a.text == ":" and a.depth and place and line[place - 1].text == "[":
                continue
            yield broken.guess([SpanEdit(a.end, b.end, "")], 0.85, why, "doubled sign")
        if a.text == "." and b.kind == "open" and b.text in ("(", "["):
            yield broken.guess(
                [SpanEdit(a.start, a.end, "")], 0.85, f"`{b.text}` stands behind the name, without a dot.", "extra dot"
            )
        if a.text in ("+=", "-=", "*=", "/=", "==") and b.text == "=" and a.end < b.start:
            yield broken.guess([SpanEdit(a.end, b.end, "")], 0.9, f"`{a.text}` has its `=` already.", "doubled sign")
        if b.text in (",", ";") and a.kind == "open":
            yield broken.guess(
                [SpanEdit(b.start, b.end, "")], 0.7, f"`{b.text}` has nothing in front of it.", "extra comma"
            )
        if a.text in (":", ";") and b.text == ":" and a.text != b.text:
            yield broken.guess(
                [SpanEdit(a.start, a.end, "")], 0.8, f"`{a.text}` has nothing to separate.", "extra sign"
            )
        if a.text == "," and b.text in (":", ".", "else", "and", "or", "for", "==", "+", "*="):
            yield broken.guess([SpanEdit(a.start, a.end, "")], 0.8, "The comma has nothing to separate.", "extra comma")
    inner = [token for token in line if token.text == ";" and token.depth]
    if inner:
        around = opening(line, line.index(inner[0]))
        index = around is not None and line[around].text == "[" and around > 0 and ends_operand(line[around - 1])
        why = "In brackets, values are separated by commas, not by semicolons."
        yield broken.guess(
            [SpanEdit(token.start, token.end, ",") for token in inner], 0.5 if index else 0.9, why, "semicolon"
        )
        if index:
            why = "From and to are separated by a colon."
            yield broken.guess([SpanEdit(token.start, token.end, ":") for token in inner], 0.6, why, "semicolon")
    yield from _equals_in_dict(broken)


def ranges(broken: Broken) -> Iterator[Candidate]:
    """`x[1..3]`: `x[1:3]`; `[1..10]`: `list(range(1, 11))`; `range(1:10)`, `range(1..10)`: `range(1, 10)`."""
    line = broken.line
    for place in range(len(line)):
        token = line[place]
        if token.kind != "open":
            continue
        end = closing(line, place)
        if end is None:
            continue
        text = broken.text(line[place + 1 : end])
        parts = (
            text.replace("...", "..").split("..")
            if ".." in text
            else text.split(":")
            if "range" in broken.texts[place - 1 : place]
            else []
        )
        parts = [part.strip() for part in parts]
        if len(parts) != 2 or not all(parts) or any(c in text for c in "([{,"):
            continue
        edit = (line[place].start, line[end].end)
        if token.text == "(":
            why = "`range` takes its bounds separated by a comma."
            yield broken.guess([SpanEdit(*edit, f"({parts[0]}, {parts[1]})")], 0.85, why, "range")
        elif token.text == "[" and place and ends_operand(line[place - 1]):
            yield broken.guess(
                [SpanEdit(*edit, f"[{parts[0]}:{parts[1]}]")], 0.85, "From and to are separated by a colon.", "range"
            )
        elif token.text == "[":
            last = str(int(parts[1]) + 1) if parts[1].isdigit() else f"{parts[1]} + 1"
            why = "Python counts with `range`, which ends before its second bound."
            yield broken.guess([SpanEdit(*edit, f"list(range({parts[0]}, {last}))")], 0.8, why, "range")


def two_statements(broken: Broken) -> Iterator[Candidate]:
    """`x = 1 y = 2`, `import os import sys`: two lines."""
    line = broken.line
    for place in range(max(1, broken.stop - 1), min(broken.stop + 2, len(line))):
        a, b = line[place - 1], line[place]
        if b.depth or not (ends_operand(a) or a.text in (";", "*")) or line[0].text in ("def", "class", "lambda"):
            continue
        word = b.kind == "name" and (not keyword.iskeyword(b.text) or b.text in _STATEMENTS)
        assigns = place + 1 < len(line) and line[place + 1].text == "="
        if place == 1 and a.kind == "name":
            continue  # `a b = 1, 2`
        if not word or (b.text in ("if", "else", "for", "in", "async") and line[-1].text != ":") or a.end == b.start:
            continue
        if (
            not assigns
            and b.text not in _STATEMENTS
            and not (place + 1 < len(line) and line[place + 1].text in ("(", "."))
        ):
            continue
        indent = broken.indent(line)
        header = line[0].text in HEADERS
        edit = SpanEdit(a.end, b.start, f"{broken.cell.newline}{indent}{'    ' * header}")
        prior = 0.9 if b.text in _STATEMENTS or assigns else 0.55
        yield broken.guess(
            [edit], prior * (0.5 if header else 1), "Each statement has a line of its own.", "two statements"
        )
        return


def outside_brackets(broken: Broken) -> Iterator[Candidate]:
    """`a b = 1, 2`, `a, b = 1 2`, `return x y`, `assert x 'text'`, `if x > 5, y = 3`: a comma, or a colon."""
    line, texts = broken.line, broken.texts
    gaps = [
        (a, b)
        for a, b in itertools.pairwise(line)
        if not a.depth and not b.depth and ends_operand(a) and starts_operand(b) and not _beside(a, b)
    ]
    why = "Several values are separated by commas."
    if len(gaps) == 1 and texts[0] == "assert":
        why = "The message of an `assert` stands behind a comma."
        yield broken.guess([SpanEdit(gaps[0][0].end, gaps[0][0].end, ",")], 0.93, why, "missing comma")
    elif gaps and (texts[0] == "return" or ("=" in texts and "," in texts)):
        yield broken.guess([SpanEdit(a.end, a.end, ",") for a, _ in gaps], 0.87, why, "missing comma")
    if (
        texts
        and texts[0] in ("if", "elif", "while", "for", "else")
        and not any(t.text == ":" and not t.depth for t in line)
    ):
        commas = [token for token in line if token.text == "," and not token.depth]
        if commas and texts[0] != "for":
            why = f"`{texts[0]}` needs a colon before its block."
            yield broken.guess([SpanEdit(commas[-1].start, commas[-1].end, ":")], 0.87, why, "missing colon")


def _equals_in_dict(broken: Broken) -> Iterator[Candidate]:
    """`{'a'= 1}`, `{'a' -> 1}`, `{'a' => 1}`: a colon."""
    line = broken.line
    edits = []
    for place in range(1, len(line) - 1):
        if not broken.is_in_braces(place) or not ends_operand(line[place - 1]):
            continue
        two = line[place].text == "=" and line[place + 1].text == ">"
        key = line[place - 1].kind in ("string", "number") or _is_dict(broken, place)
        if two or (line[place].text in ("->", "=") and key):
            edits.append(SpanEdit(line[place - 1].end, line[place + 1].end if two else line[place].end, ":"))
    if edits:
        why = "In a dict, a colon stands between a key and its value."
        yield broken.guess(edits, 0.93, why, "colon of a dict")


def _is_dict(broken: Broken, place: int) -> bool:
    """Whether a colon stands in the curly brackets around a token."""
    around, depth = opening(broken.line, place), broken.line[place].depth
    return around is not None and any(token.text == ":" and token.depth == depth for token in broken.line[around:])


def _starts_item(broken: Broken, place: int) -> bool:
    """Whether a token is the first of an item in brackets."""
    before = broken.line[place - 1]
    return before.text == "," or before.kind == "open"


def _begins(a: Token, b: Token) -> bool:
    """Whether a value starts with the second token that can't belong to the first."""
    if b.kind == "open":
        return b.text == "{" or (a.kind in ("string", "number") and b.text == "(")
    return starts_operand(b) and b.text != "not"


def _beside(a: Token, b: Token) -> bool:
    """Whether two tokens that meet may be one thing: texts in a row, `f"x"` with a wrong prefix, `2x`."""
    return a.kind == b.kind == "string" or (a.end == b.start and (a.kind == "number" or b.kind == "string"))
