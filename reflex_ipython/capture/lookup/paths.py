"""Files and folders that are not there, and what is: bounded, by names alone; nothing is opened."""

from __future__ import annotations

import itertools
import os
import pathlib
import re
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.capture import chain, libraries, safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline
from reflex_ipython.capture.trace import Step
from reflex_ipython.models import Lookup

_IN_MESSAGE = re.compile(
    r"No such file or directory: '(.+?)'|Is a directory: '(.+?)'|Not a directory: '(.+?)'"
    r"|non-existent directory: '(.+?)'|^(.+?) not found\.$"
)
_MISSING = (FileNotFoundError, IsADirectoryError, NotADirectoryError)
_MOST, _ENTRIES, _DEPTH = 400, 3_000, 3
_SECONDS = 0.03
_LEFT_OUT = frozenset({"__pycache__", "node_modules", "site-packages"})


def find(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """The path that was asked for, the folder that it would be in, and the paths near it, as one would write them."""
    wanted = _wanted(exc)
    if not wanted or len(wanted) > 500:
        return None
    folder = os.path.dirname(wanted) or "."
    return Lookup("path", wanted, folder, "", libraries.labels(_near(wanted, SummaryDeadline(_SECONDS, _SECONDS))))


def _wanted(exc: BaseException) -> str:
    found: Any = chain.field(exc, OSError, "filename")
    if is_exactly(found, (pathlib.PosixPath, pathlib.WindowsPath)):
        found = os.fspath(found)
    if type(found) is str:
        return found if safe_inspection.is_a(exc, *_MISSING) else ""
    match = _IN_MESSAGE.search(chain.message(exc))
    return next((group for group in match.groups() if group), "") if match else ""


def _near(wanted: str, clock: SummaryDeadline) -> Iterator[str]:
    """What is in the working folder, in the nearest folder of the path that there is, at home; its namesakes above."""
    starts = [("", _DEPTH), (_existing(os.path.dirname(wanted)), 1)]
    if wanted.startswith("~"):
        starts.insert(0, ("~", 1))
    found = dict.fromkeys(path for start, depth in starts for path in walk(start, depth, clock))
    name = re.split(r"[/\\]", wanted)[-1].lower()
    above = (path for path in walk("..", 2, clock) if path.rpartition("/")[2].lower() == name)
    yield from itertools.islice(itertools.chain(found, above), _MOST)


def _existing(folder: str) -> str:
    """The folder, or the nearest one above it that is there."""
    while folder and not os.path.isdir(folder):
        above = os.path.dirname(folder)
        folder = "" if above == folder else above
    return folder


def walk(start: str, depth: int, clock: SummaryDeadline) -> Iterator[str]:
    """The paths below a folder, the nearest first; folders end in a slash. Hidden ones are left out.

    Parameters
    ----------
    start : str
        The folder; empty for the working folder.
    depth : int
        How many levels of folders are looked into.
    clock : SummaryDeadline
        When to give up.
    """
    waiting = [(start, depth)]
    looked_at = 0
    for folder, left in waiting:
        if clock.over or looked_at > _ENTRIES:
            return
        try:
            with os.scandir(os.path.expanduser(folder) or ".") as entries:
                for entry in entries:
                    looked_at += 1
                    if looked_at > _ENTRIES or clock.over:
                        return
                    if entry.name.startswith(".") or entry.name in _LEFT_OUT:
                        continue
                    path = f"{folder.rstrip('/')}/{entry.name}" if folder else entry.name
                    if entry.is_dir():
                        yield f"{path}/"
                        if left > 1:
                            waiting.append((path, left - 1))
                    else:
                        yield path
        except OSError:
            continue  # a folder that may not be read
