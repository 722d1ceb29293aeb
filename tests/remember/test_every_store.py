"""What every store promises, whether it is a file, memory, or a file with memory behind it."""

from __future__ import annotations

import dataclasses
import time

import pytest

from reflex_ipython.models import RepairFilter
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember import opening, queued
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.postgresql import PostgreSqlStore
from reflex_ipython.remember.queued import QueuedStore
from reflex_ipython.remember.resilient import ResilientStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import IndexedStoreSuite, StoreSuite
from tests.remember.open_store import open_store


@pytest.fixture(params=["file", "memory", "file with memory behind it", "server", "server with a file before it"])
def store(request, path, sqlite, monkeypatch):
    for limit in ("READING", "RECALLING"):  # a busy machine may stand still for longer
        monkeypatch.setattr(queued, limit, 60.0)
    if "server" in request.param:
        url = request.getfixturevalue("server").url
        if request.param == "server":
            opened = PostgreSqlStore(url, pytest.fail)
        else:
            opened = opening.open_store(StoreContext(lambda: Settings(history_url=url)), list, pytest.fail)
        yield opened
        opened.close()
    elif request.param == "file":
        yield sqlite(path, warn=pytest.fail)
    elif request.param == "memory":
        yield MemoryStore()
    else:
        yield open_store(StoreContext(lambda: Settings(history_file=str(path))), pytest.fail)


class TestEveryStore(IndexedStoreSuite):
    """Each of ours."""

    def settle(self, store):
        while isinstance(store, QueuedStore) and store._queue.find(RepairFilter(), 1):
            time.sleep(0.01)
        store.tallies()  # the first read connects, which a recall does not wait for


class Plain:
    """A store of another package's, which only saves and lists."""

    def __init__(self):
        kept = MemoryStore()
        self.save, self.get, self.recent, self.close = kept.save, kept.get, kept.recent, kept.close


class TestStoreOfAnotherPackage(StoreSuite):
    """One that need not find and count."""

    @pytest.fixture(params=["as it is", "with memory behind it"])
    def store(self, request):
        return Plain() if request.param == "as it is" else ResilientStore(Plain(), pytest.fail)


class Unordered(MemoryStore):
    def recent(self, count, *, accepted=None):
        return super().recent(count, accepted=accepted)[::-1]


class Forgetful(MemoryStore):
    def get(self, prefix):
        return dataclasses.replace(super().get(prefix), trouble="")


class Hasty(MemoryStore):
    def get(self, prefix):
        return next((repair for repair in self.all() if repair.id.startswith(prefix)), None)


class Doubling(MemoryStore):
    def tallies(self):
        return super().tallies() * 2


class Unlearning(MemoryStore):
    def precedents(self, mistake, count):
        return super().precedents(mistake, count)[:1]


@pytest.mark.parametrize("broken", [Unordered, Forgetful, Hasty, Doubling, Unlearning])
def test_a_store_that_breaks_a_promise_fails(broken):
    failed = []
    for name in [name for name in dir(IndexedStoreSuite) if name.startswith("test_")]:
        try:
            getattr(IndexedStoreSuite(), name)(broken())
        except AssertionError:
            failed.append(name)
    assert failed
