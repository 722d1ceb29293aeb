"""Arguments that a function does not take any more, or takes by another name or value."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.misspelt_argument import failing_keyword
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called
from reflex_ipython.propose.rules.statements import failing_cell

_WORDS = re.compile(r"'([^']*)'")

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

_RENAMED_VALUES: dict[str, str] = {
    "deviance": "log_loss", "log": "log_loss", "mse": "squared_error", "mae": "absolute_error", "ls": "squared_error",
    "lad": "absolute_error", "huber_": "huber", "squared_loss": "squared_error", "auto": "sqrt",
    "mean_squared_error": "neg_mean_squared_error", "mean_absolute_error": "neg_mean_absolute_error",
    "rmse": "neg_root_mean_squared_error", "auc": "roc_auc", "full": "outer", "record": "records", "lines": "line",
    "top right": "upper right", "top left": "upper left", "bottom right": "lower right", "top center": "upper center",
    "bottom left": "lower left", "top": "upper center", "bottom": "lower center", "dash": "dashed", "dot": "dotted",
    "dots": "dotted", "circle": "o", "square": "s", "triangle": "^", "star": "*", "cross": "x", "diamond": "D",
    "plus": "+", "point": ".", "dot_": ".", "none": "None", "regression": "squared_error", "average": "mean",
    "avg": "mean", "l2_": "l2", "dotdash": "dashdot", "seaborn": "seaborn-v0_8", "histogram": "hist",
    "columns_": "columns", "median_": "median", "mode": "most_frequent", "right": "right", "joint": "inner",
}  # fmt: skip
_SCORES = {"mse": "neg_mean_squared_error", "mae": "neg_mean_absolute_error"}


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
        edit = Edit(start, start + len(lookup.wanted), word)
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
    end = Edit(scene.cell.span(call)[1], scene.cell.span(call)[1], "")

    def answer(edits: list[Edit], why: str, prior: float = 0.92) -> Proposal:
        return scene.proposal(edits, why, "changed argument", prior)

    def instead(text: str) -> list[Edit]:
        return [Edit(*scene.cell.span(keyword), text)]

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
            edits = [drop, Edit(name_end - len("fillna"), name_end, new)]
            yield answer(edits, f"pandas 3 has no `method` in `fillna`; `{new}` is a method of its own.", 0.95)
    elif wanted == "level" and isinstance(call.func, ast.Attribute):
        name = scene.cell.span(call.func)[1] - len(function) - 1
        text = f".groupby(level={scene.text(value)})"
        why = f"pandas 2 has no `level` in `{function}`; the groups of that level are aggregated instead."
        yield answer([drop, Edit(name, name, text)], why)
    elif wanted == "by" and function == "sort_index" and isinstance(call.func, ast.Attribute):
        name_end = scene.cell.span(call.func)[1]
        yield answer([Edit(name_end - len(function), name_end, "sort_values")], "`sort_values` sorts by columns.")
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
        yield answer([Edit(name_end - 3, name_end, "add_subplot")], why)
    elif wanted in ("projection", "polar") and function == "subplots":
        text = f'subplot_kw={{"{wanted}": {scene.text(value)}}}'
        yield answer(
            instead(text), f"`subplots` takes what each of its axes is made with, as `{wanted}`, in `subplot_kw`."
        )
    elif wanted == "figsize":
        yield from _figure_size(scene, call, keyword, drop)
    elif wanted == "font_size" or (wanted == "size" and function in ("title", "xlabel", "ylabel", "text", "legend")):
        yield answer(instead(f"fontsize={scene.text(value)}"), "Texts have a `fontsize`.")


def _root(scene: Scene, call: ast.Call, drop: Edit, constant: object) -> Iterator[Proposal]:
    """`mean_squared_error(a, b, squared=False)`: `root_mean_squared_error(a, b)`."""
    if constant is not False:
        yield scene.proposal([drop], "The squared error is what this function gives.", "changed argument", 0.95)
        return
    np, imports = scene.module("numpy")
    start, end = scene.cell.span(call)
    edits = [drop, Edit(start, start, f"{np}.sqrt("), Edit(end, end, ")"), *imports]
    why = "scikit-learn has no `squared` any more; the root of the mean squared error is what `squared=False` gave."
    yield scene.proposal(edits, why, "changed argument", 0.93)


def _figure_size(scene: Scene, call: ast.Call, keyword: ast.keyword, drop: Edit) -> Iterator[Proposal]:
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


# ------------------------------------------------------------------------------------------------ values


def _named_values(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """An argument's value that is none of those that the message lists."""
    wrong = found["wrong"]
    offered = [word for word in _WORDS.findall(found["offered"]) if word != wrong]
    yield from _values(scene, wrong, offered, message="Did you mean" in found.string)


