"""Names that are another scope's: the object's, the module's, an outer or an inner function's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, first_line
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.lookups.missing import Function, Missing, missing_name
from reflex_ipython.propose.rules.proposal import Proposal


def attribute_of_self(failure: Failure) -> Iterator[Proposal]:
    """`return v` in a method: `return self.v`."""
    missing = missing_name(failure)
    if missing is None or missing.is_unassigned:
        return
    function = missing.function()
    if function is None or not function.args.args or not isinstance(missing.cell.parent(function), ast.ClassDef):
        return
    first = function.args.args[0].arg
    own = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == missing.wanted]
    if any(missing.cell.text(node) != missing.wanted for node in own):
        edits = missing.renamed(f"{first}.{missing.wanted}")
    else:
        edits = [SpanEdit(*missing.cell.span(node), f"{first}.{missing.wanted}") for node in own]
    why = f"In a method, what belongs to the object is asked of `{first}`: `{first}.{missing.wanted}`."
    yield from missing.changed(edits, why, "missing self", 0.85)


def variable_of_another_scope(failure: Failure) -> Iterator[Proposal]:
    """`count += 1` in a function, where `count` is outside: `global count`, or `nonlocal count`."""
    missing = missing_name(failure)
    function = missing.function() if missing is not None and missing.is_unassigned else None
    if missing is None or function is None:
        return
    wanted, cell = missing.wanted, missing.cell
    outer = [node for node in cell.around(function) if isinstance(node, Function)]
    why = f"The function sets `{wanted}`, so that it is a variable of its own, which has no value yet"
    if any(wanted in _own(node) for node in outer):
        place = _first_line(cell, function, f"nonlocal {wanted}")
        yield from missing.changed(place, f"{why}; the one outside is meant.", "scope of a variable", 0.85)
    elif missing.there(wanted) and wanted in missing.failure.situation.names:
        place = _first_line(cell, function, f"global {wanted}")
        prior = 0.75 if _is_augmented(function, wanted) else 0.5
        yield from missing.changed(place, f"{why}; the notebook's own is meant.", "scope of a variable", prior)
        yield from _under_another_name(missing, function, why)
    else:
        own = list(_of_the_object(missing, function))
        yield from own
        start = _start_value(missing, function)
        statement = f"{wanted} = {start}"
        place = _above_block(missing, function, statement)
        prior = 0.25 if own else 0.5
        yield from missing.changed(place, f"{why}: it starts with {start} here.", "start of a variable", prior)


def _of_the_object(missing: Missing, function: Function) -> Iterator[Proposal]:
    """`count += 1` in a method, where the class sets `self.count`: `self.count += 1`."""
    owner, parameters = missing.cell.parent(function), function.args.args
    if not isinstance(owner, ast.ClassDef) or not parameters:
        return
    first, wanted = parameters[0].arg, missing.wanted
    set_there = any(
        isinstance(node, ast.Attribute) and node.attr == wanted and isinstance(node.ctx, ast.Store)
        for node in ast.walk(owner)
    )
    own = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == wanted]
    if set_there and all(missing.cell.text(node) == wanted for node in own):
        edits = [SpanEdit(*missing.cell.span(node), f"{first}.{wanted}") for node in own]
        why = f"The class keeps `{wanted}` in its objects: in a method it is `{first}.{wanted}`."
        yield from missing.changed(edits, why, "missing self", 0.93)


def variable_without_start(failure: Failure) -> Iterator[Proposal]:
    """`for v in xs: total += v`: `total = 0` above the loop."""
    missing = missing_name(failure)
    statement = missing.outer_statement() if missing is not None else None
    if missing is None or missing.is_unassigned or not isinstance(statement, (ast.For, ast.While, ast.With)):
        return
    if missing.function() is not None:
        return
    line = missing.cell.starts[first_line(statement) - 1]
    for start, prior in _starts(missing, missing.wanted, statement):
        text, imported = start, ""
        if start.startswith("collections."):
            imported = "import collections"
        edit = SpanEdit(line, line, f"{missing.wanted} = {text}{missing.cell.newline}")
        why = f"The loop adds to `{missing.wanted}`, which has no value before; it starts with `{text}` here."
        yield from missing.changed([edit], why, "start of a variable", prior, [imported])


def result_not_kept(failure: Failure) -> Iterator[Proposal]:
    """`f()` and then `print(result)`, where `f` sets or returns `result`: `result = f()`."""
    missing = missing_name(failure)
    here = missing.outer_statement() if missing is not None else None
    if missing is None or missing.is_unassigned or here is None or missing.function() is not None:
        return
    assert missing.cell.tree is not None
    before = missing.cell.tree.body[: missing.cell.tree.body.index(here)]
    functions = {name: (node, cell) for cell in _cells(missing) for name, node in _functions(cell)}
    for statement in before:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in functions:
            continue
        function, cell = functions[call.func.id]
        if missing.wanted not in _own(function):
            continue
        start = missing.cell.span(statement)[0]
        edits = [SpanEdit(start, start, f"{missing.wanted} = ")]
        why = f"`{missing.wanted}` is a variable of `{function.name}` alone"
        if _returns(function, missing.wanted):
            yield from missing.changed(edits, f"{why}; what that returns was not kept.", "result not kept", 0.9)
        elif cell is missing.cell and not any(isinstance(node, ast.Return) for node in ast.walk(function)):
            last = function.body[-1]
            end = missing.cell.span(last)[1]
            indent = missing.cell.line(last.lineno)[: last.col_offset]
            edits.append(SpanEdit(end, end, f"{missing.cell.newline}{indent}return {missing.wanted}"))
            yield from missing.changed(edits, f"{why}, which returns nothing.", "result not returned", 0.7)


def _own(function: ast.AST) -> set[str]:
    """The names that a function gives a value to, its parameters included."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return names | {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}


