"""The history as a kernel has it, without a kernel."""

from __future__ import annotations

from collections.abc import Callable

from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.resilient import ResilientStore
from reflex_ipython.remember.store import SqliteStore


def open_store(context: StoreContext, warn: Callable[[str], None]) -> ResilientStore:
    """No file is touched yet. `warn`: is told of what goes wrong."""
    return ResilientStore(SqliteStore(context, warn), warn, context.clock)
