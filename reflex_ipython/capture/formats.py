"""The distinct formats of a text column that could not be converted: the values that a sample of three rows hides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from reflex_ipython.capture import chain, libraries, statement
from reflex_ipython.capture.bounds import clip
from reflex_ipython.capture.secrets.words import family
from reflex_ipython.capture.tables import column_labels
from reflex_ipython.capture.trace import Step, user_step

_CONVERSION = re.compile(
    r"convert|parse|time data|isoformat|invalid literal|unconverted data|match format|Unknown datetime", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d]\w*")
_LOOKED_AT = 2_000
_FORMATS, _LENGTH = 8, 40
_COLUMNS = 20
_WRITTEN = (ast.Name, ast.Attribute, ast.Subscript)


def text_formats(exc: BaseException, steps: list[Step]) -> tuple[str, ...]:
    """One example of each format in the text columns that the failing statement names, a line for each column.

    Parameters
    ----------
    exc : BaseException
        Of any kind: one that says nothing of a conversion gives nothing.
    steps : list of Step
        Its traceback.
    """
    step = user_step(steps)
    if step is None or not isinstance(exc, (ValueError, TypeError)) or not _CONVERSION.search(chain.message(exc)):
        return ()
    found = dict(_columns(step))
    told = {written: _examples(column) for written, column in found.items() if not _is_secret(written, column)}
    return tuple(
        f"{written} has texts in {len(texts)} formats, such as {', '.join(texts)}"
        for written, texts in told.items()
        if len(texts) > 1
    )


def _columns(step: Step) -> Iterator[tuple[str, Any]]:
    """The text columns in the failing statement, as the user wrote them; all of a table that is named as a whole."""
    nodes = [part for node in statement.failing(step) for part in ast.walk(node)]
    columns = {node: libraries.series(statement.evaluate(node, step)) for node in nodes if isinstance(node, _WRITTEN)}
    inside = {part for node, column in columns.items() if column is not None for part in list(ast.walk(node))[1:]}
    for node, column in columns.items():
        if column is not None and node not in inside:
            yield statement.write(node), column
        table = libraries.frame(statement.evaluate(node, step)) if isinstance(node, ast.Name) else None
        if table is not None and node not in inside:
            for label in column_labels(table)[:_COLUMNS]:
                yield f"{statement.write(node)}[{label!r}]", statement.evaluate(_item(node, label), step)


def _is_secret(written: str, column: Any) -> bool:
    """Whether a name of the column announces secrets: beyond the rows of its summary nobody would find them again."""
    column = libraries.series(column)
    name = getattr(column, "name", None)
    return any(family(word) for word in [*_WORD.findall(written), *([name] if type(name) is str else [])])


def _item(node: ast.expr, label: str) -> ast.Subscript:
    return ast.Subscript(node, ast.Constant(label), ast.Load())


def _examples(column: Any) -> list[str]:
    """The first text of each format among the first rows, in their order."""
    column = libraries.series(column)
    if column is None or (getattr(column.dtype, "kind", "") not in "OT" and "str" not in str(column.dtype)):
        return []
    found: dict[str, str] = {}
    for value in column.iloc[:_LOOKED_AT].tolist():
        if type(value) is str:
            found.setdefault(_format(value), repr(clip(value, _LENGTH)))
            if len(found) == _FORMATS:
                break
    return list(found.values())


def _format(text: str) -> str:
    """The text without what differs from one value of a format to the next."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", text[:100]))
