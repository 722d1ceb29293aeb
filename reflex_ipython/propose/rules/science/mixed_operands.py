"""Arithmetic, comparisons and text methods on columns and arrays that mix texts and numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.science.cleaning import is_date, is_number
from reflex_ipython.propose.rules.science.number_columns import (
    calls_to_numbers,
)
from reflex_ipython.propose.rules.science.scene import Scene, called, owner_of


def operands(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["a"] - df["b"]`, `df["a"] > 2` where a column holds text."""
    pairs: list[tuple[ast.expr, ast.expr, ast.AST]] = []
    for node in scene.nodes:
        if isinstance(node, ast.BinOp):
            pairs.append((node.left, node.right, node.op))
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            pairs.append((node.left, node.comparators[0], node.ops[0]))
        elif isinstance(node, ast.AugAssign):
            pairs.append((node.target, node.value, node.op))
    pd, imports = scene.module("pandas")
    if "Timestamp'" in found.string or "'DatetimeArray'" in found.string:
        yield from _days(scene, [side for left, right, _ in pairs for side in (left, right)])
    for left, right, operation in pairs:
        texts = [one for one in (left, right) if scene.dtype(one) in ("str", "object", "string") and _stored(one)]
        if not texts:
            continue
        dated = [one for one in texts if scene.samples(one) and all(map(is_date, scene.samples(one)))]
        if dated and not isinstance(operation, ast.Add):
            edits = [scene.put(one, f"{pd}.to_datetime({scene.text(one)})") for one in dated]
            why = f"`{scene.text(dated[0])}` holds dates as text; `to_datetime` makes dates of them."
            yield scene.proposal([*edits, *imports], why, "text as dates", 0.88)
            continue
        prose = isinstance(operation, ast.Add) and _has_words(scene, pairs)
        numeric = [one for one in texts if all(map(is_number, scene.samples(one)))]
        if not prose:
            edits = []
            for one in texts:
                calls = calls_to_numbers(scene, scene.samples(one))
                edits += [scene.put(one, f"{scene.operand(one)}{calls[0][0]}")] if calls else []
            if len(edits) == len(texts):
                why = f"`{scene.text(texts[0])}` holds text; every value of it is read as a number."
                prior = 0.6 if isinstance(operation, ast.Add) else 0.85
                yield scene.proposal(edits, why, "text as numbers", prior if numeric else prior - 0.05)
            if all(_mostly_numbers(scene, one) for one in texts) and not isinstance(operation, ast.Add):
                edits = [scene.put(one, f'{pd}.to_numeric({scene.text(one)}, errors="coerce")') for one in texts]
                why = f"`{scene.text(texts[0])}` holds numbers as text; what is none of them becomes missing."
                yield scene.proposal([*edits, *imports], why, "text as numbers", 0.55)
        if isinstance(operation, ast.Add):
            yield from _as_text(scene, [*_leaves(left), *_leaves(right)], 0.88 if prose else 0.5)
    if not any(isinstance(one, ast.Add) for _, _, one in pairs):
        return
    for left, right, operation in pairs:  # "text" + column of numbers
        if isinstance(operation, ast.Add) and _has_words(scene, pairs):
            yield from _as_text(scene, [*_leaves(left), *_leaves(right)], 0.88)


def _days(scene: Scene, sides: list[ast.expr]) -> Iterator[Proposal]:
    """A text beside a `Timestamp`: a date."""
    pd, imports = scene.module("pandas")
    for side in sides:
        value = side.value if isinstance(side, ast.Constant) else None
        is_day = isinstance(value, str) and (is_date(value) or re.match(r"\d{4}-\d\d", value))
        if is_day or (isinstance(side, ast.Name) and scene.type(side) == "str"):
            edit = scene.put(side, f"{pd}.Timestamp({scene.text(side)})")
            why = f"`{scene.text(side)}` is text; `Timestamp` makes a date of it."
            yield scene.proposal([edit, *imports], why, "text as a date", 0.92)


