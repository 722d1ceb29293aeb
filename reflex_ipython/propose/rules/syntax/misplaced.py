"""Statements where they can't stand, and arguments in an order that they can't have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate
from reflex_ipython.propose.rules.syntax.surroundings import block_above, header_around, whole_line

_RULE = "misplaced statement"


def outside_function(broken: Broken) -> Iterator[Candidate]:
    """`return x` at the top: into the function above, or just `x`; `yield`, `break`, `continue` likewise."""
    match = re.match(r"'(return|yield|yield from|break|continue)' (?:outside|not properly)", broken.message)
    if match is None or not broken.statement:
        return
    word, statement = match.group(1).split()[0], broken.statement
    row = broken.cell.lineno(broken.line[0].start)
    owner = ("def", "async") if word in ("return", "yield") else ("for", "while", "async")
    block = block_above(broken, row, owner)
    if block:
        header, rows, unit = block
        thing = "function" if word in ("return", "yield") else "loop"
        where = broken.cell.lineno(header[0].start)
        why = f"`{word}` belongs into the {thing} on line {where}, and stands outside of it."
        edits = [SpanEdit(broken.cell.starts[r - 1], broken.cell.starts[r - 1], unit) for r in rows]
        yield broken.guess(edits, 0.9, why, "indentation")
    value = statement[1:]
    if word in ("return", "yield"):
        tail = all(broken.cell.lineno(line[0].start) <= row for line in broken.cell.logical_lines)
        if value:
            has = f"Only a function has {a(f'`{word}`')}"
            why = f"{has}; at the top of a cell, the value alone is shown where it is the last."
            yield broken.guess([SpanEdit(statement[0].start, value[0].start, "")], 0.8 if tail else 0.35, why, _RULE)
            edits = [
                SpanEdit(statement[0].start, value[0].start, "print("),
                SpanEdit(value[-1].end, value[-1].end, ")"),
            ]
            yield broken.guess(
                edits, 0.3 if tail else 0.6, f"Only a function has {a(f'`{word}`')}; `print` shows the value.", _RULE
            )
        else:
            yield broken.guess(
                [SpanEdit(statement[0].start, statement[0].end, "pass")],
                0.55,
                f"Only a function has {a(f'`{word}`')}.",
                _RULE,
            )
        return
    inside = header_around(broken, row, ("def",))
    if inside and word == "break":
        why = "Only a loop has a `break`; a function is left with `return`."
        yield broken.guess([SpanEdit(statement[0].start, statement[0].end, "return")], 0.6, why, _RULE)
    why = f"Only a loop has {a(f'`{word}`')}, and here is none; `pass` does nothing."
    yield broken.guess([SpanEdit(statement[0].start, statement[0].end, "pass")], 0.5, why, _RULE)


def awaited(broken: Broken) -> Iterator[Candidate]:
    """`await` in a plain function: the function becomes `async`, and what calls it waits for it."""
    if "outside async function" not in broken.message and "outside of an asynchronous function" not in broken.message:
        return
    row = broken.cell.lineno(broken.line[0].start)
    header = header_around(broken, row, ("def",))
    if header is None:
        return
    name = header[1].text
    edits = [SpanEdit(header[0].start, header[0].start, "async ")]
    why = f"`await` needs a function that is `async`: `async def {name}`."
    calls = [
        token
        for line in broken.cell.logical_lines
        for before, token, after in zip([None, *line], line, [*line[1:], None])
        if token.text == name
        and after is not None
        and after.text == "("
        and (before is None or before.text not in ("def", "await", "."))
        and not broken.indent(line)
    ]
    if calls:
        waiting = [SpanEdit(token.start, token.start, "await ") for token in calls]
        yield broken.guess([*edits, *waiting], 0.9, f"{why} What calls it has to `await` it.", "async")
    yield broken.guess(edits, 0.5 if calls else 0.9, why, "async")


def unfinished_try(broken: Broken) -> Iterator[Candidate]:
    """`try:` without `except`: an `except` that shows the error, or no `try`; `global x = 5`: `x = 5`."""
    texts = broken.texts
    if texts[:1] == ["global"] and "=" in texts and not broken.indent(broken.line):
        why = "At the top of a cell every variable is global already."
        yield broken.guess([SpanEdit(broken.line[0].start, broken.line[1].start, "")], 0.9, why, _RULE)
    if "expected 'except' or 'finally' block" not in broken.message:
        return
    row = broken.problem.lineno
    lines = [line for line in broken.cell.logical_lines if broken.cell.lineno(line[0].start) < row]
    place = next((i for i in range(len(lines) - 1, -1, -1) if lines[i][0].text == "try"), None)
    if (
        place is None
        or place + 1 >= len(lines)
        or any(token.kind == "string" and "\n" in token.text for token in broken.cell.tokens)
    ):
        return
    level, body = broken.indent(lines[place]), lines[place + 1 :]
    unit = broken.indent(body[0])[len(level) :]
    why = f"`try` on line {broken.cell.lineno(lines[place][0].start)} has no `except`."
    end = body[-1][-1].end
    new = broken.cell.newline
    text = f"{new}{level}except Exception as error:{new}{level}{unit}print(error)"
    yield broken.guess([SpanEdit(end, end, text)], 0.45, f"{why} This one shows the error.", "try")
    first, last = broken.cell.lineno(lines[place][0].start), broken.cell.lineno(end)
    edits = [SpanEdit(*whole_line(broken, first), "")]
    edits += [
        SpanEdit(broken.cell.starts[r - 1] + len(level), broken.cell.starts[r - 1] + len(level + unit), "")
        for r in range(first + 1, last + 1)
        if broken.cell.line(r).startswith(level + unit)
    ]
    yield broken.guess(edits, 0.45, f"{why} Without `try`, an error is shown as it is.", "try")


def in_generator(broken: Broken) -> Iterator[Candidate]:
    """`return x` in an async generator: `yield x`, or `return`."""
    if "with value in async generator" not in broken.message or broken.texts[0] != "return":
        return
    why = "An `async` function that has a `yield` can't return a value."
    line = broken.line
    yield broken.guess([SpanEdit(line[0].end, line[-1].end, "")], 0.5, why, _RULE)
    yield broken.guess(
        [SpanEdit(line[0].start, line[0].end, "yield")], 0.5, f"{why} `yield` gives it as one more.", _RULE
    )