def _is_augmented(function: ast.AST, name: str) -> bool:
    return any(
        isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name
        for node in ast.walk(function)
    )


def _first_line(cell: Cell, function: Function, statement: str) -> list[SpanEdit]:
    """The edit that puts a statement at the head of a function, behind its docstring."""
    body = function.body
    described = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
    first = body[1 if described else 0]
    return _above(cell, first, statement) if first.lineno > function.lineno else []


def _above(cell: Cell, node: ast.stmt, statement: str) -> list[SpanEdit]:
    line = first_line(node)
    indent = cell.line(line)[: len(cell.line(line)) - len(cell.line(line).lstrip())]
    start = cell.starts[line - 1]
    return [SpanEdit(start, start, f"{indent}{statement}{cell.newline}")]


def _above_block(missing: Missing, function: Function, statement: str) -> list[SpanEdit]:
    """In front of the first statement of the function that may set the variable."""
    setting = (node for node in function.body if missing.wanted in _own(node))
    first = next(setting, function.body[0])
    return _above(missing.cell, first, statement) if first.lineno > function.lineno else []


def _under_another_name(missing: Missing, function: Function, why: str) -> Iterator[Proposal]:
    """The function's own variable gets another name from where it is set first: the reads before mean the outer one."""
    name = f"own_{missing.wanted}"
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == missing.wanted]
    stores = [node for node in nodes if isinstance(node.ctx, ast.Store)]
    if not stores or _is_augmented(function, missing.wanted):
        return
    first = min(node.lineno for node in stores)
    renamed = [node for node in nodes if node in stores or node.lineno > first]
    edits = [SpanEdit(*missing.cell.span(node), name) for node in renamed]
    yield from missing.changed(edits, f"{why}; under another name it hides nothing.", "scope of a variable", 0.4)


def _start_value(missing: Missing, function: Function) -> str:
    found = list(_starts(missing, missing.wanted, function))
    return found[0][0] if found and found[0][1] >= 0.5 else "None"


def _starts(missing: Missing, name: str, scope: ast.AST) -> Iterator[tuple[str, float]]:
    """What a variable may start with, by what is done with it."""
    for node in ast.walk(scope):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield from _of_operator(node)
            return
        if isinstance(node, ast.AugAssign) and _is_item(node.target, name):
            yield from (("collections.defaultdict(int)", 0.7), ("collections.defaultdict(list)", 0.3))
            return
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            yield from _BY_METHOD.get(node.attr, ())
            return
        if isinstance(node, ast.Attribute) and _is_item(node.value, name) and node.attr in ("append", "extend"):
            yield "collections.defaultdict(list)", 0.75
            return
    for node in ast.walk(scope):
        if _is_item(node, name) and isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield "{}", 0.75
            return
    assigned = [node for node in ast.walk(scope) if isinstance(node, ast.Assign) and _sets(node, name)]
    if assigned and any(isinstance(node, ast.BinOp) for node in ast.walk(assigned[0].value)):
        yield from (("0", 0.6), ('""', 0.55), ("[]", 0.5))


_BY_METHOD = {
    "append": (("[]", 0.8),),
    "extend": (("[]", 0.8),),
    "insert": (("[]", 0.8),),
    "add": (("set()", 0.8),),
    "update": (("{}", 0.5), ("set()", 0.35)),
    "get": (("{}", 0.75),),
    "setdefault": (("{}", 0.8),),
}


def _of_operator(node: ast.AugAssign) -> Iterator[tuple[str, float]]:
    if isinstance(node.op, ast.Mult):
        yield "1", 0.75
    elif isinstance(node.value, (ast.List, ast.ListComp)):
        yield "[]", 0.8
    elif isinstance(node.value, ast.JoinedStr) or (
        isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ):
        yield '""', 0.8
    else:
        yield from (("0", 0.75), ('""', 0.7), ("[]", 0.3))


def _is_item(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name


def _sets(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _cells(missing: Missing) -> list[Cell]:
    earlier = [read(cell.source) for cell in missing.failure.situation.earlier]
    return [*(cell for cell in earlier if cell.tree is not None), missing.cell]


def _functions(cell: Cell) -> Iterator[tuple[str, Function]]:
    assert cell.tree is not None
    yield from ((node.name, node) for node in cell.tree.body if isinstance(node, Function))


def _returns(function: Function, name: str) -> bool:
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(returned) and all(isinstance(value, ast.Name) and value.id == name for value in returned)
