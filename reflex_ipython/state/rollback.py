"""The way back: contents and bindings are put back as they were before a statement, in place."""

from __future__ import annotations

import contextlib
import gc
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import chain
from types import CoroutineType, FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import inherits, is_exactly
from reflex_ipython.base.unwarned import unwarned
from reflex_ipython.state.at_ends import AtEnds
from reflex_ipython.state.beside import TASK
from reflex_ipython.state.checkpoint import Checkpoint, bindings_before
from reflex_ipython.state.end_state import SINCE, EndState
from reflex_ipython.state.ends_reached import EndsReached
from reflex_ipython.state.kinds import locks
from reflex_ipython.state.kinds.abstract_classes import ANSWERS
from reflex_ipython.state.kinds.containers import loose_items
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity, public_name
from reflex_ipython.state.once_more import DROPPED, OnceMore
from reflex_ipython.state.putting_back import Labelled, PuttingBack, loosely, put_back, still_there
from reflex_ipython.state.resizing import DetachedArray, put_back_detached, resizable
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.set_by_paused import set_by_paused
from reflex_ipython.state.snapshots import is_same
from reflex_ipython.state.user_code import owned_class
from reflex_ipython.state.weak import ENDED, GONE, any_ends, ends_seen, found

_NONE: dict[int, str] = {}
_BOUND_ONCE = {"exit", "get_ipython", "open", "quit"}
"""Names of the shell's that stand for the same as long as it is there: if a cell has bound them, that is put back."""
_bases = type.__dict__["__bases__"].__get__


