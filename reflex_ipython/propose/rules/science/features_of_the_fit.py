"""Data with fewer or more features than an estimator was fitted to: what the fit was given tells what is meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.features import TAKES_X
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, owner_of

_FITS = ("fit", "fit_transform", "fit_predict", "partial_fit")


def _as_in_the_fit(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model.fit(df[["a", "b"]], y)` and then `model.predict(new[["a"]])`: `model.predict(new[["a", "b"]])`."""
    for call in scene.calls(*TAKES_X):
        owner = owner_of(call)
        if owner is None or not call.args or called(call) in _FITS:
            continue
        data = call.args[0]
        for fitted in list(_fitted(scene, scene.text(owner)))[:1]:
            yield from _columns(scene, owner, data, fitted)
            yield from _transformed(scene, data, fitted)
            yield from _uncut(scene, owner, data, int(found.groupdict().get("needed") or 0))
            if isinstance(data, ast.Subscript) and scene.text(data.value) == ast.unparse(fitted):
                why = f"`{scene.text(owner)}` was fitted to all columns of `{ast.unparse(fitted)}`."
                yield scene.proposal([scene.put(data, _rows(scene, data))], why, "features of the fit", 0.85)


def _uncut(scene: Scene, owner: ast.expr, data: ast.expr, needed: int) -> Iterator[Proposal]:
    """`X_test[["a", "b"]].values` where the fit was given three: all columns of `X_test`, which has three."""
    for node in ast.walk(data):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.List):
            shape = scene.shape(node.value)
            if shape is not None and len(shape) == 2 and shape[1] == needed != len(node.slice.elts):
                table = scene.text(node.value)
                why = f"`{scene.text(owner)}` was fitted to {needed} columns, as many as `{table}` has."
                yield scene.proposal([scene.put(node, table)], why, "all columns", 0.89)


def _rows(scene: Scene, data: ast.Subscript) -> str:
    """What is cut out of an array without its choice of columns: `X[:5]` for `X[:5, :2]`."""
    rows = data.slice.elts[0] if isinstance(data.slice, ast.Tuple) else None
    text = "" if rows is None or ast.unparse(rows) == ":" else f"[{ast.unparse(rows)}]"
    return f"{scene.text(data.value)}{text}"


def _columns(scene: Scene, owner: ast.expr, data: ast.expr, fitted: ast.expr) -> Iterator[Proposal]:
    ours, theirs = _labels(data), _labels(fitted)
    if ours is None or theirs is None or ast.unparse(ours) == ast.unparse(theirs):
        return
    names = ", ".join(ast.unparse(one) for one in theirs.elts)
    why = f"`{scene.text(owner)}` was fitted to these columns, in this order: {names}."
    edit = scene.put(ours, ast.unparse(theirs).replace("'", '"'))
    yield scene.proposal([edit], why, "columns of the fit", 0.9)


def _labels(node: ast.expr) -> ast.List | None:
    """The list of labels that a table is asked for in an expression."""
    found = [one.slice for one in ast.walk(node) if isinstance(one, ast.Subscript)]
    lists = [one for one in found if isinstance(one, ast.List)]
    return lists[0] if len(lists) == 1 else None


def _transformed(scene: Scene, data: ast.expr, fitted: ast.expr) -> Iterator[Proposal]:
    """The fit was given what a transformer made of its data: the other data goes through it too."""
    made = next(_assigned(scene, fitted.id), None) if isinstance(fitted, ast.Name) else fitted
    if not isinstance(made, ast.Call) or called(made) not in ("fit_transform", "transform"):
        return
    transformer = owner_of(made)
    if isinstance(transformer, (ast.Name, ast.Attribute)):
        by = ast.unparse(transformer)
        why = f"The fit was given what `{by}` made of its data; this has to go through it too."
        yield scene.proposal([scene.put(data, f"{by}.transform({scene.text(data)})")], why, "transformed too", 0.88)


def _cells(scene: Scene) -> Iterator[ast.AST]:
    """The nodes of the cell and of those before it, the latest first."""
    yield from reversed(list(scene.cell.nodes()))
    for one in reversed(scene.failure.situation.earlier):
        yield from reversed(list(read(one.source).nodes()))


def _assigned(scene: Scene, name: str) -> Iterator[ast.expr]:
    for node in _cells(scene):
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == name for one in node.targets):
            yield node.value


def _fitted(scene: Scene, owner: str) -> Iterator[ast.expr]:
    """What the estimator of that name was fitted to, the latest first."""
    for node in _cells(scene):
        if isinstance(node, ast.Assign) and any(ast.unparse(one) == owner for one in node.targets):
            call: ast.expr = node.value
        elif isinstance(node, ast.Call):
            inner = owner_of(node)
            call = node if inner is not None and ast.unparse(inner) == owner else ast.Constant(None)
        else:
            continue
        if isinstance(call, ast.Call) and called(call) in _FITS and call.args:
            yield call.args[0]


features_of_the_fit: Rule = answers(
    "features_of_the_fit",
    (r"X has \d+ features, but \w+ is expecting (?P<needed>\d+)|X has \d+ features, but"
     r"|feature names should match those that were passed during fit", _as_in_the_fit),
)  # fmt: skip

RULES = (features_of_the_fit,)
