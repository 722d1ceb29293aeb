"""scikit-learn: data of the wrong shape or type, estimators that are not fitted, sides that do not belong together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of
from reflex_ipython.propose.rules.statements import failing_cell

_TAKES_X = frozenset(
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
_TRAIN = re.compile(r"(?<![a-z])(train|tr)(?![a-z])|(?<![a-z])(test|te|valid|val)(?![a-z])")


def _data(scene: Scene) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The first arguments of the calls that take data, and the calls."""
    for call in scene.calls(*_TAKES_X):
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
    pd, imports = scene.module("pandas")
    for call, data in _data(scene):
        if called(call) == "train_test_split" or isinstance(data, ast.Constant) or scene.is_column(data):
            continue
        text = scene.text(data)
        ways: tuple[tuple[str, float, str, list[Edit]], ...] = (
            (f"{pd}.get_dummies({text})", 0.48, "each of its words becomes a column of 0 and 1.", imports),
            (f'{scene.operand(data)}.select_dtypes("number")', 0.46, "only the columns of numbers are used.", []),
        )
        for new, prior, what, more in ways:
            places = _same_data(scene, data)
            edits = [scene.put(one, new if one is data else new.replace(text, scene.text(one))) for one in places]
            why = f"`{text}` holds text, which `{called(call)}` can't use; {what}"
            yield scene.proposal([*edits, *more], why, "text in the data", prior)


def _same_data(scene: Scene, data: ast.expr) -> list[ast.expr]:
    """The data and its counterparts in other calls of the cell: `X_train` and `X_test`."""
    found: list[ast.expr] = [data]
    if not isinstance(data, ast.Name):
        return found
    family = _TRAIN.sub("*", data.id)
    for call in scene.cell.every(ast.Call):
        if called(call) in _TAKES_X - {"train_test_split"} and call.args and call.args[0] is not data:
            other = call.args[0]
            if isinstance(other, ast.Name) and _TRAIN.sub("*", other.id) == family:
                found.append(other)
    return found


