"""Which of Python's hooks tells of calls, and who is told: there is one of each, so all traces that are on share it."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from types import CodeType
from typing import Protocol

from reflex_ipython.traces.passed_over import PassedOver
from reflex_ipython.traces.recorder import CallRecorder
from reflex_ipython.traces.thrift import Thrift


class Hook(Protocol):
    """Tells recorders of calls while it is set."""

    recorders: tuple[CallRecorder, ...]
    lines: bool
    """Whether they are told of lines as well."""
    thrift: Thrift | None
    """`Recorder.thrift` of the one that there is."""

    def pass_over(self, passed_over: PassedOver) -> None:
        """Tell nothing of these calls: `CallRecorder.passed_over` of the one that there is.

        Of several, who may have had enough at different times, one that knows libraries alone.
        """

    def set(self) -> str:
        """Have Python call it, if it does not yet. Why it can't be, as the end of a sentence; empty: it is."""

    def goes_on(self, code: CodeType) -> None:
        """A frame of this code began while it was set earlier, and is to be told of again."""

    def unset(self) -> str:
        """Put back what was there. What took its place meanwhile, as the end of a sentence; empty: nothing."""


_lock = threading.RLock()
_at_hand: weakref.WeakSet[CallRecorder] = weakref.WeakSet()
_hooks: dict[int, Hook] = {}
"""Those that are set, by the thread: `sys.monitoring` has one for all threads, which stands under 0."""


def record(recorder: CallRecorder, *, lines: bool = False) -> Callable[[], None]:
    """Have a recorder told of calls: on this thread and on those that begin from now on (from Python 3.12 on, on all).

    Parameters
    ----------
    recorder : CallRecorder
        Its `trouble` says what kept it from being told of all.
    lines : bool
        Whether it is told of lines as well.

    Returns
    -------
    callable
        Ends it, on the same thread. The last one puts back what Python had there before.
    """
    monitors = sys.version_info >= (3, 12)
    key = 0 if monitors else threading.get_ident()
    with _lock:
        hook = _hooks.get(key) or _hook()
        recorder.trouble = hook.set()
        if recorder.trouble:
            return lambda: None
        _hooks[key] = hook
        hook.lines = hook.lines or lines
        _tell(hook, (*hook.recorders, recorder))
        for code in recorder.under_way:
            hook.goes_on(code)
        if recorder.values:
            _at_hand.add(recorder)

    def undo() -> None:
        with _lock:
            _tell(hook, tuple(one for one in hook.recorders if one is not recorder))
            if not hook.recorders and _hooks.get(key) is hook:
                del _hooks[key]
                trouble = hook.unset()
                recorder.trouble = recorder.trouble or trouble

    return undo


def at_hand() -> list[CallRecorder]:
    """The recorders whose calls can be made again, as long as somebody has them."""
    return list(_at_hand)


def silence() -> None:
    """End all recording, in a copy of the process: nobody will read what is recorded there."""
    with _lock:
        for hook in _hooks.values():
            _tell(hook, ())
            hook.unset()
        _hooks.clear()


def _tell(hook: Hook, recorders: tuple[CallRecorder, ...]) -> None:
    """Have a hook tell these from now on."""
    hook.recorders = recorders
    hook.pass_over(recorders[0].passed_over if len(recorders) == 1 else PassedOver())
    hook.thrift = recorders[0].thrift if len(recorders) == 1 else None


def _hook() -> Hook:
    """A debugger or a measurement of coverage keeps its place: then exceptions that are caught have no name."""
    if sys.version_info >= (3, 12):
        from reflex_ipython.traces.monitoring import MonitoringHook

        return MonitoringHook()
    if sys.gettrace() is None:
        from reflex_ipython.traces.tracer import TraceHook

        return TraceHook()
    from reflex_ipython.traces.profiler import ProfileHook

    return ProfileHook()
