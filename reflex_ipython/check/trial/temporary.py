"""Temporary files of a trial: they go to its scratch folder, and what the cell is told of the folder is as ever.

`tempfile.gettempdir()` and the environment of Python say what they say in the kernel; a file that is made without a
folder's name, and C code that asks the environment, get the scratch folder.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

_VARIABLES = ("TMPDIR", "TEMP", "TMP")


def move(folder: str) -> None:
    """Have temporary files made in a folder, for good.

    Parameters
    ----------
    folder : str
    """
    ours = vars(tempfile)
    tempfile.gettempdir = _answer(tempfile.gettempdir, folder, ours)
    tempfile.gettempdirb = _answer(tempfile.gettempdirb, os.fsencode(folder), ours)
    for name in _VARIABLES:
        os.putenv(name, folder)  # the C library's alone: `os.environ` keeps what it has


def _answer(told: Callable[[], Any], folder: Any, inside: dict[str, Any]) -> Callable[[], Any]:
    """The folder to the module itself, the old answer to everybody else."""
    old = told()

    def answer() -> Any:
        return folder if sys._getframe(1).f_globals is inside else old

    answer.__name__, answer.__doc__ = told.__name__, told.__doc__
    return answer
