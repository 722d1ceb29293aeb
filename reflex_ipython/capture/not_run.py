"""Which cells of a notebook would give what a cell lacked, had they run: by the names that they read and set."""

from __future__ import annotations

import ast
import builtins
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reflex_ipython.base.parsing import parse
from reflex_ipython.capture.dataflow import names
from reflex_ipython.models import CellRef, Failure, RunCell
from reflex_ipython.models.cell_changes import MOST_FIRST

_BUILTINS = frozenset(dir(builtins)) | {"get_ipython", "display", "In", "Out", "exit", "quit", "__name__", "__file__"}

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class CellState:
    """A code cell of a notebook.

    Parameters
    ----------
    cell : CellRef
    source : str
        Its text now.
    number : int or None
        Its place among all cells, from 1; None where it is not known.
    why : str
        Why what it would give is not there, "was not run in this session"; empty if its text has run to its end.
    """

    cell: CellRef
    source: str
    number: int | None
    why: str


@dataclass(frozen=True)
class Lacking:
    """The cells that would give what was lacking.

    Parameters
    ----------
    wanted : str
        What the cell gives: a name, or the label of a column or key.
    setter : RunCell
        The cell that gives it.
    cells : tuple of RunCell
        That cell and those that give what it needs in turn, in the notebook's order.
    others : int
        How many other cells that have not run would give it as well.
    below : bool
        Whether that cell comes after the failing one.
    misspelt : str
        The name that was lacking, if that is `wanted` misspelt; empty: it is the same.
    """

    wanted: str
    setter: RunCell
    cells: tuple[RunCell, ...]
    others: int
    below: bool
    misspelt: str = ""


def may_be_in_another_cell(failure: Failure) -> bool:
    """Whether what was lacking may be what a cell gives that has not run."""
    lookup = failure.lookup
    if lookup is None or failure.stage != "run" or failure.error.ename == "UnboundLocalError":
        return False
    return lookup.kind in ("name", "column", "key") or _none(failure)


def missing(
    failure: Failure,
    cells: Sequence[CellState],
    is_there: Callable[[str], bool],
    closest: Callable[[str, Sequence[str]], str | None] = lambda wanted, names: None,
) -> Lacking | None:
    """The cells to run before the failing one.

    Parameters
    ----------
    failure : Failure
    cells : sequence of CellState
        The notebook's, in its order; the failing one may be among them.
    is_there : callable
        Whether the namespace has a name.
    closest : callable
        Given a name and others, says which of these it is misspelt, if that is clear.

    Returns
    -------
    Lacking or None
        None if no cell gives what was lacking, or too many would have to run.
    """
    lookup = failure.lookup
    if lookup is None or not may_be_in_another_cell(failure):
        return None
    here = failure.situation.cell
    place = next((i for i, one in enumerate(cells) if one.cell.id == here.id and here.id is not None), len(cells))
    notebook = _Notebook([one for one in cells if one.cell != here and not _same(one.cell, here)], is_there)
    place = min(place, len(notebook.cells))
    wanted, is_name = (lookup.owner, True) if _none(failure) else (lookup.wanted, lookup.kind == "name")
    if is_name and (_is_local(wanted, failure) if _none(failure) else is_there(wanted)):
        return None
    gives = _sets(wanted) if is_name else _labels(wanted.strip("'\""), lookup.owner)
    found = [i for i, one in enumerate(notebook.cells) if one.why and gives(one.source)]
    reads = sorted(names(failure.situation.source).reads)
    if found or not is_name or _none(failure):
        return notebook.missing(wanted, found, reads, place)
    near = closest(wanted, notebook.not_there())
    if near is None:
        return None
    found = [i for i, one in enumerate(notebook.cells) if one.why and _sets(near)(one.source)]
    result = notebook.missing(near, found, [name for name in reads if name != wanted], place)
    return dataclasses.replace(result, misspelt=wanted) if result is not None else None


