"""Where the history is kept, and for whose eyes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from reflex_ipython.settings import Settings


def history_path(settings: Settings) -> Path:
    """The file that the settings name, else `history.sqlite` in the user's data folder."""
    if settings.history_file:
        return Path(settings.history_file).expanduser().absolute()
    return data_folder() / "history.sqlite"


def data_folder() -> Path:
    """The user's data folder."""
    import platformdirs

    return platformdirs.user_data_path("reflex_ipython", appauthor=False)


def create_private(path: Path) -> None:
    """Make the file, and its folder, if they are not there; only the user may read them: they hold code.

    What is there already keeps its permissions. SQLite gives its own extra files those of `path`.

    Raises
    ------
    OSError
        If the folder or the file can't be made.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
