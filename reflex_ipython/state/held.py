"""What the journal holds of the user's objects, and when it lets go: nothing lives a statement longer than without us.

Plain data may be kept: nobody can see whether a list of numbers lives. Of everything else the journal keeps a weak
reference, where the type has such, or looks at each statement's end whether it has become the only one to hold it.
"""

from __future__ import annotations

import gc
import sys
import types
import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import class_vars, classes, identity, is_exactly, is_static, layout, module_name
from reflex_ipython.state.kinds.table import ATOMS
from reflex_ipython.state.weak import has_references

_SMALL = 64_000
"""Bytes of a text or an array up to which it is small."""
_FEW = 1_000
"""Objects up to which data is small."""
_MANY = 2_000
"""Objects that are asked about at a statement's end; a statement whose notes hold more is not undone."""

_LISTS = (list, tuple, set, frozenset)
_LEAVES = (type, types.ModuleType, types.FunctionType, types.FrameType, types.CodeType)


def is_atom(o: object) -> bool:
    """Whether it has no contents, and is small: a number, a short text, None, a date."""
    return identity(type(o)) in ATOMS and (type(o) not in (str, bytes) or len(o) <= _SMALL)  # type: ignore[arg-type]  # sized


def is_plain(o: object) -> bool:
    """Whether it is small data of Python's own: a number or a text, or a list, tuple or dict of such.

    Whoever else holds it: there is no way to see it end.
    """
    if is_atom(o):
        return True
    left, todo = _FEW, [o]
    while todo:
        some = todo.pop()
        if is_atom(some):
            continue
        if not is_exactly(some, (list, tuple, dict)):
            return False
        left -= 1 + len(some)  # type: ignore[arg-type]  # sized
        if left < 0:
            return False
        todo += some  # type: ignore[arg-type]  # of a dict, the keys
        todo += some.values() if type(some) is dict else ()
    return True


def is_quiet(o: object) -> bool:
    """Whether nobody would see it end, if nobody else holds it: it and all that hangs on it is small, and has no
    finalizer, no weak reference, no buffer that others see.
    """
    seen = {identity(o)}
    todo = _inside(o)
    if todo is None:
        return False
    while todo:
        shared = _others(todo, -1) > 1  # than what it hangs on: others may look at its end later
        some = todo.pop()
        if is_atom(some) or identity(some) in seen:
            continue
        seen.add(identity(some))
        inside = None if shared and has_references(type(some)) else _inside(some)
        if inside is None or len(seen) + len(todo) + len(inside) > _FEW:
            return False
        todo += inside
        del inside
    return True


def _inside(o: Any) -> list[object] | None:
    """What hangs on an object that ends unseen; None for one that may not."""
    cls = type(o)
    if cls is dict:
        return [*o, *o.values()] if len(o) < _FEW else None
    if is_exactly(o, _LISTS):
        return list(o) if len(o) < _FEW and not _referred_to(o) else None
    if cls is types.FunctionType:
        return [o.__defaults__, o.__kwdefaults__, o.__dict__] if o.__closure__ is None and not _referred_to(o) else None
    if module_name(cls) == "numpy" and cls.__name__ == "ndarray":
        small = o.flags.owndata and o.dtype.kind in "biufcmMSU" and o.nbytes <= _SMALL
        return [] if small and not _referred_to(o) else None
    return _attributes(o)


def _attributes(o: Any) -> list[object] | None:
    form = layout(type(o))
    if form.solid is not object or form.slots or _referred_to(o) or is_static(type(o)):
        return None
    if any("__del__" in class_vars(cls) for cls in classes(type(o))):
        return None
    fields = form.dictionary.__get__(o) if form.dictionary is not None else {}
    return [*fields.values()]


def _referred_to(o: object) -> bool:
    return weakref.getweakrefcount(o) > 0


# ------------------------------------------------------------------------------------------ what only we hold


def objects_of(kind: Kind, saved: Any) -> list[object]:
    """The objects of the user's that a note refers to, each as often as it does.

    A container that nobody else holds is a part of the note.
    """
    found: list[object] = []
    todo = [kind.holds(saved)]
    del saved
    begun = False
    while todo:
        ours = not begun or _others(todo, -1) == 1  # by what it stands in
        some = todo.pop()
        inside = _parts(some) if ours else None
        if inside is None:
            found.append(some)
        else:
            todo += inside
            del inside
        begun = True
    return found


