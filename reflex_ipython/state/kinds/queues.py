"""Queues, semaphores, events of threads and tasks: put back where nobody but the cell uses them.

They are written in Python, and what they are is in their attributes. A search goes through a `Queue` in one thread; but
where another thread takes what is in there, or waits for it, an item that was put back would be there twice.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from reflex_ipython.base.classes import classes, is_exactly, module_name, qualname
from reflex_ipython.state.kinds.containers import DEQUE, DICT, LIST
from reflex_ipython.state.kinds.kind import CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import attributes_of
from reflex_ipython.state.kinds.locks import is_alone
from reflex_ipython.state.weak import Weak

_CONTENTS = {
    ("threading", "Event"): "",
    ("threading", "Semaphore"): "",
    ("threading", "Barrier"): "",
    ("queue", "Queue"): "queue",
    ("asyncio.locks", "Lock"): "",
    ("asyncio.locks", "Event"): "",
    ("asyncio.locks", "Semaphore"): "",
    ("asyncio.queues", "Queue"): "_queue",
}
"""The attribute with the container of what is in there, by the module and name of the class."""
_WAITERS = ("_waiters", "_getters", "_putters")
"""Attributes with who waits."""
_MACHINERY = ("_thread", "asyncio", "threading")
"""Packages of what such an object is made of, besides its contents."""


class _Shared(NamedTuple):
    """What was noted of one: its contents as their own kind notes them, its attributes, and who waits."""

    inside: Any
    fields: Any
    waiters: tuple[Weak, ...]
    """Locks and tasks' futures; not their identity, which another one that comes later may have."""


def kind_of_queue(cls: type) -> Kind | None:
    """The kind of a class's objects; None if it is none of these."""
    for base in classes(cls):
        name = _CONTENTS.get((module_name(base), qualname(base)))
        if name is not None:
            return _QUEUES[name]
    return None


def _kind(name: str) -> Kind:
    """`name`: the attribute with the contents, if there is one."""

    def snapshot(o: Any, walk: ObjectWalk) -> _Shared | None:
        fields = attributes_of(o)
        container = fields.get(name)
        contents = _kind_of(container)
        if name and contents is None:  # a class of the user's that keeps them in another way
            return None
        if contents is not None:
            walk.elsewhere(container)
        walk.follow([value for key, value in fields.items() if not _is_machinery(key, value)])
        inside = contents.snapshot(container, walk) if contents is not None else None
        return _Shared(inside, fields.copy(), tuple(map(Weak, _waiters(fields))))

    def same(o: Any, saved: _Shared | None) -> bool:
        fields = attributes_of(o)
        contents = _kind_of(fields.get(name))
        if saved is None or _waiters(fields) != [each.get() for each in saved.waiters]:
            return False  # who waited has got what was put
        if not DICT.same(fields, saved.fields):
            return False
        return contents is None or contents.same(fields[name], saved.inside)

    def restore(o: Any, saved: _Shared) -> None:
        if _is_used(o, saved):
            raise CannotRestore("others may use it as well")
        fields = attributes_of(o)
        _put_back(DICT, fields, saved.fields)
        if name:
            _put_back(_kind_of(fields[name]), fields[name], saved.inside)

    def loosely(saved: _Shared | None, within: Mapping[int, Any]) -> _Shared | None:
        if saved is None:
            return None
        inside = saved.inside and LIST.loosely(saved.inside, within)  # as a deque's
        return saved._replace(inside=inside, fields=DICT.loosely(saved.fields, within))

    return Kind(
        "queue or event of threads or tasks",
        "partial",
        snapshot,
        same,
        restore,
        unrestorable=_is_used,
        limit="one that others use as well",
        instance=False,
        loosely=loosely,
    )


def _is_machinery(name: str, value: Any) -> bool:
    """Whether an attribute's value is no object of the user's. Who waits is not put back: it would wait for ever."""
    return name in _WAITERS or module_name(type(value)).startswith(_MACHINERY)


def _put_back(kind: Kind | None, o: Any, saved: Any) -> None:
    assert kind is not None
    assert kind.restore is not None
    kind.restore(o, saved)


def _kind_of(container: Any) -> Kind | None:
    return LIST if type(container) is list else DEQUE if type(container) is deque else None


def _is_used(o: Any, saved: _Shared | None) -> bool:
    """Whether others than the cell may have used it: then it is better left as it is."""
    return saved is None or bool(saved.waiters or _waiters(attributes_of(o))) or not is_alone()


def _waiters(fields: dict[str, Any]) -> list[object]:
    conditions = [attributes_of(value) for value in fields.values() if is_exactly(value, (threading.Condition,))]
    waiters = [some.get(name) or () for some in (fields, *conditions) for name in _WAITERS]
    return [waiter for those in waiters for waiter in those]


_QUEUES = {name: _kind(name) for name in _CONTENTS.values()}
