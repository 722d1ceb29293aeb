"""Sessions' logs, written as the sessions go on: one Markdown file each, which only ever grows (`log_folder`)."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import stat
import threading
from collections.abc import Callable
from pathlib import Path

from reflex_ipython.base.own_threads import shielded
from reflex_ipython.models import Repair

WAITING = 200
"""So many of the latest repairs wait for a folder that can't be written."""
_ENDING = 2.0
"""Seconds that anybody waits at the end: a file takes less, so this is a disk that does not answer."""
# What stands there already, a FIFO or a link, is not waited for and not followed.
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND
_FLAGS |= sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))


class LogFolder:
    """Appends what is new of each repair to its session's file, on a thread of its own: a disk may take its time.

    Parameters
    ----------
    folder : callable
        Gives the folder; None: no log is written.
    warn : callable
        Is told in a sentence, once, that the log can't be written.
    """

    def __init__(self, folder: Callable[[], str | None], warn: Callable[[str], None]) -> None:
        self._folder = folder
        self._warn = warn
        self._queue: queue.SimpleQueue[tuple[Path, Repair] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._paths: dict[str, Path] = {}
        self._waiting: dict[str, tuple[Path, Repair]] = {}
        self._written: dict[tuple[Path, str], frozenset[str]] = {}
        self._warned = False

    def add(self, repair: Repair) -> None:
        """Have a repair written soon, as it is to be read: nothing is taken out of it here."""
        name = self._folder()
        if not name:
            return
        if name not in self._paths:  # a cell may change the working folder: the log stays in one place
            with contextlib.suppress(RuntimeError):  # no such user's home: it is a folder's name then
                self._paths[name] = Path(name).expanduser().absolute()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="reflex-log", daemon=True)
            self._thread.start()
        self._queue.put((self._paths.get(name, Path(name)), repair))

    def close(self) -> None:
        """Wait until all is written, and let go of the thread."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(_ENDING)
            self._thread = None

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            folder, repair = item
            self._waiting[repair.id] = item
            try:
                self._write_all()
            except Exception as error:  # noqa: BLE001 - the log is not worth more than the work that it is of
                self._say(folder, error)
            while len(self._waiting) > WAITING:
                del self._waiting[next(iter(self._waiting))]

    @shielded()
    def _write_all(self) -> None:
        for repair_id, (folder, repair) in list(self._waiting.items()):
            self._write(folder, repair)
            del self._waiting[repair_id]
        self._warned = False

    def _write(self, folder: Path, repair: Repair) -> None:
        # Not before there is a log to write.
        from reflex_ipython.reports.log import log_sections, on_another_day, session_head

        now = on_another_day()
        sections = log_sections(repair, now)
        known = self._written.get((folder, repair.id))
        new = [section for section in sections if section not in (known or ())]
        if not new:
            return
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = _file_of(repair, folder)
        parts = [] if path.exists() else [session_head(repair, now)]
        parts += [] if known is None else [f"## What is new of repair {repair.id}\n"]
        _append(path, "\n".join([*parts, *new, ""]))
        self._written[folder, repair.id] = frozenset(sections)

    def _say(self, folder: Path, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            reason = error.strerror if isinstance(error, OSError) and error.strerror else f"{error}"
            self._warn(
                f"the log can't be written to {folder}: {reason}. Set `%config Reflex.log_folder` to another folder, "
                "or to None. What is missing follows as soon as it can be written."
            )


def _file_of(repair: Repair, folder: Path) -> Path:
    """A session's file: a repair of an earlier one, decided now, goes on in that one's."""
    session = re.sub(r"[^A-Za-z0-9_-]", "_", repair.session)[:64]
    return next(folder.glob(f"*-{session}.md"), folder / f"{repair.cause.at[:10]}-{session}.md")


def _append(path: Path, text: str) -> None:
    handle = os.open(path, _FLAGS, 0o600)
    with open(handle, "ab", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, f"{path.name} is no file")
        data = text.encode("utf-8", "replace")
        while data:
            data = data[file.write(data) :]
