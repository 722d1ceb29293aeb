"""Tables of cells, read from files of plain code: short notebooks, each under a name, and what runs before each."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "cells"


def rows(table: str) -> dict[str, tuple[str, ...]]:
    """The notebooks of a table by their names.

    A line `#= name` begins one, `# %%` its next cell; what stands before the first is the first cell of each.

    Parameters
    ----------
    table : str
        The name of a file in `cells/`, without its suffix.
    """
    prelude, *parts = re.split(r"^#= ", (_FOLDER / f"{table}.ipy").read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = {}
    for part in parts:
        name, _, text = part.partition("\n")
        found[name] = (prelude, *(cell.strip("\n") for cell in re.split(r"^# %%\n", text, flags=re.MULTILINE)))
    return found
