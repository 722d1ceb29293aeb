"""pandas values, labels and masks of other lengths than the table they are meant for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.literals import literal_of
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword


def _column_length(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["z"] = [1, 2]` of a table with three rows."""
    values, rows = int(found["values"]), int(found["rows"])
    statement = scene.statement()
    pd, imports = scene.module("pandas")
    if isinstance(statement, ast.Assign):
        value = statement.value
        text = scene.operand(value)
        yield from _one_more(scene, value, rows - values)
        if values < rows:
            why = f"There are {values} values for {rows} rows; the rows without one get a missing value."
            target = statement.targets[0]
            owner = scene.text(target.value) if isinstance(target, ast.Subscript) else ""
            index = f", index={owner}.index[:{values}]" if owner else ""
            edits = [scene.put(value, f"{pd}.Series({scene.text(value)}{index})"), *imports]
            yield scene.proposal(edits, why, "missing values for the rest", 0.48)
            if values == 1:
                yield scene.proposal(
                    [scene.put(value, f"{text}[0]")], "The one value goes to all rows.", "value for all", 0.6
                )
            if rows % values == 0:
                np, imports = scene.module("numpy")
                edits = [scene.put(value, f"{np}.tile({scene.text(value)}, {rows // values})"), *imports]
                yield scene.proposal(edits, f"The {values} values come again and again.", "values repeated", 0.3)
        else:
            why = f"There are {values} values for {rows} rows; the {{}} {rows} are used."
            yield scene.proposal([scene.put(value, f"{text}[:{rows}]")], why.format("first"), "values that fit", 0.46)
            yield scene.proposal([scene.put(value, f"{text}[-{rows}:]")], why.format("last"), "values that fit", 0.36)
    for call in scene.calls("Series", "DataFrame"):
        given = keyword(call, "index")
        data = keyword(call, "data")
        node = data.value if data else call.args[0] if call.args else None
        if given is not None and node is not None and called(call) == "Series":
            if values < rows:
                edit = scene.put(given.value, f"{scene.operand(given.value)}[:len({scene.text(node)})]")
                why = f"There are {rows} labels for {values} values; the first labels are used."
                yield scene.proposal([edit], why, "labels that fit", 0.55)
            else:
                edit = scene.put(node, f"{scene.operand(node)}[:len({scene.text(given.value)})]")
                why = f"There are {values} values for {rows} labels; the first values are used."
                yield scene.proposal([edit], why, "values that fit", 0.5)
                yield scene.proposal([scene.without(call, given)], "The labels are left out.", "without labels", 0.3)


def _one_more(scene: Scene, value: ast.expr, lacking: int) -> Iterator[Proposal]:
    """`range(1, len(df))`, which ends before the last row: `range(1, len(df) + 1)`."""
    call = (
        value.args[0] if isinstance(value, ast.Call) and called(value) in ("list", "Series") and value.args else value
    )
    if not isinstance(call, ast.Call) or called(call) not in ("range", "arange") or len(call.args) != 2:
        return
    first, last = call.args
    if lacking > 0 and isinstance(first, ast.Constant) and first.value == lacking:
        why = f"`{called(call)}` ends before {scene.text(last)}, {lacking} too early for the last row."
        yield scene.proposal([scene.after(last, f" + {lacking}")], why, "one more", 0.92)


def _sizes(scene: Scene, data: ast.Dict) -> str:
    """How long each column is, as far as that is known: ` (x has 3, y has 2)`."""
    told = []
    for key, value in zip(data.keys, data.values):
        shape = scene.shape(value)
        size = len(value.elts) if isinstance(value, (ast.List, ast.Tuple)) else shape[0] if shape else None
        if size is not None and isinstance(key, ast.Constant):
            told.append(f"{key.value!s} has {size}")
    return f" ({', '.join(told[:8])})" if told else ""


