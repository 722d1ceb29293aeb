"""The functions that the shell calls before and after each cell, where the code may register some."""

from __future__ import annotations

from typing import Any

from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.registries import NAME, Row
from reflex_ipython.state.shells import current_shell

MODULE = "IPython.core.events"
"""What has them."""
WORDS = frozenset({"register", "unregister", "callbacks"})


def _callbacks() -> dict[str, list[Any]]:
    shell = current_shell()
    return {} if shell is None else shell.events.callbacks


def _same(o: Any, saved: dict[str, list[Any]]) -> bool:
    return not _changed(saved)


def _changed(saved: dict[str, list[Any]]) -> list[str]:
    """The events that have other callbacks now."""
    now = _callbacks()
    return [name for name in saved if not identical(now.get(name, []), saved[name], len(now.get(name, [])))]


def _restore(o: Any, saved: dict[str, list[Any]]) -> None:
    for name in _changed(saved):
        _callbacks()[name][:] = saved[name]


CALLBACKS = Kind(
    NAME, "exact", lambda o, walk: {name: [*functions] for name, functions in _callbacks().items()}, _same, _restore
)
ROWS: tuple[Row, ...] = ((MODULE, WORDS, "callbacks of the shell's events", CALLBACKS),)
"""As `kinds.switches` has them."""


def has_more(saved: dict[str, list[Any]]) -> bool:
    """Whether callbacks came since that was noted."""
    now = _callbacks()
    return any(len(now.get(name, [])) > len(saved[name]) for name in _changed(saved))
