"""None where a value is needed: what changes a value in place gives None, and so does a function without `return`."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit, apply
from reflex_ipython.models import CellSource, Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.cell import read as cell_of
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short

_NONE = re.compile(r"'?NoneType'?|None(?!\w)")
_IN_PLACE = frozenset(
    {"sort", "reverse", "append", "extend", "insert", "remove", "update", "add", "clear", "discard", "shuffle"}
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def none_for_a_value(failure: Failure) -> Iterator[Proposal]:
    """`x = items.sort()` and then `x[0]`; `f(2) + 1` where `f` returns nothing."""
    error = failure.error
    if error.ename not in ("TypeError", "AttributeError") or not _NONE.search(error.evalue):
        return
    read = reading(failure)
    if read is None:
        return
    for node in _nothing(read):
        if isinstance(node, ast.Name):
            yield from _name(read, node)
        elif isinstance(node, ast.Call):
            yield from _made_in_place(read, node, None)
            yield from _without_return(read, node)
            yield from _not_found(read, node)
            yield from _guarded_call(read, node)


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
        yield from _without_return(read, made.value)
        yield from _not_found(read, made.value)
        yield from _guarded(read, node, made.value)
        return
    earlier = read.assigned_earlier(node.id) if made is None else None
    if earlier is not None and isinstance(earlier[1].value, ast.Call):
        yield from _in_place_earlier(read, node, *earlier)
    if made is None or not isinstance(made.value, ast.Call):
        yield from _missing_member(read, node)
        yield from _stand_in(read, node)


def _assigned_in_place(read: Reading, name: str) -> Iterator[ast.Assign]:
    """`items = items.append(x)` anywhere in the cell: in a loop the failing code comes after it, wherever it stands."""
    for node in read.cell.every(ast.Assign):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _IN_PLACE:
            owner = read.text(call.args[0]) if call.func.attr == "shuffle" and call.args else read.text(call.func.value)
            if owner == name and len(node.targets) == 1 and read.text(node.targets[0]) == name:
                yield node


# ------------------------------------------------------------------------------------------------ in place


def _made_in_place(read: Reading, call: ast.Call, made: ast.Assign | None) -> Iterator[Proposal]:
    """`x = items.sort()`: `x = sorted(items)`; `items = items.append(1)`: `items.append(1)`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _IN_PLACE:
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
        joined = [Edit(first.start, first.end, first.text + second.text)]
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
    if isinstance(call.func, ast.Attribute) and call.func.attr in _IN_PLACE:
        owner = ast.unparse(call.args[0] if call.func.attr == "shuffle" and call.args else call.func.value)
        if owner == node.id or not isinstance(ast.parse(owner, mode="eval").body, ast.Name):
            return
        why = f"`{node.id}` is None: `{short(ast.unparse(call))}` in {where} changed `{owner}` in place."
        uses = [one for one in read.here if isinstance(one, ast.Name) and one.id == node.id]
        edits = [edit for one in uses if read.sound(one) for edit in read.replace(one, owner)]
        yield from read.propose(edits, why, "changed in place", 0.8)


# ------------------------------------------------------------------------------------------------ functions


