"""Arithmetic with numpy arrays: types that can't hold the result, lists in their place, matrices without an inverse."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.FloorDiv: "//", ast.Mod: "%"}


def _casting(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a += 0.5` on whole numbers: `a = a + 0.5`."""
    statement = scene.statement()
    if not isinstance(statement, ast.AugAssign) or type(statement.op) not in _SIGNS:
        return
    target, sign = scene.text(statement.target), _SIGNS[type(statement.op)]
    value = scene.text(statement.value)
    value = f"({value})" if isinstance(statement.value, (ast.BinOp, ast.IfExp, ast.Compare, ast.BoolOp)) else value
    why = f"`{target}` holds whole numbers and would be changed in place; a new array can hold {found['kind']}."
    yield scene.proposal([scene.put(statement, f"{target} = {target} {sign} {value}")], why, "new array", 0.92)


def _overflow(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A number too large for a small type: a larger type first."""
    statement = scene.statement()
    owners = {
        name.id: name
        for name in scene.every(ast.Name)
        if scene.type(name) in ("ndarray", "Series") and scene.dtype(name) in ("", found["kind"])
    }  # fmt: skip
    for name in owners.values():
        stores = [
            node for node in scene.every(ast.Subscript) if not isinstance(node.ctx, ast.Load) and node.value is name
        ]
        why = f"`{name.id}` holds {found['kind']}, which can't hold {found['number']}; `int64` can."
        if stores and statement is not None:
            above = scene.line_above(statement, f"{name.id} = {name.id}.astype('int64')")
            yield scene.proposal([above], why, "larger type", 0.85)
        elif not stores:
            yield scene.proposal([scene.put(name, f"{name.id}.astype('int64')")], why, "larger type", 0.86)


def _powers(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for node in scene.every(ast.BinOp):
        if isinstance(node.op, ast.Pow):
            base, power = node.left, node.right
            array = base if not isinstance(base, ast.Constant) else power
            if isinstance(array, ast.UnaryOp):
                array = base
            text = f"{scene.operand(array)}.astype(float)"
            if isinstance(array, ast.Constant):
                text = f"{array.value!r}.0"
            why = "Whole numbers have no whole negative powers; floats do."
            yield scene.proposal([scene.put(array, text)], why, "powers of floats", 0.92)


def _matrices(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A matrix that has no inverse: the pseudo-inverse, or the least squares."""
    for call in scene.calls("inv", "solve"):
        if not isinstance(call.func, ast.Attribute):
            continue
        module = scene.text(call.func.value)
        if called(call) == "inv":
            why = "This matrix has no inverse; `pinv` gives its pseudo-inverse."
            yield scene.proposal([scene.put(call.func, f"{module}.pinv")], why, "pseudo-inverse", 0.72)
        elif len(call.args) == 2:
            text = f"{module}.lstsq({', '.join(scene.text(one) for one in call.args)})[0]"
            why = "The equations have no single solution; `lstsq` gives the one with the least squares."
            yield scene.proposal([scene.put(call, text)], why, "least squares", 0.72)


def _lists(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Arithmetic on lists: as an array."""
    np, imports = scene.module("numpy")
    for node in scene.every(ast.BinOp):
        lists = [one for one in (node.left, node.right) if scene.type(one) == "list" or isinstance(one, ast.List)]
        if lists and not re.search(r"'(?:range|dict_\w+|map|zip|filter|set|tuple)'", found.string):
            first = lists[0]
            edit = scene.put(first, f"{np}.array({scene.text(first)})")
            why = f"`{scene.text(first)}` is a list; an array does arithmetic with each of its values."
            yield scene.proposal([edit, *imports], why, "list as an array", 0.82)
    for part in scene.every(ast.Subscript):
        if isinstance(part.slice, ast.Tuple) and scene.type(part.value) == "list":
            edit = scene.put(part.value, f"{np}.array({scene.text(part.value)})")
            why = f"`{scene.text(part.value)}` is a list of rows; an array is asked for rows and columns at once."
            sliced = any(isinstance(one, ast.Slice) for one in part.slice.elts)
            yield scene.proposal([edit, *imports], why, "list as an array", 0.86 if sliced else 0.4)
            if not sliced:
                text = "".join(f"[{scene.text(one)}]" for one in part.slice.elts)
                why = f"`{scene.text(part.value)}` is a list of lists, which takes one index at a time."
                yield scene.proposal([scene.put(part, scene.text(part.value) + text)], why, "one index at a time", 0.88)


def _not_called(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`A.transpose @ B`: the method is to be called."""
    for node in scene.every(ast.Attribute):
        if node.attr in ("transpose", "copy", "flatten", "ravel", "sum", "mean", "to_numpy", "tolist", "squeeze"):
            called_already = any(call.func is node for call in scene.every(ast.Call))
            if not called_already:
                why = f"`{scene.text(node)}` is the method itself; the brackets call it."
                yield scene.proposal([scene.after(node, "()")], why, "missing brackets", 0.9)
    names = {node.id for node in scene.every(ast.Name)}
    for assigned in scene.cell.every(ast.Assign):
        bound = {one.id for one in assigned.targets if isinstance(one, ast.Name)}
        if bound & names and isinstance(assigned.value, ast.Attribute) and scene.statement() is not assigned:
            why = f"`{scene.text(assigned.value)}` is the method itself; the brackets call it."
            yield scene.proposal([scene.after(assigned.value, "()")], why, "missing brackets", 0.9)


arrays: Rule = answers(
    "arrays",
    (r"Cannot cast ufunc '\w+' output from dtype\('(?P<kind>\w+)'\)", _casting),
    (r"Python integer (?P<number>-?\d+) out of bounds for (?P<kind>\w+)", _overflow),
    (r"Integers to negative integer powers", _powers),
    (r"LinAlgError: ", _matrices),
    (r"can't multiply sequence by non-int|can only concatenate list|unsupported operand type\(s\) for .*'list'"
     r"|list indices must be integers or slices, not tuple", _lists),
    (r"does not have enough dimensions|unsupported operand type\(s\) for .*'(?:builtin_function_or_method|method)'",
     _not_called),
)  # fmt: skip

RULES = (arrays,)
