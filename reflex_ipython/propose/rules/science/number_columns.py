"""Columns of text that should be numbers, and whole numbers with missing values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.science.cleaning import cleanings, is_number
from reflex_ipython.propose.rules.science.scene import Scene, called, chain, keyword, owner_of

_NUMBERS = frozenset({"int", "float", "int64", "float64", "int32", "float32", "Int64", "Float64", "int8", "int16"})
_REDUCTIONS = frozenset(
    [
        "mean",
        "median",
        "std",
        "var",
        "sum",
        "min",
        "max",
        "sem",
        "skew",
        "kurt",
        "kurtosis",
        "prod",
        "quantile",
        "corr",
        "cov",
        "cumsum",
        "cumprod",
        "rank",
        "diff",
    ]
)


def _kind(node: ast.expr) -> str:
    """The numeric type that a node names: `float`, `"int64"`, `np.float64`; empty if it names none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value if node.value in _NUMBERS else ""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name if name in _NUMBERS else ""


def conversions(scene: Scene) -> Iterator[tuple[ast.Call, ast.expr, str, str]]:
    """The conversions of columns to numbers: the call, the column, the type as it is written, and its name."""
    for call in scene.calls():
        owner, name = owner_of(call), called(call)
        if name == "astype" and owner is not None:
            given = (
                call.args[0] if call.args else next((one.value for one in call.keywords if one.arg == "dtype"), None)
            )
            if given is not None and _kind(given):
                yield call, owner, scene.text(given), _kind(given)
        elif name == "to_numeric" and call.args:
            yield call, call.args[0], "float", "float"
        elif name in ("apply", "map") and owner is not None and call.args:
            inner = call.args[0]
            if isinstance(inner, ast.Lambda) and isinstance(inner.body, ast.Call) and len(inner.body.args) == 1:
                argument, inner = inner.body.args[0], inner.body.func
                if not isinstance(argument, ast.Name):
                    continue
            if isinstance(inner, ast.Name) and inner.id in ("float", "int"):
                yield call, owner, inner.id, inner.id


