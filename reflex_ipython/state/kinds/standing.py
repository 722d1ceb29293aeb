"""What a process has from its start, and code gets at without a name of the namespace: its streams, its threads."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.kinds.layout import attributes_of
from reflex_ipython.state.kinds.live import asked_kind
from reflex_ipython.state.kinds.set_by_others import set_by_others
from reflex_ipython.state.user_code import is_users

_STREAMS = ("stdin", "stdout", "stderr")
_GIVING_THREADS = ({"current_thread"}, {"main_thread"}, {"threading", "enumerate"})


def standing(words: set[str]) -> Iterator[tuple[str, Any]]:
    """Those of them that code with these names and attributes may change, with a label for each."""
    for name in _STREAMS:
        stream = getattr(sys, name, None)
        kept = is_exactly(stream, (io.StringIO,)) or is_users(stream)  # whoever prints writes there
        if kept or (name in words and asked_kind(type(stream)) is not None):
            yield f"sys.{name}", stream
    if any(some <= words for some in _GIVING_THREADS):
        here = threading._active.get(threading.get_ident())  # type: ignore[attr-defined]  # to ask would make one
        for call, thread in (("main_thread", threading.main_thread()), ("current_thread", here)):
            if thread is not None:  # what is its own is known (`kinds.registries_by_words`)
                values = set_by_others(type(thread), attributes_of(thread))
                yield from ((f"threading.{call}().{name}", value) for name, value in values.items())
