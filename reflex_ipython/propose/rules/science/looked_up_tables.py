"""Values that are looked up in a table: `map` of a table, a name in quotes as a place, a mask that was used before."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, owner_of


def _mapped(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["code"].map(names)` of a table of codes and names: `names.set_index("code")["name"]`."""
    for call in scene.calls("map", "replace"):
        owner, table = owner_of(call), call.args[0] if call.args else None
        if owner is None or table is None or not scene.is_table(table):
            continue
        columns, ours = list(scene.columns(table)), set(scene.samples(owner))
        keys = [name for name in columns if ours & set(scene.samples(ast.Subscript(table, ast.Constant(name))))]
        if not keys and isinstance(owner, ast.Subscript) and isinstance(owner.slice, ast.Constant):
            keys = [name for name in columns if name == owner.slice.value]
        for key in keys[:1]:
            values = [name for name in columns if name != key]
            for value in values[:3]:
                text = f'{scene.operand(table)}.set_index("{key}")["{value}"]'
                why = f"`{scene.text(table)}` is a table; its column `{value}` is looked up by `{key}`."
                prior = 0.93 if len(values) == 1 else 0.45
                yield scene.proposal([scene.put(table, text)], why, "column to look up", prior)


def _quoted_place(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.iloc["first"]` where `first` is a number: the variable."""
    for node in scene.every(ast.Subscript):
        located = isinstance(node.value, ast.Attribute) and node.value.attr in ("iloc", "iat")
        name = node.slice.value if located and isinstance(node.slice, ast.Constant) else None
        if isinstance(name, str) and name.isidentifier() and name in scene.failure.situation.names:
            why = f"`iloc` takes places, and {name!r} is a text; the variable `{name}` is meant."
            yield scene.proposal([scene.put(node.slice, name)], why, "variable, not text", 0.9)


def _used_before(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`part = a[mask]`, and then `part[mask]`: it has only those already."""
    made = {
        target.id: node.value
        for node in scene.cell.every(ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in scene.every(ast.Subscript):
        if not isinstance(node.value, ast.Name):
            continue
        mask, whence, seen = ast.dump(node.slice), made.get(node.value.id), 0
        while whence is not None and seen < 5:
            masked = [one for one in ast.walk(whence) if isinstance(one, ast.Subscript)]
            if any(ast.dump(one.slice) == mask for one in masked):
                name = node.value.id
                why = f"`{name}` was made with `{scene.text(node.slice)}` already: all of it is meant."
                yield scene.proposal([scene.put(node, name)], why, "mask used before", 0.9)
                break
            names = [one.id for one in ast.walk(whence) if isinstance(one, ast.Name) and one.id in made]
            whence, seen = (made[names[0]] if names and made[names[0]] is not whence else None), seen + 1


looked_up_tables: Rule = answers(
    "looked_up_tables",
    (r"Cannot construct a Series from a DataFrame|'DataFrame' object is not callable"
     r"|^ValueError: 2$", _mapped),  # all that pandas 2 says: the table's dimensions
    (r"Cannot index by location index with a non-integer key|iAt based indexing can only have integer", _quoted_place),
    (r"boolean index did not match indexed array|Item wrong length", _used_before),
)  # fmt: skip

RULES = (looked_up_tables,)
