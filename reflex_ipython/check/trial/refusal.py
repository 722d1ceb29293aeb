"""Telling what the trial's own walls caused from what the fix is to blame for."""

from __future__ import annotations

import errno
from collections.abc import Iterator

from reflex_ipython.check.trial.audit import Blocked
from reflex_ipython.check.trial.descriptors import Detached
from reflex_ipython.check.trial.workers import judge_waiting
from reflex_ipython.models import Outcome

_LONGEST_CHAIN = 20
_DATABASE = ("unable to open database file", "attempt to write a readonly database", "disk i/o error")
_WALLS = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTSOCK, errno.EFBIG, errno.ENOSYS)
_PREFIX = "not in a trial: "


def judge(error: BaseException, detached: Detached) -> tuple[Outcome, str]:
    """What an exception says of the fix.

    Parameters
    ----------
    error : BaseException
        What ended the run.
    detached : Detached
        What the copy was cut off from.

    Returns
    -------
    str, str
        The outcome, and the reason in words.
    """
    for one in chain(error):
        if isinstance(one, Blocked):
            return "blocked", f"wants to {str(one.strerror).removeprefix(_PREFIX)}"
        if isinstance(one, MemoryError):
            return "inconclusive", "needs more memory than a copy may use"
        if waiting := judge_waiting(one):
            return waiting
        if _is_wall(one, detached):
            return "blocked", f"wants to do what a copy may not ({_text(one)})"
    return "other_error", ""


def chain(error: BaseException) -> Iterator[BaseException]:
    """The exception, those it was made from, and those it groups; a bounded number."""
    waiting, seen = [error], set[int]()
    while waiting and len(seen) < _LONGEST_CHAIN:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [other for other in (one.__cause__, one.__context__) if other is not None]
        waiting += [member for member in getattr(one, "exceptions", ()) if isinstance(member, BaseException)]


def _is_wall(error: BaseException, detached: Detached) -> bool:
    if isinstance(error, OSError):
        if error.errno == errno.EBADF:
            return bool(detached.read_only)
        return error.errno in _WALLS or type(error).__name__ == "gaierror"
    if type(error).__module__ == "termios":
        return error.args[:1] in [(number,) for number in _WALLS]
    if type(error).__module__ == "sqlite3":
        return any(words in _text(error).lower() for words in _DATABASE)
    return False


def _text(error: BaseException) -> str:
    """The message of one of Python's own exceptions."""
    return BaseException.__str__(error) if not isinstance(error, OSError) else OSError.__str__(error)
