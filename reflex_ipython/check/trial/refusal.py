"""Telling what the trial's own walls caused from what the fix is to blame for."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from reflex_ipython.check.trial.audit import Blocked
from reflex_ipython.check.trial.descriptors import DetachedDescriptors
from reflex_ipython.check.trial.workers import judge_waiting
from reflex_ipython.models import Outcome

_LONGEST_CHAIN = 20
_DATABASE = ("unable to open database file", "attempt to write a readonly database", "disk i/o error")
_WALLS = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTSOCK, errno.EFBIG, errno.ENOSYS)
_OTHER_LOOP = "attached to a different loop"  # of asyncio's futures and locks
_PREFIX = "not in a trial: "


def judge(error: BaseException, detached: DetachedDescriptors) -> tuple[Outcome, str]:
    """What an exception says of the fix.

    Parameters
    ----------
    error : BaseException
        What ended the run.
    detached : DetachedDescriptors
        What the copy was cut off from.

    Returns
    -------
    str, str
        The outcome, and the reason in words.
    """
    for one in chain(error):
        if isinstance(one, Blocked):
            wanted = str(one.strerror).removeprefix(_PREFIX)
            waits = wanted.startswith("wait for ")
            return (
                ("inconclusive", f"it would {wanted}, which the copy of the kernel does not have")
                if waits
                else ("blocked", f"wants to {wanted}")
            )
        if isinstance(one, MemoryError):
            return "inconclusive", "needs more memory than a trial may use"
        if waiting := judge_waiting(one):
            return waiting
        if isinstance(one, ChildProcessError):
            return "inconclusive", "it waits for a process of your kernel, which the copy of the kernel does not have"
        if isinstance(one, RuntimeError) and _OTHER_LOOP in _text(one):
            return (
                "inconclusive",
                "it waits for a task of your kernel's event loop, which the copy of the kernel does not have",
            )
        if _is_wall(one, detached):
            return "blocked", _text(one)
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


def _is_wall(error: BaseException, detached: DetachedDescriptors) -> bool:
    if isinstance(error, OSError):
        if error.errno == errno.EBADF:
            return bool(detached.read_only)
        return error.errno in _WALLS or type(error).__name__ == "gaierror"
    if type(error).__module__ == "termios":
        return error.args[:1] in [(number,) for number in _WALLS]
    if type(error).__module__ == "sqlite3":
        return any(words in _text(error).lower() for words in _DATABASE)
    return os.strerror(errno.ENOTSOCK) in _text(error)  # a library in C that found its connection gone


def _text(error: BaseException) -> str:
    """The message of one of Python's own exceptions; of others, what they were given, if that is a text."""
    if isinstance(error, OSError):
        return OSError.__str__(error)
    arguments = BaseException.args.__get__(error)  # type: ignore[attr-defined]  # a class of the user's may have its own
    return arguments[0] if arguments and type(arguments[0]) is str else ""
