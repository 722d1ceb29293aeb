"""Summaries of values whose own name announces a secret: all that they quote is one."""

from __future__ import annotations

import re

from reflex_ipython.capture.secrets.literals import literal, literals_in
from reflex_ipython.capture.secrets.plausible import is_no_value, is_secret
from reflex_ipython.capture.secrets.secret import Family, Secret
from reflex_ipython.capture.secrets.words import family

_NAMED = re.compile(r"^Series of [\d,]+ named [\"'](?P<name>[^\"'\n]{1,100})[\"']")
_WORD = re.compile(r"[A-Za-z]{1,12}|\[\w+\]|</?\w+>|<\|\w+\|>|[\d.,]+|\W+")


def in_summary(name: str, text: str, scalar: bool) -> list[Secret]:
    """The secrets in the summary of a variable.

    Parameters
    ----------
    name : str
        The variable's name.
    text : str
        What is told of its value.
    scalar : bool
        Whether that is a single value.
    """
    named = _NAMED.match(text)
    name = named["name"] if named else name
    kind = family(name)
    if kind is None:
        return []
    if scalar:
        return _single(text, kind)
    found = []
    for line in re.finditer(r"[^\n]+", text[named.end() :] if named else text):
        offset = line.start() + (named.end() if named else 0)
        found += [
            Secret(start, end, "password" if kind == "password" else "token")
            for start, end in _quoted(text, offset, offset + len(line[0]))
            if is_secret(kind, text[start:end], name=name)
        ]
    return found


def _single(text: str, kind: Family) -> list[Secret]:
    content = literal(text, 0, joined=False)
    start, end = (content[0], content[1]) if content else (0, len(text))
    if content is None and text.startswith(("'", '"', "b'", 'b"')):
        start = text.index(text[0] if text[0] in "'\"" else text[1]) + 1  # cut off
    value = text[start:end]
    number = kind != "password" and value.replace(".", "").replace("-", "").isdigit()
    if len(value) < 3 or number or is_no_value(value) or (kind == "token" and _WORD.fullmatch(value)):
        return []
    if content is None and not number and kind != "password" and not text.startswith(("'", '"', "b")):
        return []
    return [Secret(start, end, "password" if kind == "password" else "token")]


def _quoted(text: str, start: int, end: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    while start < end:
        contents = literals_in(text[:end], start, "")[0]
        found += contents
        start = (contents[-1][1] if contents else start) + 1
        following = re.compile(r"[\"']").search(text, start, end)
        start = following.start() if following else end
    return found


__all__ = ["in_summary"]
