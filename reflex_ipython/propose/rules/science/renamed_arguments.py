"""Arguments that a function does not take any more, or takes by another name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.misspelt_argument import failing_keyword
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.science.scene import Scene, called
from reflex_ipython.propose.rules.statements import failing_cell

# By argument: what it is called now. More than one: the first that the function takes.
_RENAMED: dict[str, tuple[str, ...]] = {
    "line_terminator": ("lineterminator",),
    "sheetname": ("sheet_name",),
    "sheet": ("sheet_name",),
    "parse_cols": ("usecols",),
    "cols": ("subset", "columns", "usecols"),
    "closed": ("inclusive",),
    "colour": ("color", "c"),
    "colors": ("color", "c"),
    "size": ("s", "fontsize", "figsize", "markersize", "edgecolor"),
    "figuresize": ("figsize",),
    "fig_size": ("figsize",),
    "position": ("loc",),
    "location": ("loc",),
    "axisbg": ("facecolor",),
    "normed": ("density",),
    "labels": ("tick_labels",),
    "font_size": ("fontsize",),
    "line_width": ("linewidth",),
    "width": ("linewidth",),
    "line_style": ("linestyle",),
    "style": ("linestyle", "ls"),
    "ticklabels": ("tick_labels",),
    "transparency": ("alpha",),
    "opacity": ("alpha",),
    "filename": ("fname", "filepath_or_buffer", "path_or_buf"),
    "seed": ("random_state",),
    "random_seed": ("random_state",),
    "k": ("n_clusters", "n_neighbors", "n_splits", "n_components"),
    "n_folds": ("n_splits",),
    "folds": ("cv",),
    "affinity": ("metric",),
    "n_iter": ("max_iter", "n_iter_no_change"),
    "max_iters": ("max_iter",),
    "iterations": ("max_iter",),
    "epochs": ("max_iter",),
    "base_estimator": ("estimator",),
    "sparse": ("sparse_output",),
    "n_trees": ("n_estimators",),
    "depth": ("max_depth",),
    "lr": ("learning_rate",),
    "neighbors": ("n_neighbors",),
    "clusters": ("n_clusters",),
    "components": ("n_components",),
    "test_ratio": ("test_size",),
    "testsize": ("test_size",),
    "trainsize": ("train_size",),
    "label": ("labels", "tick_labels"),
    "by": ("by",),
    "column": ("columns", "subset", "usecols"),
    "columns": ("subset", "usecols", "column", "on"),
    "axes": ("axis", "ax"),
    "sep_": ("sep",),
    "separator": ("sep", "delimiter"),
    "delimeter": ("delimiter", "sep"),
    "encodings": ("encoding",),
    "skip_rows": ("skiprows",),
    "key": ("on", "by"),
    "type": ("kind", "how"),
    "plot_type": ("kind",),
    "join": ("how",),
    "order": ("ascending", "kind"),
    "dim": ("axis",),
    "fill": ("fill_value", "value"),
    "reverse": ("ascending",),
    "shape": ("size", "newshape"),
    "newshape": ("shape",),
    "average": ("average", "method"),
    "min_size": ("min_periods",),
    "decimals": ("decimals", "ndigits"),
    "y_hat": ("y_pred",),
    "pred": ("y_pred",),
    "interpolation": ("method",),
    "squeeze": (),
    "rotate": ("rotation",),
    "fontcolor": ("color",),
    "text": ("s", "label"),
    "x_label": ("xlabel",),
    "y_label": ("ylabel",),
    "bin": ("bins",),
    "nbins": ("bins",),
}
# Arguments whose time is over: without them the function does what they asked for, or as near as it comes.
_DROPPED: dict[str, float] = {
    "infer_datetime_format": 0.95, "mangle_dupe_cols": 0.95, "tupleize_cols": 0.95, "warn_bad_lines": 0.95,
    "datetime_is_numeric": 0.95, "iid": 0.95, "presort": 0.95, "algorithm": 0.85, "multi_class": 0.9, "n_jobs": 0.9,
    "precompute_distances": 0.95, "normalize": 0.7, "date_parser": 0.7, "freq": 0.8, "convert_dates": 0.5,
    "encoding": 0.85, "squeeze": 0.6, "prefix": 0.4, "inplace": 0.6, "join_axes": 0.4, "min_impurity_split": 0.75,
    "copy": 0.8, "pad": 0.5, "verbose": 0.75, "keep_date_col": 0.7, "fastpath": 0.9, "sep": 0.7, "delimiter": 0.7,
    "low_memory": 0.8, "hold": 0.9, "shade": 0.5, "sort": 0.6, "figsize": 0.4, "probability": 0.6,
}  # fmt: skip


def changed_argument(failure: Failure) -> Iterator[Proposal]:
    """`to_csv(line_terminator=…)`: `lineterminator`; `read_csv(infer_datetime_format=True)`: without it."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "argument" or cell is None:
        return
    keyword = failing_keyword(failure, cell)
    if keyword is None:
        return
    scene = Scene(failure, cell)
    call = next(call for call in cell.every(ast.Call) if keyword in call.keywords)
    yield from _special(scene, call, keyword, lookup.wanted)
    given = {one.arg for one in call.keywords}
    words = [word for word in _RENAMED.get(lookup.wanted, ()) if word in lookup.available or not lookup.available]
    start = cell.span(keyword)[0]
    for place, word in enumerate(word for word in words if word not in given):
        edit = SpanEdit(start, start + len(lookup.wanted), word)
        why = f"`{called(call)}` takes no argument `{lookup.wanted}`; `{word}` is what says that."
        yield scene.proposal([edit], why, "renamed argument", 0.85 if place == 0 else 0.4)
    if lookup.wanted in _DROPPED:
        why = f"`{called(call)}` takes no argument `{lookup.wanted}` any more; without it, it does its default."
        prior = _DROPPED[lookup.wanted]
        yield scene.proposal([scene.without(call, keyword)], why, "dropped argument", prior)


