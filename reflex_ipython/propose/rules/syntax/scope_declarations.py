"""`global`, `nonlocal` and imports of everything, where they can't stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate
from reflex_ipython.propose.rules.syntax.surroundings import header_around, whole_line, without_line


def declarations(broken: Broken) -> Iterator[Candidate]:
    """`global x` behind a use of it, of a parameter, `nonlocal` at the top, `import *` in a function, `__future__`."""
    message, line = broken.message, broken.line
    if not line:
        return
    row = broken.cell.lineno(broken.problem.position)
    line = next((each for each in broken.cell.logical_lines if broken.cell.lineno(each[0].start) == row), line)
    whole = whole_line(broken, row)
    text = broken.cell.line(row).strip()
    if (
        "prior to global declaration" in message
        or "before global declaration" in message
        or ("nonlocal declaration" in message and ("prior" in message or "before" in message))
    ):
        header = header_around(broken, row, ("def", "async"))
        if header is not None:
            first = next((each for each in broken.cell.logical_lines if each[0].start > header[-1].start), None)
            if first is not None:
                start = broken.cell.starts[broken.cell.lineno(first[0].start) - 1]
                moved = f"{broken.indent(first)}{text}{broken.cell.newline}"
                yield broken.guess(
                    [SpanEdit(*whole, ""), SpanEdit(start, start, moved)],
                    0.95,
                    f"`{text}` stands in front of every use of the name.",
                    "misplaced statement",
                )
    elif "is parameter and global" in message or "is parameter and nonlocal" in message:
        name = re.findall(r"'(\w+)'", message)
        why = f"`{name[0] if name else text}` is what the function is given, and can't be another variable as well."
        yield broken.guess(without_line(broken, row, whole), 0.6, why, "misplaced statement")
        header = header_around(broken, row, ("def", "async"))
        if header is not None and name and [token.text for token in header].count(name[0]) == 1:
            place = next(i for i, token in enumerate(header) if token.text == name[0])
            if header[place - 1].text == "(" and header[place + 1].text == ")":
                yield broken.guess(
                    [SpanEdit(header[place].start, header[place].end, "")], 0.4, why, "misplaced statement"
                )
    elif message.startswith("nonlocal declaration not allowed at module level"):
        why = "At the top of a cell every variable is global already."
        yield broken.guess(without_line(broken, row, whole), 0.9, why, "misplaced statement")
    elif message.startswith("no binding for nonlocal"):
        token = next(token for token in line if token.text == "nonlocal")
        why = "`nonlocal` is for a variable of a function around this one; one of the notebook is `global`."
        yield broken.guess([SpanEdit(token.start, token.end, "global")], 0.9, why, "misplaced statement")
    elif message.startswith("import * only allowed"):
        edits = [*without_line(broken, row, whole), SpanEdit(0, 0, f"{text}{broken.cell.newline}")]
        yield broken.guess(
            edits, 0.9, "`import *` stands at the top of a cell, not in a function.", "misplaced statement"
        )
    elif message.startswith("from __future__ imports must"):
        edits = [SpanEdit(*whole, ""), SpanEdit(0, 0, f"{text}{broken.cell.newline}")]
        yield broken.guess(edits, 0.95, "`from __future__` stands in front of everything else.", "misplaced statement")
