"""One function that heals: its present text, and what a failure of it looks like."""

from __future__ import annotations

import dataclasses
import threading
from types import CodeType, FunctionType, TracebackType
from typing import Literal

from reflex_ipython.base.library_files import is_library
from reflex_ipython.capture import capture_failure
from reflex_ipython.functions.source import GIVEN, KEPT, FunctionSource, put_in, source_of
from reflex_ipython.models import CellRef, DefinitionRef, Failure, FileSource, Frame
from reflex_ipython.settings import Settings

Policy = Literal["ask", "proven", "never"]
POLICIES: tuple[Policy, ...] = ("ask", "proven", "never")

KNOWN = 20
"""Earlier texts of a function that are known: calls of them may still run, on other threads and in tasks."""
AGAIN = "again"
"""What stands for the call in a copy."""
CALL = f"{AGAIN}()"
"""The call as a cell. A coroutine is awaited."""
AWAITED = f"await {AGAIN}()"


class Switch:
    """Whether functions heal in this process: not in a copy, where a fix of one of them is tried."""

    on = True


class Healed:
    """A function, and the text that it runs by now.

    Parameters
    ----------
    function : FunctionType
        The innermost one, below other decorators.
    id : str
    description : str
        What it is for, told to a model.

    Raises
    ------
    CannotHeal
        If its text is not known.
    """

    def __init__(self, function: FunctionType, id: str, description: str) -> None:
        self.function = function
        self.id = id
        self.description = description
        self.original: FunctionSource = source_of(function)
        self._texts: list[tuple[CodeType, FunctionSource]] = []
        self._runs(self.original)
        self.lock = threading.RLock()
        """Held while it is mended: who fails on another thread meanwhile waits, and calls again."""

    @property
    def target(self) -> DefinitionRef:
        """What an edit of it rewrites."""
        return DefinitionRef(self.function.__module__, self.function.__qualname__)

    @property
    def has_text_of_its_own(self) -> bool:
        """Whether what it runs stands in no cell and in no file."""
        return self.source.filename.startswith((KEPT, GIVEN))

    def put_in(self, text: str) -> None:
        """Run another text from now on.

        Raises
        ------
        CannotHeal
            If it is no text of this function.
        """
        filename = f"{KEPT}{self.id}>"
        put_in(self.function, text, filename)
        self._runs(FunctionSource(text, filename, 1, text.count("\n") + 1, 0))

    def follow(self) -> bool:
        """Whether somebody else has given the function another code; then `source` is the text of that.

        Raises
        ------
        CannotHeal
            If the text is not known.
        """
        if self.function.__code__ is self._texts[-1][0]:
            return False
        self._runs(source_of(self.function))
        return True

    def has_failed(self, error: BaseException, code: CodeType) -> bool:
        """Whether an exception came from its own text, or from a library that this called.

        Parameters
        ----------
        error : BaseException
        code : CodeType
            What the call ran; it may be another by now.
        """
        filename, lineno = _innermost(error.__traceback__)
        return any(known is code and text.holds(filename, lineno) for known, text in self._texts)

    def failure(self, error: BaseException, call: str, settings: Settings) -> Failure:
        """What is known of its failure; the function's text is what may be mended."""
        found = capture_failure(
            error,
            source=call,
            cell=CellRef("call"),
            namespace=self.function.__globals__,
            settings=settings,
        )
        source = self.source
        known = FileSource(self.target, source.text, f"{KEPT}{self.id}>", self.function.__module__)
        names = (*found.situation.names, AGAIN)
        situation = dataclasses.replace(found.situation, names=names, files=(known,))
        exceptions = tuple(
            dataclasses.replace(one, frames=tuple(map(self._in_text, one.frames))) for one in found.exceptions
        )
        remark = (f"{self.function.__qualname__} is to: {self.description}",) if self.description else ()
        return dataclasses.replace(found, situation=situation, exceptions=exceptions, remarks=(*found.remarks, *remark))

    def _runs(self, source: FunctionSource) -> None:
        """Its present code is that of a text."""
        self.source = source
        self._texts = [*self._texts[-KNOWN:], (self.function.__code__, source)]

    def _in_text(self, frame: Frame) -> Frame:
        """A frame of its code with the lines of its text."""
        if not self.source.holds(frame.filename, frame.lineno):
            return frame
        moved, source = self.source.first - 1, self.source
        span = frame.span
        if span is not None:
            first, last, start, end = span
            span = first - moved, last - moved, start - source.indent, end - source.indent
        return dataclasses.replace(
            frame, filename=f"{KEPT}{self.id}>", lineno=frame.lineno - moved, first_lineno=1, source="", span=span
        )


def _innermost(traceback: TracebackType | None) -> tuple[str, int]:
    """The innermost place of the traceback that is in the user's code: file and line."""
    found = "", 0
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.startswith(KEPT) or not is_library(code.co_filename):
            found = code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next
    return found