class Rollback:
    """One rollback.

    Parameters
    ----------
    namespace : dict
    ignored : container of str
        Names that are not put back.
    end_state : EndState or None
        What the cell left behind when it ended: what others have changed since is theirs.
    at_ends : AtEnds
        Watches meanwhile what runs as objects come to an end.
    """

    def __init__(
        self, namespace: dict[str, Any], ignored: Container[str], end_state: EndState | None, at_ends: AtEnds
    ) -> None:
        self._namespace = namespace
        self._ignored = ignored
        self._end_state = end_state
        self._at_ends = at_ends

    def run(self, checkpoints: list[Checkpoint], let_go: Callable[[], None], end: Callable[[], None]) -> Restoration:
        """Put everything back to the state before the first of these statements.

        What the cell has made ends first, where that can be: its `__del__` finds the state that it knows. What that
        changes is the cell's as well, and is put back once more where it comes later.

        Parameters
        ----------
        checkpoints : list of Checkpoint
            Of the statements from that one on; emptied.
        let_go : callable
            Lets go of what else is held for them.
        end : callable
            Ends what only the traceback of the last of them holds.

        Returns
        -------
        Restoration
            Whether all is as it was, else what is not.
        """
        by_checkpoint = list(_first_snapshots(checkpoints))
        every = [labelled for some in by_checkpoint for labelled in some]
        then, unknown = bindings_before(checkpoints, self._namespace)
        theirs = self._not_ours(every)
        since = [*self._changed_since(every, theirs), *self._rebound_since(then)]
        settings = set_by_paused(checkpoints, self._namespace, self._ignored)
        ends = EndsReached(self._namespace, self._ignored, then, every)
        alone = self._end_state is not None and self._end_state.alone and locks.is_alone()
        locks.free((snapshot for _, snapshot in every), alone=alone)  # what ends may wait for one
        counting = self._at_ends.counting
        with counting():
            self._have_ended(end)  # before anything is put back: what they set is the failed run's as well
        opaque = loosely(opaque_outcomes(checkpoints, every, settings))
        entries = [labelled for labelled, other in zip(every, theirs) if not other]
        begun = next(
            (place for place, checkpoint in enumerate(checkpoints) if checkpoint.global_state), 0
        )  # names at most were bound before
        first, known = (theirs[: sum(map(len, by_checkpoint[:count]))].count(False) for count in (1, begun + 1))
        names = [*self._beyond_bounds(checkpoints, then), *since]
        later = list(self._under_new_names(checkpoints, then))
        beside = loosely(self._changed_beside(checkpoints, every, theirs))
        names += [f"{name} ({ENDED})" for name in sorted(unknown) if name not in self._ignored]
        effects = [effect for checkpoint in checkpoints for effect in checkpoint.effects]
        others = self._others(then)
        self._end_state = None  # it holds what the cell has made, which must be able to end
        ends.watch([labelled for labelled in every if labelled[1][0].restore is None])
        del checkpoints[:], every, by_checkpoint
        ran, collect = self._at_ends.count, ends.any or self._undoes_subclass(then)
        held_loosely = [o for _, snapshot in entries for o in loose_items(snapshot[2])]
        with counting():
            let_go()
            self._set_names(then, others)
            if collect:
                gc.collect()  # else what holds itself in a cycle would end while another cell runs
        with counting(likely=collect or ran != self._at_ends.count or any_ends(self._namespace)):
            restorable = loosely(put_back(entries, first))
            if any(type(o) is DetachedArray for o in then.values()):  # no array is resized that has a weak reference
                entries[:] = [DROPPED if resizable(labelled[1][1]) else labelled for labelled in entries]
            again = OnceMore(entries, first, known)
        with counting():
            del entries[:], held_loosely  # who holds an array to the end may not get its length back
            names += put_back_detached(then, self._namespace)
            self._set_names(then, others)
            if collect or ran != self._at_ends.count:
                gc.collect()
        if ran != self._at_ends.count or not again.seem_same():
            self._set_names(then, others)
            locks.free(again.snapshots(), alone=alone)
            restorable = again.put_back(restorable) + ends.put_back()
            opaque += ends.changed()
            self._set_names(then, others)
        del again  # it holds what nobody else may
        trouble = still_there(opaque, then) + [effect.in_words for effect in effects if not effect.harmless]
        trouble += self._at_ends.effects({effect.made for effect in effects})
        stay = {outcome.label for outcome in restorable}
        later += [outcome for outcome in beside if outcome.label not in stay]
        names = still_there(restorable + later, then) + names
        return Restoration(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(trouble)))

    def _have_ended(self, end: Callable[[], None]) -> None:
        bound = dict(self._namespace)
        end()
        if self._end_state is not None:
            self._end_state.note_rebound(bound, self._namespace)

    def _not_ours(self, entries: list[Labelled]) -> list[bool]:
        """Of each snapshot: can its object not be put back, or has somebody else changed it since the cell ended?"""
        changed = self._end_state.changed_since() if self._end_state is not None else set()
        if not changed:
            return [snapshot[0].restore is None for _, snapshot in entries]
        return [snapshot[0].restore is None or identity(snapshot[1]) in changed for _, snapshot in entries]

    def _changed_since(self, entries: list[Labelled], theirs: list[bool]) -> Iterator[str]:
        """What was noted and has changed since the cell ended."""
        for (label, snapshot), other in zip(entries, theirs):
            if other and snapshot[0].restore is not None:
                yield f"{label} ({SINCE})"

    def _changed_beside(
        self, checkpoints: list[Checkpoint], entries: list[Labelled], theirs: list[bool]
    ) -> Iterator[PuttingBack]:
        """What has changed while others were at work whom the first of the statements had found there."""
        asked = [each.beside for each in checkpoints if each.beside is not None]
        who = TASK if TASK in asked else next(iter(asked), "")
        shared = {identity(o) for each in checkpoints for _, (_, o, _) in each.global_state}
        for (label, snapshot), other in zip(entries, theirs):
            if snapshot[0] is ANSWERS:  # whoever has asked, nothing but time is lost by asking once more
                continue
            if who and not other and identity(snapshot[1]) not in shared and not is_same(snapshot):
                yield PuttingBack(label, who, snapshot[1])

    def _rebound_since(self, bindings: dict[str, Any]) -> list[str]:
        """The names that somebody has bound or deleted since the cell ended."""
        end, now = self._end_state, self._namespace
        names = {*bindings, *now} if end is not None else set()
        rebound = [name for name in names if end is not None and end.rebound_since(name, now)]
        return [f"{name} ({SINCE})" for name in sorted(rebound, key=str) if name not in self._ignored]

    def _beyond_bounds(self, checkpoints: list[Checkpoint], then: dict[str, Any]) -> Iterator[str]:
        covered: set[str] = set()
        for checkpoint in checkpoints:
            for name, reason in checkpoint.uncovered.items():
                # A name that was covered before is put back from there; a name that came later is removed.
                if name not in covered and (name in then or not name.isidentifier()):
                    yield f"{name} ({reason})"
            covered |= checkpoint.snapshots.covered

    def _under_new_names(self, checkpoints: list[Checkpoint], then: dict[str, Any]) -> Iterator[PuttingBack]:
        """The same of names that came later: what they are bound to may have been there before, in something else."""
        for name, reason in {name: why for each in checkpoints for name, why in each.uncovered.items()}.items():
            o = self._namespace.get(name)
            if name not in then and name not in self._ignored and gc.is_tracked(o) and not _stays(o):
                yield PuttingBack(name, reason, o)

    def _undoes_subclass(self, bindings: dict[str, Any]) -> bool:
        """Whether a class loses its name that another one tells of, by `__subclasses__`, until it is collected."""
        made = (o for name, o in self._namespace.items() if inherits(type(o), type) and bindings.get(name) is not o)
        return any(owned_class(cls) and _bases(cls) != (object,) for cls in made)

    def _others(self, bindings: dict[str, Any]) -> Container[str]:
        """The names that are not to be set: the shell's, and what somebody else has bound since the cell ended."""
        end, now = self._end_state, self._namespace
        names = {*bindings, *now}
        shells = {name for name in names if name in self._ignored} - _BOUND_ONCE
        return shells | {name for name in names if end is not None and end.rebound_since(name, now)}

    def _set_names(self, bindings: dict[str, Any], others: Container[str]) -> None:
        now = self._namespace
        for name in now.keys() - bindings.keys():
            if name not in others:
                _unbind(now, name)
        for name, value in bindings.items():
            changed = name not in now or now[name] is not value
            if changed and name not in others and type(value) is not DetachedArray:
                now[name] = value