def _lengths(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model.fit(X_train, y_test)`: the side that belongs to the other."""
    names = scene.failure.situation.names
    for call in scene.calls():
        given: list[ast.expr] = [*call.args, *(one.value for one in call.keywords)]
        plain = [
            node
            for one in given
            for node in ast.walk(one)
            if isinstance(node, ast.Name) and (isinstance(one, (ast.Name, ast.Call)))
        ]
        for node in plain:
            for word in _counterparts(node.id, names):
                if word != node.id and word not in {one.id for one in plain}:
                    agreeing = _agree(word, [one.id for one in plain if one is not node])
                    why = f"The lengths differ ({found['lengths']}); `{word}` belongs to the others."
                    # What is fitted is the part for training; what is measured, the other.
                    usual = "train" if called(call).startswith(("fit", "cross_val")) else "test"
                    prior = 0.36 if not agreeing else 0.8 if _kind(word) in ("", usual) else 0.38
                    yield scene.proposal([scene.put(node, word)], why, "counterpart", prior)
    yield from _split_order(scene)


def _counterparts(name: str, names: tuple[str, ...]) -> list[str]:
    """Names that differ just in `train` and `test`, or lack it."""
    family = _TRAIN.sub("*", name)
    bare = re.sub(r"_?\*_?", "", family)
    return [
        one
        for one in names
        if one != name and (_TRAIN.sub("*", one) == family or ("*" not in family and _bare(one) == name) or one == bare)
    ]


def _bare(name: str) -> str:
    return re.sub(r"_?\*_?", "", _TRAIN.sub("*", name))


def _agree(word: str, others: list[str]) -> bool:
    found = _TRAIN.search(word)
    kind = found.group() if found else ""
    kinds = [match.group() for one in others if (match := _TRAIN.search(one))]
    return bool(kinds) and all(one == kind for one in kinds)


def _split_order(scene: Scene) -> Iterator[Proposal]:
    """`X_train, y_train, X_test, y_test = train_test_split(X, y)`: the order that it gives."""
    for node in scene.cell.every(ast.Assign):
        target = node.targets[0]
        if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(node.value, ast.Call):
            continue
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        if called(node.value) != "train_test_split" or len(names) != 4 or len(target.elts) != 4:
            continue
        if len({_kind(one) for one in names[:2]}) == 1 and _kind(names[0]):  # train, train, test, test
            order = [names[0], names[2], names[1], names[3]]
            edits = [scene.put(one, word) for one, word in zip(target.elts, order)]
            why = "`train_test_split` gives both parts of the first array, then both of the second."
            yield scene.proposal(edits, why, "order of the parts", 0.93)


def _kind(name: str) -> str:
    found = _TRAIN.search(name)
    return "" if found is None else "train" if found.group().startswith("tr") else "test"


def _unpacking(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`train, test = train_test_split(X, y)`: four parts."""
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return
    target, call = statement.targets[0], statement.value
    if called(call) != "train_test_split" or not isinstance(target, ast.Tuple):
        return
    if len(target.elts) == 2 and len(call.args) == 2:
        names = [scene.text(one) for one in target.elts]
        prefix = scene.text(call.args[1])
        new = [names[0], names[1], *(re.sub(r"^[A-Za-z]+?(?=_|$)", prefix, one) for one in names)]
        if len(set(new)) == 4 and prefix.isidentifier():
            edit = scene.put(target, ", ".join(new))
            why = "`train_test_split` of two arrays gives four parts: both of the first, both of the second."
            yield scene.proposal([edit], why, "parts of the split", 0.85)
    if len(target.elts) == 4 and len(call.args) == 1:
        for word in [name for name in ("y", "Y", "target", "labels") if name in scene.failure.situation.names]:
            end = scene.cell.span(call.args[0])[1]
            why = f"One array gives two parts; with `{word}` there are four."
            yield scene.proposal([Edit(end, end, f", {word}")], why, "both arrays", 0.75)


# ------------------------------------------------------------------------------------------------ not fitted


def not_fitted(failure: Failure) -> Iterator[Proposal]:
    """An estimator is used before it has been fitted: it is fitted with the data that is there."""
    cell, error = failing_cell(failure), failure.error
    if cell is None:
        return
    lookup = failure.lookup
    attribute = lookup is not None and lookup.owner_type.startswith("sklearn.") and lookup.wanted.endswith("_")
    if error.ename != "NotFittedError" and not (attribute and error.ename == "AttributeError"):
        return
    scene = Scene(failure, cell)
    transforms = [call for call in scene.calls("transform", "predict") if owner_of(call) is not None and call.args]
    for call in transforms:
        assert isinstance(call.func, ast.Attribute)
        name = scene.text(call.args[0])
        test = bool(re.search(r"test|valid|val\b", name, re.IGNORECASE))
        new = {"transform": "fit_transform", "predict": "fit_predict"}[call.func.attr]
        end = scene.cell.span(call.func)[1]
        edit = Edit(end - len(call.func.attr), end, new)
        why = f"`{scene.text(call.func.value)}` has learnt nothing yet; `{new}` fits it to `{name}` first."
        yield scene.proposal([edit], why, "fitted first", 0.35 if test else 0.85 if new == "fit_transform" else 0.7)
    statement = scene.statement()
    owners = _unfitted(scene, attribute)
    for owner in owners if statement is not None else ():
        assert statement is not None
        alone = _needs_no_target(scene, owner)
        for data, prior in _training_data(scene):
            if alone and "," in data:
                continue
            if alone and transforms and not any(re.search("test|val", scene.text(one.args[0])) for one in transforms):
                prior = min(prior, 0.35)
            above = scene.line_above(statement, f"{owner}.fit({data})")
            why = f"`{owner}` has learnt nothing yet; it is fitted to `{data}` first."
            yield scene.proposal([above], why, "fitted first", prior)


def _needs_no_target(scene: Scene, owner: str) -> bool:
    """Whether it is known to be a transformer, or to look for clusters."""
    value = scene.value(owner)
    families = ("preprocessing", "cluster", "decomposition", "impute", "manifold", "mixture", "feature_extraction")
    return value is not None and value.type.split(".")[1:2] != [] and value.type.split(".")[1] in families


def _unfitted(scene: Scene, attribute: bool) -> list[str]:
    nodes = [owner for call in scene.calls(*_TAKES_X) if (owner := owner_of(call)) is not None]
    if attribute or not nodes:
        nodes += [node.value for node in scene.every(ast.Attribute) if node.attr.endswith("_")]
    nodes += [
        one for call in scene.calls("plot_tree", "export_text", "permutation_importance") for one in call.args[:1]
    ]
    return list(dict.fromkeys(scene.text(node) for node in nodes if isinstance(node, (ast.Name, ast.Attribute))))


def _training_data(scene: Scene) -> Iterator[tuple[str, float]]:
    """Names that data to fit goes by, the likeliest first, alone and with their targets."""
    names = scene.failure.situation.names
    used = [node.id for node in scene.every(ast.Name)]
    ranked: list[tuple[str, str, float]] = []
    for x in names:
        if not re.fullmatch(r"(?:[xX]|features|data)(?:_?(?:train|tr)\w*)?(?:_scaled)?", x):
            continue
        kind = "train" if _kind(x) == "train" else ""
        partners = [
            y
            for y in names
            if re.fullmatch(r"(?:[yY]|target|targets|labels)(?:_?(?:train|tr)\w*)?", y)
            and ("train" if _kind(y) == "train" else "") == kind
        ]
        prior = 0.84 if kind else 0.7
        if any(_kind(one) == "test" for one in used) and not kind:
            prior = 0.3
        ranked += [(x, y, prior) for y in partners] + [(x, "", prior - 0.04)]
    best = max((prior for _, _, prior in ranked), default=0)
    for x, y, prior in sorted(ranked, key=lambda one: -one[2])[:6]:
        # The whole data fits as well as the part for training: it is only likely where there is no such part.
        yield (f"{x}, {y}" if y else x), prior if prior >= best - 0.05 else 0.35


def _fit_without_target(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model.fit(X_train)`: `model.fit(X_train, y_train)`."""
    for call in scene.calls("fit"):
        if len(call.args) == 1 and isinstance(call.args[0], ast.Name):
            x = call.args[0].id
            for y in scene.failure.situation.names:
                if re.fullmatch(r"(?:[yY]|target|targets|labels)(?:_?(?:train|tr|test|te)\w*)?", y) and _kind(
                    y
                ) == _kind(x):
                    why = f"A model with a target is fitted to both; `{y}` belongs to `{x}`."
                    yield scene.proposal([scene.argument(call, y)], why, "target of the fit", 0.85)


def _class_itself(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model = LinearRegression` and then `model.fit`: the class is to be called."""
    for call in scene.calls(*_TAKES_X):
        owner = owner_of(call)
        if not isinstance(owner, ast.Name):
            continue
        assigned = [
            node.value
            for node in scene.cell.every(ast.Assign)
            if any(isinstance(one, ast.Name) and one.id == owner.id for one in node.targets)
            and isinstance(node.value, (ast.Name, ast.Attribute))
        ]
        why = f"`{owner.id}` is the class; the brackets make an estimator of it."
        for value in assigned:
            yield scene.proposal([scene.after(value, "()")], why, "missing brackets", 0.93)
        if not assigned and "missing 1 required positional" in found.string and owner.id[:1].isupper():
            yield scene.proposal([scene.after(owner, "()")], why, "missing brackets", 0.9)


def _data_in_constructor(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`StandardScaler(X)`: `StandardScaler().fit_transform(X)`."""
    for call in scene.calls(found["name"]):
        given = ", ".join(scene.text(one) for one in call.args)
        if not call.args or call.keywords:
            continue
        name = scene.text(call.func)
        method = (
            "fit_transform" if re.search(r"Scaler|Imputer|Encoder|PCA|Vectorizer|Normalizer|SVD|TSNE", name) else "fit"
        )
        why = f"An estimator is made first, and given its data by `{method}`."
        yield scene.proposal([scene.put(call, f"{name}().{method}({given})")], why, "data for the fit", 0.88)


# ------------------------------------------------------------------------------------------------ targets and metrics


def _continuous(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A classifier is fitted to a continuous target: the regressor of the same kind, or whole classes."""
    renamed = {"LogisticRegression": "LinearRegression", "SVC": "SVR", "GaussianNB": "BayesianRidge",
               "LinearSVC": "LinearSVR", "SGDClassifier": "SGDRegressor", "RidgeClassifier": "Ridge"}  # fmt: skip
    for call in scene.cell.every(ast.Call):
        name = called(call)
        new = renamed.get(name) or (name.replace("Classifier", "Regressor") if name.endswith("Classifier") else "")
        if new and isinstance(call.func, ast.Name):
            edits = [scene.put(call.func, new)]
            if new not in scene.failure.situation.names:
                edits.append(_import_beside(scene, name, new))
            why = f"The target is continuous; `{new}` predicts such values, `{name}` classes."
            yield scene.proposal(edits, why, "regression of a continuous target", 0.66)
    for call in scene.calls("fit", "cross_val_score", "fit_predict"):
        if len(call.args) > 1:
            target = call.args[1]
            text = f"{scene.operand(target)}.astype(int)"
            why = f"A classifier takes classes; `{scene.text(target)}` is rounded down to whole numbers."
            yield scene.proposal([scene.put(target, text)], why, "whole classes", 0.34)
            text = f"({scene.operand(target)} > {scene.operand(target)}.median()).astype(int)"
            why = f"A classifier takes classes; here they are whether `{scene.text(target)}` is above its median."
            yield scene.proposal([scene.put(target, text)], why, "two classes", 0.25)


def _import_beside(scene: Scene, old: str, new: str) -> Edit:
    from reflex_ipython.propose.rules.placement import import_edit

    module = next(
        (node.module for node in scene.cell.every(ast.ImportFrom) if any(one.name == old for one in node.names)), None
    )
    for name, meaning in scene.failure.situation.meanings.items():
        if name == old:
            module = meaning.rpartition(".")[0]
    public = ".".join(part for part in (module or "sklearn.ensemble").split(".") if not part.startswith("_"))
    if new == "SVR":
        public = "sklearn.svm"
    elif new in ("LinearRegression", "Ridge", "SGDRegressor", "BayesianRidge"):
        public = "sklearn.linear_model"
    return import_edit(scene.cell, [f"from {public} import {new}"])


def _continuous_metric(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Accuracy of continuous values: a measure for those, or rounded predictions."""
    for call in scene.calls("accuracy_score", "f1_score", "precision_score", "recall_score", "confusion_matrix",
                            "classification_report", "balanced_accuracy_score"):  # fmt: skip
        for new, prior in (("r2_score", 0.5), ("mean_squared_error", 0.42)):
            edits = [scene.put(call.func, new)]
            if new not in scene.failure.situation.names:
                edits.append(_metrics_import(scene, new))
            why = f"`{called(call)}` compares classes, and these values are continuous; `{new}` measures those."
            yield scene.proposal(edits, why, "measure of continuous values", prior)
        np, imports = scene.module("numpy")
        if len(call.args) > 1:
            edit = scene.put(call.args[1], f"{np}.round({scene.text(call.args[1])})")
            why = f"`{called(call)}` compares classes; the predictions are rounded."
            yield scene.proposal([edit, *imports], why, "rounded predictions", 0.4)
            edit = scene.put(call.args[1], f"({scene.operand(call.args[1])} > 0.5)")
            why = f"`{called(call)}` compares classes; what is above one half counts as the second."
            yield scene.proposal([edit], why, "rounded predictions", 0.38)


def _metrics_import(scene: Scene, name: str) -> Edit:
    from reflex_ipython.propose.rules.placement import import_edit

    return import_edit(scene.cell, [f"from sklearn.metrics import {name}"])


def _multiclass(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("f1_score", "precision_score", "recall_score", "fbeta_score", "jaccard_score"):
        for word, prior in (("weighted", 0.46), ("macro", 0.46), ("micro", 0.36)):
            what = {"weighted": "weighted by how often each class is there", "macro": "each class counts the same"}
            how = what.get(word, "over all samples at once")
            why = f"There are more than two classes; their scores are averaged, {how}."
            yield scene.proposal([scene.argument(call, f'average="{word}"')], why, "average of the classes", prior)
    for call in scene.calls("roc_auc_score"):
        for word, prior in (("ovr", 0.46), ("ovo", 0.4)):
            each = "each class is compared with all others" if word == "ovr" else "each pair of classes is compared"
            edit = scene.argument(call, f'multi_class="{word}"')
            yield scene.proposal([edit], f"There are more than two classes; {each}.", "more than two classes", prior)


def _positive_label(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    labels = re.findall(r"'([^']*)'|([-\d.]+)", found["labels"])
    for place, (word, number) in enumerate(reversed(labels)):
        value = repr(word) if word else number
        for call in scene.calls("f1_score", "precision_score", "recall_score", "roc_curve", "brier_score_loss"):
            why = f"The classes are {found['labels']}; `pos_label` says which one counts as positive."
            yield scene.proposal(
                [scene.argument(call, f"pos_label={value}")], why, "positive class", 0.46 - 0.1 * place
            )


# ------------------------------------------------------------------------------------------------ the rest


def _feature_names(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Other columns than those of the fit: those of the fit."""
    for call, data in _data(scene):
        owner = owner_of(call)
        if owner is not None and called(call) not in ("fit", "fit_transform"):
            text = f"{scene.operand(data)}[{scene.text(owner)}.feature_names_in_]"
            why = f"`{scene.text(owner)}` was fitted with other columns; `feature_names_in_` has those, in their order."
            yield scene.proposal([scene.put(data, text)], why, "columns of the fit", 0.88)


def _pipeline(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Steps of a pipeline in the form that it takes."""
    for call in scene.cell.every(ast.Call):
        name = called(call)
        if name == "Pipeline" and call.args:
            first = call.args[0]
            if isinstance(first, ast.List) and first.elts and not isinstance(first.elts[0], ast.Tuple):
                steps = [f'("step{place}", {scene.text(one)})' for place, one in enumerate(first.elts, 1)]
                names = [_step_name(scene, one) for one in first.elts]
                if all(names):
                    steps = [f'("{word}", {scene.text(one)})' for word, one in zip(names, first.elts)]
                edit = scene.put(first, f"[{', '.join(steps)}]")
                yield scene.proposal(
                    [edit], "The steps of a `Pipeline` are pairs of a name and an estimator.", "steps", 0.93
                )
            elif isinstance(first, ast.Tuple) and len(call.args) > 1:
                start, end = scene.cell.span(first)[0], scene.cell.span(call.args[-1])[1]
                edits = [Edit(start, start, "["), Edit(end, end, "]")]
                yield scene.proposal(edits, "`Pipeline` takes its steps as one list.", "steps", 0.95)
        elif name == "make_pipeline" and len(call.args) == 1 and isinstance(call.args[0], ast.List):
            text = scene.text(call.args[0])
            edit = scene.put(call.args[0], text[1:-1])
            yield scene.proposal([edit], "`make_pipeline` takes its steps one by one, not as a list.", "steps", 0.95)
        elif name in ("VotingClassifier", "VotingRegressor", "StackingClassifier", "StackingRegressor") and call.args:
            given = call.args[0]
            if isinstance(given, ast.List) and not any(isinstance(one, ast.Tuple) for one in given.elts):
                steps = [f'("model{place}", {scene.text(one)})' for place, one in enumerate(given.elts, 1)]
                edit = scene.put(given, f"[{', '.join(steps)}]")
                yield scene.proposal([edit], "Estimators are given as pairs of a name and an estimator.", "steps", 0.93)


def _step_name(scene: Scene, node: ast.expr) -> str:
    return called(node).lower() if isinstance(node, ast.Call) else node.id if isinstance(node, ast.Name) else ""


def _components(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """More components or neighbours than there can be: as many as there are."""
    wrong, most = found["wrong"], found["most"]
    nodes = [node for node in scene.every(ast.Constant) if str(node.value) == wrong] or [
        node for node in scene.cell.every(ast.Constant) if str(node.value) == wrong
    ]
    for node in nodes:
        why = f"There can be {most} at most, and {wrong} were asked for."
        yield scene.proposal([scene.put(node, most)], why, "as many as there are", 0.72)


def _solver(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A penalty that the solver does not know: a solver that does."""
    for call in scene.cell.every(ast.Call):
        if called(call) not in ("LogisticRegression", "LogisticRegressionCV", "LinearSVC", "SGDClassifier"):
            continue
        for solver, prior in (("liblinear", 0.6), ("saga", 0.55)):
            given = keyword(call, "solver")
            text = f'solver="{solver}"'
            more = ", l1_ratio=0.5" if "elasticnet" in found.string and not keyword(call, "l1_ratio") else ""
            if more and solver == "liblinear":
                continue
            edit = Edit(*scene.cell.span(given), text + more) if given else scene.argument(call, text + more)
            why = f"This solver does not know the penalty; `{solver}` does."
            yield scene.proposal([edit], why, "solver of the penalty", prior)


def _shuffle(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.cell.every(ast.Call):
        given = keyword(call, "random_state")
        if given is not None and called(call) in ("KFold", "StratifiedKFold"):
            why = "`random_state` has a meaning only where the samples are shuffled."
            yield scene.proposal([scene.argument(call, "shuffle=True")], why, "shuffled folds", 0.88)


def _probabilities(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.cell.every(ast.Call):
        if called(call) == "SVC" and not keyword(call, "probability"):
            why = "An `SVC` estimates probabilities only if it is asked to when it is made."
            yield scene.proposal([scene.argument(call, "probability=True")], why, "probabilities", 0.9)


def _linear_kernel(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.cell.every(ast.Call):
        if called(call) in ("SVC", "SVR"):
            given = keyword(call, "kernel")
            edit = (
                Edit(*scene.cell.span(given), 'kernel="linear"') if given else scene.argument(call, 'kernel="linear"')
            )
            yield scene.proposal([edit], "Only a linear kernel has coefficients.", "linear kernel", 0.85)


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
            edit = Edit(start, start + len("columns"), "index")
            yield scene.proposal([edit], why, "labels of the rows", 0.8)


def _non_numeric(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("SimpleImputer"):
        given = keyword(call, "strategy")
        if given is not None:
            edit = scene.put(given.value, '"most_frequent"')
            yield scene.proposal([edit], "The most frequent value exists for text as well.", "strategy for text", 0.55)
    yield from _text(scene, found)


estimators: Rule = answers(
    "estimators",
    (r"Expected a 2-dimensional container|Expected 2D array, got (?:1D|scalar) array", _one_dimension),
    (r"Found array with dim (?P<dim>\d+)", _more_dimensions),
    (r"should be a 1d array, got an array of shape \((?P<rows>\d+), (?P<columns>\d+)\)|bad input shape \((?P<r>\d+)",
     _column_vector),
    (r"Input (?P<which>[Xy]|contains) ?(?:contains )?NaN|Input X contains infinity", _missing),
    (r"could not convert string to float: |The dtype .* is incompatible|Cannot cast object dtype to float64", _text),
    (r"inconsistent numbers of samples: \[?(?P<lengths>[\d, ]+)", _lengths),
    (r"(?:too many|not enough) values to unpack", _unpacking),
    (r"fit\(\) missing 1 required positional argument: 'y'", _fit_without_target),
    (r"has no attribute '_validate_params'|has no attribute '_estimator_type'"
     r"|\.(?:fit|fit_transform|predict|transform)\(\) missing 1 required positional argument: '[Xy]'",
     _class_itself),
    (r"TypeError: (?P<name>[A-Z]\w+)\.__init__\(\) takes \d+ positional arguments? but \d+ (?:was|were) given",
     _data_in_constructor),
    (r"Unknown label type: '?\(?'?continuous", _continuous),
    (r"ValueError: (?:continuous|multioutput).* is not supported|mix of (?:binary|multiclass) and continuous",
     _continuous_metric),
    (r"Target is multiclass but average='binary'|multi_class must be in \('ovo', 'ovr'\)", _multiclass),
    (r"pos_label=\S+ is not a valid label.* one of (?P<labels>\[.*\])", _positive_label),
    (r"feature names should match those that were passed during fit|X has \d+ features, but", _feature_names),
    (r"cannot unpack non-iterable \w+ object|Pipeline\.__init__\(\) takes|Last step of Pipeline should implement fit"
     r"|Invalid 'estimators' attribute|should be a list of \(string, estimator\) tuples", _pipeline),
    (r"n_components=(?P<wrong>\d+) must be between \d+ and min\(n_samples, n_features\)=(?P<most>\d+)", _components),
    (r"n_neighbors = (?P<wrong>\d+), n_samples_fit = (?P<most>\d+)", _components),
    (r"Solver \w+ supports only|Only 'saga' solver supports", _solver),
    (r"Setting a random_state has no effect since shuffle is False", _shuffle),
    (r"has no attribute 'predict_proba'|predict_proba is not available when", _probabilities),
    (r"coef_ is only available when using a linear kernel", _linear_kernel),
    (r"'numpy\.ndarray' object has no attribute|only integers, slices \(`:`\), ellipsis", _scaled),
    (r"Shape of passed values is \((?P<shape>\d+, \d+)\), indices imply", _sparse),
    (r"Cannot use \w+ strategy with non-numeric data", _non_numeric),
)  # fmt: skip

RULES = (estimators, not_fitted)
