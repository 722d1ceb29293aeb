"""Columns whose heading announces secrets, and what stands in them: tables as text, CSV, and what SQL inserts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.capture.secrets.plausible import is_bare_secret
from reflex_ipython.capture.secrets.secret import Family, Secret
from reflex_ipython.capture.secrets.words import family

_MOST = 2_000
"""Rows under one heading."""

_LINE = re.compile(r"(?P<text>(?:(?!\\n)[^\n])*)(?:\n|\\n|$)")
_SEPARATORS = (",", ";", "\t", "|")
_BEFORE = re.compile(r"^[^\"']{0,80}[\"'(]+")  # of a string that begins with a heading
_HEADING = re.compile(r"[\w .-]{1,60}")
_CELL = re.compile(r"\S+")
_INSERT = re.compile(
    r"\binsert\s{1,4}(?:or\s\w+\s)?into\s{1,4}[\w.\"`\[\]]{1,120}\s{0,4}\((?P<names>[^()]{1,2000})\)\s{0,10}values\s{0,10}"
    r"(?P<values>\((?s:.){1,4000})",
    re.I,
)
_VALUE = re.compile(r"\s*(?:\\?'(?P<text>(?:[^'\\]|''|\\(?!'))*)\\?'|(?P<bare>[^,()']*))\s*(?P<end>[,)]|$)")
_PARAMETERS = re.compile(r"\[parameters: (?P<values>[\[(](?s:.){1,4000})")


def in_columns(text: str) -> Iterator[Secret]:
    """The secrets that stand under a heading that announces them."""
    rows: list[tuple[int, str]] = [(found.start(), found["text"]) for found in _LINE.finditer(text)]
    at = 0
    while at < len(rows) - 1:
        line = rows[at][1]
        found = _headed(rows, at) if 5 < len(line) < 2_000 else None
        if found is None:
            at += 1
            continue
        secrets, used = found
        yield from secrets
        at += max(used, 1)
    yield from _inserted(text)


def _headed(rows: list[tuple[int, str]], at: int) -> tuple[list[Secret], int] | None:
    """The secrets of the table that begins in this row and how many rows it has; None if none does."""
    heading = _BEFORE.sub("", rows[at][1])
    for separator in (*_SEPARATORS, " "):
        names = _cells(heading, separator)
        if (
            len(names) < 2
            or not heading
            or not all(
                _HEADING.fullmatch(name.strip(" \"'")) or (separator == "|" and not name.strip()) for _, name in names
            )
        ):
            continue
        if separator == " " and not (heading[0] == " " or re.search(r"\S {2,}\S", heading)):
            continue  # a sentence, not a table
        kinds = [family(name.strip(" \"'")) for _, name in names]
        if not any(kinds):
            continue
        return _below(rows, at, separator, kinds, [name for _, name in names])
    return None


def _below(
    rows: list[tuple[int, str]], at: int, separator: str, kinds: list[Family | None], names: list[str]
) -> tuple[list[Secret], int]:
    secrets: list[Secret] = []
    used = 1
    for start, line in rows[at + 1 : at + 1 + _MOST]:
        cells = _cells(line, separator)
        extra = len(cells) - len(kinds)
        if extra not in ((0, 1) if separator == " " else (0,)) and not _is_rule(line):
            break
        used += 1
        for (offset, cell), kind, name in zip(cells[max(extra, 0) :], kinds, names):
            value = cell.strip(" \"'()\\")
            if kind is not None and value and is_bare_secret(kind, value, name=name.strip(" \"'")):
                first = start + offset + cell.find(value)
                secrets.append(Secret(first, first + len(value), "password" if kind == "password" else "token"))
    return secrets, used


def _is_rule(line: str) -> bool:
    """Whether the line only separates the heading from what is below."""
    return bool(line) and not line.strip("|+-=: ")


def _cells(line: str, separator: str) -> list[tuple[int, str]]:
    if separator == " ":
        return [(found.start(), found[0]) for found in _CELL.finditer(line)]
    cells, at = [], 0
    for cell in line.split(separator):
        cells.append((at, cell))
        at += len(cell) + 1
    return cells


def _inserted(text: str) -> Iterator[Secret]:
    """What an INSERT puts into such a column, also where SQLAlchemy's message has the values behind it."""
    for found in _INSERT.finditer(text):
        names = [name.strip(' "`[]\n\t') for name in found["names"].split(",")]
        kinds = [family(name) for name in names]
        if any(kinds):
            yield from _rows(text, found.start("values"), kinds, names)
            if (parameters := _PARAMETERS.search(text, found.start(), found.start() + 6_000)) is not None:
                yield from _rows(text, parameters.start("values"), kinds, names)


def _rows(text: str, at: int, kinds: list[Family | None], names: list[str]) -> Iterator[Secret]:
    for _ in range(200):
        opening = re.compile(r"[\s,;\[]{0,20}\(").match(text, at)
        if opening is None:
            return
        at = opening.end()
        for kind, name in zip(kinds, names):
            found = _VALUE.match(text, at)
            if found is None:
                return
            at = found.end()
            value = found["text"]
            if kind is not None and value is not None and is_bare_secret(kind, value, name=name):
                yield Secret(*found.span("text"), "password" if kind == "password" else "token")
            if found["end"] != ",":
                break
