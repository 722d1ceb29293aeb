"""Columns of dates that are compared with a number, or with a day that is written otherwise."""

from __future__ import annotations

import ast
import datetime
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.cleaning import date_formats
from reflex_ipython.propose.rules.science.scene import Scene, answers

_YEARS = range(1800, 2200)


def _other_side(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["day"] > 20240501`: `df["day"] > "2024-05-01"`; `df["day"] == 2024`: `df["day"].dt.year == 2024`."""
    for node in scene.every(ast.Compare):
        if len(node.ops) != 1:
            continue
        for dates, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            if isinstance(other, ast.Constant) and not isinstance(dates, ast.Constant):
                yield from _compared(scene, dates, other, single="Timestamp'" in found.string)


def _compared(scene: Scene, dates: ast.expr, other: ast.Constant, *, single: bool) -> Iterator[Proposal]:
    value, column = other.value, scene.operand(dates)
    for day, prior in _as_day(value):
        why = f"`{scene.text(dates)}` holds dates; `{scene.text(other)}` as a date is {day}."
        pd, imports = scene.module("pandas") if single else ("", [])
        edit = scene.put(other, f'{pd}.Timestamp("{day}")' if single else f'"{day}"')
        yield scene.proposal([edit, *imports], why, "date to compare with", prior)
    index = scene.type(dates) == "DatetimeIndex" or (isinstance(dates, ast.Attribute) and dates.attr == "index")
    dt = "" if single or index else ".dt"
    for part, prior in _as_part(value):
        why = f"`{scene.text(dates)}` holds dates; `{part}` is the part of them that `{scene.text(other)}` is about."
        yield scene.proposal([scene.put(dates, f"{column}{dt}.{part}")], why, "part of a date", prior)


def _as_day(value: object) -> Iterator[tuple[str, float]]:
    """The day that a number or a text is, as an ISO date."""
    if isinstance(value, int) and not isinstance(value, bool) and len(str(value)) == 8:
        try:
            yield datetime.datetime.strptime(str(value), "%Y%m%d").date().isoformat(), 0.9
        except ValueError:
            return
    elif isinstance(value, str):
        formats = date_formats([value])
        for place, pattern in enumerate(formats[:2]):
            try:
                day = datetime.datetime.strptime(value, pattern).date().isoformat()
            except ValueError:
                continue
            yield day, 0.85 if len(formats) == 1 else 0.6 if place == 0 else 0.45


def _as_part(value: object) -> Iterator[tuple[str, float]]:
    """The part of a date that a number may be about."""
    if isinstance(value, int) and not isinstance(value, bool):
        if value in _YEARS:
            yield "year", 0.88
        elif 1 <= value <= 12:
            yield "month", 0.45
        if 1 <= value <= 31:
            yield "day", 0.4
        if 0 <= value <= 23:
            yield "hour", 0.3


date_comparisons: Rule = answers(
    "date_comparisons",
    (r"Invalid comparison between dtype=(?:datetime64|period)\S* and|Invalid comparison between dtype=datetime64"
     r"|not supported between instances of 'Timestamp' and '(?:int|str)'"
     r"|not supported between instances of '(?:int|str)' and 'Timestamp'", _other_side),
)  # fmt: skip

RULES = (date_comparisons,)
