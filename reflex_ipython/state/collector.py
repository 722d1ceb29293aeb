"""The garbage collector while state is noted and put back: it stands still; what was set before holds afterwards."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager


class _Standstill:
    depth = 0
    enabled = True


def is_enabled() -> bool:
    """Whether the user's code has the collector on."""
    return _Standstill.enabled if _Standstill.depth else gc.isenabled()


def enable(on: bool) -> None:
    """Have it on, or not, for the user's code."""
    if _Standstill.depth:
        _Standstill.enabled = on
    else:
        (gc.enable if on else gc.disable)()


def _in_child() -> None:
    """A copy of the kernel is made meanwhile: what runs there has its collector."""
    if _Standstill.depth:
        _Standstill.depth = 0
        if _Standstill.enabled:
            gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


@contextmanager
def without_collector() -> Iterator[None]:
    """No collection while thousands of small copies are made: it would find nothing, and take longer than they do."""
    if not _Standstill.depth:
        _Standstill.enabled = gc.isenabled()
    _Standstill.depth += 1
    try:
        gc.disable()
        yield
    finally:
        _Standstill.depth -= 1
        if not _Standstill.depth and _Standstill.enabled:
            gc.enable()
