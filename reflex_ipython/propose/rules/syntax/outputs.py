"""What a cell has shown, pasted back into it with the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate

_SHOWN = re.compile(
    r"\s*(?:\[\d+ rows x \d+ columns\]|\d+ rows × \d+ columns|(?:Name: .*, )?(?:Length: \d+, )?dtype: \w+"
    r"|<(?:Axes|AxesSubplot|matplotlib|pandas|IPython|Figure)\b.*>|<Figure size .*>|<class '[\w.]+'>"
    r"|Traceback \(most recent call last\):|\w+(?:Error|Exception): .*|memory usage: .*)\s*"
)


def pasted_output(broken: Broken) -> Iterator[Candidate]:
    """`[5 rows x 3 columns]`, `dtype: int64`, `<class 'str'>` on lines of their own: without them."""
    cell = broken.cell
    rows = [row for row in range(1, len(cell.starts) + 1) if _SHOWN.fullmatch(cell.line(row))]
    rows = [row for row in rows if not broken.is_quoted(cell.starts[row - 1])]
    if broken.problem.lineno not in rows:
        return
    edits = []
    for row in rows:
        end = cell.starts[row] if row < len(cell.starts) else len(cell.source)
        start = cell.starts[row - 1]
        last = start > 0 and end == len(cell.source) and not cell.source.endswith("\n")
        edits.append(SpanEdit(start - last, end, ""))
    text = cell.line(rows[0]).strip()[:40]
    yield broken.guess(edits, 0.95, f"`{text}` is something that a cell has shown, not code.", "pasted output")
