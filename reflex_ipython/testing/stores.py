"""What a history store promises, as tests: for a store of your own, and for ours.

They are plain methods with plain assertions, which pytest collects from a class that inherits them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Lesson, Repair, RepairFilter
from reflex_ipython.protocols import IndexedStore, RepairStore
from reflex_ipython.testing.repairs import full_repair

_TEXTS = (
    "naïve 🐍 日本語", "a\0b", "lone \ud800 surrogate", "tab\tline\r\nend\x1b[31m", "'; DROP TABLE repairs; --", "",
)  # fmt: skip
_NO_BEGINNINGS = ("", "%", "_a", "1A", "1a2b3c4d5", "\ud800", "\0", "' OR 1=1 --")


class StoreSuite:
    """What each `protocols.RepairStore` promises.

    Inherit it in a test module, with a fixture `store` that gives a new, empty store to each test:

        class TestMyStore(StoreSuite):
            @pytest.fixture
            def store(self, tmp_path):
                yield MyStore(StoreContext(lambda: Settings(history_file=str(tmp_path / "history"))))

    `pytest.register_assert_rewrite("reflex_ipython.testing")` in your `conftest.py` has pytest show the values of an
    assertion that fails.
    """

    def test_a_repair_comes_back_as_it_was(self, store: RepairStore) -> None:
        """All of it, by its id and among the latest."""
        store.save(full_repair())
        assert store.get("1a2b3c4d") == full_repair()
        assert store.recent(5) == [full_repair()]

    def test_saving_a_repair_again_replaces_it(self, store: RepairStore) -> None:
        """There is one of each id, as it was saved last."""
        store.save(full_repair(decided=None))
        store.save(full_repair(decided="accepted"))
        assert store.recent(5) == [full_repair(decided="accepted")]

    def test_the_latest_come_first_whatever_the_order_of_saving(self, store: RepairStore) -> None:
        """By the time of the failure."""
        for second in (2, 0, 3, 1):
            store.save(full_repair(f"id{second}", _at(second)))
        assert _ids(store.recent(3)) == ["id3", "id2", "id1"]

    def test_of_two_repairs_at_the_same_time_the_one_saved_last_comes_first(self, store: RepairStore) -> None:
        """Saving one again does not move it."""
        store.save(full_repair("zz"))
        store.save(full_repair("aa"))
        store.save(full_repair("zz"))
        assert _ids(store.recent(2)) == ["aa", "zz"]

    def test_repairs_are_chosen_by_whether_they_were_accepted(self, store: RepairStore) -> None:
        """An undone fix is not accepted, and as many are given as are wanted of those that are chosen."""
        kinds = ("accepted", None, "rejected", "superseded", "undone", "accepted")
        for number, kind in enumerate(kinds):
            store.save(full_repair(f"id{number}", _at(number), decided=kind))
        assert _ids(store.recent(9, accepted=True)) == ["id5", "id0"]
        assert _ids(store.recent(9, accepted=False)) == ["id4", "id3", "id2", "id1"]
        assert _ids(store.recent(2, accepted=False)) == ["id4", "id3"]

    def test_none_are_given_when_none_are_wanted(self, store: RepairStore) -> None:
        """Fewer than none is none."""
        store.save(full_repair())
        for count in (0, -1):
            assert store.recent(count) == [], count

    def test_a_new_store_is_empty(self, store: RepairStore) -> None:
        """Which is no error."""
        assert store.recent(5) == []
        assert "no " in _refused(store, "1a")

    def test_the_first_characters_of_an_id_are_enough(self, store: RepairStore) -> None:
        """If no other one begins so."""
        store.save(full_repair("1a2b3c4d"))
        store.save(full_repair("1f000000"))
        assert store.get("1a").id == "1a2b3c4d"

    def test_a_prefix_of_several_ids_is_refused_and_they_are_listed(self, store: RepairStore) -> None:
        """In a `BadInput`, so that the user can type more."""
        store.save(full_repair("1a2b3c4d"))
        store.save(full_repair("1a000000"))
        refused = _refused(store, "1a")
        assert "1a2b3c4d" in refused
        assert "1a000000" in refused

    def test_an_id_that_begins_another_one_can_be_had(self, store: RepairStore) -> None:
        """The whole id comes before a beginning."""
        store.save(full_repair("1a"))
        store.save(full_repair("1a2b"))
        assert store.get("1a").id == "1a"

    def test_what_is_no_beginning_of_an_id_finds_nothing(self, store: RepairStore) -> None:
        """No pattern, no other case, no text that a database would choke on."""
        store.save(full_repair("1a2b3c4d"))
        for prefix in _NO_BEGINNINGS:
            assert _refused(store, prefix), ascii(prefix)

    def test_any_text_comes_back_unchanged(self, store: RepairStore) -> None:
        """Also what UTF-8 has no bytes for, and what would end a string elsewhere."""
        for text in _TEXTS:
            odd = dataclasses.replace(full_repair(source=text, message=text), session=text, trouble=text)
            store.save(odd)
            assert store.get(odd.id) == odd, ascii(text)

    def test_a_source_of_five_megabytes_comes_back_unchanged(self, store: RepairStore) -> None:
        """A cell may hold data."""
        long = full_repair(source="x = 'é'\n" * 625_000)
        store.save(long)
        assert store.get(long.id) == long

    def test_numbers_that_are_not_finite_do_not_hurt(self, store: RepairStore) -> None:
        """A clock may be set while a cell runs."""
        repair = full_repair()
        assert repair.rerun is not None
        endless = dataclasses.replace(repair, rerun=dataclasses.replace(repair.rerun, seconds=float("inf")))
        store.save(endless)
        assert store.get(endless.id) == endless

    def test_a_store_can_be_closed_and_used_again(self, store: RepairStore) -> None:
        """What was saved before is there."""
        for repair_id in ("aa", "bb"):
            store.save(full_repair(repair_id))
            store.close()
        assert _ids(store.recent(5)) == ["bb", "aa"]


class IndexedStoreSuite(StoreSuite):
    """What each `protocols.IndexedStore` promises besides: one that finds and counts by itself."""

    def settle(self, store: IndexedStore) -> None:
        """Wait until what was saved is counted. Override it for a store that counts later."""

    def test_it_finds_and_counts_by_itself(self, store: IndexedStore) -> None:
        """It has all that such a store has."""
        assert isinstance(store, IndexedStore)

    def test_repairs_are_found_by_what_is_known_of_them(self, store: IndexedStore) -> None:
        """Whole, and in a line each."""
        sales = full_repair("aa", _at(1), source="alpha(df)")
        store.save(dataclasses.replace(sales, notebook="/w/sales.ipynb"))
        store.save(full_repair("bb", _at(2), source="beta_two(df)", decided=None))
        for which, found in (
            (RepairFilter(text="alph"), ["aa"]),
            (RepairFilter(text="two prise"), ["bb"]),
            (RepairFilter(text="gamma"), []),
            (RepairFilter(text="?!"), ["bb", "aa"]),  # no word
            (RepairFilter(ename="AttributeError"), ["bb", "aa"]),
            (RepairFilter(ename="KeyError"), []),
            (RepairFilter(notebook="sales.ipynb"), ["aa"]),
            (RepairFilter(notebook="/w/sales.ipynb"), ["aa"]),
            (RepairFilter(notebook="es.ipynb"), ["aa"]),
            (RepairFilter(notebook="s_les.ipynb"), []),
            (RepairFilter(notebook="sales"), []),
            (RepairFilter(notebook="/v/sales.ipynb"), []),
            (RepairFilter(since=_at(2)), ["bb"]),
            (RepairFilter(until=_at(2), accepted=True), ["aa"]),
            (RepairFilter(outcome="open"), ["bb"]),
            (RepairFilter(text="df", notebook="sales.ipynb"), ["aa"]),
            (RepairFilter(text="df", outcome="open"), ["bb"]),
        ):
            assert _ids(store.find(which, 9)) == found, which
            assert [line.id for line in store.summaries(which, 9)] == found, which
        assert _ids(store.find(RepairFilter(text="df"), 1)) == ["bb"]

    def test_what_was_said_before_is_not_found_any_more(self, store: IndexedStore) -> None:
        """A repair that is saved again is found by its words of now."""
        store.save(full_repair(source="alpha(df)"))
        store.save(full_repair(source="beta(df)"))
        assert store.find(RepairFilter(text="alpha"), 9) == []
        assert len(store.find(RepairFilter(text="beta"), 9)) == 1

    def test_repairs_are_counted_by_what_became_of_them(self, store: IndexedStore) -> None:
        """Each once, as it was saved last."""
        store.save(full_repair("aa", decided=None))
        store.save(full_repair("aa"))
        store.save(full_repair("bb", decided="rejected"))
        self.settle(store)
        assert _counts(store) == {"accepted": 1, "rejected": 1}
        [model] = [each for each in store.tallies() if each.dimension == "model" and each.outcome == "accepted"]
        assert (model.value, model.period, model.repairs, model.tokens) == ("qwen2.5", "2026-11", 1, 940)

    def test_what_is_forgotten_is_found_and_counted_no_more(self, store: IndexedStore) -> None:
        """It says how many that were."""
        store.save(full_repair("aa"))
        store.save(_learnt(full_repair("bb", decided="rejected")))
        self.settle(store)
        assert store.remove(RepairFilter(id="bb")) == 1
        assert store.remove(RepairFilter(id="bb")) == 0
        assert _ids(store.recent(9)) == ["aa"]
        assert _ids(store.find(RepairFilter(text="prise"), 9)) == ["aa"]
        assert _counts(store) == {"accepted": 1}
        assert store.precedents("", 9) == []

    def test_what_was_learnt_is_recalled_by_its_mistake(self, store: IndexedStore) -> None:
        """The newest first; all of it where no mistake is named."""
        store.save(_learnt(full_repair("aa", _at(1))))
        store.save(_learnt(full_repair("bb", _at(2), decided="rejected")))
        store.save(_learnt(full_repair("cc", _at(3)), "another"))
        self.settle(store)
        assert [found.worked for found in store.precedents("misspelt", 9)] == [False, True]
        assert [found.worked for found in store.precedents("misspelt", 1)] == [False]
        assert store.precedents("unknown", 9) == []
        assert [found.lesson.mistake for found in store.precedents("", 2)] == ["another", "misspelt"]


def _ids(repairs: Sequence[Repair]) -> list[str]:
    return [repair.id for repair in repairs]


def _at(second: int) -> str:
    return f"2026-11-21T10:00:{second:02}.000+00:00"


def _refused(store: RepairStore, prefix: str) -> str:
    """What the store says of a beginning that it refuses; empty if it gives a repair."""
    try:
        store.get(prefix)
    except BadInput as refused:
        return str(refused)
    return ""


def _learnt(repair: Repair, mistake: str = "misspelt") -> Repair:
    """The repair with what was learnt of it."""
    lesson = Lesson(mistake, "$1.prise", "$1.price", shape="0a1b2c3d")
    return dataclasses.replace(repair, lesson=lesson)


def _counts(store: IndexedStore) -> dict[str, int]:
    found: dict[str, int] = {}
    for tally in store.tallies():
        if tally.dimension == "all":
            found[tally.outcome] = found.get(tally.outcome, 0) + tally.repairs
    return found
