"""numpy arrays whose shapes do not fit: products, broadcasting, reshaping, joining, axes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from math import prod

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of

_JOINS = ("concatenate", "vstack", "hstack", "stack", "column_stack", "dstack", "row_stack", "concat", "block")


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
        whole = prod(wanted) if min(wanted) > 0 and len(wanted) > 1 else 0
        batch = whole > 0 and size % whole == 0
        if batch:
            start = scene.cell.span(given[0])[0]
            why = f"{size} values are {size // whole} times {found['shape']}; `-1` counts how often."
            square = len(wanted) == 2 and wanted[0] == wanted[1]
            yield scene.proposal([SpanEdit(start, start, "-1, ")], why, "one more dimension", 0.85 if square else 0.48)
        for place, node in enumerate(given):
            rest = prod(one for at, one in enumerate(wanted) if at != place)
            if rest > 0 and size % rest == 0:
                others = ", ".join(str(one) for at, one in enumerate(wanted) if at != place)
                why = f"{size} values don't fill {found['shape']}; beside {others} there is room for {size // rest}."
                first = not any(
                    size % prod(one for at, one in enumerate(wanted) if at != before) == 0 for before in range(place)
                )
                prior = 0.8 if first and len(wanted) <= 2 else 0.6
                if any(isinstance(one, ast.BinOp) for one in given):  # what is worked out is what may be wrong
                    prior = 0.85 if isinstance(node, ast.BinOp) else 0.42
                prior = min(prior, 0.4) if batch else prior
                yield scene.proposal([scene.put(node, "-1")], why, "dimension that fits", prior)


def _nearest_size(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a.reshape(3, -1)` of 80 values, which 3 does not divide: the numbers beside it that do."""
    size, wanted = int(found["size"]), int(found["wanted"] or found["w2"])
    sizes = [one for one in range(2, size) if size % one == 0]
    above = next((one for one in sizes if one > wanted), None)
    below = next((one for one in reversed(sizes) if one < wanted), None)
    for call in scene.calls("reshape"):
        for node in [one for given in call.args for one in ast.walk(given)]:
            if isinstance(node, ast.Constant) and node.value == wanted:
                for one in filter(None, (above, below)):
                    why = f"{size} values can't be divided by {wanted}; {one} is the nearest number that divides them."
                    yield scene.proposal([scene.put(node, str(one))], why, "size that divides", 0.4)


