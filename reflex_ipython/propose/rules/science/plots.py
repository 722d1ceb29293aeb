"""matplotlib: grids of axes, lengths that differ, colours and markers that are none, what belongs to the figure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of

_COLOURS = (
    "red", "green", "blue", "black", "white", "yellow", "orange", "purple", "pink", "brown", "gray", "grey", "cyan",
    "magenta", "lime", "navy", "teal", "olive", "maroon", "gold", "silver", "coral", "salmon", "skyblue", "lightblue",
    "darkblue", "lightgreen", "darkgreen", "darkred", "crimson", "indigo", "violet", "turquoise", "tomato", "orchid",
    "steelblue", "royalblue", "dodgerblue", "slateblue", "firebrick", "chocolate", "khaki", "plum", "lavender", "beige",
    "darkorange", "lightgray", "darkgray", "lightgrey", "darkgrey", "seagreen", "forestgreen", "limegreen", "hotpink",
    "deeppink", "deepskyblue", "cornflowerblue", "lightcoral", "lightpink", "lightyellow", "aqua", "fuchsia", "tan",
)  # fmt: skip
_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "star": "*", "cross": "x", "diamond": "D", "plus": "+",
            "point": ".", "dot": ".", "pentagon": "p", "hexagon": "h", "O": "o", "S": "s", "*-": "*", "line": "_",
            "circles": "o", "round": "o", "o-": "o", "X-": "X", "triangle_up": "^", "triangle_down": "v"}  # fmt: skip
_DRAWS = frozenset(
    [
        "plot",
        "scatter",
        "bar",
        "barh",
        "hist",
        "imshow",
        "set_title",
        "set_xlabel",
        "set_ylabel",
        "legend",
        "grid",
        "pie",
        "boxplot",
        "set_xlim",
        "set_ylim",
        "axhline",
        "axvline",
        "fill_between",
        "errorbar",
        "contour",
        "contourf",
        "pcolormesh",
        "step",
        "stem",
        "text",
        "annotate",
        "tick_params",
        "set",
        "axis",
        "violinplot",
        "set_xticks",
        "set_yticks",
        "set_xticklabels",
        "set_yticklabels",
        "twinx",
        "semilogy",
        "semilogx",
        "loglog",
    ]
)
_PAIRS = frozenset(
    [
        "plot",
        "scatter",
        "bar",
        "barh",
        "fill_between",
        "errorbar",
        "step",
        "stem",
        "semilogx",
        "semilogy",
        "loglog",
        "lineplot",
    ]
)


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
    if found["wanted"] not in _DRAWS and not found["wanted"].startswith("set_"):
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
            yield scene.proposal([scene.put(owner, f"{text}{index}[0]")], why, "first axes", 0.35)
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


def _tuple_of_subplots(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`ax = plt.subplots()`: it gives the figure and the axes."""
    owners = {ast.unparse(node.value) for node in scene.every(ast.Attribute) if node.attr == found["wanted"]}
    for node in scene.cell.every(ast.Assign):
        target = node.targets[0]
        made = isinstance(node.value, ast.Call) and called(node.value) == "subplots"
        if made and isinstance(target, ast.Name) and target.id in owners:
            why = "`subplots` gives two things: the figure and its axes."
            yield scene.proposal([scene.put(target, f"fig, {target.id}")], why, "figure and axes", 0.96)


