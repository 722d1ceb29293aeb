"""Tables of texts, and how they look in Markdown and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class TextTable:
    """A table of texts. `numbers`: which columns have numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: range = range(0)


def markdown_table(table: TextTable) -> Iterator[str]:
    """Its lines in Markdown."""
    rules = ("---:" if number in table.numbers else "---" for number in range(len(table.columns)))
    yield from (_markdown_row(row) for row in (table.columns, tuple(rules), *table.rows))


def html_table(table: TextTable) -> str:
    """The same in HTML, which only shows the texts."""
    head = "".join(f"<th>{escape(text)}</th>" for text in table.columns)
    rows = "".join(f"<tr>{''.join(_html_cell(table, row))}</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _html_cell(table: TextTable, row: Sequence[str]) -> Iterator[str]:
    for number, text in enumerate(row):
        style = ' style="text-align:right"' if number in table.numbers else ""
        yield f"<td{style}>{escape(text)}</td>"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(' '.join(text.split()).replace('|', chr(92) + '|') for text in cells)} |"
