"""The history as a table, and one repair with all that is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from reflex_ipython.models import Fix, Repair
from reflex_ipython.present.amounts import duration
from reflex_ipython.present.clock import local_time
from reflex_ipython.present.notice import Tone
from reflex_ipython.present.page import as_html, text
from reflex_ipython.present.printable import one_line
from reflex_ipython.present.report import cell_name, report

if TYPE_CHECKING:
    from rich.console import RenderableType

NOTHING = "The history is empty. When a cell fails, the proposed fix and what became of it will be listed here."
NONE_MEANT = "No repair fits all of that. `%reflex history` without options lists the latest."
MORE = "%reflex show ID shows everything about one repair; the first characters of its ID are enough."
COLUMNS = ("ID", "When", "Cell", "Error", "Fix", "Decision", "Re-run")


@dataclass(frozen=True)
class Row:
    """One repair in a line, in the order of `COLUMNS`. `tone` is that of the last column."""

    cells: tuple[str, ...]
    tone: Tone = "plain"


def rows(repairs: Sequence[Repair], now: datetime | None = None) -> list[Row]:
    """The repairs in lines.

    Parameters
    ----------
    repairs : sequence of Repair
        In the order in which they are shown.
    now : datetime or None
        The time now, with a time zone. None: the computer's.
    """
    return [_row(repair, now) for repair in repairs]


def history_table(repairs: Sequence[Repair], now: datetime | None = None) -> RenderableType:
    """The history for a terminal, to be printed on a rich console."""
    from reflex_ipython.present.table import terminal_table  # rich: 0.1 s to import

    return terminal_table(COLUMNS, rows(repairs, now), MORE) if repairs else NOTHING


def history_html(repairs: Sequence[Repair], now: datetime | None = None) -> str:
    """The history as static HTML."""
    if not repairs:
        return f"<p>{NOTHING}</p>"
    head = "".join(f'<th style="text-align:left">{name}</th>' for name in COLUMNS)
    body = "".join(f"<tr>{''.join(_html_cells(row))}</tr>" for row in rows(repairs, now))
    more = f'<p style="opacity:.75">{MORE}</p>'
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def repair_report(repair: Repair, now: datetime | None = None) -> RenderableType:
    """All of one repair for a terminal, to be printed on a rich console."""
    from reflex_ipython.present.terminal import page  # rich: 0.1 s to import

    return page(report(repair, now))


def repair_report_html(repair: Repair, now: datetime | None = None) -> str:
    """All of one repair as static HTML."""
    return as_html(report(repair, now))


def _row(repair: Repair, now: datetime | None) -> Row:
    decision = repair.decision
    fix = repair.fix(decision.fix_id if decision else None) or next(iter(repair.fixes), None)
    outcome, tone = _outcome(repair)
    cells = (
        repair.id,
        local_time(repair.cause.at, now, brief=True),
        cell_name(repair.situation.cell),
        repair.cause.title,
        _fix(repair, fix),
        decision.kind if decision else "open",
        outcome,
    )
    return Row(tuple(one_line(cell, 80) for cell in cells), tone)


def _fix(repair: Repair, fix: Fix | None) -> str:
    """Where the accepted or first fix comes from; of several that may be meant, that they are."""
    if fix is None:
        return "—"
    if not repair.is_choice:
        return fix.origin
    count = len(repair.fixes)
    if count == 1:
        return f"{fix.origin} (unsure)"
    return f"{fix.origin} (chosen of {count})" if repair.applied else f"{count} to choose from"


def _outcome(repair: Repair) -> tuple[str, Tone]:
    rerun = repair.rerun
    if rerun is None:
        return "—", "plain"
    if rerun.succeeded:
        return f"✓ {duration(rerun.seconds)}", "good"
    return f"✗ {rerun.ename}", "bad"


def _html_cells(row: Row) -> Iterator[str]:
    for name, cell in zip(COLUMNS, row.cells):
        shown = f"<code>{text(cell)}</code>" if name == "ID" else text(cell)
        wrap = "" if name in ("Error", "Fix") else ";white-space:nowrap"
        yield f'<td style="text-align:left{wrap}">{shown}</td>'
