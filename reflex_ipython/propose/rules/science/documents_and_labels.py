"""Missing texts for a vectorizer, labels that an encoder has not seen, classes that are too small to be split."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, chain, keyword, owner_of

_FITS = ("fit", "fit_transform", "transform")


def _missing_texts(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`vectorizer.fit_transform(df["text"])` with texts missing: empty ones in their place."""
    for call in scene.calls(*_FITS):
        for data in call.args[:1]:
            if not scene.is_column(data):
                continue
            why = f"Some texts of `{scene.text(data)}` are missing; "
            filled = scene.after(data, '.fillna("")')
            yield scene.proposal([filled], f"{why}an empty one takes the place of each.", "missing texts", 0.88)
            dropped = scene.after(data, ".dropna()")
            yield scene.proposal([dropped], f"{why}their rows are left out.", "missing texts", 0.4)


def _unseen(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`LabelEncoder().fit(a)` and then `.transform(b)`: fitted to what it is to transform, where this cell fits it."""
    for call in scene.calls("transform"):
        owner, data = owner_of(call), call.args[0] if call.args else None
        if owner is None or data is None:
            continue
        for fit in scene.cell.every(ast.Call):
            if called(fit) not in ("fit", "fit_transform") or not fit.args or not _same(scene, fit, owner):
                continue
            given = fit.args[0]
            if scene.text(given) == scene.text(data):
                continue
            why = f"`{scene.text(owner)}` has to know every label of `{scene.text(data)}`; it is fitted to that."
            literal = isinstance(given, (ast.List, ast.Tuple))
            yield scene.proposal(
                [scene.put(given, scene.text(data))], why, "labels of the fit", 0.85 if literal else 0.5
            )
            pd, imports = scene.module("pandas")
            if not literal:
                both = f"{pd}.concat([{scene.text(given)}, {scene.text(data)}])"
                why = "An encoder has to know every label; it is fitted to those of both."
                yield scene.proposal([scene.put(given, both), *imports], why, "labels of the fit", 0.55)


def _same(scene: Scene, fit: ast.Call, owner: ast.expr) -> bool:
    """Whether the fit is that of a variable: `le.fit(x)`, or `le = LabelEncoder().fit(x)`."""
    if scene.text(fit.func).partition(".")[0] == scene.text(owner):
        return True
    return any(
        node.value is fit and any(scene.text(target) == scene.text(owner) for target in node.targets)
        for node in scene.cell.every(ast.Assign)
    ) and any(isinstance(one, ast.Call) for one in list(chain(fit))[1:])


def _small_classes(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`train_test_split(..., stratify=y)` where a class has one sample: split by chance."""
    for call in scene.calls("train_test_split"):
        given = keyword(call, "stratify")
        if given is not None:
            why = f"A class of `{scene.text(given.value)}` has one sample, which can't be in both parts of the split; "
            why += "the rows are split by chance alone."
            yield scene.proposal([scene.without(call, given)], why, "split by chance", 0.72)


documents_and_labels: Rule = answers(
    "documents_and_labels",
    (r"np\.nan is an invalid document|'(?:float|NoneType)' object has no attribute 'lower'", _missing_texts),
    (r"y contains previously unseen labels", _unseen),
    (r"least populated classe?s? in y ha(?:s|ve) only 1 member", _small_classes),
)  # fmt: skip

RULES = (documents_and_labels,)