class _Notebook:
    def __init__(self, cells: list[CellState], is_there: Callable[[str], bool]) -> None:
        self.cells = cells
        self._is_there = is_there

    def not_there(self) -> list[str]:
        """The names that cells would give which have not run, and that nothing else has given."""
        given = dict.fromkeys(name for one in self.cells if one.why for name in sorted(names(one.source).defines))
        return [name for name in given if not self._is_there(name)]

    def missing(self, wanted: str, found: list[int], reads: list[str], place: int) -> Lacking | None:
        """What is to run for the sake of `wanted`, which the cells of `found` give.

        Parameters
        ----------
        wanted : str
        found : list of int
            In their order.
        reads : list of str
            The names that the failing cell needs besides.
        place : int
            That of the failing cell.
        """
        if not found:
            return None
        before = [i for i in found if i < place]
        setter = before[-1] if before else found[0]
        chosen = self.chosen(dict.fromkeys(reads, place), {setter}, place)
        if len(chosen) > MOST_FIRST:
            return None
        first = tuple(_step(self.cells[i]) for i in chosen)
        return Lacking(wanted, _step(self.cells[setter]), first, len(found) - 1, not before)

    def chosen(self, needed: dict[str, int], begin: set[int], place: int) -> list[int]:
        """The cells that give the names which are not there, and what those need in turn.

        Parameters
        ----------
        needed : dict of str to int
            Names, and the place of the cell that needs them.
        begin : set of int
            Cells that are chosen already.
        place : int
            That of the failing cell.
        """
        found: set[int] = set()
        given = {name for i in begin for name in names(self.cells[i].source).defines}
        todo = [(name, before) for name, before in needed.items() if name not in given]
        fresh = set(begin) | {i for name in given for i in self._changed(name, max(begin), place)}
        while todo or fresh:
            for i in sorted(fresh - found):
                found.add(i)
                todo += [(need, i) for need in sorted(names(self.cells[i].source).reads)]
            fresh = set()
            for name, before in todo:
                if name not in _BUILTINS and not self._is_there(name):
                    fresh |= set(self._makers(name, before)) - found
            todo = []
            if len(found) > MOST_FIRST:
                break
        return sorted(found)

    def _makers(self, name: str, before: int) -> Iterator[int]:
        """The cell above that sets a name last, and those that change its object since; else the first one below."""
        for i in range(before - 1, -1, -1):
            if name in names(self.cells[i].source).defines:
                if self.cells[i].why:
                    yield from (i, *self._changed(name, i, before))
                return
        below = (i for i in range(before, len(self.cells)) if name in names(self.cells[i].source).defines)
        first = next(below, None)
        if first is not None and self.cells[first].why:
            yield first

    def _changed(self, name: str, after: int, before: int) -> Iterator[int]:
        """The cells between two that change the object of a name, and have not run."""
        for i in range(after + 1, before):
            found = names(self.cells[i].source)
            if self.cells[i].why and name in found.changes and name not in found.modules:
                yield i


def _step(cell: CellState) -> RunCell:
    return RunCell(cell.cell, cell.source, cell.number, cell.why)


def _same(one: CellRef, other: CellRef) -> bool:
    return one.id is not None and one.id == other.id


def _none(failure: Failure) -> bool:
    """Whether something was asked of a name that stands for None."""
    lookup = failure.lookup
    kind = lookup.owner_type.rpartition(".")[2] if lookup is not None else ""
    return lookup is not None and lookup.kind == "attribute" and kind == "NoneType" and lookup.owner.isidentifier()


def _is_local(name: str, failure: Failure) -> bool:
    """Whether a name is one of the function or comprehension that failed: what a cell assigns is another one."""
    frame = next((one for one in reversed(failure.error.frames) if one.cell is not None), None)
    known = {one.cell: one.source for one in failure.situation.earlier}
    known[failure.situation.cell] = failure.situation.source
    tree = parse(known.get(frame.cell, "")) if frame is not None and frame.cell is not None else None
    if frame is None or tree is None:
        return False
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, _SCOPES) and node.lineno <= frame.lineno <= (node.end_lineno or node.lineno)
    ]
    inside = [part for node in around for part in ast.walk(node)]
    shared = any(isinstance(one, ast.Global) and name in one.names for one in inside)
    return not shared and any(
        (isinstance(one, ast.arg) and one.arg == name)
        or (isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store))
        for one in inside
    )


def _sets(name: str) -> Callable[[str], bool]:
    return lambda source: name in source and name in names(source).defines


def _labels(label: str, owner: str) -> Callable[[str], bool]:
    """Whether a text gives a table or mapping a label: `df["x"] = …`, `df.assign(x=…)`, `rename(columns={…: "x"})`."""

    def gives(source: str) -> bool:
        if label not in source:
            return False
        if owner.isidentifier() and owner not in names(source).defines | names(source).changes:
            return False
        tree = parse(source)
        return tree is not None and any(_gives(node, label) for node in ast.walk(tree))

    return gives


def _gives(node: ast.AST, label: str) -> bool:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return any(isinstance(part, ast.Constant) and part.value == label for part in ast.walk(node.slice))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("assign", "rename"):
        inside = [part for keyword in node.keywords for part in ast.walk(keyword.value)]
        renamed = [value for part in inside if isinstance(part, ast.Dict) for value in part.values]
        by_name = any(keyword.arg == label for keyword in node.keywords)
        return by_name or any(isinstance(value, ast.Constant) and value.value == label for value in renamed)
    return False
