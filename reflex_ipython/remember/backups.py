"""Copies of the user's files as they were before a fix was written into them, in our own data folder."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from reflex_ipython.remember.location import history_path
from reflex_ipython.settings import Settings

KEPT = 200
"""Copies: the oldest ones go."""


def keep_copy(settings: Settings, path: str, data: bytes) -> Path:
    """Keep what a file holds; only the user may read the copy.

    Parameters
    ----------
    settings : Settings
        The copies are in the folder `backups` beside the history.
    path : str
        The file's: its name is a part of the copy's.
    data : bytes

    Returns
    -------
    Path
        The copy's.

    Raises
    ------
    OSError
        If it can't be written.
    """
    folder = history_path(settings).parent / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 1_000_000_000:09d}-{os.path.basename(path)}"
    copy = folder / name
    descriptor = os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    for old in sorted(folder.iterdir())[:-KEPT]:
        with contextlib.suppress(OSError):
            old.unlink()
    return copy
