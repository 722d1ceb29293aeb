"""Values that an argument does not take, or takes by another name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.renamed_arguments import changed_argument
from reflex_ipython.propose.rules.science.scene import Scene, answers

_WORDS = re.compile(r"'([^']*)'")
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
_SCORES = {
    "mse": "neg_mean_squared_error", "mae": "neg_mean_absolute_error", "rmse": "neg_root_mean_squared_error",
    "mean_squared_error": "neg_mean_squared_error", "mean_absolute_error": "neg_mean_absolute_error",
    "mape": "neg_mean_absolute_percentage_error", "log_loss": "neg_log_loss", "auc": "roc_auc", "roc": "roc_auc",
    "f1_score": "f1", "accuracy_score": "accuracy", "r2_score": "r2", "precision_score": "precision",
    "recall_score": "recall", "roc_auc_score": "roc_auc", "brier": "neg_brier_score", "r-squared": "r2",
}  # fmt: skip


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
    # `"left outer"`: one of its words is a value.
    words += [(word, 0.85) for word in re.split(r"\W+", wrong) if word in offered][:1]
    # What a library itself suggests is in the order of likeness.
    if message and len(offered) <= 3:
        words += [(word, 0.7 if place == 0 else 0.4) for place, word in enumerate(offered)]
    for word in dict(words):
        prior = max(prior for one, prior in words if one == word)
        if _asked_already(scene, wrong, word):
            continue
        edits = [scene.put(node, _quoted(scene, node, word)) for node in _constants(scene, wrong)]
        if edits:
            why = f"`{wrong!r}` is none of the values that can be given here; `{word!r}` is."
            yield scene.proposal(edits, why, "closest value", prior)


def _asked_already(scene: Scene, wrong: str, word: str) -> bool:
    """Whether the list that the wrong value stands in has the right one as well."""
    for node in scene.every(ast.List):
        values = [one.value for one in node.elts if isinstance(one, ast.Constant)]
        if wrong in values and word in values:
            return True
    return False


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


_DTYPES = (
    *("int", "float", "str", "bool", "object", "category", "string", "complex", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "Int64", "Float64", "boolean"),
    *("datetime64[ns]", "timedelta64[ns]"),
)
_OTHER_DTYPES = {
    "integer": "int", "number": "float", "numeric": "float", "double": "float", "decimal": "float", "text": "str",
    "char": "str", "varchar": "str", "date": "datetime64[ns]", "datetime": "datetime64[ns]", "factor": "category",
    "timestamp": "datetime64[ns]", "long": "int64", "real": "float", "categorical": "category", "logical": "bool",
}  # fmt: skip


def _dtype(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`astype("flaot")`, `astype("integer")`: the type that is meant."""
    wrong = found["wrong"]
    meant = _OTHER_DTYPES.get(wrong.lower())
    if meant is None:
        yield from _values(scene, wrong, list(_DTYPES))
        return
    edits = [scene.put(node, _quoted(scene, node, meant)) for node in _constants(scene, wrong)]
    if edits:
        why = f"There is no type {wrong!r}; `{meant}` is what it is called here."
        yield scene.proposal(edits, why, "type of the values", 0.9)


