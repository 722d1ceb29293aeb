"""Summaries of pandas tables: what each column is called, its type, and its first values."""

from __future__ import annotations

from typing import Any

from reflex_ipython.capture import libraries, safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline, clip
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr

_COLUMNS, _ROWS = 40, 3  # shown
_COUNTED = 100_000  # missing values are counted in so many cells at most: under a millisecond


def summarize(value: Any, clock: SummaryDeadline) -> tuple[str, tuple[str, ...]] | None:
    """The text and the labels of a DataFrame, Series or Index; None if it is none of these."""
    if (table := libraries.frame(value)) is not None:
        return _frame(table, clock), column_labels(table)
    if (column := libraries.series(value)) is not None:
        return _series(column, clock), index_labels(column.index)
    if (labels := libraries.index(value)) is not None:
        return _index(labels, clock), index_labels(labels)
    return None


def column_labels(table: Any) -> tuple[str, ...]:
    """The names of a DataFrame's columns; of several levels, the first."""
    return index_labels(table.columns)


def index_labels(labels: Any) -> tuple[str, ...]:
    """The strings in an Index, bounded; of several levels, the first one's."""
    if labels.nlevels > 1:
        labels = labels.levels[0]
    return libraries.labels(labels[: libraries.LABELS].tolist()) if _holds_text(labels.dtype) else ()


def _holds_text(dtype: Any) -> bool:
    return dtype.kind == "O" or "categor" in safe_inspection.type_name(dtype).lower()


def _frame(table: Any, clock: SummaryDeadline) -> str:
    labels = table.columns[:_COLUMNS].tolist()
    count = table.shape[0] * table.shape[1] <= _COUNTED
    lines = [f"DataFrame, {libraries.rows_by_columns(table)}", f"index: {_index(table.index, clock)}"]
    for position, label in enumerate(labels):
        if clock.late:
            break
        lines.append(f"{safe_repr(label, ReprBudget(clock))}: {_column(table.iloc[:, position], clock, count)}")
    left_out = table.shape[1] - (len(lines) - 2)
    return "\n".join(lines) + (f"\n… {left_out:,} more columns" if left_out else "")


def _series(column: Any, clock: SummaryDeadline) -> str:
    named = f" named {safe_repr(column.name, ReprBudget(clock))}" if column.name is not None else ""
    text = _column(column, clock, len(column) <= _COUNTED)
    return f"Series of {len(column):,}{named}\nindex: {_index(column.index, clock)}\n{text}"


def _column(column: Any, clock: SummaryDeadline, count: bool) -> str:
    if not _known(column.dtype):
        return clip(safe_inspection.type_name(column.dtype), 60)
    text = f"{clip(str(column.dtype), 60)}; {_first(column.iloc[:_ROWS], clock)}"
    missing = int(column.isna().sum()) if count else 0
    return f"{text}; {missing:,} missing" if missing else text


def _first(values: Any, clock: SummaryDeadline) -> str:
    budget = ReprBudget(clock, text=40, depth=1)
    return ", ".join(safe_repr(value, budget) for value in values.tolist()) or "empty"


def _index(labels: Any, clock: SummaryDeadline) -> str:
    kind = safe_inspection.type_name(labels).rpartition(".")[2]
    if not _known(labels.dtype):
        return f"{kind} of {len(labels):,}"
    more = ", …" if len(labels) > _ROWS else ""
    return f"{kind} of {len(labels):,} ({_first(labels[:_ROWS], clock)}{more})"


def _known(dtype: Any) -> bool:
    """Whether the column's own code is numpy's or pandas': only then its values are touched."""
    return safe_inspection.type_name(dtype).partition(".")[0] in ("numpy", "pandas")
