"""The functions that the shell calls before and after each cell, where the code may register some."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.registries import NAME, Row
from reflex_ipython.state.shells import current_shell

MODULE = "IPython.core.events"
"""What has them."""
_MAGICS = ("matplotlib", "pylab", "enable_matplotlib", "enable_pylab")
"""Magics, and methods of the shell, that register what shows figures."""
_EXTENSIONS = ("load_ext", "reload_ext", "unload_ext", "load_extension", "reload_extension", "unload_extension")
"""The same that have extensions do what they like."""
WORDS = frozenset({"register", "unregister", "callbacks", *_MAGICS, *_EXTENSIONS})


_OF_MAGICS = ("IPython", "ipykernel", "matplotlib", "matplotlib_inline")
"""The packages whose callbacks those are."""


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
    """Whether callbacks came since that was noted, but for those that magics have registered: they show figures."""
    now = _callbacks()
    return any(
        sum(map(_is_of_others, now.get(name, []))) > sum(map(_is_of_others, saved[name])) for name in _changed(saved)
    )


def _is_of_others(callback: Any) -> bool:
    function = callback.__func__ if type(callback) is MethodType else callback
    module = function.__module__ if type(function) is FunctionType else ""
    return str(module).partition(".")[0] not in _OF_MAGICS
