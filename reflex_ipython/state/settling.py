"""A statement is over, and was well: what its checkpoint still needs is kept, and nothing is kept alive.

What has not changed needs no snapshot. What was rebound or deleted is held weakly, or not at all, unless it is small
and plain; so an object ends when it would have ended without us, and what can't be put back for that reason is named.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.brief import Brief, Rebinding, unfold
from reflex_ipython.state.checkpoint import Checkpoint, Named
from reflex_ipython.state.held import Holdings, objects_of
from reflex_ipython.state.kinds.keepsakes import keepsake
from reflex_ipython.state.kinds.layout import identity, public_name
from reflex_ipython.state.quiet import is_atom, is_plain, is_quiet
from reflex_ipython.state.references import only
from reflex_ipython.state.resizing import DetachedArray
from reflex_ipython.state.snapshots import Snapshot, Snapshots, is_same
from reflex_ipython.state.weak import ENDED, GONE, Copied, Gone, Unheld, Weak, found, has_references, weakly

_NOT_THE_USERS = (Weak, Copied, Gone, DetachedArray)


_QUIET, _COPY = 16_000, 256_000
"""Bytes that are counted for what is kept."""


def settle(checkpoint: Checkpoint, namespace: dict[str, Any], holdings: Holdings) -> None:
    """Keep of a checkpoint what the statement has changed.

    Parameters
    ----------
    checkpoint : Checkpoint
    namespace : dict
        As the statement has left it.
    holdings : Holdings
        Is told what the checkpoint holds on to.
    """
    ends = bool(checkpoint.global_state)
    bound, quiet = bool(checkpoint.bindings or checkpoint.any_bound), frozenset[str]()
    if bound:
        checkpoint.bindings = checkpoint.rebound(namespace)
        checkpoint.any_bound = False
    if checkpoint.snapshots.entries:
        quiet = _quiet(checkpoint)
        checkpoint.snapshots, replaced = _changed(checkpoint, holdings)
        ends = ends or replaced
    if checkpoint.global_state:
        checkpoint.global_state = _changed_ambient(checkpoint, holdings)
    if bound:
        ends = _weaken(checkpoint.bindings, holdings, quiet) or ends
    holdings.settled()
    if ends:
        holdings.release()


def _quiet(checkpoint: Checkpoint) -> frozenset[str]:
    """The names of objects that were changed, then let go, and that end unseen: `s = s.add(1)`.

    To be asked before `_changed`, which refers to them weakly itself.
    """
    noted = {identity(held) for _, held, _ in checkpoint.snapshots.entries}
    bound = checkpoint.bindings.items()
    return frozenset(name for name, o in bound if identity(o) in noted and has_references(type(o)) and is_quiet(o))


def _changed(checkpoint: Checkpoint, holdings: Holdings) -> tuple[Snapshots, bool]:
    """The snapshots of what has changed, which hold nothing that can be held weakly, and whether they hold anything."""
    replaced = False
    snapshots, checkpoint.snapshots = checkpoint.snapshots, Snapshots()
    kept = Snapshots(covered=set(snapshots.covered), uncovered=snapshots.uncovered)
    for label, (kind, held, saved) in snapshots.labelled():
        o = found(held)
        snapshot = (kind, o, saved)
        if o is GONE:
            kept.covered.discard(label)
            kept.uncovered[label] = ENDED
            continue
        if _unchanged(snapshot):
            # A later statement that can't take a snapshot of it will find none here; nor will it by another name that
            # leads there, for an object is noted once, with the first of its names.
            kept.covered.clear()
            continue
        if kind.restore is None or kind.unrestorable(o, saved):
            checkpoint.named.append(Named(label, public_name(type(o)), weakly(o)))
            continue
        if not kept.labels or kept.labels[-1][1] != label:
            kept.labels.append((len(kept.entries), label))
        replaced = _keep(kept, snapshot, label, holdings) or replaced
    return kept, replaced


def hold_only_what_lives(
    checkpoints: list[Checkpoint | Brief | Rebinding], namespace: dict[str, Any], holdings: Holdings
) -> None:
    """Put full checkpoints in the place of brief ones, which know objects only by what names are bound to by now.

    Parameters
    ----------
    checkpoints : list of Checkpoint, Brief and Rebinding
        Of all statements of a cell; changed.
    namespace : dict
        As the cell has left it.
    holdings : Holdings
        Is told what they hold on to.
    """
    briefs = [place for place, checkpoint in enumerate(checkpoints) if type(checkpoint) is not Checkpoint]
    unfolded = unfold(checkpoints, namespace)
    for checkpoint in [unfolded[place] for place in briefs if unfolded[place].snapshots.entries]:
        snapshots, checkpoint.snapshots = checkpoint.snapshots, Snapshots(uncovered=checkpoint.snapshots.uncovered)
        for label, snapshot in snapshots.labelled():
            checkpoint.snapshots.labels.append((len(checkpoint.snapshots.entries), label))
            _keep(checkpoint.snapshots, snapshot, label, holdings)


def _unchanged(snapshot: Snapshot) -> bool:
    """Whether that can be seen without a long look. What can't stays noted."""
    kind, o, saved = snapshot
    return bool(kind.glance(o, saved)) if kind.glance is not None else is_same(snapshot)


