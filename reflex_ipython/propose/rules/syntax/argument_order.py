"""Arguments in an order that they can't have, or twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken, closing, opening
from reflex_ipython.propose.rules.syntax.candidate import Candidate


def argument_order(broken: Broken) -> Iterator[Candidate]:
    """`f(a=1, b)`: `f(b, a=1)`, or `f(a=1, b=b)`; `f(a=1, a=2)`: one of them."""
    message = broken.message
    around = opening(broken.line, min(broken.stop, len(broken.line) - 1)) if broken.line else None
    if message.startswith("positional argument follows"):
        if (
            around is not None
            and broken.line[broken.stop : broken.stop + 1]
            and broken.line[broken.stop].kind == "close"
        ):
            around = opening(broken.line, broken.stop)
        yield from _positional(broken, around)
    elif message.startswith("keyword argument repeated") and around is not None:
        name = message.rpartition(": ")[2]
        arguments = _arguments(broken, broken.line, around)
        same = [i for i, each in enumerate(arguments) if [t.text for t in each[:2]] == [name, "="]]
        if len(same) > 1:
            values = {broken.text(arguments[i][2:]) for i in same}
            for kept, prior in ((same[-1], 0.55), (same[0], 0.45)):
                rest = [broken.text(each) for i, each in enumerate(arguments) if i not in same or i == kept]
                value = broken.text(arguments[kept][2:])
                why = f"`{name}` is handed over {len(same)} times; `{name}={value}` stays."
                yield broken.guess(
                    [_list_of(broken, arguments, rest)], 0.95 if len(values) == 1 else prior, why, "argument"
                )


def parameter_order(broken: Broken) -> Iterator[Candidate]:
    """`def f(a=1, b):`: `def f(b, a=1):`, or `b=None`; `def f(a, a):`: one of them."""
    message = broken.message
    line = broken.line
    first = next((i for i, text in enumerate(broken.texts) if text == "("), None)
    if (
        message.startswith(("non-default argument follows", "parameter without a default follows"))
        and first is not None
    ):
        parts = _arguments(broken, line, first)
        seen, late = False, []
        for index, part in enumerate(parts):
            if part[0].text in ("*", "**"):
                break
            default = any(token.text == "=" and token.depth == part[0].depth for token in part)
            seen = seen or default
            if seen and not default:
                late.append(index)
        if late:
            names = ", ".join(f"`{broken.text(parts[i])}`" for i in late)
            edits = [SpanEdit(parts[i][-1].end, parts[i][-1].end, "=None") for i in late]
            why = f"{names} stands behind an argument that has a default, and so needs one too."
            yield broken.guess(edits, 0.5, why, "order of arguments")
            plain = [
                broken.text(p)
                for i, p in enumerate(parts)
                if i in late or (not any(t.text == "=" for t in p) and i < late[0])
            ]
            rest = [broken.text(p) for i, p in enumerate(parts) if broken.text(p) not in plain]
            why = f"Arguments without a default come first: {names}."
            yield broken.guess([_list_of(broken, parts, plain + rest)], 0.55, why, "order of arguments")
    elif message.startswith("duplicate argument") or message.startswith("duplicate parameter"):
        name = re.findall(r"'(\w+)'", message)[0]
        header = next(
            (
                each
                for each in broken.cell.logical_lines
                if [t.text for t in each].count(name) > 1 and {"def", "lambda"} & {t.text for t in each}
            ),
            None,
        )
        start = next((i for i, token in enumerate(header or ()) if token.text == "("), None)
        if header is not None and start is not None:
            parts = _arguments(broken, header, start)
            twice = [i for i, part in enumerate(parts) if part[0].text == name]
            if len(twice) > 1:
                rest = [broken.text(part) for i, part in enumerate(parts) if i != twice[1]]
                why = f"Each argument has a name of its own, and `{name}` stands there twice."
                yield broken.guess([_list_of(broken, parts, rest)], 0.6, why, "argument")
                token = parts[twice[1]][0]
                yield broken.guess([SpanEdit(token.end, token.end, "2")], 0.45, why, "argument")
    elif "parameters cannot be parenthesized" in message or (line and line[0].text == "def" and first is not None):
        yield from _pairs(broken, first)


def _pairs(broken: Broken, first: int | None) -> Iterator[Candidate]:
    """`def f(a, (b, c)):` of Python 2."""
    line = broken.line
    inner = next(
        (i for i in range((first or 0) + 1, len(line)) if line[i].text == "(" and line[i - 1].text in (",", "(")), None
    )
    end = closing(line, inner) if inner is not None else None
    if first is None or inner is None or end is None or line[-1].text != ":" or line[0].text != "def":
        return
    names = [token.text for token in line[inner + 1 : end] if token.kind == "name"]
    following = next((each for each in broken.cell.logical_lines if each[0].start > line[-1].start), None)
    if following is None or not names:
        return
    both = "_".join(names)
    indent = broken.indent(following)
    edits = [SpanEdit(line[inner].start, line[end].end, both)]
    start = broken.cell.starts[broken.cell.lineno(following[0].start) - 1]
    edits.append(SpanEdit(start, start, f"{indent}{', '.join(names)} = {both}{broken.cell.newline}"))
    why = "Since Python 3, a function takes a pair as one argument, and takes it apart inside."
    yield broken.guess(edits, 0.9, why, "argument of Python 2")


def _positional(broken: Broken, around: int | None) -> Iterator[Candidate]:
    line = broken.line
    if around is None:
        return
    arguments = _arguments(broken, line, around)
    named = [i for i, each in enumerate(arguments) if [t.text for t in each[1:2]] == ["="]]
    late = [
        i
        for i, each in enumerate(arguments)
        if named and i > named[0] and i not in named and each[0].text not in ("*", "**")
    ]
    if not late:
        return
    shown = ", ".join(f"`{broken.text(arguments[i])}`" for i in late)
    plain = [broken.text(a) for i, a in enumerate(arguments) if i in late or i < named[0]]
    rest = [broken.text(a) for i, a in enumerate(arguments) if not (i in late or i < named[0])]
    bare = {i: arguments[i][2:] for i in named if i < late[-1] and len(arguments[i]) > 2}
    edits = [SpanEdit(arguments[i][0].start, value[0].start, "") for i, value in bare.items()]
    why = f"Behind an argument with a name there is none without: {shown}. Here all go by their places."
    yield broken.guess(edits, 0.5, why, "order of arguments")
    why = f"Values without a name come in front of those with one: {shown}."
    yield broken.guess([_list_of(broken, arguments, plain + rest)], 0.55, why, "order of arguments")
    if all(len(arguments[i]) == 1 and arguments[i][0].kind == "name" for i in late):
        edits = [SpanEdit(arguments[i][0].start, arguments[i][0].start, f"{arguments[i][0].text}=") for i in late]
        why = f"What stands behind an argument with a name needs a name as well: {shown}."
        yield broken.guess(edits, 0.45, why, "order of arguments")


def _arguments(broken: Broken, line: Sequence[Token], around: int) -> list[list[Token]]:
    """What stands between the commas of some brackets."""
    end = closing(line, around) or len(line)
    found: list[list[Token]] = [[]]
    for token in line[around + 1 : end]:
        if token.text == "," and token.depth == line[around].depth + 1:
            found.append([])
        else:
            found[-1].append(token)
    return [each for each in found if each]


def _list_of(broken: Broken, old: list[list[Token]], new: list[str]) -> SpanEdit:
    return SpanEdit(old[0][0].start, old[-1][-1].end, ", ".join(new))
