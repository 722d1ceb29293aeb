"""The page: one HTML file that opens without a network, with figures, charts and a table that can be filtered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from reflex_ipython.models import RepairSummary, Tally
from reflex_ipython.present.printable import printable
from reflex_ipython.reports.charts import charts
from reflex_ipython.reports.statistics import Figures, in_all

ROWS = 5_000
"""Repairs that the table has; the figures and charts are of all."""
DETAILED, LONGEST = 500, 8_000_000
"""The latest repairs that have their details in the page, and the characters of all these: it is to open at once."""
_STATIC = Path(__file__).parent / "static"
_FIELDS = ("at", "notebook", "ename", "title", "provider", "rule", "model", "outcome", "id")


def page(
    lines: Sequence[RepairSummary], tallies: Sequence[Tally], charts_script: str, logs: Mapping[str, str] | None = None
) -> str:
    """The page.

    Parameters
    ----------
    lines : sequence of RepairSummary
        The latest repairs, the latest first.
    tallies : sequence of Tally
        What was counted of all.
    charts_script : str
        JavaScript that defines `vegaEmbed`, as a module's text; empty: figures and table only.
    logs : mapping of str to str
        Details of repairs by their ids, as Markdown.
    """
    drawn = charts(tallies) if charts_script else []
    data = {
        "rows": [[printable(str(getattr(line, name))) for name in _FIELDS] for line in lines[:ROWS]],
        "charts": [spec for _, spec in drawn],
        "logs": dict(logs or {}),
    }
    places = "".join(
        f'<figure><figcaption>{escape(title)}</figcaption><div class="chart" id="chart-{number}"></div></figure>'
        for number, (title, _) in enumerate(drawn)
    )
    template = (_STATIC / "report.html").read_text(encoding="utf-8")
    parts = {
        "STYLE": (_STATIC / "report.css").read_text(encoding="utf-8"),
        "FIGURES": _figures(in_all(tallies), len(lines)),
        "CHARTS": places,
        "DATA": _json(data),
        "LIBRARY": charts_script.replace("</script", "<\\/script"),
        "SCRIPT": (_STATIC / "report.js").read_text(encoding="utf-8"),
    }
    pieces = template.split("@@")  # what is put in is never looked through again
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def figures_line(figures: Figures) -> str:
    """`120 repairs: 80 accepted, 5 edited, …; 92 % of the decided fixes were right`."""
    if not figures.repairs:
        return "No repairs yet. When a cell fails, what became of it is counted here."
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(figures.outcomes.items(), key=lambda one: -one[1]))
    share = "" if figures.share is None else f"; {figures.share:.0%} of the decided fixes were right"
    took = f"; models took {figures.seconds:.0f} s and {figures.tokens} tokens" if figures.tokens else ""
    return f"{figures.repairs} {'repair' if figures.repairs == 1 else 'repairs'}: {outcomes}{share}{took}."


def _figures(figures: Figures, listed: int) -> str:
    more = ""
    if figures.repairs > min(listed, ROWS):
        more = f" The table has the latest {min(listed, ROWS)}; the charts are of all."
    return escape(figures_line(figures) + more)


def _json(data: dict[str, Any]) -> str:
    """As it can stand in a script: no text in it ends that."""
    return json.dumps(data).replace("<", "\\u003c").replace("\u2028", "\\u2028")