def joined(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`np.concatenate(a, b)`: the arrays as one list."""
    for call in scene.calls(*_JOINS):
        if len(call.args) >= 2:
            plain = [one for one in call.args if not isinstance(one, ast.Constant)]
            start, end = scene.cell.span(plain[0])[0], scene.cell.span(plain[-1])[1]
            edits = [SpanEdit(start, start, "["), SpanEdit(end, end, "]")]
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
            why = f"All that is joined needs two dimensions; `{scene.text(flat[0])}` becomes {a(what)}." if flat else ""
            if edits:
                yield scene.proposal(edits, why, f"joined as {a(what)}", 0.8)
        if called(call) in ("vstack", "concatenate") and len(parts) > 1:
            name = scene.text(call.func)[: -len(called(call))]
            shapes = [scene.shape(one) for one in parts]
            yield from _turned(scene, call, parts, shapes)
            if all(shape and len(shape) == 2 for shape in shapes):
                edits = [scene.put(call.func, f"{name}hstack")]
                yield scene.proposal(
                    edits, "The rows agree, the columns do not: side by side they fit.", "side by side", 0.6
                )


def _turned(
    scene: Scene, call: ast.Call, parts: list[ast.expr], shapes: list[tuple[int, ...] | None]
) -> Iterator[Proposal]:
    """`np.vstack([X, new])` where `new` has as many rows as `X` has columns: `new.T`."""
    if len(parts) != 2 or keyword(call, "axis") is not None:
        return
    first, second = shapes
    if first is None or second is None or len(first) != 2 or len(second) != 2 or first[0] == second[0]:
        return
    for part, own, other in ((parts[1], second, first), (parts[0], first, second)):
        if own[0] == other[1]:
            text = f"{scene.operand(part)}.T"
            why = (
                f"`{scene.text(part)}` has {own[0]} rows and the other {other[1]} columns: turned on its side it fits."
            )
            yield scene.proposal([scene.put(part, text)], why, "transposed part", 0.85 if part is parts[1] else 0.45)


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


def _inhomogeneous(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Rows of different lengths: an array of lists, or filled up."""
    for call in scene.calls("array", "asarray"):
        if not call.args:
            continue
        given = keyword(call, "dtype")
        new = "dtype=object"
        edit = SpanEdit(*scene.cell.span(given), new) if given else scene.argument(call, new)
        why = "The rows have different lengths; an array of objects holds each as it is."
        yield scene.proposal([edit], why, "array of objects", 0.6)
        pd, imports = scene.module("pandas")
        text = f"{pd}.DataFrame({scene.text(call.args[0])}).to_numpy()"
        why = "The rows have different lengths; the shorter are filled up with NaN."
        yield scene.proposal([scene.put(call, text), *imports], why, "rows filled up", 0.4)
        yield from _by_row(scene, call, [scene.put(call, text), *imports], why)


_KNOW_NAN = ("mean", "sum", "std", "var", "min", "max", "median", "argmax", "argmin")


def _by_row(scene: Scene, call: ast.Call, edits: list[SpanEdit], why: str) -> Iterator[Proposal]:
    """Statistics of rows that were filled up pass over what was filled in."""
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or statement.value is not call:
        return
    names = {one.id for one in statement.targets if isinstance(one, ast.Name)}
    np, imports = scene.module("numpy")
    more = []
    for later in scene.cell.every(ast.Call):
        owner, axis = owner_of(later), keyword(later, "axis")
        if not isinstance(owner, ast.Name) or axis is None or called(later) not in _KNOW_NAN:
            continue
        if owner.id in names:
            more.append(scene.put(later, f"{np}.nan{called(later)}({owner.id}, axis={scene.text(axis.value)})"))
    if more:
        yield scene.proposal([*edits, *more, *imports], f"{why} Those are passed over.", "rows filled up", 0.6)


def _unequal(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Two sequences of different lengths in one call: both cut to the shorter."""
    for call in scene.calls():
        given = [one for one in call.args if (shape := scene.shape(one)) is not None and len(shape) == 1]
        lengths = [(scene.shape(one) or (0,))[0] for one in given]
        if len(set(lengths)) == 2 and len(given) >= 2:
            long = [one for one, size in zip(given, lengths) if size == max(lengths)]
            short = next(one for one, size in zip(given, lengths) if size == min(lengths))
            samples = "numbers of samples" in found.string  # which belong together, so that cutting mixes them up
            ways = (
                ("[:len({})]", "first", 0.2 if samples else 0.45),
                ("[-len({}):]", "last", 0.15 if samples else 0.33),
            )
            for way, what, prior in ways:
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


def _expanded(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("expand_dims"):
        for axis, prior in ((0, 0.46), (-1, 0.46)):
            why = f"`axis` says where the new dimension goes: {'first' if axis == 0 else 'last'}."
            yield scene.proposal([scene.argument(call, f"axis={axis}")], why, "new axis", prior)


shapes: Rule = answers(
    "shapes",
    (r"matmul: Input operand \d has a mismatch in its core dimension|shapes \S+ and \S+ not aligned",
     _not_aligned),
    (r"operands could not be broadcast together|Unable to coerce to Series|Lengths must be equal", _not_broadcast),
    (r"cannot reshape array of size (?P<size>\d+) into shape \((?P<shape>[-\d, ]+)\)", _reshaped),
    (r"cannot reshape array of size (?P<size>\d+) into shape \((?:(?P<wanted>\d+),newaxis|newaxis,(?P<w2>\d+))\)",
     _nearest_size),
    (r"TypeError: \w*(?:stack|concatenate|concat|block)\(\) (?:takes|got)|first argument must be an iterable of pandas"
     r"|arrays to stack must be passed as", joined),
    (r"all the input array", _dimensions),
    (r"all the input array|all input arrays must have the same shape", _unequal),
    (r"axis (?P<axis>\d+) is out of bounds for array of dimension (?P<dimensions>\d+)", _axis),
    (r"inhomogeneous shape", _inhomogeneous),
    (r"are not of the same length|expected x and y to have same length|must be the same size|same first dimension"
     r"|must have equal length|must all be same length|has an unequal size of|All arrays must be of the same length"
     r"|x and y must have the same length|inconsistent numbers of samples", _unequal),
    (r"could not broadcast input array from shape (?P<given>\([\d,]*\)) into shape (?P<room>\([\d,]*\))",
     _assigned_shape),
    (r"(?:too many|not enough) values to unpack", _unpacked_shape),
    (r"expand_dims\(\) missing 1 required positional argument: 'axis'", _expanded),
)  # fmt: skip

RULES = (shapes,)
