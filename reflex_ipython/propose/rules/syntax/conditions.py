"""Conditions and values as other languages, or plain English, write them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import Edit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken, opening, touch
from reflex_ipython.propose.rules.syntax.candidate import CONDITIONS, Candidate, ends_operand, starts_operand

_COMPARES = frozenset({"<", ">", "<=", ">=", "==", "!="})
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
    yield broken.guess([Edit(condition[0].start, no[-1].end, text)], 0.95, why, "condition")


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
                yield broken.guess([Edit(first.start, last.end, meant)], 0.93, why, "operator")
                return
    for place in range(1, len(texts) - 1):
        if texts[place] in ("contains", "includes", "has") and texts[0] in CONDITIONS:
            left, right = broken.line[place - 1], broken.line[place + 1]
            if ends_operand(left) and starts_operand(right):
                why = "Python asks for what is contained first: `a in b`."
                yield broken.guess([Edit(left.start, right.end, f"{right.text} in {left.text}")], 0.85, why, "operator")


def repeated_subject(broken: Broken) -> Iterator[Candidate]:
    """`x > 5 and < 10`: `x > 5 and x < 10`."""
    line = broken.line
    for place in range(1, len(line) - 1):
        if line[place].text in ("and", "or", "&&", "||") and line[place + 1].text in _COMPARES:
            first = place
            while first and (
                line[first - 1].depth > line[place].depth or line[first - 1].text not in _COMPARES | {"in"}
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
            edit = Edit(line[place + 1].start, line[place + 1].start, f"{subject} ")
            yield broken.guess([edit], 0.93, why, "comparison")


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
        words.append(Edit(left, right, f"{gap[0]}{word}{gap[1]}"))
        signs.append(Edit(left, right, line[place].text))
        signs += _around(line, place)
    nots = [place for place, token in enumerate(line[:-1]) if token.text == "!" and not touch_equals(line, place)]
    words += [Edit(line[place].start, line[place].end, "not ") for place in nots]
    signs += [Edit(line[place].start, line[place].end, "~") for place in nots]
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
        [Edit(line[p].start, line[p].end, "not ") for p in places], 0.3 if masked else 0.8, why, "operator"
    )
    yield broken.guess(
        [Edit(line[p].start, line[p].end, "~") for p in places], 0.85 if masked else 0.3, why, "operator"
    )


def increments(broken: Broken) -> Iterator[Candidate]:
    """`i++` behind a colon or a semicolon, `x = x++`: `i += 1`."""
    line = broken.line
    for place in range(1, len(line) - 1):
        left, right = line[place], line[place + 1]
        if (
            left.text == right.text
            and left.text in ("+", "-")
            and touch(left, right)
            and line[place - 1].kind == "name"
        ):
            after = line[place + 2].text if place + 2 < len(line) else ";"
            before = line[place - 2].text if place > 1 else ";"
            why = f"Python has no `{left.text * 2}`; `{left.text}= 1` does the same."
            name = line[place - 1]
            if after == ";" and before in (";", ":", "{"):
                yield broken.guess([Edit(left.start, right.end, f" {left.text}= 1")], 0.93, why, "operator")
            elif before == "=":
                edit = Edit(left.start, right.end, f" {left.text} 1")
                yield broken.guess([edit], 0.6, f"Python has no `{left.text * 2}`.", "operator")
            else:
                statement = broken.statement
                indent = broken.indent(statement)
                edits = [Edit(left.start, right.end, "")]
                end = statement[-1].end
                edits.append(Edit(end, end, f"{broken.cell.newline}{indent}{name.text} {left.text}= 1"))
                yield broken.guess(
                    edits, 0.7, f"Python has no `{left.text * 2}`: the value is used, then changed.", "operator"
                )


def touch_equals(line: Sequence[Token], place: int) -> bool:
    """Whether a `!` is a part of `!=` or `=!`."""
    return line[place + 1].text == "=" or (
        place > 0 and line[place - 1].text == "=" and touch(line[place - 1], line[place])
    )


def _around(line: Sequence[Token], place: int) -> Iterator[Edit]:
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
        if any(token.depth == depth and token.text in _COMPARES for token in side):
            yield Edit(side[0].start, side[0].start, "(")
            yield Edit(side[-1].end, side[-1].end, ")")


def _merged(edits: list[Edit]) -> list[Edit]:
    """Each edit once: two operators share the comparison between them."""
    return list(dict.fromkeys(edits))
