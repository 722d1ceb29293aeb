"""The data that scikit-learn is fitted to: the wrong shape or type, missing values, other columns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of
from reflex_ipython.propose.rules.science.splits import TRAIN

TAKES_X = frozenset(
    [
        "fit",
        "fit_transform",
        "transform",
        "predict",
        "predict_proba",
        "score",
        "fit_predict",
        "partial_fit",
        "decision_function",
        "inverse_transform",
        "train_test_split",
        "cross_val_score",
        "cross_validate",
        "cross_val_predict",
        "kneighbors",
    ]
)


def _data(scene: Scene) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The first arguments of the calls that take data, and the calls."""
    for call in scene.calls(*TAKES_X):
        if call.args:
            yield call, call.args[0]


def _one_dimension(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model.fit(df["a"], y)`: `model.fit(df[["a"]], y)`."""
    for call, data in _data(scene):
        function = called(call)
        if isinstance(data, ast.Constant):
            edit = scene.put(data, f"[[{scene.text(data)}]]")
            yield scene.proposal([edit], "One value of one sample is a row in a table.", "table of one", 0.92)
            continue
        if isinstance(data, (ast.List, ast.Tuple)):
            why = f"`{scene.text(data)}` is one row, and rows are given as a table."
            row = function in ("predict", "predict_proba", "transform", "decision_function")
            yield scene.proposal(
                [scene.put(data, f"[{scene.text(data)}]")], why, "table of one row", 0.9 if row else 0.4
            )
            column = ", ".join(f"[{scene.text(one)}]" for one in data.elts)
            why = "Each of the values is a sample with one feature."
            yield scene.proposal([scene.put(data, f"[{column}]")], why, "table of one column", 0.4 if row else 0.88)
            continue
        row = (
            isinstance(data, ast.Subscript)
            and isinstance(data.value, ast.Attribute)
            and data.value.attr in ("iloc", "loc")
        )
        row = row and isinstance(data, ast.Subscript) and not isinstance(data.slice, (ast.Tuple, ast.Slice))
        label = data.slice if isinstance(data, ast.Subscript) else None
        if isinstance(data, ast.Subscript) and isinstance(label, ast.Constant) and isinstance(label.value, str):
            new = f"{scene.text(data)[: -len(_brackets_of(scene, data))]}[[{scene.text(label)}]]"
        elif isinstance(data, ast.Attribute) and (scene.column(data) or data.attr in scene.columns(data.value)):
            new = f'{scene.text(data.value)}[["{data.attr}"]]'
        elif row and isinstance(data, ast.Subscript):
            new = f"{scene.text(data.value)}[[{scene.text(data.slice)}]]"
        elif scene.type(data) == "Series":
            new = f"{scene.text(data)}.to_frame()"
        else:
            new = f"{scene.operand(data)}.reshape(-1, 1)"
        why = f"`{function}` takes a table with a row a sample; `{scene.text(data)}` has one dimension."
        same = [scene.put(one, new.replace(scene.text(data), scene.text(one), 1)) for one in _same_data(scene, data)]
        yield scene.proposal(same, why, "table of one column", 0.9)
        if scene.type(data) != "Series":
            new = f"{scene.operand(data)}.reshape(1, -1)"
            one = 0.6 if function in ("predict", "predict_proba") and not _fitted_on_column(scene) else 0.3
            yield scene.proposal([scene.put(data, new)], f"{why} One sample is one row.", "table of one row", one)
        if "reshape" not in new:
            wrapped = f"{scene.operand(data)}.to_numpy().reshape(-1, 1)"
            yield scene.proposal([scene.put(data, wrapped)], why, "table of one column", 0.3)
        elif not isinstance(data, ast.Name):
            np, imports = scene.module("numpy")
            wrapped = f"{np}.array({scene.text(data)}).reshape(-1, 1)"
            yield scene.proposal([scene.put(data, wrapped), *imports], why, "table of one column", 0.4)


def _fitted_on_column(scene: Scene) -> bool:
    return "reshape(-1, 1)" in scene.cell.source


def _brackets_of(scene: Scene, node: ast.Subscript) -> str:
    """The text of a subscript from its bracket on."""
    return scene.cell.source[scene.cell.span(node.value)[1] : scene.cell.span(node)[1]]


def _more_dimensions(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for _, data in _data(scene):
        new = f"{scene.operand(data)}.reshape(len({scene.text(data)}), -1)"
        why = f"`{scene.text(data)}` has {found['dim']} dimensions; each sample is laid out in one row."
        yield scene.proposal([scene.put(data, new)], why, "one row a sample", 0.88)


def _column_vector(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`LabelEncoder().fit_transform(df[["city"]])`: one dimension."""
    rows, columns = found["rows"], found["columns"]
    for call in scene.calls():
        for data in [*call.args, *(one.value for one in call.keywords)]:
            if not isinstance(data, (ast.Name, ast.Subscript, ast.Attribute, ast.Call)):
                continue
            if columns == "1" or rows == "1":
                why = f"`{called(call)}` takes one dimension here; `ravel` lays the values out in one."
                text = f"{scene.operand(data)}{'.to_numpy()' if scene.is_table(data) else ''}.ravel()"
                yield scene.proposal([scene.put(data, text)], why, "one dimension", 0.85)
            elif columns == "2" and "predict_proba" in scene.text(data):
                why = "The second column of `predict_proba` is the probability of the second class."
                yield scene.proposal([scene.after(data, "[:, 1]")], why, "probability of a class", 0.88)
            elif called(call).endswith(("_score", "_matrix", "_report")) or called(call) == "fit":
                np, imports = scene.module("numpy")
                text = f"{np}.argmax({scene.text(data)}, axis=1)"
                why = f"`{scene.text(data)}` has a column a class; `argmax` says which is the largest."
                yield scene.proposal([scene.put(data, text), *imports], why, "class of each", 0.6)


def _missing(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """NaN in what is fitted: rows left out on both sides, or values filled in."""
    np, imports = scene.module("numpy")
    for call, data in _data(scene):
        target = call.args[1] if len(call.args) > 1 else None
        which, other = (target, data) if found["which"] == "y" else (data, target)
        if which is None or isinstance(which, ast.Constant):
            continue
        text, table = scene.text(which), scene.is_table(which) or scene.type(which) in ("Series", "")
        if table and found["which"] != "y":
            why = f"`{text}` has missing values; they become the mean of their column."
            filled = f"{scene.operand(which)}.fillna({text}.mean())"
            yield scene.proposal([scene.put(which, filled)], why, "missing values filled", 0.46)
            why = f"`{text}` has missing values; they become 0."
            yield scene.proposal(
                [scene.put(which, f"{scene.operand(which)}.fillna(0)")], why, "missing values filled", 0.34
            )
        elif found["which"] != "y":
            why = f"`{text}` has missing values; they become 0."
            yield scene.proposal(
                [scene.put(which, f"{np}.nan_to_num({text})"), *imports], why, "missing values filled", 0.4
            )
        known = f"{text}.notna()" if table else f"~{np}.isnan({text})"
        known += ".all(axis=1)" if scene.is_table(which) else ""
        if other is not None:
            edits = [scene.put(one, f"{scene.operand(one)}[{known}]") for one in (which, other)]
            why = f"`{text}` has missing values; those samples are left out on both sides."
            prior = 0.6 if found["which"] == "y" else 0.44
            yield scene.proposal(edits, why, "samples without missing values", prior)
        elif table and called(call) != "train_test_split":
            why = f"Rows of `{text}` with missing values are left out."
            yield scene.proposal([scene.after(which, ".dropna()")], why, "samples without missing values", 0.42)


def _text(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Text in what is fitted: encoded, or left out."""
    yield from _target_of_words(scene, found)
    pd, imports = scene.module("pandas")
    for call, data in _data(scene):
        if called(call) == "train_test_split" or isinstance(data, ast.Constant) or scene.is_column(data):
            continue
        text = scene.text(data)
        ways: tuple[tuple[str, float, str, list[SpanEdit]], ...] = (
            (f"{pd}.get_dummies({text})", 0.48, "each of its words becomes a column of 0 and 1.", imports),
            (f'{scene.operand(data)}.select_dtypes("number")', 0.46, "only the columns of numbers are used.", []),
        )
        for new, prior, what, more in ways:
            places = _same_data(scene, data)
            edits = [scene.put(one, new if one is data else new.replace(text, scene.text(one))) for one in places]
            why = f"`{text}` holds text, which `{called(call)}` can't use; {what}"
            yield scene.proposal([*edits, *more], why, "text in the data", prior)


_POSITIVE = ("yes", "true", "positive", "1", "y", "t", "pos", "spam", "success", "good", "survived")


def _target_of_words(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model.fit(X, y)` where `y` holds words: numbers for them."""
    value = re.search(r"could not convert string to float: '(.*)'", found.string)
    for call in scene.calls("fit"):
        target = call.args[1] if len(call.args) > 1 else None
        if target is None or value is None or value[1] not in (words := list(dict.fromkeys(scene.samples(target)))):
            continue
        text = scene.operand(target)
        if len(words) == 2:
            word = next((one for one in words if one.lower() in _POSITIVE), words[1])
            other = next(one for one in words if one != word)
            why = f"`{scene.text(target)}` holds words; {word!r} becomes 1 and {other!r} 0."
            prior = 0.66 if word.lower() in _POSITIVE else 0.46
            yield scene.proposal(
                [scene.put(target, f"({text} == {word!r}).astype(int)")], why, "numbers for classes", prior
            )
        pd, imports = scene.module("pandas")
        why = f"`{scene.text(target)}` holds words; each becomes a number, in the order in which they come."
        edit = scene.put(target, f"{pd}.factorize({scene.text(target)})[0]")
        yield scene.proposal([edit, *imports], why, "numbers for classes", 0.33)


def _same_data(scene: Scene, data: ast.expr) -> list[ast.expr]:
    """The data and its counterparts in other calls of the cell: `X_train` and `X_test`."""
    found: list[ast.expr] = [data]
    if not isinstance(data, ast.Name):
        return found
    family = TRAIN.sub("*", data.id)
    for call in scene.cell.every(ast.Call):
        if called(call) in TAKES_X - {"train_test_split"} and call.args and call.args[0] is not data:
            other = call.args[0]
            if isinstance(other, ast.Name) and TRAIN.sub("*", other.id) == family:
                found.append(other)
    return found


def _feature_names(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Other columns than those of the fit: those of the fit."""
    for call, data in _data(scene):
        owner = owner_of(call)
        if owner is not None and called(call) not in ("fit", "fit_transform"):
            text = f"{scene.operand(data)}[{scene.text(owner)}.feature_names_in_]"
            why = f"`{scene.text(owner)}` was fitted with other columns; `feature_names_in_` has those, in their order."
            yield scene.proposal([scene.put(data, text)], why, "columns of the fit", 0.88)


def _scaled(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A table is asked of the array that a transformer gave: the columns of the table that it was given."""
    for node in scene.every(ast.Attribute):
        if node.attr in (
            "columns",
            "head",
            "describe",
            "iloc",
            "loc",
            "index",
            "tail",
            "info",
            "dtypes",
            "corr",
            "drop",
        ):
            yield from _as_table(scene, node.value)
    for part in scene.every(ast.Subscript):
        if isinstance(part.slice, (ast.Constant, ast.List)) and isinstance(part.ctx, ast.Load):
            yield from _as_table(scene, part.value)


def _as_table(scene: Scene, owner: ast.expr) -> Iterator[Proposal]:
    if not isinstance(owner, ast.Name):
        return
    pd, imports = scene.module("pandas")
    for node in scene.cell.every(ast.Assign):
        if any(isinstance(one, ast.Name) and one.id == owner.id for one in node.targets):
            call = node.value
            if isinstance(call, ast.Call) and called(call) in ("fit_transform", "transform") and call.args:
                data = scene.text(call.args[0])
                text = f"{pd}.DataFrame({scene.text(call)}, columns={data}.columns, index={data}.index)"
                why = f"`{called(call)}` gave an array; it is made a table with the columns of `{data}`."
                yield scene.proposal([scene.put(call, text), *imports], why, "array as a table", 0.88)


def _sparse(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A sparse matrix in a DataFrame."""
    for call in scene.calls("DataFrame"):
        given = call.args[0] if call.args else None
        if given is not None and (
            isinstance(given, ast.Call) or scene.type(given) in ("csr_matrix", "csr_array", "csc_matrix")
        ):
            why = f"`{scene.text(given)}` is sparse; `toarray` makes a plain array of it."
            yield scene.proposal([scene.after(given, ".toarray()")], why, "sparse as an array", 0.9)
        labels = keyword(call, "columns")
        if labels is not None and found["shape"].endswith(", 1"):
            start = scene.cell.span(labels)[0]
            why = "There is one value a row; these labels name the rows."
            edit = SpanEdit(start, start + len("columns"), "index")
            yield scene.proposal([edit], why, "labels of the rows", 0.8)


def _non_numeric(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("SimpleImputer"):
        given = keyword(call, "strategy")
        if given is not None:
            edit = scene.put(given.value, '"most_frequent"')
            yield scene.proposal([edit], "The most frequent value exists for text as well.", "strategy for text", 0.55)
    yield from _text(scene, found)


features: Rule = answers(
    "features",
    (r"Expected a 2-dimensional container|Expected 2D array, got (?:1D|scalar) array", _one_dimension),
    (r"Found array with dim (?P<dim>\d+)", _more_dimensions),
    (r"should be a 1d array, got an array of shape \((?P<rows>\d+), (?P<columns>\d+)\)|bad input shape \((?P<r>\d+)",
     _column_vector),
    (r"Input (?P<which>[Xy]|contains) ?(?:contains )?NaN|Input X contains infinity", _missing),
    (r"could not convert string to float: |The dtype .* is incompatible|Cannot cast object dtype to float64", _text),
    (r"feature names should match those that were passed during fit", _feature_names),
    (r"'numpy\.ndarray' object has no attribute|only integers, slices \(`:`\), ellipsis", _scaled),
    (r"Shape of passed values is \((?P<shape>\d+, \d+)\), indices imply", _sparse),
    (r"Cannot use \w+ strategy with non-numeric data", _non_numeric),
)  # fmt: skip

RULES = (features,)
