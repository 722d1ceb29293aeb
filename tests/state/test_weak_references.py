"""What a statement reaches through weak references, and the weak containers themselves."""

from __future__ import annotations

import gc
import weakref

import pytest

from reflex_ipython.state.global_state import Shallow
from reflex_ipython.state.kinds.table import current_table
from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, check_read, halves

_THING = """
import weakref
class Thing:
    def __init__(self, value): self.value = value; self.items = []
    def grow(self): self.items.append(1)
things = [Thing(1), Thing(2)]
"""


def _half(says: str, setup: str, cell: str, shows: str, named: str = "") -> Half:
    return Half(says, _THING + setup, cell, shows, named)


_ITEMS = "[(thing.value, thing.items) for thing in things]"
_HIDDEN = "def hide():\n    thing = Thing(3)\n    cycle.append(thing)\n"
_INSIDE = """
def closed():
    thing = Thing(3)
    return weakref.{kind}(thing), lambda: (thing.value, thing.items)
weak, tell = closed()
tell_in = {{'tell': [tell]}}
"""


def _through(kind: str) -> str:
    # The only strong reference is in a closure that the failing cell does not name.
    return _INSIDE.format(kind=kind)


@halves(
    _half("an object through ref()", _through("ref"), "weak().value = 9", "tell()"),
    _half("a list of an object through ref()", _through("ref"), "weak().items.append(4)", "tell()"),
    _half("a method through ref()", _through("ref"), "weak().grow()", "tell()"),
    _half("an object through a proxy", _through("proxy"), "weak.value = 9", "tell()"),
    _half("a list of an object through a proxy", _through("proxy"), "weak.items.append(4)", "tell()"),
    _half(
        "an object through a callable proxy",
        "class Call:\n    n = 0\n    def __call__(self): self.n += 1\nbox = [Call()]\nweak = weakref.proxy(box[0])",
        "weak()",
        "box[0].n",
    ),
    _half("an object through WeakMethod", "weak = weakref.WeakMethod(things[0].grow)", "weak()()", _ITEMS),
    _half("an object through a ref in a list", "weak = [weakref.ref(things[0])]", "weak[0]().items.append(1)", _ITEMS),
    _half(
        "an object through a ref in an attribute",
        "class Child: pass\nchild = Child(); child.parent = weakref.ref(things[0])",
        "child.parent().value = 7",
        _ITEMS,
    ),
    _half(
        "what the callback of a reference does",
        "seen = []\nweak = weakref.ref(things[1], lambda r, seen=seen: seen.append(1))",
        "weak.__callback__(weak)",
        "seen",
    ),
    _half(
        "an object through a subclass of ref",
        "class Own(weakref.ref): pass\nweak = Own(things[0])\nweak.mark = [1]",
        "weak().value = 5; weak.mark.append(2)",
        _ITEMS + ", weak.mark",
    ),
)
def test_a_weak_reference_is_followed(half: Half) -> None:
    check(half)


_LIVE = "sorted(thing.value for thing in weak)"


@halves(
    _half("add to a WeakSet", "weak = weakref.WeakSet(things[:1])", "weak.add(things[1])", _LIVE),
    _half("discard from a WeakSet", "weak = weakref.WeakSet(things)", "weak.discard(things[1])", _LIVE),
    _half("clear a WeakSet", "weak = weakref.WeakSet(things)", "weak.clear()", _LIVE + ", len(weak)"),
    _half("change a member of a WeakSet", "weak = weakref.WeakSet(things)", "[t.grow() for t in weak]", _ITEMS),
    _half(
        "set an item of a WeakValueDictionary",
        "weak = weakref.WeakValueDictionary(a=things[0])",
        "weak['b'] = things[1]",
        "[(k, v.value) for k, v in weak.items()]",
    ),
    _half(
        "replace an item of a WeakValueDictionary",
        "weak = weakref.WeakValueDictionary(a=things[0])",
        "weak['a'] = things[1]",
        "[(k, v.value) for k, v in weak.items()]",
    ),
    _half(
        "pop from a WeakValueDictionary",
        "weak = weakref.WeakValueDictionary(a=things[0], b=things[1])",
        "weak.pop('a')",
        "[(k, v.value) for k, v in weak.items()], len(weak)",
    ),
    _half(
        "change a value of a WeakValueDictionary",
        "weak = weakref.WeakValueDictionary(a=things[0])",
        "weak['a'].grow()",
        _ITEMS,
    ),
    _half(
        "set an item of a WeakKeyDictionary",
        "weak = weakref.WeakKeyDictionary({things[0]: 1})",
        "weak[things[1]] = 2",
        "[(k.value, v) for k, v in weak.items()]",
    ),
    _half(
        "change a value of a WeakKeyDictionary",
        "weak = weakref.WeakKeyDictionary({things[0]: [1]})",
        "weak[things[0]].append(2)",
        "[(k.value, v) for k, v in weak.items()]",
    ),
    _half(
        "change a key of a WeakKeyDictionary",
        "weak = weakref.WeakKeyDictionary({things[0]: [1]})",
        "next(iter(weak)).grow()",
        _ITEMS,
    ),
    _half(
        "delete from a WeakKeyDictionary",
        "weak = weakref.WeakKeyDictionary({things[0]: 1, things[1]: 2})",
        "del weak[things[0]]",
        "[(k.value, v) for k, v in weak.items()], len(weak)",
    ),
    _half(
        "a registry of instances in a class",
        "class Registered:\n    all = weakref.WeakSet()\n    def __init__(self): Registered.all.add(self)\n"
        "first = Registered()",
        "second = Registered(); globals()['kept'] = second",
        "len(Registered.all)",
    ),
    _half(
        "a subclass of WeakValueDictionary with attributes",
        "class Cache(weakref.WeakValueDictionary): pass\nweak = Cache(a=things[0])\nweak.hits = []",
        "weak['b'] = things[1]; weak.hits.append(1)",
        "[(k, v.value) for k, v in weak.items()], weak.hits",
    ),
)
def test_what_is_in_a_weak_container_is_put_back(half: Half) -> None:
    check(half)


