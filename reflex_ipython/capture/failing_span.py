"""Where the expression that failed stands in the text that ran."""

from __future__ import annotations

import ast
import itertools
import sys
from types import TracebackType

from reflex_ipython.capture.bounds import attempt

if sys.version_info < (3, 11):  # code does not say where its instructions come from: they are looked for in the text
    from stack_data.core import Source  # IPython's: what it has looked for itself, for the traceback, is known

_LONGEST = 20_000
"""Characters of a text that an instruction is looked for in: it takes up to half a second, where IPython has not looked
for it itself, to draw the traceback."""


def failing_span(entry: TracebackType, text: str) -> tuple[int, int, int, int] | None:
    """First line, last line, first column, last column (UTF-8 bytes, from 0), as in `ast`; None if it is not known.

    Parameters
    ----------
    entry : TracebackType
        One of a traceback.
    text : str
        What ran; empty for a library's.
    """
    if sys.version_info < (3, 11):
        return attempt(None, _found_in_text, entry) if 0 < len(text) <= _LONGEST else None
    if entry.tb_lasti < 0:
        return None
    positions = entry.tb_frame.f_code.co_positions()
    found = next(itertools.islice(positions, entry.tb_lasti // 2, None), (None,))
    return None if None in found else found  # type: ignore[return-value,unused-ignore]  # four numbers, as just checked


if sys.version_info < (3, 11):

    def _found_in_text(entry: TracebackType) -> tuple[int, int, int, int] | None:
        found = Source.executing(entry)
        node = found.decorator or found.node
        if not isinstance(node, (ast.expr, ast.stmt)) or node.end_lineno is None or node.end_col_offset is None:
            return None
        return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
