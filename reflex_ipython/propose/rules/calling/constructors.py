"""Classes whose objects are not set up: `__init__` misspelt, the parent's not called, attributes kept to themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import CellSource, Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell

_NO_ARGUMENTS = re.compile(r"(?:[\w.<>]*\.)?(\w+)\(\) takes no arguments")
_NO_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_SURPLUS = re.compile(r"(?:[\w.<>]*\.)?(\w+)\.(\w+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given")
_INIT = re.compile(r"_*(?:init|int|inti|ini|intit|iniit|initt|constructor)_*")
_Class = tuple[Cell, CellSource | None, ast.ClassDef]


def misspelt_constructor(failure: Failure) -> Iterator[Proposal]:
    """`def _init_(self, name):`: `def __init__(self, name):`, in this cell or the one that has the class."""
    match = _NO_ARGUMENTS.fullmatch(failure.error.evalue) if failure.error.ename == "TypeError" else None
    for cell, source, owner in _classes(failure, match[1]) if match else ():
        for method in owner.body:
            if isinstance(method, ast.FunctionDef) and method.args.args and _INIT.fullmatch(method.name):
                start = cell.source.index(method.name, cell.span(method)[0] + len("def"))
                why = f"Python sets up an object with `__init__`; `{owner.name}` calls it `{method.name}`."
                edit = SpanEdit(start, start + len(method.name), "__init__")
                yield Proposal(apply(cell.source, [edit]), why, "misspelt constructor", 0.95, source)
                return


def attribute_not_set(failure: Failure) -> Iterator[Proposal]:
    """`x = x` in `__init__`: `self.x = x`; a parent that sets it up: `super().__init__(x)`."""
    match = _NO_ATTRIBUTE.match(failure.error.evalue) if failure.error.ename == "AttributeError" else None
    if match is None:
        return
    for cell, source, owner in _classes(failure, match[1]):
        methods = [node for node in owner.body if isinstance(node, ast.FunctionDef) and node.args.args]
        for method in sorted(methods, key=lambda one: one.name != "__init__"):
            edits = _as_attribute(cell, method, match[2])
            if edits:
                first = method.args.args[0].arg
                why = f"`{match[2]}` is a name of `{method.name}` alone; the object has it as `{first}.{match[2]}`."
                prior = 0.93 if method.name == "__init__" else 0.6
                yield Proposal(apply(cell.source, edits), why, "attribute of the object", prior, source)
                return
        for method in methods:
            if method.name == "__init__" and "super" not in ast.dump(method):
                yield from _parent(failure, cell, source, owner, method, match[2])


def _as_attribute(cell: Cell, method: ast.FunctionDef, wanted: str) -> list[SpanEdit]:
    """The edits that give the object a value that is given to a plain name."""
    targets = [
        target
        for node in ast.walk(method)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id == wanted
    ]
    first = method.args.args[0].arg
    return [SpanEdit(start, start, f"{first}.") for target in targets for start in [cell.span(target)[0]]]


def _parent(
    failure: Failure, cell: Cell, source: CellSource | None, owner: ast.ClassDef, method: ast.FunctionDef, wanted: str
) -> Iterator[Proposal]:
    """`super().__init__(…)` as the first statement, with the parameters that both take."""
    for base in owner.bases:
        for _, _, parent in _classes(failure, base.id) if isinstance(base, ast.Name) else ():
            setup = next(
                (one for one in parent.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None
            )
            if setup is None or f"attr='{wanted}'" not in ast.dump(setup):
                continue
            own = [one.arg for one in method.args.args[1:]]
            needed = [one.arg for one in setup.args.args[1:]]
            needed = needed[: len(needed) - len(setup.args.defaults)] if not set(needed) <= set(own) else needed
            if not set(needed) <= set(own):
                continue
            start = cell.span(method.body[0])[0]
            indent = cell.source[cell.offset(method.body[0].lineno, 0) : start]
            if indent.strip():
                continue
            call = f"super().__init__({', '.join(needed)})"
            why = f"`{owner.name}` has its own `__init__`; that of `{parent.name}`, which sets `{wanted}`, is not run."
            edits = [SpanEdit(start, start, f"{call}{cell.newline}{indent}")]
            yield Proposal(apply(cell.source, edits), f"{why} `{call}` runs it.", "set-up of the parent", 0.93, source)
            return


def earlier_method_without_self(failure: Failure) -> Iterator[Proposal]:
    """A method without `self`, in a class of an earlier cell."""
    match = _SURPLUS.match(failure.error.evalue) if failure.error.ename == "TypeError" else None
    if match is None or int(match[4]) != int(match[3]) + 1:
        return
    for cell, source, owner in _classes(failure, match[1]):
        method = next((one for one in owner.body if isinstance(one, ast.FunctionDef) and one.name == match[2]), None)
        if source is None or method is None or method.decorator_list or len(method.args.args) != int(match[3]):
            return
        uses = {node.id for node in ast.walk(method) if isinstance(node, ast.Name)}
        first = method.args.args[0].arg if method.args.args else ""
        if first in ("self", "cls"):
            return
        place = cell.source.index("(", cell.span(method)[0]) + 1
        made = apply(cell.source, [SpanEdit(place, place, "self, " if method.args.args else "self")])
        why = f"`{match[2]}` is a method: Python passes it the object as its first argument, `self`."
        yield Proposal(made, why, "missing self", 0.95 if "self" in uses else 0.75, source)


def _classes(failure: Failure, name: str) -> Iterator[_Class]:
    """The class of a name: in the failing cell, else in the last earlier cell that has it."""
    here = failing_cell(failure) or read(failure.situation.source)
    places: list[tuple[Cell, CellSource | None]] = [(here, None)]
    places += [(read(one.source), one) for one in reversed(failure.situation.earlier)]
    for cell, source in places:
        found = [node for node in cell.every(ast.ClassDef) if node.name == name]
        if found:
            yield cell, source, found[-1]
            return
