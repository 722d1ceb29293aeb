"""The way back: contents and bindings are put back as they were before a statement, in place."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import chain
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.checkpoint import Checkpoint, bindings_before
from reflex_ipython.state.end_state import OF_REFERENCES, SINCE, EndState
from reflex_ipython.state.ends_reached import EndsReached
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity, type_name
from reflex_ipython.state.putting_back import Labelled, PuttingBack, put_back, still_there
from reflex_ipython.state.resizing import put_back_detached
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.set_by_imports import set_by_imports
from reflex_ipython.state.set_by_paused import set_by_paused
from reflex_ipython.state.snapshots import are_same, is_same
from reflex_ipython.state.weak import ENDED, GONE, ends_seen, found

_NONE: dict[int, str] = {}


class Rollback:
    """One rollback.

    Parameters
    ----------
    namespace : dict
    ignored : container of str
        Names that are not put back.
    end_state : EndState or None
        What the cell left behind when it ended: what others have changed since is theirs.
    """

    def __init__(self, namespace: dict[str, Any], ignored: Container[str], end_state: EndState | None) -> None:
        self._namespace = namespace
        self._ignored = ignored
        self._end_state = end_state

    def run(self, checkpoints: list[Checkpoint], let_go: Callable[[], None], end: Callable[[], None]) -> Restoration:
        """Put everything back to the state before the first of these statements.

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
        since += set_by_imports(checkpoints)
        settings = set_by_paused(checkpoints, self._namespace, self._ignored)
        ends = EndsReached(self._namespace, self._ignored, every)
        self._have_ended(end)  # before anything is put back: what they set on their end is the failed run's as well
        opaque = list(opaque_outcomes(checkpoints, every, settings))
        entries = [labelled for labelled, other in zip(every, theirs) if not other]
        begun = next(
            (place for place, checkpoint in enumerate(checkpoints) if checkpoint.global_state), 0
        )  # names at most were bound before
        first, foreseen, known = (
            theirs[: sum(map(len, by_checkpoint[:count]))].count(False) for count in (1, begun, begun + 1)
        )
        places = _reached_by_ends(entries, foreseen, known)
        again = [entries[place] for place in places]
        restorable = list(put_back(entries, first, places))
        names = [*self._beyond_bounds(checkpoints, then), *since]
        restorable += self._under_new_names(checkpoints, then)
        names += [f"{name} ({ENDED})" for name in sorted(unknown) if name not in self._ignored]
        effects = [effect.text for checkpoint in checkpoints for effect in checkpoint.effects if not effect.harmless]
        del checkpoints[:], entries, every, by_checkpoint  # who holds an array to the end may not get its length back
        let_go()
        names += self._rebound_since(then)
        self._remove_others(then)
        names += put_back_detached(then, self._namespace)
        self._bind(then)
        self._remove_others(then)  # what came to an end by now may have bound names: `__del__`
        self._bind(then)
        self._end_state = None
        if not are_same(snapshot for _, snapshot in again):  # and changed this
            restorable += put_back(again, sum(place < foreseen for place in places) or len(again))
        restorable += put_back(reached := ends.there(), len(reached))
        del again, reached
        names = still_there(restorable, then) + names
        trouble = still_there(opaque, then) + effects
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

    def _remove_others(self, bindings: dict[str, Any]) -> None:
        for name in self._namespace.keys() - bindings.keys():
            if name not in self._ignored and not self._is_others(name):
                self._namespace.pop(name, None)

    def _bind(self, bindings: dict[str, Any]) -> None:
        now = self._namespace
        for name, value in bindings.items():
            changed = name not in now or now[name] is not value
            if changed and name not in self._ignored and not self._is_others(name):
                self._namespace[name] = value

    def _is_others(self, name: str) -> bool:
        return self._end_state is not None and self._end_state.rebound_since(name, self._namespace)


def _stays(o: Any) -> bool:
    """Whether somebody holds it anyway, new or not, or its end is seen, which nothing may put off."""
    return type(o) in (FunctionType, ModuleType) or inherits(type(o), type) or ends_seen(o)


def _reached_by_ends(entries: list[Labelled], foreseen: int, known: int) -> list[int]:
    """Where what `__del__` and finalizers of objects that come to an end in a rollback may change is: counters,
    registries.

    Of what was noted later than the state that is gone back to, only classes. With what a full checkpoint has found
    goes what was foreseen before it, which may be of the same data, and is right: `os.environ` and the dict inside it.
    """
    places: list[int] = []
    operated: set[int] = set()
    for place, (_, (kind, o, _)) in enumerate(entries):
        if kind.operation:
            operated.add(identity(o))  # what was noted of it later is not what it was at first
        elif (place < foreseen or (kind in OF_REFERENCES and (place < known or inherits(type(o), type)))) and not (
            operated and identity(o) in operated
        ):
            places.append(place)
    return places


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
            yield PuttingBack(label, type_name(type(o)) + settings.get(identity(o), ""), o)
