"""`reflex-ipython diff`: what was healed in a notebook, from what its cells say themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from reflex_ipython.headless.healed import METADATA
from reflex_ipython.headless.notebook_file import parsed, read
from reflex_ipython.present.blocks import Block, Diff, Heading, Paragraph
from reflex_ipython.present.diff import hunks

NOTHING = "No cell of this notebook was healed."


def print_changes(paths: Sequence[Path]) -> None:
    """Print what was healed in notebooks.

    Raises
    ------
    BadInput
        If a notebook can't be read.
    """
    from rich.console import Console

    from reflex_ipython.present.terminal import page

    console = Console(highlight=False)
    for path in paths:
        notebook = parsed(read(path), str(path))
        if len(paths) > 1:
            console.print(str(path), style="bold", markup=False)
        console.print(page(list(changes(notebook)) or [Paragraph(NOTHING)]))


def changes(notebook: Any) -> Iterator[Block]:
    """What was healed in each cell, the repairs in their order.

    Parameters
    ----------
    notebook : NotebookNode
    """
    for number, cell in enumerate(notebook.cells, 1):
        told = cell.metadata.get(METADATA)
        repairs = [one for one in _list(told) if isinstance(one, dict)]
        after = [*(str(one.get("before", "")) for one in repairs[1:]), cell.source]
        for repair, source in zip(repairs, after):
            yield Heading(f"Cell {number}: {repair.get('error', '')}", f"repair {repair.get('repair', '')}")
            if repair.get("explanation"):
                yield Paragraph(str(repair["explanation"]))
            yield Diff(hunks(str(repair.get("before", "")), source))


def _list(told: Any) -> list[Any]:
    """What the metadata have of repairs; whatever else stands there is not ours."""
    found = told.get("repairs") if isinstance(told, dict) else None
    return found if isinstance(found, list) else []
