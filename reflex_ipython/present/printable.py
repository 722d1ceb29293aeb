"""Text that others wrote, made harmless to show: models, users' data and error messages may hold anything."""

from __future__ import annotations

from reflex_ipython.base.characters import HIDDEN, sign


def printable(text: str) -> str:
    """The text with every character that would act or hide shown as a sign: ESC as ␛, U+202E as <202E>."""
    return HIDDEN.sub(lambda match: sign(match[0]), text)


def one_line(text: str, longest: int = 200) -> str:
    """The first line that says something, printable, cut with `…` after `longest` characters."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    first = printable(first.replace("\t", " "))
    return first if len(first) <= longest else first[: longest - 1].rstrip() + "…"
