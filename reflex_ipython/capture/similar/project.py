"""The Python files of the user's project, as far as they can be read in the time that there is."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator

from reflex_ipython.base import text_file
from reflex_ipython.base.library_files import is_library
from reflex_ipython.capture.similar.pieces import CodePiece, pieces

MOST_FILES = 1_000
DEEPEST = 6
_LEFT_OUT = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})


class ProjectPieces:
    """The functions of the files below a folder; a file is read anew once it has changed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[str, tuple[tuple[int, int], tuple[CodePiece, ...]]] = OrderedDict()

    def of(self, folder: str, seconds: float) -> list[CodePiece]:
        """Those of the files that were read before or can be read in so many seconds, the nearest files first."""
        end = self._clock() + seconds
        found: list[CodePiece] = []
        for path, stamp in _files(folder, lambda: self._clock() > end):
            known = self._known.get(path)
            if known is None or known[0] != stamp:
                if self._clock() > end:
                    continue
                file = text_file.read(path)
                place = os.path.relpath(path, folder).replace(os.sep, "/")
                known = self._known[path] = (stamp, pieces(place, file.text, whole=False) if file is not None else ())
                if len(self._known) > MOST_FILES:
                    self._known.popitem(last=False)
            found += known[1]
        return found


def _files(folder: str, over: Callable[[], bool]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The Python files below a folder with their time and size; hidden folders, environments and libraries left out."""
    waiting, count = [(folder, 0)], 0
    for place, depth in waiting:
        try:
            with os.scandir(place) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:  # a folder that may not be read
            continue
        if any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name in _LEFT_OUT or is_library(entry.path):
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    if depth < DEEPEST and not over():
                        waiting.append((entry.path, depth + 1))
                elif entry.name.endswith(".py") and entry.is_file():
                    state = entry.stat()
                    yield entry.path, (state.st_mtime_ns, state.st_size)
                    count += 1
            except OSError:  # gone meanwhile
                continue
            if count >= MOST_FILES:
                return
