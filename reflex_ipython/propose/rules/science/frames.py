"""pandas tables: the wrong way of indexing, lengths and labels that do not fit, methods that give nothing back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of
from reflex_ipython.propose.rules.statements import failing_cell


def _label_index(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _located(scene: Scene) -> Iterator[tuple[ast.Subscript, ast.Attribute]]:
    """`x.loc[…]` and `x.iloc[…]` of the failing statement."""
    for node in scene.every(ast.Subscript):
        if isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "iloc", "at", "iat"):
            yield node, node.value


def _by_label(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.iloc[0, "b"]`: labels belong to `loc`."""
    for node, accessor in _located(scene):
        if accessor.attr not in ("iloc", "iat"):
            continue
        table, parts = scene.text(accessor.value), _parts(node)
        end = scene.cell.span(accessor)[1]
        name = "loc" if accessor.attr == "iloc" else "at"
        why = f"`{accessor.attr}` counts places; labels are asked for by `{name}`."
        to_loc = Edit(end - len(accessor.attr), end, name)
        if len(parts) == 2 and not _label_index(parts[0]):
            if isinstance(parts[1], ast.List):
                text = f"{table}.columns.get_indexer({scene.text(parts[1])})"
            else:
                text = f"{table}.columns.get_loc({scene.text(parts[1])})"
            why2 = f"`{accessor.attr}` counts places; `get_loc` tells the place of the column."
            yield scene.proposal([scene.put(parts[1], text)], why2, "place of the column", 0.78)
            yield scene.proposal([to_loc], why, "by label", 0.6)
        else:
            yield scene.proposal([to_loc], why, "by label", 0.8)
            if len(parts) == 1:
                edits = [Edit(scene.cell.span(accessor.value)[1], end, "")]
                yield scene.proposal(edits, f"`{table}` itself is asked for a column.", "column", 0.7)


