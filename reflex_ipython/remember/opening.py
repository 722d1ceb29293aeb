"""Which store a session uses, as the settings have it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from reflex_ipython.protocols import RepairStore, StoreContext
from reflex_ipython.remember.location import data_folder
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.resilient import ResilientStore

NO_STORE = "no history store could be loaded: repairs are only remembered until the kernel ends."
PATIENCE = 2.0
"""Seconds to wait for another kernel that is at work on what waits for the server."""


@runtime_checkable
class StaysOpen(Protocol):
    """A store that is let go of after each use, unless it is told that more will come."""

    def stay_open(self) -> None:
        """More will come."""


def open_store(
    context: StoreContext, installed: Callable[[], Sequence[RepairStore]], warn: Callable[[str], None]
) -> RepairStore:
    """The store that the settings name; no file and no server is touched yet.

    Parameters
    ----------
    context : StoreContext
    installed : callable
        Makes the stores of all packages: the built-in one comes first, so another package's is preferred.
    warn : callable
        Is told of what goes wrong.

    Raises
    ------
    BadInput
        If `history_url` is no address of a server.
    """
    settings = context.settings()
    if not settings.history:
        return MemoryStore()
    if settings.history_url:
        return _shared(settings.history_url, context, warn)
    stores = installed()
    if not stores:
        warn(NO_STORE)
        return MemoryStore()
    store = stores[-1]
    if isinstance(store, StaysOpen):
        store.stay_open()
    return ResilientStore(store, warn, context.clock)


def _shared(url: str, context: StoreContext, warn: Callable[[str], None]) -> RepairStore:
    from reflex_ipython.remember.postgresql import READING, PostgreSqlStore
    from reflex_ipython.remember.queued import QueuedStore
    from reflex_ipython.remember.store import SqliteStore

    waiting = SqliteStore(context, warn, PATIENCE, path=data_folder() / "history-waiting.sqlite")
    waiting.stay_open()
    queue = ResilientStore(waiting, warn, context.clock)
    return QueuedStore(PostgreSqlStore(url, warn), PostgreSqlStore(url, warn, READING), queue, warn)
