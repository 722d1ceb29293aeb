"""Which cells have used values that are no more, since other cells have run anew: by the order in which cells ran.

Where that is not sure a cell is not named: one that only read what a new run gives the same value again, and one
that ran before there were the values in question.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reflex_ipython.base.parsing import parse
from reflex_ipython.capture.dataflow import CellNames, names, python_of
from reflex_ipython.models import CellRef, CellSource, StaleCell

_LOOKED_AT = 300  # runs
_MOST = 20  # cells that are named
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NEVER_TWICE = frozenset(
    {
        *("random", "rng", "rand", "randn", "randint", "shuffle", "sample", "choice"),
        *("now", "today", "time", "uuid4", "input"),
    }
)
"""Words in the names of what gives another value each time."""


@dataclass(frozen=True)
class Anew:
    """A cell that has another text in effect.

    Parameters
    ----------
    cell : CellRef
    source : str
        That text. Empty: what the cell did was taken back.
    old : str or None
        The text from before, where the functions of a run have got the code of the new one; None: it has run again.
    """

    cell: CellRef
    source: str
    old: str | None = None


def stale_cells(cells: Sequence[CellSource], anew: Sequence[Anew]) -> tuple[StaleCell, ...]:
    """The cells whose last run has used what earlier runs of others had made, and these make otherwise now.

    Parameters
    ----------
    cells : sequence of CellSource
        Those that ran, each with its latest text; earlier texts of a cell are cells of their own.
    anew : sequence of Anew

    Returns
    -------
    tuple of StaleCell
        In the order in which they ran, so that each comes behind what it needs.
    """
    return _Runs(cells, anew).stale()


@dataclass(frozen=True)
class _Run:
    number: int
    key: object
    cell: CellSource
    text: str


class _Runs:
    """All runs that are known, in their order."""

    def __init__(self, cells: Sequence[CellSource], anew: Sequence[Anew]) -> None:
        self._anew = {_key(one.cell): one for one in anew}
        runs = [
            _Run(number, _key(cell.cell), cell, self._text(cell))
            for cell in cells
            for number in (*cell.runs, cell.cell.execution_count)
            if number is not None
        ]
        self._runs = sorted(runs, key=lambda run: run.number)[-_LOOKED_AT:]
        self._latest = {run.key: run.number for run in self._runs}

    def _text(self, cell: CellSource) -> str:
        """What a cell ran with."""
        one = self._anew.get(_key(cell.cell))
        return one.old if one is not None and one.old is not None and cell.source == one.source else cell.source

    def stale(self) -> tuple[StaleCell, ...]:
        """Those cells."""
        old: dict[str, str] = {}  # each with the name whose value is no more that it comes from
        found: dict[object, StaleCell] = {}
        for place, run in enumerate(self._runs):
            one = self._anew.get(run.key)
            if one is not None:
                if not self._is_new(run, one):
                    self._replace(old, place, one)
                continue
            found.pop(run.key, None)
            used = _used(run.text, run.cell.error_line, old)
            if used and not run.cell.error and self._latest[run.key] == run.number:
                found[run.key] = StaleCell(run.cell.cell, used)
        return tuple(found.values())[:_MOST]

    def _is_new(self, run: _Run, one: Anew) -> bool:
        """Whether it is the run that has taken effect."""
        return one.old is None and self._latest[run.key] == run.number and run.text == one.source

    def _replace(self, old: dict[str, str], place: int, one: Anew) -> None:
        """Note what a run has made that has another value now; what has the same one again is not old any more."""
        run = self._runs[place]
        ran = [part for part in _statements(run.text) if not _is_behind(part, run.cell.error_line)]
        made = {name for part in ran for name in _made(names(part.text))}
        moved = {
            name
            for other in self._runs[place + 1 :]
            if other.key not in self._anew
            for name in _made(names(other.text))
        }
        new = _statements(one.source)
        replaced = made & _other_values({part.text for part in ran}, new, moved, one) if one.source else made
        for name in made & old.keys():
            del old[name]
        old.update({name: name for name in replaced})


def _other_values(ran: set[str], new: Sequence[_Statement], moved: set[str], one: Anew) -> set[str]:
    """The names that statements give other values than the same ones have given before.

    Parameters
    ----------
    ran : set of str
        The texts of those that ran before.
    new : sequence of _Statement
    moved : set of str
        What other cells have changed since.
    one : Anew
        Which cell that is.
    """
    found = set[str]()
    for part in new:
        if one.old is not None and not part.is_definition:
            continue  # only functions have got new code
        touched = _made(known := names(part.text))
        given = touched | found | (moved if one.old is None else set())
        same = part.text in ran and not known.changes and given.isdisjoint(known.reads)
        if same and not part.differs:
            found -= known.defines
        else:
            found |= touched
    return found


def _used(text: str, error_line: int | None, old: dict[str, str]) -> tuple[str, ...]:
    """Which of the values that are no more a run has used; notes what it has made of them, and what it has replaced."""
    if old.keys().isdisjoint(names(text).reads):
        for name in names(text).defines & old.keys():
            del old[name]
        return ()
    used: dict[str, None] = {}
    for part in _statements(text):
        if _is_behind(part, error_line):
            break
        known = names(part.text)
        origins = dict.fromkeys(old[name] for name in sorted(known.reads & old.keys()))
        if not origins:
            for name in known.defines & old.keys():
                del old[name]
            continue
        old.update({name: next(iter(origins)) for name in _made(known)})
        if not part.is_definition:  # who calls it uses them
            used.update(origins)
    return tuple(used)


class _Statement(NamedTuple):
    """One of a cell's statements.

    Parameters
    ----------
    text : str
        The same for those that are written otherwise and mean the same.
    line : int
    is_definition : bool
    differs : bool
        Whether it gives another value each time.
    """

    text: str
    line: int
    is_definition: bool
    differs: bool


def _statements(text: str) -> list[_Statement]:
    return [_Statement(*part) for part in _parts(text)]


@functools.lru_cache(maxsize=_LOOKED_AT)  # each accepted run looks at all of them, before its reply
def _parts(text: str) -> tuple[tuple[str, int, bool, bool], ...]:
    """The fields of its statements: plain tuples of such, which no garbage collection looks at again."""
    tree = parse(text) or parse(python_of(text))
    body = tree.body if tree is not None else []
    return tuple(
        (ast.unparse(part), part.lineno, isinstance(part, _DEFINITIONS), _differs_each_time(part)) for part in body
    )


def _is_behind(part: _Statement, error_line: int | None) -> bool:
    """Whether a statement stands behind the one that has failed."""
    return error_line is not None and part.line > error_line


def _made(known: CellNames) -> set[str]:
    return set(known.defines | known.changes) - known.modules


def _differs_each_time(part: ast.stmt) -> bool:
    words = [node.id for node in ast.walk(part) if isinstance(node, ast.Name)]
    words += [node.attr for node in ast.walk(part) if isinstance(node, ast.Attribute)]
    return any(not _NEVER_TWICE.isdisjoint(word.lower().split("_")) for word in words)


def _key(cell: CellRef) -> object:
    return cell.id or cell.execution_count
