"""A Python file as a text with plain line feeds, and back: its encoding and its line ends stay what they were."""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass

from reflex_ipython.base.opcodes import opcodes

LARGEST = 200_000
"""Bytes of a file that is read for a repair: a longer one is hardly anybody's module."""
_ENDS = ("\n", "\r\n", "\r")


@dataclass(frozen=True)
class TextFile:
    """What a file holds.

    Parameters
    ----------
    text : str
        With plain line feeds, and no byte order mark.
    raw : str
        With the line ends that the file has.
    encoding : str
        As its first lines declare it; `utf-8-sig` with a byte order mark.
    """

    text: str
    raw: str
    encoding: str

    def encoded(self, text: str) -> bytes:
        """The bytes of a file with another text: lines that stay keep their ends, new ones get the usual end.

        Parameters
        ----------
        text : str
            With plain line feeds.

        Raises
        ------
        UnicodeEncodeError
            If the file's encoding lacks one of its characters.
        """
        ends = [line[len(line.rstrip("\r\n")) :] for line in _split(self.raw)]
        usual = max(_ENDS, key=ends.count)
        old, new = self.text.split("\n"), text.split("\n")
        kept: dict[int, str] = {}
        for tag, start, _, first, last in opcodes(old, new):
            if tag == "equal":
                kept.update((line, ends[start + line - first]) for line in range(first, min(last, first + len(ends))))
        pieces = [line + (kept.get(number) or usual) for number, line in enumerate(new[:-1])]
        return "".join([*pieces, new[-1]]).encode(self.encoding)


def read(path: str) -> TextFile | None:
    """A Python file; None if it is no file, too large, or no text in the encoding that it declares."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
        return None if len(data) > LARGEST else decoded(data)
    except (OSError, ValueError):  # a null byte in the path, for one
        return None


def decoded(data: bytes) -> TextFile | None:
    """What bytes say as Python source; None if they are no text in the encoding that they declare."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        raw = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None
    return TextFile(raw.replace("\r\n", "\n").replace("\r", "\n"), raw, encoding)


def _split(raw: str) -> list[str]:
    """The lines with their ends; the last has none, and may be empty."""
    lines = io.StringIO(raw, newline="").readlines()
    return lines if lines and not lines[-1].endswith(("\n", "\r")) else [*lines, ""]