def _dict_lengths(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`pd.DataFrame({"a": a, "b": b})` with lists of different lengths."""
    pd, imports = scene.module("pandas")
    for call in scene.calls("DataFrame"):
        data = call.args[0] if call.args else next((one.value for one in call.keywords if one.arg == "data"), None)
        if isinstance(data, ast.Dict):
            sizes = _sizes(scene, data)
            edits = [scene.put(one, f"{pd}.Series({scene.text(one)})") for one in data.values]
            why = f"The columns have different lengths{sizes}; as Series the shorter are filled up with missing values."
            yield scene.proposal([*edits, *imports], why, "missing values for the rest", 0.48)
            shapes = [shape[0] if (shape := scene.shape(one)) else None for one in data.values]
            least = min((size for size in shapes if size is not None), default=None)
            if least is not None:
                cut = [
                    scene.put(one, f"{scene.operand(one)}[:{least}]")
                    for one, size in zip(data.values, shapes)
                    if size is not None and size > least
                ]
                why = f"The columns have different lengths; the first {least} values of each are used."
                yield scene.proposal(cut, why, "same length", 0.42)
        elif data is not None:
            text = f'{pd}.DataFrame.from_dict({scene.text(data)}, orient="index").T'
            why = "The columns have different lengths; the shorter are filled up with missing values."
            yield scene.proposal([scene.put(call, text), *imports], why, "missing values for the rest", 0.66)


def _shape_of_labels(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`pd.DataFrame(values, columns=…)` with other numbers of columns."""
    rows, columns = int(found["rows"]), int(found["columns"])
    need = int(found["need"])
    for call in scene.calls("DataFrame"):
        labels = keyword(call, "columns")
        data = call.args[0] if call.args else next((one.value for one in call.keywords if one.arg == "data"), None)
        if labels is None or data is None:
            continue
        if columns == 1 and rows == need:
            why = f"The {rows} values are one row with {need} columns."
            yield scene.proposal([scene.put(data, f"[{scene.text(data)}]")], why, "one row", 0.8)
            start = scene.cell.span(labels)[0]
            why = f"There are {rows} rows, and {need} labels: they name the rows."
            edit = SpanEdit(start, start + len("columns"), "index")
            yield scene.proposal([edit], why, "labels of the rows", 0.5)
        elif need < columns:
            size = len(labels.value.elts) if isinstance(labels.value, ast.List) else 0
            why = f"There are {columns} columns and {need} labels; {{}}."
            if size == need:
                more = [f'"column_{place}"' for place in range(need + 1, columns + 1)]
                end = scene.cell.span(labels.value)[1] - 1
                edits = [SpanEdit(end, end, ", " + ", ".join(more))]
                yield scene.proposal(edits, why.format("the others are named by their places"), "more labels", 0.36)
            yield scene.proposal([scene.put(data, f"{scene.operand(data)}[:, :{need}]")],
                                 why.format("the first columns are used"), "columns that fit", 0.4)  # fmt: skip
            yield scene.proposal(
                [scene.without(call, labels)], why.format("the labels are left out"), "without labels", 0.42
            )
        else:
            text = f"{scene.operand(labels.value)}[:{columns}]"
            why = f"There are {columns} columns and {need} labels; the first labels are used."
            yield scene.proposal([scene.put(labels.value, text)], why, "labels that fit", 0.45)
        if rows == need and columns != 1:
            why = f"The values have {need} rows, which are the columns that were meant."
            yield scene.proposal([scene.put(data, f"{scene.operand(data)}.T")], why, "transposed", 0.5)


def _columns_passed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`pd.DataFrame(rows, columns=["a", "b"])` of rows of three: more names, fewer values, or no names."""
    names, values = int(found["names"]), int(found["values"])
    for call in scene.calls("DataFrame"):
        labels = keyword(call, "columns")
        data = call.args[0] if call.args else next((one.value for one in call.keywords if one.arg == "data"), None)
        if labels is None or data is None:
            continue
        given, text = literal_of(scene, labels.value), scene.text(data)
        why = f"Each row has {values} values, and there are {names} names; "
        if names < values and isinstance(given, ast.List):
            end = scene.cell.span(given)[1] - 1
            more = "".join(f', "column_{place}"' for place in range(names + 1, values + 1))
            told = f"{why}the others are named by their places."
            yield scene.proposal([SpanEdit(end, end, more)], told, "more names", 0.49)
            cut = scene.put(data, f"[row[:{names}] for row in {text}]")
            yield scene.proposal([cut], f"{why}the first {names} of each are used.", "values that have names", 0.44)
        elif names > values:
            cut = scene.put(labels.value, f"{scene.operand(labels.value)}[:{values}]")
            yield scene.proposal([cut], f"{why}the first {values} names are used.", "names that fit", 0.48)
        yield scene.proposal([scene.without(call, labels)], f"{why}the names are left out.", "without names", 0.3)


def _axis_length(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.columns = ["x", "y"]` of a table with three: the first are renamed."""
    has, given = int(found["has"]), int(found["given"])
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Attribute):
        return
    target, value = statement.targets[0], statement.value
    table, attribute = scene.text(target.value), target.attr
    if given < has:
        new = f"{scene.operand(value)} + list({table}.{attribute}[{given}:])"
        why = f"There are {given} names for {has} {attribute}; the others keep theirs."
        yield scene.proposal([scene.put(value, new)], why, "names of the first", 0.48)
        if attribute == "columns":
            new = f"{table} = {table}.iloc[:, :{given}].set_axis({scene.text(value)}, axis=1)"
            why = f"There are {given} names for {has} columns; the first columns are kept."
            yield scene.proposal([scene.put(statement, new)], why, "columns that have names", 0.36)
    else:
        why = f"There are {given} names for {has} {attribute}; the first {has} are used."
        yield scene.proposal([scene.put(value, f"{scene.operand(value)}[:{has}]")], why, "names that fit", 0.46)


