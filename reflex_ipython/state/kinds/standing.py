"""What a process has from its start, and code gets at without a name of the namespace: its streams, its threads."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import attributes_of
from reflex_ipython.state.kinds.live import asked_kind
from reflex_ipython.state.kinds.registries import NAME
from reflex_ipython.state.kinds.set_by_others import set_by_others
from reflex_ipython.state.user_code import is_users

_STREAMS = ("stdin", "stdout", "stderr")
_GIVING_THREADS = ({"current_thread"}, {"main_thread"}, {"threading", "enumerate"})


def _threads() -> Iterator[tuple[str, Any]]:
    here = threading._active.get(threading.get_ident())  # type: ignore[attr-defined]  # to ask would make one
    for call, thread in (("main_thread", threading.main_thread()), ("current_thread", here)):
        if thread is not None:
            yield call, thread


def _set_on(thread: Any) -> dict[str, Any]:
    fields = attributes_of(thread)
    return {name: fields[name] for name in _OF_THREADS if name in fields} | set_by_others(type(thread), fields)


def _same_threads(o: Any, saved: list[tuple[Any, dict[str, Any]]]) -> bool:
    for thread, before in saved:
        now = _set_on(thread)
        if now.keys() != before.keys() or any(now[name] is not before[name] for name in now):
            return False
    return True


def _restore_threads(o: Any, saved: list[tuple[Any, dict[str, Any]]]) -> None:
    for thread, before in saved:
        fields = attributes_of(thread)
        for name in _set_on(thread).keys() - before.keys():
            del fields[name]
        fields.update(before)


_OF_THREADS = ("_name", "_daemonic")
_THREADS = Kind(
    NAME, "exact", lambda o, walk: [(each, _set_on(each)) for _, each in _threads()], _same_threads, _restore_threads
)
ROWS = (("threading", "threading", frozenset().union(*_GIVING_THREADS) - {"threading"}, "threads", _THREADS),)
"""As `kinds.switches` has them, the package that code uses first."""


def standing(words: set[str]) -> Iterator[tuple[str, Any]]:
    """Those of them that code with these names and attributes may change, with a label for each."""
    for name in _STREAMS:
        stream = getattr(sys, name, None)
        kept = is_exactly(stream, (io.StringIO,)) or is_users(stream)  # whoever prints writes there
        if kept or (name in words and asked_kind(type(stream)) is not None):
            yield f"sys.{name}", stream
    if any(some <= words for some in _GIVING_THREADS):
        for call, thread in _threads():
            yield from ((f"threading.{call}().{name}", value) for name, value in _set_on(thread).items())
