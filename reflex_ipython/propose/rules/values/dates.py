"""Dates as text, with and without a time, with and without a time zone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.article import a
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.date_formats import formats_of, is_date_text, order_of
from reflex_ipython.propose.rules.values.operators import operations
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short
from reflex_ipython.propose.rules.values.types import NUMBERS

_NO_MATCH = re.compile(r"time data '(.*)' does not match format '(.*)'", re.DOTALL)
_REST = re.compile(r"unconverted data remains: (.*)", re.DOTALL)
_ISO = re.compile(r"Invalid isoformat string: '(.*)'", re.DOTALL)
_NO_ORDER = re.compile(r"'(?:<|>|<=|>=)' not supported between instances of '([\w.]+)' and '([\w.]+)'")
_NUMBER_BESIDE = re.compile(r"with (?:Timestamp|DatetimeArray|DatetimeIndex) is no longer supported")
_MIXED = re.compile(
    r"can't compare (datetime\.datetime) to (datetime\.date)|can't compare (datetime\.date) to (datetime\.datetime)"
)
_AWARE = re.compile(r"can't (?:compare|subtract) offset-naive and offset-aware datetimes")
_NO_ATTRIBUTE = re.compile(r"'str' object has no attribute '(\w+)'")
_NOT_TEXT = re.compile(r"strptime\(\) argument 1 must be str, not ([\w.]+)")
_DATES = frozenset(
    {"datetime.datetime", "datetime.date", "pandas.Timestamp", "pandas._libs.tslibs.timestamps.Timestamp"}
)
_OF_DATES = frozenset(
    {
        "strftime",
        "year",
        "month",
        "day",
        "hour",
        "minute",
        "second",
        "date",
        "time",
        "weekday",
        "isoweekday",
        "timestamp",
    }
    | {"isocalendar", "timetuple", "isoformat", "days", "day_name", "month_name", "dayofweek", "tzinfo", "astimezone"}
)


def wrong_format(failure: Failure) -> Iterator[Proposal]:
    """`strptime("05/03/2024", "%Y-%m-%d")`: the formats that fit the text."""
    if failure.error.ename != "ValueError":
        return
    match, rest, iso = (one.match(failure.error.evalue) for one in (_NO_MATCH, _REST, _ISO))
    read = reading(failure) if match or rest or iso else None
    if read is None:
        return
    for call in read.nodes(ast.Call):
        name = read.called(call)
        if name == "strptime" and len(call.args) == 2 and (match or rest):
            text = match[1] if match else read.value(call.args[0])
            wanted = read.value(call.args[1])
            yield from _formats(read, call, text, wanted, rest[1] if rest else "")
        elif name == "fromisoformat" and iso and len(call.args) == 1:
            found = formats_of(iso[1].strip())
            for form in found:
                why = f"{iso[1]!r} is no ISO date; the format `{form}` fits it."
                owner = read.text(call.func).removesuffix("fromisoformat")
                edits = read.replace(call, f'{owner}strptime({read.text(call.args[0])}, "{form}")')
                if owner in ("date.", "datetime.date.", "dt.date."):  # a date has no `strptime` of its own
                    module = owner.removesuffix("date.")
                    name = f"{module}datetime" if module else "datetime"
                    edits = read.replace(call, f'{name}.strptime({read.text(call.args[0])}, "{form}").date()')
                    if not module and read.failure.situation.meanings.get("datetime") != "datetime.datetime":
                        edits = [*edits, import_edit(read.cell, ["from datetime import datetime"])]
                yield from read.propose(edits, why, "format of a date", 0.85 if len(found) == 1 else 0.45)


def _formats(read: Reading, call: ast.Call, text: Any, wanted: Any, rest: str) -> Iterator[Proposal]:
    if type(text) is not str:
        return
    found = formats_of(text.strip())
    if text != text.strip() and type(wanted) is str:
        edits = read.replace(call.args[0], f"{read.atom(call.args[0])}.strip()")
        why = f"{text!r} has spaces around the date; `strip` takes them off."
        yield from read.propose(edits, why, "without spaces", 0.85)
        return
    order = order_of(wanted) if type(wanted) is str else []
    alike = [form for form in found if order_of(form) == order[:3]]
    for form in [*alike, *(one for one in found if one not in alike)][:3]:
        why = f"The text is {text!r}; the format `{form}` fits it."
        sure = len(found) == 1 or form in alike[:1]
        yield from read.propose(
            read.replace(call.args[1], f'"{form}"'),
            why,
            "format of a date",
            0.88 if sure else 0.45 if not alike else 0.2,
        )
    if rest and type(wanted) is str:
        why = f"The format ends before the text does: {rest!r} is left over; this takes it off."
        edits = read.replace(call.args[0], f"{read.atom(call.args[0])}[:-{len(rest)}]")
        yield from read.propose(edits, why, "without the rest", 0.2)


def text_for_date(failure: Failure) -> Iterator[Proposal]:
    """`"2024-01-05".year`, `date - "2024-01-05"`, `date < "2024-01-05"`."""
    error = failure.error
    if error.ename not in ("TypeError", "AttributeError"):
        return
    attribute, order = _NO_ATTRIBUTE.match(error.evalue), _NO_ORDER.fullmatch(error.evalue)
    arithmetic = error.evalue.startswith("unsupported operand type(s) for -: ")
    if not (arithmetic or (attribute and attribute[1] in _OF_DATES) or (order and {order[1], order[2]} & _DATES)):
        return
    read = reading(failure)
    if read is None:
        return
    if attribute:
        for node in read.nodes(ast.Attribute):
            if node.attr == attribute[1] and read.type(node.value) in ("", "str"):
                yield from _parsed(read, [node.value], "datetime.datetime")
    elif order:
        for compared in read.nodes(ast.Compare):
            sides = [compared.left, *compared.comparators]
            texts = [one for one in sides if read.type(one) == "str" or is_date_text(read.value(one))]
            kind = order[1] if order[1] != "str" else order[2]
            yield from _parsed(read, texts[:1], kind)
    else:
        for one in operations(read):
            kinds = [one.left_type, one.right_type]
            values = (read.value(one.left), read.value(one.right))
            if kinds == ["str", "str"] and all(map(is_date_text, values)):
                yield from _parsed(read, [one.left, one.right], "datetime.datetime")
            elif kinds == ["str", "str"] and UNKNOWN in values and read.module("pandas"):
                # Of a column, perhaps: `df["day"].max() - df["day"].min()`. It runs if both texts are dates.
                yield from _parsed(read, [one.left, one.right], "pandas.Timestamp")
            elif "str" in kinds and set(kinds) & _DATES:
                text = one.left if kinds[0] == "str" else one.right
                yield from _parsed(read, [text], kinds[0] if kinds[0] != "str" else kinds[1])


def _parsed(read: Reading, texts: list[ast.expr], kind: str) -> Iterator[Proposal]:
    """Texts as dates, by the format that fits them."""
    values = [read.value(one) for one in texts]
    if not texts or any(type(value) is not str and value is not UNKNOWN for value in values):
        return
    names = " and ".join(f"`{short(read.text(one))}`" for one in texts)
    if kind.startswith("pandas"):
        pandas = read.module("pandas")
        edits = [edit for one in texts for edit in read.wrap(one, f"{pandas or 'pd'}.Timestamp(")]
        imports = () if pandas else ("import pandas as pd",)
        yield from read.propose(
            edits, f"{names} is text; `Timestamp` reads the date in it.", "date of a text", 0.85, imports=imports
        )
        return
    name, more = _datetime(read)
    known = [value for value in values if type(value) is str]
    sets = [formats_of(value.strip()) for value in known]
    common = [form for form in sets[0] if all(form in other for other in sets)] if sets else []
    suffix = ".date()" if kind == "datetime.date" else ""
    iso = bool(known) and all(
        re.fullmatch(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{3,6})?)?)?", one) for one in known
    )
    if iso or not known:
        edits = [edit for one in texts for edit in read.replace(one, f"{name}.fromisoformat({read.text(one)}){suffix}")]
        why = f"{names} is text; `fromisoformat` reads the date in it."
        yield from read.propose(edits, why, "date of a text", 0.85 if iso else 0.5, imports=more)
        return
    for form in common[:3]:
        edits = [e for one in texts for e in read.replace(one, f'{name}.strptime({read.text(one)}, "{form}"){suffix}')]
        why = f"{names} is text; the format `{form}` reads the date in it."
        yield from read.propose(edits, why, "date of a text", 0.85 if len(common) == 1 else 0.45, imports=more)


def _datetime(read: Reading) -> tuple[str, tuple[str, ...]]:
    """How the code calls the class `datetime`, and the import that it needs."""
    return _class(read, "datetime")


def _class(read: Reading, name: str) -> tuple[str, tuple[str, ...]]:
    known = read.module(f"datetime.{name}")
    if known:
        return known, ()
    for node in read.cell.every(ast.ImportFrom):
        for one in node.names:
            if node.module == "datetime" and one.name == name:
                return one.asname or name, ()
    module = read.module("datetime")
    if module:
        return f"{module}.{name}", ()
    return name, (f"from datetime import {name}",)


def dates_of_two_kinds(failure: Failure) -> Iterator[Proposal]:
    """A date and a moment; a moment with a time zone and one without; a date and a number."""
    error = failure.error
    if error.ename != "TypeError":
        return
    mixed, aware = _MIXED.match(error.evalue), _AWARE.match(error.evalue)
    arithmetic = "datetime." in error.evalue and error.evalue.startswith("unsupported operand type(s) for")
    stamp = _NUMBER_BESIDE.search(error.evalue) is not None
    order = _NO_ORDER.fullmatch(error.evalue)
    order = order if order and "datetime." in error.evalue else None
    if not (mixed or aware or arithmetic or stamp or order):
        return
    read = reading(failure)
    if read is None:
        return
    if mixed or aware:
        sides: list[tuple[ast.expr, ast.expr]] = [(one.left, one.comparators[0]) for one in read.nodes(ast.Compare)]
        sides += [(one.left, one.right) for one in read.nodes(ast.BinOp)]
        for left, right in sides:
            yield from _without_time(read, left, right) if mixed else _zoned(read, left, right)
    elif stamp:
        for node in read.nodes(ast.BinOp):
            yield from _days(read, node.right, stamp=True)
    else:
        for one in operations(read):
            kinds = {one.left_type, one.right_type}
            if kinds == {"datetime.datetime", "datetime.date"}:
                yield from _without_time(read, one.left, one.right)
            elif kinds & _DATES and kinds & NUMBERS:
                yield from _days(read, one.right if one.left_type in _DATES else one.left, stamp=False)
            elif "datetime.timedelta" in kinds and kinds & NUMBERS and one.sign in ("+", "-"):
                yield from _days(read, one.right if one.left_type.endswith("delta") else one.left, stamp=False)
        for compared in read.nodes(ast.Compare) if order else ():
            kinds = {order[1], order[2]} if order else set()
            if kinds == {"datetime.datetime", "datetime.date"}:  # as Python puts it since 3.13
                yield from _without_time(read, compared.left, compared.comparators[0])
            if "datetime.timedelta" in kinds and kinds & NUMBERS:
                delta = next(
                    (s for s in (compared.left, compared.comparators[0]) if read.type(s) == "datetime.timedelta"),
                    compared.left,
                )
                why = f"`{short(read.text(delta))}` is a span of time; `days` gives its number of days."
                yield from read.propose(read.replace(delta, f"{read.atom(delta)}.days"), why, "days of a span", 0.6)
                why = f"`{short(read.text(delta))}` is a span of time; `total_seconds` gives its seconds."
                edits = read.replace(delta, f"{read.atom(delta)}.total_seconds()")
                yield from read.propose(edits, why, "seconds of a span", 0.4)


def _without_time(read: Reading, left: ast.expr, right: ast.expr) -> Iterator[Proposal]:
    moments = [one for one in (left, right) if read.type(one) == "datetime.datetime"]
    if not moments:
        calls: list[ast.expr] = [one for one in (left, right) if not read.type(one) and isinstance(one, ast.Call)]
        moments = [
            one for one in calls if re.search(r"\b(?:utc)?now\(\)|datetime\.today\(\)|strptime\(", read.text(one))
        ]
        moments = moments or calls
    for one in moments[:1]:
        why = f"`{short(read.text(one))}` has a time and the other side is a date; `date` leaves the time out."
        yield from read.propose(read.replace(one, f"{read.atom(one)}.date()"), why, "date without time", 0.75)
        name, imports = _datetime(read)
        day = right if one is left else left
        made = f"{name}.combine({read.text(day)}, {name}.min.time())"
        why = f"`{short(read.text(day))}` is a date and the other side has a time; this is the date at midnight."
        yield from read.propose(read.replace(day, made), why, "date at midnight", 0.3, imports=imports)


def _zoned(read: Reading, left: ast.expr, right: ast.expr) -> Iterator[Proposal]:
    """One has a time zone and the other has none."""
    zone, imports = _class(read, "timezone")
    for one in (left, right):
        text = read.text(one)
        if isinstance(one, ast.Call) and text.endswith((".now()", ".utcnow()")):
            start = text.removesuffix("()").removesuffix("utcnow").removesuffix("now")
            why = f"`{short(text)}` has no time zone and the other side has one."
            edits = read.replace(one, f"{start}now({zone}.utc)")
            yield from read.propose(edits, why, "now in UTC", 0.85, imports=imports)
            return
    known = {
        one: "with time zone" in summary.text for one in (left, right) if (summary := read.summary(one)) is not None
    }
    naive = next((one for one, has in known.items() if not has), None)
    aware = next((one for one, has in known.items() if has), None)
    for one in (
        [naive] if naive is not None else [left, right] if aware is None else [left if aware is right else right]
    ):
        why = f"`{short(read.text(one))}` has no time zone and the other side has one; this takes it for UTC."
        edits = read.replace(one, f"{read.atom(one)}.replace(tzinfo={zone}.utc)")
        yield from read.propose(edits, why, "UTC", 0.48, imports=imports)
    for one in (
        [aware] if aware is not None else [left, right] if naive is None else [left if naive is right else right]
    ):
        why = f"`{short(read.text(one))}` has a time zone and the other side has none; this leaves it out."
        edits = read.replace(one, f"{read.atom(one)}.replace(tzinfo=None)")
        yield from read.propose(edits, why, "without a time zone", 0.45)


def _days(read: Reading, number: ast.expr, *, stamp: bool) -> Iterator[Proposal]:
    """A number of days, if not of hours."""
    if stamp:
        pandas = read.module("pandas")
        name = f"{pandas or 'pd'}.Timedelta"
        imports: tuple[str, ...] = () if pandas else ("import pandas as pd",)
    else:
        name, imports = _class(read, "timedelta")
    words = short(read.text(number)).lower()
    if stamp and isinstance(number, (ast.Subscript, ast.Attribute)) and not read.type(number):  # a column of numbers
        why = f"`{short(read.text(number))}` holds numbers; `to_timedelta` makes so many days of each."
        edits = read.replace(number, f'{name.rpartition(".")[0]}.to_timedelta({read.text(number)}, unit="D")')
        yield from read.propose(edits, why, "so many days", 0.75, imports=imports)
    said = next((unit for unit in ("hours", "minutes", "seconds", "weeks", "days") if unit[:-1] in words), None)
    for unit, prior in (("days", 0.7), ("hours", 0.2), ("seconds", 0.15)) if said is None else ((said, 0.9),):
        why = f"`{short(read.text(number))}` is a number; `{name.rpartition('.')[2]}` makes so many {unit} of it."
        edits = read.replace(number, f"{name}({unit}={read.text(number)})")
        yield from read.propose(edits, why, f"so many {unit}", prior, imports=imports)


def date_for_text(failure: Failure) -> Iterator[Proposal]:
    """`strptime` of what is a date already."""
    match = _NOT_TEXT.match(failure.error.evalue) if failure.error.ename == "TypeError" else None
    read = reading(failure) if match else None
    if read is None or match is None:
        return
    for call in read.nodes(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "strptime" and call.args:
            given, text = call.args[0], short(read.text(call.args[0]))
            if match[1].startswith("datetime.") or match[1] in ("Timestamp", "date"):
                why = f"`{text}` is a date already, not text."
                yield from read.propose(read.replace(call, read.text(given)), why, "a date already", 0.8)
            elif match[1] in ("int", "float") and read.free("str"):
                why = f"`{text}` is a number; `str` gives its text."
                yield from read.propose(read.wrap(given, "str("), why, "text of a number", 0.85)
            elif match[1] in ("list", "tuple") and len(call.args) == 2:
                name = read.fresh()
                made = f"[{read.text(call.func)}({name}, {read.text(call.args[1])}) for {name} in {read.text(given)}]"
                why = f"`{text}` is {a(match[1])}; this reads the date in each member."
                yield from read.propose(read.replace(call, made), why, "each member", 0.85)
