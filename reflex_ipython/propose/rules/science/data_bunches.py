"""What scikit-learn's `load_…` give, a `Bunch`: a table is asked of it, or data by another name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, called, keyword
from reflex_ipython.propose.rules.statements import failing_cell

_OF_TABLES = frozenset(
    {"head", "tail", "describe", "info", "columns", "iloc", "loc", "groupby", "corr", "isna", "isnull", "dtypes"}
    | {"value_counts", "sample", "hist", "plot", "mean", "shape"}
)
_DATA = {
    "labels": "target", "label": "target", "y": "target", "targets": "target", "classes": "target_names",
    "X": "data", "x": "data", "features": "data", "values": "data", "columns": "feature_names",
    "names": "feature_names", "description": "DESCR", "df": "frame", "dataframe": "frame", "table": "frame",
}  # fmt: skip


def table_of_a_bunch(failure: Failure) -> Iterator[Proposal]:
    """`iris.head()`: `load_iris(as_frame=True)`, and then `iris.frame.head()`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or cell is None or not lookup.owner_type.endswith("Bunch"):
        return
    scene = Scene(failure, cell)
    for node in scene.every(ast.Attribute):
        if node.attr != lookup.wanted or not isinstance(node.value, ast.Name):
            continue
        name, end = node.value.id, cell.span(node)[1]
        meant = _DATA.get(lookup.wanted)
        if meant:
            why = f"`{name}` has what it holds by other names; `{meant}` is that of {_told(meant)}."
            edit = scene.put(node, f"{scene.text(node.value)}.{meant}")
            yield scene.proposal([edit], why, "name in a dataset", 0.72)
        if lookup.wanted in _OF_TABLES:
            whole = f"{name}.frame{cell.source[cell.span(node.value)[1] : end]}"
            why = f"`{name}` is no table but holds one: with `as_frame=True` it is `{name}.frame`."
            loads = [one for one in cell.every(ast.Assign) if _loads(one, name)]
            for made in loads[-1:]:
                assert isinstance(made.value, ast.Call)
                edits = [scene.argument(made.value, "as_frame=True"), scene.put(node, whole)]
                yield scene.proposal(edits, why, "table of a dataset", 0.85)
            pd, imports = scene.module("pandas")
            made_table = f"{pd}.DataFrame({name}.data, columns={name}.feature_names)"
            why = f"`{name}` is no table; one is made of its data and the names of its features."
            edits = [scene.put(node.value, made_table), *imports]
            yield scene.proposal(edits, why, "table of a dataset", 0.4 if loads else 0.8)


def _told(name: str) -> str:
    return {"target": "what is to be predicted", "data": "the features", "DESCR": "the description"}.get(
        name, "the table" if name == "frame" else "these names"
    )


def _loads(node: ast.Assign, name: str) -> bool:
    call = node.value
    given = any(isinstance(one, ast.Name) and one.id == name for one in node.targets)
    return (
        given
        and isinstance(call, ast.Call)
        and called(call).startswith(("load_", "fetch_"))
        and keyword(call, "as_frame") is None
    )


RULES: tuple[Rule, ...] = (table_of_a_bunch,)
