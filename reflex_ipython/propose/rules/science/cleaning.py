"""How texts become numbers or dates: which conversions fit the values that are known."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_PLAIN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"\D{0,3}\d{1,3}(?:,\d{3})+(?:\.\d+)?\D{0,4}")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")
_POINTS_AND_COMMA = re.compile(r"\D{0,2}\d{1,3}(?:\.\d{3})+,\d+\D{0,2}")
_UNIT = re.compile(r"[-+]?\d[\d.,]*(\s*)([A-Za-z°µ²³/]+)\.?")
_SIGNS = re.compile(r"[$€£¥₹\s,_']+")
_MISSING = frozenset(
    {"", "-", "--", "—", "?", ".", "n/a", "na", "nan", "none", "null", "missing", "unknown", "nil", "not available"}
    | {"not available", "tbd", "tba", "x", "#n/a", "no data", "unbekannt", "error", "-999", "n.a.", "unavailable"}
)


class Cleaning(NamedTuple):
    """What is called on a column of texts before it is converted, and how likely that is meant if all then parse."""

    calls: str
    prior: float
    why: str
    missing: bool = False  # whether values are lost


def is_number(text: str) -> bool:
    """Whether Python reads the text as a number."""
    return _PLAIN.fullmatch(text.strip()) is not None


def cleanings(value: str, nan: str) -> Iterator[Cleaning]:
    """What makes numbers of texts such as this one, the likeliest first.

    Parameters
    ----------
    value : str
        The text that could not be converted.
    nan : str
        The expression for "not a number".
    """
    text = value.strip()
    if text.lower() in _MISSING:
        yield Cleaning(f".replace({value!r}, {nan})", 0.72, f"{value!r} stands for a missing value", missing=True)
        return
    accounting = text.startswith("(") and text.endswith(")")
    before = '.str.replace(r"^\\((.*)\\)$", r"-\\1", regex=True)' if accounting else ""
    text = text.strip("()") if accounting else text
    percent = text.endswith("%")
    text = text.rstrip("%").strip()
    if unit := _UNIT.fullmatch(text):
        text = text[: unit.start(1)]
    rest = ""
    if percent:
        rest = '.str.rstrip("% ")'
    elif unit:
        rest = f'.str.replace(r"\\s*{re.escape(unit[2])}\\.?$", "", regex=True)'
    if _POINTS_AND_COMMA.fullmatch(text):
        numbers = [('.str.replace(r"[^\\d,-]", "", regex=True).str.replace(",", ".")', 0.85)]
    elif _DECIMAL_COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text):
        numbers = [('.str.replace(",", ".")', 0.88)]
    elif _THOUSANDS.fullmatch(text):
        numbers = [(_without(text), 0.88)]
    elif is_number(text):
        numbers = [("", 0.88)]
    elif is_number(_SIGNS.sub("", text)):
        numbers = [(_without(text), 0.88)]
    else:
        return
    signs = "".join(sorted({one for one in value if not one.isdigit() and one not in ".-+"}))
    for calls, prior in numbers:
        what = f"{value!r} is no number for Python until its {signs!r} is taken away or replaced"
        yield Cleaning(before + rest + calls, 0.62 if percent else prior, what)
        if percent:
            yield Cleaning(
                before + rest + calls + ".astype(float).div(100)", 0.45, f"{value!r} is a share of a hundred"
            )


def _without(text: str) -> str:
    signs = [one for one in "$€£¥₹,_'" if one in text]
    if set(signs) & set("$€£¥₹") and "," not in signs:
        signs.append(",")  # other amounts of the column may be larger
    spaces = ["\\s"] if re.search(r"\s", text) else []
    if len(signs) + len(spaces) == 1 and signs:
        return f'.str.replace("{signs[0]}", "", regex=False)'
    return f'.str.replace(r"[{"".join(signs + spaces)}]", "", regex=True)'


# ------------------------------------------------------------------------------------------------ dates

_DATES = ("%d{0}%m{0}%Y", "%m{0}%d{0}%Y", "%Y{0}%m{0}%d", "%d{0}%m{0}%y", "%m{0}%d{0}%y", "%y{0}%m{0}%d",
          "%d{0}%b{0}%Y", "%d{0}%B{0}%Y", "%b{0}%d{0}%Y", "%B{0}%d{0}%Y", "%Y{0}%d{0}%m")  # fmt: skip
_WORDS = ("%b %d, %Y", "%B %d, %Y", "%d %b, %Y", "%Y%m%d", "%d%m%Y", "%Y-%m", "%m/%Y", "%b %Y", "%B %Y", "%b-%y")
_TIMES = ("", " %H:%M", " %H:%M:%S", "T%H:%M:%S", " %I:%M %p", " %H:%M:%S.%f", "T%H:%M", " %I:%M:%S %p")


def date_formats(values: Sequence[str]) -> list[str]:
    """The formats that fit all of some dates, the usual ones first.

    Parameters
    ----------
    values : sequence of str
        At least one.
    """
    first = values[0]
    times = [
        time for time in _TIMES if (":" in time) == (":" in first) and time[:1] in ("", *("T" * ("T" in first)), " ")
    ]
    separators = [sign for sign in "/-. " if sign in first]
    patterns = [pattern.format(sign) for sign in separators for pattern in _DATES] + list(_WORDS)
    found = [pattern + time for pattern, time in itertools.product(patterns, times)]
    return list(dict.fromkeys(one for one in found if all(_fits(value, one) for value in values)))


def is_date(value: str) -> bool:
    """Whether the text looks like a date."""
    return bool(re.search(r"\d", value)) and len(value) >= 6 and bool(date_formats([value.strip()]))


def _fits(value: str, pattern: str) -> bool:
    try:
        datetime.datetime.strptime(value.strip(), pattern)
    except ValueError:
        return False
    return True
