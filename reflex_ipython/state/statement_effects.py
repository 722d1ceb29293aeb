"""What each statement of a cell does outside the namespace while it runs, noted in its checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from functools import partial
from typing import Any

from reflex_ipython.state.brief import Brief, Rebinding, unfold_last
from reflex_ipython.state.came_in import Importing
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.collector import without_collector
from reflex_ipython.state.effects import EffectWatch, Folders, OutsideEffect
from reflex_ipython.state.imported_files import note_import
from reflex_ipython.state.running import settle as threads_end
from reflex_ipython.state.unpickled import note_unpickled

_MORE = {
    "import": OutsideEffect("other", "imported more modules than there was time to look at"),
    "unpickled": OutsideEffect("other", "unpickled more than there was time to look at"),
}


class StatementEffects:
    """Those of the statements of a journal.

    Parameters
    ----------
    checkpoints : list of Checkpoint, Brief and Rebinding
        The journal's own, of the statements that have started.
    namespace : dict
        Where they run.
    ignored : container of str
        Names that are never looked at.
    own_folders : callable
        Gives folders; files below these are the shell's own business.
    milliseconds : float
        The processor time of looking at modules that the cell imports, and at what it unpickles.

    Attributes
    ----------
    watching : EffectWatch or None
        Who watches, from the first statement of a cell to its end.
    """

    def __init__(
        self,
        checkpoints: list[Checkpoint | Brief | Rebinding],
        namespace: dict[str, Any],
        ignored: Container[str],
        own_folders: Folders,
        milliseconds: float,
    ) -> None:
        self._all = checkpoints
        self._namespace = namespace
        self._ignored = ignored
        self._watch = EffectWatch(own_folders, checkpoints.__len__)
        self._milliseconds = milliseconds
        self._looking = 0.0
        """Seconds that went into that."""
        self.watching: EffectWatch | None = None

    def watch(self) -> None:
        """Watch what the statement does that begins now."""
        if self.watching is None:
            self._looking = 0.0
            self._watch.begin(self._tell)
            self.watching = self._watch

    def see_what_runs(self) -> None:
        """The statement is over: what it has started may run on."""
        last = self._all[-1]
        if type(last) is Checkpoint and last.running is not None:
            last.effects += [effect for effect in last.running.effects_since() if effect not in last.effects]

    def finish(self) -> None:
        """The cell has ended, well or not."""
        if self.watching is not None:  # else that was said already
            for checkpoint in self._all:
                if type(checkpoint) is Checkpoint and checkpoint.running is not None and checkpoint.effects:
                    threads_end(checkpoint.effects)
            self.watching()
            self.watching = None

    def _tell(self, effect: OutsideEffect) -> None:
        """The statement that runs did this."""
        last = unfold_last(self._all, self._namespace)
        if effect.kind == "unpickled":
            last.effects += self._noted(effect, partial(note_unpickled, last, effect, self._namespace, self._ignored))
            return
        if effect not in last.effects:
            last.effects.append(effect)
        if effect.loaded:
            last.importing = last.importing or Importing(None)
            last.importing.files.append(effect.loaded)
            last.effects += self._noted(effect, partial(note_import, last, effect.loaded, self._namespace))

    def _noted(self, effect: OutsideEffect, note: Callable[[], list[OutsideEffect]]) -> list[OutsideEffect]:
        """Note what may be changed by what is about to run; gives what it may do that can't be undone."""
        if self._looking * 1e3 > self._milliseconds:
            return [_MORE[effect.kind]]
        start = time.thread_time()
        try:
            with without_collector():
                return note()
        except Exception as problem:  # noqa: BLE001 - whatever surprises us here must not reach the cell
            return [OutsideEffect("other", f"{effect.text} ({type(problem).__name__} while looking at it)")]
        finally:
            self._looking += time.thread_time() - start
