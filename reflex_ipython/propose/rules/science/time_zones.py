"""Dates with and without a time zone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.science.scene import Scene


def zones(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Dates with and without a zone: those without take the zone of the others."""
    pairs = [(node.left, node.right) for node in scene.every(ast.BinOp)]
    pairs += [(node.left, node.comparators[0]) for node in scene.every(ast.Compare)]
    for left, right in pairs:
        if isinstance(left, ast.Constant) or isinstance(right, ast.Constant):
            continue
        for naive, aware in ((left, right), (right, left)):
            if _has_zone(scene, naive) is True or _has_zone(scene, aware) is False:
                continue
            one, other = scene.operand(naive), scene.operand(aware)
            python = scene.type(naive) == "datetime" or "offset-naive" in found.string
            zone = f"{other}.dt.tz" if scene.is_column(aware) else f"{other}.tzinfo" if python else f"{other}.tz"
            naive_dt = ".dt" if scene.is_column(naive) else ""
            aware_dt = ".dt" if scene.is_column(aware) else ""
            new = f"{one}.replace(tzinfo={zone})" if python else f"{one}{naive_dt}.tz_localize({zone})"
            why = f"`{scene.text(naive)}` has no time zone, `{scene.text(aware)}` has one; both need one."
            yield scene.proposal([scene.put(naive, new)], why, "time zone of the other", 0.66)
            new = f"{other}.replace(tzinfo=None)" if python else f"{other}{aware_dt}.tz_localize(None)"
            why = f"`{scene.text(naive)}` has no time zone; `{scene.text(aware)}` loses its own."
            yield scene.proposal([scene.put(aware, new)], why, "without time zones", 0.4)
    days = [one for pair in pairs for one in pair if scene.type(one) == "date"]
    days += [
        one
        for pair in pairs
        for one in pair
        if isinstance(one, ast.Call) and scene.meaning(one.func) == "datetime.date"
    ]
    pd, imports = scene.module("pandas")
    for date in days:
        edits = [scene.put(date, f"{pd}.Timestamp({scene.text(date)})"), *imports]
        why = f"`{scene.text(date)}` is a date without a time; as a `Timestamp` it can be compared."
        yield scene.proposal(edits, why, "date as a timestamp", 0.9)


def _has_zone(scene: Scene, node: ast.expr) -> bool | None:
    value = scene.value(node)
    if value is not None and value.type.rpartition(".")[2] in ("Timestamp", "datetime"):
        return bool(re.search(r"[+-]\d\d:\d\d|with time zone", value.text))
    column = scene.column(node)
    return ", " in column.partition(";")[0] if column.startswith("datetime64") else None


def zone_methods(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    naive = "tz-naive" in found.string
    for call in scene.calls("tz_convert" if naive else "tz_localize"):
        assert isinstance(call.func, ast.Attribute)
        owner, end = call.func.value, scene.cell.span(call.func)[1]
        if not naive:
            edit = SpanEdit(end - len("tz_localize"), end, "tz_convert")
            why = "The times have a zone already; `tz_convert` tells them in another."
            yield scene.proposal([edit], why, "conversion of the zone", 0.92)
            continue
        accessor = ".dt" if isinstance(owner, ast.Attribute) and owner.attr == "dt" else ""
        text = f'{scene.text(owner)}.tz_localize("UTC"){accessor}'
        why = "The times have no zone; first they are given one, UTC, then converted."
        yield scene.proposal([scene.put(owner, text)], why, "zone of the times", 0.55)
        edit = SpanEdit(end - len("tz_convert"), end, "tz_localize")
        yield scene.proposal(
            [edit], "The times have no zone; `tz_localize` gives them this one.", "zone of the times", 0.5
        )
