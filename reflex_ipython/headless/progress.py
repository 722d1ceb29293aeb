"""How far many notebooks are: a bar in a terminal, plain lines in a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from reflex_ipython.headless.results import Result

MARKS = {"clean": "✓", "healed": "✓", "interrupted": "–"}
"""What stands in front of a notebook; anything else is a cross."""


class Progress(Protocol):
    """What is told of how far it is."""

    def begun(self, name: str) -> None:
        """A notebook begins; on any thread."""

    def ended(self, result: Result) -> None:
        """One has ended."""


def line(result: Result) -> str:
    """A notebook that has ended, in a line."""
    words = " ".join(result.healed.words.split())
    return f"{MARKS.get(result.healed.status, '✗')} {result.notebook}: {words} ({result.healed.seconds:.1f} s)"


class LogLines:
    """For a log: a line each.

    Parameters
    ----------
    total : int
        Notebooks.
    """

    def __init__(self, total: int) -> None:
        self._total, self._ended = total, 0

    def begun(self, name: str) -> None:
        """Nothing is said."""

    def ended(self, result: Result) -> None:
        """Say it."""
        self._ended += 1
        print(f"[{self._ended}/{self._total}] {line(result)}", file=sys.stderr, flush=True)


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """What shows how far it is, where the standard error goes."""
    if not sys.stderr.isatty():
        yield LogLines(total)
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)

        class Bar:
            def begun(self, name: str) -> None:
                bar.update(task, description=f"[dim]{escape(name)}")

            def ended(self, result: Result) -> None:
                bar.console.print(line(result), markup=False, highlight=False)
                bar.advance(task)

        yield Bar()
