"""What a repair is for, captured from the live kernel: a cell that failed, or code that is asked for in words."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal

from reflex_ipython.capture import capture_failure, capture_situation, held_secrets
from reflex_ipython.ipython.cells import CellLog, RanCell
from reflex_ipython.ipython.known_cells import KnownCells
from reflex_ipython.ipython.requests import request_in
from reflex_ipython.models import Failure, Wish, new_id, now
from reflex_ipython.repairs.redaction import Redaction
from reflex_ipython.settings import Settings


class Causes:
    """Captures what is there as a cell runs or has just failed; on the kernel's main thread.

    Parameters
    ----------
    shell : InteractiveShell
    cells : CellLog
    redaction : Redaction
        Learns first which secrets the kernel holds now.
    settings : callable
        Gives the settings as they are now.
    """

    def __init__(self, shell: Any, cells: CellLog, redaction: Redaction, settings: Callable[[], Settings]) -> None:
        self._shell = shell
        self._cells = cells
        self._redaction = redaction
        self._settings = settings

    def failure(
        self,
        cell: RanCell,
        error: BaseException,
        stage: Literal["syntax", "run", "display"] | None = None,
        *,
        foreseen: bool = False,
    ) -> Failure:
        """How a cell failed, or is going to.

        Parameters
        ----------
        cell : RanCell
        error : BaseException
        stage : str or None
            Where it has failed. None: the error tells.
        foreseen : bool
            Whether it has not failed yet.
        """
        self._redaction.add(held_secrets(self._shell.user_ns, os.environ, error.__traceback__))
        return capture_failure(
            error,
            source=cell.source,
            cell=cell.ref,
            stage=stage or ("syntax" if isinstance(error, SyntaxError) else "run"),
            namespace=self._shell.user_ns,
            cells=KnownCells(self._cells),
            settings=self._settings(),
            tags=_tags(self._shell),
            foreseen=foreseen,
        )

    def wish(self, words: str, cell: RanCell) -> Wish:
        """What is asked for in these words, in the cell that runs."""
        self._redaction.add(held_secrets(self._shell.user_ns, os.environ))
        situation = capture_situation(
            words,
            source=cell.source,
            cell=cell.ref,
            namespace=self._shell.user_ns,
            cells=KnownCells(self._cells),
            settings=self._settings(),
        )
        return Wish(new_id(), now(), situation, words, request_in(cell.source, words))


def _tags(shell: Any) -> tuple[str, ...]:
    """The running cell's tags, where the front end sends its metadata along, as JupyterLab and Notebook do."""
    parent: Any = getattr(shell, "get_parent", dict)()
    metadata = parent.get("metadata") if isinstance(parent, dict) else None
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return tuple(tag for tag in tags if isinstance(tag, str))[:100] if isinstance(tags, list) else ()
