"""What a kind of object is to the journal: how its contents are noted, compared and put back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any, Literal, Protocol

Coverage = Literal["exact", "partial", "named"]

NOTHING: Any = object()
"""What `snapshot` returns for an object that has nothing of its own to put back, or all of it elsewhere."""


class CannotRestore(Exception):
    """An object could not be put back. Its text says why, in words that fit in brackets."""


class ObjectWalk(Protocol):
    """The walk that a kind takes part in (`walk.ObjectWalk`)."""

    attributes: set[str]
    """The attribute names that the code uses, as far as it is known by now."""
    at_hand: Sequence[str]
    """The modules and classes of libraries that the code can get at, once it is known."""

    @property
    def remembered(self) -> dict[int, Any]:
        """What kinds remember from statement to statement, by id of an object that their snapshots keep alive."""

    def follow(self, children: Collection[object]) -> bool:
        """Look at these objects as well; False if none of them can change."""

    def elsewhere(self, o: object) -> None:
        """What is in this object is noted already: do not look at it."""

    def expect(self, children: Iterator[object], count: int) -> None:
        """Raise `OverBound` at once if so many children can't be looked at."""

    def hold(self, size: int) -> None:
        """Take `size` bytes more into copies, or raise `OverBound`."""

    def copying(self, copy: Callable[[], Any], size: int = 0) -> Any:
        """What `copy` gives, which goes over `size` bytes; its time does not count. May raise `OverBound` instead."""

    def earlier(self, o: object) -> Any:
        """What an earlier statement of this cell noted of the object; NOTHING if none did."""

    def keep(self, o: object, saved: Any) -> Any:
        """Let later statements of this cell have what is noted now of the object as `earlier`; returns it."""

    def run(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """That code may run: look at what it reads of its namespace."""

    def module(self, module: Any) -> None:
        """The code can get at this module."""

    def library_class(self, cls: type) -> None:
        """The code can get at this class of a library."""

    def snapshot(self, kind: Kind, o: object) -> None:
        """Take a snapshot of the object as that kind."""


@dataclasses.dataclass(frozen=True, eq=False)
class Kind:
    """A kind of object. None of the functions may run code of the user's.

    Parameters
    ----------
    name : str
        In words, singular.
    coverage : str
        "exact": put back in place, all of it. "partial": `limit` says what is not. "named": not put back; the report
        names it if it may have changed.
    snapshot : callable
        Given the object and the walk, what `same` and `restore` need; NOTHING for nothing. It tells the walk what hangs
        on the object.
    same : callable
        Given the object and what was noted, whether it is surely unchanged.
    restore : callable or None
        Given the same, puts the contents back in place, or raises `CannotRestore`. None: can't be put back.
    unrestorable : callable
        Given the object and what was noted, whether that can't be put back though others of the kind can.
    limit : str
        What is not put back.
    instance : bool
        Whether the object's `__dict__` and slots are to be noted besides.
    operation : bool
        Whether a snapshot says how to undo one operation, not what the whole object was: such ones are put back
        strictly backwards, and `same` is right once everything later was put back.
    holds : callable
        Given what was noted, that part of it which may refer to objects of the user's: not the copies of data.
    glance : callable or None
        As `same`, in a few µs: None where nobody knows without a long look. None: `same` takes no longer.
    all_same : callable or None
        Given many objects and what was noted of each, whether all of them surely are unchanged, in less time than
        `same` takes for one after the other. None: there is no quicker way.
    certain : bool
        Whether `restore` looks itself at what it would write over, and what it has put back needs no second look.
    settled : callable or None
        Given the object and what was noted, what of that is still to be put back once the statement is over. None: all.
    loosely : callable
        Given what was noted, the same with what it refers to held weakly where somebody would see it live on, and with
        what is not to be held besides, by identity.
    """

    name: str
    coverage: Coverage
    snapshot: Callable[[Any, ObjectWalk], Any]
    same: Callable[[Any, Any], bool] = lambda o, saved: True
    restore: Callable[[Any, Any], None] | None = None
    unrestorable: Callable[[Any, Any], bool] = lambda o, saved: False
    limit: str = ""
    instance: bool = True
    operation: bool = False
    holds: Callable[[Any], Any] = lambda saved: saved
    glance: Callable[[Any, Any], bool | None] | None = None
    all_same: Callable[[Sequence[Any], Sequence[Any]], bool] | None = None
    certain: bool = False
    settled: Callable[[Any, Any], Any] | None = None
    loosely: Callable[[Any, Mapping[int, Any]], Any] = lambda saved, within: saved


def no_objects(saved: Any) -> None:
    """For `Kind.holds`: what was noted is a copy of data, and refers to nothing."""
