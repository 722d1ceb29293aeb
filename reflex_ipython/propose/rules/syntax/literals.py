"""Numbers as people write them: with zeros in front, commas, units, per cent signs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from decimal import Decimal

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken, opening, touch
from reflex_ipython.propose.rules.syntax.candidate import Candidate, ends_operand

_ZEROS = re.compile(r"0+(?=\d)")
_CODES = re.compile(r"(?i)zip|post|code|id$|ids$|phone|number|sku|ean|isbn|account|tel")
_MODE = re.compile(r"0[0-7]{3}")
_CURRENCY = frozenset("$€£¥₹")


def zeros(broken: Broken) -> Iterator[Candidate]:
    """`007`: `7`, or `'007'`; `1,050`: `1050`; `0755`: `0o755`."""
    if not broken.message.startswith("leading zeros in decimal integer literals"):
        return
    tokens = broken.line
    numbers = [
        i for i, token in enumerate(tokens) if token.kind == "number" and re.fullmatch(r"0+[1-9]\d*", token.text)
    ]
    if not numbers:
        return
    grouped = [i for i in numbers if _is_group(broken, i)]
    if grouped:
        run = _groups(broken, grouped)
        edits = [SpanEdit(tokens[i - 1].start, tokens[i].start, "") for i in run]
        shown = broken.text(tokens[run[0] - 2 : run[0] + 1])
        why = f"`{shown}` is two numbers for Python; one number has no comma in it."
        yield broken.guess(edits, 0.5 if tokens[grouped[0]].depth else 0.85, why, "comma in a number")
    # A comma that groups digits, or the signs of a date, say that more than the zero is meant otherwise.
    dated = any(tokens[i - 1].text in ("-", "/") and touch(tokens[i - 1], tokens[i]) for i in numbers if i)
    less = 0.4 if dated or (grouped and not tokens[grouped[0]].depth) else 1
    shown = tokens[numbers[0]].text
    texts = [SpanEdit(tokens[i].start, tokens[i].end, f"'{tokens[i].text}'") for i in numbers]
    plain = [SpanEdit(tokens[i].start, tokens[i].start + len(_ZEROS.match(tokens[i].text)[0]), "") for i in numbers]  # type: ignore[index]  # the pattern above has them
    name = next((token.text for token in tokens if token.kind == "name"), "")
    around = opening(tokens, numbers[0])
    siblings = around is not None and any(token.kind == "string" for token in tokens[around:])
    called = tokens[around - 1].text if around else ""
    code = bool(_CODES.search(name)) or siblings or called == "str" or len(shown) > 4
    why = f"A number can't start with 0, as `{shown}` does; a code with zeros in front is a text."
    yield broken.guess(texts, (0.75 if code else 0.45) * less, why, "code as a text")
    why = f"A number can't start with 0: `{shown}` is {shown.lstrip('0')}."
    yield broken.guess(plain, (0.3 if code else 0.55) * less, why, "leading zeros")
    if all(_MODE.fullmatch(tokens[i].text) for i in numbers):
        why = f"An octal number, as the rights of a file are, starts with `0o`: `0o{shown[1:]}`."
        edits = [SpanEdit(tokens[i].start + 1, tokens[i].start + 1, "o") for i in numbers]
        yield broken.guess(edits, 0.45, why, "octal number")


def units(broken: Broken) -> Iterator[Candidate]:
    """`2x`: `2*x`; `5kg`: `'5kg'`; `1.5f`: `1.5`; `1__000`: `1_000`."""
    line = broken.line
    found = [
        place
        for place, (a, b) in enumerate(itertools.pairwise(line))
        if a.kind == "number" and touch(a, b) and (b.kind == "name" or (b.text == "(" and place > 0))
    ]
    found = [
        place
        for place in found
        if line[place + 1].kind == "name" and line[place + 1].text not in ("if", "else", "for", "in", "and", "or")
    ]
    bad = [token for token in line if token.kind == "number" and ("__" in token.text or token.text.endswith("_"))]
    if bad:
        why = "Between two digits stands one `_` at most."
        edits = [SpanEdit(token.start, token.end, re.sub("_+", "_", token.text).strip("_")) for token in bad]
        yield broken.guess(edits, 0.9, why, "underscores in a number")
    if not found:
        return
    names = {line[place + 1].text for place in found}
    shown = line[found[0]].text + line[found[0] + 1].text
    if names <= {"f", "F", "d", "u", "L", "l"} and not names & broken.namespace:
        why = f"Numbers have no letters behind them in Python: `{line[found[0]].text}`."
        yield broken.guess(
            [SpanEdit(line[p + 1].start, line[p + 1].end, "") for p in found], 0.9, why, "suffix of a number"
        )
        return
    known = names <= broken.known
    why = f"`{shown}` is no number and no name; a product needs `*`."
    yield broken.guess([SpanEdit(line[p].end, line[p].end, "*") for p in found], 0.9, why, "missing operator")
    if not known:
        why = f"`{shown}` is no number; as a text it stands in quotes."
        edits = [
            edit
            for p in found
            for edit in (SpanEdit(line[p].start, line[p].start, "'"), SpanEdit(line[p + 1].end, line[p + 1].end, "'"))
        ]
        yield broken.guess(edits, 0.4, why, "text without quotes")
        why = f"`{shown}` is no number; without the unit it is one."
        yield broken.guess(
            [SpanEdit(line[p + 1].start, line[p + 1].end, "") for p in found], 0.3, why, "unit of a number"
        )


def products(broken: Broken) -> Iterator[Candidate]:
    """`y = 2 x`, `a = b c`: a product, where both have a value."""
    line = broken.line
    for place, (a, b) in enumerate(itertools.pairwise(line)):
        if (
            a.depth
            or a.kind not in ("number", "name")
            or not ends_operand(a)
            or b.kind != "name"
            or not ends_operand(b)
        ):
            continue
        if a.end < b.start and place and b.text in broken.known and (a.kind == "number" or a.text in broken.known):
            why = f"Between `{a.text}` and `{b.text}` stands nothing; a product needs `*`."
            yield broken.guess(
                [SpanEdit(a.end, a.end, " *")], 0.75 if a.kind == "number" else 0.3, why, "missing operator"
            )


def percentages(broken: Broken) -> Iterator[Candidate]:
    """`10%`: `0.1`, or `10`; `$5`, `5€`: `5`."""
    line = broken.line
    edits, plain, shown = [], [], ""
    for place, token in enumerate(line):
        after = line[place + 1] if place + 1 < len(line) else None
        ends = after is None or after.kind == "close" or after.text in (",", ";", ":", "of", "*", "+", "-", "/")
        if token.text == "%" and place and line[place - 1].kind == "number" and ends:
            number = line[place - 1]
            share = format((Decimal(number.text.replace("_", "")) / 100).normalize(), "f")
            rest = " * " if after is not None and after.text == "of" else ""
            edits.append(SpanEdit(number.start, after.end + 1 if rest and after else token.end, share + rest))
            plain.append(SpanEdit(token.start, token.end, ""))
            shown = f"{number.text}%"
    if edits:
        share = edits[0].text.replace(" * ", "")
        yield broken.guess(edits, 0.8, f"`%` is the remainder of a division in Python; {shown} is {share}.", "per cent")
        yield broken.guess(
            plain, 0.3, "`%` is the remainder of a division in Python, and has no number behind it.", "per cent"
        )
    coins = [
        token
        for place, token in enumerate(line)
        if token.text in _CURRENCY
        and (
            (place + 1 < len(line) and line[place + 1].kind == "number") or (place and line[place - 1].kind == "number")
        )
    ]
    if coins:
        why = f"A number has no sign of a currency: `{coins[0].text}`."
        yield broken.guess([SpanEdit(token.start, token.end, "") for token in coins], 0.85, why, "currency")


def spaced_digits(broken: Broken) -> Iterator[Candidate]:
    """`5 000`: `5000`."""
    line = broken.line
    gaps = [
        (a, b)
        for a, b in itertools.pairwise(line)
        if a.kind == b.kind == "number" and a.end + 1 == b.start and re.fullmatch(r"\d{3}", b.text) and a.text.isdigit()
    ]
    if gaps:
        why = f"`{gaps[0][0].text} {gaps[0][1].text}` is two numbers for Python; one number has no space in it."
        yield broken.guess([SpanEdit(a.end, b.start, "") for a, b in gaps], 0.7, why, "space in a number")


def _groups(broken: Broken, found: list[int]) -> list[int]:
    """All groups of the numbers that those are groups of: `1,000,045` has one with a zero in front."""
    groups = set(found)
    for place in range(2, len(broken.line)):
        near = any(abs(other - place) in range(0, 9, 2) for other in found)
        if near and _is_group(broken, place):
            groups.add(place)
    return sorted(groups)


def _is_group(broken: Broken, place: int) -> bool:
    """Whether a number is the end of another one that has commas: `1,050`."""
    line = broken.line
    return (
        place > 1
        and re.fullmatch(r"\d{3}", line[place].text) is not None
        and line[place - 1].text == ","
        and touch(line[place - 1], line[place])
        and touch(line[place - 2], line[place - 1])
        and re.fullmatch(r"\d{1,3}", line[place - 2].text) is not None
    )
