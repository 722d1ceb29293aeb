"""Functions that give None: those without `return`, and those that return what changes a value in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import CellSource
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.cell import read as cell_of
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, short

IN_PLACE = frozenset(
    {"sort", "reverse", "append", "extend", "insert", "remove", "update", "add", "clear", "discard", "shuffle"}
)
"""Methods that change a value and give None."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def without_return(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """The function that was called has no `return`: it gets one."""
    above = read.parent(call)
    targets = above.targets[0] if isinstance(above, ast.Assign) else None
    count = len(targets.elts) if isinstance(targets, (ast.Tuple, ast.List)) else 1
    yield from function_without_return(read, read.called(call), count)


def function_without_return(read: Reading, name: str, count: int = 1) -> Iterator[Proposal]:
    """The last function of that name gets a `return`; `count`: of so many values."""
    sources: list[tuple[Cell, CellSource | None]] = [(read.cell, None)]
    sources += [(cell_of(one.source), one) for one in reversed(read.failure.situation.earlier)]
    for cell, source in sources:
        functions: list[_Function] = [*cell.every(ast.FunctionDef), *cell.every(ast.AsyncFunctionDef)]
        found = [one for one in functions if one.name == name]
        if found:
            inner = _inner_without_return(found[-1])
            if inner is not None:
                yield from _returning(read, cell, source, inner, count)
            elif _returns(found[-1]):
                yield from _returned_in_place(cell, source, found[-1])
            else:
                yield from _returning(read, cell, source, found[-1], count)
            return


def _inner_without_return(function: _Function) -> _Function | None:
    """What a function makes and returns, if that makes a function in its turn and forgets to return it."""
    given = [node.value for node in _own(function) if isinstance(node, ast.Return)]
    names = {node.id for node in given if isinstance(node, ast.Name)}
    made = [one for one in function.body if isinstance(one, ast.FunctionDef) and one.name in names]
    return made[0] if made and isinstance(made[0].body[-1], ast.FunctionDef) and not _returns(made[0]) else None


def _returned_in_place(cell: Cell, source: CellSource | None, function: _Function) -> Iterator[Proposal]:
    """`return items.append(x)`: what was changed in place is returned."""
    given = [node for node in _own(function) if isinstance(node, ast.Return)]
    last = given[-1] if given else None
    call = last.value if last is not None else None
    if last is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    if call.func.attr not in IN_PLACE or call.func.attr == "shuffle":
        return
    owner, (start, end) = cell.text(call.func.value), cell.span(last)
    indent = cell.source[cell.offset(last.lineno, 0) : start]
    gap = "; " if indent.strip() else f"{cell.newline}{indent}"
    text = apply(cell.source, [SpanEdit(start, end, f"{cell.text(call)}{gap}return {owner}")])
    if cell_of(text).tree is not None:
        what = short(cell.text(call.func))
        why = f"`{what}` changes `{owner}` in place and gives None; now `{function.name}` returns `{owner}`."
        yield Proposal(text, why, "changed in place", 0.9, source)


def _returns(function: _Function) -> bool:
    """Whether it gives anything back."""
    return any(
        (isinstance(node, ast.Return) and node.value is not None) or isinstance(node, (ast.Yield, ast.YieldFrom))
        for node in _own(function)
    )


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions in it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _own(child)


def _returning(
    read: Reading, cell: Cell, source: CellSource | None, function: _Function, count: int
) -> Iterator[Proposal]:
    last = function.body[-1]
    found = list(_returned(cell, function, last))
    if count > 1:
        found = [one for one in found if one[1].count(",") == count - 1] or list(_several(cell, function, last, count))
    for edits, what, prior in found:
        text = apply(cell.source, edits)
        if cell_of(text).tree is not None:
            why = f"`{function.name}` has no `return`, so it gives None; now it returns `{short(what)}`."
            yield Proposal(text, why, "missing return", prior, source)


def _several(
    cell: Cell, function: _Function, last: ast.stmt, count: int
) -> Iterator[tuple[list[SpanEdit], str, float]]:
    """As many variables as the caller takes: the last ones that were made."""
    top = [one.targets[0] for one in function.body if isinstance(one, ast.Assign)]
    names = list(dict.fromkeys(one.id for one in top if isinstance(one, ast.Name)))
    start, end = cell.span(last)
    indent = cell.source[cell.offset(last.lineno, 0) : start]
    if len(names) >= count and not indent.strip():
        what = ", ".join(names[-count:])
        prior = 0.85 if len(names) == count else 0.6
        yield [SpanEdit(end, end, f"{cell.newline}{indent}return {what}")], what, prior


def _returned(cell: Cell, function: _Function, last: ast.stmt) -> Iterator[tuple[list[SpanEdit], str, float]]:
    """What a function may be meant to return, with the edits that make it do so."""
    start, end = cell.span(last)
    indent = cell.source[cell.offset(last.lineno, 0) : start]
    below = f"{cell.newline}{indent if not indent.strip() else ''}"
    if isinstance(last, (ast.FunctionDef, ast.ClassDef)):
        yield [SpanEdit(end, end, f"{below}return {last.name}")], last.name, 0.95
        return
    if isinstance(last, ast.Expr):
        call = last.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print":
            if len(call.args) == 1:
                value = cell.text(call.args[0])
                yield (
                    [SpanEdit(end, end, f"{below}return {value}")]
                    if not indent.strip()
                    else [SpanEdit(start, end, f"return {value}")],
                    value,
                    0.75,
                )
            return
        in_place = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in IN_PLACE
        if not in_place and not isinstance(call, ast.Constant):
            yield [SpanEdit(start, start, "return ")], cell.text(call), 0.93
            return
        if in_place and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            owner = cell.text(call.func.value)
            yield [SpanEdit(end, end, f"{below}return {owner}")], owner, 0.85
            return
    if _sets_attributes_of_self(function) and not indent.strip():
        yield [SpanEdit(end, end, f"{below}return self")], "self", 0.85
        return
    names = _candidates(function, last)
    if indent.strip():  # `def f(x): y = x + 1`
        names = names[:1]
        below = "; "
    for place, name in enumerate(names[:3]):
        prior = 0.85 if len(names) == 1 else (0.8, 0.2, 0.15)[place]
        yield [SpanEdit(end, end, f"{below}return {name}")], name, prior


def _sets_attributes_of_self(function: _Function) -> bool:
    """`def fit(self, x): self.x = x`: of such a method nothing but the object itself is of use."""
    targets = [one for node in _own(function) if isinstance(node, ast.Assign) for one in node.targets]
    own = [one.value for one in targets if isinstance(one, ast.Attribute)]
    return (
        bool(own)
        and all(isinstance(one, ast.Attribute) for one in targets)
        and all(isinstance(one, ast.Name) and one.id == "self" for one in own)
    )


def _candidates(function: _Function, last: ast.stmt) -> list[str]:
    """The variables of a function that it may be meant to return, the likeliest first."""
    assigned: list[str] = []
    if isinstance(last, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = last.targets if isinstance(last, ast.Assign) else [last.target]
        for target in targets:
            if isinstance(target, ast.Name):
                return [target.id]
            if isinstance(target, ast.Tuple) and all(isinstance(one, ast.Name) for one in target.elts):
                return [", ".join(one.id for one in target.elts if isinstance(one, ast.Name))]
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                return [target.value.id]
    top = [
        one.targets[0].id
        for one in function.body
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
    ]
    changed: list[str] = []
    for node in ast.walk(last):  # a loop or a branch in the end: what it changes
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            changed.append(node.target.id)
        elif isinstance(node, ast.Assign):
            changed += [one.id for one in node.targets if isinstance(one, ast.Name)]
            changed += [
                one.value.id
                for one in node.targets
                if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name)
            ]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in IN_PLACE:
            changed += [node.func.value.id] if isinstance(node.func.value, ast.Name) else []
    loop = isinstance(last, (ast.For, ast.While, ast.AsyncFor))
    assigned += [name for name in changed if not loop or name in top]
    return list(dict.fromkeys([*assigned, *reversed(top)]))
