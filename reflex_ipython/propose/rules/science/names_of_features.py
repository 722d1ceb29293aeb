"""Columns that scikit-learn knows by another name, and messages of its that name them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.closeness import closest, fold
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.features import TAKES_X
from reflex_ipython.propose.rules.science.scene import Scene, answers

_LISTED = re.compile(r"^- (.+)$", re.M)
_QUOTED = re.compile(r"'([^']+)'")


def _renamed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model.predict(new)` where `new` says `beds` for `bedrooms`: the names of the fit."""
    unseen, _, missing = found["lists"].partition("seen at fit time, yet now missing:")
    ours, theirs = _LISTED.findall(unseen), _LISTED.findall(missing)
    pairs = dict(_pairs(ours, theirs))
    if not pairs or len(pairs) != len(theirs):
        return
    told = ", ".join(f"{old!r} is {new!r}" for old, new in pairs.items())
    why = f"The estimator was fitted with other names: {told}."
    keys = [node for node in scene.cell.every(ast.Constant) if node.value in pairs]
    here = {node.value for node in keys} == set(pairs)
    if here:
        edits = [scene.put(node, scene.text(node).replace(str(node.value), pairs[str(node.value)])) for node in keys]
        yield scene.proposal(edits, why, "names of the fit", 0.91)
    for call in scene.calls(*TAKES_X):
        for data in call.args[:1]:
            names = ", ".join(f'"{old}": "{new}"' for old, new in pairs.items())
            edit = scene.after(data, f".rename(columns={{{names}}})")
            yield scene.proposal([edit], why, "names of the fit", 0.6 if here else 0.9)


def _pairs(ours: list[str], theirs: list[str]) -> Iterator[tuple[str, str]]:
    """Which name stands for which: the only one for the only one, or the one that is written alike."""
    if len(ours) == len(theirs) == 1:
        yield ours[0], theirs[0]
        return
    left = list(theirs)
    for name in ours:
        same = [one for one in left if fold(one) == fold(name)]
        other = same[0] if same else closest(name, left, fixed=True)
        if other is not None:
            left.remove(other)
            yield name, other


def _of_the_table(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`ColumnTransformer([("n", scaler, ["Age"])])` of a table that has `age`: the closest column."""
    wrong = _QUOTED.findall(found["names"]) if found["names"] else []
    wrong = wrong or [name for name in _given_labels(scene) if not _in_some_table(scene, name)]
    columns = [name for call in scene.calls() for data in call.args[:1] for name in scene.columns(data)]
    pairs = {}
    for name in wrong:
        same = [one for one in columns if fold(one) == fold(name)]
        other = same[0] if same else closest(name, columns, fixed=True)
        if other is not None and other != name:
            pairs[name] = other
    keys = [node for node in scene.cell.every(ast.Constant) if node.value in pairs]
    if keys and len(pairs) == len(wrong):
        told = "; ".join(f"it has no column {old!r}, the closest is {new!r}" for old, new in pairs.items())
        edits = [scene.put(node, scene.text(node).replace(str(node.value), pairs[str(node.value)])) for node in keys]
        yield scene.proposal(edits, f"The table was looked at: {told}.", "closest column", 0.93)


def _given_labels(scene: Scene) -> Iterator[str]:
    """The texts in lists inside the steps of a transformer that the cell makes."""
    for call in scene.cell.every(ast.Call):
        for given in call.args:
            for inner in ast.walk(given):
                if isinstance(inner, ast.Tuple) and inner.elts and isinstance(inner.elts[-1], ast.List):
                    yield from (
                        one.value
                        for one in inner.elts[-1].elts
                        if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    )


def _in_some_table(scene: Scene, name: str) -> bool:
    return any(name in scene.columns(data) for call in scene.calls() for data in call.args[:1])


names_of_features: Rule = answers(
    "names_of_features",
    (r"feature names should match those that were passed during fit\.\nFeature names unseen at fit time:"
     r"(?P<lists>.*)", _renamed),
    (r"Some column names are not columns of the dataframe: (?P<names>\{.*\})", _of_the_table),
    (r"A given column is not a column of the dataframe(?P<names>)", _of_the_table),
)  # fmt: skip

RULES = (names_of_features,)
