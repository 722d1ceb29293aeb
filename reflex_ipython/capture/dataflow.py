"""What a cell reads and defines, and the earlier cells that it builds upon."""

from __future__ import annotations

import ast
import dis
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType

from reflex_ipython.base.magics import Magic, as_ipython, python_in
from reflex_ipython.base.parsing import compiled, parse
from reflex_ipython.models import CellSource

_CELLS, _CHARACTERS = 10, 12_000  # of the earlier cells that are kept
_LOOKED_AT = 300  # earlier cells
_LONGEST = 50_000  # characters of a cell that is parsed


@dataclass(frozen=True)
class CellNames:
    """The names of a cell.

    Parameters
    ----------
    reads : frozenset of str
        Those that must be there before it runs.
    defines : frozenset of str
        Those that it binds at its top level.
    changes : frozenset of str
        Those whose object it changes in place, as `df["x"] = 1` and `items.append(1)` do.
    modules : frozenset of str
        Those of `defines` that an import binds. What is called on a module does not count as a change.
    imports : frozenset of str
        The top-level packages that it imports.
    """

    reads: frozenset[str] = frozenset()
    defines: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()


def earlier(source: str, cells: Sequence[CellSource], certain: Iterable[CellSource] = ()) -> tuple[CellSource, ...]:
    """The earlier cells that define or change what a cell reads, and what those read in turn, in the order they ran.

    Parameters
    ----------
    source : str
        The cell that failed.
    cells : sequence of CellSource
        The cells before it, in order of execution.
    certain : iterable of CellSource
        Cells to keep whatever their number and size: those in the traceback, for the fix may belong in one of them.
    """
    wanted = set(certain)
    kept = {position for position, cell in enumerate(cells) if cell in wanted}
    room = _CHARACTERS - sum(len(cells[position].source) for position in kept)
    start = max(len(cells) - _LOOKED_AT, 0)
    for found in _upstream(source, cells[start:]):
        if len(kept) >= _CELLS:
            break
        position = start + found
        size = len(cells[position].source)
        if position not in kept and size <= room and cells[position].source != source:
            kept.add(position)
            room -= size
    return tuple(cells[position] for position in sorted(kept))


def _upstream(source: str, cells: Sequence[CellSource]) -> Iterator[int]:
    """The positions of the cells that matter, the nearest in meaning first: direct definitions, then theirs in turn."""
    todo = [(name, len(cells)) for name in sorted(names(source).reads)]
    seen: set[tuple[str, int]] = set()
    while todo:
        later: list[tuple[str, int]] = []
        for name, before in todo:
            for position in _makers(name, cells, before):
                yield position
                needs = {(need, position) for need in names(cells[position].source).reads}
                later += sorted(needs - seen)
                seen |= needs
        todo = later


def _makers(name: str, cells: Sequence[CellSource], before: int) -> Iterator[int]:
    """The cell that last defined the name, and those that changed its object since; latest first."""
    changed: list[int] = []
    for position in range(before - 1, -1, -1):
        found = names(cells[position].source)
        if name in found.defines:
            yield from () if name in found.modules else changed
            yield position
            return
        if name in found.changes:
            changed.append(position)
    yield from changed


@functools.lru_cache(maxsize=1_000)
def names(source: str) -> CellNames:
    """What a cell reads, defines and changes: by its bytecode, else by its tree, else by its words."""
    text, tree = source, parse(source) if len(source) <= _LONGEST else None
    if tree is None:
        text = python_of(source)
        if len(text) > _LONGEST:
            return CellNames()
        tree = parse(text)
    if tree is None:
        return CellNames(reads=frozenset(_words(text)))
    code = compiled(tree)
    reads, defines = _bytecode(code) if isinstance(code, CodeType) else _tree_names(tree)
    changes = frozenset(_changes(tree)) & (reads | defines)
    bound, imports = _imports(tree)
    return CellNames(reads, defines, changes, bound & defines, imports)


