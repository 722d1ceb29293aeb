"""Writing an accepted fix into the user's own files: all of them or none, each in one step, with its old text kept."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reflex_ipython.base.text_file import decoded
from reflex_ipython.errors import FileRefused
from reflex_ipython.models import Edit, FileRef

CHANGED = "{} has changed since this fix was made."


@dataclass(frozen=True)
class _Prepared:
    """A file that can be rewritten: where it really is, what it holds, and what it is to hold."""

    name: str
    path: str
    old: bytes
    new: bytes


class OwnFiles:
    """Writes files (`stages.Files`).

    Parameters
    ----------
    keep_copy : callable
        Is given a file's path and what it holds, and keeps that before it changes.
    """

    def __init__(self, keep_copy: Callable[[str, bytes], object]) -> None:
        self._keep_copy = keep_copy

    def obstacle(self, edit: Edit) -> str:
        """Why a file can't be rewritten, as a sentence; empty if nothing is in the way."""
        try:
            _prepared(edit)
        except FileRefused as refused:
            return str(refused)
        return ""

    def write(self, edits: Iterable[Edit]) -> None:
        """Give files their new texts. Permissions, encoding, line ends and a link to the file stay.

        Parameters
        ----------
        edits : iterable of Edit

        Raises
        ------
        FileRefused
            If one of them can't be rewritten, as it has changed, say. All are as they were then.
        """
        prepared = [_prepared(edit) for edit in edits]
        done: list[_Prepared] = []
        try:
            for one in prepared:
                self._keep_copy(one.path, one.old)
                _replace(one.path, one.old, one.new)
                done.append(one)
        except OSError as error:
            for one in done:
                with contextlib.suppress(OSError):
                    _replace(one.path, one.new, one.old)
            raise FileRefused(f"{prepared[len(done)].name} could not be written: {error.strerror or error}.") from None


class _NoFiles:
    """Where no file is ever written."""

    def obstacle(self, edit: Edit) -> str:
        return "files are not rewritten here."

    def write(self, edits: Iterable[Edit]) -> None:
        for edit in edits:
            raise FileRefused(self.obstacle(edit))


NO_FILES = _NoFiles()
"""Rewrites none, and says so."""


def _prepared(edit: Edit) -> _Prepared:
    """The file as it can be rewritten.

    Raises
    ------
    FileRefused
        With the reason.
    """
    assert isinstance(edit.target, FileRef)
    name, path = edit.target.name, os.path.realpath(edit.target.path)  # a link stays one
    try:
        status = os.stat(path)
        with open(path, "rb") as file:
            old = file.read()
    except OSError:
        raise FileRefused(f"{name} can't be read any more.") from None
    _refuse_unwritable(name, path, status)
    found = decoded(old)
    if found is None or found.text != edit.expected:
        raise FileRefused(CHANGED.format(name))
    try:
        return _Prepared(name, path, old, found.encoded(edit.source))
    except UnicodeEncodeError as error:
        lacking = edit.source[error.start : error.end] if error.object == edit.source else error.object[error.start]
        raise FileRefused(f"{name} is a text in {found.encoding}, which has no {lacking[:1]!r}.") from None


def _refuse_unwritable(name: str, path: str, status: os.stat_result) -> None:
    read_only = not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)  # for its owner too, and for root
    if read_only or not os.access(path, os.W_OK):
        raise FileRefused(f"{name} is read-only.")
    if not os.access(os.path.dirname(path), os.W_OK):
        raise FileRefused(f"nothing can be written in the folder of {name}.")
    if status.st_nlink > 1:
        raise FileRefused(f"{name} is one file under several names (hard links), which writing it would part.")


def _replace(path: str, old: bytes, new: bytes) -> None:
    """Put a new file in the place of one, in one step, if that still holds what it held."""
    folder, name = os.path.split(path)
    descriptor, written = tempfile.mkstemp(prefix=f".{name}.", suffix=".reflex", dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        _copy_looks(path, written)
        with open(path, "rb") as file:
            if file.read() != old:
                raise FileRefused(CHANGED.format(name))
        os.replace(written, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(written)
        raise


def _copy_looks(path: str, written: str) -> None:
    """Give the new file the old one's permissions, attributes and owner, and another time of change.

    Python takes a compiled module for current if the time, in whole seconds, and the size are those of the file. So the
    second in which the old text was saved must not be that of a new one of the same size.
    """
    before, now = os.stat(path), os.stat(written)
    shutil.copystat(path, written)
    if (before.st_uid, before.st_gid) != (now.st_uid, now.st_gid):
        with contextlib.suppress(OSError):  # only root can, as a rule
            os.chown(written, before.st_uid, before.st_gid)
            os.chmod(written, stat.S_IMODE(before.st_mode))
    changed = max(now.st_mtime_ns, (before.st_mtime_ns // 1_000_000_000 + 1) * 1_000_000_000)
    os.utime(written, ns=(now.st_atime_ns, changed))
