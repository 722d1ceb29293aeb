"""`i++` and `i--`, which Python does not have."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken, touch
from reflex_ipython.propose.rules.syntax.candidate import Candidate


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
                yield broken.guess([SpanEdit(left.start, right.end, f" {left.text}= 1")], 0.93, why, "operator")
            elif before == "=":
                edit = SpanEdit(left.start, right.end, f" {left.text} 1")
                yield broken.guess([edit], 0.6, f"Python has no `{left.text * 2}`.", "operator")
            else:
                statement = broken.statement
                indent = broken.indent(statement)
                edits = [SpanEdit(left.start, right.end, "")]
                end = statement[-1].end
                edits.append(SpanEdit(end, end, f"{broken.cell.newline}{indent}{name.text} {left.text}= 1"))
                yield broken.guess(
                    edits, 0.7, f"Python has no `{left.text * 2}`: the value is used, then changed.", "operator"
                )