def _special(scene: Scene, call: ast.Call, keyword: ast.keyword, wanted: str) -> Iterator[Proposal]:
    """Arguments that became a function of their own, or another argument with another value."""
    function, value = called(call), keyword.value
    constant = value.value if isinstance(value, ast.Constant) else None
    drop = scene.without(call, keyword)
    end = SpanEdit(scene.cell.span(call)[1], scene.cell.span(call)[1], "")

    def answer(edits: list[SpanEdit], why: str, prior: float = 0.92) -> Proposal:
        return scene.proposal(edits, why, "changed argument", prior)

    def instead(text: str) -> list[SpanEdit]:
        return [SpanEdit(*scene.cell.span(keyword), text)]

    if wanted == "error_bad_lines":
        yield answer(instead('on_bad_lines="skip"' if constant is False else 'on_bad_lines="error"'),
                     "Since pandas 2 `on_bad_lines` says what becomes of lines with too many fields.")  # fmt: skip
    elif wanted == "delim_whitespace" and constant is True:
        yield answer(instead('sep=r"\\s+"'), "pandas 3 has no `delim_whitespace`; `\\s+` splits at any white space.")
    elif wanted == "squeeze" and constant is True and function.startswith("read_"):
        yield answer([drop, end._replace(text='.squeeze("columns")')],
                     "pandas 2 moved `squeeze` from the readers to the tables that they give.")  # fmt: skip
    elif wanted == "take_last":
        yield answer(instead('keep="last"' if constant else 'keep="first"'), "`keep` says which one stays.")
    elif wanted == "how" and function == "resample" and isinstance(constant, str):
        yield answer([drop, end._replace(text=f".{constant}()")], f"What `how` said is a method now: `.{constant}()`.")
    elif wanted == "method" and function in ("fillna", "replace") and isinstance(constant, str):
        new = {"pad": "ffill", "backfill": "bfill"}.get(constant, constant)
        if function == "fillna" and isinstance(call.func, ast.Attribute):
            name_end = scene.cell.span(call.func)[1]
            edits = [drop, SpanEdit(name_end - len("fillna"), name_end, new)]
            yield answer(edits, f"pandas 3 has no `method` in `fillna`; `{new}` is a method of its own.", 0.95)
    elif wanted == "level" and isinstance(call.func, ast.Attribute):
        name = scene.cell.span(call.func)[1] - len(function) - 1
        text = f".groupby(level={scene.text(value)})"
        why = f"pandas 2 has no `level` in `{function}`; the groups of that level are aggregated instead."
        yield answer([drop, SpanEdit(name, name, text)], why)
    elif wanted == "by" and function == "sort_index" and isinstance(call.func, ast.Attribute):
        name_end = scene.cell.span(call.func)[1]
        yield answer([SpanEdit(name_end - len(function), name_end, "sort_values")], "`sort_values` sorts by columns.")
    elif wanted == "squared" and function == "mean_squared_error":
        yield from _root(scene, call, drop, constant)
    elif wanted in ("reverse", "descending") and function in ("sort", "argsort"):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if owner is not None and scene.meaning(owner) == "numpy":
            why = f"`{function}` of numpy only sorts upwards; `[::-1]` turns the result round."
            yield answer([drop, end._replace(text="[::-1]")], why)
        elif owner is not None and scene.type(owner) in ("Series", "DataFrame"):
            yield answer(instead("ascending=False"), "pandas says `ascending`.")
    elif wanted == "projection" and function == "gca" and isinstance(call.func, ast.Attribute):
        name_end = scene.cell.span(call.func)[1]
        why = "`gca` takes no `projection` any more; `add_subplot` makes axes with one."
        yield answer([SpanEdit(name_end - 3, name_end, "add_subplot")], why)
    elif wanted in ("projection", "polar") and function == "subplots":
        text = f'subplot_kw={{"{wanted}": {scene.text(value)}}}'
        yield answer(
            instead(text), f"`subplots` takes what each of its axes is made with, as `{wanted}`, in `subplot_kw`."
        )
    elif wanted == "figsize":
        yield from _figure_size(scene, call, keyword, drop)
    elif wanted == "font_size" or (wanted == "size" and function in ("title", "xlabel", "ylabel", "text", "legend")):
        yield answer(instead(f"fontsize={scene.text(value)}"), "Texts have a `fontsize`.")


