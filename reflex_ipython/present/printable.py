"""Text that others wrote, made harmless to show: models, users' data and error messages may hold anything."""

from __future__ import annotations

import re

# Control characters drive a terminal; the bidirectional ones make code look other than it is (CVE-2021-42574);
# the invisible ones hide differences; lone surrogates can't be encoded. A tab and a line feed are text.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_HIDDEN = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """The text with every character that would act or hide shown as a sign: ESC as ␛, U+202E as <202E>."""
    return _HIDDEN.sub(lambda match: f"<{ord(match[0]):04X}>", _CONTROLS.sub(_picture, text))


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<{code:02X}>"


def one_line(text: str, longest: int = 200) -> str:
    """The first line that says something, printable, cut with `…` after `longest` characters."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    first = printable(first.replace("\t", " "))
    return first if len(first) <= longest else first[: longest - 1].rstrip() + "…"