def _mask_length(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A mask of another table, or of another length."""
    for node in scene.every(ast.Subscript):
        mask, owner = node.slice, scene.text(node.value)
        if isinstance(mask, (ast.Constant, ast.Slice, ast.List)):
            continue
        yield from _mask_by_labels(scene, node, mask)
        text = scene.operand(mask)
        why = f"The mask tells of other rows than `{owner}` has; "
        new = f"{text}.reindex({owner}.index, fill_value=False)"
        yield scene.proposal(
            [scene.put(mask, new)], f"{why}rows that it does not tell of are left out.", "mask of all rows", 0.6
        )
        tables = {name.id for name in ast.walk(mask) if isinstance(name, ast.Name) and scene.is_table(name)}
        if len(tables) == 1 and isinstance(node.value, ast.Name) and owner not in tables:
            [other] = tables
            names = [one for one in ast.walk(mask) if isinstance(one, ast.Name) and one.id == other]
            edits = [scene.put(one, owner) for one in names]
            yield scene.proposal(edits, f"{why}the same is asked of `{owner}`.", "mask of the same table", 0.85)
        new = f"{scene.operand(node.value)}[:len({text})][{text}]"
        yield scene.proposal([scene.put(node, new)], f"{why}only as many rows are looked at.", "same length", 0.3)


def _mask_by_labels(scene: Scene, node: ast.Subscript, mask: ast.expr) -> Iterator[Proposal]:
    """`part[mask.values]` where `mask` tells of all rows: of those of the part, by their labels."""
    whole = mask.value if isinstance(mask, ast.Attribute) and mask.attr in ("values", "array") else None
    if isinstance(mask, ast.Call) and isinstance(mask.func, ast.Attribute) and called(mask) in ("to_numpy", "tolist"):
        whole = mask.func.value
    if whole is not None and scene.is_column(whole) and scene.is_table(node.value):
        owner = scene.text(node.value)
        why = f"`{scene.text(whole)}` tells of other rows than `{owner}` has; these are found by their labels."
        new = f"{scene.operand(whole)}.loc[{owner}.index]"
        yield scene.proposal([scene.put(mask, new)], why, "mask of these rows", 0.88)


def _missing_mask(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df[df["a"].str.contains("x")]` with missing values."""
    for call in scene.calls("contains", "startswith", "endswith", "match", "fullmatch"):
        if not keyword(call, "na"):
            why = "Where the text is missing, the answer is missing too; `na=False` counts that as no."
            yield scene.proposal([scene.argument(call, "na=False")], why, "missing texts", 0.92)
    names = [
        node
        for node in scene.every(ast.Subscript)
        if isinstance(node.slice, ast.Name) or (scene.is_table(node.value) and scene.is_column(node.slice))
    ]
    for node in names:
        text = f"{scene.text(node.slice)}.fillna(False).astype(bool)"
        why = f"`{scene.text(node.slice)}` has missing values; they count as no."
        yield scene.proposal([scene.put(node.slice, text)], why, "missing texts", 0.8)


alignment: Rule = answers(
    "alignment",
    (r"Length of values \((?P<values>\d+)\) does not match length of index \((?P<rows>\d+)\)", _column_length),
    (r"All arrays must be of the same length|arrays must all be same length", _dict_lengths),
    (r"Shape of passed values is \((?P<rows>\d+), (?P<columns>\d+)\), indices imply \((?P<r>\d+), (?P<need>\d+)\)",
     _shape_of_labels),
    (r"(?P<names>\d+) columns passed, passed data had (?P<values>\d+) columns", _columns_passed),
    (r"Expected axis has (?P<has>\d+) elements, new values have (?P<given>\d+) elements", _axis_length),
    (r"Item wrong length|Unalignable boolean Series", _mask_length),
    (r"Cannot mask with non-boolean array containing NA|bad operand type for unary ~: 'float'", _missing_mask),
)  # fmt: skip

RULES = (alignment,)
