"""Whether a fix uses names that are defined nowhere."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Cause, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_MANY = 500  # the failure tells no more names than so many: then a name may be there after all
_IPYTHONS = {"get_ipython", "In", "Out", "display", "exit", "quit", "open"}
_DEFINING_MAGIC = re.compile(
    r"[%]{1,2}(pylab|run|load|store|macro|capture|timeit\s+-o|edit|sql|R|px|reload_ext|load_ext)\b"
)


class NameChecker:
    """Says which names of a fix are defined neither in the kernel nor in the fix."""

    name = "names"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each such name. Where something could define any name, there is none."""
        situation = cause.situation
        failing = read(fix.source_of(situation.place, situation.source))
        cells = [*map(read, fix.texts), failing]
        if len(situation.names) >= _MANY or any(_may_define_anything(cell) for cell in cells):
            return
        known = {*situation.names, *dir(builtins), *_IPYTHONS, *(name for cell in cells for name in _defined(cell))}
        for name, line in _used(failing).items():
            if name not in known and not name.startswith("_"):
                yield Finding("undefined-name", f"uses `{name}`, which is not defined (line {line})")


def _may_define_anything(cell: ParsedCell) -> bool:
    star = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in cell.nodes())
    return star or cell.elsewhere or any(_DEFINING_MAGIC.match(magic) for magic in cell.magics)


def _defined(cell: ParsedCell) -> Iterator[str]:
    """Every name that some part of the cell defines, in whatever scope: rather one too many."""
    for node in cell.nodes():
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        elif type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):  # Python 3.12's `def f[T]`
            yield str(node.name)  # type: ignore[attr-defined]  # they all have a name


def _used(cell: ParsedCell) -> dict[str, int]:
    """The names that are read, with the first line that does."""
    names = [node for node in cell.nodes() if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return {name.id: name.lineno for name in sorted(names, key=lambda name: name.lineno, reverse=True)}