def _without_return(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """The function that was called has no `return`: it gets one."""
    name = read.called(call)
    sources: list[tuple[Cell, CellSource | None]] = [(read.cell, None)]
    sources += [(cell_of(one.source), one) for one in reversed(read.failure.situation.earlier)]
    for cell, source in sources:
        functions: list[_Function] = [*cell.every(ast.FunctionDef), *cell.every(ast.AsyncFunctionDef)]
        found = [one for one in functions if one.name == name]
        if found:
            if _returns(found[-1]):
                yield from _returned_in_place(cell, source, found[-1])
                return
            above = read.parent(call)
            targets = above.targets[0] if isinstance(above, ast.Assign) else None
            count = len(targets.elts) if isinstance(targets, (ast.Tuple, ast.List)) else 1
            yield from _returning(read, cell, source, found[-1], count)
            return


def _returned_in_place(cell: Cell, source: CellSource | None, function: _Function) -> Iterator[Proposal]:
    """`return items.append(x)`: what was changed in place is returned."""
    given = [node for node in _own(function) if isinstance(node, ast.Return)]
    last = given[-1] if given else None
    call = last.value if last is not None else None
    if last is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    if call.func.attr not in _IN_PLACE or call.func.attr == "shuffle":
        return
    owner, (start, end) = cell.text(call.func.value), cell.span(last)
    indent = cell.source[cell.offset(last.lineno, 0) : start]
    gap = "; " if indent.strip() else f"{cell.newline}{indent}"
    text = apply(cell.source, [Edit(start, end, f"{cell.text(call)}{gap}return {owner}")])
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


def _several(cell: Cell, function: _Function, last: ast.stmt, count: int) -> Iterator[tuple[list[Edit], str, float]]:
    """As many variables as the caller takes: the last ones that were made."""
    top = [one.targets[0] for one in function.body if isinstance(one, ast.Assign)]
    names = list(dict.fromkeys(one.id for one in top if isinstance(one, ast.Name)))
    start, end = cell.span(last)
    indent = cell.source[cell.offset(last.lineno, 0) : start]
    if len(names) >= count and not indent.strip():
        what = ", ".join(names[-count:])
        prior = 0.85 if len(names) == count else 0.6
        yield [Edit(end, end, f"{cell.newline}{indent}return {what}")], what, prior


def _returned(cell: Cell, function: _Function, last: ast.stmt) -> Iterator[tuple[list[Edit], str, float]]:
    """What a function may be meant to return, with the edits that make it do so."""
    start, end = cell.span(last)
    indent = cell.source[cell.offset(last.lineno, 0) : start]
    below = f"{cell.newline}{indent if not indent.strip() else ''}"
    if isinstance(last, ast.Expr):
        call = last.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print":
            if len(call.args) == 1:
                value = cell.text(call.args[0])
                yield (
                    [Edit(end, end, f"{below}return {value}")]
                    if not indent.strip()
                    else [Edit(start, end, f"return {value}")],
                    value,
                    0.75,
                )
            return
        in_place = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _IN_PLACE
        if not in_place and not isinstance(call, ast.Constant):
            yield [Edit(start, start, "return ")], cell.text(call), 0.93
            return
        if in_place and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            owner = cell.text(call.func.value)
            yield [Edit(end, end, f"{below}return {owner}")], owner, 0.85
            return
    names = _candidates(function, last)
    if indent.strip():  # `def f(x): y = x + 1`
        names = names[:1]
        below = "; "
    for place, name in enumerate(names[:3]):
        prior = 0.85 if len(names) == 1 else (0.8, 0.2, 0.15)[place]
        yield [Edit(end, end, f"{below}return {name}")], name, prior


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
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _IN_PLACE:
            changed += [node.func.value.id] if isinstance(node.func.value, ast.Name) else []
    loop = isinstance(last, (ast.For, ast.While, ast.AsyncFor))
    assigned += [name for name in changed if not loop or name in top]
    return list(dict.fromkeys([*assigned, *reversed(top)]))


# ------------------------------------------------------------------------------------------------ look-ups


def _not_found(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """`re.match` that finds nothing; `d.get` of a key that is not there."""
    if not isinstance(call.func, ast.Attribute):
        return
    if call.func.attr == "match" and read.text(call.func.value) in ("re", "regex", "pattern"):
        end = read.cell.span(call.func)[1]
        why = "`match` looks at the beginning of the text only and found nothing there; `search` looks everywhere."
        yield from read.propose([Edit(end - 5, end, "search")], why, "search anywhere", 0.65)
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
            [Edit(end, end, f", {value}")], why, "default of a key", 0.55 if default and near is None else 0.3
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


def _missing_member(read: Reading, node: ast.Name) -> Iterator[Proposal]:
    """None among the values of a loop or comprehension: left out."""
    loop = read.loop_of(node.id)
    if not isinstance(loop, ast.comprehension) or not isinstance(loop.target, ast.Name):
        return
    end = read.cell.span(loop.iter)[1]
    edits = [Edit(end, end, f" if {node.id} is not None")]
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
