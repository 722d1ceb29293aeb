"""Targets and scores of another kind than the estimator or the measure takes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called

_OF_CLASSES = (
    "accuracy_score", "f1_score", "precision_score", "recall_score", "confusion_matrix", "classification_report",
    "balanced_accuracy_score",
)  # fmt: skip


_TAKEN: dict[str, tuple[str, ...]] = {
    "LinearRegression": ("fit_intercept", "n_jobs", "positive"),
    "SVR": ("kernel", "C", "gamma", "degree", "coef0", "tol", "max_iter", "shrinking", "cache_size", "verbose"),
    "BayesianRidge": ("max_iter", "tol"),
}
"""The arguments of a regressor that its classifier has as well, where it has others too."""


def _continuous(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A classifier is fitted to a continuous target: the regressor of the same kind, or whole classes."""
    renamed = {"LogisticRegression": "LinearRegression", "SVC": "SVR", "GaussianNB": "BayesianRidge",
               "LinearSVC": "LinearSVR", "SGDClassifier": "SGDRegressor", "RidgeClassifier": "Ridge"}  # fmt: skip
    for call in scene.cell.every(ast.Call):
        name = called(call)
        new = renamed.get(name) or (name.replace("Classifier", "Regressor") if name.endswith("Classifier") else "")
        if new and isinstance(call.func, ast.Name):
            edits = [scene.put(call.func, new)]
            kept = [one for one in call.keywords if one.arg in _TAKEN.get(new, (one.arg,))]
            if len(kept) < len(call.keywords):
                given = [scene.text(one) for one in call.args] + [f"{one.arg}={scene.text(one.value)}" for one in kept]
                edits = [scene.put(call, f"{new}({', '.join(given)})")]
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


def _import_beside(scene: Scene, old: str, new: str) -> SpanEdit:
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
    if "continuous-multioutput" in scene.failure.error.evalue:
        return  # a column for each class: probabilities
    for call in scene.calls(*_OF_CLASSES):
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


_OF_SCORES = ("roc_auc_score", "roc_curve", "precision_recall_curve", "average_precision_score", "brier_score_loss")


def _probabilities(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`accuracy_score(y, model.predict_proba(X))`: `model.predict(X)`; of measures of scores, the second column."""
    for call in scene.calls(*_OF_CLASSES, *_OF_SCORES):
        for argument in call.args[:2]:
            made = _predicted(scene, argument)
            if made is None:
                continue
            text = scene.text(argument)
            if called(call) in _OF_SCORES:
                why = f"`{text}` has a column for each class; `{called(call)}` takes that of the positive one."
                yield scene.proposal([scene.put(argument, f"{text}[:, 1]")], why, "positive class", 0.85)
            elif made is argument and isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute):
                end = scene.cell.span(argument.func)[1]
                edit = SpanEdit(end - len(argument.func.attr), end, "predict")
                why = f"`{called(call)}` compares classes; `predict` gives them, `predict_proba` their probabilities."
                yield scene.proposal([edit], why, "classes predicted", 0.9)
            else:
                why = f"`{text}` has a probability for each class; `argmax` is the place of the likeliest."
                yield scene.proposal([scene.put(argument, f"{text}.argmax(axis=1)")], why, "likeliest class", 0.45)


def _predicted(scene: Scene, argument: ast.expr) -> ast.expr | None:
    """The call of `predict_proba` that an argument is, or stands for in this cell or an earlier one."""
    if isinstance(argument, ast.Call):
        return argument if called(argument) == "predict_proba" else None
    if not isinstance(argument, ast.Name):
        return None
    for cell in (scene.cell, *(read(one.source) for one in reversed(scene.failure.situation.earlier))):
        for node in reversed(cell.every(ast.Assign)):
            if any(isinstance(target, ast.Name) and target.id == argument.id for target in node.targets):
                found = isinstance(node.value, ast.Call) and called(node.value) == "predict_proba"
                return node.value if found else None
    return None


def _metrics_import(scene: Scene, name: str) -> SpanEdit:
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


metrics: Rule = answers(
    "metrics",
    (r"Unknown label type: '?\(?'?continuous", _continuous),
    (r"mix of .*continuous-multioutput|y should be a 1d array, got an array of shape|bad input shape", _probabilities),
    (r"ValueError: (?:continuous|multioutput).* is not supported|mix of (?:binary|multiclass) and continuous",
     _continuous_metric),
    (r"Target is multiclass but average='binary'|multi_class must be in \('ovo', 'ovr'\)", _multiclass),
    (r"pos_label=\S+ is not a valid label.* one of (?P<labels>\[.*\])", _positive_label),
)  # fmt: skip

RULES = (metrics,)