def _values(scene: Scene, wrong: str, offered: list[str], *, message: bool = False) -> Iterator[Proposal]:
    words: list[tuple[str, float]] = []
    known = _SCORES.get(wrong, "") if "neg_mean_squared_error" in offered else _RENAMED_VALUES.get(wrong, "")
    if known and (known in offered or not offered or known == "None"):
        words.append((known, 0.9))
    same = [word for word in offered if word.lower() == wrong.lower().strip()]
    near = closest(wrong, offered, fixed=True)
    words += [(word, 0.92) for word in [*same, *([near] if near and near not in same else [])]]
    # What a library itself suggests is in the order of likeness.
    if message and len(offered) <= 3:
        words += [(word, 0.7 if place == 0 else 0.4) for place, word in enumerate(offered)]
    for word in dict(words):
        prior = max(prior for one, prior in words if one == word)
        edits = [scene.put(node, _quoted(scene, node, word)) for node in _constants(scene, wrong)]
        if edits:
            why = f"`{wrong!r}` is none of the values that can be given here; `{word!r}` is."
            yield scene.proposal(edits, why, "closest value", prior)


def _constants(scene: Scene, wrong: str) -> list[ast.Constant]:
    """Where the wrong value is written: in the failing statement, else anywhere in the cell."""
    here = [node for node in scene.every(ast.Constant) if node.value == wrong]
    return here or [node for node in scene.cell.every(ast.Constant) if node.value == wrong]


def _quoted(scene: Scene, node: ast.Constant, word: str) -> str:
    text = scene.text(node)
    if word == "None":
        return "None"
    quote = text[-1] if text[-1:] in "'\"" else "'"
    return f"{quote}{word}{quote}"


