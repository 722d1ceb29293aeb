"""Methods that a Series applies to its index, and that are meant for its values: `column.dt.to_period`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, owner_of

_METHODS = ("to_period", "to_timestamp", "tz_localize", "tz_convert")


def _dates(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["day"].to_period("M")`: `df["day"].dt.to_period("M")`."""
    for call in scene.calls(*_METHODS):
        owner = owner_of(call)
        if owner is None or not scene.is_column(owner):
            continue
        end = scene.cell.span(owner)[1]
        text, method = scene.text(owner), called(call)
        if re.match(r"datetime64|period", scene.column(owner)):
            why = f"`{method}` of a column works on the labels of its rows; `.dt` has it work on the dates in `{text}`."
            yield scene.proposal([SpanEdit(end, end, ".dt")], why, "dates of the column", 0.93)
        elif re.match(r"str|object", scene.column(owner)):
            pd, imports = scene.module("pandas")
            why = f"`{text}` holds dates as text: `to_datetime` makes dates of them, and `.dt` works on those."
            edits = [scene.put(owner, f"{pd}.to_datetime({text}).dt"), *imports]
            yield scene.proposal(edits, why, "dates of the column", 0.88)


values_of_dates: Rule = answers(
    "values_of_dates",
    (r"unsupported Type \w*Index|index is not a valid DatetimeIndex or PeriodIndex|unsupported Type Index", _dates),
)

RULES = (values_of_dates,)
