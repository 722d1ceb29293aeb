"""Columns of text that should be dates, and the formats that dates are written in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.science.cleaning import date_formats
from reflex_ipython.propose.rules.science.scene import Scene, called, keyword


def date_accessor(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["day"].dt.year` of texts: `pd.to_datetime(df["day"]).dt.year`, wherever the cell asks for it."""
    failing = {ast.unparse(node.value) for node in scene.every(ast.Attribute) if node.attr == "dt"}
    if len(failing) != 1:
        return
    nodes = [n for n in scene.cell.every(ast.Attribute) if n.attr == "dt" and ast.unparse(n.value) in failing]
    pd, imports = scene.module("pandas")
    owner = nodes[0].value
    if isinstance(owner, ast.BinOp):
        sides = [scene.put(one, f"{pd}.to_datetime({scene.text(one)})") for one in (owner.left, owner.right)]
        yield scene.proposal([*sides, *imports], "Dates are needed on both sides.", "text as dates", 0.85)
        return
    samples = scene.samples(owner)
    formats = date_formats(samples) if samples else []
    ways = [("", 0.86)]
    if len(formats) > 1 and formats[0].startswith("%d") and any(one.startswith("%m") for one in formats):
        ways = [("", 0.55), (", dayfirst=True", 0.5)]
    elif formats and formats[0].startswith("%d") and not any(one.startswith("%m") for one in formats):
        ways = [(", dayfirst=True", 0.9), ("", 0.4)]
    for more, prior in ways:
        edits = [scene.put(node.value, f"{pd}.to_datetime({scene.text(node.value)}{more})") for node in nodes]
        why = f"`{scene.text(owner)}` holds no dates yet; `to_datetime` makes dates of its values."
        yield scene.proposal([*edits, *imports], why, "text as dates", prior)


def dates(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`pd.to_datetime(texts)`: the one format that fits them all."""
    value = _bad_value(found)
    for call in scene.calls("to_datetime", "DatetimeIndex", "Timestamp"):
        if called(call) != "to_datetime" or not call.args:
            continue
        given = keyword(call, "format")
        drop = [scene.without(call, given)] if given else []
        samples = list(scene.samples(call.args[0])) or ([value] if value else [])
        texts = list(dict.fromkeys([*samples, *([value] if value in samples or not samples else [])]))
        tried = [one for one in date_formats(texts) if texts] if texts else []
        more = [one for one in (date_formats([value]) if value else []) if one not in tried]
        for formats, prior in ((tried, 0.88), (more, 0.85)):
            for place, pattern in enumerate(formats[:3]):
                text = f'format="{pattern}"'
                edits = [SpanEdit(*scene.cell.span(given), text)] if given else [scene.argument(call, text)]
                why = f"Every value reads as `{pattern}`, as {value or texts[0]!r} does."
                yield scene.proposal(edits, why, "format of the dates", prior if place == 0 else 0.6)
        beside_iso = _separator_beside_iso(texts, found.string)
        iso = all(re.match(r"\d{4}-\d\d", one) for one in texts) and bool(texts)
        for text, prior, why in (
            ('format="ISO8601"', 0.8, "The dates are ISO dates of several lengths."),
            ('format="mixed"', 0.62 if not tried and not iso else 0.38,
             "The dates are written in several ways; each is read by itself, with the month first if both could be."),
            *([] if beside_iso else [
                ('format="mixed", dayfirst=True', 0.33, "The dates are written in several ways, with the day first."),
            ]),
            ('errors="coerce"', 0.42 if any(one.isdigit() for one in value) else 0.7,
             f"{value!r} is no date that can be read; it becomes a missing one."),
        ):  # fmt: skip
            if given and "format" in text:
                yield scene.proposal([SpanEdit(*scene.cell.span(given), text)], why, "format of the dates", prior)
            elif given:
                yield scene.proposal([scene.argument(call, text)], why, "format of the dates", prior)
            else:
                yield scene.proposal([scene.argument(call, text)], why, "format of the dates", prior)
        if beside_iso and scene.is_column(call.args[0]):
            written = f'{scene.text(call.args[0])}.str.replace(r"^(\\d+){re.escape(beside_iso)}(\\d+)'
            written += f'{re.escape(beside_iso)}(\\d{{4}})", r"\\3-\\2-\\1", regex=True)'
            why = f"`{_day_first(beside_iso)}` becomes `year-month-day`, as the others are written."
            yield scene.proposal([scene.put(call.args[0], written), *drop], why, "format of the dates", 0.33)
        if drop:
            yield scene.proposal(
                drop, "Without `format` pandas finds it out.", "format of the dates", 0.41 if tried else 0.7
            )
        if value.isdigit() and len(value) in (10, 13):
            unit, pd = ("s" if len(value) == 10 else "ms"), scene.module("pandas")[0]
            text = f"{pd}.to_numeric({scene.text(call.args[0])})"
            merged = [scene.put(call.args[0], f'{text}, unit="{unit}"')]
            why = f"`{value}` counts the {'seconds' if unit == 's' else 'milliseconds'} since 1970."
            yield scene.proposal(merged, why, "time stamps", 0.9)


def _separator_beside_iso(texts: list[str], message: str) -> str:
    """What separates day, month and year of those dates of a column that are not ISO dates, as others there are.

    With `dayfirst=True` pandas takes the month and the day of an ISO date for each other.
    """
    iso = any(re.match(r"\d{4}-\d", one) for one in texts) or 'match format "%Y-' in message
    others = (re.match(r"\d{1,2}([/.-])\d{1,2}\1\d{4}", one) for one in texts)
    return next((one[1] for one in others if one), "") if iso else ""


def _day_first(separator: str) -> str:
    return separator.join(("day", "month", "year"))


def _bad_value(found: re.Match[str]) -> str:
    for pattern in (r'time data "(.*?)" doesn', r"year (\d+) is out of range",
                    r"Unknown datetime string .*: (.*?)(?:,|$)",
                    r"datetime string.*: '?(.*?)'?(?:,|$)"):  # fmt: skip
        if one := re.search(pattern, found.string):
            return one[1]
    return ""
