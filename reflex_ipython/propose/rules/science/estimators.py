"""Options of scikit-learn's estimators that exclude each other, and steps of pipelines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword


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
                edits = [SpanEdit(start, start, "["), SpanEdit(end, end, "]")]
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


def _categories(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A category that was not there when an encoder was fitted: it is let pass, where the cell makes the encoder."""
    for call in scene.cell.every(ast.Call):
        name = called(call)
        if name in ("OneHotEncoder", "OrdinalEncoder") and not keyword(call, "handle_unknown"):
            how = "ignore" if name == "OneHotEncoder" else "use_encoded_value"
            more = "" if name == "OneHotEncoder" else ", unknown_value=-1"
            why = f"Categories that were not there at the fit are let pass: handle_unknown={how!r}."
            edit = scene.argument(call, f'handle_unknown="{how}"{more}')
            yield scene.proposal([edit], why, "unknown categories", 0.88)


def _documents(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`vectorizer.transform("a text")`: a list of texts."""
    for call in scene.calls("transform", "fit_transform", "fit"):
        for given in call.args[:1]:
            why = "A vectorizer takes several texts; one of them stands in a list."
            yield scene.proposal([scene.put(given, f"[{scene.text(given)}]")], why, "list of texts", 0.95)


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
            edit = SpanEdit(*scene.cell.span(given), text + more) if given else scene.argument(call, text + more)
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


def _decision(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`LinearSVC().predict_proba(X)`: it has scores, and no probabilities but of a calibration around it."""
    for call in scene.calls("predict_proba", "predict_log_proba"):
        if not isinstance(call.func, ast.Attribute):
            continue
        end = scene.cell.span(call.func)[1]
        owner = scene.text(call.func.value)
        edit = SpanEdit(end - len(call.func.attr), end, "decision_function")
        why = f"`{owner}` estimates no probabilities; `decision_function` gives its scores."
        yield scene.proposal([edit], why, "scores", 0.62)


def _linear_kernel(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.cell.every(ast.Call):
        if called(call) in ("SVC", "SVR"):
            given = keyword(call, "kernel")
            edit = (
                SpanEdit(*scene.cell.span(given), 'kernel="linear"')
                if given
                else scene.argument(call, 'kernel="linear"')
            )
            yield scene.proposal([edit], "Only a linear kernel has coefficients.", "linear kernel", 0.85)


estimators: Rule = answers(
    "estimators",
    (r"cannot unpack non-iterable \w+ object|Pipeline\.__init__\(\) takes|Last step of Pipeline should implement fit"
     r"|Invalid 'estimators' attribute|should be a list of \(string, estimator\) tuples", _pipeline),
    (r"n_components=(?P<wrong>\d+) must be between \d+ and min\(n_samples, n_features\)=(?P<most>\d+)", _components),
    (r"n_neighbors = (?P<wrong>\d+), n_samples_fit = (?P<most>\d+)", _components),
    (r"n_samples=(?P<most>\d+) should be >= n_clusters=(?P<wrong>\d+)", _components),
    (r"n_splits=(?P<wrong>\d+) greater than the number of samples: n_samples=(?P<most>\d+)", _components),
    (r"Found unknown categories", _categories),
    (r"Iterable over raw text documents expected, string object received", _documents),
    (r"Solver \w+ supports only|Only 'saga' solver supports", _solver),
    (r"Setting a random_state has no effect since shuffle is False", _shuffle),
    (r"has no attribute 'predict_proba'|predict_proba is not available when", _probabilities),
    (r"'(?:LinearSVC|RidgeClassifier|RidgeClassifierCV|Perceptron|SGDClassifier|PassiveAggressiveClassifier|OneClassSVM)'"
     r" object has no attribute 'predict(?:_log)?_proba'", _decision),
    (r"coef_ is only available when using a linear kernel", _linear_kernel),
)  # fmt: skip

RULES = (estimators,)
