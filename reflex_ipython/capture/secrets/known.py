"""Secrets that were recognised once, found again wherever they stand: bare, encoded, cut off, or split over lines."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus, unquote

from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.capture.secrets.plausible import is_no_value
from reflex_ipython.capture.secrets.secret import Secret

_MOST = 5_000
"""So many are remembered at most."""
_SEED = 6
"""Characters by which a longer one is looked for."""
_CUT = 8
"""Characters of the beginning that are withheld where the rest was cut off."""

# What a pretty printer puts between two pieces of a long string.
_BREAK = re.compile(
    r"\\{0,3}[\"']?\s{0,3}(?:\\?\r?\n|(?:\\{1,3}r)?\\{1,3}n)\s{0,80}(?:[rbuf]{0,2}\\{0,3}[\"'])?"
    r"|[\"']\s{1,80}[rbuf]{0,2}[\"']"
)
_END = re.compile(r"[\"']?(?:…|\.{3})|$")
_LETTERS = {"\n": "n", "\r": "r", "\t": "t"}


class KnownSecrets:
    """Values that are withheld everywhere.

    Parameters
    ----------
    values : iterable of str
        Known beforehand.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._forms: dict[str, str] = {}  # as it is written -> its kind
        for value in values:
            self.add(value, "secret held by a variable")

    def add(self, value: str, kind: str) -> None:
        """Remember a value, if it is one that does not stand for something else elsewhere."""
        if len(self._forms) < _MOST and value not in self._forms and _is_telling(value):
            for form in _forms(value):
                self._forms.setdefault(form, kind)

    def places(self, text: str) -> Iterator[Secret]:
        """Where they stand in a text."""
        for form, kind in self._forms.items():
            yield from (Secret(start, end, kind) for start, end in _occurrences(text, form))


def _is_telling(value: str) -> bool:
    plain_number = value.isdigit()
    mixed = any(not sign.isalpha() for sign in value)
    return len(value) >= (6 if plain_number or not mixed else 5) and not is_no_value(value)


def _forms(value: str) -> Iterable[str]:
    """The value as code, JSON, a URL or a page write it, and as what its escapes mean."""
    meant = {value, unquote(value)}
    if "\\" in value and len(value) < 10_000:
        try:
            meant.add(str(literal_value(f'"""{value}"""')))
        except (ValueError, SyntaxError, MemoryError):
            meant.add(value.replace("\\\\", "\\"))
    forms = dict.fromkeys(meant)
    for one in meant:
        escaped = (repr(one)[1:-1], json.dumps(one)[1:-1], html.escape(one))
        encoded = (quote(one), quote(one, safe=""), quote_plus(one)) if one.isprintable() else ()
        forms.update(dict.fromkeys((*escaped, *encoded, *(_small_hex(code) for code in encoded))))
    return [form for form in forms if len(form) >= 5]


def _small_hex(encoded: str) -> str:
    return re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), encoded)


def _occurrences(text: str, form: str) -> Iterator[tuple[int, int]]:
    word = (form.isidentifier() and not any(sign.isdigit() for sign in form)) or form.isdigit()
    seed = form if len(form) < 2 * _SEED else form[:_SEED]
    at = text.find(seed)
    while at >= 0:
        end = at + len(form) if text.startswith(form, at) else _broken(text, at, form)
        bordered = not word or not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum())
        if end > at and bordered:
            yield at, end
        at = text.find(seed, max(end, at + 1))


def _broken(text: str, at: int, form: str) -> int:
    """Where it ends, if it stands there in pieces or only begins there; `at` if it is something else."""
    start, matched = at, 0
    while matched < len(form):
        length = _common(text, at, form, matched)
        at, matched = at + length, matched + length
        if matched == len(form):
            return at
        escape, sign = _escape(text, at, form[matched])
        if escape and matched >= _SEED:
            at, matched = escape, matched + sign
            continue
        gap = _BREAK.match(text, at)
        if matched >= _SEED and gap is not None and gap.end() > at and text.startswith(form[matched], gap.end()):
            at = gap.end()
            continue
        return at if matched >= _CUT and _END.match(text, at) else start
    return at


def _escape(text: str, at: int, sign: str) -> tuple[int, int]:
    """Where what escapes a sign ends, however often it was escaped, and how many signs are told by that; 0: it is none."""
    end = at
    while text[end : end + 1] == "\\":
        end += 1
    if end == at:
        return 0, 0
    if sign == "\\":
        return end, 1
    if sign in _LETTERS and text[end : end + 1] == _LETTERS[sign]:
        return end + 1, 1
    if text[end : end + 1] == "u" and text[end + 1 : end + 5].lower() == f"{ord(sign):04x}":
        return end + 5, 1
    return (end, 0) if text[end : end + 1] == sign else (0, 0)


def _common(text: str, at: int, form: str, matched: int) -> int:
    """How many characters are the same from there on."""
    length = 0
    longest = min(len(text) - at, len(form) - matched)
    while length < longest and text[at + length] == form[matched + length]:
        length += 1
    return length
