"""What the walks of one cell share."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

from reflex_ipython.state.bounds import Budget
from reflex_ipython.state.bytecode_names import Reads, reads
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity, is_static
from reflex_ipython.state.kinds.table import ATOMS, current_table

Snapshotters = tuple[tuple[Kind, Callable[[Any, Any], Any]], ...]
"""The kinds of a type, each with its function `snapshot`."""


class WalkMemory:
    """What the walks of one cell share.

    Parameters
    ----------
    budget : Budget
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.kinds: dict[int, Snapshotters] = {}
        self.atoms = set(ATOMS)
        self._passing: list[type] = []
        self.saved: dict[int, tuple[object, Any]] = {}
        self.remembered: dict[int, Any] = {}
        self.refused: dict[int, str] = {}
        self.code: dict[CodeType, Reads] = {}

    def learn(self, cls: type) -> Snapshotters:
        """The kinds of a type that was not met before, each with its function."""
        key = identity(cls)
        if not is_static(cls):
            self._passing.append(cls)
        kinds = current_table().kinds(cls)  # the library may have come in with an earlier statement of the cell
        found = self.kinds[key] = tuple((kind, kind.snapshot) for kind in kinds)
        if not found:
            self.atoms.add(key)
        return found

    def pass_on(self) -> None:
        """A statement is noted: forget the types that may come to an end. What is known of one would hold it."""
        for cls in self._passing:
            self.kinds.pop(identity(cls), None)
            self.atoms.discard(identity(cls))
        self._passing.clear()

    def reads(self, code: CodeType) -> Reads:
        """What the code reads, looked up once."""
        found = self.code.get(code)
        if found is None:
            found = self.code[code] = reads(code)
        return found