def _lengths(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`plt.plot(x, y)` of different lengths: the longer is cut."""
    for call in scene.calls(*_PAIRS):
        given = [one for one in call.args[:3] if not (isinstance(one, ast.Constant) and isinstance(one.value, str))]
        if len(given) < 2:
            continue
        x, y = given[:2]
        one, other = scene.operand(x), scene.operand(y)
        if isinstance(x, ast.Call) and called(x) in ("range", "arange") and len(x.args) == 1:
            why = f"`{scene.text(y)}` has another length than `{scene.text(x)}`; this counts its own places."
            yield scene.proposal([scene.put(x.args[0], f"len({scene.text(y)})")], why, "same length", 0.86)
        elif isinstance(x, ast.Call) and called(x) == "linspace":
            edits = [scene.argument(x, f"len({scene.text(y)})")]
            if len(x.args) > 2:
                edits = [scene.put(x.args[2], f"len({scene.text(y)})")]
            why = f"`linspace` gives as many values as `{scene.text(y)}` has."
            yield scene.proposal(edits, why, "same length", 0.84)
        for node, text, shorter, prior in ((x, one, other, 0.46), (y, other, one, 0.46)):
            why = f"The lengths of `{scene.text(x)}` and `{scene.text(y)}` differ; the first of the longer are used."
            size = scene.shape(node)
            limit = scene.shape(y if node is x else x)
            if size and limit and size[0] <= limit[0]:
                continue
            yield scene.proposal([scene.put(node, f"{text}[:len({shorter})]")], why, "same length", prior)
            yield scene.proposal([scene.put(node, f"{text}[-len({shorter}):]")],
                                 why.replace("first", "last"), "same length", 0.34)  # fmt: skip


def _colour(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A colour that is none: the closest that is one."""
    for node in scene.every(ast.Constant):
        wrong = node.value
        if not isinstance(wrong, str) or wrong in _COLOURS or not re.fullmatch(r"[a-zA-Z ]{3,20}", wrong):
            continue
        named = found.groupdict().get("wrong")
        if named and named != wrong:
            continue
        joined = wrong.lower().replace(" ", "")
        near = joined if joined in _COLOURS else closest(joined, _COLOURS, fixed=True)
        parents = [one for call in scene.calls() for one in call.keywords if one.value is node]
        if near and (named or any(one.arg in ("color", "c", "facecolor", "edgecolor", "fc", "ec") for one in parents)):
            text = scene.text(node)
            edit = scene.put(node, f"{text[-1]}{near}{text[-1]}")
            yield scene.proposal(
                [edit], f"There is no colour {wrong!r}; the closest is {near!r}.", "closest colour", 0.9
            )


def _marker(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for node in scene.every(ast.Constant):
        if node.value == found["wrong"] and (new := _MARKERS.get(found["wrong"])):
            text = scene.text(node)
            edit = scene.put(node, f"{text[-1]}{new}{text[-1]}")
            yield scene.proposal([edit], f"Markers go by signs: that of {node.value!r} is {new!r}.", "marker", 0.93)


def _format(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`"red-"`: a colour by its name can't be part of a format."""
    wrong = found["wrong"]
    colour = next((one for one in sorted(_COLOURS, key=len, reverse=True) if wrong.startswith(one)), None)
    short = re.match(r"([bgrcmykw]?)([.,ov^<>12348spP*hH+xXDd|_]?)(--|-\.|:|-)?", wrong)
    for call in scene.calls():
        for argument in call.args:
            if isinstance(argument, ast.Constant) and argument.value == wrong:
                text = scene.text(argument)
                if colour:
                    rest = wrong[len(colour) :]
                    end = scene.cell.span(call)[1] - 1
                    edits = [Edit(end, end, f', color="{colour}"')]
                    edits.append(
                        scene.put(argument, f"{text[-1]}{rest}{text[-1]}") if rest else scene.without(call, argument)
                    )
                    why = "A format has one letter for a colour; by its name a colour is given as `color`."
                    yield scene.proposal(edits, why, "colour of the format", 0.9)
                elif short and short.group():
                    why = f"A format is one colour, one marker and one line; of {wrong!r} that is {short.group()!r}."
                    edit = scene.put(argument, f"{text[-1]}{short.group()}{text[-1]}")
                    yield scene.proposal([edit], why, "format", 0.55)


def _style(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`"seaborn"`: `"seaborn-v0_8"`, as matplotlib calls them since 3.6."""
    wrong = found["wrong"]
    offered = ("ggplot", "fivethirtyeight", "bmh", "classic", "dark_background", "grayscale", "tableau-colorblind10",
               "fast", "Solarize_Light2", "seaborn-v0_8", "default")  # fmt: skip
    for node in scene.every(ast.Constant):
        if node.value != wrong:
            continue
        text = scene.text(node)
        if wrong.startswith("seaborn"):
            new = wrong.replace("seaborn", "seaborn-v0_8", 1)
            why = "matplotlib 3.6 renamed its seaborn styles: they carry `v0_8` now."
            prior = 0.96
        else:
            new, prior = closest(wrong, offered, fixed=True) or "", 0.9
            new = new or next((one for one in offered if wrong.lower().startswith(one.lower())), "")
            why = f"There is no style {wrong!r}; the closest is {new!r}."
        if new:
            yield scene.proposal([scene.put(node, f"{text[-1]}{new}{text[-1]}")], why, "renamed style", prior)


def _three_dimensions(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Axes that are drawn on in three dimensions: they are made with `projection="3d"`."""
    for call in scene.cell.every(ast.Call):
        if called(call) == "subplots" and not keyword(call, "subplot_kw"):
            edit = scene.argument(call, 'subplot_kw={"projection": "3d"}')
        elif called(call) in ("add_subplot", "axes", "subplot") and not keyword(call, "projection"):
            edit = scene.argument(call, 'projection="3d"')
        elif called(call) == "gca" and not call.args:
            end = scene.cell.span(call.func)[1]
            edit = Edit(end - 3, scene.cell.span(call)[1], 'add_subplot(projection="3d")')
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
            edit = Edit(end - len("subplot"), end, "subplots")
            why = "`subplots` makes the whole grid; `subplot` one place of it."
            yield scene.proposal([edit], why, "whole grid", 0.9 if unpacked else 0.45)
            why = "`subplot` takes rows, columns, and which of the places."
            yield scene.proposal([scene.argument(call, "1")], why, "place in the grid", 0.3 if unpacked else 0.5)


def _labels(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """As many labels as there are ticks."""
    ticks, labels = int(found["ticks"]), int(found["labels"])
    for call in scene.calls("xticks", "yticks"):
        if len(call.args) == 2:
            one, other = call.args
            node, text = (one, scene.operand(one)) if ticks > labels else (other, scene.operand(other))
            limit = scene.text(other if ticks > labels else one)
            why = f"There are {ticks} ticks and {labels} labels; only as many are used as there are of both."
            yield scene.proposal([scene.put(node, f"{text}[:len({limit})]")], why, "as many labels as ticks", 0.66)
    for call in scene.calls("set_xticklabels", "set_yticklabels"):
        owner, data = owner_of(call), call.args[0] if call.args else None
        if owner is None or data is None:
            continue
        if labels > ticks:
            why = f"There are {ticks} ticks and {labels} labels; the first labels are used."
            edit = scene.put(data, f"{scene.operand(data)}[:{ticks}]")
            yield scene.proposal([edit], why, "as many labels as ticks", 0.44)
        axis = called(call)[4]
        text = f"{scene.text(owner)}.set_{axis}ticks(range(len({scene.text(data)})), {scene.text(data)}"
        more = "".join(f", {scene.cell.source[slice(*scene.cell.span(one))]}" for one in call.keywords)
        why = f"There are {ticks} ticks and {labels} labels; each label is given a tick of its own."
        yield scene.proposal([scene.put(call, f"{text}{more})")], why, "as many ticks as labels", 0.55)


def _pie_labels(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("pie", "bar", "barh"):
        labels = keyword(call, "labels")
        if call.args and labels is not None:
            data, names = call.args[0], labels.value
            edit = scene.put(data, f"{scene.operand(data)}[:len({scene.text(names)})]")
            why = "There are fewer labels than values; the first values are drawn."
            yield scene.proposal([edit], why, "as many values as labels", 0.45)
            edit = Edit(*scene.cell.span(labels), f"labels={scene.operand(names)}[:len({scene.text(data)})]")
            yield scene.proposal([edit], "There are more labels than values.", "as many labels as values", 0.5)
            yield scene.proposal(
                [scene.without(call, labels)], "The labels do not fit the values.", "without labels", 0.4
            )


def _image(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A shape that is no image's: laid out in rows, or without the axes of length 1."""
    shape = [int(one) for one in re.findall(r"\d+", found["shape"])]
    for call in scene.calls("imshow", "imsave", "matshow"):
        for data in call.args[:1]:
            text = scene.operand(data)
            array = scene.type(data) == "list" or isinstance(data, (ast.List, ast.ListComp))
            np, imports = scene.module("numpy")
            if 1 in shape and len(shape) > 1:
                why = f"An image has two dimensions, or three with its colours; in {tuple(shape)} some are 1."
                edits = [scene.put(data, f"{np}.squeeze({scene.text(data)})"), *imports]
                yield scene.proposal(edits, why, "image", 0.9)
            side = round(shape[0] ** 0.5) if len(shape) == 1 else 0
            if side > 1 and side * side == shape[0]:
                text = f"{np}.array({scene.text(data)})" if array else text
                why = f"{shape[0]} values are a square of {side} by {side}."
                edits = [scene.put(data, f"{text}.reshape({side}, {side})"), *(imports if array else [])]
                yield scene.proposal(edits, why, "image", 0.86)
            elif len(shape) == 1:
                why = "An image has two dimensions; this is one of a single row."
                yield scene.proposal([scene.put(data, f"[{scene.text(data)}]")], why, "image", 0.6)
            elif len(shape) == 3 and shape[0] in (1, 3, 4) and shape[2] not in (3, 4):
                text = f"{np}.moveaxis({scene.text(data)}, 0, -1)"
                why = f"An image has its colours last; of {tuple(shape)} they come first."
                yield scene.proposal([scene.put(data, text), *imports], why, "image", 0.86 if shape[0] != 1 else 0.5)
            elif len(shape) == 4:
                why = "These are several images; the first is shown."
                yield scene.proposal([scene.after(data, "[0]")], why, "image", 0.6)


def _colour_bar(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A colour bar of nothing: of the image that the axes show."""
    for call in scene.calls("colorbar"):
        if "missing" not in found.string or call.args:
            continue
        drawn = [
            one
            for one in scene.cell.every(ast.Call)
            if called(one) in ("imshow", "scatter", "contourf", "contour", "pcolormesh", "hexbin", "pcolor", "matshow")
        ]
        if not drawn:
            continue
        last = drawn[-1]
        owner = owner_of(last)
        shown = any(node.value is last for node in scene.cell.every(ast.Expr))
        kind = "images" if called(last) in ("imshow", "matshow") else "collections"
        if shown and owner is not None:
            edits = [scene.put(last, f"image = {scene.text(last)}"), scene.argument(call, "image")]
            why = f"A colour bar belongs to what `{called(last)}` has drawn."
            yield scene.proposal(edits, why, "colours of the bar", 0.9)
            text = f"{scene.text(owner)}.{kind}[-1]"
            yield scene.proposal([scene.argument(call, text)], why, "colours of the bar", 0.6)


def _folder(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`plt.savefig("out/plot.png")` where there is no such folder: it is made first."""
    path = found["path"]
    folder = path.rpartition("/")[0]
    for call in scene.calls(
        "savefig", "to_csv", "to_excel", "to_json", "to_pickle", "to_parquet", "save", "savetxt", "dump"
    ):
        constants = [one for one in call.args if isinstance(one, ast.Constant) and one.value == path]
        statement = scene.statement()
        if folder and constants and statement is not None:
            from reflex_ipython.propose.rules.placement import import_edit

            edits = [scene.line_above(statement, f'os.makedirs("{folder}", exist_ok=True)')]
            if "os" not in scene.failure.situation.meanings.values():
                edits.append(import_edit(scene.cell, ["import os"]))
            why = f"There is no folder `{folder}`; it is made first."
            yield scene.proposal(edits, why, "folder made first", 0.88)


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


plots: Rule = answers(
    "plots",
    (r"'numpy\.ndarray' object has no attribute '(?P<wanted>\w+)'", _grid_asked),
    (r"'(?:Axes|AxesSubplot|Axes3D|PolarAxes)' object is not (?:subscriptable|iterable)", _single),
    (r"too many indices for array: array is 1-dimensional, but 2 were indexed", _one_row_of_axes),
    (r"'tuple' object has no attribute '(?P<wanted>\w+)'", _tuple_of_subplots),
    (r"x and y must have same first dimension|x and y must be the same size|cannot be broadcast to a single shape"
     r"|x and y can be no greater than 2D|has an unequal size of|whose shape matches", _lengths),
    (r"'(?P<wrong>[^']*)' is not a valid value for (?:\w*color|c)\b|Invalid RGBA argument: '(?P<w2>[^']*)'"
     r"|argument must be a (?:valid )?color|is not a valid color", _colour),
    (r"Unrecognized marker style '(?P<wrong>[^']*)'", _marker),
    (r"'(?P<wrong>[^']*)' is not a valid format string", _format),
    (r"OSError: '(?P<wrong>[^']*)' (?:is not a valid package style|not found in the style library)", _style),
    (r"'Axes(?:Subplot)?' object has no attribute '(?P<wanted>plot_surface|plot_wireframe|set_zlabel|set_zlim"
     r"|plot_trisurf|scatter3D|plot3D|bar3d|view_init|set_zticks|contour3D)'", _three_dimensions),
    (r"num must be an integer with 1 <= num <= (?P<most>\d+), not (?P<wrong>\d+)", _place_in_grid),
    (r"subplot\(\) takes 1 or 3 positional arguments", _subplot_arguments),
    (r"number of FixedLocator locations \((?P<ticks>\d+)\).*number of labels \((?P<labels>\d+)\)", _labels),
    (r"'labels?' must be of length 'x'|label must be of length", _pie_labels),
    (r"Invalid (?:shape|dimensions) \(?(?P<shape>[\d, ]+)\)? for image data", _image),
    (r"colorbar\(\) missing", _colour_bar),
    (r"FileNotFoundError: .*No such file or directory: '(?P<path>[^']+/[^']+)'|non-existent directory: '(?P<p2>[^']+)'",
     _folder),
    (r"(?:too many|not enough) values to unpack", _more_axes),
)  # fmt: skip

RULES = (plots,)
