"""Reading a quoted value at a place of a text: in code, in JSON, in a `repr`, with its quotes escaped or not."""

from __future__ import annotations

import re

_OPENING = re.compile(r"[rRbBfFuU]{0,2}(?P<quote>\\{0,3}(?:\"{3}|'{3}|\"|'|`))")
_PLAIN = {'"': re.compile(r'(?:[^"\\\n]|\\.)*'), "'": re.compile(r"(?:[^'\\\n]|\\.)*"), "`": re.compile(r"[^`\n]*")}
_JOINED = re.compile(r"\s{0,80}(?:\+\s{0,80}|\\\n\s{0,80})?(?=[rRbBfFuU]{0,2}[\"'])")
_LONGEST = 20_000  # characters of a literal


def literal(text: str, at: int, *, joined: bool = True) -> tuple[int, int, int] | None:
    """Where the content of the literal that begins at `at` starts and ends, and where its closing quote ends.

    Parameters
    ----------
    joined : bool
        Whether the literals that follow directly, or after a `+`, belong to it.
    """
    found = _OPENING.match(text, at)
    if found is None:
        return None
    quote, start = found["quote"], found.end()
    end = _closing(text, start, quote)
    if end is None:
        return None
    after = end + len(quote)
    if joined and not quote.startswith("\\"):
        while (space := _JOINED.match(text, after)) and (more := literal(text, space.end(), joined=False)) is not None:
            _, end, after = more
    return start, end, after


def _closing(text: str, start: int, quote: str) -> int | None:
    if len(quote) > 1:  # escaped, or three of them
        end = text.find(quote, start, start + _LONGEST)
        return end if end >= 0 and (quote[0] != "\\" or "\n" not in text[start:end]) else None
    found = _PLAIN[quote].match(text, start, start + _LONGEST)
    end = found.end() if found else start
    return end if text[end : end + 1] == quote else None


def literals_in(text: str, at: int, closing: str, most: int = 50_000) -> tuple[list[tuple[int, int]], int]:
    """The contents of the literals from `at` to the bracket that closes, or to the line's end if there is none.

    Parameters
    ----------
    most : int
        Characters that are looked at.

    Returns
    -------
    list of (start, end), int
        And where that was.
    """
    contents: list[tuple[int, int]] = []
    depth, until = 0, at + most
    while at < until:
        found = _INSIDE.match(text, at, until)
        at = found.end() if found else at
        sign = text[at : at + 1]
        if not sign or (sign == "\n" and not closing):
            break
        if (one := literal(text, at, joined=False)) is not None:
            contents.append((one[0], one[1]))
            at = one[2]
            continue
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            if depth == 0:
                break
            depth -= 1
        at += 1
    return contents, at


_INSIDE = re.compile(r"(?:[^\"'`\[\](){}\n\\rRbBfFuU]|(?<=\w)[rRbBfFuU])+")
