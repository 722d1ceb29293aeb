"""The file stays bounded: what is too old, or too much, goes a little at a time."""

from __future__ import annotations

import time

from reflex_ipython.models import moment
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.retention import prune
from reflex_ipython.remember.store import SqliteStore
from reflex_ipython.settings import Settings


def filled(path, make_repair, ages):
    """A file with repairs of so many days ago, and the store of it."""
    everything = Settings(history_file=str(path), history_size=None)
    store = SqliteStore(StoreContext(lambda: everything))
    for number, days in enumerate(ages):
        store.save(make_repair(f"id{number}", moment(time.time() - 86_400 * days)))
    return store


def ids(store):
    return [repair.id for repair in store.recent(99)]


def test_what_is_older_than_the_settings_keep_is_forgotten(path, make_repair):
    store = filled(path, make_repair, [40, 20, 1])
    prune(store, Settings(history_days=30))
    assert ids(store) == ["id2", "id1"]
    assert store.size() == 2


def test_of_too_many_the_oldest_go(path, make_repair):
    store = filled(path, make_repair, [3, 1, 2])
    prune(store, Settings(history_size=1))
    assert ids(store) == ["id1"]


def test_nothing_goes_where_the_settings_keep_all(path, make_repair):
    store = filled(path, make_repair, [4_000, 1])
    prune(store, Settings(history_size=None))
    assert store.size() == 2


def test_a_session_forgets_by_itself_what_the_settings_do_not_keep(path, make_repair):
    filled(path, make_repair, [40, 1])
    settings = Settings(history_file=str(path), history_days=30)
    store = SqliteStore(StoreContext(lambda: settings))
    store.save(make_repair("new", moment(time.time())))
    assert ids(store) == ["new", "id1"]
