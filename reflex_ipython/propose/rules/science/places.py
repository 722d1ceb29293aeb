"""Indices that a numpy array does not have, or can't be asked for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.indexing import counts
from reflex_ipython.propose.rules.science.scene import Scene, answers, called
from reflex_ipython.propose.rules.science.shapes import joined

_RANDOM = ("rand", "randn", "standard_normal", "reshape", "random")


def _too_many_indices(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a[0, 1]` of an array with one dimension: an index less."""
    dimensions = int(found["dimensions"])
    for node in scene.every(ast.Subscript):
        if not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) <= dimensions:
            continue
        elts = node.slice.elts
        owner = scene.text(node.value)
        why = f"`{owner}` has {dimensions} dimension{'s' * (dimensions != 1)}, and {len(elts)} indices were given."
        for kept, prior in ((elts[:dimensions], 0.46), (elts[-dimensions:], 0.44)):
            text = ", ".join(scene.text(one) for one in kept)
            if all(isinstance(one, ast.Slice) for one in kept) and len(elts) > 1:
                prior = 0.3
            yield scene.proposal([scene.put(node.slice, text)], why, "indices that fit", prior)
        if dimensions == 1 and isinstance(elts[0], ast.Slice):
            new = f"{scene.operand(node.value)}.reshape(-1, 1)"
            why = f"{why} As a table of one column it has two dimensions."
            yield scene.proposal([scene.put(node.value, new)], why, "table of one column", 0.3)


def _turned(scene: Scene, node: ast.Subscript, parts: list[ast.expr], index: int, axis: int) -> Iterator[Proposal]:
    """`img[column, row]`: `img[row, column]`, where the index fits the other axis."""
    first, second = map(scene.text, parts)
    shape = scene.shape(node.value)
    if first != second and not any(isinstance(part, ast.Slice) for part in parts):
        fits = shape is not None and len(shape) == 2 and index < shape[1 - axis]
        why = f"The row comes first, then the column: there is no {index} along axis {axis}."
        yield scene.proposal(
            [scene.put(node.slice, f"{second}, {first}")], why, "row and column turned", 0.7 if fits else 0.3
        )


def _out_of_bounds(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """An index one too high: counted from 1, or a loop that runs one too far."""
    index, size = int(found["index"]), int(found["size"])
    axis = int(found["axis"])
    for node in scene.every(ast.Subscript):
        yield from _label_that_is_text(scene, node, index)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        place = parts[axis] if axis < len(parts) else None
        if place is not None and index == size and counts(place):
            why = f"Indices are counted from 0: the last of {size} is {size - 1}."
            yield scene.proposal([scene.after(place, " - 1")], why, "last index", 0.9)
        if len(parts) == 2 and place is not None:
            yield from _turned(scene, node, parts, index, axis)
        if not isinstance(place, ast.Constant) or place.value != index:
            continue
        if index == size:
            why = f"Indices are counted from 0: the last of {size} is {size - 1}."
            yield scene.proposal([scene.put(place, str(size - 1))], why, "last index", 0.6)
        else:
            why = f"There are {size}, counted from 0; `-1` is the last."
            yield scene.proposal([scene.put(place, "-1")], why, "last index", 0.3)
    if index == size:
        yield from _loop_too_far(scene, size)


def _label_that_is_text(scene: Scene, node: ast.Subscript, index: int) -> Iterator[Proposal]:
    """`codes[10]` of a column whose labels are texts: before version 3 pandas takes the number for a place."""
    value = scene.value(node.value)
    if value is None or value.type != "pandas.Series" or str(index) not in value.labels:
        return
    name = ast.dump(node.value)
    asked = [one.slice for one in scene.cell.every(ast.Subscript) if ast.dump(one.value) == name]
    numbers = [one for one in asked if isinstance(one, ast.Constant) and type(one.value) is int]
    edits = [scene.put(one, f'"{one.value!r}"') for one in numbers if str(one.value) in value.labels]
    if edits:
        why = f"The keys of `{scene.text(node.value)}` are texts, and {index} is a number."
        yield scene.proposal(edits, why, "key of another type", 0.93)


def _loop_too_far(scene: Scene, size: int) -> Iterator[Proposal]:
    """`for i in range(len(a)): … a[i + 1]`, `range(1, len(a) + 1)`: the loop ends one earlier."""
    used = {node.id for node in scene.every(ast.Name)}
    for loop in scene.loops():
        if not isinstance(loop.target, ast.Name) or loop.target.id not in used or not isinstance(loop.iter, ast.Call):
            continue
        if called(loop.iter) != "range" or not loop.iter.args:
            continue
        stop = loop.iter.args[1] if len(loop.iter.args) > 1 else loop.iter.args[0]
        text = scene.text(stop)
        end = stop.left if isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add) else None
        one_more = end is not None and isinstance(stop, ast.BinOp) and ast.unparse(stop.right) == "1"
        new = scene.text(end) if end is not None and one_more else f"{text} - 1"
        why = f"There are {size}, counted from 0, and the loop asks for one more; it ends one earlier."
        yield scene.proposal([scene.put(stop, new)], why, "end of the loop", 0.72)
        name = loop.target.id
        shifted = [
            node.slice
            for node in scene.every(ast.Subscript)
            if isinstance(node.slice, ast.Name) and node.slice.id == name and one_more
        ]
        if shifted:
            edits = [scene.put(node, f"{name} - 1") for node in shifted]
            yield scene.proposal(edits, "The loop counts from 1, indices from 0.", "counted from 0", 0.6)


