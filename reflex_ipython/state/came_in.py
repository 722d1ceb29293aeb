"""What a statement has set in libraries that it was the first to import: nobody could note how that was.

`def prepare(): import numpy as np; np.set_printoptions(precision=2)` imports and sets in one statement. The library
stays when the statement is undone. Looked for once it has failed, by the words of the code; as it is undone, a seed is
drawn anew, as it was when the library came in.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Container, Iterable, Iterator
from types import CodeType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, module_name
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.imported_files import run_by_import
from reflex_ipython.state.kinds import registries, switches
from reflex_ipython.state.kinds.layout import layout
from reflex_ipython.state.kinds.modules import LIBRARY, name_of
from reflex_ipython.state.kinds.registries import folded
from reflex_ipython.state.settings_reached import settings_within_reach
from reflex_ipython.state.user_code import contents, owned_module
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory

_BOUNDS = Bounds(bytes=0, milliseconds=10.0)
REASON = "it came in with what set it"
_SEED = "the state of numpy.random"
_FIGURE = "the current figure"
_SETTING = re.compile(
    r"_?(?:un)?(?:set|reset|regist|add|use|update|enable|disable|option|config|rc|theme|style|install|clear|remove|"
    r"default|switch|output|create|append|insert|extend|init|load|put|pop|seterr)"
)
"""How words begin by which a library's settings are changed."""


class Importing:
    """A statement that may import libraries which are not there yet.

    Parameters
    ----------
    code : code object or None
        Its own, if that may set something in them.

    Attributes
    ----------
    files : list of str
        Of the modules of the user's own that it has imported, which may do so as well.
    """

    __slots__ = ("before", "code", "files", "found")

    def __init__(self, code: CodeType | None) -> None:
        self.code = code
        self.files: list[str] = []
        self.before = frozenset(sys.modules)
        self.found: set[str] | None = None

    def came_in(self) -> set[str]:
        """The modules of libraries that had come in by the first time when this was asked."""
        if self.found is None:
            new = [name for name in list(sys.modules) if name not in self.before]
            self.found = {name for name in new if not owned_module(name)}
        return self.found


def name_what_came_in(checkpoints: Iterable[Checkpoint], namespace: dict[str, Any], ignored: Container[str]) -> None:
    """Name what these statements may have set so, each as what can't be put back; once for each.

    Parameters
    ----------
    checkpoints : iterable of Checkpoint
    namespace : dict
    ignored : container of str
        Names that are never looked at.
    """
    for checkpoint in checkpoints:
        importing = checkpoint.importing
        if importing is None or importing.found is not None or not (new := importing.came_in()):
            continue
        known = {effect.text.partition(" (set by ")[0] for effect in checkpoint.effects}
        for label in folded(_all_set(importing, new, namespace, ignored)):
            if label in known:  # as attributes are, before they are set (`set_by_imports`)
                continue
            checkpoint.snapshots.uncovered[f"the {label}" if label.isidentifier() else label] = REASON


def seed_anew(checkpoints: Iterable[Checkpoint]) -> None:
    """Draw the seeds of what came in with these statements anew."""
    if any(one.importing is not None and "numpy.random" in one.importing.came_in() for one in checkpoints):
        generator = contents(sys.modules.get("numpy.random.mtrand")).get("_rand")
        if generator is not None:
            generator.seed()


def _all_set(importing: Importing, new: set[str], namespace: dict[str, Any], ignored: Container[str]) -> Iterator[str]:
    if importing.code is not None:
        yield from _set(importing.code, new, namespace, ignored)
    for found in filter(None, map(run_by_import, importing.files)):
        yield from _set(found[0], new, found[1], ())


def _set(code: CodeType, new: set[str], namespace: dict[str, Any], ignored: Container[str]) -> Iterator[str]:
    budget = Budget(_BOUNDS)
    budget.start()
    walk = Walk(namespace, ignored, WalkMemory(budget))
    snapshots = walk.statement(code)
    stored = {word for found in walk.met for word in found.stored}
    words = walk.words() | stored
    at_hand = walk.libraries() & new
    for label in settings_within_reach(at_hand, words):
        if label != _SEED and (label != _FIGURE or _figures()):
            yield label
    if stored or any(map(_SETTING.match, words)):
        for label, _, o in (*registries.reached(at_hand), *switches.reached(at_hand, words)):
            if name_of(o) in new:
                yield label
    for label, o in walk.inside:
        if label.rpartition(".")[0] in new and any(_has(o, word) for word in stored):
            yield label
    for label, (kind, o, _) in snapshots.labelled():
        if kind.name == LIBRARY and _module(o) in new:
            yield from (f"{label}.{name}" for name in sorted(stored) if name in vars(o))


def _module(o: Any) -> str:
    return name_of(o) if inherits(type(o), ModuleType) else module_name(o)


def _has(o: Any, name: str) -> bool:
    fields = layout(type(o)).dictionary
    own = fields.__get__(o) if fields is not None else {}
    return name in own or any(name in class_vars(cls) for cls in classes(type(o)))


def _figures() -> bool:
    helpers = contents(sys.modules.get("matplotlib._pylab_helpers"))
    return bool(helpers and helpers["Gcf"].figs)
