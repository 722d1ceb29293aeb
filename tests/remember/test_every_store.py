"""What every store promises, whether it is a file, memory, or a file with memory behind it."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings
from tests.remember.open_store import open_store


@pytest.fixture(params=["file", "memory", "file with memory behind it"])
def store(request, path, sqlite):
    if request.param == "file":
        return sqlite(path, warn=pytest.fail)
    if request.param == "memory":
        return MemoryStore()
    return open_store(StoreContext(lambda: Settings(history_file=str(path))), pytest.fail)


def ids(repairs):
    return [repair.id for repair in repairs]


def at(second):
    return f"2026-11-21T10:00:{second:02}.000+00:00"


def test_a_repair_comes_back_as_it_was(store, make_repair):
    store.save(make_repair())
    assert store.get("1a2b3c4d") == make_repair()
    assert store.recent(5) == [make_repair()]


def test_saving_a_repair_again_replaces_it(store, make_repair):
    store.save(make_repair(decided=None))
    store.save(make_repair(decided="accepted"))
    assert store.recent(5) == [make_repair(decided="accepted")]


def test_the_latest_come_first_whatever_the_order_of_saving(store, make_repair):
    for second in (2, 0, 3, 1):
        store.save(make_repair(f"id{second}", at(second)))
    assert ids(store.recent(3)) == ["id3", "id2", "id1"]


def test_of_two_repairs_at_the_same_time_the_one_saved_last_comes_first(store, make_repair):
    store.save(make_repair("zz"))
    store.save(make_repair("aa"))
    store.save(make_repair("zz"))
    assert ids(store.recent(2)) == ["aa", "zz"]


def test_repairs_are_chosen_by_whether_they_were_accepted(store, make_repair):
    kinds = ["accepted", None, "rejected", "superseded", "undone", "accepted"]
    for number, kind in enumerate(kinds):
        store.save(make_repair(f"id{number}", at(number), decided=kind))
    assert ids(store.recent(9, accepted=True)) == ["id5", "id0"]
    assert ids(store.recent(9, accepted=False)) == ["id4", "id3", "id2", "id1"]
    assert ids(store.recent(2, accepted=False)) == ["id4", "id3"]


@pytest.mark.parametrize("count", [0, -1])
def test_none_are_given_when_none_are_wanted(store, make_repair, count):
    store.save(make_repair())
    assert store.recent(count) == []


def test_a_new_store_is_empty(store):
    assert store.recent(5) == []
    with pytest.raises(BadInput, match="no "):
        store.get("1a")


def test_the_first_characters_of_an_id_are_enough(store, make_repair):
    store.save(make_repair("1a2b3c4d"))
    store.save(make_repair("1f000000"))
    assert store.get("1a").id == "1a2b3c4d"


def test_a_prefix_of_several_ids_is_refused_and_they_are_listed(store, make_repair):
    store.save(make_repair("1a2b3c4d"))
    store.save(make_repair("1a000000"))
    with pytest.raises(BadInput, match=r"2 repairs start with '1a': (1a2b3c4d, 1a000000|1a000000, 1a2b3c4d)"):
        store.get("1a")


def test_an_id_that_begins_another_one_can_be_had(store, make_repair):
    store.save(make_repair("1a"))
    store.save(make_repair("1a2b"))
    assert store.get("1a").id == "1a"


@pytest.mark.parametrize("prefix", ["", "%", "_a", "1A", "1a2b3c4d5", "\ud800", "\0", "' OR 1=1 --"])
def test_what_is_no_beginning_of_an_id_finds_nothing(store, make_repair, prefix):
    store.save(make_repair("1a2b3c4d"))
    with pytest.raises(BadInput):
        store.get(prefix)


@pytest.mark.parametrize(
    "text",
    ["naïve 🐍 日本語", "a\0b", "lone \ud800 surrogate", "tab\tline\r\nend\x1b[31m", "'; DROP TABLE repairs; --", ""],
    ids=ascii,
)
def test_any_text_comes_back_unchanged(store, make_repair, text):
    odd = make_repair(source=text, message=text)
    odd = dataclasses.replace(odd, session=text, trouble=text)
    store.save(odd)
    assert store.get(odd.id) == odd


def test_a_source_of_five_megabytes_comes_back_unchanged(store, make_repair):
    long = make_repair(source="x = 'é'\n" * 625_000)
    store.save(long)
    assert store.get(long.id) == long


def test_numbers_that_are_not_finite_do_not_hurt(store, make_repair):
    repair = make_repair()
    endless = dataclasses.replace(repair, rerun=dataclasses.replace(repair.rerun, seconds=float("inf")))
    store.save(endless)
    assert store.get(endless.id) == endless


def test_a_store_can_be_closed_and_used_again(store, make_repair):
    for repair_id in itertools.islice(("aa", "bb"), 2):
        store.save(make_repair(repair_id))
        store.close()
    assert len(store.recent(5)) == 2