def _whole_index(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A float where a whole number is needed: `//`, or `int`."""
    nodes: list[ast.expr] = []
    for node in scene.every(ast.Subscript):
        if not isinstance(node.slice, (ast.Slice, ast.Tuple)):
            nodes.append(node.slice)
        elif isinstance(node.slice, ast.Slice):
            nodes += [one for one in (node.slice.lower, node.slice.upper, node.slice.step) if one is not None]
        else:
            for part in node.slice.elts:
                ends = (part.lower, part.upper, part.step) if isinstance(part, ast.Slice) else (part,)
                nodes += [one for one in ends if one is not None]
    for call in scene.calls():
        if called(call) in ("zeros", "ones", "empty", "full", "range", "linspace", "arange", "eye", "reshape", *_RANDOM,
                            "identity", "randint", "repeat", "tile", "choice", "head", "sample"):  # fmt: skip
            nodes += (
                call.args
                if called(call) in ("range", *_RANDOM)
                else call.args[:1]
                if called(call) != "linspace"
                else call.args[2:3]
            )
            nodes += [one.value for one in call.keywords if one.arg in ("num", "size", "shape", "n")]
    divided = [one for one in nodes if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Div)]
    slashes = []
    for division in divided:
        left, right = scene.cell.span(division.left)[1], scene.cell.span(division.right)[0]
        slash = scene.cell.source.index("/", left, right)
        slashes.append(SpanEdit(slash, slash + 1, "//"))
    parts = [part for one in divided for part in ast.walk(one)]
    if slashes and not any(isinstance(part, ast.Constant) and isinstance(part.value, float) for part in parts):
        why = "`/` gives a float, and a whole number is needed here; `//` divides and rounds down."
        yield scene.proposal(slashes, why, "whole division", 0.9)
    for one in nodes:
        if one in divided:
            continue
        if isinstance(one, ast.Constant) and isinstance(one.value, float) and one.value.is_integer():
            yield scene.proposal(
                [scene.put(one, str(int(one.value)))], "A whole number is needed here.", "whole number", 0.92
            )
        elif isinstance(one, (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript)):
            kind = scene.type(one)
            if kind == "ndarray":
                text = f"{scene.operand(one)}.astype(int)"
                why = f"`{scene.text(one)}` holds floats; indices are whole numbers."
                yield scene.proposal([scene.put(one, text)], why, "whole indices", 0.86)
            elif (
                kind in ("float", "float64", "float32", "") and not isinstance(one, ast.Subscript)
            ) or kind.startswith("float"):
                text = f"int({scene.text(one)})"
                why = f"`{scene.text(one)}` is a float; `int` makes a whole number of it."
                yield scene.proposal([scene.put(one, text)], why, "whole number", 0.8 if kind else 0.6)
            elif kind == "" and isinstance(one, ast.Subscript):
                why = f"`{scene.text(one)}` is a float; `int` makes a whole number of it."
                yield scene.proposal([scene.put(one, f"int({scene.text(one)})")], why, "whole number", 0.8)


def _shape_as_tuple(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`np.random.rand((3, 4))`: `np.random.rand(3, 4)`; `range(a.shape)`: `range(a.shape[0])`."""
    for call in scene.calls("rand", "randn"):
        if len(call.args) == 1:
            shape = call.args[0]
            text = scene.text(shape).strip("()") if isinstance(shape, ast.Tuple) else f"*{scene.operand(shape)}"
            why = f"`{called(call)}` takes the sizes one by one, not as a tuple."
            yield scene.proposal([scene.put(shape, text)], why, "sizes one by one", 0.93)
    for call in scene.calls("range"):
        for one in call.args:
            if (isinstance(one, ast.Attribute) and one.attr == "shape") or scene.type(one) == "tuple":
                why = f"`{scene.text(one)}` has a size for each axis; `[0]` is that of the first."
                yield scene.proposal([scene.after(one, "[0]")], why, "first size", 0.82)


def _array_as_number(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """An array where one whole number is needed: `range(a)`, a list asked for several places."""
    for call in scene.calls("range"):
        for one in call.args:
            text = scene.text(one)
            why = f"`{text}` is an array; `range` wants its length."
            yield scene.proposal([scene.put(one, f"len({text})")], why, "length of the array", 0.8)
    np, imports = scene.module("numpy")
    for call in scene.calls("max", "min", "amax", "amin"):
        if len(call.args) == 2 and isinstance(call.func, ast.Attribute) and scene.meaning(call.func.value) == "numpy":
            name = "maximum" if "max" in called(call) else "minimum"
            why = f"`{called(call)}` takes one array, and an axis behind it; `{name}` compares two, pair by pair."
            yield scene.proposal([scene.put(call.func, f"{np}.{name}")], why, "of each pair", 0.93)
    for node in scene.every(ast.Subscript):
        if scene.type(node.value) in ("list", "tuple"):
            text = f"{np}.array({scene.text(node.value)})"
            why = (
                f"`{scene.text(node.value)}` is a list, which is asked for one place at a time; an array gives several."
            )
            yield scene.proposal([scene.put(node.value, text), *imports], why, "list as an array", 0.85)
    yield from joined(scene, found)


def _element(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A sequence is put where one value belongs: the slice of its length, or one of its values."""
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Subscript):
        return
    target, value = statement.targets[0], statement.value
    text = scene.operand(value)
    size = len(value.elts) if isinstance(value, (ast.List, ast.Tuple)) else None
    length = str(size) if size is not None else f"len({scene.text(value)})"
    if not isinstance(target.slice, (ast.Slice, ast.Tuple)):
        start = scene.text(target.slice)
        end = length if start == "0" else f"{start} + {length}"
        why = f"One element can't hold several values; the slice has room for {length}."
        yield scene.proposal([scene.put(target.slice, f"{start}:{end}")], why, "slice of the length", 0.46)
    why = f"One element holds one value: the first of `{scene.text(value)}`."
    yield scene.proposal([scene.put(value, f"{text}[0]")], why, "one value", 0.36)


def _differences(scene: Scene, mask: ast.expr) -> bool:
    """Whether a mask tells of differences of neighbours, by what its names were assigned."""
    names = {one.id for one in ast.walk(mask) if isinstance(one, ast.Name)}
    cells = [scene.cell, *(read(one.source) for one in scene.failure.situation.earlier)]
    assigned = [
        node.value
        for cell in cells
        for node in cell.every(ast.Assign)
        if any(isinstance(target, ast.Name) and target.id in names for target in node.targets)
    ]
    calls = [part for value in (mask, *assigned) for part in ast.walk(value) if isinstance(part, ast.Call)]
    return any(called(call) in ("diff", "ediff1d", "pct_change") for call in calls)


def _mask(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A mask along the wrong axis, or of neighbours: `prices[np.diff(prices) > 0]` has one value less."""
    sizes = re.search(r"size of axis is (\d+) but size of corresponding boolean axis is (\d+)", found.string)
    fewer = int(sizes[1]) - int(sizes[2]) if sizes else 0
    for node in scene.every(ast.Subscript):
        if 0 < fewer <= 3 and len(scene.shape(node.value) or (0,)) == 1 and not isinstance(node.slice, ast.Tuple):
            why = f"The mask has {fewer} less than `{scene.text(node.value)}`; the {{}} left out."
            at_start, at_end = (f"{word} is" if fewer == 1 else f"{word} {fewer} are" for word in ("first", "last"))
            differences = _differences(scene, node.slice)
            edit = scene.after(node.value, f"[{fewer}:]")
            yield scene.proposal([edit], why.format(at_start), "same length", 0.8 if differences else 0.47)
            edit = scene.after(node.value, f"[:-{fewer}]")
            yield scene.proposal([edit], why.format(at_end), "same length", 0.38 if differences else 0.45)
            continue
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            first, second = node.slice.elts
            edits = [scene.put(first, scene.text(second)), scene.put(second, scene.text(first))]
            why = f"The mask has as many values as the other axis of `{scene.text(node.value)}` is long."
            yield scene.proposal(edits, why, "mask of the other axis", 0.75)
        elif not isinstance(node.slice, (ast.Constant, ast.Slice)):
            edit = scene.put(node.slice, f":, {scene.text(node.slice)}")
            why = f"The mask has as many values as `{scene.text(node.value)}` has columns."
            yield scene.proposal([edit], why, "mask of the other axis", 0.7)
            if scene.type(node.slice) in ("ndarray", "list", "Series"):
                mask, owner = scene.operand(node.slice), scene.operand(node.value)
                new = f"{owner}[:len({mask})][{mask}]"
                why = f"`{mask}` is shorter than `{owner}`; only as much of that is looked at."
                yield scene.proposal([scene.put(node, new)], why, "same length", 0.3)


places: Rule = answers(
    "places",
    (r"too many indices for array: array is (?P<dimensions>[1-9])-dimensional", _too_many_indices),
    (r"index (?P<index>\d+) is out of bounds for axis (?P<axis>\d+) with size (?P<size>\d+)", _out_of_bounds),
    (r"only integers, slices|arrays used as indices must be of integer|expected a sequence of integers or a single"
     r"|'(?:float|numpy\.float\d+)' object cannot be interpreted as an integer|slice indices must be integers"
     r"|cannot be interpreted as an index|cannot do (?:positional|slice) indexing", _whole_index),
    (r"'tuple' object cannot be interpreted as an integer", _shape_as_tuple),
    (r"only integer scalar arrays can be converted to a scalar index", _array_as_number),
    (r"setting an array element with a sequence\.$", _element),
    (r"boolean index did not match indexed array", _mask),
)  # fmt: skip

RULES = (places,)
