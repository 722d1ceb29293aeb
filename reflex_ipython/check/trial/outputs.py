"""What a trial prints and shows, bounded."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from reflex_ipython.check.trial.picture import picture

_RESULT = 2_000  # characters of the last expression's text
_CUT = "\n… cut"


class Outputs:
    """Takes what a run puts out.

    Parameters
    ----------
    most : int
        Characters of printed text that are kept.
    """

    def __init__(self, most: int = 20_000) -> None:
        self.result_text = ""
        self.mime_types: dict[str, None] = {}
        self.figures = 0
        self._first: Any = None
        self._most = most
        self._size = 0
        self._pieces: list[str] = []

    @property
    def printed(self) -> str:
        """The printed text; a cut is marked."""
        return "".join(self._pieces) + (_CUT if self._size > self._most else "")

    @property
    def image(self) -> str:
        """The first figure, a PNG in base64; empty if there is none to show."""
        return picture(self._first)

    def write(self, text: str) -> int:
        """Print. What is too much is dropped."""
        room = self._most - self._size
        if room > 0:
            self._pieces.append(text[:room])
        self._size += len(text)
        return len(text)

    def show(self, bundle: Mapping[str, Any]) -> None:
        """Display a MIME bundle: its types are kept, and the first of all PNGs."""
        self.mime_types.update(dict.fromkeys(map(str, bundle)))
        if "image/png" in bundle:
            self.figures += 1
            self._first = self._first or bundle["image/png"]

    def result(self, bundle: Mapping[str, Any]) -> None:
        """The last expression's MIME bundle: its text is kept as well."""
        self.show(bundle)
        text = str(bundle.get("text/plain", ""))
        self.result_text = text if len(text) <= _RESULT else text[: _RESULT - 1] + "…"


class Stream(io.TextIOBase):
    """`sys.stdout` and `sys.stderr` in a trial."""

    def __init__(self, outputs: Outputs, fd: int) -> None:
        self._outputs = outputs
        self._fd = fd
        self.buffer = _Bytes(outputs)

    encoding = "utf-8"
    errors = "replace"

    def write(self, text: str) -> int:
        """As any text stream."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        return self._outputs.write(text)

    def writable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """The descriptor that C code would write to; it is caught as well."""
        return self._fd


class _Bytes(io.RawIOBase):
    def __init__(self, outputs: Outputs) -> None:
        self._outputs = outputs

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        self._outputs.write(bytes(data).decode("utf-8", "replace"))
        return size

    def writable(self) -> bool:
        return True
