"""`%%reflex trace` above a cell: it runs as it would without that line, with its calls recorded."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from reflex_ipython.errors import BadInput

if TYPE_CHECKING:
    from reflex_ipython.traces.recording import Recording

_FIRST = re.compile(
    r"(?P<above>(?:\s*%%(?:time|timeit|capture|prun)\b[^\n]*\n)*)"  # which run the rest as it stands
    r"\s*%%reflex[ \t]+trace(?P<options>(?:[ \t]+(?:--values|--lines|--to[ \t]+[A-Za-z_]\w*|-o[ \t]+\S+))*)[ \t]*\n"
    r"(?=[\s\S]*\S)"
)


class TraceOptions(NamedTuple):
    """What stands behind `%%reflex trace`: what is kept besides, the name and the file that get the trace."""

    values: bool
    lines: bool
    name: str
    file: str


def trace_options(cell: str) -> TraceOptions | None:
    """The options of a cell that is traced; None for any other."""
    found = _FIRST.match(cell) if "%%reflex" in cell else None
    if found is None:
        return None
    words = found["options"].split()
    values = dict(itertools.pairwise(words))
    return TraceOptions("--values" in words, "--lines" in words, values.get("--to", ""), values.get("-o", ""))


def without_line(cell: str) -> str:
    """The cell as it runs: its lines keep their numbers. (IPython would drop an empty first line.)"""
    found = _FIRST.match(cell)
    if found is None:
        return cell
    rest = cell[found.end() :]
    if found["above"]:
        return f"{found['above'].lstrip()}# traced\n{rest}"
    if rest.lstrip().startswith("%%"):  # IPython takes another cell magic on the first line alone
        return rest.lstrip()
    return "\n" * (found[0].count("\n") - 1) + "# traced\n" + rest


class TracedCells:
    """Records a cell that asks for it, and shows what was recorded when it has ended.

    Parameters
    ----------
    shell : InteractiveShell
    warn : callable
        Is told in a sentence what went wrong.
    """

    def __init__(self, shell: Any, warn: Callable[[str], None]) -> None:
        self._shell = shell
        self._warn = warn
        self._options: TraceOptions | None = None
        self.last: Recording | None = None

    def starts(self, options: TraceOptions) -> None:
        """A cell with that line is about to run on this thread."""
        from reflex_ipython.traces.kept import TraceBounds
        from reflex_ipython.traces.recording import Recording

        made = Recording(TraceBounds(), values=options.values, lines=options.lines)
        self.last, self._options = made.__enter__(), options

    def ended(self, error: BaseException | None) -> None:
        """The cell has ended, if it was one; with this error, if it failed."""
        options, self._options = self._options, None
        if options is None or self.last is None:
            return
        if error is None:
            self.last.__exit__(None, None, None)
        else:
            self.last.__exit__(type(error), error, error.__traceback__)
        if options.name:
            self._shell.user_ns[options.name] = self.last
        self.show()
        if options.file:
            try:
                self.save(options.file)
            except BadInput as error:
                self._warn(str(error))

    def close(self) -> None:
        """End the recording, if the cell itself unloads us."""
        if self.last is not None and self.last.is_on:
            self.last.__exit__(None, None, None)

    def show(self) -> None:
        """Show the last trace."""
        from IPython.display import display

        display(self.last)

    def save(self, path: str) -> None:
        """Write the last trace, and say so."""
        if self.last is not None:
            self.last.save(path)
            print(f"Wrote {path}.")