def _listed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Any message that lists what may be given, and a text of the failing statement that it refuses."""
    listed = re.split(r"[(,;.]?\s*(?:but )?\b[gG]ot\b", found["offered"])[0]
    offered = [one or other for one, other in re.findall(r"['\"]([^'\"]+)['\"]|(?<![\w'\"])(\w+)(?![\w'\"])", listed)]
    given = [node.value for node in scene.every(ast.Constant) if isinstance(node.value, str)]
    for wrong in dict.fromkeys(given):
        if wrong not in offered and wrong and wrong in found.string.replace(listed, ""):
            yield from _values(scene, wrong, [word for word in offered if word not in ("or", "and", "got", "Got")])
    named = re.search(r"\b(\w+) (?:must|should) be", found.string)
    refused = [one.value for call in scene.calls() for one in call.keywords if named and one.arg == named[1]]
    for node in refused:  # "keep must be either …" does not repeat what was given
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in found.string:
            yield from _values(scene, node.value, [word for word in offered if word not in ("or", "and")])


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
        if near is None and not prefix:
            yield from _of_a_step(scene, found["wrong"], re.findall(r"\('(\w+)', ?\w+\(", found.string))
    edits = [scene.put(node, _quoted(scene, node, prefix + near)) for node in _constants(scene, found["wrong"]) if near]
    if edits:
        why = f"The estimator has no parameter `{found['wrong']}`; the closest is `{near}`."
        yield scene.proposal(edits, why, "closest parameter", 0.93)


def _of_a_step(scene: Scene, wrong: str, steps: list[str]) -> Iterator[Proposal]:
    """`pipe.set_params(C=10)`: `svc__C=10`, whichever step has it. That of another step raises."""
    for step in reversed(steps):
        edits = [scene.put(node, _quoted(scene, node, f"{step}__{wrong}")) for node in _constants(scene, wrong)]
        for keyword in (one for call in scene.every(ast.Call) for one in call.keywords if one.arg == wrong):
            start = scene.cell.span(keyword)[0]
            edits.append(SpanEdit(start, start, f"{step}__"))
        if edits:
            why = f"The parameter `{wrong}` is of a step of the pipeline: `{step}__{wrong}`."
            yield scene.proposal(edits, why, "parameter of a step", 0.9)


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
        if function == "assign":
            yield from _named_columns(scene, call)
        elif names:
            edits = []
            for name, argument in zip(names, call.args[int(found["takes"]) - 1 if "." in found["function"] else 1 :]):
                start = scene.cell.span(argument)[0]
                edits.append(SpanEdit(start, start, f"{name}="))
            if edits:
                why = f"`{function}` takes `{names[0]}` by its name only."
                yield scene.proposal(edits, why, "argument by name", 0.93)
        elif function == "pivot" and len(call.args) <= 3:
            edits = []
            for name, argument in zip(("index", "columns", "values"), call.args):
                start = scene.cell.span(argument)[0]
                edits.append(SpanEdit(start, start, f"{name}="))
            yield scene.proposal(edits, "`pivot` takes its arguments by their names only.", "argument by name", 0.93)


def _named_columns(scene: Scene, call: ast.Call) -> Iterator[Proposal]:
    """`df.assign("bmi", x / y)`: `df.assign(bmi=x / y)`."""
    names, values = call.args[::2], call.args[1::2]
    known = [one.value for one in names if isinstance(one, ast.Constant) and str(one.value).isidentifier()]
    if len(known) == len(names) == len(values):
        edits = [
            SpanEdit(scene.cell.span(name)[0], scene.cell.span(value)[0], f"{word!s}=")
            for name, value, word in zip(names, values, known)
        ]
        yield scene.proposal(edits, "`assign` takes new columns by their names.", "argument by name", 0.93)


def _too_many_positional(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("confusion_matrix", "classification_report", "f1_score", "precision_score", "recall_score"):
        if len(call.args) == 3:
            start = scene.cell.span(call.args[2])[0]
            edit = SpanEdit(start, start, "labels=")
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
                edit = SpanEdit(end - len("rename_axis"), end, "rename")
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


def _number_in_quotes(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`hist(x, bins="10")`: `bins=10`."""
    for node in _constants(scene, found["given"]):
        why = f"{found['given']!r} is a text; without quotes it is the number."
        yield scene.proposal([scene.put(node, found["given"])], why, "number, not text", 0.93)


_VALUES: Rule = answers(
    "named_values",
    (r"'(?P<given>\d+)' is not a valid estimator for", _number_in_quotes),
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
    (r"'(?P<wrong>[^']*)' is not a valid Merge type: (?P<offered>.*)", _merge_how),
    (r"data type ['\"](?P<wrong>[^'\"]+)['\"] not understood", _dtype),
    (r"(?:must be (?:one of|in|either)|should be (?:one of|in)|(?:[Vv]alid|[Ss]upported|[Aa]llowed) (?:\w+ )?are:?|"
     r"[Ee]xpect(?:ed|ing)(?: one of)?|[Cc]hoose from|must be '[^']+' or)(?P<offered>.*)", _listed),
    (r"TypeError: (?P<function>[\w.]+)\(\) takes (?:from \d+ to )?(?P<takes>\d+) positional arguments? but \d+ w",
     _axis_argument),
    (r"TypeError: too many positional arguments", _too_many_positional),
    (r"Calling np\.sum\(generator\)|Unable to avoid copy|unique requires a Series|Use `\.rename` to alter labels"
     r"|Cannot subset columns with a tuple|nested renamer is not supported", _own_words),
)  # fmt: skip
RULES = (changed_argument, _VALUES)
