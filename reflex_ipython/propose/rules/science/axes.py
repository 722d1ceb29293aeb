"""Axes of matplotlib: grids of them, single ones, their number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.plots import is_drawing
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of


def _grids(scene: Scene) -> Iterator[tuple[str, ast.Call]]:
    """The names that the cell gives to axes of `subplots`, and its calls."""
    for node in scene.cell.every(ast.Assign):
        target = node.targets[0]
        if not isinstance(node.value, ast.Call) or called(node.value) != "subplots":
            continue
        if isinstance(target, ast.Tuple) and len(target.elts) == 2 and isinstance(target.elts[1], ast.Name):
            yield target.elts[1].id, node.value


def _grid_asked(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`axes[0].plot(x, y)` of a grid of two rows: the axes one after the other."""
    if not is_drawing(found["wanted"]):
        return
    for call in scene.calls(found["wanted"]):
        owner = owner_of(call)
        if isinstance(owner, ast.Subscript):
            text = scene.text(owner.value)
            start, end = scene.cell.span(owner.value)[1], scene.cell.span(owner)[1]
            index = scene.cell.source[start:end]
            why = f"`{text}{index}` is a row of axes; `flat` counts them one after the other."
            nodes = [
                node.value
                for node in scene.cell.every(ast.Subscript)
                if ast.unparse(node.value) == ast.unparse(owner.value) and not isinstance(node.slice, ast.Tuple)
            ]
            edits = [scene.put(node, f"{scene.operand(node)}.flat") for node in nodes]
            yield scene.proposal(edits, why, "axes one by one", 0.86)
            why = f"`{text}{index}` is a row of axes; this is its first."
            first = f"{text}{index}[0]" if isinstance(owner.slice, ast.Slice) else f"{text}{index[:-1]}, 0]"
            yield scene.proposal([scene.put(owner, first)], why, "first axes", 0.35)
        elif isinstance(owner, ast.Name):
            yield from _of_grid(scene, owner)


