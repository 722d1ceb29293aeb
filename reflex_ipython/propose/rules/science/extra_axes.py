"""Arrays of three dimensions and more: an axis that is lacking, one too many, places in the flat array."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, owner_of


def _lacking(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a - a.mean(axis=2)` of three axes: `[..., None]`, where just one place for the lost axis fits."""
    for node in scene.every(ast.BinOp):
        for side, other in ((node.left, node.right), (node.right, node.left)):
            small, large = scene.shape(side), scene.shape(other)
            if small is None or large is None or len(small) < 2 or len(large) != len(small) + 1:
                continue
            places = [at for at in range(len(large)) if large[:at] + large[at + 1 :] == small]
            if len(places) != 1:
                continue
            [at] = places
            index = "..., None" if at == len(small) else ", ".join([*":" * at, "None"])
            why = f"`{scene.text(side)}` lacks axis {at} of `{scene.text(other)}`; `None` adds it with length 1."
            yield scene.proposal([scene.after(side, f"[{index}]")], why, "lost axis", 0.92)


def _too_many(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`pd.DataFrame(a)` of three axes: a row for each of the first, all else side by side."""
    for call in scene.calls("DataFrame", "savetxt"):
        given = call.args[1:2] if called(call) == "savetxt" else call.args[:1]
        for data in given:
            shape = scene.shape(data)
            if shape is None or len(shape) < 3:
                continue
            text = scene.operand(data)
            why = f"A table has two axes, and `{scene.text(data)}` has {len(shape)}: {shape}; "
            first = scene.put(data, f"{text}.reshape({text}.shape[0], -1)")
            yield scene.proposal([first], f"{why}each of the first becomes a row.", "two axes", 0.72)
            last = scene.put(data, f"{text}.reshape(-1, {text}.shape[-1])")
            yield scene.proposal([last], f"{why}the last become the columns.", "two axes", 0.42)


def _place(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`i, j = a.argmax()`: the place in the flat array becomes one of each axis."""
    np, imports = scene.module("numpy")
    for node in scene.every(ast.Assign):
        call = node.value
        if not isinstance(node.targets[0], ast.Tuple) or not isinstance(call, ast.Call):
            continue
        if called(call) not in ("argmax", "argmin", "nanargmax", "nanargmin"):
            continue
        owner = owner_of(call)
        plain = owner is not None and scene.meaning(owner) != "numpy"
        array = owner if plain else call.args[0] if call.args else None
        if array is not None:
            text = f"{np}.unravel_index({scene.text(call)}, {scene.operand(array)}.shape)"
            why = f"`{called(call)}` counts through the flat array; `unravel_index` makes a place on each axis of that."
            yield scene.proposal([scene.put(call, text), *imports], why, "place on each axis", 0.95)


def _one_shape(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`np.stack([a, b])` where one is longer on one axis: cut to the shorter."""
    for call in scene.calls("stack", "dstack"):
        parts = call.args[0].elts if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else []
        shapes = [shape for one in parts if (shape := scene.shape(one)) is not None]
        if len(shapes) < 2 or len(shapes) != len(parts) or len({len(shape) for shape in shapes}) != 1:
            continue
        least = [min(sizes) for sizes in zip(*shapes)]
        differ = [axis for axis, sizes in enumerate(zip(*shapes)) if len(set(sizes)) > 1]
        if len(differ) != 1:
            continue
        [axis] = differ
        edits = [
            scene.after(one, f"[{', '.join([*':' * axis, f':{least[axis]}'])}]")
            for one, shape in zip(parts, shapes)
            if shape[axis] > least[axis]
        ]
        why = f"What is stacked has one shape; on axis {axis} the first {least[axis]} of each are used."
        yield scene.proposal(edits, why, "one shape", 0.6)


extra_axes: Rule = answers(
    "extra_axes",
    (r"operands could not be broadcast together", _lacking),
    (r"Must pass 2-d input|Expected 1D or 2D array, got \d+D array", _too_many),
    (r"cannot unpack non-iterable numpy\.int64 object", _place),
    (r"all input arrays must have the same shape", _one_shape),
)

RULES = (extra_axes,)
