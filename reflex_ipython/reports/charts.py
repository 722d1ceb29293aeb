"""The charts of the page, as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from reflex_ipython.models import Tally
from reflex_ipython.reports.statistics import Figures, by, most_often_wrong

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"  # a name, which nothing fetches
_OUTCOMES = ("accepted", "edited", "rejected", "undone", "failed", "superseded", "open", "no fix")
_COLOURS = ("#2da44e", "#8fce9f", "#e5534b", "#bf8700", "#a40e26", "#8c959f", "#4078c0", "#afb8c1")
_DAYS = 60
"""From so many days on, success is shown by the week."""
_ROWS = 12
"""Values that a chart shows."""


def charts(tallies: Sequence[Tally]) -> list[tuple[str, dict[str, Any]]]:
    """Titles and specifications; none of what there is nothing to show of."""
    days = by("all", _by_week(tallies) if len({each.period for each in tallies}) > _DAYS else tallies, periods=True)
    found = [("Success over time", _over_time(days))] if any(day.share is not None for day in days) else []
    for title, dimension in (("exception", "ename"), ("provider", "provider"), ("rule", "rule"), ("model", "model")):
        figures = by(dimension, tallies)[:_ROWS]
        found += [(f"What became of repairs, by {title}", _outcomes(figures))] if figures else []
    models = [one for one in by("model", tallies) if one.repairs][:_ROWS]
    found += [("Seconds to a fix, by model", _bars(models, "seconds"))] if models else []
    found += [("Tokens to a fix, by model", _bars(models, "tokens"))] if models else []
    wrong = most_often_wrong(tallies)[:_ROWS]
    return [*found, ("Rules that are wrong most", _wrong(wrong))] if wrong else found


def _by_week(tallies: Sequence[Tally]) -> list[Tally]:
    """The same with the Monday in place of each day: of many days, one says too little."""
    found = []
    for tally in tallies:
        day = date.fromisoformat(tally.period) if tally.dimension == "all" else None
        monday = day - timedelta(day.weekday()) if day is not None else None
        found.append(replace(tally, period=monday.isoformat()) if monday is not None else tally)
    return found


def _over_time(days: Sequence[Figures]) -> dict[str, Any]:
    values = [{"day": day.value, "share": day.share, "repairs": day.repairs} for day in days if day.share is not None]
    return {
        **_spec(values),
        "mark": {"type": "line", "point": True},
        "height": 200,
        "encoding": {
            "x": {"field": "day", "type": "temporal", "title": None},
            "y": {
                "field": "share",
                "type": "quantitative",
                "title": "share of decided fixes that were right",
                "axis": {"format": "%"},
                "scale": {"domain": [0, 1]},
            },
            "tooltip": [{"field": name} for name in ("day", "share", "repairs")],
        },
    }


def _outcomes(figures: Sequence[Figures]) -> dict[str, Any]:
    values = [
        {"value": one.value, "outcome": outcome, "repairs": count, "order": _OUTCOMES.index(outcome)}
        for one in figures
        for outcome, count in one.outcomes.items()
        if outcome in _OUTCOMES
    ]
    there = [each for each in _OUTCOMES if any(value["outcome"] == each for value in values)]
    colour = {
        "field": "outcome",
        "scale": {"domain": there, "range": [_COLOURS[_OUTCOMES.index(each)] for each in there]},
        "legend": {"orient": "bottom", "title": None, "columns": 4},
    }
    return {
        **_spec(values),
        "mark": "bar",
        "encoding": {
            "y": {"field": "value", "type": "nominal", "title": None, "sort": [one.value for one in figures]},
            "x": {"field": "repairs", "type": "quantitative", "title": "repairs", "axis": {"tickMinStep": 1}},
            "color": colour,
            "order": {"field": "order"},
            "tooltip": [{"field": name} for name in ("value", "outcome", "repairs")],
        },
    }


def _bars(figures: Sequence[Figures], what: str) -> dict[str, Any]:
    values = [{"value": one.value, "each": round(getattr(one, what) / one.repairs, 2)} for one in figures]
    return {
        **_spec(values),
        "mark": "bar",
        "encoding": {
            "y": {"field": "value", "type": "nominal", "title": None, "sort": "-x"},
            "x": {"field": "each", "type": "quantitative", "title": f"{what} a repair"},
            "tooltip": [{"field": "value"}, {"field": "each", "title": what}],
        },
    }


def _wrong(figures: Sequence[Figures]) -> dict[str, Any]:
    values = [{"value": one.value, "wrong": one.wrong, "right": one.right} for one in figures]
    return {
        **_spec(values),
        "mark": "bar",
        "encoding": {
            "y": {"field": "value", "type": "nominal", "title": None, "sort": "-x"},
            "x": {"field": "wrong", "type": "quantitative", "title": "rejected, undone or failed"},
            "tooltip": [{"field": name} for name in ("value", "wrong", "right")],
        },
    }


def _spec(values: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "$schema": _SCHEMA,
        "width": "container",
        "data": {"values": values},
        "autosize": {"type": "fit-x", "contains": "padding"},
    }
