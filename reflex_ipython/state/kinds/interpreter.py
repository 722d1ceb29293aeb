"""What the interpreter and the process have one of: handlers of signals, limits, the collector, hooks."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import Any

from reflex_ipython.state import collector
from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.kinds.registries import NAME, Row, switch

# ------------------------------------------------------------------------------------------ signals

_SOON = 0.01
"""Seconds that clocks may differ by."""


def _kernels_own() -> tuple[str, ...]:
    """A kernel itself sets this one around each cell."""
    return ("SIGINT",) if "ipykernel.kernelapp" in sys.modules else ()


def _handlers(o: Any) -> dict[int, Any]:
    numbers = o.valid_signals() - {getattr(o, name) for name in _kernels_own()}
    return {number: o.getsignal(number) for number in numbers}


class _Timer:
    """A timer of the process.

    Parameters
    ----------
    which : int
    left : float
        Seconds until it strikes; 0 if it is not set.
    interval : float
        Seconds between two strikes.
    """

    def __init__(self, which: int, left: float, interval: float) -> None:
        self.which = which
        self._due = left and left + time.monotonic()
        self.interval = interval

    @property
    def left(self) -> float:
        """Seconds until it strikes now; 0 if it was not set."""
        return self._due and max(self._due - time.monotonic(), _SOON)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Timer) or bool(self._due) != bool(other._due) or self.interval != other.interval:
            return False
        in_time = self.which == signal.ITIMER_REAL and not self.interval  # the others count otherwise, or begin again
        return not in_time or abs(self._due - other._due) < _SOON

    __hash__ = None  # type: ignore[assignment]  # it is only compared


def _signals(o: Any) -> tuple[dict[int, Any], Any, Any]:
    timers = [getattr(o, name, None) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")]
    set_off = tuple(_Timer(timer, *o.getitimer(timer)) for timer in timers if timer is not None)
    blocked = o.pthread_sigmask(o.SIG_BLOCK, ()) if hasattr(o, "pthread_sigmask") else None
    return _handlers(o), set_off, blocked


def _set_signals(o: Any, saved: tuple[dict[int, Any], Any, Any]) -> None:
    handlers, set_off, blocked = saved
    if threading.current_thread() is not threading.main_thread():
        raise CannotRestore("only the main thread may set it")
    for timer, now in zip(set_off, _signals(o)[1]):
        if timer != now:
            o.setitimer(timer.which, timer.left, timer.interval)
    now = _handlers(o)
    for number, handler in handlers.items():
        if now[number] != handler and handler is not None:  # None: not one of Python's
            o.signal(number, handler)
    if blocked is not None:
        o.pthread_sigmask(o.SIG_SETMASK, blocked)


# ------------------------------------------------------------------------------------------ the interpreter

_OF_SYS = (
    ("getdlopenflags", "setdlopenflags"),
    ("getswitchinterval", "setswitchinterval"),
    ("get_int_max_str_digits", "set_int_max_str_digits"),
    ("get_coroutine_origin_tracking_depth", "set_coroutine_origin_tracking_depth"),
)


def _interpreter(o: Any) -> tuple[Any, ...]:
    return tuple(getattr(o, get)() for get, _ in _OF_SYS if hasattr(o, get)) + tuple(o.get_asyncgen_hooks())


def _set_interpreter(o: Any, saved: tuple[Any, ...]) -> None:
    present = [put for get, put in _OF_SYS if hasattr(o, get)]
    for put, value in zip(present, saved):
        getattr(o, put)(value)
    o.set_asyncgen_hooks(*saved[-2:])


def _watchers(o: Any) -> tuple[int, Any, Any]:
    return threading.get_ident(), o.getprofile(), o.gettrace()


def _set_watchers(o: Any, saved: tuple[int, Any, Any]) -> None:
    thread, profile, trace = saved
    if thread != threading.get_ident():
        raise CannotRestore("it belongs to another thread")
    if o.gettrace() is not trace:
        o.settrace(trace)
    if o.getprofile() is not profile:
        o.setprofile(profile)


def _same_watchers(o: Any, saved: tuple[int, Any, Any]) -> bool:
    return all(now is then for now, then in zip(_watchers(o)[1:], saved[1:]))


def _garbage(o: Any) -> tuple[Any, ...]:
    return collector.is_enabled(), o.get_threshold(), o.get_debug(), *o.callbacks


def _set_garbage(o: Any, saved: tuple[Any, ...]) -> None:
    enabled, threshold, debug, *callbacks = saved
    collector.enable(enabled)
    o.set_threshold(*threshold)
    o.set_debug(debug)
    o.callbacks[:] = callbacks


def _mask(o: Any) -> int:
    mask = o.umask(0o077)
    o.umask(mask)
    return int(mask)


def _faults(o: Any) -> bool:
    return bool(o.is_enabled())


def _set_faults(o: Any, saved: bool) -> None:
    if saved:
        o.enable(sys.__stderr__)
    else:
        o.disable()


def _limits(o: Any) -> dict[str, Any]:
    names = [name for name in dir(o) if name.startswith("RLIMIT_")]
    return {name: o.getrlimit(getattr(o, name)) for name in names}


def _set_limits(o: Any, saved: dict[str, Any]) -> None:
    for name, limits in saved.items():
        if o.getrlimit(getattr(o, name)) != limits:
            o.setrlimit(getattr(o, name), limits)


def _trace_memory(o: Any, saved: tuple[bool, int]) -> None:
    traces, limit = saved
    o.stop()
    o.start(limit)  # which stays when it stops
    if not traces:
        o.stop()


def _zone(o: Any) -> tuple[Any, ...]:
    return o.tzname, o.timezone, o.altzone, os.environ.get("TZ")


def _set_zone(o: Any, saved: tuple[Any, ...]) -> None:
    if saved[-1] is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = saved[-1]
    o.tzset()


# ------------------------------------------------------------------------------------------ which

ROWS: tuple[Row, ...] = (
    ("signal", frozenset(), "signal handlers", switch(_signals, _set_signals)),
    ("sys", frozenset(), "settings of sys", switch(_interpreter, _set_interpreter)),
    (
        "sys",
        frozenset({"setprofile", "settrace"}),
        "sys.setprofile",
        Kind(NAME, "exact", lambda o, walk: _watchers(o), _same_watchers, _set_watchers),
    ),
    ("gc", frozenset(), "the garbage collector", switch(_garbage, _set_garbage)),
    ("os", frozenset({"umask"}), "os.umask", switch(_mask, lambda o, saved: o.umask(saved))),
    ("faulthandler", frozenset(), "faulthandler", switch(_faults, _set_faults)),
    (
        "tracemalloc",
        frozenset(),
        "tracemalloc",
        switch(lambda o: (o.is_tracing(), o.get_traceback_limit()), _trace_memory),
    ),
    ("resource", frozenset(), "limits of the process", switch(_limits, _set_limits)),
    ("time", frozenset({"tzset"}), "the time zone", switch(_zone, _set_zone)),
    (
        "threading",
        frozenset({"stack_size"}),
        "threading.stack_size",
        switch(lambda o: o.stack_size(), lambda o, saved: o.stack_size(saved)),
    ),
)
"""As `kinds.switches` has them."""