def _unbind(namespace: dict[str, Any], name: str) -> None:
    """Take a name away. Of a coroutine nobody is told that it was not awaited: the call that made it is undone."""
    with unwarned() if type(namespace.get(name)) is CoroutineType else contextlib.nullcontext():
        namespace.pop(name, None)


def _stays(o: Any) -> bool:
    """Whether somebody holds it anyway, new or not, or its end is seen, which nothing may put off."""
    return is_exactly(o, (FunctionType, ModuleType)) or inherits(type(o), type) or ends_seen(o)


def first_snapshots(checkpoints: list[Checkpoint]) -> Iterator[Labelled]:
    """The earliest snapshot of each object, and every snapshot of an operation.

    The earliest is what it was before the first of the statements that could reach it. What has ended needs none.
    """
    return chain.from_iterable(_first_snapshots(checkpoints))


def _first_snapshots(checkpoints: list[Checkpoint]) -> Iterator[list[Labelled]]:
    """The same by statements."""
    seen: defaultdict[Kind, set[int]] = defaultdict(set)
    for checkpoint in checkpoints:
        first = []
        for labelled in chain(checkpoint.global_state, checkpoint.snapshots.labelled()):
            label, (kind, held, saved) = labelled
            o = found(held)
            if o is GONE:
                continue
            if not kind.operation:
                key, others = identity(o), seen[kind]
                if key in others:
                    continue
                others.add(key)
            first.append(labelled if o is held else (label, (kind, o, saved)))
        yield first


def opaque_outcomes(
    checkpoints: list[Checkpoint], entries: Iterable[Labelled] | None = None, settings: dict[int, str] = _NONE
) -> Iterator[PuttingBack]:
    """What may have changed and can't be put back. `settings`: as `set_by_paused` gives them."""
    for checkpoint in checkpoints:
        for named in checkpoint.named:
            if not named.ended:
                o = named.o.get() if named.o is not None else None
                yield PuttingBack(named.label, named.why + settings.get(identity(o), ""), o)
    for label, snapshot in first_snapshots(checkpoints) if entries is None else entries:
        if snapshot[0].restore is None and not is_same(snapshot):
            o = snapshot[1]
            yield PuttingBack(label, public_name(type(o)) + settings.get(identity(o), ""), o)