def _keep(kept: Snapshots, snapshot: Snapshot, label: str, holdings: Holdings) -> bool:
    """Gives whether the snapshot refers to objects that may have been replaced."""
    kind, o, saved = snapshot
    held = weakly(o)
    place = len(kept.entries)
    kept.entries.append((kind, o if held is None else held, saved))

    def let_go() -> None:
        kept.forget(place, label, ENDED)

    def let_go_of(some: list[object]) -> list[object] | None:
        return _let_go_of(kept, place, label, some)

    saved_objects = objects_of(kind, saved)
    if held is None and not is_plain(o):
        holdings.add([o, *saved_objects], let_go, label, let_go_of)
    else:
        if held is None:
            holdings.add_quiet(o, let_go)
        if saved_objects:
            holdings.add(saved_objects, let_go, let_go_of=let_go_of)
    return bool(saved_objects)


def _let_go_of(kept: Snapshots, place: int, label: str, some: list[object]) -> list[object] | None:
    """Let go of single attributes of an object: the others are put back all the same."""
    kind, held, saved = kept.entries[place]
    if any(o is held for o in some) or not kept.forget_values(place, label, some):
        return None
    left = objects_of(kind, saved)
    return left if type(held) is Weak or is_plain(held) else [held, *left]


def _changed_ambient(checkpoint: Checkpoint, holdings: Holdings) -> list[tuple[str, Snapshot]]:
    """What any statement can reach is held by its library; what was noted of it may be the user's."""
    settle_ambient(checkpoint)
    global_state = [(label, snapshot) for label, snapshot in checkpoint.global_state if not is_same(snapshot)]
    for place, (_, (kind, _, saved)) in enumerate(global_state):
        holdings.add(objects_of(kind, saved), partial(checkpoint.forget_global, place, ENDED))
    return global_state


def settle_ambient(checkpoint: Checkpoint) -> None:
    """A statement is over, well or not: what of the ambient state can tell only now what is to be put back is asked."""
    for place, (label, (kind, o, saved)) in enumerate(checkpoint.global_state):
        if kind.settled is not None:
            checkpoint.global_state[place] = label, (kind, o, kind.settled(o, saved))


def _weaken(bindings: dict[str, Any], holdings: Holdings, quiet: frozenset[str]) -> bool:
    """Hold weakly, or not at all, what was rebound or deleted; gives whether there was anything but plain data.

    `quiet`: the names of what is known to end unseen.
    """
    any_held = False
    for name in bindings:
        if type(bindings[name]) is Unheld:
            bindings[name], any_held = GONE, True
        if type(bindings[name]) is Copied and not holdings.keeps(_COPY):
            bindings[name] = GONE
        if is_exactly(bindings[name], _NOT_THE_USERS):
            any_held = True  # what it was, or what hung on that, may be held by an earlier snapshot alone
            continue
        if is_plain(bindings[name]):
            _keep_quiet(bindings, name, holdings)
            continue
        any_held = True
        if not has_references(type(bindings[name])):
            holdings.add([bindings[name]], partial(bindings.__setitem__, name, GONE))
        elif not only(bindings, name):
            bindings[name] = weakly(bindings[name])
        elif name not in quiet and not is_quiet(bindings[name]):
            copy = keepsake(bindings[name]) if holdings.keeps(_COPY) else None
            bindings[name] = GONE if copy is None else copy
        elif holdings.keeps(_QUIET):
            _keep_quiet(bindings, name, holdings)
        else:
            bindings[name] = GONE
    return any_held


def _keep_quiet(bindings: dict[str, Any], name: str, holdings: Holdings) -> None:
    """Keep what nobody would see end, as long as that is so."""
    if not is_atom(bindings[name]):
        holdings.add_quiet(bindings[name], partial(bindings.__setitem__, name, GONE))
