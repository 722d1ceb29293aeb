"""Which lessons the user has switched off, on this machine, for all notebooks."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

_LARGEST = 1_000_000
"""Bytes of the file that are read."""


def switches_file() -> Path:
    """Where they are kept."""
    import platformdirs  # not at load

    return platformdirs.user_data_path("reflex_ipython", appauthor=False) / "lessons_off.json"


class SwitchedOff:
    """The ids of lessons that are not to be recalled.

    Parameters
    ----------
    file : callable
        Gives the file that they are kept in. It is read anew each time: another kernel may have written it.
    """

    def __init__(self, file: Callable[[], Path] = switches_file) -> None:
        self._file = file

    def ids(self) -> frozenset[str]:
        """All of them; none where the file is not there, or is damaged."""
        try:
            with self._file().open("rb") as source:
                content = json.loads(source.read(_LARGEST))
        except (OSError, ValueError, RecursionError):
            return frozenset()
        return (
            frozenset(each for each in content if isinstance(each, str)) if isinstance(content, list) else frozenset()
        )

    def switch(self, lesson_id: str, *, on: bool) -> None:
        """Switch one off, or on again.

        Raises
        ------
        OSError
            If the file can't be written.
        """
        ids = self.ids() - {lesson_id} if on else self.ids() | {lesson_id}
        _write(self._file(), json.dumps(sorted(ids)))


def _write(file: Path, text: str) -> None:
    """Put it in place as a whole."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as target:
            target.write(text)
        os.replace(part, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
