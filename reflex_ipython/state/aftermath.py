"""After a cell has ended, well or not: what its statements did outside, what of them can't be undone, the way back.

Nothing of it is asked of a cell that succeeds, and of one that fails only once its reply is out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from reflex_ipython.state.at_ends import AtEnds
from reflex_ipython.state.beside import TASK
from reflex_ipython.state.brief import Brief, Rebinding, unfold
from reflex_ipython.state.came_in import name_what_came_in, seed_anew
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.collector import without_collector
from reflex_ipython.state.effect import OutsideEffect, Repeat
from reflex_ipython.state.effects import Folders
from reflex_ipython.state.end_state import EndState, end_state
from reflex_ipython.state.imported_files import unseen_in
from reflex_ipython.state.kinds.shell_events import CALLBACKS, has_more
from reflex_ipython.state.kinds.shell_settings import SETTINGS, reads_otherwise
from reflex_ipython.state.lost import lost_names
from reflex_ipython.state.made import MadeHere
from reflex_ipython.state.missed import look_for_missed
from reflex_ipython.state.putting_back import PuttingBack
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.rollback import Rollback, first_snapshots, opaque_outcomes
from reflex_ipython.state.set_by_paused import set_by_paused
from reflex_ipython.state.settling import settle_ambient
from reflex_ipython.state.snapshots import Snapshot, is_same
from reflex_ipython.state.unrestored import Unrestored, unrestored
from reflex_ipython.state.unseen import Unseen
from reflex_ipython.state.weak import ENDED, GONE, found


class Aftermath:
    """What a journal's checkpoints tell.

    Parameters
    ----------
    checkpoints : list of Checkpoint, Brief and Rebinding
        The journal's own, of the statements that have started; a rollback takes from its end.
    namespace : dict
        Where they ran.
    ignored : container of str
        Names that are neither looked at nor put back.
    own_folders : callable
        Gives folders; files below these are the shell's own business.

    Attributes
    ----------
    end_state : EndState or None
        How things stood when the cell had ended; None while it runs, and if nobody noted it.
    raised : bool
        Whether the last statement has raised.
    """

    def __init__(
        self,
        checkpoints: list[Checkpoint | Brief | Rebinding],
        namespace: dict[str, Any],
        ignored: Container[str],
        own_folders: Folders,
    ) -> None:
        self._all = checkpoints
        self._namespace = namespace
        self._ignored = ignored
        self._own_folders = own_folders
        self.end_state: EndState | None = None
        self.raised = False

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """What was noted of each statement that has started."""
        return unfold(self._all, self._namespace if self.end_state is None else self.end_state.bindings)

    def clear(self) -> None:
        """Another cell begins."""
        self.end_state, self.raised = None, False

    def note_end(self) -> None:
        """The cell has ended: what threads, callbacks and others change from now on is theirs."""
        with without_collector():
            if self._all and type(last := self._all[-1]) is Checkpoint:
                settle_ambient(last)
            self.end_state = end_state(self._namespace, self._all)

    def goes_on(self) -> None:
        """Another statement of the cell begins: from now on the names mean something else than at its end."""
        if self.end_state is not None:
            unfold(self._all, self.end_state.bindings)
            self.end_state = None

    def nodes(self) -> list[ast.stmt] | None:
        """The trees of the statements that started; None if one of them is not known."""
        nodes = [checkpoint.node if isinstance(checkpoint, Checkpoint) else checkpoint[0] for checkpoint in self._all]
        return [node for node in nodes if node is not None] if None not in nodes else None

    def effects(self, index: int) -> tuple[OutsideEffect, ...]:
        """What the statement of that index did outside the namespace."""
        return tuple(self.checkpoints[index].effects)

    def also(self, index: int, effects: Iterable[OutsideEffect]) -> None:
        """The statement of that index did this as well, as somebody else has seen: in the page, for one."""
        self.checkpoints[index].effects += effects

    def repeats(self) -> list[tuple[Repeat, ...]]:
        """For each statement that started, what running it again would do a second time: for `plan`."""
        self._add_unseen()
        here = MadeHere(self.checkpoints, self._namespace)
        return [
            tuple(self._repeats(index, checkpoint, here)) if _leaves(checkpoint) else self._starts(index, checkpoint)
            for index, checkpoint in enumerate(self.checkpoints)
        ]

    def uncovered(self) -> list[Unrestored]:
        """What the statements can reach and nobody can put back, and why."""
        checkpoints = self.checkpoints
        look_for_missed(checkpoints, self._namespace, self._ignored, raised=self.raised)
        name_what_came_in(checkpoints, self._namespace, self._ignored)
        return [*unrestored(checkpoints, self._ignored), *_changed_beside(checkpoints)]

    def rollback(self, index: int, let_go: Callable[[], None], end: Callable[[], None]) -> Restoration:
        """Put everything back to the state before the statement of that index; forget the checkpoints from there on.

        Parameters
        ----------
        index : int
        let_go : callable
            Lets go of what else is held for the checkpoints.
        end : callable
            Ends what only the traceback of the last statement holds.

        Returns
        -------
        Restoration
            Whether all is as it was, else what is not.
        """
        self._add_unseen()
        self._drop_closed(index)
        with without_collector(), AtEnds(self._namespace, self._own_folders) as at_ends:
            checkpoints = self.checkpoints[index:]
            _take_away(checkpoints)
            look_for_missed(checkpoints, self._namespace, self._ignored, raised=self.raised)
            name_what_came_in(checkpoints, self._namespace, self._ignored)
            seed_anew(checkpoints)
            del self._all[index:]
            way_back = Rollback(self._namespace, self._ignored, self.end_state, at_ends)
            self.end_state = None  # it holds what the cell has made, which must be able to end on the way
            return way_back.run(checkpoints, let_go, end)

    def _starts(self, index: int, checkpoint: Checkpoint) -> tuple[Repeat, ...]:
        """What the statement would start from, if it ran again, that is not what it was."""
        names = list(lost_names(checkpoint, self._namespace))
        if not names:
            return ()
        bound = {name: place for place, earlier in enumerate(self.checkpoints[:index]) for name in earlier.bindings}
        return tuple([Repeat(f"{name} ({ENDED})", bound.get(name)) for name in names])

    def _repeats(self, index: int, checkpoint: Checkpoint, here: MadeHere) -> Iterator[Repeat]:
        for effect in checkpoint.effects:
            if not effect.harmless:
                since = here.descriptor(index, effect) if effect.kind == "closed" else here.file(index, effect)
                yield Repeat(effect.in_words, since)
            if effect in _LEFT:  # they stay where the cell is resumed, and are called for it as well
                yield Repeat(effect.text, left=True)
        settings = set_by_paused([checkpoint], self._namespace, self._ignored)
        for label, why, o in _uncertain(checkpoint, settings):
            yield Repeat(f"{label} ({why})", here.object(index, label, o))
        yield from self._starts(index, checkpoint)

    def _add_unseen(self) -> None:
        """What no event tells of is asked once, and late: a cell that succeeds never pays for it."""
        checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.code is not None]
        unseen = Unseen(self._namespace) if checkpoints else None
        for checkpoint in checkpoints:
            found = unseen.of(checkpoint.code) if unseen is not None and checkpoint.code is not None else ()
            for effect in [effect for effect in checkpoint.effects if effect.loaded]:
                found += unseen_in(effect.loaded, script=effect.script)
            if found:
                checkpoint.effects += [effect for effect in found if effect not in checkpoint.effects]
            checkpoint.code = None
            checkpoint.effects += _left_in_the_shell(checkpoint)

    def _drop_closed(self, index: int) -> None:
        """A descriptor that was opened from there on is another one when it is opened again."""
        here = MadeHere(self.checkpoints, self._namespace)
        for place, checkpoint in enumerate(self.checkpoints):
            opened = {effect: here.descriptor(place, effect) for effect in checkpoint.effects}
            checkpoint.effects = [effect for effect in opened if (since := opened[effect]) is None or since < index]


def _changed_beside(checkpoints: list[Checkpoint]) -> Iterator[Unrestored]:
    """What others may have changed as well that were at work while a statement ran."""
    for index, checkpoint in enumerate(checkpoints):
        if checkpoint.beside:
            first = 0 if checkpoint.beside == TASK else index
            for label, (kind, held, saved) in checkpoint.snapshots.labelled():
                o = found(held)
                if o is not GONE and kind.restore is not None and not is_same((kind, o, saved)):
                    yield Unrestored(label, checkpoint.beside, first, index)


_CALLED = OutsideEffect("other", "registered what the shell calls for each cell")
_READ = OutsideEffect("other", "changed how the shell reads cells")
_LEFT = (_CALLED, _READ)
"""What a statement leaves in the shell, to act on the rest of its cell if that is resumed."""


def _take_away(checkpoints: list[Checkpoint]) -> None:
    """What these have left behind there goes with them. No variable of the rollback holds one: what they hold ends."""
    for checkpoint in checkpoints:
        checkpoint.effects = [effect for effect in checkpoint.effects if effect not in _LEFT]


def _left_in_the_shell(checkpoint: Checkpoint) -> Iterator[OutsideEffect]:
    saved = [(kind, was) for _, (kind, _, was) in checkpoint.snapshots.labelled()]
    if any(kind is CALLBACKS and has_more(was) for kind, was in saved):
        yield _CALLED
    if any(kind is SETTINGS and reads_otherwise(was) for kind, was in saved):
        yield _READ


def _leaves(checkpoint: Checkpoint) -> bool:
    """Whether there is anything to ask of a statement: most leave nothing but names."""
    return bool(checkpoint.effects or checkpoint.named or checkpoint.snapshots.entries or checkpoint.global_state)


def _uncertain(checkpoint: Checkpoint, settings: dict[int, str]) -> Iterator[PuttingBack]:
    """What the statement could reach and nobody can put back, if it has changed since.

    Cheap to ask, and right only until something else runs.
    """
    yield from opaque_outcomes([checkpoint], settings=settings)
    for label, snapshot in first_snapshots([checkpoint]):
        if _lost(snapshot):
            yield PuttingBack(label, snapshot[0].name, snapshot[1])


def _lost(snapshot: Snapshot) -> bool:
    """Whether an object of a kind that can be put back can't be."""
    kind, o, saved = snapshot
    return kind.restore is not None and kind.unrestorable(o, saved) and not is_same(snapshot)
