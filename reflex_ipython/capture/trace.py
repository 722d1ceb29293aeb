"""The steps of a live traceback: which are the user's, which a library's, which the notebook's own machinery."""

from __future__ import annotations

import dataclasses
import itertools
import linecache
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any, Literal

from reflex_ipython.base.library_files import is_library
from reflex_ipython.capture import safe_inspection
from reflex_ipython.capture.cells import FailingCell, LineMap, ran
from reflex_ipython.capture.failing_span import failing_span
from reflex_ipython.models import CellSource

# The notebook's own machinery: it stands around and between the user's code, and says nothing of the failure.
_MACHINERY = ("IPython", "ipykernel", "reflex_ipython", "nbclient", "traitlets", "tornado")
_PROXY = "FrameLocalsProxy"  # what a function's `f_locals` is since Python 3.13
_MOST = 200  # steps looked at; of a longer traceback the first and the last half


@dataclass(frozen=True, eq=False)
class Step:
    """One entry of a traceback, live. It is dropped when the capture ends.

    Parameters
    ----------
    frame : FrameType
        The frame.
    lineno : int
        The failing line in the text that ran, 1-based.
    span : tuple of int or None
        First line, last line, first column, last column (UTF-8 bytes, from 0) of the failing expression, as in `ast`.
        None where it is not known.
    origin : str
        Whose code it is.
    cell : CellSource or None
        The cell that the code came from.
    text : str
        The text that ran, for the user's code; empty for a library's.
    skipped : int
        How many steps after this one were left out.
    inlined : dict of str to object
        The variables of comprehensions around the failing expression that ran in this frame (`inlined.py`), and are
        gone from it; those that are not known are `safe_inspection.MISSING`.
    """

    frame: FrameType
    lineno: int
    span: tuple[int, int, int, int] | None
    origin: Literal["user", "library", "machinery"]
    cell: CellSource | None
    text: str
    skipped: int = 0
    inlined: dict[str, Any] = field(default_factory=dict)

    @property
    def filename(self) -> str:
        """The name of the code's file."""
        return self.frame.f_code.co_filename

    @property
    def function(self) -> str:
        """The qualified name of the function (its plain name before Python 3.11)."""
        code = self.frame.f_code
        return getattr(code, "co_qualname", code.co_name)

    @property
    def is_top(self) -> bool:
        """Whether this is the top level of a cell or module."""
        return self.frame.f_code.co_name == "<module>"

    @property
    def package(self) -> str:
        """The top-level package that the code belongs to."""
        name = dict.get(self.frame.f_globals, "__name__")
        return name.partition(".")[0] if type(name) is str else ""

    @property
    def raw_lineno(self) -> int:
        """The failing line in the text that the user wrote, as well as it can be told."""
        found = LineMap(self.cell.source, self.text).raw(self.lineno) if self.cell else self.lineno
        return found or self.lineno

    @property
    def raw_span(self) -> tuple[int, int, int, int] | None:
        """The failing expression's place in the user's cell or file; None where that is not what ran."""
        if self.cell is None:
            return self.span if self.origin == "user" else None
        if self.span is None:
            return None
        first, last, start, end = self.span
        lines = LineMap(self.cell.source, self.text)
        places = (lines.raw(first), lines.shift(first)), (lines.raw(last), lines.shift(last))
        (raw_first, moved), (raw_last, moved_last) = places
        if raw_first is None or moved is None or raw_last is None or moved_last is None:
            return None
        return raw_first, raw_last, start + moved, end + moved_last

    def local(self, name: str) -> Any:
        """The frame's own variable, or `safe_inspection.MISSING`."""
        if name in self.inlined:
            return self.inlined[name]
        return local_variable(self.frame, name)

    def variable(self, name: str) -> Any:
        """What the name means in this frame: its own variable, a global, a builtin; else `safe_inspection.MISSING`."""
        found = self.local(name)
        if name in self.inlined:  # it hides what else has the name
            return found
        for scope in (self.frame.f_globals, self.frame.f_builtins):
            if found is safe_inspection.MISSING:
                found = dict.get(scope, name, safe_inspection.MISSING)
        return found

    def own_names(self) -> list[str]:
        """The names of the frame's own variables; of a cell's, those that are no globals."""
        return [*self.inlined, *(() if self.is_top else self._kept_names())]

    def _kept_names(self) -> list[str]:
        found = self.frame.f_locals
        if safe_inspection.is_a(found, dict):
            return [name for name in list(dict.keys(found)) if type(name) is str]
        return [name for name in list(found) if type(name) is str] if safe_inspection.type_name(found) == _PROXY else []


