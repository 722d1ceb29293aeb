"""Values that look chosen or drawn as secrets, on a line that speaks of one: `send_keys("…")  # the password`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reflex_ipython.capture.secrets.plausible import is_no_value, looks_random
from reflex_ipython.capture.secrets.secret import Secret
from reflex_ipython.capture.secrets.words import says_password, says_secret

_AROUND = 300
"""Characters before and behind a value that count as its line."""
_VALUE = re.compile(r"(?<![\w/.@-])[^\s\"'`,;:()<>{}\[\]=/@\\]{8,200}")
_PART = re.compile(r"[A-Za-z0-9]{6,}")
_JOINED_WORDS = re.compile(r"(?:[A-Z][a-z]*\d{0,4}[._-]?)+")  # Conv2DTranspose, OAuth2PasswordBearer
_TURN = re.compile(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])")
_DRAWN = re.compile(r"(?=[A-Za-z_+/-]*\d)(?=[\d_+/-]*[A-Za-z])[A-Za-z0-9_+/-]{24,200}={0,2}")
_OF_CONTENT = re.compile(
    r"(?:revision|commit|rev|ref|sha\d*|md5|hash|digest|checksum|etag|uuid|guid|id|version|branch|tag)s?\W{1,6}$", re.I
)
"""What names a content or an object by its digest: none of these open anything."""


def beside(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Secret]:
    """The secrets that the words around them give away.

    Parameters
    ----------
    text : str
    spans : iterable of (start, end)
        Where values may stand: in code its strings, comments and magics.
    """
    for first, last in spans:
        for found in _VALUE.finditer(text, first, last):
            value = found[0].rstrip(".!?")
            chosen, drawn = _is_chosen(value), _is_drawn(value)
            if not (chosen or drawn) or _OF_CONTENT.search(text, max(found.start() - 20, 0), found.start()):
                continue
            line = _line(text, found.start(), found.end())
            if (chosen and says_password(line)) or (drawn and says_secret(line)):
                yield Secret(found.start(), found.start() + len(value), "password" if chosen else "token")


def _is_chosen(value: str) -> bool:
    """Whether it has what passwords are asked to have, and its digits stand among the letters: no `Llama3-8B-Chat`."""
    kinds = (str.isupper, str.islower, str.isdigit)
    if not all(any(map(kind, value)) for kind in kinds) or is_no_value(value) or _JOINED_WORDS.fullmatch(value):
        return False
    return any(len(_TURN.findall(part)) >= 2 for part in _PART.findall(value))


def _is_drawn(value: str) -> bool:
    return _DRAWN.fullmatch(value) is not None and looks_random(value)


def _line(text: str, start: int, end: int) -> str:
    before = text.rfind("\n", max(start - _AROUND, 0), start)
    behind = text.find("\n", end, end + _AROUND)
    return text[max(before + 1, start - _AROUND) : behind if behind >= 0 else end + _AROUND]