def _parts(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _slices(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df[:, 0]`: rows and columns at once are asked for by `iloc`, or `loc`."""
    for node in scene.every(ast.Subscript):
        if isinstance(node.slice, ast.Tuple) and not (
            isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "iloc", "at", "iat")
        ):
            labels = [
                one for one in ast.walk(node.slice) if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            ways = (("loc", 0.9), ("iloc", 0.3)) if labels else (("iloc", 0.9), ("loc", 0.35))
            for name, prior in ways:
                why = f"A table is asked for rows and columns at once by `{name}`."
                yield scene.proposal([scene.after(node.value, f".{name}")], why, "rows and columns", prior)


def missing_place(failure: Failure) -> Iterator[Proposal]:
    """`df[0]`, `s[-1]`, `df["a", "b"]`, `df.loc[:, 0]`: a place, or several labels, where one label is wanted."""
    cell, error = failing_cell(failure), failure.error
    if cell is None or error.ename not in ("KeyError", "IndexError", "InvalidIndexError"):
        return
    scene = Scene(failure, cell)
    wanted = error.evalue.strip()
    if wanted.startswith("(") and error.ename in ("KeyError", "InvalidIndexError"):
        yield from _several(scene)
    if re.fullmatch(r"-?\d+", wanted) and error.ename == "KeyError":
        yield from _place(scene, int(wanted))
    if "not found in axis" in wanted:
        for call in scene.calls("drop"):
            if call.args and not keyword(call, "axis", "columns"):
                start = scene.cell.span(call.args[0])[0]
                why = "`drop` looks for rows; `columns=` says that columns are meant."
                yield scene.proposal([Edit(start, start, "columns=")], why, "columns to drop", 0.95)
            elif (axis := keyword(call, "axis")) is not None and isinstance(axis.value, ast.Constant):
                other = {0: "1", 1: "0", "index": '"columns"', "columns": '"index"'}.get(axis.value.value)
                if other:
                    why = "What is to be dropped is on the other axis."
                    yield scene.proposal([scene.put(axis.value, other)], why, "other axis", 0.9)
    yield from _row_wise(scene, wanted)


def _several(scene: Scene) -> Iterator[Proposal]:
    """`df["a", "c"]`: a list of columns; `df[0, "a"]`: a row and a column."""
    for node in scene.every(ast.Subscript):
        if not isinstance(node.slice, ast.Tuple) or (
            isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "iloc")
        ):
            continue
        elts = node.slice.elts
        if all(_label_index(one) for one in elts):
            why = "Several columns are asked for by a list."
            yield scene.proposal([scene.put(node.slice, f"[{scene.text(node.slice)}]")], why, "columns as a list", 0.9)
        elif len(elts) == 2 and _label_index(elts[1]):
            why = "A row and a column are asked for by `loc`."
            yield scene.proposal([scene.after(node.value, ".loc")], why, "row and column", 0.9)
        elif len(elts) == 2:
            why = "Rows and columns by their places are asked for by `iloc`."
            yield scene.proposal([scene.after(node.value, ".iloc")], why, "row and column", 0.86)


def _place(scene: Scene, wanted: int) -> Iterator[Proposal]:
    """A whole number is no label: the place is meant."""
    for node in scene.every(ast.Subscript):
        index = node.slice
        negative = isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)
        literal = (isinstance(index, ast.Constant) and index.value == wanted) or (negative and wanted < 0)
        owner, located = node.value, isinstance(node.value, ast.Attribute) and node.value.attr == "loc"
        if isinstance(index, ast.Tuple) and located:
            table = scene.text(node.value.value) if isinstance(node.value, ast.Attribute) else ""
            for at, part in enumerate(index.elts):
                if isinstance(part, ast.Constant) and part.value == wanted and len(index.elts) == 2:
                    other = index.elts[1 - at]
                    why = f"{wanted} is a place, no label; `iloc` counts places."
                    if not _label_index(other):
                        end = scene.cell.span(node.value)[1]
                        yield scene.proposal([Edit(end - 3, end, "iloc")], why, "by place", 0.85)
                    axis = "columns" if at == 1 else "index"
                    why = f"{wanted} is a place, no label; `{axis}` tells its label."
                    yield scene.proposal([scene.put(part, f"{table}.{axis}[{wanted}]")], why, "label of the place", 0.7)
            continue
        if not literal and not isinstance(index, (ast.Name, ast.BinOp, ast.Call)):
            continue
        why = f"There is no label {wanted}; `iloc` counts places."
        if located:
            end = scene.cell.span(node.value)[1]
            yield scene.proposal([Edit(end - 3, end, "iloc")], why, "by place", 0.88)
        elif scene.is_table(owner):
            name = scene.text(owner)
            parent = next((one for one in scene.every(ast.Subscript) if one.value is node), None)
            prior = 0.8 if parent is not None else 0.46
            yield scene.proposal([scene.after(owner, ".iloc")], f"{why} This is the row.", "row by place", prior)
            edits = [scene.put(node, f"{name}.iloc[:, {scene.text(index)}]")]
            yield scene.proposal(
                edits, f"{why} This is the column.", "column by place", 0.44 if parent is None else 0.3
            )
        elif isinstance(owner, (ast.Name, ast.Subscript, ast.Attribute, ast.Call)) and not isinstance(
            node.ctx, ast.Del
        ):
            if scene.type(owner) in ("dict", "list"):
                continue
            sure = scene.is_column(owner) or wanted < 0
            yield scene.proposal([scene.after(owner, ".iloc")], why, "by place", 0.86 if sure else 0.8)


def _row_wise(scene: Scene, wanted: str) -> Iterator[Proposal]:
    """`df.apply(lambda row: row["a"])`: a row at a time takes `axis=1`."""
    for call in scene.cell.every(ast.Call):
        if called(call) != "apply" or keyword(call, "axis") or len(call.args) != 1 or owner_of(call) is None:
            continue
        given = call.args[0]
        asked: list[ast.AST] = list(ast.walk(given)) if isinstance(given, ast.Lambda) else []
        if isinstance(given, ast.Name):
            asked = [
                part for node in scene.cell.every(ast.FunctionDef) if node.name == given.id for part in ast.walk(node)
            ]
        if any(isinstance(node, ast.Subscript) and _label_index(node.slice) for node in asked):
            why = "`apply` gives columns to its function; `axis=1` gives it rows, which have these labels."
            yield scene.proposal([scene.argument(call, "axis=1")], why, "row by row", 0.93)


def _out_of_rows(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for node, accessor in _located(scene):
        if accessor.attr in ("iloc", "iat"):
            for part in _parts(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, int):
                    why = f"`{scene.text(accessor.value)}` has no place {part.value}; -1 is its last."
                    shape = scene.shape(accessor.value)
                    prior = 0.62 if shape and part.value in shape else 0.4
                    yield scene.proposal([scene.put(part, "-1")], why, "last place", prior)


# ------------------------------------------------------------------------------------------------ lengths


def _column_length(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["z"] = [1, 2]` of a table with three rows."""
    values, rows = int(found["values"]), int(found["rows"])
    statement = scene.statement()
    pd, imports = scene.module("pandas")
    if isinstance(statement, ast.Assign):
        value = statement.value
        text = scene.operand(value)
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


def _dict_lengths(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`pd.DataFrame({"a": a, "b": b})` with lists of different lengths."""
    pd, imports = scene.module("pandas")
    for call in scene.calls("DataFrame"):
        data = call.args[0] if call.args else next((one.value for one in call.keywords if one.arg == "data"), None)
        if isinstance(data, ast.Dict):
            edits = [scene.put(one, f"{pd}.Series({scene.text(one)})") for one in data.values]
            why = "The columns have different lengths; as Series the shorter are filled up with missing values."
            yield scene.proposal([*edits, *imports], why, "missing values for the rest", 0.55)
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
            edit = Edit(start, start + len("columns"), "index")
            yield scene.proposal([edit], why, "labels of the rows", 0.5)
        elif need < columns:
            size = len(labels.value.elts) if isinstance(labels.value, ast.List) else 0
            why = f"There are {columns} columns and {need} labels; {{}}."
            if size == need:
                more = [f'"column_{place}"' for place in range(need + 1, columns + 1)]
                end = scene.cell.span(labels.value)[1] - 1
                edits = [Edit(end, end, ", " + ", ".join(more))]
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


def _missing_mask(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df[df["a"].str.contains("x")]` with missing values."""
    for call in scene.calls("contains", "startswith", "endswith", "match", "fullmatch"):
        if not keyword(call, "na"):
            why = "Where the text is missing, the answer is missing too; `na=False` counts that as no."
            yield scene.proposal([scene.argument(call, "na=False")], why, "missing texts", 0.92)
    names = [node for node in scene.every(ast.Subscript) if isinstance(node.slice, ast.Name)]
    for node in names:
        text = f"{scene.text(node.slice)}.fillna(False).astype(bool)"
        why = f"`{scene.text(node.slice)}` has missing values; they count as no."
        yield scene.proposal([scene.put(node.slice, text)], why, "missing texts", 0.8)


# ------------------------------------------------------------------------------------------------ labels twice


def _duplicates(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Labels that are there twice: the first of each, or numbered anew."""
    for call in scene.calls("reindex", "concat", "align"):
        owner = owner_of(call)
        if called(call) == "concat":
            parts = list(call.args[0].elts) if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else []
            edits = [scene.after(one, ".reset_index(drop=True)") for one in parts]
            if edits:
                why = "Some rows have the same label; numbered anew they are joined by their places."
                yield scene.proposal(edits, why, "rows numbered anew", 0.6)
            first = [scene.put(one, _first_of_each(scene, one)) for one in parts]
            if first:
                why = "Some rows have the same label; the first of each is used."
                yield scene.proposal(first, why, "first of each label", 0.42)
        elif owner is not None:
            why = "Some rows have the same label; the first of each is used."
            yield scene.proposal([scene.put(owner, _first_of_each(scene, owner))], why, "first of each label", 0.55)
            edit = scene.put(owner, f"{scene.operand(owner)}.reset_index(drop=True)")
            yield scene.proposal(
                [edit], "Some rows have the same label; they are numbered anew.", "rows numbered anew", 0.46
            )


def _first_of_each(scene: Scene, node: ast.expr) -> str:
    text = scene.operand(node)
    return f"{text}[~{text}.index.duplicated()]"


def _already_there(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A column that is there already: the index is dropped, or given another name; the column is given the values."""
    name = found["name"]
    for call in scene.calls("reset_index"):
        why = f"There is a column `{name}` already; "
        edit = scene.argument(call, "drop=True")
        yield scene.proposal([edit], f"{why}the index is dropped.", "index dropped", 0.52)
        asked = scene.text(call.func)[: -len(".reset_index")]
        edit = scene.put(call, f'{asked}.reset_index(name="count")')
        counted = any(word in asked for word in ("count()", "size()", "value_counts()"))
        yield scene.proposal(
            [edit], f"{why}the values are called `count`.", "name of the values", 0.75 if counted else 0.35
        )
        if not counted:
            edit = scene.put(call, f'{asked}.rename_axis("{name}_index").reset_index()')
            yield scene.proposal([edit], f"{why}the index is called `{name}_index`.", "name of the index", 0.45)
    for call in scene.calls("insert"):
        owner = owner_of(call)
        statement = scene.statement()
        if owner is not None and len(call.args) >= 3 and isinstance(statement, ast.Expr):
            text = f"{scene.text(owner)}[{scene.text(call.args[1])}] = {scene.text(call.args[2])}"
            why = f"There is a column `{name}` already; it is given these values."
            yield scene.proposal([scene.put(statement, text)], why, "values of the column", 0.66)
            edit = scene.argument(call, "allow_duplicates=True")
            yield scene.proposal(
                [edit], f"There is a column `{name}` already; then there are two.", "two columns", 0.34
            )


def _ambiguous(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A name of the index and of a column."""
    name = found["name"]
    for call in scene.calls("groupby", "sort_values", "merge"):
        owner = owner_of(call)
        if owner is None or scene.meaning(owner) == "pandas":
            continue
        text = scene.operand(owner)
        why = f"`{name}` is a column and the name of the index; "
        edit = scene.put(owner, f"{text}.rename_axis(None)")
        yield scene.proposal([edit], f"{why}without that name the column is meant.", "column of that name", 0.7)
        if called(call) == "groupby" and call.args:
            edit = scene.put(call.args[0], f'level="{name}"')
            yield scene.proposal([edit], f"{why}this is the index.", "index of that name", 0.33)


def _overlap(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a.join(b)` of tables with a column in common: merged by it, or told apart."""
    names = re.findall(r"'([^']+)'", found["names"])
    for call in scene.calls("join"):
        owner, other = owner_of(call), call.args[0] if call.args else None
        if owner is None or other is None:
            continue
        given = keyword(call, "on")
        key = f'"{names[0]}"' if len(names) == 1 else str(names)
        if given is None and names:
            why = f"Both tables have {', '.join(f'`{one}`' for one in names)}; `merge` joins the rows that agree in it."
            how = keyword(call, "how")
            text = f", how={scene.text(how.value)}" if how else ""
            edit = scene.put(call, f"{scene.operand(owner)}.merge({scene.text(other)}, on={key}{text})")
            yield scene.proposal([edit], why, "joined by the common column", 0.6)
        why = f"Both tables have {', '.join(f'`{one}`' for one in names)}; a suffix tells them apart."
        edit = scene.argument(call, 'rsuffix="_right"')
        yield scene.proposal([edit], why, "suffix", 0.46)


def _no_common(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a.merge(b)` without a column in common: by two that differ in case only, or by the index."""
    for call in scene.calls("merge"):
        owner = owner_of(call)
        plain = owner is None or scene.meaning(owner) == "pandas"
        sides = list(call.args[:2]) if plain else [one for one in (owner, *call.args[:1]) if one is not None]
        if len(sides) != 2:
            continue
        left, right = (list(scene.columns(one)) for one in sides)
        pairs = [(one, other) for one in left for other in right if _fold(one) == _fold(other)]
        pairs = pairs or [(one, other) for one in left for other in right if _ends_alike(one, other)]
        for one, other in pairs[:3]:
            why = f"No column has the same name in both; `{one}` and `{other}` mean the same."
            edit = scene.argument(call, f'left_on="{one}", right_on="{other}"')
            yield scene.proposal([edit], why, "common column", 0.85 if len(pairs) == 1 else 0.48)
        why = "No column has the same name in both; the rows are joined by their labels."
        yield scene.proposal(
            [scene.argument(call, "left_index=True, right_index=True")], why, "joined by the index", 0.35
        )


def merge_key(failure: Failure) -> Iterator[Proposal]:
    """`a.merge(b, on="id")` where one of them calls it `user_id`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "KeyError":
        return
    scene = Scene(failure, cell)
    for call in scene.calls("merge"):
        given, owner = keyword(call, "on"), owner_of(call)
        plain = owner is None or scene.meaning(owner) == "pandas"
        sides = list(call.args[:2]) if plain else [one for one in (owner, *call.args[:1]) if one is not None]
        if given is None or len(sides) != 2 or not isinstance(given.value, ast.Constant):
            continue
        key = str(given.value.value)
        left, right = (list(scene.columns(one)) for one in sides)
        if (key in left) == (key in right):
            continue
        others = [one for one in (right if key in left else left) if _fold(one) == _fold(key) or _ends_alike(one, key)]
        for other in others:
            pair = (key, other) if key in left else (other, key)
            edit = Edit(*scene.cell.span(given), f'left_on="{pair[0]}", right_on="{pair[1]}"')
            why = f"Only one of the tables has `{key}`; in the other it is `{other}`."
            yield scene.proposal([edit], why, "common column", 0.88 if len(others) == 1 else 0.45)


def _fold(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _ends_alike(one: str, other: str) -> bool:
    short, long = sorted((one.lower(), other.lower()), key=len)
    return len(short) >= 2 and (long.endswith(f"_{short}") or long.startswith(f"{short}_"))


# ------------------------------------------------------------------------------------------------ nothing given back


def nothing_returned(failure: Failure) -> Iterator[Proposal]:
    """`df = df.drop(…, inplace=True)`, `l = l.sort()`: the result is `None`, and the fix is where it was assigned."""
    cell, error = failing_cell(failure), failure.error
    if cell is None or "NoneType" not in error.evalue:
        return
    scene = Scene(failure, cell)
    names = {node.id for node in scene.every(ast.Name)}
    places = [
        (node, node.value)
        for node in cell.every(ast.Assign)
        if isinstance(node.value, ast.Call)
        and len(node.targets) == 1
        and (not isinstance(node.targets[0], ast.Name) or node.targets[0].id in names)
    ]
    for assigned, call in places:
        target = scene.text(assigned.targets[0])
        given = keyword(call, "inplace")
        if given is not None and isinstance(given.value, ast.Constant) and given.value.value is True:
            why = f"With `inplace=True` `{called(call)}` gives nothing back; without it, it gives the changed table."
            owner = owner_of(call)
            lost = owner is not None and scene.text(owner) == target
            if lost:
                why += f" `{target}` is `None` by now: the cell that made it must run again first."
            # Where the table itself is lost no trial can succeed, and there is no doubt about the reason.
            yield scene.proposal([scene.without(call, given)], why, "result of the method", 1.0 if lost else 0.95)
        elif called(call) in ("sort", "reverse", "shuffle", "append", "extend", "update", "add", "remove", "insert"):
            owner = owner_of(call)
            whole = call.args[0] if called(call) == "shuffle" and call.args else owner
            if whole is None:
                continue
            text = scene.text(whole)
            if text == target:
                why = f"`{called(call)}` changes `{target}` itself and gives nothing back."
                yield scene.proposal([scene.put(assigned, scene.text(call))], why, "changed in place", 0.95)
            elif called(call) in ("sort",) and owner is not None:
                more = "".join(f", {cell.source[slice(*cell.span(one))]}" for one in call.keywords)
                why = "`sort` gives nothing back; `sorted` gives a new list."
                yield scene.proposal([scene.put(call, f"sorted({text}{more})")], why, "result of the method", 0.9)
        elif called(call) == "print" and call.args:
            why = "`print` gives nothing back; what it shows is kept as well."
            value = scene.text(call.args[0])
            text = f"{target} = {value}{cell.newline}{scene.text(call).replace(value, target, 1)}"
            yield scene.proposal([scene.put(assigned, text)], why, "value kept", 0.75)
    for call in scene.calls():  # df.sort_values(…, inplace=True).head()
        given = keyword(call, "inplace")
        chained = any(isinstance(node, ast.Attribute) and node.value is call for node in scene.nodes)
        if given is not None and chained:
            why = f"With `inplace=True` `{called(call)}` gives nothing back; without it, it gives the changed table."
            yield scene.proposal([scene.without(call, given)], why, "result of the method", 0.92)
    yield from _assigned_before(scene, names)


def _assigned_before(scene: Scene, names: set[str]) -> Iterator[Proposal]:
    """The table was assigned in an earlier cell: what the method changed is used instead."""
    from reflex_ipython.propose.rules.cell import read

    for earlier in reversed(scene.failure.situation.earlier):
        cell = read(earlier.source)
        for node in cell.every(ast.Assign):
            target, call = node.targets[0], node.value
            if not isinstance(target, ast.Name) or target.id not in names or not isinstance(call, ast.Call):
                continue
            given, owner = keyword(call, "inplace"), owner_of(call)
            in_place = given is not None and isinstance(given.value, ast.Constant) and given.value.value is True
            if in_place and isinstance(owner, ast.Name) and owner.id != target.id:
                why = f"`{target.id}` is `None`: `{called(call)}` changed `{owner.id}` itself, with `inplace=True`."
                uses = [one for one in scene.every(ast.Name) if one.id == target.id]
                yield scene.proposal([scene.put(one, owner.id) for one in uses], why, "table that was changed", 0.85)


# ------------------------------------------------------------------------------------------------ the rest


def _set_as_index(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for node in scene.every(ast.Subscript):
        for part in _parts(node):
            if isinstance(part, ast.Set):
                text = scene.text(part)
                edit = scene.put(part, f"[{text[1:-1]}]")
                yield scene.proposal([edit], "Labels are given as a list; a set has no order.", "list of labels", 0.95)
            elif isinstance(part, ast.Name) and scene.type(part) == "set":
                edit = scene.put(part, f"list({part.id})")
                yield scene.proposal([edit], "Labels are given as a list; a set has no order.", "list of labels", 0.92)


def _read_only(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """An array that belongs to a table: a copy of it."""
    names = {node.id for node in scene.every(ast.Name)}
    for node in scene.cell.every(ast.Assign):
        target = node.targets[0]
        named = isinstance(target, ast.Name) and target.id in names and node is not scene.statement()
        if named and isinstance(node.value, (ast.Call, ast.Attribute)):
            why = f"`{scene.text(target)}` is a read-only look at `{scene.text(node.value)}`; a copy can be changed."
            yield scene.proposal([scene.after(node.value, ".copy()")], why, "copy", 0.95)
    statement = scene.statement()
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        owner = target.value if isinstance(target, ast.Subscript) else target
        if isinstance(owner, ast.Name):
            above = scene.line_above(statement, f"{owner.id} = {owner.id}.copy()")
            yield scene.proposal([above], f"`{owner.id}` is read-only; a copy can be changed.", "copy", 0.8)


def _setting_type(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.loc[0, "a"] = 1.5` in a column of whole numbers: the column of another type first."""
    statement = scene.statement()
    if not isinstance(statement, (ast.Assign, ast.AugAssign)):
        return
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    if not isinstance(target, ast.Subscript):
        return
    kind = "float" if re.fullmatch(r"'?-?\d+\.\d+(?:e-?\d+)?'?|'?nan'?", found["value"]) else "object"
    parts = _parts(target)
    table = target.value.value if isinstance(target.value, ast.Attribute) else target.value
    if isinstance(target.value, ast.Attribute) and target.value.attr in ("loc", "at") and len(parts) == 2:
        column = f"{scene.text(table)}[{scene.text(parts[1])}]"
    else:
        column = scene.text(table)
    above = scene.line_above(statement, f"{column} = {column}.astype({kind if kind == 'float' else 'object'})")
    why = f"`{column}` holds {found['kind']}, which can't hold {found['value']}; as {kind} it can."
    yield scene.proposal([above], why, "type of the column", 0.85)


def _category(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    value = found["value"]
    for call in scene.calls("fillna", "replace", "where", "mask"):
        owner = owner_of(call)
        if owner is not None:
            text = scene.operand(owner)
            why = f"{value!r} is none of the categories; it is made one first."
            edit = scene.put(
                owner, f"{text}.cat.add_categories({(call.args and scene.text(call.args[0])) or repr(value)})"
            )
            yield scene.proposal([edit], why, "new category", 0.85)
            yield scene.proposal(
                [scene.put(owner, f"{text}.astype(object)")], "As objects any value can be.", "objects", 0.4
            )


def _no_dates(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.resample("D")` without dates in the index: by the column that has them."""
    pd, imports = scene.module("pandas")
    for call in scene.calls("resample", "asfreq", "between_time", "at_time", "tz_localize"):
        owner = owner_of(call)
        if owner is None:
            continue
        text = scene.operand(owner)
        columns = scene.columns(owner)
        dated = [name for name, facts in columns.items() if facts.startswith("datetime64")]
        texts = [
            name for name, facts in columns.items() if re.search(r"date|time|day|month|^ds$|^ts$", name, re.IGNORECASE)
        ]
        for name in dated:
            why = f"The index has no dates; column `{name}` has."
            if called(call) == "resample":
                yield scene.proposal([scene.argument(call, f'on="{name}"')], why, "column of the dates",
                                     0.86 if len(dated) == 1 else 0.48)  # fmt: skip
            yield scene.proposal([scene.put(owner, f'{text}.set_index("{name}")')], why, "column of the dates", 0.42)
        for name in texts if not dated else ():
            why = f"The index has no dates; column `{name}` has them as text."
            new = f'{text}.assign({name}={pd}.to_datetime({text}["{name}"])).set_index("{name}")'
            if name.isidentifier():
                yield scene.proposal([scene.put(owner, new), *imports], why, "column of the dates", 0.82)
        if not dated:
            new = f"{text}.set_index({pd}.to_datetime({text}.index))"
            why = "The labels of the rows are no dates yet; `to_datetime` makes dates of them."
            prior = 0.86 if not texts and "'Index'" in found.string else 0.4
            yield scene.proposal([scene.put(owner, new), *imports], why, "index of dates", prior)


def _concat(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("concat", "merge"):
        if called(call) == "concat" and len(call.args) >= 2:
            start, end = scene.cell.span(call.args[0])[0], scene.cell.span(call.args[-1])[1]
            edits = [Edit(start, start, "["), Edit(end, end, "]")]
            yield scene.proposal(edits, "`concat` takes what it joins as one list.", "list of tables", 0.96)
        elif called(call) == "concat" and len(call.args) == 1 and isinstance(call.args[0], ast.Name):
            edit = scene.put(call.args[0], f"[{call.args[0].id}]")
            yield scene.proposal([edit], "`concat` takes what it joins as a list.", "list of tables", 0.6)


def _merged_list(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("merge"):
        if len(call.args) == 1 and isinstance(call.args[0], (ast.List, ast.Tuple)) and len(call.args[0].elts) == 2:
            text = scene.text(call.args[0])
            edit = scene.put(call.args[0], text[1:-1])
            yield scene.proposal(
                [edit], "`merge` takes its two tables one by one, not as a list.", "tables one by one", 0.95
            )


def _renamed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.rename(columns=["x", "y"])`: new names for all are set as the axis."""
    for call in scene.calls("rename"):
        given = keyword(call, "columns")
        owner = owner_of(call)
        if given is not None and isinstance(given.value, (ast.List, ast.Name)) and owner is not None:
            text = f"{scene.operand(owner)}.set_axis({scene.text(given.value)}, axis=1)"
            why = "`rename` takes a dictionary of old and new names; `set_axis` a list of new names for all."
            yield scene.proposal([scene.put(call, text)], why, "names of all columns", 0.92)


def _ascending(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("sort_values"):
        given = keyword(call, "ascending")
        if given is not None and isinstance(given.value, ast.List) and len(given.value.elts) == 1:
            edit = scene.put(given.value, scene.text(given.value.elts[0]))
            yield scene.proposal([edit], "One value says it for all columns.", "one for all", 0.88)


def _rows_of_table(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`for i, row in df:`: its rows by `iterrows`."""
    for loop in scene.loops(failing=True):
        if not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
            continue
        if scene.is_table(loop.iter) or "method" in found.string:
            if isinstance(loop.iter, ast.Attribute) and "method" in found.string:
                why = f"`{scene.text(loop.iter)}` is the method itself; the brackets call it."
                yield scene.proposal([scene.after(loop.iter, "()")], why, "missing brackets", 0.95)
            elif scene.is_table(loop.iter):
                why = f"`{scene.text(loop.iter)}` gives the names of its columns; `iterrows` gives its rows."
                yield scene.proposal([scene.after(loop.iter, ".iterrows()")], why, "rows of the table", 0.88)
                why = (
                    f"`{scene.text(loop.iter)}` gives the names of its columns; `items` gives them with their columns."
                )
                yield scene.proposal([scene.after(loop.iter, ".items()")], why, "columns of the table", 0.4)


def _unhashable(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A column of lists as keys."""
    kind = "tuple"
    for call in scene.calls("groupby", "unique", "nunique", "value_counts", "drop_duplicates", "duplicated", "merge"):
        owner = owner_of(call)
        if owner is None:
            continue
        if called(call) in ("drop_duplicates", "duplicated") and scene.is_table(owner):
            table = scene.operand(owner)
            text = f"{table}.loc[{table}.astype(str).drop_duplicates().index]"
            why = "Some cells hold lists, which can't be compared at once; as texts they can."
            yield scene.proposal([scene.put(call, text)], why, "compared as text", 0.8)
        elif called(call) != "groupby":
            why = f"`{scene.text(owner)}` holds lists, which can't be keys; tuples can."
            yield scene.proposal(
                [scene.put(owner, f"{scene.operand(owner)}.apply({kind})")], why, "tuples as keys", 0.85
            )
        elif call.args:
            why = f"`{scene.text(call.args[0])}` holds lists, which can't be keys; tuples can."
            edit = scene.put(call.args[0], f"{scene.operand(call.args[0])}.apply({kind})")
            yield scene.proposal([edit], why, "tuples as keys", 0.85)


def _plotted(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["c"].plot()` of words: how often each is there."""
    for call in scene.calls("plot", "bar", "hist", "pie"):
        owner = owner_of(call)
        if isinstance(owner, ast.Attribute) and owner.attr == "plot":
            owner = owner.value
        if owner is not None and scene.is_column(owner) and scene.dtype(owner) in ("str", "object"):
            why = f"`{scene.text(owner)}` holds words; how often each is there can be drawn."
            edit = scene.put(owner, f"{scene.operand(owner)}.value_counts()")
            yield scene.proposal([edit], why, "number of each", 0.72)


frames: Rule = answers(
    "frames",
    (r"Location based indexing can only have|\.iloc requires numeric indexers|Cannot index by location index"
     r"|iAt based indexing can only have", _by_label),
    (r"(?:InvalidIndexError|TypeError|KeyError): .*slice\(|unhashable type: 'slice'", _slices),
    (r"positional indexer is out-of-bounds|positional indexers are out-of-bounds", _out_of_rows),
    (r"Length of values \((?P<values>\d+)\) does not match length of index \((?P<rows>\d+)\)", _column_length),
    (r"All arrays must be of the same length|arrays must all be same length", _dict_lengths),
    (r"Shape of passed values is \((?P<rows>\d+), (?P<columns>\d+)\), indices imply \((?P<r>\d+), (?P<need>\d+)\)",
     _shape_of_labels),
    (r"Expected axis has (?P<has>\d+) elements, new values have (?P<given>\d+) elements", _axis_length),
    (r"Item wrong length|Unalignable boolean Series", _mask_length),
    (r"Cannot mask with non-boolean array containing NA|bad operand type for unary ~: 'float'", _missing_mask),
    (r"cannot reindex on an axis with duplicate labels|Reindexing only valid with uniquely valued", _duplicates),
    (r"cannot insert (?P<name>.+), already exists", _already_there),
    (r"'(?P<name>.+)' is both an index level and a column label", _ambiguous),
    (r"columns overlap but no suffix specified: (?P<names>.*)", _overlap),
    (r"No common columns to perform merge on", _no_common),
    (r"Passing a set as an indexer", _set_as_index),
    (r"read-only", _read_only),
    (r"Invalid value (?P<value>.+) for dtype '?(?P<kind>\w+)'?", _setting_type),
    (r"on a Categorical with a new category \(?(?P<value>.+?)\)?, set the categories", _category),
    (r"Only valid with DatetimeIndex", _no_dates),
    (r"concat\(\) takes 1 positional argument|first argument must be an iterable of pandas objects", _concat),
    (r"merge\(\) missing 1 required positional argument: 'right'", _merged_list),
    (r"'list' object is not callable", _renamed),
    (r"Length of ascending \(1\) != length of by", _ascending),
    (r"not enough values to unpack|too many values to unpack|'method' object is not iterable", _rows_of_table),
    (r"unhashable type: '(?:list|dict|numpy\.ndarray|set)'", _unhashable),
    (r"no numeric data to plot", _plotted),
)  # fmt: skip

RULES = (missing_place, merge_key, nothing_returned, frames)
