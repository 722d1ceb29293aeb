"""Characters that act or hide: in a diff they have to be seen, and a fix that brings some has to be looked at.

Control characters drive a terminal; the bidirectional ones make code look other than it is (CVE-2021-42574); tags,
selectors and fillers hide text or differences; lone surrogates can't be encoded. What joins or chooses emoji, and the
letters of scripts that need it, is plain text. A tab and a line feed are text as well.

`labextension/src/panel/hidden.ts` has the same pattern; a test holds the two together.
"""

from __future__ import annotations

import re
import unicodedata

PATTERN = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"
    r"|[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164]"
    r"|[\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb]"
    r"|[\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    r"|(?<![\u0600-\u0dff])\u200c"
    r"|(?<![\u0600-\u0dff\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])\u200d"
    r"|(?<![\xa9\xae\u203c\u2049\u2122\u2194-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f](?!\u20e3)"
)
HIDDEN = re.compile(PATTERN)
"""One character that acts or hides."""

_NAMES = {
    "\x00": "null",
    "\x07": "bell",
    "\x08": "backspace",
    "\x0b": "line tabulation",
    "\x0c": "form feed",
    "\r": "carriage return",
    "\x1b": "escape",
    "\x7f": "delete",
    "\x85": "next line",
}


def sign(character: str) -> str:
    """What is shown in the place of a hidden character: ESC is ␛, U+202E is <202E>."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<{code:02X}>" if code < 0x100 else f"<{code:04X}>"


def described(character: str) -> str:
    """A character by number and name: "U+202E right-to-left override"."""
    name = _NAMES.get(character) or unicodedata.name(character, "").lower()
    if not name:
        name = {"Cc": "control character", "Cs": "half of a character"}.get(unicodedata.category(character), "no name")
    return f"U+{ord(character):04X} {name}"


def encodable(text: str) -> str:
    """The text without halves of characters: a message that has one can't be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")
