"""The variable of a loop, a comprehension or a function that nothing reads, while a name is missing in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.closeness import fold
from reflex_ipython.propose.rules.lookups.missing import Missing, missing_name
from reflex_ipython.propose.rules.lookups.near import near
from reflex_ipython.propose.rules.proposal import Proposal

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True)
class _Binding:
    """A variable, what kind it is, where it holds, and what it runs through."""

    name: str
    kind: str
    scope: ast.AST
    over: ast.expr | None = None


def unused_name(failure: Failure) -> Iterator[Proposal]:
    """`for i in items: print(item)`: `print(i)`, for nothing reads `i`."""
    missing = missing_name(failure)
    if missing is None or missing.is_unassigned or not missing.reads():
        return
    found = list(_unused(missing))
    for binding in found:
        yield from _indexed(missing, binding)
        edits = [SpanEdit(*missing.cell.span(node), binding.name) for node in _reads(binding.scope, missing.wanted)]
        if any(missing.cell.source[edit.start : edit.end] != missing.wanted for edit in edits):
            edits = missing.renamed(binding.name)
        why = f"The name `{missing.wanted}` is not defined; {binding.kind} is called `{binding.name}`."
        yield from missing.changed(edits, why, "unused name", _prior(missing, binding, len(found)))


def _prior(missing: Missing, binding: _Binding, rivals: int) -> float:
    """It is likelier where the names look alike, and where no other is unused."""
    wanted, name = fold(missing.wanted), fold(binding.name)
    if near(missing.wanted, [binding.name]) or (wanted[0] == name[0] and 1 in (len(wanted), len(name))):
        return 0.85
    if isinstance(binding.over, ast.Name) and fold(binding.over.id) in (f"{wanted}s", f"{wanted}es", f"{wanted}list"):
        return 0.85  # `for x in items: print(item)`
    short = 1 in (len(wanted), len(name))
    prior = (0.75 if short else 0.45) if binding.kind != "the parameter" else 0.55 if short else 0.45
    if binding.kind in ("the exception", "what `with` opens"):
        prior = 0.75
    if _ranges(binding):
        prior = 0.45
    return prior if rivals == 1 else prior * 0.6


def _unused(missing: Missing) -> Iterator[_Binding]:
    """The variables around the missing name that nothing reads."""
    seen = set[str]()
    for node in missing.reads():
        for outer in missing.cell.around(node):
            for binding in _bindings(outer):
                own = binding.name not in seen and not binding.name.startswith("_")
                if own and not _reads(binding.scope, binding.name) and not _is_bound_by(outer, missing.wanted):
                    seen.add(binding.name)
                    yield binding
            if isinstance(outer, ast.ClassDef):
                return


def _bindings(node: ast.AST) -> Iterator[_Binding]:
    if isinstance(node, (ast.For, ast.AsyncFor)):
        yield from (_Binding(name, "the loop's variable", node, node.iter) for name in _names(node.target))
    elif isinstance(node, _Comprehension):
        for part in node.generators:
            names = _names(part.target)
            yield from (_Binding(name, "the comprehension's variable", node, part.iter) for name in names)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        yield from (_Binding(name, "what `with` opens", node) for target in targets for name in _names(target))
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield _Binding(node.name, "the exception", node)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        yield from (_Binding(one.arg, "the parameter", node) for one in every if one.arg not in ("self", "cls"))


def _indexed(missing: Missing, binding: _Binding) -> Iterator[Proposal]:
    """`for i in range(len(items)): print(item)`: `items[i]`."""
    owner = _ranges(binding)
    if owner is None or fold(missing.wanted)[:3] != fold(owner)[:3]:
        return
    text = f"{owner}[{binding.name}]"
    edits = missing.renamed(text)
    why = f"The name `{missing.wanted}` is not defined; the loop counts the places of `{owner}`."
    yield from missing.changed(edits, why, "item of a loop", 0.8)


def _ranges(binding: _Binding) -> str | None:
    """What a loop over `range(len(x))` counts; an empty text for another range; None for no range."""
    call = binding.over
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and call.args):
        return None
    size = call.args[-1]
    named = isinstance(size, ast.Call) and isinstance(size.func, ast.Name) and size.func.id == "len" and size.args
    owner = size.args[0] if isinstance(size, ast.Call) and named else None
    return owner.id if isinstance(owner, ast.Name) else ""


def _names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _reads(scope: ast.AST, name: str) -> list[ast.Name]:
    nodes = ast.walk(scope)
    return [n for n in nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]


def _is_bound_by(scope: ast.AST, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in ast.walk(scope)
    )