def _mostly_numbers(scene: Scene, column: ast.expr) -> bool:
    """Whether more than half of the values that are known of a column of texts are numbers."""
    samples = scene.samples(column)
    return sum(map(is_number, samples)) * 2 > len(samples)


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    """The operands of a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _leaves(node.left)
        yield from _leaves(node.right)
    else:
        yield node


def _stored(node: ast.expr) -> bool:
    return isinstance(node, (ast.Subscript, ast.Attribute, ast.Name))


def _has_words(scene: Scene, pairs: list[tuple[ast.expr, ast.expr, ast.AST]]) -> bool:
    parts = [part for left, right, _ in pairs for part in (left, right)]
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts)


def _as_text(scene: Scene, parts: list[ast.expr], prior: float) -> Iterator[Proposal]:
    others = [
        part
        for part in parts
        if _stored(part) and (dtype := scene.dtype(part)) and dtype not in ("str", "object", "string")
    ]
    if others:
        edits = [scene.put(part, f"{scene.operand(part)}.astype(str)") for part in others]
        why = f"`{scene.text(others[0])}` holds no text; as text it can be joined."
        yield scene.proposal(edits, why, "numbers as text", prior)


def string_accessor(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["id"].str.zfill(3)` of numbers: `df["id"].astype(str).str.zfill(3)`."""
    nodes = [node for node in scene.every(ast.Attribute) if node.attr == "str"]
    edits = [scene.put(node.value, f"{scene.operand(node.value)}.astype(str)") for node in nodes]
    if len(edits) == 1:
        held = f"{found['kind']} values" if found["kind"] else "no texts"  # pandas says it since version 3
        why = f"`{scene.text(nodes[0].value)}` holds {held}; `astype(str)` makes texts of them."
        yield scene.proposal(edits, why, "numbers as text", 0.86)


def object_function(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`np.sqrt(column)` of objects: as numbers."""
    for call in scene.calls():
        for argument in call.args[:1]:
            if not isinstance(call.func, ast.Attribute) or scene.meaning(call.func.value) != "numpy":
                continue
            if called(call) == "isnan":
                pd, imports = scene.module("pandas")
                edits = [scene.put(call.func, f"{pd}.isna"), *imports]
                yield scene.proposal(
                    edits, "`isnan` is for floats; `isna` knows every type.", "missing of any type", 0.92
                )
                continue
            text = f"{scene.operand(argument)}.astype(float)"
            why = f"`{scene.text(argument)}` holds objects, not floats; `astype(float)` converts every one."
            yield scene.proposal([scene.put(argument, text)], why, "objects as floats", 0.88)
            np, imports = scene.module("numpy")
            text = f"{np}.array({scene.text(argument)}, dtype=float)"
            yield scene.proposal([scene.put(argument, text), *imports], why, "objects as floats", 0.4)


def _joined(scene: Scene) -> Iterator[Proposal]:
    """`df["n"].sum() + " birds"`: a number of numpy beside a text."""
    for node in scene.every(ast.BinOp):
        sides = (node.left, node.right)
        if not isinstance(node.op, ast.Add) or not any(_is_text(scene, one) for one in sides):
            continue
        for one in sides:
            if not _is_text(scene, one) and not isinstance(one, ast.BinOp) and not scene.is_column(one):
                why = f"`{scene.text(one)}` is a number; `str` makes a text of it, which can be joined."
                yield scene.proposal([scene.put(one, f"str({scene.text(one)})")], why, "number as text", 0.88)


def _is_text(scene: Scene, node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node.value, str) if isinstance(node, ast.Constant) else scene.type(node) == "str"
    )


def texts_in_array(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Arithmetic on an array of texts."""
    if "'add'" in found.string:
        yield from _joined(scene)
    np, imports = scene.module("numpy")
    nodes: list[ast.expr] = [
        one for call in scene.calls("mean", "sum", "std", "median", "max") for one in call.args[:1]
    ]
    nodes += [
        owner for call in scene.calls("mean", "sum", "std", "median", "max") if (owner := owner_of(call)) is not None
    ]
    nodes += [one for pair in scene.every(ast.BinOp) for one in (pair.left, pair.right)]
    for node in nodes:
        if scene.meaning(node) or isinstance(node, ast.Constant):
            continue
        array = isinstance(node, (ast.List, ast.ListComp)) or scene.type(node) == "list"
        text = f"{np}.array({scene.text(node)}, dtype=float)" if array else f"{scene.operand(node)}.astype(float)"
        why = f"`{scene.text(node)}` holds texts; every one is read as a number."
        edits = [scene.put(node, text), *(imports if array else [])]
        yield scene.proposal(edits, why, "text as numbers", 0.7)
        if not array:
            text = text.replace("float", "int")
            yield scene.proposal([scene.put(node, text)], why, "text as numbers", 0.74)
