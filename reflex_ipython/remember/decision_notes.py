"""Decisions that are noted beside the history file until they are in it.

An accepted cell waits until its decision outlives the kernel. A transaction of SQLite takes 5 to 20 ms by then, most of
it because the file has rested; a small file takes 0.2 ms. What is noted is the operating system's, as what is committed
is. Whoever uses the history next brings it in (`store`), and the note goes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import stat
import time
from pathlib import Path
from typing import Protocol, runtime_checkable

from reflex_ipython.models import Decision, Repair, cell_changes, now

_WHOLE = ".json"
_LONGEST = 60.0
"""Seconds: what is not whole by then was left by a process that was killed."""


@dataclasses.dataclass(frozen=True)
class DecisionNote:
    """That a fix was accepted as it was proposed.

    Parameters
    ----------
    repair, fix : str
        Their ids.
    at : str
        When it was decided, ISO 8601 in UTC.
    revised : str
        When the repair was changed by that, in the same form: what was saved of it later stays.
    run, whole : bool
        As `Decision` has them.
    """

    repair: str
    fix: str
    at: str
    revised: str
    run: bool
    whole: bool

    def applied_to(self, repair: Repair) -> Repair | None:
        """The repair as it was decided; None if it is newer than that, or has no such fix."""
        fix = repair.fix(self.fix)
        if fix is None or repair.revised > self.revised:  # what is of the same millisecond was there before
            return None
        steps = cell_changes(fix, repair.situation).steps
        decision = Decision("accepted", self.at, self.fix, steps, self.run, self.whole)
        return dataclasses.replace(repair, decision=decision, rerun=None, trouble="", revised=self.revised)


def note_of(repair: Repair) -> DecisionNote | None:
    """What is to be noted of a repair that was just decided; None if it takes more than that to tell."""
    decision = repair.decision
    if decision is None or decision.kind != "accepted" or decision.reason or not repair.id.isalnum():
        return None
    fix = repair.fix(decision.fix_id)
    if fix is None or decision.steps != cell_changes(fix, repair.situation).steps:
        return None
    return DecisionNote(repair.id, fix.id, decision.at, now(), decision.run, decision.whole)


@runtime_checkable
class NotesDecisions(Protocol):
    """A store that can note a decision at once."""

    def note(self, decided: DecisionNote) -> None:
        """Note a decision on a repair that was saved: from now on every reading has it.

        Raises
        ------
        OSError
            If it could not be noted.
        """


class DecisionNotes:
    """The notes beside one history file, in a folder that is there as long as it has some.

    Parameters
    ----------
    history : Path
        The history file.
    """

    def __init__(self, history: Path) -> None:
        self._folder = history.with_name(f"{history.name}-decided")

    def add(self, note: DecisionNote) -> None:
        """Note it: when this returns, it outlives the process.

        Raises
        ------
        OSError
            If it could not be written.
        """
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self._path(note.repair)
        unfinished = path.with_suffix(f".{os.getpid()}")  # nobody reads half of one
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(unfinished, flags, 0o600), "wb", buffering=0) as file:
            file.write(json.dumps(dataclasses.asdict(note)).encode())
        unfinished.replace(path)

    def all(self) -> list[DecisionNote]:
        """Those that are there and can be read. One that is damaged goes, and what a killed process left."""
        found = list[DecisionNote]()
        for path in self._paths():
            with contextlib.suppress(OSError):
                if path.suffix != _WHOLE:
                    self._sweep(path)
                    continue
                try:
                    found.append(_note_in(path))
                except ValueError:
                    path.unlink()
        return found

    def forget(self, repair_id: str, revised: str) -> None:
        """The history has the repair as it was then, or later: a note of that time is no longer needed."""
        if not repair_id.isalnum():
            return
        path = self._path(repair_id)
        with contextlib.suppress(OSError, ValueError):
            if _note_in(path).revised <= revised:
                path.unlink()
                self._folder.rmdir()

    def _paths(self) -> list[Path]:
        try:
            return list(self._folder.iterdir())
        except OSError:  # there are none, nearly always
            return []

    def _sweep(self, unfinished: Path) -> None:
        if unfinished.suffix[1:].isdigit() and time.time() - unfinished.lstat().st_mtime > _LONGEST:
            unfinished.unlink()
            self._folder.rmdir()

    def _path(self, repair_id: str) -> Path:
        return self._folder / f"{repair_id}{_WHOLE}"


def _note_in(path: Path) -> DecisionNote:
    if not stat.S_ISREG(path.lstat().st_mode):  # opening a FIFO could wait for ever
        raise OSError(f"{path} is no file")
    try:
        found = json.loads(path.read_bytes())
    except RecursionError:
        raise ValueError("brackets without an end") from None
    fields = {field.name: field.type for field in dataclasses.fields(DecisionNote)}
    if not isinstance(found, dict) or {name: type(value).__name__ for name, value in found.items()} != fields:
        raise ValueError("no note")
    return DecisionNote(**found)
