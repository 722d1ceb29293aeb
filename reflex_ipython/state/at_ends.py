"""What runs as objects come to an end while the state is put back: `__del__`, finalizers, what follows a pause.

That is the user's code, and nothing of ours waits for it: what it does outside is told, and what it changes is seen.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Container, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.effects import EffectWatch, Folders, OutsideEffect, watch
from reflex_ipython.state.running import Running
from reflex_ipython.state.unseen import Unseen
from reflex_ipython.state.user_code import owned_namespace

_FINALIZER = weakref.finalize.__call__.__code__
"""Calls whatever it was given: `finalize(o, told.append, 1)`."""


class AtEnds:
    """Watches what this thread does outside, as a context.

    Parameters
    ----------
    namespace : dict
        Where the cell ran.
    own_folders : callable
        Gives folders; files below these are the shell's own business.

    Attributes
    ----------
    count : int
        How many functions of the user's have begun to run while that was looked at (`counting`).
    """

    def __init__(self, namespace: dict[str, Any], own_folders: Folders) -> None:
        self._namespace = namespace
        self._own_folders = own_folders
        self._seen: list[OutsideEffect] = []
        self._code: dict[CodeType, dict[str, Any]] = {}
        self._watching: EffectWatch | None = None
        self.count = 0

    def __enter__(self) -> AtEnds:
        self._running = Running.now()
        self._watching = watch(self._seen.append, self._own_folders)
        return self

    def __exit__(self, *_: object) -> None:
        if self._watching is not None:
            self._watching()

    @contextmanager
    def counting(self, *, likely: bool = True) -> Iterator[None]:
        """Look at each function that runs, which takes longer than most of ours do.

        `likely`: whether there is anything that may end; nothing is looked at otherwise.
        """
        if not likely or sys.getprofile() is not None:  # somebody else looks on, and is not to notice us
            yield
            return
        sys.setprofile(self._called)
        try:
            yield
        finally:
            sys.setprofile(None)

    def effects(self, made: Container[str]) -> list[str]:
        """What was done outside, in words.

        Parameters
        ----------
        made : container of str
            The paths of what the failed run has made: to remove that does nothing.
        """
        if self.count:
            unseen = Unseen(self._namespace)
            found = [*self._seen, *self._running.effects_since()]
            found += [effect for code, here in self._code.items() for effect in unseen.called(code, here)]
        else:
            found = self._seen
        if any(effect.kind == "opened" for effect in found):
            found = [effect for effect in found if effect.kind != "closed"]
        return [
            effect.in_words
            for effect in dict.fromkeys(found)
            if not (effect.harmless or (effect.removed and effect.removed in made))
        ]

    def _called(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        name = code.co_filename
        if code is _FINALIZER:
            self.count += 1
        elif not is_library(name) and _is_users(frame.f_globals):
            self.count += 1
            self._code[code] = frame.f_globals


def _is_users(namespace: dict[str, Any]) -> bool:
    return "_tuple_new" not in namespace and owned_namespace(namespace)  # what makes a named tuple is nobody's
