"""Functions without a name, and comprehensions, as other languages write them."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken, closing, opening, touch
from reflex_ipython.propose.rules.syntax.candidate import Candidate, ends_operand, starts_operand

_CONDITION_WORDS = frozenset({"where", "when", "iff"})


def arrows(broken: Broken) -> Iterator[Candidate]:
    """`map(x => x + 1, y)`: `map(lambda x: x + 1, y)`."""
    line = broken.line
    edits = []
    for place in range(1, len(line) - 1):
        two = line[place].text == "=" and line[place + 1].text == ">" and touch(line[place], line[place + 1])
        if not two and line[place].text != "->":
            continue
        body = place + (2 if two else 1)
        first = place - 1
        if line[first].text == ")":
            found = opening(line, first)
            if found is None or any(token.kind != "name" and token.text != "," for token in line[found + 1 : first]):
                continue
            names, first = broken.text(line[found + 1 : first]), found
        else:
            names = line[first].text
        before = line[first - 1].text if first else ""
        if (
            line[place - 1].kind not in ("name", "close")
            or before not in ("(", ",", "=", "[", ":")
            or body >= len(line)
        ):
            continue
        edits.append(SpanEdit(line[first].start, line[body].start, f"lambda {names}: ".replace(" :", ":")))
    if edits:
        why = "Python writes a function without a name as `lambda x: ...`."
        yield broken.guess(edits, 0.95, why, "lambda")


def lambdas(broken: Broken) -> Iterator[Candidate]:
    """`lambda x: return x`, `lambda x, return x`, `lambda x x + 1`: `lambda x: x`; `lambda (x, y): x`."""
    line = broken.line
    for place, token in enumerate(line):
        if token.text != "lambda" or place + 2 >= len(line):
            continue
        back = next((i for i in range(place + 1, len(line)) if line[i].text == "return"), None)
        if back is not None and line[back - 1].text in (":", ","):
            why = "A `lambda` gives what stands behind its colon, without `return`."
            edits = [SpanEdit(line[back - 1].start, line[back].end, ":")]
            yield broken.guess(edits, 0.97, why, "lambda")
        if line[place + 1].text == "(":
            yield from _unpacked(broken, place)
        named = place + 1
        while named + 1 < len(line) and line[named].kind == "name" and line[named + 1].text == ",":
            named += 2
        if named + 1 < len(line) and line[named].kind == "name" and line[named + 1].text not in (":", "=", ","):
            arrow = line[named + 1].text in ("->", ";", ".") or line[named + 1].text == "="
            edit = SpanEdit(line[named].end, line[named + 1].end if arrow else line[named].end, ":")
            yield broken.guess([edit], 0.85, "A colon stands behind the names of a `lambda`.", "lambda")


def one_armed(broken: Broken) -> Iterator[Candidate]:
    """`x = 5 if y`: `x = 5 if y else None`, or `if y: x = 5`; comprehensions with their condition elsewhere."""
    line, texts = broken.line, broken.texts
    if "if" not in texts[1:] or texts[0] in ("if", "elif", "while"):
        return
    place = texts.index("if", 1)
    token = line[place]
    loops = [i for i, each in enumerate(line) if each.text == "for" and each.depth == token.depth and token.depth]
    around = opening(line, place)
    end = closing(line, around) if around is not None else None
    others = [i for i in range(place, len(line)) if line[i].text == "else" and line[i].depth == token.depth]
    if loops and loops[0] > place and not others and end is not None:
        condition = line[place : loops[0]]
        edits = [
            SpanEdit(line[place - 1].end, condition[-1].end, ""),
            SpanEdit(line[end - 1].end, line[end - 1].end, f" {broken.text(condition)}"),
        ]
        why = "In a comprehension, a condition that picks stands at the end, behind the `for`."
        yield broken.guess(edits, 0.9, why, "comprehension")
        edit = SpanEdit(condition[-1].end, condition[-1].end, " else None")
        yield broken.guess(
            [edit], 0.35, "An `if` in front of `for` chooses a value, and needs `else`.", "comprehension"
        )
    elif loops and loops[0] < place and others and end is not None:
        condition = line[place:end]
        edits = [
            SpanEdit(line[place - 1].end, condition[-1].end, ""),
            SpanEdit(line[loops[0] - 1].end, line[loops[0] - 1].end, f" {broken.text(condition)}"),
        ]
        why = "`if ... else ...` chooses the value, and stands in front of the `for`."
        yield broken.guess(edits, 0.95, why, "comprehension")
    elif not others and not loops:
        last = line[end - 1] if end is not None else line[-1]
        why = "`a if condition` needs the other value as well: `else`."
        yield broken.guess([SpanEdit(last.end, last.end, " else None")], 0.55, why, "condition")
        if not token.depth:
            statement = broken.text(line[:place])
            edit = SpanEdit(line[0].start, line[-1].end, f"{broken.text(line[place:])}: {statement}")
            yield broken.guess(
                [edit], 0.55, "A statement that is done only under a condition stands behind `if ...:`.", "condition"
            )


def comprehension_words(broken: Broken) -> Iterator[Candidate]:
    """`[n for n in numbers where n > 2]`: `if`."""
    line = broken.line
    for place in range(2, len(line) - 1):
        token, before, after = line[place], line[place - 1], line[place + 1]
        loops = any(one.text == "for" and one.depth == token.depth for one in line[:place])
        goes_on = starts_operand(after) or after.kind == "open"
        if token.text in _CONDITION_WORDS and token.depth and loops and ends_operand(before) and goes_on:
            why = f"In a comprehension, `if` picks the members; `{token.text}` is no word of Python's."
            yield broken.guess([SpanEdit(token.start, token.end, "if")], 0.95, why, "comprehension")
            return


def comprehension_targets(broken: Broken) -> Iterator[Candidate]:
    """`[x, y for x, y in z]`: `[(x, y) for ...]`; `{k, v for k, v in z}`: `{k: v for ...}`; `sum(x for x in y, 0)`."""
    line = broken.line
    if "parentheses around the comprehension target" in broken.message:
        around = opening(line, broken.stop)
        loop = next((i for i in range(broken.stop, len(line)) if line[i].text == "for"), None)
        if around is not None and loop is not None:
            items = line[around + 1 : loop]
            commas = [token for token in items if token.text == "," and token.depth == items[0].depth]
            if line[around].text == "{" and len(commas) == 1:
                why = "In a dict, a colon stands between a key and its value."
                yield broken.guess([SpanEdit(commas[0].start, commas[0].end, ":")], 0.85, why, "comprehension")
            why = "Several values that belong together stand in round brackets in front of `for`."
            edits = [SpanEdit(items[0].start, items[0].start, "("), SpanEdit(items[-1].end, items[-1].end, ")")]
            yield broken.guess(edits, 0.3 if line[around].text == "{" else 0.95, why, "comprehension")
    elif broken.message.startswith("Generator expression must be parenthesized"):
        start = broken.stop
        end = next(
            (i for i in range(start, len(line)) if line[i].text == "," and line[i].depth == line[start].depth), None
        )
        if end is not None and any(token.text == "for" for token in line[start:end]):
            why = "A generator beside another argument stands in brackets of its own."
            edits = [
                SpanEdit(line[start].start, line[start].start, "("),
                SpanEdit(line[end - 1].end, line[end - 1].end, ")"),
            ]
            yield broken.guess(edits, 0.95, why, "comprehension")


def _unpacked(broken: Broken, place: int) -> Iterator[Candidate]:
    """`lambda (x, y): x + y`: of Python 2."""
    line = broken.line
    end = closing(line, place + 1)
    if end is None or end + 2 >= len(line) or line[end + 1].text != ":":
        return
    names = [token.text for token in line[place + 2 : end] if token.kind == "name"]
    why = "Since Python 3, a `lambda` takes no pair apart."
    edits = [SpanEdit(line[place + 1].start, line[end].end, broken.text(line[place + 2 : end]))]
    yield broken.guess(edits, 0.4, f"{why} With two arguments, both are handed over singly.", "lambda")
    start = end + 2
    stop = start
    while stop < len(line) and line[stop].depth >= line[place].depth:
        if line[stop].depth == line[place].depth and (line[stop].text == "," or line[stop].kind == "close"):
            break
        if line[stop].kind == "close" and line[stop].depth == line[place].depth:
            break
        stop += 1
    word = "pair" if "pair" not in broken.known else "both"
    edits = [SpanEdit(line[place + 1].start, line[end].end, word)]
    edits += [
        SpanEdit(token.start, token.end, f"{word}[{names.index(token.text)}]")
        for left, token in zip(line[start - 1 :], line[start:stop])
        if token.text in names and left.text != "."
    ]
    yield broken.guess(edits, 0.65, f"{why} Its parts are asked for by their places.", "lambda")
