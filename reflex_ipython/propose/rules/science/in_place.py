"""Methods that change a table or a list in place and give nothing back, and arrays that can't be changed so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of
from reflex_ipython.propose.rules.statements import failing_cell


def nothing_returned(failure: Failure) -> Iterator[Proposal]:
    """`df = df.drop(…, inplace=True)`, `l = l.sort()`: the result is `None`, and the fix is where it was assigned."""
    cell, error = failing_cell(failure), failure.error
    if cell is None or "NoneType" not in error.evalue:
        return
    scene = Scene(failure, cell)
    names = {node.id for node in scene.every(ast.Name)}
    places = [
        (node, node.value)
        for node in cell.every(ast.Assign)
        if isinstance(node.value, ast.Call)
        and len(node.targets) == 1
        and (not isinstance(node.targets[0], ast.Name) or node.targets[0].id in names)
    ]
    for assigned, call in places:
        target = scene.text(assigned.targets[0])
        given = keyword(call, "inplace")
        if given is not None and isinstance(given.value, ast.Constant) and given.value.value is True:
            why = f"With `inplace=True` `{called(call)}` gives nothing back; without it, it gives the changed table."
            owner = owner_of(call)
            made = (one for one in cell.every(ast.Assign) if one.lineno < assigned.lineno)
            here = any(scene.text(one.targets[0]) == target for one in made)
            lost = owner is not None and scene.text(owner) == target and not here
            if lost:
                why += f" `{target}` is `None` by now: the cell that made it must run again first."
            # Where the table itself is lost no trial can succeed, and there is no doubt about the reason.
            yield scene.proposal([scene.without(call, given)], why, "result of the method", 1.0 if lost else 0.95)
        elif called(call) in ("sort", "reverse", "shuffle", "append", "extend", "update", "add", "remove", "insert"):
            owner = owner_of(call)
            whole = call.args[0] if called(call) == "shuffle" and call.args else owner
            if whole is None:
                continue
            text = scene.text(whole)
            if text == target:
                why = f"`{called(call)}` changes `{target}` itself and gives nothing back."
                yield scene.proposal([scene.put(assigned, scene.text(call))], why, "changed in place", 0.95)
            elif called(call) in ("sort",) and owner is not None:
                more = "".join(f", {cell.source[slice(*cell.span(one))]}" for one in call.keywords)
                why = "`sort` gives nothing back; `sorted` gives a new list."
                yield scene.proposal([scene.put(call, f"sorted({text}{more})")], why, "result of the method", 0.9)
        elif called(call) == "print" and call.args:
            why = "`print` gives nothing back; what it shows is kept as well."
            value = scene.text(call.args[0])
            text = f"{target} = {value}{cell.newline}{scene.text(call).replace(value, target, 1)}"
            yield scene.proposal([scene.put(assigned, text)], why, "value kept", 0.75)
    for call in scene.calls():  # df.sort_values(…, inplace=True).head()
        given = keyword(call, "inplace")
        chained = any(isinstance(node, ast.Attribute) and node.value is call for node in scene.nodes)
        if given is not None and chained:
            why = f"With `inplace=True` `{called(call)}` gives nothing back; without it, it gives the changed table."
            yield scene.proposal([scene.without(call, given)], why, "result of the method", 0.92)
    yield from _assigned_before(scene, names)


def _assigned_before(scene: Scene, names: set[str]) -> Iterator[Proposal]:
    """The table was assigned in an earlier cell: what the method changed is used instead."""
    from reflex_ipython.propose.rules.cell import read

    for earlier in reversed(scene.failure.situation.earlier):
        cell = read(earlier.source)
        for node in cell.every(ast.Assign):
            target, call = node.targets[0], node.value
            if not isinstance(target, ast.Name) or target.id not in names or not isinstance(call, ast.Call):
                continue
            given, owner = keyword(call, "inplace"), owner_of(call)
            in_place = given is not None and isinstance(given.value, ast.Constant) and given.value.value is True
            if in_place and isinstance(owner, ast.Name) and owner.id != target.id:
                why = f"`{target.id}` is `None`: `{called(call)}` changed `{owner.id}` itself, with `inplace=True`."
                uses = [one for one in scene.every(ast.Name) if one.id == target.id]
                yield scene.proposal([scene.put(one, owner.id) for one in uses], why, "table that was changed", 0.85)


def _read_only(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """An array that belongs to a table: a copy of it."""
    names = {node.id for node in scene.every(ast.Name)}
    for node in scene.cell.every(ast.Assign):
        target = node.targets[0]
        named = isinstance(target, ast.Name) and target.id in names and node is not scene.statement()
        if named and isinstance(node.value, (ast.Call, ast.Attribute)):
            why = f"`{scene.text(target)}` is a read-only look at `{scene.text(node.value)}`; a copy can be changed."
            yield scene.proposal([scene.after(node.value, ".copy()")], why, "copy", 0.95)
    statement = scene.statement()
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        owner = target.value if isinstance(target, ast.Subscript) else target
        if isinstance(owner, ast.Name):
            above = scene.line_above(statement, f"{owner.id} = {owner.id}.copy()")
            yield scene.proposal([above], f"`{owner.id}` is read-only; a copy can be changed.", "copy", 0.8)


in_place: Rule = answers(
    "in_place",
    (r"read-only", _read_only),
)  # fmt: skip

RULES = (
    nothing_returned,
    in_place,
)
