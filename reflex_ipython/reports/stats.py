"""`%reflex stats`: the figures as tables of text and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reflex_ipython.models import Tally
from reflex_ipython.present.page import text
from reflex_ipython.present.printable import one_line
from reflex_ipython.reports.page import figures_line
from reflex_ipython.reports.statistics import Figures, by, in_all

_ROWS = 10
_BY = {"ename": "exception", "provider": "provider", "rule": "rule", "model": "model"}
_COLUMNS = ("", "repairs", "right", "wrong", "share right", "seconds", "tokens")
_WIDTHS = (23, 9, 7, 7, 13, 9, 9)
"""Of the columns in a terminal, which may have 80."""


def stats_table(tallies: Sequence[Tally]) -> str:
    """The figures for a terminal."""
    lines = [figures_line(in_all(tallies))]
    for name, rows in _tables(tallies):
        lines += ["", f"By {name}:", _line(_COLUMNS), *(_line(row) for row in rows)]
    return "\n".join(lines)


def stats_html(tallies: Sequence[Tally]) -> str:
    """The figures as static HTML."""
    parts = [f"<p>{text(figures_line(in_all(tallies)))}</p>"]
    for name, rows in _tables(tallies):
        head = "".join(f'<th style="text-align:left">{text(each)}</th>' for each in (f"By {name}", *_COLUMNS[1:]))
        cells = ("".join(f'<td style="text-align:left">{text(each)}</td>' for each in row) for row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    return "".join(parts)


def _tables(tallies: Sequence[Tally]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    for dimension, name in _BY.items():
        figures = by(dimension, tallies)[:_ROWS]
        if figures:
            yield name, [_row(one) for one in figures]


def _row(figures: Figures) -> tuple[str, ...]:
    share = "–" if figures.share is None else f"{figures.share:.0%}"
    seconds, tokens = (f"{figures.seconds:.1f}", str(figures.tokens)) if figures.tokens else ("–", "–")
    counts = map(str, (figures.repairs, figures.right, figures.wrong))
    return one_line(figures.value, 40), *counts, share, seconds, tokens


def _line(row: Sequence[str]) -> str:
    first, *others = row
    name, *widths = _WIDTHS
    return f"  {one_line(first, name):<{name}}" + "".join(f"{each:>{wide}}" for each, wide in zip(others, widths))
