"""None where a value is needed: what changes a value in place gives None, and so does a function without `return`."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.base.syntax_trees import expression
from reflex_ipython.models import CellSource, Failure
from reflex_ipython.propose.rules.cell import read as cell_of
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.missing_return import IN_PLACE, function_without_return, without_return
from reflex_ipython.propose.rules.values.nothing_earlier import nothing_of_an_earlier_cell
from reflex_ipython.propose.rules.values.nothing_to_start import start_instead_of_nothing
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short

_NONE = re.compile(r"'?NoneType'?|None(?!\w)")


def none_for_a_value(failure: Failure) -> Iterator[Proposal]:
    """`x = items.sort()` and then `x[0]`; `f(2) + 1` where `f` returns nothing."""
    error = failure.error
    if error.ename not in ("TypeError", "AttributeError") or not _NONE.search(error.evalue):
        return
    read = reading(failure)
    if read is None:
        return
    if "is not callable" in error.evalue:
        yield from _made_by_a_decorator(read)
    for node in _nothing(read):
        if isinstance(node, ast.Name):
            yield from _name(read, node)
        elif isinstance(node, ast.Call):
            yield from _made_in_place(read, node, None)
            yield from without_return(read, node)
            yield from _not_found(read, node)
            yield from _guarded_call(read, node)


def _made_by_a_decorator(read: Reading) -> Iterator[Proposal]:
    """A function that its decorator has made None of, as it returns nothing; also where the decorator has arguments."""
    called = {read.called(node) for node in read.nodes(ast.Call)}
    cells = [read.cell, *(cell_of(one.source) for one in reversed(read.failure.situation.earlier))]
    functions = [node for cell in cells for node in cell.every(ast.FunctionDef) if node.decorator_list]
    for node in functions:
        if node.name in called or node in read.here:
            for one in node.decorator_list:
                function = one.func if isinstance(one, ast.Call) else one
                if isinstance(function, ast.Name):
                    yield from function_without_return(read, function.id)


def _nothing(read: Reading) -> list[ast.expr]:
    """The expressions of the failing statement that are, or may be, None."""
    found: list[ast.expr] = []
    for node in read.here:
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Load, ast.Store)) and read.type(node) == "NoneType":
            found += [node] if not any(isinstance(one, ast.Name) and one.id == node.id for one in found) else []
        elif isinstance(node, ast.Call) and read.sound(node) and _is_used(read, node):
            found.append(node)
    exact = read.exact
    if exact is not None and not isinstance(exact, (ast.stmt, ast.Call)):
        inside = set(ast.walk(exact))
        loops = {node.iter for node in read.here if isinstance(node, (ast.For, ast.comprehension))}
        found = [node for node in found if node in inside or node in loops] or found
    return found


def _is_used(read: Reading, call: ast.Call) -> bool:
    """Whether something is done with what a call gives."""
    above = read.parent(call)
    return not isinstance(above, ast.Expr)


def _name(read: Reading, node: ast.Name) -> Iterator[Proposal]:
    made = next(_assigned_in_place(read, node.id), None) or read.assigned(node.id)
    if made is not None and isinstance(made.value, ast.Call):
        yield from _made_in_place(read, made.value, made)
        yield from without_return(read, made.value)
        yield from _not_found(read, made.value)
        yield from _guarded(read, node, made.value)
        return
    earlier = read.assigned_earlier(node.id) if made is None else None
    if earlier is not None and isinstance(earlier[1].value, ast.Call):
        yield from _in_place_earlier(read, node, *earlier)
        yield from nothing_of_an_earlier_cell(read, node.id, *earlier)
    if made is None or not isinstance(made.value, ast.Call):
        yield from _missing_member(read, node)
        yield from start_instead_of_nothing(read, node, made)
        yield from _stand_in(read, node)


def _assigned_in_place(read: Reading, name: str) -> Iterator[ast.Assign]:
    """`items = items.append(x)` anywhere in the cell: in a loop the failing code comes after it, wherever it stands."""
    for node in read.cell.every(ast.Assign):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in IN_PLACE:
            owner = read.text(call.args[0]) if call.func.attr == "shuffle" and call.args else read.text(call.func.value)
            if owner == name and len(node.targets) == 1 and read.text(node.targets[0]) == name:
                yield node


# ------------------------------------------------------------------------------------------------ in place


def _made_in_place(read: Reading, call: ast.Call, made: ast.Assign | None) -> Iterator[Proposal]:
    """`x = items.sort()`: `x = sorted(items)`; `items = items.append(1)`: `items.append(1)`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in IN_PLACE:
        if made is not None and isinstance(call.func, ast.Name) and call.func.id == "print" and len(call.args) == 1:
            why = f"`print` gives None; `{short(read.text(made.targets[0]))}` gets what it printed."
            yield from read.propose(read.replace(call, read.text(call.args[0])), why, "what was printed", 0.75)
        return
    method, owner = call.func.attr, read.text(call.func.value)
    if method == "shuffle":
        owner = read.text(call.args[0]) if call.args else ""
    what = f"`{short(read.text(call.func))}` changes `{short(owner)}` in place and gives None"
    if made is not None and read.text(made.targets[0]) == owner:
        why = f"{what}, which `{short(owner)}` then was."
        yield from read.propose(read.replace(made, read.text(call)), why, "changed in place", 0.95)
        return
    new, prior = _as_new(read, call, method, owner)
    if new:
        why = f"{what}; `{short(new)}` gives a new value."
        yield from read.propose(read.replace(call, new), why, "new value", prior)
    if made is not None and method not in ("sort",) and owner.isidentifier():
        name = read.text(made.targets[0])
        edits = [*read.replace(made, read.text(call)), *read.insert_below(made, f"{name} = {owner}")]
        [first, second] = edits
        joined = [SpanEdit(first.start, first.end, first.text + second.text)]
        why = f"{what}; `{name}` is to be `{owner}` itself then."
        yield from read.propose(joined, why, "changed in place", 0.6 if not new else 0.35)


