"""One thing that a cell did outside its namespace."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Callable
from typing import NamedTuple


@dataclasses.dataclass(frozen=True)
class OutsideEffect:
    """Something that was done outside the namespace.

    Parameters
    ----------
    kind : str
        "file", "folder", "process", "network", "database", "thread", "task", "signal", "import", "opened" or "closed"
        (a file descriptor), "unpickled", or "other".
    text : str
        In words, past tense: `wrote out.csv`.
    made : str
        The full path of what was not there before; empty if it was, or if it is no file.
    removed : str
        The full path of what was taken away; empty if nothing was.
    begun : str
        The full path of a file that was empty when it was opened to be written; empty if none was.
    loaded : str
        The file of the module of the user's own that is about to be imported; empty if it is no such import.
    script : bool
        Whether that is run as `__main__`.
    over : callable or None
        Tells whether it has come to its end and left nothing that was not seen; None if there is no telling.
    """

    kind: str
    text: str
    made: str = dataclasses.field(default="", compare=False)
    removed: str = dataclasses.field(default="", compare=False)
    begun: str = dataclasses.field(default="", compare=False)
    loaded: str = dataclasses.field(default="", compare=False)
    script: bool = False
    over: Callable[[], bool] | None = dataclasses.field(default=None, compare=False, repr=False)

    @property
    def harmless(self) -> bool:
        """Whether nobody minds if it happens twice: an import is one once and for all, a scratch file is gone again,
        a descriptor that was opened another time is another one.
        """
        if self.over is not None:
            return self.over()
        return self.kind in ("import", "opened", "unpickled") or (bool(self.made) and not os.path.lexists(self.made))

    @property
    def in_words(self) -> str:
        """`text`, unless nothing stands in a file as yet that was opened to be written."""
        if self.begun and _is_empty(self.begun):
            return f"{'made' if self.made else 'emptied'} {self.text.partition(' ')[2]}"
        return self.text


def _is_empty(path: str) -> bool:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size == 0


class Repeat(NamedTuple):
    """Something that happens a second time if a statement runs again, or starts from what can't be put back.

    Parameters
    ----------
    text : str
        In words.
    since : int or None
        The index of the earlier statement of the cell that made what it is about: whoever runs that one again as well
        repeats nothing. None: it was there before.
    left : bool
        Whether it happens, the other way round, if the statement does not run again: what it left behind acts.
    """

    text: str
    since: int | None = None
    left: bool = False


STARTED_THREAD = OutsideEffect("thread", "started a thread")
WORKERS = "handed work to other processes"
"""What a statement did that used a pool: what the work itself did there is not seen."""
