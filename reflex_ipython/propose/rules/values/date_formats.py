"""In which formats a text is a date."""

from __future__ import annotations

import datetime
import re
from typing import Any

_DATE_PARTS: tuple[tuple[str, ...], ...] = (
    ("%Y", "%m", "%d"),
    ("%d", "%m", "%Y"),
    ("%m", "%d", "%Y"),
    ("%Y", "%d", "%m"),
    ("%d", "%m", "%y"),
    ("%m", "%d", "%y"),
    ("%y", "%m", "%d"),
    ("%d", "%b", "%Y"),
    ("%d", "%B", "%Y"),
    ("%b", "%d", "%Y"),
    ("%B", "%d", "%Y"),
    ("%Y", "%b", "%d"),
    ("%d", "%b", "%y"),
    ("%Y", "%m"),
    ("%m", "%Y"),
    ("%b", "%Y"),
    ("%B", "%Y"),
    ("%Y",),
)
_TIME = re.compile(
    r"(?P<between>T|,? )(?P<hour>\d{1,2}):\d\d(?P<second>:\d\d(?P<part>\.\d{1,6})?)?(?P<half> ?[AaPp][Mm])?"
    r"(?P<zone>Z| ?[+-]\d\d:?\d\d| (?:UTC|GMT))?$"
)
_SEPARATOR = re.compile(r"(?<=\w)([-/. ]|, ?)(?=\w)")


def formats_of(text: str) -> list[str]:
    """The formats that read a text as a date, each of which gives another date; the most usual first.

    Parameters
    ----------
    text : str
        `05/03/2024 10:30`.
    """
    time = _TIME.search(text)
    day, rest = (text[: time.start()], _written_time(time)) if time else (text, "")
    separator = _SEPARATOR.search(day)
    words = re.findall(r"[A-Za-z]+|\d+", day)
    found: dict[datetime.datetime, str] = {}
    for parts in _DATE_PARTS:
        if len(words) != (len(parts) if separator else 1) or (separator and not all(map(_may_be, parts, words))):
            continue
        form = (separator[1] if separator else "").join(parts)
        if "," in day and separator is not None and separator[1] == " ":
            form = f"{parts[0]} {parts[1]}, {parts[-1]}"
        try:
            when = datetime.datetime.strptime(text, form + rest)
        except ValueError:
            continue
        if 1900 <= when.year <= 2100:
            found.setdefault(when.replace(tzinfo=None), form + rest)
    return list(found.values())


def _may_be(part: str, word: str) -> bool:
    """Whether a word of a date may be the year, the month or the day."""
    if word.isdigit():
        return part not in ("%b", "%B") and (len(word) == 4) == (part == "%Y")
    return part in ("%b", "%B")


def _written_time(time: re.Match[str]) -> str:
    """The format of a time of day."""
    half = time["half"] or ""
    form = f"{time['between']}{'%I' if half else '%H'}:%M" + (":%S" if time["second"] else "")
    form += (".%f" if time["part"] else "") + (f"{' ' * half.startswith(' ')}%p" if half else "")
    zone = time["zone"] or ""
    return form + (
        "Z"
        if zone == "Z"
        else ""
        if not zone
        else " %Z"
        if zone.strip().isalpha()
        else f"{' ' * zone.startswith(' ')}%z"
    )


def order_of(form: str) -> list[str]:
    """In which order year, month and day stand in a format."""
    return [code.lower().replace("b", "m") for code in re.findall(r"%[YymbBd]", form)]


def is_date_text(value: Any) -> bool:
    """Whether a text looks like a date."""
    return (
        type(value) is str and re.match(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\w{3,9} \d{1,2},? \d{4}", value) is not None
    )