def _number_as_text(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`n_estimators="10"`, `n_neighbors=3.0`: the whole number."""
    name, given = found["name"], found["given"]
    number = given.strip("'\"")
    if "an int" not in found["kind"] or not re.fullmatch(r"-?\d+(\.0*)?", number):
        return
    for call in scene.cell.every(ast.Call):
        for keyword in call.keywords:
            if keyword.arg == name and isinstance(keyword.value, ast.Constant):
                edit = scene.put(keyword.value, number.partition(".")[0])
                yield scene.proposal([edit], f"`{name}` must be a whole number.", "whole number", 0.92)
            elif keyword.arg == name:
                edit = scene.put(keyword.value, f"int({scene.text(keyword.value)})")
                why = f"`{name}` must be a whole number, and `{scene.text(keyword.value)}` is {given}."
                yield scene.proposal([edit], why, "whole number", 0.92)


def _frequency(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`"M"`: `"ME"`, as the message says."""
    old, new = found["old"], found["new"]
    nodes = [
        node
        for node in scene.every(ast.Constant)
        if isinstance(node.value, str) and re.fullmatch(rf"\d*{re.escape(old)}(-\w+)?", node.value)
    ]
    edits = [scene.put(node, scene.text(node).replace(old, new, 1)) for node in nodes]
    if edits:
        yield scene.proposal(edits, f"pandas calls this frequency `{new}` now, not `{old}`.", "renamed frequency", 0.96)


def _parameter(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`{"n_estimator": [10]}` for a grid search: the closest parameter."""
    offered = _WORDS.findall(found["offered"])
    wrong = found["wrong"].rpartition("__")[2]
    prefix = found["wrong"][: len(found["wrong"]) - len(wrong)]
    near = next((one for one in offered if one.lower() == wrong.lower()), None) or closest(wrong, offered, fixed=True)
    if near is None:
        steps = [one for one in offered if one.endswith(f"__{wrong}")]
        near = steps[0] if len(steps) == 1 else None
    edits = [scene.put(node, _quoted(scene, node, prefix + near)) for node in _constants(scene, found["wrong"]) if near]
    if edits:
        why = f"The estimator has no parameter `{found['wrong']}`; the closest is `{near}`."
        yield scene.proposal(edits, why, "closest parameter", 0.93)


def _plot_kind(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    yield from _values(scene, found["wrong"], _WORDS.findall(found["offered"]), message=True)


def _orient(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    offered = ["dict", "list", "series", "split", "tight", "records", "index", "columns", "values", "table"]
    yield from _values(scene, found["wrong"], offered)


def _merge_how(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    offered = [word.strip() for word in found["offered"].split(",")]
    yield from _values(scene, found["wrong"], offered)


_AGGREGATES = ("mean", "sum", "min", "max", "median", "std", "var", "count", "size", "first", "last", "nunique", "prod")


def _aggregation(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`agg("average")`: `agg("mean")`."""
    yield from _values(scene, found["wrong"] or found["w2"], list(_AGGREGATES))


def _axis_argument(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.drop("a", 1)`: `df.drop("a", axis=1)`."""
    function = found["function"].rpartition(".")[2]
    names = {
        "drop": ("axis",), "pivot": (), "confusion_matrix": ("labels",), "sum": ("axis",), "mean": ("axis",),
        "dropna": ("axis",), "concat": ("axis",), "any": ("axis",), "all": ("axis",), "sort_index": ("axis",),
        "fillna": ("axis",), "rename": ("axis",), "set_axis": ("axis",), "set_index": ("drop",), "max": ("axis",),
        "min": ("axis",), "std": ("axis",), "interpolate": ("axis",), "sort_values": ("axis", "ascending"),
        "reset_index": ("drop",), "sample": ("frac",), "replace": ("inplace",), "read_csv": ("sep",),
    }.get(function)  # fmt: skip
    for call in scene.calls(function):
        if names:
            edits = []
            for name, argument in zip(names, call.args[int(found["takes"]) - 1 if "." in found["function"] else 1 :]):
                start = scene.cell.span(argument)[0]
                edits.append(Edit(start, start, f"{name}="))
            if edits:
                why = f"`{function}` takes `{names[0]}` by its name only."
                yield scene.proposal(edits, why, "argument by name", 0.93)
        elif function == "pivot" and len(call.args) <= 3:
            edits = []
            for name, argument in zip(("index", "columns", "values"), call.args):
                start = scene.cell.span(argument)[0]
                edits.append(Edit(start, start, f"{name}="))
            yield scene.proposal(edits, "`pivot` takes its arguments by their names only.", "argument by name", 0.93)


def _too_many_positional(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("confusion_matrix", "classification_report", "f1_score", "precision_score", "recall_score"):
        if len(call.args) == 3:
            start = scene.cell.span(call.args[2])[0]
            edit = Edit(start, start, "labels=")
            yield scene.proposal([edit], "`labels` is taken by its name only.", "argument by name", 0.9)


def _own_words(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """What an error says to use instead, where it is as simple as that."""
    text = found.string
    np, imports = scene.module("numpy")
    if "Calling np.sum(generator)" in text:
        for call in scene.calls("sum"):
            why = "numpy does not sum generators; Python's own `sum` does."
            yield scene.proposal([scene.put(call.func, "sum")], why, "sum of a generator", 0.95)
    elif "Unable to avoid copy" in text:
        for call in scene.calls("array"):
            edits = [scene.without(call, one) for one in call.keywords if one.arg == "copy"]
            edits.append(scene.put(call.func, f"{np}.asarray"))
            yield scene.proposal([*edits, *imports], "`asarray` copies only where it must.", "copy where needed", 0.95)
    elif "unique requires a Series" in text:
        for call in scene.calls("unique"):
            edits = [scene.put(one, f"{np}.array({scene.text(one)})") for one in call.args[:1]]
            yield scene.proposal(
                [*edits, *imports], "`unique` takes arrays and columns only.", "list as an array", 0.92
            )
    elif "Use `.rename` to alter labels" in text:
        for call in scene.calls("rename_axis"):
            if isinstance(call.func, ast.Attribute):
                end = scene.cell.span(call.func)[1]
                edit = Edit(end - len("rename_axis"), end, "rename")
                yield scene.proposal([edit], "`rename` changes labels; `rename_axis` names an axis.", "rename", 0.95)
    elif "Cannot subset columns with a tuple" in text:
        for node in scene.every(ast.Subscript):
            if isinstance(node.slice, ast.Tuple):
                edit = scene.put(node.slice, f"[{scene.text(node.slice)}]")
                yield scene.proposal([edit], "Several columns are asked for by a list.", "columns as a list", 0.96)
    elif "nested renamer" in text:
        for call in scene.calls("agg", "aggregate"):
            given = call.args[0] if call.args else None
            if isinstance(given, ast.Dict) and all(isinstance(key, ast.Constant) for key in given.keys):
                pairs = list(zip(given.keys, given.values))
                if all(isinstance(one, (ast.Constant, ast.Attribute, ast.Name, ast.Lambda)) for one in given.values):
                    new = [
                        f"{key.value!s}={scene.text(value)}" for key, value in pairs if isinstance(key, ast.Constant)
                    ]
                    why = 'The names of aggregated columns are given as arguments: `agg(total="sum")`.'
                    yield scene.proposal([scene.put(given, ", ".join(new))], why, "named aggregation", 0.9)
                inner = [
                    f"{name.value!s}=({scene.text(key)}, {scene.text(how)})"
                    for key, value in pairs
                    if key is not None and isinstance(value, ast.Dict)
                    for name, how in zip(value.keys, value.values)
                    if isinstance(name, ast.Constant)
                ]
                if inner:
                    why = "The names of aggregated columns are given as arguments, each with its column and function."
                    yield scene.proposal([scene.put(given, ", ".join(inner))], why, "named aggregation", 0.9)


_VALUES: Rule = answers(
    "named_values",
    (r"'(?P<wrong>[^']*)' is not a valid value for \w+\. Did you mean one of: (?P<offered>.*?)\?", _named_values),
    (r"The '\w+' parameter of [\w.]+ must be (?P<offered>.*)\. Got '(?P<wrong>[^']*)' instead", _named_values),
    (r"The '(?P<name>\w+)' parameter of \w+ must be (?P<kind>.*)\. Got (?P<given>'?[\d.]+'?) instead", _number_as_text),
    (r"[\"']'?(?P<old>\w+)'? is no longer supported for offsets\. Please use '(?P<new>\w+)'", _frequency),
    (r"Invalid frequency: \d*(?P<old>[A-Z]+)[.-].*Did you mean (?P<new>\w+)\?", _frequency),
    (r"Invalid parameter '(?P<wrong>\w+)' for estimator .*Valid parameters are: (?P<offered>.*)\.", _parameter),
    (r"ValueError: '?(?P<wrong>[^']*?)'? is not a valid plot kind Valid plot kinds: (?P<offered>.*)", _plot_kind),
    (r"Unrecognized marker style '(?P<wrong>[^']*)'(?P<offered>)", _named_values),
    (r"'(?:Series|DataFrame)GroupBy' object has no attribute '(?P<wrong>\w+)'"
     r"|AttributeError: '(?P<w2>\w+)' is not a valid function for", _aggregation),
    (r"orient '(?P<wrong>[^']*)' not understood", _orient),
    (r"Format '(?P<wrong>\w+)' is not supported \(supported formats: (?P<offered>.*)\)", _merge_how),
    (r"'(?P<wrong>\w+)' is not a valid Merge type: (?P<offered>.*)", _merge_how),
    (r"TypeError: (?P<function>[\w.]+)\(\) takes (?:from \d+ to )?(?P<takes>\d+) positional arguments? but \d+ w",
     _axis_argument),
    (r"TypeError: too many positional arguments", _too_many_positional),
    (r"Calling np\.sum\(generator\)|Unable to avoid copy|unique requires a Series|Use `\.rename` to alter labels"
     r"|Cannot subset columns with a tuple|nested renamer is not supported", _own_words),
)  # fmt: skip

RULES = (changed_argument, _VALUES)