def _parts(o: Any) -> list[object] | None:
    """What the containers refer to of which notes are made; None for everything else."""
    if type(o) is dict:
        return [*o, *o.values()]
    if type(o) in (list, tuple, set, frozenset):
        return list(o)
    own = module_name(type(o)).startswith("reflex_ipython.state")
    return [getattr(o, name) for name in type(o).__slots__] if own else None


class _Holding:
    __slots__ = ("let_go", "name", "objects")

    def __init__(self, objects: list[object], let_go: Callable[[], None], name: str) -> None:
        self.objects = objects
        self.let_go = let_go
        self.name = name


class Holdings:
    """What notes and bindings of the past hold that is no plain data; to be asked about at each statement's end.

    Parameters
    ----------
    namespace : dict
        What a name in it is bound to is held by others, that is known without a search.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self._all: list[_Holding] = []
        self._count = 0

    def add(self, objects: Iterable[object], let_go: Callable[[], None], name: str = "") -> None:
        """Something refers to these objects, each as often as it stands there, until `let_go` is called.

        `name`: the first of them is bound to it.
        """
        held = [o for o in objects if not is_atom(o)]
        if not held:
            return
        if self._count + len(held) > _MANY:
            let_go()
            return
        self._count += len(held)
        self._all.append(_Holding(held, let_go, name))

    def release(self) -> None:
        """Let go of what nobody else holds any more, unless nobody sees that it lives."""
        while (holding := self._next()) is not None:  # what was let go of may have been the last to hold another
            self._all.remove(holding)
            self._count -= len(holding.objects)
            holding.objects.clear()
            holding.let_go()

    def clear(self) -> None:
        """Forget all of them."""
        self._all.clear()
        self._count = 0

    def _next(self) -> _Holding | None:
        own = Counter(id(o) for holding in self._all for o in holding.objects)
        for key in own:
            own[key] *= 2  # by what the holding is about, and by the holding
        for holding in self._all:
            if any(self._must_go(holding, place, own) for place in range(len(holding.objects))):
                return holding
        return None

    def _must_go(self, holding: _Holding, place: int, own: Counter[int]) -> bool:
        objects = holding.objects
        if not place and holding.name and self._namespace.get(holding.name) is objects[0]:
            return False
        if _others(objects, place) >= own[id(objects[place])]:
            return _is_garbage(objects, place, own)
        return not is_quiet(objects[place])


def only(holder: Any, key: Any) -> bool:
    """Whether `holder[key]` is the one reference to an object."""
    return _others(holder, key) == 0


def _others(holder: Any, key: Any) -> int:
    """How many references to `holder[key]` there are besides that one."""
    return sys.getrefcount(holder[key]) - _ALONE


_ALONE = 0
_ALONE = _others([object()], 0)  # what the call itself adds, which depends on the version of Python


def _is_garbage(objects: list[Any], place: int, own: Counter[int]) -> bool:
    """Whether nobody but us holds it, and it itself by a cycle; True as well where it takes too long to find out.

    The collector's own way: what is referred to more often than from inside is held from outside, and so is all that
    hangs on that.
    """
    start = id(objects[place])
    seen = {start: objects[place]}
    inside = Counter[int]()
    todo = [start]
    while todo:
        for o in _tracked(gc.get_referents(seen[todo.pop()])):
            inside[id(o)] += 1
            if id(o) not in seen:
                seen[id(o)] = o
                todo.append(id(o))
        if len(seen) > _FEW:
            return True
    o = None
    if len(seen) == 1 and not inside:  # nothing in it that could lead back
        return False
    waiting = [key for key in seen if _others(seen, key) > inside[key] + own.get(key, 0)]
    held = set(waiting)
    while waiting:
        for key in map(id, _tracked(gc.get_referents(seen[waiting.pop()]))):
            if key not in held:
                held.add(key)
                waiting.append(key)
    return start not in held


def _tracked(objects: list[Any]) -> list[Any]:
    return [o for o in objects if gc.is_tracked(o) and not is_exactly(o, _LEAVES)]
