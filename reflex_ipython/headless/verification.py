"""Whether a healed notebook runs from the top and shows the same: in a fresh kernel, by nbclient alone."""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from nbclient.client import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from reflex_ipython.headless.healed import Difference, Verification

MOST_LINES = 40
"""Lines of a difference that are kept."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


async def verify(notebook: Any, client: Callable[[Any], NotebookClient]) -> Verification:
    """Run a notebook from the top, and compare what its cells show.

    Parameters
    ----------
    notebook : NotebookNode
        With its outputs; it stays as it is.
    client : callable
        Gives the client that runs a notebook.

    Returns
    -------
    Verification
    """
    fresh = copy.deepcopy(notebook)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    runs = client(fresh)
    try:
        await runs.async_execute()
    except CellExecutionError as error:
        return Verification(f"cell {failing_cell(fresh)} raises {error.ename}: {error.evalue}")
    except CellTimeoutError:
        return Verification("a cell takes longer there than it may")
    except DeadKernelError:
        return Verification("its kernel dies there")
    return Verification("", tuple(differences(notebook, fresh)))


def failing_cell(notebook: Any) -> int | None:
    """The number of the cell that ended a run, from 1: the last one that shows an error; None if none does."""
    failed = [
        number
        for number, cell in enumerate(notebook.cells, 1)
        if any(output.output_type == "error" for output in cell.get("outputs", ()))
        and "raises-exception" not in cell.metadata.get("tags", ())
    ]
    return failed[-1] if failed else None


def differences(before: Any, after: Any) -> Iterator[Difference]:
    """The cells of two runs of one notebook that show different texts."""
    for number, (one, other) in enumerate(zip(before.cells, after.cells), 1):
        if one.cell_type != "code":
            continue
        shown, shows = shown_text(one.outputs), shown_text(other.outputs)
        if shown != shows:
            lines = difflib.unified_diff(shown, shows, "when it was healed", "from the top", lineterm="", n=1)
            yield Difference(number, tuple(lines)[:MOST_LINES])


def shown_text(outputs: Any) -> list[str]:
    """What outputs show, in lines: without what differs from process to process, such as addresses."""
    lines: list[str] = []
    for name, some in groupby(outputs, key=lambda output: output.get("name", "")):
        if name:  # a stream comes in pieces of any length
            lines += "".join(output.text for output in some).splitlines()
        else:
            lines += [line for output in some for line in _lines(output)]
    return [_ADDRESS.sub("0x", line) for line in lines]


def _lines(output: Any) -> Iterator[str]:
    if output.output_type == "error":
        yield f"{output.ename}: {output.evalue}"
        return
    text = output.data.get("text/plain", "")
    yield from ("".join(text) if isinstance(text, list) else text).splitlines()
    others = sorted(set(output.data) - {"text/plain", "text/html"})
    if others:
        yield f"({', '.join(others)})"
