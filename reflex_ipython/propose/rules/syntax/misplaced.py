"""Statements where they can't stand, and arguments in an order that they can't have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate

_RULE = "misplaced statement"


def outside_function(broken: Broken) -> Iterator[Candidate]:
    """`return x` at the top: into the function above, or just `x`; `yield`, `break`, `continue` likewise."""
    match = re.match(r"'(return|yield|yield from|break|continue)' (?:outside|not properly)", broken.message)
    if match is None or not broken.statement:
        return
    word, statement = match.group(1).split()[0], broken.statement
    row = broken.cell.lineno(broken.line[0].start)
    owner = ("def", "async") if word in ("return", "yield") else ("for", "while", "async")
    block = _block_above(broken, row, owner)
    if block:
        header, rows, unit = block
        thing = "function" if word in ("return", "yield") else "loop"
        where = broken.cell.lineno(header[0].start)
        why = f"`{word}` belongs into the {thing} on line {where}, and stands outside of it."
        edits = [Edit(broken.cell.starts[r - 1], broken.cell.starts[r - 1], unit) for r in rows]
        yield broken.guess(edits, 0.9, why, "indentation")
    value = statement[1:]
    if word in ("return", "yield"):
        tail = all(broken.cell.lineno(line[0].start) <= row for line in broken.cell.logical_lines)
        if value:
            why = (
                f"Only a function has a `{word}`; at the top of a cell, the value alone is shown where it is the last."
            )
            yield broken.guess([Edit(statement[0].start, value[0].start, "")], 0.8 if tail else 0.35, why, _RULE)
            edits = [Edit(statement[0].start, value[0].start, "print("), Edit(value[-1].end, value[-1].end, ")")]
            yield broken.guess(
                edits, 0.3 if tail else 0.6, f"Only a function has a `{word}`; `print` shows the value.", _RULE
            )
        else:
            yield broken.guess(
                [Edit(statement[0].start, statement[0].end, "pass")], 0.55, f"Only a function has a `{word}`.", _RULE
            )
        return
    inside = _header_around(broken, row, ("def",))
    if inside and word == "break":
        why = "Only a loop has a `break`; a function is left with `return`."
        yield broken.guess([Edit(statement[0].start, statement[0].end, "return")], 0.6, why, _RULE)
    why = f"Only a loop has a `{word}`, and here is none; `pass` does nothing."
    yield broken.guess([Edit(statement[0].start, statement[0].end, "pass")], 0.5, why, _RULE)


def awaited(broken: Broken) -> Iterator[Candidate]:
    """`await` in a plain function: the function becomes `async`, and what calls it waits for it."""
    if "outside async function" not in broken.message and "outside of an asynchronous function" not in broken.message:
        return
    row = broken.cell.lineno(broken.line[0].start)
    header = _header_around(broken, row, ("def",))
    if header is None:
        return
    name = header[1].text
    edits = [Edit(header[0].start, header[0].start, "async ")]
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
        waiting = [Edit(token.start, token.start, "await ") for token in calls]
        yield broken.guess([*edits, *waiting], 0.9, f"{why} What calls it has to `await` it.", "async")
    yield broken.guess(edits, 0.5 if calls else 0.9, why, "async")


def declarations(broken: Broken) -> Iterator[Candidate]:
    """`global x` behind a use of it, of a parameter, `nonlocal` at the top, `import *` in a function, `__future__`."""
    message, line = broken.message, broken.line
    if not line:
        return
    row = broken.cell.lineno(broken.problem.position)
    line = next((each for each in broken.cell.logical_lines if broken.cell.lineno(each[0].start) == row), line)
    whole = _whole_line(broken, row)
    text = broken.cell.line(row).strip()
    if (
        "prior to global declaration" in message
        or "before global declaration" in message
        or ("nonlocal declaration" in message and ("prior" in message or "before" in message))
    ):
        header = _header_around(broken, row, ("def", "async"))
        if header is not None:
            first = next((each for each in broken.cell.logical_lines if each[0].start > header[-1].start), None)
            if first is not None:
                start = broken.cell.starts[broken.cell.lineno(first[0].start) - 1]
                moved = f"{broken.indent(first)}{text}{broken.cell.newline}"
                yield broken.guess(
                    [Edit(*whole, ""), Edit(start, start, moved)],
                    0.95,
                    f"`{text}` stands in front of every use of the name.",
                    _RULE,
                )
    elif "is parameter and global" in message or "is parameter and nonlocal" in message:
        name = re.findall(r"'(\w+)'", message)
        why = f"`{name[0] if name else text}` is what the function is given, and can't be another variable as well."
        yield broken.guess(_without(broken, row, whole), 0.6, why, _RULE)
        header = _header_around(broken, row, ("def", "async"))
        if header is not None and name and [token.text for token in header].count(name[0]) == 1:
            place = next(i for i, token in enumerate(header) if token.text == name[0])
            if header[place - 1].text == "(" and header[place + 1].text == ")":
                yield broken.guess([Edit(header[place].start, header[place].end, "")], 0.4, why, _RULE)
    elif message.startswith("nonlocal declaration not allowed at module level"):
        why = "At the top of a cell every variable is global already."
        yield broken.guess(_without(broken, row, whole), 0.9, why, _RULE)
    elif message.startswith("no binding for nonlocal"):
        token = next(token for token in line if token.text == "nonlocal")
        why = "`nonlocal` is for a variable of a function around this one; one of the notebook is `global`."
        yield broken.guess([Edit(token.start, token.end, "global")], 0.9, why, _RULE)
    elif message.startswith("import * only allowed"):
        edits = [*_without(broken, row, whole), Edit(0, 0, f"{text}{broken.cell.newline}")]
        yield broken.guess(edits, 0.9, "`import *` stands at the top of a cell, not in a function.", _RULE)
    elif message.startswith("from __future__ imports must"):
        edits = [Edit(*whole, ""), Edit(0, 0, f"{text}{broken.cell.newline}")]
        yield broken.guess(edits, 0.95, "`from __future__` stands in front of everything else.", _RULE)


def unfinished_try(broken: Broken) -> Iterator[Candidate]:
    """`try:` without `except`: an `except` that shows the error, or no `try`; `global x = 5`: `x = 5`."""
    texts = broken.texts
    if texts[:1] == ["global"] and "=" in texts and not broken.indent(broken.line):
        why = "At the top of a cell every variable is global already."
        yield broken.guess([Edit(broken.line[0].start, broken.line[1].start, "")], 0.9, why, _RULE)
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
    yield broken.guess([Edit(end, end, text)], 0.45, f"{why} This one shows the error.", "try")
    first, last = broken.cell.lineno(lines[place][0].start), broken.cell.lineno(end)
    edits = [Edit(*_whole_line(broken, first), "")]
    edits += [
        Edit(broken.cell.starts[r - 1] + len(level), broken.cell.starts[r - 1] + len(level + unit), "")
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
    yield broken.guess([Edit(line[0].end, line[-1].end, "")], 0.5, why, _RULE)
    yield broken.guess([Edit(line[0].start, line[0].end, "yield")], 0.5, f"{why} `yield` gives it as one more.", _RULE)


def stars(broken: Broken) -> Iterator[Candidate]:
    """`*a = x`, `x = *y`, `*a, *b = c`: stars that can't stand there."""
    statement = broken.statement
    if broken.message.startswith("starred assignment target") and len(statement) > 2:
        equals = next(token for token in statement if token.text == "=")
        before = [token for token in statement if token.end <= equals.start][-1]
        why = "A star takes the rest of several names; with a comma behind it, it is one of them."
        yield broken.guess([Edit(before.end, before.end, ",")], 0.75, why, "star")
        yield broken.guess(
            [Edit(statement[0].start, statement[0].end, "")], 0.35, "One name takes everything without a star.", "star"
        )
    elif broken.message.startswith("can't use starred expression here"):
        star = next(
            (token for token in statement if token.text in ("*", "**") and token.start >= broken.problem.position - 1),
            None,
        )
        if star is not None:
            last = statement[-1]
            why = "A star takes a list apart, which only a list or a call can take in."
            yield broken.guess([Edit(star.start, star.start, "["), Edit(last.end, last.end, "]")], 0.6, why, "star")
            yield broken.guess([Edit(star.start, star.end, "")], 0.35, why, "star")
    elif broken.message.startswith("multiple starred expressions"):
        stars = [token for token in statement if token.text == "*"]
        for star in stars[1:]:
            why = "Only one of several names can take the rest."
            yield broken.guess([Edit(star.start, star.end, "")], 0.6, why, "star")


