"""The place where code is wanted: what there is for it to use, without anything that failed."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from reflex_ipython.capture.bounds import SummaryDeadline, attempt, clean, clip
from reflex_ipython.capture.cells import CellLookup, FailingCell, NoCells
from reflex_ipython.capture.dataflow import earlier
from reflex_ipython.capture.lookup.names import users
from reflex_ipython.capture.meanings import meanings
from reflex_ipython.capture.named import named_in, types_of, wanted_values
from reflex_ipython.capture.versions import versions
from reflex_ipython.errors import BadInput
from reflex_ipython.models import LONGEST_WISH, CellRef, CellSource, Situation
from reflex_ipython.settings import Settings

_NAMES = 500
_VALUES = 6  # all summaries together may take so many times the time of one
_LOOKED_AT = 300  # earlier cells
_COMMANDS = ("%reflex", "%%reflex")


def capture_situation(
    words: str,
    *,
    source: str,
    cell: CellRef,
    namespace: dict[str, Any],
    cells: CellLookup | None = None,
    settings: Settings | None = None,
) -> Situation:
    """All that may be known of a place where code is wanted. Nothing of the user's runs.

    Parameters
    ----------
    words : str
        What the code is to do.
    source : str
        The raw text that stands there.
    cell : CellRef
        The cell; one without an id and a number where it is none.
    namespace : dict
        The user's namespace.
    cells : CellLookup or None
        Knows the cells that ran before. None: there are none.
    settings : Settings or None
        `summary_time` and `summary_size` bound the summaries. None: the defaults.

    Raises
    ------
    BadInput
        If these are more words than a model is told.
    """
    if len(words) > LONGEST_WISH:
        raise BadInput(f"The request is longer than {LONGEST_WISH:,} characters: say it in fewer words.")
    settings = settings or Settings()
    clock = SummaryDeadline(total=_VALUES * settings.summary_time, each=settings.summary_time)
    known = FailingCell(cells or NoCells(), CellSource(cell, source))
    own, nothing = users(namespace), dict[str, str]()
    imported = {name: full for name, full in attempt(nothing, meanings, namespace).items() if _is_users(name, full)}
    in_play = "\n".join([*named_in(words, own), *imported])
    return Situation(
        place=cell,
        source=clean(source),
        names=tuple(clip(name, 200) for name in own[:_NAMES]),
        meanings=imported,
        values=attempt((), wanted_values, words, own, namespace, clock, settings.summary_size),
        earlier=attempt((), _earlier, words, own, known),
        versions=attempt(nothing, versions, (), in_play, namespace),
        python=platform.python_version(),
        types=attempt(nothing, types_of, own, namespace),
    )


def _is_users(name: str, full: str) -> bool:
    return not name.startswith("__") and full.partition(".")[0] != "reflex_ipython"


def _earlier(words: str, names: Sequence[str], cells: FailingCell) -> tuple[CellSource, ...]:
    """The cells that made what the request names, in the order they ran."""
    before = [one for one in cells.all()[-_LOOKED_AT:] if not one.source.lstrip().startswith(_COMMANDS)]
    return earlier("\n".join(named_in(words, names)), before)
