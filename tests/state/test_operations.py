"""Notes of one operation: small, right at the moment of undoing, and never of more than was written."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from reflex_ipython.state.kinds import operations
from reflex_ipython.state.snapshots import Snapshot


def undone(snapshot: Snapshot | None, change: Callable[[], Any]) -> None:
    """Make the change and undo it by the note, which says before and after whether it is needed."""
    assert snapshot is not None
    kind, o, saved = snapshot
    assert kind.same(o, saved)
    change()
    assert not kind.same(o, saved)
    assert kind.restore is not None
    kind.restore(o, saved)
    assert kind.same(o, saved)


def test_a_list_that_grew_is_shortened() -> None:
    items = [1, 2]
    undone(operations.growth(items), lambda: items.extend([3, 4]))
    assert items == [1, 2]


def test_ten_thousand_appends_are_noted_in_as_many_ints() -> None:
    items: list[int] = []
    entries = []
    for n in range(10_000):
        entries.append(operations.growth(items))
        items.append(n)
    assert all(type(snapshot[2]) is int for snapshot in entries)
    assert len(pickle.dumps([snapshot[2] for snapshot in entries])) < 100_000
    for kind, o, saved in reversed(entries):
        assert kind.restore is not None
        kind.restore(o, saved)
    assert items == []


def test_an_item_of_a_list_comes_back_and_an_index_that_is_none_is_not_noted() -> None:
    items = ["a", "b"]
    undone(operations.place(items, -1), lambda: items.__setitem__(1, "z"))
    assert items == ["a", "b"]
    assert operations.place(items, 2) is None


def test_an_entry_of_a_dict_comes_back_in_its_place() -> None:
    entries = {"a": 1, "b": 2}
    undone(operations.entry(entries, "a"), lambda: entries.update(a=5))
    undone(operations.entry(entries, "new"), lambda: entries.update(new=5))
    assert list(entries.items()) == [("a", 1), ("b", 2)]


def test_an_attribute_of_a_class_and_a_slot_come_back() -> None:
    class Slotted:
        __slots__ = ("x",)
        kind = 1

    one = Slotted()
    undone(operations.class_attribute(Slotted, "kind"), lambda: setattr(Slotted, "kind", 2))
    undone(operations.class_attribute(Slotted, "other"), lambda: setattr(Slotted, "other", 2))
    undone(operations.slot(one, Slotted.__dict__["x"]), lambda: setattr(one, "x", 2))
    assert Slotted.kind == 1
    assert not hasattr(Slotted, "other")
    assert not hasattr(one, "x")


@pytest.mark.parametrize(
    "index",
    [
        *("0", "(1, 2)", "(0, ...)", "()", "None", "True", "slice(1, 3)", "(slice(None), 1)", "..."),
        *("mask", "[0, 2]", "order", "single", "(single, 1)"),
    ],
)
def test_a_part_of_an_array_comes_back_by_whatever_index(index: str) -> None:
    np = pytest.importorskip("numpy")
    array = np.arange(12.0).reshape(3, 4)
    before = array.copy()
    names = {"mask": np.array([True, False, True]), "order": np.array([2, 0]), "single": np.array(1)}
    chosen = eval(index, names)
    undone(operations.part(array, chosen), lambda: array.__setitem__(chosen, np.nan))
    assert (array == before).all()


@pytest.mark.parametrize("index", ["0", "(1,)", "slice(0, 2)", "[0, 1]", "...", "np.str_('a')"])
@pytest.mark.parametrize("dtype", ["[('a', 'i4'), ('b', 'f8')]", "[('a', 'O'), ('b', 'i4', (2,))]"])
def test_a_record_of_a_structured_array_is_copied_for_it_is_a_window(index: str, dtype: str) -> None:
    np = pytest.importorskip("numpy")
    array = np.zeros(3, dtype=eval(dtype))
    array["a"] = [5, 6, 7]
    before = array.copy()
    chosen = eval(index, {"np": np})
    undone(operations.part(array, chosen), lambda: array.__setitem__(chosen, 8 if "str_" in index else (8, 9)))
    assert (array == before).all()


@pytest.mark.parametrize("index", [0, (0,), slice(0, 1), [0], ...])
def test_an_array_that_is_an_item_comes_back_as_the_one_it_was(index: object) -> None:
    np = pytest.importorskip("numpy")
    array = np.empty(2, dtype=object)
    inner = array[0] = np.arange(2)
    undone(operations.part(array, index), lambda: array.__setitem__(index, None))
    assert array[0] is inner


def test_an_index_that_others_change_later_is_noted_as_it_was() -> None:
    np = pytest.importorskip("numpy")
    array, order = np.arange(4), np.array([0])
    snapshot = operations.part(array, order)
    array[order] = 9
    order[0] = 3
    assert snapshot is not None
    assert snapshot[0].restore is not None
    snapshot[0].restore(array, snapshot[2])
    assert array.tolist() == [0, 1, 2, 3]


def test_what_is_large_is_not_noted_as_a_whole() -> None:
    np = pytest.importorskip("numpy")
    assert operations.whole(list(range(operations.MOST_ITEMS + 1))) is None
    assert operations.whole(np.zeros(operations.MOST_BYTES)) is None
    assert operations.part(np.zeros(operations.MOST_BYTES), slice(None)) is None
    assert operations.part(np.zeros(operations.MOST_BYTES), slice(0, 9)) is not None


def test_every_note_of_one_operation_says_that_it_is_one() -> None:
    class Holder:
        __slots__ = ("x",)

    entries = [
        operations.growth([]),
        operations.place([1], 0),
        operations.entry({}, "a"),
        operations.class_attribute(Holder, "x"),
        operations.slot(Holder(), Holder.__dict__["x"]),
    ]
    assert all(snapshot is not None and snapshot[0].operation for snapshot in entries)


def test_a_small_frame_is_noted_and_a_large_one_is_not() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1, 2]})
    undone(operations.frame_snapshot(frame, "item"), lambda: frame.__setitem__("b", 1))
    assert list(frame.columns) == ["a"]
    assert operations.frame_snapshot(pd.DataFrame({"a": range(100_000)}), "item") is None
