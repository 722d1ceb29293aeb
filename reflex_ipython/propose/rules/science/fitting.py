"""Estimators that are not fitted yet, or are given their data in the wrong place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.features import TAKES_X
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, owner_of
from reflex_ipython.propose.rules.science.splits import part_of
from reflex_ipython.propose.rules.statements import failing_cell


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
        edit = SpanEdit(end - len(call.func.attr), end, new)
        why = f"`{scene.text(call.func.value)}` has learnt nothing yet; `{new}` fits it to `{name}` first."
        yield scene.proposal([edit], why, "fitted first", 0.35 if test else 0.85 if new == "fit_transform" else 0.7)
    yield from _made_and_used_at_once(scene)
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


def _made_and_used_at_once(scene: Scene) -> Iterator[Proposal]:
    """`SVC().predict(X)`: `SVC().fit(X, y).predict(X)`."""
    for call in scene.calls(*TAKES_X):
        owner = owner_of(call)
        if not isinstance(owner, ast.Call) or called(owner).startswith("fit") or not called(owner)[:1].isupper():
            continue
        given = scene.text(call.args[0]) if call.args else ""
        for data, prior in _training_data(scene):
            likely = prior if given not in ("", data.partition(",")[0]) else max(prior, 0.8)
            alone = "," not in data
            why = f"`{scene.text(owner)}` has learnt nothing yet; it is fitted to `{data}` first."
            yield scene.proposal([scene.after(owner, f".fit({data})")], why, "fitted first", likely - 0.1 * alone)


def _needs_no_target(scene: Scene, owner: str) -> bool:
    """Whether it is known to be a transformer, or to look for clusters."""
    value = scene.value(owner)
    families = ("preprocessing", "cluster", "decomposition", "impute", "manifold", "mixture", "feature_extraction")
    return value is not None and value.type.split(".")[1:2] != [] and value.type.split(".")[1] in families


def _unfitted(scene: Scene, attribute: bool) -> list[str]:
    nodes = [owner for call in scene.calls(*TAKES_X) if (owner := owner_of(call)) is not None]
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
        kind = "train" if part_of(x) == "train" else ""
        partners = [
            y
            for y in names
            if re.fullmatch(r"(?:[yY]|target|targets|labels)(?:_?(?:train|tr)\w*)?", y)
            and ("train" if part_of(y) == "train" else "") == kind
        ]
        prior = 0.84 if kind else 0.7
        if any(part_of(one) == "test" for one in used) and not kind:
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
                if re.fullmatch(r"(?:[yY]|target|targets|labels)(?:_?(?:train|tr|test|te)\w*)?", y) and part_of(
                    y
                ) == part_of(x):
                    why = f"A model with a target is fitted to both; `{y}` belongs to `{x}`."
                    yield scene.proposal([scene.argument(call, y)], why, "target of the fit", 0.85)


def _class_itself(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model = LinearRegression` and then `model.fit`: the class is to be called."""
    for call in scene.calls(*TAKES_X):
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


fitting: Rule = answers(
    "fitting",
    (r"fit\(\) missing 1 required positional argument: 'y'", _fit_without_target),
    (r"has no attribute '_validate_params'|has no attribute '_estimator_type'"
     r"|\.(?:fit|fit_transform|predict|transform)\(\) missing 1 required positional argument: '[Xy]'",
     _class_itself),
    (r"TypeError: (?P<name>[A-Z]\w+)\.__init__\(\) takes \d+ positional arguments? but \d+ (?:was|were) given",
     _data_in_constructor),
)  # fmt: skip

RULES = (
    not_fitted,
    fitting,
)
