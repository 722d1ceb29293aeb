"""The error that was shown last. Python and IPython keep it, and with its traceback all that its functions had."""

from __future__ import annotations

import sys
from typing import Any

_NAMES = ("last_type", "last_value", "last_traceback", "last_exc")


def last_shown() -> BaseException | None:
    """It; None if none was shown."""
    return getattr(sys, "last_value", None)


def show_instead(error: BaseException | None) -> None:
    """Make an error the last one again: `%debug` and `%reflex fix` mean the user's, not a mistyped command."""
    if error is None:
        for name in _NAMES:
            vars(sys).pop(name, None)
    else:
        sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
        if hasattr(sys, "last_exc"):  # since Python 3.12
            sys.last_exc = error


def forget(shell: Any, known: int) -> None:
    """Have Python and IPython forget the last error, as where it never was: what only its functions had ends now.

    Parameters
    ----------
    shell : InteractiveShell
    known : int
        Its id: another one stays.
    """
    error, result = last_shown(), shell.last_execution_result
    if error is None or id(error) != known:
        return
    show_instead(None)
    if getattr(shell.InteractiveTB, "tb", None) is not None:
        shell.InteractiveTB.tb = None
    if result is not None and result.error_in_exec is error:  # nobody asks for it before the next one is there
        result.error_in_exec = None