def _root(scene: Scene, call: ast.Call, drop: SpanEdit, constant: object) -> Iterator[Proposal]:
    """`mean_squared_error(a, b, squared=False)`: `root_mean_squared_error(a, b)`."""
    if constant is not False:
        yield scene.proposal([drop], "The squared error is what this function gives.", "changed argument", 0.95)
        return
    np, imports = scene.module("numpy")
    start, end = scene.cell.span(call)
    edits = [drop, SpanEdit(start, start, f"{np}.sqrt("), SpanEdit(end, end, ")"), *imports]
    why = "scikit-learn has no `squared` any more; the root of the mean squared error is what `squared=False` gave."
    yield scene.proposal(edits, why, "changed argument", 0.93)


def _figure_size(scene: Scene, call: ast.Call, keyword: ast.keyword, drop: SpanEdit) -> Iterator[Proposal]:
    """`plt.plot(x, y, figsize=(8, 4))`: a figure of that size first."""
    statement = scene.statement()
    if statement is None or not isinstance(call.func, ast.Attribute):
        return
    plt, imports = scene.module("matplotlib.pyplot")
    if scene.meaning(call.func.value) == "matplotlib.pyplot":
        above = scene.line_above(statement, f"{plt}.figure(figsize={scene.text(keyword.value)})")
        why = f"The size belongs to the figure, not to what `{called(call)}` draws in it."
        yield scene.proposal([above, drop, *imports], why, "size of the figure", 0.88)
    else:
        owner = scene.text(call.func.value)
        above = scene.line_above(statement, f"{owner}.figure.set_size_inches({scene.text(keyword.value)})")
        why = f"The size belongs to the figure of `{owner}`."
        yield scene.proposal([above, drop], why, "size of the figure", 0.8)
