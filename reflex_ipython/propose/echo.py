"""Taking the key out of what a server says: some echo it, and what they say is shown and kept."""

from __future__ import annotations

HIDDEN = "<key>"
SHORTEST = 8
"""Characters of a key in a row that count as an echo of it, in capitals or not.

A shorter key is hidden as a whole, and in messages only.
"""


class Echo:
    """Hides a key in a text that comes piece by piece.

    Parameters
    ----------
    key : str
        Shorter ones than `SHORTEST` are no secrets that can be told from words: they are let through.
    """

    def __init__(self, key: str) -> None:
        key = key.lower()
        self._parts = {key[at : at + SHORTEST] for at in range(len(key) - SHORTEST + 1)}
        self._beginnings = {part[:length] for part in self._parts for length in range(1, SHORTEST)}
        self._waiting = ""
        self._inside = False  # an echo: what waits are its last characters, which were not shown

    def piece(self, text: str) -> str:
        """What can be shown by now. What may be the beginning of the key waits."""
        if not self._parts:
            return text
        shown = []
        for sign in text:
            self._waiting += sign
            shown.append(self._settled())
        return "".join(shown)

    def rest(self) -> str:
        """What was still waiting at the end."""
        waiting, self._waiting = ("" if self._inside else self._waiting), ""
        self._inside = False
        return waiting

    def _settled(self) -> str:
        """Take out of what waits all that can't belong to an echo, and give what of it may be shown."""
        if self._inside:
            if self._waiting[-SHORTEST:].lower() in self._parts:
                self._waiting = self._waiting[-SHORTEST:]
                return ""
            self._waiting, self._inside = self._waiting[-1:], False
        if self._waiting.lower() in self._parts:
            self._inside = True
            return HIDDEN
        shown = ""
        while self._waiting and self._waiting.lower() not in self._beginnings:
            shown, self._waiting = shown + self._waiting[0], self._waiting[1:]
        return shown


def without_key(text: str, key: str) -> str:
    """The text without the key and without any `SHORTEST` characters in a row of it."""
    echo = Echo(key)
    return echo.piece(text) + echo.rest()