@halves(
    _half(
        "register a finalizer",
        "done = []",
        "weakref.finalize(things[0], done.append, 1)",
        "len(weakref.finalize._registry)",
    ),
    _half(
        "detach a finalizer",
        "done = []; end = weakref.finalize(things[0], done.append, 1)",
        "end.detach()",
        "end.alive",
    ),
    _half(
        "call a finalizer", "done = []; end = weakref.finalize(things[0], done.append, 1)", "end()", "end.alive, done"
    ),
    _half(
        "what a finalizer closes over",
        "hidden = [[]]; end = weakref.finalize(things[0], hidden.pop().append, 1); tell = weakref.ref",
        "end()",
        "end.alive, end.peek()[1].__self__ if end.peek() else 0",
    ),
    _half("atexit of a finalizer", "end = weakref.finalize(things[0], print)", "end.atexit = False", "end.atexit"),
)
def test_finalizers_are_registered_as_before(half: Half) -> None:
    check(half)
    for end in [*weakref.finalize._registry]:  # type: ignore[attr-defined]  # where Python keeps them
        if type(end.peek()[0]).__name__ == "Thing":
            end.detach()


@pytest.mark.parametrize(
    ("make", "drop"),
    [
        ("weak = weakref.WeakSet(things)", "[o.value for o in weak]"),
        ("weak = weakref.WeakValueDictionary(a=things[0], b=things[1])", "[o.value for o in weak.values()]"),
        ("weak = weakref.WeakKeyDictionary({things[0]: 1, things[1]: 2})", "[o.value for o in weak]"),
    ],
)
def test_a_member_that_is_gone_is_not_put_back_as_a_dead_reference(make: str, drop: str) -> None:
    names = namespace(_THING, make)
    weak = names["weak"]
    kind = current_table().kinds(type(weak))[0]
    saved = kind.snapshot(weak, Shallow())
    weak.clear()
    del names["things"][1]
    gc.collect()
    assert kind.restore is not None
    kind.restore(weak, saved)
    assert eval(drop, names) == [1]
    assert len(weak) == 1


@pytest.mark.parametrize(
    ("setup", "read"),
    [
        ("weak = weakref.WeakSet(things)", "len(weak); list(weak)"),
        ("weak = weakref.WeakValueDictionary(a=things[0])", "weak.get('a'); 'b' in weak; list(weak.values())"),
        ("weak = weakref.WeakKeyDictionary({things[0]: 1})", "weak.get(things[0]); dict(weak)"),
        ("weak = weakref.ref(things[0])", "weak().value; weak.__callback__"),
        ("weak = weakref.proxy(things[0])", "weak.value; weak.items"),
        ("weak = weakref.finalize(things[0], print)", "weak.alive; weak.peek()"),
        ("weak = weakref.WeakMethod(things[0].grow)", "weak()"),
    ],
)
def test_what_is_read_through_a_weak_reference_is_not_named(setup: str, read: str) -> None:
    check_read(_THING + setup, read)


def test_following_a_proxy_runs_nothing_of_the_class() -> None:
    names = namespace(
        "import weakref\nclass Hostile:\n    asked = 0\n    def __getattribute__(self, name):\n"
        "        Hostile.asked += 1; return object.__getattribute__(self, name)\n    def __matmul__(self, o):\n"
        "        Hostile.asked += 1\nit = Hostile(); weak = weakref.proxy(it); Hostile.asked = 0"
    )
    run(names, "if True:\n    [weak]\n    1 / 0").rollback(0)
    assert names["Hostile"].asked == 0


def test_a_dead_reference_and_a_dead_proxy_do_no_harm() -> None:
    names = namespace(_THING, "weak = weakref.ref(things[0]); proxy = weakref.proxy(things[0]); del things[0]")
    assert run(names, "if True:\n    [weak, proxy]\n    1 / 0").rollback(0).exact
