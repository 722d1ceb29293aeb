"""The process's audit events: one hook, since a hook can't be removed, and who listens to which of them.

An event that nobody listens to costs a look into a dict. A hook runs with tracing and profiling switched off, and
leaves no frame behind: nothing of the user's sees it. An interrupt that comes in here is handed on to the user's code;
only one that strikes as Python enters the hook is raised there, since no function can catch what its entry raises.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

Listener = Callable[[str, tuple[Any, ...]], None]
"""Is given the event and its arguments. What it raises, the call raises that the event is of."""

_listeners: dict[str, tuple[Listener, ...]] = {}
_Find = Callable[[str], "tuple[Listener, ...] | None"]
_hooks: list[object] = []
hand_on: list[Callable[[], None]] = []
"""Interrupts the code that the event is of, instead of what listens; empty: nobody does."""


def listen(events: Iterable[str], listener: Listener) -> Callable[[], None]:
    """Call the listener at each of these events.

    Parameters
    ----------
    events : iterable of str
    listener : callable

    Returns
    -------
    callable
        Call it to end that.
    """
    names = tuple(events)
    for name in names:
        _listeners[name] = (*_listeners.get(name, ()), listener)
    if not _hooks:
        _hooks.append(_hook)
        sys.addaudithook(_hook)

    def stop() -> None:
        for name in names:
            others = tuple(other for other in _listeners.get(name, ()) if other is not listener)
            if others:
                _listeners[name] = others
            else:
                _listeners.pop(name, None)

    return stop


def _hook(event: str, args: tuple[Any, ...], find: _Find = _listeners.get) -> None:
    try:
        listeners = find(event)
        if listeners is not None:
            for listener in listeners:
                listener(event, args)
    except KeyboardInterrupt:  # a traceback would show this line
        if not hand_on:
            raise
        hand_on[0]()
