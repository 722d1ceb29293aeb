"""What is kept of an exception that leaves a call; the exception itself would hold the user's frames."""

from __future__ import annotations

from typing import Any

from reflex_ipython.capture import safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline, attempt, clip
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr
from reflex_ipython.traces.recorded import Raised

_TEXT = 300  # characters of a message
_SECONDS = 0.005


def raised(error: BaseException, line: int | None) -> Raised:
    """An exception in a few words.

    Parameters
    ----------
    error : BaseException
        Its own `__str__` does not run.
    line : int or None
        Where it was raised, or came through.
    """
    return Raised(clip(attempt("", safe_inspection.type_name, error), 200), attempt("", _message, error), line)


def _message(error: BaseException) -> str:
    arguments: Any = BaseException.args.__get__(error)  # type: ignore[attr-defined]  # a getter of C
    if len(arguments) == 1 and type(arguments[0]) is str and not isinstance(error, KeyError):
        return clip(arguments[0], _TEXT)
    budget = ReprBudget(SummaryDeadline(_SECONDS, _SECONDS), text=_TEXT)
    return clip(", ".join(safe_repr(one, budget) for one in arguments[:5]), _TEXT)
