"""Threads: which of them work for the cell that runs, which serve the kernel, and which only wait for work."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from queue import SimpleQueue
from types import FrameType, MethodType
from typing import Any

from reflex_ipython.base.classes import module_name

SERVERS = frozenset(
    {"ipykernel", "IPython", "tornado", "zmq", "jupyter_client", "anyio", "tqdm", "debugpy", "pydevd", "reflex_ipython"}
)
"""Packages whose threads and tasks serve the kernel itself or only look on; they may come up while a cell runs."""

_POOLS = ("concurrent.futures.thread", "multiprocessing.pool")
_OURS = "reflex-"
"""What the threads of this extension are called."""


def works_for_cell(ident: int, event: str, cell: int, *, known: bool) -> bool:
    """Whether what a thread does belongs to the cell that runs on another one.

    Parameters
    ----------
    ident : int
        The thread that an audit event comes from: the one that asks.
    event : str
    cell : int
        The thread that the cell runs on.
    known : bool
        Whether it was there before the cell: then it works for the cell only if it waits in a pool, or for a magic.
    """
    thread = threading._active.get(ident)  # type: ignore[attr-defined]  # `current_thread` would make one up
    if thread is not None and serves(thread):
        return False
    if not known:
        return True
    if event == "subprocess.Popen" and _runs_script(cell):
        return True
    return thread is not None and works_in_pool(thread)


def serves(thread: Any) -> bool:
    """Whether a thread serves the kernel, or looks on: tqdm has one that watches its bars."""
    roots = (module_name(type(thread)), _module_of(getattr(thread, "_target", None)))
    name = getattr(thread, "_name", "")
    return any(root.partition(".")[0] in SERVERS for root in roots) or (type(name) is str and name.startswith(_OURS))


def works_in_pool(thread: Any) -> bool:
    """Whether it is a pool's, and does one piece of work after the other."""
    return _module_of(getattr(thread, "_target", None)) in _POOLS


def _module_of(target: Any) -> str:
    """The module of a function or of a method's function; empty for everything else."""
    function = target.__func__ if type(target) is MethodType else target
    found = function.__module__ if type(function) is _FUNCTION else ""
    return found if type(found) is str else ""


_FUNCTION = type(serves)


def _runs_script(cell: int) -> bool:
    """Whether the cell waits for a `%%bash` or the like: IPython runs those on a thread of its own, for good."""
    return any(frame.f_globals.get("__name__") == "IPython.core.magics.script" for frame in _stack(cell))


def _stack(ident: int) -> Iterator[FrameType]:
    frame = sys._current_frames().get(ident)
    while frame is not None:
        yield frame
        frame = frame.f_back


# ------------------------------------------------------------------------------------------ who goes on


def goes_on(ident: int, thread: Any) -> bool:
    """Whether a thread that runs does something; not one that waits in a pool for the next piece of work.

    Parameters
    ----------
    ident : int
    thread : threading.Thread
    """
    if serves(thread) or _runs_magics(thread) or _has_ended(ident, thread):
        return False
    if module_name(type(thread)) == "concurrent.futures.process":  # it looks after the processes of a pool
        return bool(vars(thread).get("pending_work_items"))
    stack = list(_stack(ident))
    where = [str(frame.f_globals.get("__name__")) for frame in stack]
    if _module_of(getattr(thread, "_target", None)) == "multiprocessing.queues":
        return False  # it hands on what was put into a queue
    if not any(module in _POOLS for module in where):
        return not _comes_too_late(thread, where)
    if any(module not in (*_POOLS, *_WAITING) for module in where):
        return True
    return any(_is_busy(frame) for frame in stack)


_WAITING = ("threading", "queue", "concurrent.futures._base", "multiprocessing.connection", "selectors", "weakref")


def _comes_too_late(thread: Any, where: list[str]) -> bool:
    """Whether it is a pool's and has not come to its work yet, of which others of the pool have left nothing.

    On a busy machine that may take as long as all of the cell.
    """
    if any(module != "threading" for module in where) or _module_of(getattr(thread, "_target", None)) not in _POOLS:
        return False
    arguments = getattr(thread, "_args", ())
    queues = [one for one in arguments if type(one) is SimpleQueue] if type(arguments) is tuple else []
    return bool(queues) and all(one.empty() for one in queues)


def _is_busy(frame: FrameType) -> bool:
    """Whether a pool's own code is running a piece of work that is no Python code: `time.sleep`."""
    module, name = frame.f_globals.get("__name__"), frame.f_code.co_name
    if module == "concurrent.futures.thread" and name == "run":
        future = getattr(frame.f_locals.get("self"), "future", None)
        return getattr(future, "_state", "") in ("PENDING", "RUNNING")
    if module == "multiprocessing.pool" and name == "worker":
        return frame.f_locals.get("func") is not None
    cache = frame.f_locals.get("cache") if module == "multiprocessing.pool" and name == "_handle_results" else None
    return isinstance(cache, dict) and len(cache) > 0  # results that somebody waits for: a dict of its own


def _has_ended(ident: int, thread: Any) -> bool:
    return threading._active.get(ident) is not thread  # type: ignore[attr-defined]  # `is_alive` may be the user's


def _runs_magics(thread: Any) -> bool:
    """Whether it is the one on which IPython runs `%%bash` and the like."""
    target = getattr(thread, "_target", None)
    ipython = sys.modules.get("IPython")
    if ipython is None or type(target) is not MethodType:
        return False
    shell = ipython.get_ipython()
    magics = shell.magics_manager.registry.get("ScriptMagics") if shell is not None else None
    return magics is not None and target.__self__ is magics.event_loop