def _of_grid(scene: Scene, owner: ast.Name) -> Iterator[Proposal]:
    loops = [
        loop
        for loop in scene.loops()
        if owner.id in {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    ]
    grids = [name for name, _ in _grids(scene)]
    for loop in loops:
        for node in ast.walk(loop.iter):
            grid = isinstance(node, ast.Name) and (
                node.id in grids or scene.type(node) == "ndarray" or re.match(r"ax", node.id)
            )
            if grid and isinstance(node, ast.Name):
                why = f"The loop gives rows of axes; `{node.id}.flat` gives each of the axes."
                yield scene.proposal([scene.put(node, f"{node.id}.flat")], why, "axes one by one", 0.92)
    if not loops:
        names = [node for node in scene.cell.every(ast.Name) if node.id == owner.id and isinstance(node.ctx, ast.Load)]
        here = [node for node in names if not isinstance(_parent(scene, node), ast.Subscript)]
        shape = scene.shape(owner)
        two = (shape is not None and len(shape) == 2) or shape is None
        text = "[0, 0]" if two and shape is not None else "[0]"
        edits = [scene.put(node, f"{owner.id}{text}") for node in here]
        why = f"`{owner.id}` is an array of axes; `{owner.id}{text}` is the first of them."
        yield scene.proposal(edits, why, "first axes", 0.62)
        edits = [scene.put(node, f"{owner.id}.flat[-1]") for node in here]
        yield scene.proposal(edits, f"`{owner.id}` is an array of axes; this is the last of them.", "last axes", 0.3)


def _parent(scene: Scene, child: ast.AST) -> ast.AST | None:
    return next((node for node in scene.cell.nodes() if child in ast.iter_child_nodes(node)), None)


def _single(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`ax[0]` where `subplots` gave one: without an index; or `squeeze=False`."""
    for node in scene.every(ast.Subscript):
        inner = node
        text = ast.unparse(node.value)
        whole = [
            one
            for one in scene.cell.every(ast.Subscript)
            if ast.unparse(one.value) == text and isinstance(one.ctx, ast.Load)
        ]
        if isinstance(node.value, ast.Subscript):  # ax[1][0] of a single column
            why = f"`{text}` is one of the axes already."
            yield scene.proposal([scene.put(inner, scene.text(node.value))], why, "index less", 0.88)
            continue
        why = f"`{text}` is the axes itself, for there is only one: no index."
        edits = [scene.put(one, scene.text(one.value)) for one in whole]
        yield scene.proposal(edits, why, "index less", 0.88)
    names = dict(_grids(scene))
    for loop in scene.loops(failing=True):
        for part in ast.walk(loop.iter):
            if isinstance(part, ast.Name) and (part.id in names or scene.type(part) in ("Axes", "AxesSubplot")):
                np, imports = scene.module("numpy")
                why = f"`{part.id}` is one axes here; `atleast_1d` makes an array of it, however many there are."
                edits = [scene.put(part, f"{np}.atleast_1d({part.id})"), *imports]
                yield scene.proposal(edits, why, "array of one", 0.85)


def _one_row_of_axes(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`ax[0, 1]` where `subplots` gave one row: one index."""
    grids = dict(_grids(scene))
    for node in scene.every(ast.Subscript):
        if not isinstance(node.slice, ast.Tuple) or not isinstance(node.value, ast.Name) or len(node.slice.elts) != 2:
            continue
        call = grids.get(node.value.id)
        if call is None and not node.value.id.startswith("ax"):
            continue
        rows = [one.value for one in (call.args[:1] if call else ()) if isinstance(one, ast.Constant)]
        given = keyword(call, "nrows") if call else None
        first = (rows and rows[0] == 1) or (not rows and given is None)
        name = node.value.id
        whole = [
            one
            for one in scene.cell.every(ast.Subscript)
            if isinstance(one.value, ast.Name) and one.value.id == name and isinstance(one.slice, ast.Tuple)
        ]
        edits = [
            scene.put(one.slice, scene.text(one.slice.elts[1 if first else 0]))
            for one in whole
            if isinstance(one.slice, ast.Tuple)
        ]
        why = f"`{name}` has one {'row' if first else 'column'} of axes, and so one index."
        yield scene.proposal(edits, why, "index of one row", 0.9)


def _figure_in_two(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`fig, ax = plt.figure()`: `plt.subplots()`, which gives both."""
    for call in scene.calls("figure"):
        if isinstance(call.func, ast.Attribute):
            end = scene.cell.span(call.func)[1]
            edit = SpanEdit(end - len("figure"), end, "subplots")
            why = "`figure` gives the figure alone; `subplots` gives the figure and its axes."
            yield scene.proposal([edit], why, "figure and axes", 0.95)


def _tuple_of_subplots(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`ax = plt.subplots()`: it gives the figure and the axes."""
    owners = {ast.unparse(node.value) for node in scene.every(ast.Attribute) if node.attr == found["wanted"]}
    for node in scene.cell.every(ast.Assign):
        target = node.targets[0]
        made = isinstance(node.value, ast.Call) and called(node.value) == "subplots"
        if made and isinstance(target, ast.Name) and target.id in owners:
            why = "`subplots` gives two things: the figure and its axes."
            figure = re.match("fig", target.id) or found["wanted"] in _OF_FIGURES
            names = f"{target.id}, ax" if figure else f"fig, {target.id}"
            yield scene.proposal([scene.put(target, names)], why, "figure and axes", 0.96)


_OF_FIGURES = frozenset({"suptitle", "savefig", "tight_layout", "add_subplot", "colorbar", "supxlabel", "supylabel"})


def _swapped_names(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`ax, fig = plt.subplots()`: the figure comes first."""
    for node in scene.cell.every(ast.Assign):
        target = node.targets[0]
        if (
            not isinstance(node.value, ast.Call)
            or called(node.value) != "subplots"
            or not isinstance(target, ast.Tuple)
        ):
            continue
        names = [one.id if isinstance(one, ast.Name) else "" for one in target.elts]
        if len(names) == 2 and re.match("ax", names[0]) and re.match("f(?:ig|$)", names[1]):
            why = f"`subplots` gives the figure first, and then the axes: `{names[0]}` was the figure."
            yield scene.proposal([scene.put(target, f"{names[1]}, {names[0]}")], why, "figure and axes", 1.0)


def _three_dimensions(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Axes that are drawn on in three dimensions: they are made with `projection="3d"`."""
    for call in scene.cell.every(ast.Call):
        if called(call) == "subplots" and not keyword(call, "subplot_kw"):
            edit = scene.argument(call, 'subplot_kw={"projection": "3d"}')
        elif called(call) in ("add_subplot", "axes", "subplot") and not keyword(call, "projection"):
            edit = scene.argument(call, 'projection="3d"')
        elif called(call) == "gca" and not call.args:
            end = scene.cell.span(call.func)[1]
            edit = SpanEdit(end - 3, scene.cell.span(call)[1], 'add_subplot(projection="3d")')
        else:
            continue
        why = f'`{found["wanted"]}` belongs to axes in three dimensions, made with `projection="3d"`.'
        yield scene.proposal([edit], why, "three dimensions", 0.92)


def _place_in_grid(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`plt.subplot(2, 2, i)` from 0: places are counted from 1."""
    wrong, most = int(found["wrong"]), int(found["most"])
    for call in scene.calls("subplot", "add_subplot"):
        if len(call.args) != 3:
            continue
        place = call.args[2]
        if wrong == 0:
            why = "The places in a grid of plots are counted from 1."
            text = "1" if isinstance(place, ast.Constant) else f"{scene.operand(place)} + 1"
            yield scene.proposal([scene.put(place, text)], why, "counted from 1", 0.94)
        elif wrong > most:
            sizes = call.args[:2]
            for at, node in enumerate(sizes):
                other = sizes[1 - at]
                if isinstance(other, ast.Constant) and isinstance(other.value, int) and other.value > 0:
                    need = -(-wrong // other.value)
                    what = "rows" if at == 0 else "columns"
                    why = f"A grid of {most} has no place {wrong}; with {need} {what} it has."
                    yield scene.proposal([scene.put(node, str(need))], why, "larger grid", 0.5 if at == 0 else 0.4)
            yield scene.proposal([scene.put(place, str(most))], f"The last place is {most}.", "last place", 0.3)


def _subplot_arguments(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("subplot"):
        end = scene.cell.span(call.func)[1]
        if len(call.args) == 2:
            unpacked = isinstance(scene.statement(), ast.Assign)
            edit = SpanEdit(end - len("subplot"), end, "subplots")
            why = "`subplots` makes the whole grid; `subplot` one place of it."
            yield scene.proposal([edit], why, "whole grid", 0.9 if unpacked else 0.45)
            why = "`subplot` takes rows, columns, and which of the places."
            yield scene.proposal([scene.argument(call, "1")], why, "place in the grid", 0.3 if unpacked else 0.5)


def _more_axes(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`fig, (a, b, c) = plt.subplots(1, 2)`: as many as are unpacked."""
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return
    call, target = statement.value, statement.targets[0]
    if called(call) != "subplots" or not isinstance(target, ast.Tuple) or len(target.elts) != 2:
        return
    inner = target.elts[1]
    if not isinstance(inner, ast.Tuple):
        return
    need = len(inner.elts)
    if all(isinstance(one, ast.Name) for one in inner.elts):
        why = f"{need} axes are unpacked; the grid is made that large."
        if len(call.args) == 2:
            rows = call.args[0]
            one_row = isinstance(rows, ast.Constant) and rows.value == 1
            both = all(isinstance(one, ast.Constant) for one in call.args)
            sizes = [one.value for one in call.args if isinstance(one, ast.Constant)]
            if both and sizes and int(str(sizes[0])) * int(str(sizes[1])) == need and 1 not in sizes:
                half = int(str(sizes[1]))
                names = [scene.text(one) for one in inner.elts]
                rows_of = [", ".join(names[at : at + half]) for at in range(0, need, half)]
                text = ", ".join(f"({one})" for one in rows_of)
                why = "The axes come in rows, and are unpacked row by row."
                yield scene.proposal([scene.put(inner, f"({text})")], why, "rows of axes", 0.93)
                return
            node = call.args[1] if one_row else call.args[0]
            yield scene.proposal([scene.put(node, str(need))], why, "as many axes", 0.82)
        elif len(call.args) == 1:
            yield scene.proposal([scene.put(call.args[0], str(need))], why, "as many axes", 0.82)
        elif not call.args:
            yield scene.proposal([scene.argument(call, f"1, {need}")], why, "as many axes", 0.7)


axes: Rule = answers(
    "axes",
    (r"cannot unpack non-iterable Figure object", _figure_in_two),
    (r"'numpy\.ndarray' object has no attribute '(?P<wanted>\w+)'", _grid_asked),
    (r"'(?:Axes|AxesSubplot|Axes3D|PolarAxes)' object is not (?:subscriptable|iterable)", _single),
    (r"too many indices for array: array is 1-dimensional, but 2 were indexed", _one_row_of_axes),
    (r"'tuple' object has no attribute '(?P<wanted>\w+)'", _tuple_of_subplots),
    (r"'Figure' object has no attribute", _swapped_names),
    (r"'Axes(?:Subplot)?' object has no attribute '(?P<wanted>plot_surface|plot_wireframe|set_zlabel|set_zlim"
     r"|plot_trisurf|scatter3D|plot3D|bar3d|view_init|set_zticks|contour3D)'", _three_dimensions),
    (r"num must be an integer with 1 <= num <= (?P<most>\d+), not (?P<wrong>\d+)", _place_in_grid),
    (r"subplot\(\) takes 1 or 3 positional arguments", _subplot_arguments),
    (r"(?:too many|not enough) values to unpack", _more_axes),
)  # fmt: skip

RULES = (axes,)
