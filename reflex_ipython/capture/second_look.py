"""What a cell looked up in vain when it ran once more, in a copy of the process: its fix was not enough."""

from __future__ import annotations

import dataclasses

from reflex_ipython.capture import chain
from reflex_ipython.capture.bounds import attempt
from reflex_ipython.capture.cells import FailingCell, NoCells
from reflex_ipython.capture.lookup import lookup
from reflex_ipython.capture.lookup.names import nearest
from reflex_ipython.capture.private_paths import may_be_told
from reflex_ipython.capture.trace import steps
from reflex_ipython.models import CellRef, CellSource, Lookup

_MOST = 40
"""Names that are told of what is there: the nearest ones."""


def second_look(exc: BaseException) -> Lookup | None:
    """The look-up that an exception tells of, as far as it may be told to others; None if it tells of none.

    Parameters
    ----------
    exc : BaseException
        With its traceback.
    """
    known = FailingCell(NoCells(), CellSource(CellRef(), ""))
    return attempt(None, _told, exc, known)


def _told(exc: BaseException, known: FailingCell) -> Lookup | None:
    found = lookup(exc, steps(chain.traceback(exc), known))
    if found is None:
        return None
    there = list(filter(may_be_told, found.available)) if found.kind == "path" else list(found.available)
    if len(there) > _MOST:
        there = attempt(there[:_MOST], nearest, found.wanted, there, _MOST)
    return dataclasses.replace(found, available=tuple(there), holders={}, others=found.others[:_MOST], hiding="")
