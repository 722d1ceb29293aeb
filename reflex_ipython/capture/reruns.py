"""Which cells have to run again where earlier ones get another text: by the names that they read, set and change."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reflex_ipython.base.magics import as_ipython
from reflex_ipython.base.parsing import parse
from reflex_ipython.capture.dataflow import CellNames, names
from reflex_ipython.models import CellRef, CellSource
from reflex_ipython.models.cell_changes import MOST_FIRST

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

_LOOKED_AT = 300  # cells, as for what a failing cell builds upon

GIVES = "gives anew what the new text starts from"
USES = "uses what the new text makes"


@dataclass(frozen=True)
class Reruns:
    """What runs again, and what does not.

    Parameters
    ----------
    cells : tuple of (CellSource, str)
        In the order they ran in, with the text that runs; and why it runs, empty for those that were asked for.
    stale : tuple of str
        The names that were computed from what is made anew, by cells that the failing one does not need.
    """

    cells: tuple[tuple[CellSource, str], ...]
    stale: tuple[str, ...]


def is_state_changed(old: str, new: str) -> bool:
    """Whether two texts of a cell differ in more than what can change in place: functions, classes, new imports."""
    before, after = _statements(old), _statements(new)
    return before is None or after is None or before != after or not _defined(old) <= _defined(new)


def redefined(old: str, new: str) -> frozenset[str]:
    """The functions and classes that a new text defines otherwise than the old one."""
    return frozenset(_definitions(new)) - _same(old, new)


def reruns(
    cells: Sequence[CellSource], begin: Mapping[CellRef, str], failing: str, fixed: str | None = None
) -> Reruns | None:
    """The cells to run before the failing one, so that it finds what it would have found with the new texts.

    What such a cell starts from is made again where something has changed it since; what the failing cell needs of
    the cells between is made again where it was computed from what changes.

    Parameters
    ----------
    cells : sequence of CellSource
        Those that ran before the failing one, each once, in the order of their last run.
    begin : mapping of CellRef to str
        The cells that certainly run, and the text that they run with.
    failing, fixed : str
        The failing cell, and its new text if it has one.

    Returns
    -------
    Reruns or None
        None if one of `begin` is not among the latest of the cells, or too many would have to run.
    """
    cells = cells[-_LOOKED_AT:]
    if not begin.keys() <= {one.cell for one in cells}:
        return None
    flow = _Flow(cells, begin, failing, failing if fixed is None else fixed)
    chosen = dict.fromkeys((i for i, one in enumerate(cells) if one.cell in begin), "")
    while True:
        found = {**dict.fromkeys(flow.after(chosen), USES), **dict.fromkeys(flow.before(chosen), GIVES)}
        fresh = {i: why for i, why in found.items() if i not in chosen}
        if not fresh:
            break
        chosen.update(fresh)
        if len(chosen) > MOST_FIRST:
            return None
    run = tuple((CellSource(cells[i].cell, flow.texts[i]), chosen[i]) for i in sorted(chosen))
    return Reruns(run, tuple(dict.fromkeys(flow.stale(chosen))))


class _Flow:
    def __init__(self, cells: Sequence[CellSource], begin: Mapping[CellRef, str], failing: str, fixed: str) -> None:
        self._sources = [one.source for one in cells]
        self.texts = [begin.get(one.cell, one.source) for one in cells]
        self._old = [names(one.source) for one in cells]
        self._new = [names(text) for text in self.texts]
        self._touched = [found.defines | found.changes for found in (*self._old, names(failing))]
        self._needed = _needed(self._new, names(fixed))

    def before(self, chosen: Mapping[int, str]) -> Iterator[int]:
        """The cells that make what a chosen one starts from, if it is not as that cell found it any more."""
        for i in chosen:
            for name in sorted(self._new[i].reads):
                if any(name in touched for touched in self._touched[i:]):
                    yield from self._makers(name, i)

    def after(self, chosen: Mapping[int, str]) -> Iterator[int]:
        """The cells that compute what the failing one needs from what a chosen one makes."""
        yield from (i for i in self._users(chosen) if i in self._needed)

    def stale(self, chosen: Mapping[int, str]) -> Iterator[str]:
        """The names that others compute from it."""
        for i in self._users(chosen):
            yield from sorted(self._new[i].defines - self._new[i].modules - _defined(self.texts[i]))

    def _users(self, chosen: Mapping[int, str]) -> Iterator[int]:
        altered: set[str] = set()
        for i, found in enumerate(self._new):
            if i in chosen:
                altered |= self._made(i)
            elif altered & found.reads:
                if found.defines | found.changes:
                    yield i
            else:
                altered -= found.defines

    def _made(self, i: int) -> frozenset[str]:
        """What a cell makes anew when it runs; functions and classes that stay as they were are none of it."""
        old, new = self._old[i], self._new[i]
        made = old.defines | old.changes | new.defines | new.changes
        return made - old.modules - new.modules - _same(self._sources[i], self.texts[i])

    def _makers(self, name: str, before: int) -> Iterator[int]:
        """The cell that set a name last, and those that have changed its object since."""
        for i in range(before - 1, -1, -1):
            if name in self._new[i].defines:
                if name not in self._new[i].modules:
                    yield from (i, *(j for j in range(i + 1, before) if name in self._new[j].changes))
                return


def _needed(cells: Sequence[CellNames], failing: CellNames) -> set[int]:
    """The cells that make what the failing one reads, and what those read in turn."""
    wanted, found = set(failing.reads), set[int]()
    for i in range(len(cells) - 1, -1, -1):
        if wanted & (cells[i].defines | cells[i].changes):
            found.add(i)
            wanted = (wanted - cells[i].defines) | cells[i].reads
    return found


def _same(old: str, new: str) -> set[str]:
    """The functions and classes that both texts define alike."""
    before, after = _definitions(old), _definitions(new)
    return {name for name, text in after.items() if before.get(name) == text}


def _defined(text: str) -> set[str]:
    return set(_definitions(text))


def _definitions(text: str) -> dict[str, str]:
    tree = _tree(text)
    body = tree.body if tree is not None else []
    return {node.name: ast.dump(node) for node in body if isinstance(node, _DEFINITIONS)}


def _statements(text: str) -> list[str] | None:
    """The statements that are no definitions, and the magics; None where it does not parse."""
    tree = _tree(text)
    if tree is None:
        return None
    magics = [] if parse(text) is not None else [magic.text for magic in as_ipython(text).magics]
    left = (*_DEFINITIONS, ast.Import, ast.ImportFrom)
    return [*magics, *(ast.dump(node) for node in tree.body if not isinstance(node, left))]


def _tree(text: str) -> ast.Module | None:
    found = parse(text)
    return parse(as_ipython(text).python()) if found is None else found