def local_variable(frame: FrameType, name: str) -> Any:
    """A frame's own variable, or `safe_inspection.MISSING`."""
    found = frame.f_locals
    if safe_inspection.is_a(found, dict):
        return dict.get(found, name, safe_inspection.MISSING)
    # Any other mapping is a class body's, and foreign.
    return (
        found.get(name, safe_inspection.MISSING)
        if safe_inspection.type_name(found) == _PROXY
        else safe_inspection.MISSING
    )


def steps(traceback: TracebackType | None, cells: FailingCell) -> list[Step]:
    """The entries of a traceback, outermost first, without the machinery."""
    entries = list(_entries(traceback))
    skipped = len(entries) - _MOST
    if skipped > 0:
        entries = entries[: _MOST // 2] + entries[-_MOST // 2 :]
    found = [_step(entry, cells) for entry in entries]
    if skipped > 0:
        found[_MOST // 2 - 1] = dataclasses.replace(found[_MOST // 2 - 1], skipped=skipped)
    return [step for step in found if step.origin != "machinery"]


def around(traceback: TracebackType | None, cells: FailingCell) -> Step | None:
    """The cell's step that led to a traceback which begins beneath it: a magic has caught the error, and shown it.

    Its line is where that frame is by now: later statements of the same block may have run.
    """
    frame = traceback.tb_frame if traceback is not None else None
    while frame is not None:
        cell = cells.of(frame.f_code)
        if cell is not None:
            return Step(frame, frame.f_lineno, None, "user", cell, ran(frame.f_code.co_filename, cell.source))
        frame = frame.f_back
    return None


def user_step(found: list[Step]) -> Step | None:
    """The innermost step in the user's code: the place where a person would look."""
    return next((step for step in reversed(found) if step.origin == "user"), None)


def below_user(found: list[Step]) -> list[Step]:
    """The library's steps that the innermost of the user's led to, outermost first."""
    return list(reversed(list(itertools.takewhile(lambda step: step.origin != "user", reversed(found)))))


def own_variables(traceback: TracebackType | None) -> Iterator[dict[str, Any]]:
    """The variables of the frames of a traceback that are no library's."""
    for entry in itertools.islice(_entries(traceback), _MOST):
        found = entry.tb_frame.f_locals
        if entry.tb_frame.f_code.co_name != "<module>" and not is_library(entry.tb_frame.f_code.co_filename):
            if safe_inspection.is_a(found, dict):
                yield dict(found)
            elif safe_inspection.type_name(found) == _PROXY:
                yield dict(found.items())


def _entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _step(entry: TracebackType, cells: FailingCell) -> Step:
    filename = entry.tb_frame.f_code.co_filename
    cell = cells.of(entry.tb_frame.f_code)
    origin: Literal["user", "library", "machinery"] = "user"
    if cell is None:
        name = dict.get(entry.tb_frame.f_globals, "__name__")
        package = name.partition(".")[0] if type(name) is str else ""
        origin = "machinery" if package in _MACHINERY else "library" if is_library(filename) else "user"
    text = ran(filename, cell.source) if cell else "".join(linecache.getlines(filename)) if origin == "user" else ""
    return Step(entry.tb_frame, entry.tb_lineno, failing_span(entry, text), origin, cell, text)
