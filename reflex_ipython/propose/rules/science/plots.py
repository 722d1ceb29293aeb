"""What matplotlib draws: data of different lengths, labels, images, the file that it is saved in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of

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


def is_drawing(method: str) -> bool:
    """Whether that is what axes do, and no array: an array that is asked for it holds axes.

    Parameters
    ----------
    method : str
        Its name.
    """
    return method in _DRAWS or method.startswith("set_")


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
            edit = SpanEdit(*scene.cell.span(labels), f"labels={scene.operand(names)}[:len({scene.text(data)})]")
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


def _image_of_texts(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """An image of numbers that are texts."""
    np, imports = scene.module("numpy")
    for call in scene.calls("imshow", "matshow", "pcolormesh", "contourf"):
        for data in call.args[-1:]:
            edit = scene.put(data, f"{np}.array({scene.text(data)}).astype(float)")
            why = "The image holds texts; `astype(float)` makes numbers of them."
            yield scene.proposal([edit, *imports], why, "numbers of an image", 0.9)


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


def _file_format(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`savefig("a.pgn")`: the closest format that is there."""
    word = closest(found["wrong"], [one.strip() for one in found["formats"].split(",")])
    for node in scene.every(ast.Constant) if word else ():
        if isinstance(node.value, str) and node.value.endswith(found["wrong"]):
            text = scene.text(node)
            at = text.rindex(found["wrong"])
            edit = scene.put(node, f"{text[:at]}{word}{text[at + len(found['wrong']) :]}")
            why = f"There is no format `{found['wrong']}`; the closest is `{word}`."
            yield scene.proposal([edit], why, "closest format", 0.93)


def _figure_size(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`figsize=8`: a width and a height."""
    for call in scene.calls():
        given = keyword(call, "figsize")
        if given is None or isinstance(given.value, (ast.Tuple, ast.List)):
            continue
        text = scene.text(given.value)
        why = "`figsize` is a width and a height in inches; "
        same, flat = f"({text}, {text})", f"({text}, 0.75 * {text})"
        edit = scene.put(given.value, same)
        yield scene.proposal([edit], f"{why}here both are the same.", "width and height", 0.47)
        edit = scene.put(given.value, flat)
        yield scene.proposal([edit], f"{why}here the height is three quarters of the width.", "width and height", 0.44)


def _wedges(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`plt.pie([-3, -2])`: the sizes without their signs."""
    for call in scene.calls("pie"):
        given = keyword(call, "x")
        sizes = call.args[0] if call.args else given.value if given else None
        if sizes is not None:
            why = "A wedge can't be negative; `abs` takes the sign away."
            edit = scene.put(sizes, f"[abs(value) for value in {scene.text(sizes)}]")
            yield scene.proposal([edit], why, "sizes without signs", 0.8)


def _pyplot(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`import matplotlib as plt`: `import matplotlib.pyplot as plt`."""
    for name, meaning in scene.failure.situation.meanings.items():
        asked = any(isinstance(node.value, ast.Name) and node.value.id == name for node in scene.every(ast.Attribute))
        if meaning != "matplotlib" or name == "matplotlib" or not asked:
            continue
        why = f"`{name}` is `matplotlib` itself; what draws is in `matplotlib.pyplot`."
        written = [
            node
            for node in scene.cell.every(ast.alias)
            if node.name == "matplotlib" and (node.asname or node.name) == name
        ]
        if written:
            edits = [SpanEdit(*scene.cell.span(node), f"matplotlib.pyplot as {name}") for node in written]
        else:
            edits = [import_edit(scene.cell, [f"import matplotlib.pyplot as {name}"])]
        yield scene.proposal(edits, why, "module that draws", 0.96)


plots: Rule = answers(
    "plots",
    (r"Image data of dtype \S+ cannot be converted to float", _image_of_texts),
    (r"x and y must have same first dimension|x and y must be the same size|cannot be broadcast to a single shape"
     r"|x and y can be no greater than 2D|has an unequal size of|whose shape matches", _lengths),
    (r"number of FixedLocator locations \((?P<ticks>\d+)\).*number of labels \((?P<labels>\d+)\)", _labels),
    (r"'labels?' must be of length 'x'|label must be of length", _pie_labels),
    (r"Invalid (?:shape|dimensions) \(?(?P<shape>[\d, ]+)\)? for image data", _image),
    (r"colorbar\(\) missing", _colour_bar),
    (r"Format '(?P<wrong>\w+)' is not supported \(supported formats: (?P<formats>[^)]*)\)", _file_format),
    (r"'(?:int|float)' (?:has no len\(\)|object is not (?:iterable|subscriptable))"
     r"|cannot unpack non-iterable (?:int|float)", _figure_size),
    (r"Wedge sizes 'x' must be non negative", _wedges),
    (r"module 'matplotlib' has no attribute", _pyplot),
    (r"FileNotFoundError: .*No such file or directory: '(?P<path>[^']+/[^']+)'|non-existent directory: '(?P<p2>[^']+)'",
     _folder),
)  # fmt: skip

RULES = (plots,)