def _header_around(broken: Broken, row: int, words: tuple[str, ...]) -> list[Token] | None:
    """The header of the function or loop that a line is in."""
    here = len(
        broken.indent(next(each for each in broken.cell.logical_lines if broken.cell.lineno(each[0].start) == row))
    )
    for line in reversed(broken.cell.logical_lines):
        depth = len(broken.indent(line))
        if broken.cell.lineno(line[0].start) >= row or depth >= here or line[-1].text != ":":
            continue
        if line[0].text in words:
            return line
        here = depth
        if line[0].text in ("def", "class"):
            return None
    return None


def _block_above(broken: Broken, row: int, words: tuple[str, ...]) -> tuple[list[Token], list[int], str] | None:
    """The function or loop that ends in front of a line: its header, the lines from its end to that line, its unit."""
    lines = [line for line in broken.cell.logical_lines if broken.cell.lineno(line[0].start) <= row]
    for place in range(len(lines) - 2, -1, -1):
        header, level = lines[place], len(broken.indent(lines[place]))
        if header[0].text not in words or header[-1].text != ":":
            continue
        body = lines[place + 1]
        outside = [line for line in lines[place + 1 :] if len(broken.indent(line)) <= level]
        if (
            len(broken.indent(body)) <= level
            or not outside
            or any(len(broken.indent(line)) < level for line in outside)
        ):
            return None
        first, last = broken.cell.lineno(outside[0][0].start), row
        rows = [r for r in range(first, last + 1) if broken.cell.line(r).strip()]
        return header, rows, broken.indent(body)[level:]
    return None


def _whole_line(broken: Broken, row: int) -> tuple[int, int]:
    starts = broken.cell.starts
    end = starts[row] if row < len(starts) else len(broken.source)
    return starts[row - 1], end


def _without(broken: Broken, row: int, whole: tuple[int, int]) -> list[Edit]:
    """The edit that takes a line out; a block that it was alone in gets `pass`."""
    lines = broken.cell.logical_lines
    place = next(i for i, line in enumerate(lines) if broken.cell.lineno(line[0].start) == row)
    indent = broken.indent(lines[place])
    alone = (
        place > 0
        and lines[place - 1][-1].text == ":"
        and (place + 1 == len(lines) or len(broken.indent(lines[place + 1])) < len(indent))
    )
    if alone:
        return [Edit(lines[place][0].start, lines[place][-1].end, "pass")]
    start, end = whole
    if end == len(broken.source) and start and not broken.source.endswith("\n"):
        start -= 1
    return [Edit(start, end, "")]
