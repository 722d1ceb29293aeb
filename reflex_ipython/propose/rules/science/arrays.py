"""numpy arrays: shapes that do not fit, axes and indices that are not there, types that can't hold the result."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from math import prod

from reflex_ipython.base.spans import Edit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of

_JOINS = ("concatenate", "vstack", "hstack", "stack", "column_stack", "dstack", "row_stack", "concat", "block")
_RANDOM = ("rand", "randn", "standard_normal", "reshape", "random")
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.FloorDiv: "//", ast.Mod: "%"}


def _products(scene: Scene) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The operands of matrix products."""
    for node in scene.every(ast.BinOp):
        if isinstance(node.op, ast.MatMult):
            yield node.left, node.right
    for call in scene.calls("dot", "matmul", "inner"):
        owner = owner_of(call)
        if owner is not None and len(call.args) == 1:
            yield owner, call.args[0]
        elif len(call.args) == 2:
            yield call.args[0], call.args[1]


def _not_aligned(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`A @ B` where only a transposed side or another order fits."""
    for left, right in _products(scene):
        first, second = scene.shape(left), scene.shape(right)
        one, other = scene.operand(left), scene.operand(right)
        ways = ((left, f"{one}.T", first), (right, f"{other}.T", second))
        known = f" of shapes {first} and {second}" if first and second else ""
        why = f"The inner dimensions of `{one}` and `{other}`{known} differ; with `{{}}` they agree."
        for node, text, shape in ways:
            if shape is None or len(shape) == 2:
                yield scene.proposal([scene.put(node, text)], why.format(text), "transposed side", 0.7)
        both = [scene.put(left, f"{one}.T"), scene.put(right, f"{other}.T")]
        yield scene.proposal(both, why.format(f"{one}.T` and `{other}.T"), "transposed sides", 0.3)
        swapped = [scene.put(left, other), scene.put(right, one)]
        yield scene.proposal(swapped, why.format("the other order"), "other order", 0.4)


def _not_broadcast(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`A / A.sum(axis=1)`: one value a row needs a column of its own."""
    operations: list[ast.BinOp | ast.Compare] = [*scene.every(ast.BinOp), *scene.every(ast.Compare)]
    for node in operations:
        sides = [node.left, *([node.right] if isinstance(node, ast.BinOp) else node.comparators)]
        if len(sides) != 2:
            continue
        for side in sides:
            text = scene.operand(side)
            reductions = [call for call in ast.walk(side) if isinstance(call, ast.Call) and keyword(call, "axis")]
            if reductions and isinstance(side, ast.Call) and not keyword(side, "keepdims"):
                why = f"`{text}` lost an axis; `keepdims` keeps it, so that there is one value for each of the other's."
                yield scene.proposal([scene.argument(side, "keepdims=True")], why, "axis kept", 0.88)
                continue
            shape = scene.shape(side)
            if isinstance(side, ast.Constant) or (shape is not None and len(shape) != 1):
                if shape is not None and len(shape) == 2:
                    why = f"`{text}` is turned on its side, so that the shapes agree."
                    yield scene.proposal([scene.put(side, f"{text}.T")], why, "transposed side", 0.32)
                continue
            why = f"`{text}` has one dimension; as a column it has a value for each row of the other."
            both_flat = all((scene.shape(one) or (0,))[1:] == () and scene.shape(one) for one in sides)
            prior = 0.25 if both_flat else 0.78 if shape is not None else 0.5
            yield scene.proposal([scene.put(side, f"{text}[:, None]")], why, "one value a row", prior)
        shapes = [scene.shape(side) for side in sides]
        if all(shape is not None and len(shape) == 1 for shape in shapes):
            yield from _cut(scene, sides, [shape[0] for shape in shapes if shape])


def _cut(scene: Scene, sides: list[ast.expr], lengths: list[int]) -> Iterator[Proposal]:
    """The longer of two is cut to the length of the shorter: at its end, or at its start."""
    long, short = (0, 1) if lengths[0] > lengths[1] else (1, 0)
    text, other = scene.operand(sides[long]), scene.operand(sides[short])
    why = f"`{text}` has {lengths[long]} values and `{other}` {lengths[short]}; only the {{}} of the longer are used."
    for new, what, prior in ((f"{text}[:len({other})]", "first", 0.45), (f"{text}[-len({other}):]", "last", 0.35)):
        yield scene.proposal([scene.put(sides[long], new)], why.format(what), "same length", prior)


def _reshaped(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a.reshape(5, 4)` of 12 values: the dimension that can't be becomes -1."""
    size = int(found["size"])
    for call in scene.calls("reshape", "resize", "view"):
        given = list(call.args)
        owner = owner_of(call)
        if owner is not None and scene.meaning(owner) == "numpy":
            given = given[1:]
        if len(given) == 1 and isinstance(given[0], ast.Tuple):
            given = list(given[0].elts)
        wanted = [int(one) for one in re.findall(r"-?\d+", found["shape"])]
        if len(wanted) != len(given):
            continue
        for place, node in enumerate(given):
            rest = prod(one for at, one in enumerate(wanted) if at != place)
            if rest > 0 and size % rest == 0:
                others = ", ".join(str(one) for at, one in enumerate(wanted) if at != place)
                why = f"{size} values don't fill {found['shape']}; beside {others} there is room for {size // rest}."
                first = not any(
                    size % prod(one for at, one in enumerate(wanted) if at != before) == 0 for before in range(place)
                )
                prior = 0.8 if first and len(wanted) <= 2 else 0.6
                yield scene.proposal([scene.put(node, "-1")], why, "dimension that fits", prior)


def _joined(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`np.concatenate(a, b)`: the arrays as one list."""
    for call in scene.calls(*_JOINS):
        if len(call.args) >= 2:
            plain = [one for one in call.args if not isinstance(one, ast.Constant)]
            start, end = scene.cell.span(plain[0])[0], scene.cell.span(plain[-1])[1]
            edits = [Edit(start, start, "["), Edit(end, end, "]")]
            yield scene.proposal(edits, f"`{called(call)}` takes what it joins as one list.", "list of arrays", 0.95)


def _dimensions(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Joining a table with a row or a column: the row or column is given its second dimension."""
    for call in scene.calls(*_JOINS, "append"):
        parts = (
            list(call.args[0].elts) if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else call.args[:2]
        )
        flat = [one for one in parts if (shape := scene.shape(one)) is not None and len(shape) == 1]
        if not flat:
            flat = [one for one in parts if scene.shape(one) is None]
        for as_column in (False, True):
            edits = []
            for one in flat:
                text = scene.operand(one)
                edits.append(scene.put(one, f"{text}[:, None]" if as_column else f"{text}[None, :]"))
            what = "column" if as_column else "row"
            why = f"All that is joined needs two dimensions; `{scene.text(flat[0])}` becomes a {what}." if flat else ""
            if edits:
                yield scene.proposal(edits, why, f"joined as a {what}", 0.8)
        if called(call) in ("vstack", "concatenate") and len(parts) > 1:
            name = scene.text(call.func)[: -len(called(call))]
            shapes = [scene.shape(one) for one in parts]
            if all(shape and len(shape) == 2 for shape in shapes):
                edits = [scene.put(call.func, f"{name}hstack")]
                yield scene.proposal(
                    edits, "The rows agree, the columns do not: side by side they fit.", "side by side", 0.6
                )


def _axis(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """An axis that the array does not have: the last that it has, or none."""
    wrong, dimensions = int(found["axis"]), int(found["dimensions"])
    for call in scene.calls():
        given = keyword(call, "axis")
        value = given.value if given else call.args[1] if len(call.args) == 2 else None
        if not isinstance(value, ast.Constant) or value.value != wrong:
            continue
        why = (
            f"The array has {dimensions} dimension{'s' * (dimensions != 1)}, counted from 0: there is no axis {wrong}."
        )
        if called(call) in _JOINS and dimensions == 1:
            if isinstance(call.func, ast.Attribute) and given is not None:
                name = scene.text(call.func.value)
                edits = [scene.put(call.func, f"{name}.column_stack"), scene.without(call, given)]
                yield scene.proposal(edits, f"{why} `column_stack` puts them side by side.", "side by side", 0.6)
                yield scene.proposal(
                    [scene.without(call, given)], f"{why} They are joined end to end.", "end to end", 0.42
                )
            continue
        last = scene.put(value, str(dimensions - 1))
        yield scene.proposal([last], f"{why} Its last is {dimensions - 1}.", "axis that is there", 0.72)
        if given is not None and dimensions == 1:
            why = f"{why} Without `axis` all values count."
            yield scene.proposal([scene.without(call, given)], why, "axis that is there", 0.6)


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


def _out_of_bounds(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """An index one too high: counted from 1, or a loop that runs one too far."""
    index, size = int(found["index"]), int(found["size"])
    axis = int(found["axis"])
    for node in scene.every(ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        place = parts[axis] if axis < len(parts) else None
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
        slashes.append(Edit(slash, slash + 1, "//"))
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
    for node in scene.every(ast.Subscript):
        if scene.type(node.value) in ("list", "tuple"):
            text = f"{np}.array({scene.text(node.value)})"
            why = (
                f"`{scene.text(node.value)}` is a list, which is asked for one place at a time; an array gives several."
            )
            yield scene.proposal([scene.put(node.value, text), *imports], why, "list as an array", 0.85)
    yield from _joined(scene, found)


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


def _inhomogeneous(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Rows of different lengths: an array of lists, or filled up."""
    for call in scene.calls("array", "asarray"):
        if not call.args:
            continue
        given = keyword(call, "dtype")
        new = "dtype=object"
        edit = Edit(*scene.cell.span(given), new) if given else scene.argument(call, new)
        why = "The rows have different lengths; an array of objects holds each as it is."
        yield scene.proposal([edit], why, "array of objects", 0.6)
        pd, imports = scene.module("pandas")
        text = f"{pd}.DataFrame({scene.text(call.args[0])}).to_numpy()"
        why = "The rows have different lengths; the shorter are filled up with NaN."
        yield scene.proposal([scene.put(call, text), *imports], why, "rows filled up", 0.4)


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


def _mask(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A mask along the wrong axis."""
    for node in scene.every(ast.Subscript):
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


def _seed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("seed", "RandomState"):
        value = call.args[0] if call.args else None
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            edit = scene.put(value, scene.text(value.operand))
            yield scene.proposal([edit], "A seed is not negative.", "seed", 0.75)
        elif value is not None:
            text = f"abs(hash({scene.text(value)})) % 2**32" if not isinstance(value, ast.Constant) else "0"
            yield scene.proposal(
                [scene.put(value, text)], "A seed is a whole number from 0 to 2**32 - 1.", "seed", 0.45
            )


def _sampling(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """More is drawn than there is: with replacement, or all there is."""
    for call in scene.calls("choice", "sample"):
        given = keyword(call, "replace")
        why = "More is drawn than there is; with replacement the same may come twice."
        edit = scene.put(given.value, "True") if given else scene.argument(call, "replace=True")
        yield scene.proposal([edit], why, "with replacement", 0.66)
        sizes = [one.value for one in call.keywords if one.arg in ("size", "n")] + call.args[1:2]
        owner = (
            scene.text(call.args[0])
            if called(call) == "choice" and call.args
            else scene.text(call.func).rpartition(".")[0]
        )
        if called(call) == "sample":
            sizes = [one.value for one in call.keywords if one.arg == "n"] + call.args[:1]
        for size in sizes[:1]:
            text = f"len({owner})" if not owner.isdigit() else owner
            why = "More is drawn than there is; without replacement there are no more than that."
            yield scene.proposal([scene.put(size, text)], why, "all there is", 0.3)


def _probabilities(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    np, imports = scene.module("numpy")
    for call in scene.calls("choice"):
        given = keyword(call, "p")
        if given is not None:
            text = scene.text(given.value)
            new = f"{np}.array({text}) / {np}.sum({text})"
            why = "Probabilities add up to 1; divided by their sum they do."
            yield scene.proposal([scene.put(given.value, new), *imports], why, "sum of one", 0.85)


def _one_axis_to_choose(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("choice"):
        if call.args:
            new = f"{scene.operand(call.args[0])}.ravel()"
            why = "`choice` draws from one dimension; `ravel` lays all values out in one."
            yield scene.proposal([scene.put(call.args[0], new)], why, "one dimension", 0.6)
            rows = f"{scene.operand(call.args[0])}[{scene.text(call.func)}(len({scene.text(call.args[0])}))]"
            yield scene.proposal([scene.put(call, rows)], "One of the rows is drawn.", "one row", 0.45)


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


def _unequal(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Two sequences of different lengths in one call: both cut to the shorter."""
    for call in scene.calls():
        given = [one for one in call.args if (shape := scene.shape(one)) is not None and len(shape) == 1]
        lengths = [(scene.shape(one) or (0,))[0] for one in given]
        if len(set(lengths)) == 2 and len(given) >= 2:
            long = [one for one, size in zip(given, lengths) if size == max(lengths)]
            short = next(one for one, size in zip(given, lengths) if size == min(lengths))
            for way, what, prior in (("[:len({})]", "first", 0.45), ("[-len({}):]", "last", 0.33)):
                edits = [scene.after(one, way.format(scene.text(short))) for one in long]
                why = f"`{scene.text(short)}` has {min(lengths)} values, others {max(lengths)}: the {what} are used."
                yield scene.proposal(edits, why, "same length", prior)


def _assigned_shape(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a[0:2] = values` with three of them."""
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Subscript):
        return
    target, value = statement.targets[0], scene.operand(statement.value)
    sizes = [int(one) for one in re.findall(r"\d+", found["given"])]
    room = [int(one) for one in re.findall(r"\d+", found["room"])]
    if len(sizes) == len(room) == 1:
        if isinstance(target.slice, ast.Slice) and target.slice.upper is not None:
            lower = scene.text(target.slice.lower) if target.slice.lower else "0"
            end = str(sizes[0]) if lower == "0" else f"{lower} + {sizes[0]}"
            why = f"There are {sizes[0]} values for {room[0]} places; the slice is as long as the values."
            yield scene.proposal([scene.put(target.slice, f"{lower}:{end}")], why, "slice of the length", 0.48)
        if sizes[0] > room[0]:
            why = f"There are {sizes[0]} values for {room[0]} places; the first are put there."
            yield scene.proposal([scene.put(statement.value, f"{value}[:{room[0]}]")], why, "values that fit", 0.42)
        if isinstance(target.slice, ast.Tuple) and len(target.slice.elts) == 2:
            first, second = (scene.text(one) for one in target.slice.elts)
            why = "Along the other axis there is room for the values."
            yield scene.proposal([scene.put(target.slice, f"{second}, {first}")], why, "other axis", 0.6)
    elif len(sizes) == 2 and sizes == room[::-1]:
        why = "The values are turned on their side, and fit."
        yield scene.proposal([scene.put(statement.value, f"{value}.T")], why, "transposed side", 0.85)
    elif len(sizes) == 1 and len(room) == 2 and sizes[0] == room[0]:
        yield scene.proposal(
            [scene.put(statement.value, f"{value}[:, None]")], "One value a row.", "one value a row", 0.85
        )


def _unpacked_shape(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`height, width = image.shape` of three sizes."""
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple):
        return
    target, value = statement.targets[0], statement.value
    names, is_shape = target.elts, isinstance(value, ast.Attribute) and value.attr == "shape"
    if is_shape and "too many" in found.string and isinstance(value, ast.Attribute):
        shape = scene.shape(value.value)
        why = (
            f"`{scene.text(value)}` has {len(shape) if shape else 'more'} sizes; the first {len(names)} are asked for."
        )
        edit = scene.after(value, f"[:{len(names)}]")
        yield scene.proposal([edit], why, "first sizes", 0.85)
    elif is_shape and len(names) == 2 and isinstance(value, ast.Attribute):
        text = f"{scene.operand(value.value)}.reshape(-1, 1).shape"
        why = f"`{scene.text(value.value)}` has one dimension; as a table of one column it has two."
        yield scene.proposal([scene.put(value, text)], why, "table of one column", 0.5)


def _lists(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Arithmetic on lists: as an array."""
    np, imports = scene.module("numpy")
    for node in scene.every(ast.BinOp):
        lists = [one for one in (node.left, node.right) if scene.type(one) == "list" or isinstance(one, ast.List)]
        if lists:
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


def _expanded(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("expand_dims"):
        for axis, prior in ((0, 0.46), (-1, 0.46)):
            why = f"`axis` says where the new dimension goes: {'first' if axis == 0 else 'last'}."
            yield scene.proposal([scene.argument(call, f"axis={axis}")], why, "new axis", prior)


arrays: Rule = answers(
    "arrays",
    (r"matmul: Input operand \d has a mismatch in its core dimension|shapes \S+ and \S+ not aligned",
     _not_aligned),
    (r"operands could not be broadcast together|Unable to coerce to Series|Lengths must be equal", _not_broadcast),
    (r"cannot reshape array of size (?P<size>\d+) into shape \((?P<shape>[-\d, ]+)\)", _reshaped),
    (r"TypeError: \w*(?:stack|concatenate|concat|block)\(\) (?:takes|got)|first argument must be an iterable of pandas"
     r"|arrays to stack must be passed as", _joined),
    (r"all the input array", _dimensions),
    (r"all the input array|all input arrays must have the same shape", _unequal),
    (r"axis (?P<axis>\d+) is out of bounds for array of dimension (?P<dimensions>\d+)", _axis),
    (r"too many indices for array: array is (?P<dimensions>[1-9])-dimensional", _too_many_indices),
    (r"index (?P<index>\d+) is out of bounds for axis (?P<axis>\d+) with size (?P<size>\d+)", _out_of_bounds),
    (r"only integers, slices|arrays used as indices must be of integer|expected a sequence of integers or a single"
     r"|'(?:float|numpy\.float\d+)' object cannot be interpreted as an integer|slice indices must be integers"
     r"|cannot be interpreted as an index|cannot do (?:positional|slice) indexing", _whole_index),
    (r"'tuple' object cannot be interpreted as an integer", _shape_as_tuple),
    (r"only integer scalar arrays can be converted to a scalar index", _array_as_number),
    (r"Cannot cast ufunc '\w+' output from dtype\('(?P<kind>\w+)'\)", _casting),
    (r"inhomogeneous shape", _inhomogeneous),
    (r"setting an array element with a sequence\.$", _element),
    (r"boolean index did not match indexed array", _mask),
    (r"Python integer (?P<number>-?\d+) out of bounds for (?P<kind>\w+)", _overflow),
    (r"Integers to negative integer powers", _powers),
    (r"Seed must be between|Cannot cast scalar from dtype.*according to the rule 'safe'", _seed),
    (r"Cannot take a larger sample than population", _sampling),
    (r"probabilities do not sum to 1", _probabilities),
    (r"ValueError: a must be 1-dimensional", _one_axis_to_choose),
    (r"LinAlgError: ", _matrices),
    (r"are not of the same length|expected x and y to have same length|must be the same size|same first dimension"
     r"|must have equal length|must all be same length|has an unequal size of|All arrays must be of the same length"
     r"|x and y must have the same length|inconsistent numbers of samples", _unequal),
    (r"could not broadcast input array from shape (?P<given>\([\d,]*\)) into shape (?P<room>\([\d,]*\))",
     _assigned_shape),
    (r"(?:too many|not enough) values to unpack", _unpacked_shape),
    (r"can't multiply sequence by non-int|can only concatenate list|unsupported operand type\(s\) for .*'list'"
     r"|list indices must be integers or slices, not tuple", _lists),
    (r"does not have enough dimensions|unsupported operand type\(s\) for .*'(?:builtin_function_or_method|method)'",
     _not_called),
    (r"expand_dims\(\) missing 1 required positional argument: 'axis'", _expanded),
)  # fmt: skip

RULES = (arrays,)