def not_a_number(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["price"].astype(float)` with "$1,200": the signs are taken away first."""
    value = found["value"].replace("\\xa0", "\xa0").replace("\\t", "\t").replace("\\n", "\n")
    for call, owner, written, kind in conversions(scene):
        yield from _numbers(scene, call, owner, written, kind, value)
    name = re.search(r"casting for column '(.*)'", found.string)
    for call in scene.calls("astype"):
        if call.args and isinstance(call.args[0], ast.Dict) and name and owner_of(call) is not None:
            yield from _of_table(scene, call, name[1], value)
    yield from numbers_wanted(scene, found)


def _numbers(scene: Scene, call: ast.Call, owner: ast.expr, written: str, kind: str, value: str) -> Iterator[Proposal]:
    np, imports = scene.module("numpy")
    column = scene.operand(owner)
    text = column if scene.dtype(owner) != "object" else f"{column}.astype(str)"
    whole = kind.lower().startswith("int")
    for one in cleanings(value, f"{np}.nan"):
        to = "float" if one.missing and whole else written
        last = "" if ".astype(float)" in one.calls else f".astype({to})"
        base = column if one.missing else text
        why = f"In `{scene.text(owner)}` {one.why}; then every value converts."
        extra = imports if f"{np}." in one.calls else []
        prior = 0.34 if one.missing and whole else one.prior
        yield scene.proposal([scene.put(call, f"{base}{one.calls}{last}"), *extra], why, "text as numbers", prior)
        if whole and not one.missing:
            new = f"{base}{one.calls}.astype(float)"
            yield scene.proposal([scene.put(call, new)], why, "text as numbers", 0.43)
        if one.missing and whole:
            new = f'{base}{one.calls}.astype(float).astype("Int64")'
            yield scene.proposal([scene.put(call, new), *extra], why, "text as numbers", 0.72)
    if whole and is_number(value):
        why = f"{value!r} in `{scene.text(owner)}` is no whole number as it is written; `float` reads it."
        ends = value.strip().rstrip("0").endswith(".")
        yield scene.proposal([scene.put(call, f"{column}.astype(float)")], why, "text as numbers", 0.4 if ends else 0.6)
        new = f"{column}.astype(float).astype({written})"
        yield scene.proposal([scene.put(call, new)], why, "text as numbers", 0.85 if ends else 0.45)
    pd, imports = scene.module("pandas")
    why = f"{value!r} in `{scene.text(owner)}` is no number; what can't be converted becomes a missing value."
    new = f'{pd}.to_numeric({scene.text(owner)}, errors="coerce")'
    yield scene.proposal([scene.put(call, new), *imports], why, "unreadable as missing", 0.4)


def _of_table(scene: Scene, call: ast.Call, name: str, value: str) -> Iterator[Proposal]:
    """`df.astype({"price": float})`: the column is cleaned first."""
    owner = owner_of(call)
    assert owner is not None
    np, _ = scene.module("numpy")
    for one in cleanings(value, f"{np}.nan"):
        table = scene.text(owner)
        new = f"{scene.operand(owner)}.assign(**{{{name!r}: {table}[{name!r}]{one.calls}}})"
        why = f"In column `{name}` {one.why}."
        yield scene.proposal([scene.put(owner, new)], why, "text as numbers", one.prior)


def numbers_wanted(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Statistics of a table with columns of text: of its numbers only; of a column of text: of the numbers in it."""
    for call in scene.calls():
        owner, name = owner_of(call), called(call)
        if owner is None or keyword(call, "numeric_only"):
            continue
        if name in _REDUCTIONS:
            if scene.is_column(owner):
                yield from column_as_numbers(scene, owner, 0.88)
                continue
            grouped = _grouped_column(owner)
            if grouped is not None:
                yield from _of_groups(scene, *grouped)
                continue
            why = f"Some columns hold text; `numeric_only` leaves them out of `{name}`."
            yield scene.proposal([scene.argument(call, "numeric_only=True")], why, "numbers only", 0.88)
        elif name in ("agg", "aggregate") and len(call.args) == 1 and isinstance(call.args[0], ast.Constant):
            why = "Some columns hold text; `numeric_only` leaves them out."
            yield scene.proposal([scene.argument(call, "numeric_only=True")], why, "numbers only", 0.85)
        elif name in ("pivot_table",) and not keyword(call, "values"):
            table = scene.text(owner)
            edit = scene.argument(call, f'values=list({table}.select_dtypes("number"))')
            yield scene.proposal([edit], "Only columns of numbers can be aggregated so.", "numbers only", 0.8)
        elif name in ("rolling", "ewm", "expanding", "interpolate", "plot", "hist", "boxplot"):
            new = f'{scene.operand(owner)}.select_dtypes("number")'
            if scene.is_column(owner):
                yield from column_as_numbers(scene, owner, 0.85)
            else:
                yield scene.proposal([scene.put(owner, new)], "Some columns hold text.", "numbers only", 0.85)


def _grouped_column(owner: ast.expr) -> tuple[ast.expr, str] | None:
    """The table and the label of `df.groupby("a")["price"]` or `df.groupby("a").price`."""
    if isinstance(owner, ast.Subscript) and isinstance(owner.slice, ast.Constant) and type(owner.slice.value) is str:
        label = owner.slice.value
    elif isinstance(owner, ast.Attribute):
        label = owner.attr
    else:
        return None
    grouped = [part for part in chain(owner.value) if isinstance(part, ast.Call) and called(part) == "groupby"]
    table = owner_of(grouped[0]) if grouped else None
    return (table, label) if table is not None else None


def _of_groups(scene: Scene, table: ast.expr, label: str) -> Iterator[Proposal]:
    """`df.groupby("a")["price"].mean()` where the prices are text."""
    samples = scene.samples(ast.Subscript(table, ast.Constant(label)))
    column, told = f"{scene.operand(table)}[{label!r}]", _told(f"Column {label!r}", samples)

    def read_first(new: str) -> SpanEdit:
        return scene.put(table, f"{scene.operand(table)}.assign(**{{{label!r}: {new}}})")

    for calls, prior in calls_to_numbers(scene, samples):
        why = f"{told}; its values are read as numbers first."
        yield scene.proposal([read_first(f"{column}{calls}")], why, "text as numbers", prior)
    pd, imports = scene.module("pandas")
    why = f"{told}; what can't be read as a number becomes missing."
    edits = [read_first(f'{pd}.to_numeric({column}, errors="coerce")'), *imports]
    yield scene.proposal(edits, why, "unreadable as missing", 0.38)


def _told(column: str, samples: list[str]) -> str:
    """That a column holds text, and which one of its first values is no number."""
    odd = next((value for value in samples if not is_number(value)), None)
    return f"{column} holds text" if odd is None else f"{column} holds text, and {odd!r} is no number"


def calls_to_numbers(scene: Scene, samples: list[str]) -> list[tuple[str, float]]:
    """What makes numbers of a column of texts, judged by its first values."""
    odd = [value for value in samples if not is_number(value)]
    np, _ = scene.module("numpy")
    if not odd:
        whole = samples and all(re.fullmatch(r"-?\d+", value.strip()) for value in samples)
        return [(".astype(int)", 0.82), (".astype(float)", 0.4)] if whole else [(".astype(float)", 0.82)]
    found = [(one.calls, one.prior) for one in cleanings(odd[0], f"{np}.nan")]
    return [(calls if calls.endswith("div(100)") else f"{calls}.astype(float)", prior) for calls, prior in found]


def column_as_numbers(scene: Scene, column: ast.expr, prior: float) -> Iterator[Proposal]:
    dtype = scene.dtype(column)
    if dtype not in ("str", "object", "string", ""):
        return
    text, samples = scene.operand(column), scene.samples(column)
    told = _told(f"`{scene.text(column)}`", samples)
    for calls, how in calls_to_numbers(scene, samples):
        why = f"{told}; every value of it is read as a number first."
        yield scene.proposal([scene.put(column, f"{text}{calls}")], why, "text as numbers", min(prior, how))
    pd, imports = scene.module("pandas")
    new = f'{pd}.to_numeric({scene.text(column)}, errors="coerce")'
    why = f"{told}; what can't be read as a number becomes missing."
    yield scene.proposal([scene.put(column, new), *imports], why, "unreadable as missing", 0.38)


def missing_as_integer(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`column.astype(int)` with missing values."""
    for call, owner, written, kind in conversions(scene):
        column = scene.operand(owner)
        if called(call) != "astype":
            continue
        dtype, samples = scene.dtype(owner), scene.samples(owner)
        holds_text = bool(samples) and dtype in ("str", "object", "string")
        if holds_text or not dtype:
            yield from _texts_and_missing(scene, call, owner, samples)
        if holds_text:
            continue
        ways = (
            (f'{column}.astype("Int64")', 0.48, "`Int64` is a type of whole numbers that knows missing values."),
            (f"{column}.fillna(0).astype({written})", 0.42, "Missing values become 0."),
            (f"{column}.dropna().astype({written})", 0.3, "Missing values are left out."),
            (f'{column}.round().astype("Int64")', 0.4, "The values are rounded; `Int64` knows missing values."),
        )
        for text, prior, why in ways:
            lost = f"`{scene.text(owner)}` has missing values, which `{kind}` can't hold. {why}"
            yield scene.proposal([scene.put(call, text)], lost, "missing whole numbers", prior)


def _texts_and_missing(scene: Scene, call: ast.Call, owner: ast.expr, samples: list[str]) -> Iterator[Proposal]:
    """Of a column of texts with missing values: those texts that are numbers as whole ones."""
    column = scene.text(owner)
    told = _told(f"`{column}`", samples) if samples else f"`{column}` may hold text"
    pd, imports = scene.module("pandas")
    if all(map(is_number, samples)):
        why = f"{told} and has missing values; `Int64` is a type of whole numbers that knows these."
        new = f'{scene.operand(owner)}.astype(float).astype("Int64")'
        yield scene.proposal([scene.put(call, new)], why, "missing whole numbers", 0.6 if samples else 0.4)
    why = f"{told}. Values are missing, too; what can't be read becomes missing as well, which `Int64` knows."
    new = f'{pd}.to_numeric({column}, errors="coerce").astype("Int64")'
    prior = 0.5 if samples and not all(map(is_number, samples)) else 0.35
    yield scene.proposal([scene.put(call, new), *imports], why, "unreadable as missing", prior)
