"""What does not survive a fork, put right in the copy: a child has one thread, whatever its parent had.

Each of these hung, or changed what the user's code computes, until it was put right. Libraries are looked up among
the loaded modules, and what can't be put right ends by the trial's time limit.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import importlib
import logging
import os
import queue
import random
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from reflex_ipython.base.unwarned import unwarned
from reflex_ipython.check.trial import fork_signals, mappings

_log = logging.getLogger(__name__)
_OPENMP = ("libgomp", "libomp", "libiomp", "vcomp")


def fork() -> int:
    """`os.fork`, after which Python's own random numbers go on as they would have gone on here."""
    state = random.getstate()
    with unwarned():  # Python 3.12 warns that a child of a process with threads may hang. It may: trials have a limit.
        pid = os.fork()
    if pid == 0:
        random.setstate(state)  # the module seeds itself anew in a child
    return pid


class _ThreadPools:
    """Those of the libraries that are loaded, as `threadpoolctl` finds them: asking each takes it 5-10 ms."""

    modules = 0
    libraries: frozenset[str] = frozenset()
    controller: Any = None


def prepare() -> None:
    """Find out in the kernel what each of its later copies would find out anew, if more was imported since."""
    if "numpy" in sys.modules and len(sys.modules) != _ThreadPools.modules:
        with contextlib.suppress(Exception):  # it is not installed, or a library is not as it thinks
            threadpools = importlib.import_module("threadpoolctl")
            loaded = mappings.libraries(mappings.lines())
            if loaded != _ThreadPools.libraries:
                _ThreadPools.controller, _ThreadPools.libraries = threadpools.ThreadpoolController(), loaded
        _ThreadPools.modules = len(sys.modules)


def after_fork(maps: list[str]) -> None:
    """Put right what can be; in the copy, before anything of the user's runs.

    Parameters
    ----------
    maps : list of str
        Its mappings (`mappings.lines`).
    """
    gc.freeze()  # a collection would touch, and so copy, every page of the parent's objects
    fork_signals.forget()
    limit_openmp = functools.partial(_limit_openmp, mappings.libraries(maps))
    for part in (limit_openmp, _limit_torch, _reset_joblib, _reset_thread_pools):
        _attempt(part)


@contextlib.contextmanager
def thawed() -> Iterator[None]:
    """For what looks through the collector's objects, or needs a collection: it would see none of the parent's."""
    gc.unfreeze()
    try:
        yield
    finally:
        gc.freeze()


def fresh_event_loop(*, running: bool) -> Any:
    """A new event loop in the old one's place; None where there was none.

    Parameters
    ----------
    running : bool
        Whether the old one ran when the copy was made: then so will the new one.
    """
    events = sys.modules.get("asyncio.events")
    if events is None:
        return None
    events._set_running_loop(None)  # the old one's selector leads nowhere
    loop = events.new_event_loop()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of policies, from Python 3.14 on
        events.set_event_loop(loop)
    return loop if running else None


def _attempt(part: Callable[[], None]) -> None:
    try:
        part()
    except Exception:  # noqa: BLE001 - other people's libraries; what is not put right here ends by the time limit
        _log.debug("%s failed", part, exc_info=True)


def _limit_openmp(loaded: frozenset[str]) -> None:
    """OpenMP's threads are gone, and a parallel region would wait for them for ever: so it gets one thread."""
    openmp = [path for path in loaded if os.path.basename(path).startswith(_OPENMP)]
    for path in openmp:
        ctypes.CDLL(path, mode=os.RTLD_NOLOAD).omp_set_num_threads(1)
    if openmp or any("openblas" in path or "mkl_rt" in path for path in loaded):
        try:
            threadpools = importlib.import_module("threadpoolctl")
        except ImportError:
            return  # a nicety: it also knows OpenBLAS, which can help itself after a fork
        if loaded == _ThreadPools.libraries:
            _ThreadPools.controller.limit(limits=1)
        else:
            threadpools.threadpool_limits(1)


def _limit_torch() -> None:
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def _reset_joblib() -> None:
    """Its worker processes are the parent's; here all runs one after the other."""
    executor = sys.modules.get("joblib.externals.loky.reusable_executor")
    if executor is not None:
        vars(executor)["_executor"] = None
    joblib = sys.modules.get("joblib")
    if joblib is not None:
        joblib.parallel_config(backend="sequential")


def _reset_thread_pools() -> None:
    """An executor from before the fork counts on threads that are gone; on first use it gets new ones."""
    pools = sys.modules.get("concurrent.futures.thread")
    if pools is None:
        return
    executor = pools.ThreadPoolExecutor
    submit = executor.submit

    def submit_here(self: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if any(not thread.is_alive() for thread in self._threads):
            self._threads = {thread for thread in self._threads if thread.is_alive()}
            self._idle_semaphore = threading.Semaphore(0)
            self._shutdown_lock = threading.Lock()
            self._work_queue = queue.SimpleQueue()
        return submit(self, *arguments, **keywords)

    executor.submit = submit_here