# ------------------------------------------------------------------------------------------------ magics

_CAPTURE = re.compile(r"%%capture\s+(?:--\S+\s+)*([^\W\d]\w*)")


def python_of(source: str) -> str:
    """The cell without magics: a timed statement stays, what another process runs or another language is left out."""
    cell = as_ipython(source)
    elsewhere = any(magic.content == "elsewhere" for magic in cell.magics)
    return "" if elsewhere else cell.python(_stand_in)


def _stand_in(magic: Magic) -> str:
    captured = _CAPTURE.match(magic.text)
    if captured is not None:
        return f"{captured[1]} = None"
    timed = "" if magic.assigns else list(python_in(magic.text))[-1:]
    return (timed[0] if timed else "") or magic.call or magic.stand_in


# ------------------------------------------------------------------------------------------------ names


def _bytecode(code: CodeType) -> tuple[frozenset[str], frozenset[str]]:
    reads: set[str] = set()
    defines: set[str] = set()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL", "DELETE_NAME") and instruction.argval not in defines:
            reads.add(instruction.argval)
        elif instruction.opname in ("STORE_NAME", "STORE_GLOBAL"):
            defines.add(instruction.argval)
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    for function in inner:
        used, stored = _inner(function)
        reads |= used - defines
        defines |= stored
    return frozenset(reads), frozenset(defines)


def _tree_names(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    stored = frozenset(node.id for node in found if isinstance(node.ctx, ast.Store))
    return frozenset(node.id for node in found) - stored, stored


def _inner(code: CodeType) -> tuple[set[str], set[str]]:
    """The globals that a function or class body uses, and those that it sets by `global`."""
    used: set[str] = set()
    stored: set[str] = set()
    own: set[str] = set()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"):
            used.add(instruction.argval)
        elif instruction.opname == "STORE_GLOBAL":
            stored.add(instruction.argval)
        elif instruction.opname == "STORE_NAME":
            own.add(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            more, set_ = _inner(constant)
            used |= more
            stored |= set_
    return used - own - {"__name__", "__annotations__"}, stored


# Methods that change their object. Of other calls whose result is not used one can't know, except for the cell's last
# expression: that is there to be shown.
_IN_PLACE = {
    *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse"),
    *("setdefault", "sort", "update", "fill", "fit", "partial_fit", "seed", "shuffle"),
}

# Methods that return a changed copy: a cell that ends with one may have been meant to change its object.
_MEANT_TO = {"rename", "drop", "reset_index", "set_index", "assign", "astype"}


def _changes(tree: ast.Module) -> Iterator[str]:
    """The names whose object is written to, or asked to do something whose result is not used."""
    last = tree.body[-1] if tree.body else None
    for node in ast.walk(tree):
        target: ast.AST | None = None
        if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            target = node.value
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            target = _changed_by(node.value, shown=node is last)
        while isinstance(target, (ast.Subscript, ast.Attribute)):
            target = target.value
        if isinstance(target, ast.Name):
            yield target.id


def _changed_by(call: ast.Call, *, shown: bool) -> ast.expr | None:
    """What a call whose result is not used may have changed."""
    if not isinstance(call.func, ast.Attribute):
        return None
    in_place = call.func.attr in _IN_PLACE or any(keyword.arg == "inplace" for keyword in call.keywords)
    return call.func.value if in_place or not shown or call.func.attr in _MEANT_TO else None


def _imports(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """The names that imports bind, and the packages that they come from."""
    bound: set[str] = set()
    packages: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            bound.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        if isinstance(node, ast.Import):
            packages.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            packages.add(node.module.partition(".")[0])
    return frozenset(bound), frozenset(packages)


_WORD = re.compile(r"""("[^"\n]*"|'[^'\n]*'|\#.*)|(?<![\w.])([^\W\d]\w*)""")


def _words(text: str) -> Iterator[str]:
    return (found[2] for found in _WORD.finditer(text) if found[2])
