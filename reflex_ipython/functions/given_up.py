"""Failures for which there is no fix: who calls on does not wait, and pay, for the same answer each time."""

from __future__ import annotations

from types import CodeType
from typing import Any

from reflex_ipython.errors import told

MOST = 1_000
"""Failures of a function that are remembered."""
LONGEST = 500
"""Characters of a message by which it is known."""


class GivenUp:
    """Those of one function, while it runs the same code."""

    def __init__(self) -> None:
        self._code: object = None
        self._reasons: dict[tuple[Any, ...], str] = {}

    def reason(self, code: object, error: BaseException) -> str | None:
        """Why there is no fix for a failure, if that is known.

        Parameters
        ----------
        code : CodeType
            What the function runs.
        error : BaseException
            What it raised.
        """
        if code is not self._code:
            return None
        keys = ((*_place(code, error), says) for says in ("", told(error)[:LONGEST]))
        return next((self._reasons[key] for key in keys if key in self._reasons), None)

    def add(self, code: CodeType, error: BaseException, reason: str, *, whatever_it_says: bool = False) -> None:
        """Remember one.

        Parameters
        ----------
        code, error
            As above.
        reason : str
        whatever_it_says : bool
            Whether that holds of all such exceptions from that line: somebody was asked, and does not want it.
        """
        if code is not self._code or len(self._reasons) >= MOST:
            self._code, self._reasons = code, {}
        says = "" if whatever_it_says else told(error)[:LONGEST]
        key = (*_place(code, error), says)
        self._reasons[key] = reason


def _place(code: object, error: BaseException) -> tuple[Any, ...]:
    """The class of an exception, and the line of the code on which it left."""
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code is code:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return type(error), line