def _as_new(read: Reading, call: ast.Call, method: str, owner: str) -> tuple[str, float]:
    """An expression for what a method changes in place."""
    start, end = read.cell.span(call.func)[1], read.cell.span(call)[1]
    inside = read.cell.source[start + 1 : end - 1].strip()
    first = read.text(call.args[0]) if call.args else ""
    kind = read.type(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if method == "sort" and read.free("sorted"):
        return f"sorted({owner}{', ' if inside else ''}{inside})", 0.93
    if method == "reverse":
        loop = isinstance(read.parent(call), (ast.For, ast.comprehension))
        return (f"reversed({owner})" if loop else f"{owner}[::-1]"), 0.9
    if method == "shuffle" and isinstance(call.func, ast.Attribute):
        return f"{read.text(call.func.value)}.sample({owner}, len({owner}))", 0.65
    if method == "append" and len(call.args) == 1:
        return f"{owner} + [{first}]", 0.7
    if method == "extend" and len(call.args) == 1:
        return f"{owner} + list({first})", 0.7
    if method == "add" and len(call.args) == 1:
        return f"{owner} | {{{first}}}", 0.7
    if method == "update" and len(call.args) == 1 and not call.keywords:
        return f"{owner} | {first}", 0.75 if kind in ("dict", "set") else 0.6
    return "", 0.0


def _in_place_earlier(read: Reading, node: ast.Name, source: CellSource, made: ast.Assign) -> Iterator[Proposal]:
    """In an earlier cell: what it changed is there under its own name."""
    call = made.value
    assert isinstance(call, ast.Call)
    where = f"In [{source.cell.execution_count}]" if source.cell.execution_count is not None else "an earlier cell"
    if isinstance(call.func, ast.Attribute) and call.func.attr in IN_PLACE:
        owner = ast.unparse(call.args[0] if call.func.attr == "shuffle" and call.args else call.func.value)
        if owner == node.id or not isinstance(expression(owner), ast.Name):
            return
        why = f"`{node.id}` is None: `{short(ast.unparse(call))}` in {where} changed `{owner}` in place."
        uses = [one for one in read.here if isinstance(one, ast.Name) and one.id == node.id]
        edits = [edit for one in uses if read.sound(one) for edit in read.replace(one, owner)]
        yield from read.propose(edits, why, "changed in place", 0.8)


# ------------------------------------------------------------------------------------------------ look-ups


def _not_found(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """`re.match` that finds nothing; `d.get` of a key that is not there."""
    if not isinstance(call.func, ast.Attribute):
        return
    if call.func.attr == "match" and read.text(call.func.value) in ("re", "regex", "pattern"):
        end = read.cell.span(call.func)[1]
        why = "`match` looks at the beginning of the text only and found nothing there; `search` looks everywhere."
        yield from read.propose([SpanEdit(end - 5, end, "search")], why, "search anywhere", 0.65)
    if call.func.attr == "get" and call.args:
        yield from _default(read, call)


def _default(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    assert isinstance(call.func, ast.Attribute)
    owner, key = call.func.value, read.value(call.args[0])
    summary = read.summary(owner)
    held = read.first_items(owner)
    keys = (
        [one for one in held if type(one) is str] if isinstance(held, dict) else list(summary.labels if summary else ())
    )
    if key is UNKNOWN or key in keys or len(call.args) > 1:
        return
    near = (
        (closest(key, keys) or next(iter(difflib.get_close_matches(key, keys, 1, 0.75)), None))
        if type(key) is str
        else None
    )
    if near is not None:
        why = f"`{short(read.text(owner))}` has no {key!r}; the nearest key is {near!r}."
        yield from read.propose(read.replace(call.args[0], repr(near)), why, "closest key", 0.8)
    samples = {type(value) for value in held.values()} if isinstance(held, dict) else set()
    default = {int: "0", float: "0.0", str: '""', list: "[]", dict: "{}"}.get(
        samples.pop() if len(samples) == 1 else object
    )
    above = read.parent(call)
    if default is None and isinstance(above, ast.BinOp):
        default = "0"
    for value in (default,) if default is not None else ("0", '""', "[]", "{}"):
        end = read.cell.span(call.args[0])[1]
        why = (
            f"`{short(read.text(owner))}` has no {key!r}; `{value}` stands for it."
            if type(key) is str
            else "The key is not there."
        )
        yield from read.propose(
            [SpanEdit(end, end, f", {value}")], why, "default of a key", 0.55 if default and near is None else 0.3
        )


def _guarded(read: Reading, node: ast.Name, made: ast.Call) -> Iterator[Proposal]:
    """`m.group()` where there may be no match."""
    searches = isinstance(made.func, ast.Attribute) and made.func.attr in ("match", "search", "fullmatch", "find")
    above = read.parent(node)
    if not searches or not isinstance(above, (ast.Attribute, ast.Subscript)):
        return
    whole: ast.expr = above
    while isinstance(read.parent(whole), (ast.Attribute, ast.Subscript, ast.Call)):
        parent = read.parent(whole)
        if isinstance(parent, ast.Call) and parent.func is not whole:
            break
        assert isinstance(parent, ast.expr)
        whole = parent
    made_text = f"({read.text(whole)} if {node.id} else None)"
    if isinstance(read.parent(whole), (ast.Assign, ast.Return, ast.Expr, ast.Call)):
        made_text = made_text[1:-1]
    why = f"`{node.id}` is None: nothing was found; None stands for it here too."
    yield from read.propose(read.replace(whole, made_text), why, "None where nothing was found", 0.3)


def _guarded_call(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """`re.search(p, s).group()` where nothing is found."""
    method = read.parent(call)
    whole = read.parent(method) if isinstance(method, ast.Attribute) else None
    searches = read.called(call) in ("match", "search", "fullmatch") and isinstance(call.func, ast.Attribute)
    if not searches or not isinstance(method, ast.Attribute) or not isinstance(whole, ast.Call):
        return
    name = "m" if read.free("m") else "found"
    end = read.cell.span(call)[1]
    rest = read.cell.source[end : read.cell.span(whole)[1]]
    made = f"({name}{rest} if ({name} := {read.text(call)}) else None)"
    if isinstance(read.parent(whole), (ast.Assign, ast.Return, ast.Expr)):
        made = made[1:-1]
    why = f"`{short(read.text(call))}` found nothing and gave None; None stands for its result too."
    yield from read.propose(read.replace(whole, made), why, "None where nothing was found", 0.42)
    loops = [node for node in read.above(call) if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp))]
    loop = loops[0].generators[-1] if loops else None
    inside = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
    if loop is not None and any(isinstance(one, ast.Name) and one.id in inside for one in ast.walk(loop.target)):
        end = read.cell.span(loop.ifs[-1] if loop.ifs else loop.iter)[1]
        word = "and" if loop.ifs else "if"
        edits = [SpanEdit(end, end, f" {word} {read.text(call)}")]
        why = f"`{short(read.text(call))}` finds nothing in some of them; this leaves those out."
        yield from read.propose(edits, why, "without what has none", 0.6)


def _missing_member(read: Reading, node: ast.Name) -> Iterator[Proposal]:
    """None among the values of a loop or comprehension: left out."""
    loop = read.loop_of(node.id)
    if not isinstance(loop, ast.comprehension) or not isinstance(loop.target, ast.Name):
        return
    end = read.cell.span(loop.iter)[1]
    edits = [SpanEdit(end, end, f" if {node.id} is not None")]
    why = f"`{short(read.text(loop.iter))}` has None among its members; this leaves them out."
    yield from read.propose(edits, why, "without None", 0.65)


def _stand_in(read: Reading, node: ast.Name) -> Iterator[Proposal]:
    """`a + b` where `b` is None: 0, an empty text or list for it."""
    operation = read.parent(node)
    if not isinstance(operation, ast.BinOp) or not isinstance(operation.op, (ast.Add, ast.Sub, ast.Mult)):
        return
    other = operation.right if operation.left is node else operation.left
    kind = read.type(other)
    empty = {"str": '""', "list": "[]", "tuple": "()", "int": "0", "float": "0"}.get(kind)
    if empty is not None and not (empty == "0" and isinstance(operation.op, ast.Mult)):
        why = f"`{node.id}` is None; `{empty}` stands for it."
        yield from read.propose(read.replace(node, f"({node.id} or {empty})"), why, "value for None", 0.42)
