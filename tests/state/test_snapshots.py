"""Many notes compared in one go say what each of them says."""

from __future__ import annotations

import dataclasses
import gc
import random
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from reflex_ipython.state.global_state import Shallow
from reflex_ipython.state.kinds.containers import DICT, KINDS
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.snapshots import Snapshot, are_same, is_same
from tests.state.cells import namespace, run

LIST = KINDS[list]


class OwnList(list):  # type: ignore[type-arg]  # as people write it
    def __iter__(self) -> Any:
        raise AssertionError("code of the user's runs")

    __len__ = __eq__ = __iter__


class OwnDict(dict):  # type: ignore[type-arg]  # as people write it
    def __iter__(self) -> Any:
        raise AssertionError("code of the user's runs")

    __len__ = __eq__ = keys = values = items = __iter__


class Equal:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]  # as Python has it


def snapshots(kind: Kind, *objects: Any) -> list[Snapshot]:
    return [(kind, o, kind.snapshot(o, Shallow())) for o in objects]


def mixed() -> list[Snapshot]:
    dicts = [{"n": n, "v": [n], "w": Equal()} for n in range(20)]
    lists: list[list[Any]] = [[n, str(n), [n], Equal()] for n in range(20)]
    return [
        *snapshots(DICT, *dicts, {}),
        *snapshots(LIST, *lists, []),
        *snapshots(KINDS[set], {1}),
        *snapshots(KINDS[dict], {2: 3}),
    ]


CHANGES: list[tuple[Kind, Callable[[Any], object]]] = [
    (DICT, lambda o: o.update(n=-1)),
    (DICT, lambda o: o.update(w=Equal())),
    (DICT, lambda o: o.update(new=1)),
    (DICT, lambda o: o.pop("n")),
    (DICT, lambda o: o.update(n=o.pop("n"))),  # its place among the others
    (DICT, lambda o: o.update(m=o.pop("w"))),
    (DICT, lambda o: o.clear()),
    (LIST, lambda o: o.append(1)),
    (LIST, lambda o: o.pop()),
    (LIST, lambda o: o.reverse()),
    (LIST, lambda o: o.__setitem__(3, Equal())),
    (LIST, lambda o: o.__setitem__(2, list(o[2]))),
]


def test_what_nobody_has_changed_is_the_same() -> None:
    assert are_same(mixed())
    assert are_same([])


@pytest.mark.parametrize("place", [0, 7, 19])
@pytest.mark.parametrize(("kind", "change"), CHANGES)
def test_a_change_of_one_is_seen_among_many(kind: Kind, change: Callable[[Any], object], place: int) -> None:
    entries = mixed()
    change([o for one, o, _ in entries if one is kind][place])
    assert not are_same(entries)


@pytest.mark.parametrize("kind", [DICT, LIST])
def test_what_moves_from_one_to_the_next_is_seen(kind: Kind) -> None:
    ones, others = ({"a": 1, "b": 2}, {"c": 3}) if kind is DICT else ([1, 2], [3])
    entries = snapshots(kind, ones, others)
    if isinstance(ones, dict) and isinstance(others, dict):
        ones.clear(), others.clear()
        ones.update(a=1), others.update(b=2, c=3)
    else:
        ones[:], others[:] = [1], [2, 3]
    assert not are_same(entries)


def test_it_says_of_any_what_each_of_them_says() -> None:
    chance = random.Random(7)
    for _ in range(300):
        entries = mixed()
        for kind, change in chance.sample(CHANGES, chance.randrange(3)):
            change(chance.choice([o for one, o, _ in entries if one is kind and len(o) > 2]))
        chance.shuffle(entries)
        assert are_same(entries) is all(map(is_same, entries))


def test_of_a_class_of_the_users_no_code_runs() -> None:
    own_list, own_dict = OwnList([1, 2]), OwnDict(a=1)
    entries = [*snapshots(LIST, [3], own_list), *snapshots(DICT, {}, own_dict)]
    assert are_same(entries)
    list.append(own_list, 3)
    assert not are_same(entries)
    list.pop(own_list)
    dict.update(own_dict, b=2)
    assert not are_same(entries)


def test_what_a_weak_reference_has_entered_or_removed_is_no_change() -> None:
    class Child:
        pass

    children, child = dict[Any, Any](), Child()
    key = id(child)
    children[key] = weakref.ref(child, lambda _: children.pop(key))
    entries = snapshots(DICT, {"a": 1}, children)
    assert are_same(entries)
    del child
    gc.collect()
    assert not children
    assert are_same(entries)


@pytest.mark.parametrize(("kind", "o"), [(DICT, {"a": 1}), (LIST, [1])])
def test_thousands_are_compared_without_a_call_for_each(kind: Kind, o: Any) -> None:
    calls: list[object] = []

    def counting(o: Any, saved: Any) -> bool:
        calls.append(o)
        return kind.same(o, saved)

    entries = snapshots(dataclasses.replace(kind, same=counting), *(type(o)(o) for _ in range(2_000)))
    assert are_same(entries)
    assert not calls


def test_what_cannot_be_compared_is_not_surely_the_same() -> None:
    def fails(*_: Any) -> bool:
        raise RuntimeError

    assert not are_same([(Kind("one by one", "exact", lambda o, walk: 1, fails), 1, 1)])
    assert not are_same([(Kind("in one go", "exact", lambda o, walk: 1, all_same=fails), 1, 1)])


def test_of_many_that_a_failed_cell_has_changed_only_those_stay_that_others_have_changed_since() -> None:
    names = namespace("dicts = [{'n': n, 'v': [n]} for n in range(50)]; theirs = dicts[7]")
    journal = run(names, "for d in dicts: d.update(n=1); d['v'].append(0)\n1 / 0", at_once=True)
    journal.note_end()
    names["theirs"]["more"] = 2
    assert journal.rollback(0).words == "restored except: dicts (changed since the cell ended)"
    assert names["dicts"].pop(7) == {"n": 1, "v": [7], "more": 2}
    assert names["dicts"] == [{"n": n, "v": [n]} for n in range(50) if n != 7]
