"""Columns of another type than is needed: text that should be numbers or dates, dates without a zone, mixed keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.cleaning import cleanings, date_formats, is_date, is_number
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, chain, keyword, owner_of

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


def _conversions(scene: Scene) -> Iterator[tuple[ast.Call, ast.expr, str, str]]:
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


def _not_a_number(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["price"].astype(float)` with "$1,200": the signs are taken away first."""
    value = found["value"].replace("\\xa0", "\xa0").replace("\\t", "\t").replace("\\n", "\n")
    for call, owner, written, kind in _conversions(scene):
        yield from _numbers(scene, call, owner, written, kind, value)
    name = re.search(r"casting for column '(.*)'", found.string)
    for call in scene.calls("astype"):
        if call.args and isinstance(call.args[0], ast.Dict) and name and owner_of(call) is not None:
            yield from _of_table(scene, call, name[1], value)
    yield from _numbers_wanted(scene, found)


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


# ------------------------------------------------------------------------------------------------ numbers wanted


def _numbers_wanted(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Statistics of a table with columns of text: of its numbers only; of a column of text: of the numbers in it."""
    for call in scene.calls():
        owner, name = owner_of(call), called(call)
        if owner is None or keyword(call, "numeric_only"):
            continue
        if name in _REDUCTIONS:
            if scene.is_column(owner):
                yield from _column_as_numbers(scene, owner, 0.88)
                continue
            why = f"Some columns hold text; `numeric_only` leaves them out of `{name}`."
            yield scene.proposal([scene.argument(call, "numeric_only=True")], why, "numbers only", 0.88)
            yield from _grouped_column(scene, owner)
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
                yield from _column_as_numbers(scene, owner, 0.85)
            else:
                yield scene.proposal([scene.put(owner, new)], "Some columns hold text.", "numbers only", 0.85)


def _grouped_column(scene: Scene, owner: ast.expr) -> Iterator[Proposal]:
    """`df.groupby("a")["price"].mean()` where the prices are text."""
    parts = list(chain(owner))
    grouped = [part for part in parts if isinstance(part, ast.Call) and called(part) == "groupby"]
    if isinstance(owner, ast.Subscript) and grouped and isinstance(owner.slice, ast.Constant):
        table = owner_of(grouped[0])
        if table is not None:
            label = scene.text(owner.slice)
            column = ast.Subscript(table, owner.slice)
            for calls, prior in _calls_to_numbers(scene, scene.samples(column)):
                new = f"{scene.operand(table)}.assign(**{{{label}: {scene.text(table)}[{label}]{calls}}})"
                why = f"Column {owner.slice.value!r} holds text; its values are read as numbers first."
                yield scene.proposal([scene.put(table, new)], why, "text as numbers", prior)


def _calls_to_numbers(scene: Scene, samples: list[str]) -> list[tuple[str, float]]:
    """What makes numbers of a column of texts, judged by its first values."""
    odd = [value for value in samples if not is_number(value)]
    np, _ = scene.module("numpy")
    if not odd:
        whole = samples and all(re.fullmatch(r"-?\d+", value.strip()) for value in samples)
        return [(".astype(int)", 0.82), (".astype(float)", 0.4)] if whole else [(".astype(float)", 0.82)]
    found = [(one.calls, one.prior) for one in cleanings(odd[0], f"{np}.nan")]
    return [(calls if calls.endswith("div(100)") else f"{calls}.astype(float)", prior) for calls, prior in found]


def _column_as_numbers(scene: Scene, column: ast.expr, prior: float) -> Iterator[Proposal]:
    dtype = scene.dtype(column)
    if dtype not in ("str", "object", "string", ""):
        return
    text = scene.operand(column)
    for calls, how in _calls_to_numbers(scene, scene.samples(column)):
        why = f"`{scene.text(column)}` holds text; every value of it is read as a number first."
        yield scene.proposal([scene.put(column, f"{text}{calls}")], why, "text as numbers", min(prior, how))
    pd, imports = scene.module("pandas")
    new = f'{pd}.to_numeric({scene.text(column)}, errors="coerce")'
    why = f"`{scene.text(column)}` holds text; what can't be read as a number becomes missing."
    yield scene.proposal([scene.put(column, new), *imports], why, "unreadable as missing", 0.38)


def _operands(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
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
    if "Timestamp'" in found.string:
        for left, right, _ in pairs:
            for side in (left, right):
                value = side.value if isinstance(side, ast.Constant) else None
                is_day = isinstance(value, str) and (is_date(value) or re.match(r"\d{4}-\d\d", value))
                if is_day or (isinstance(side, ast.Name) and scene.type(side) == "str"):
                    edit = scene.put(side, f"{pd}.Timestamp({scene.text(side)})")
                    why = f"`{scene.text(side)}` is text; `Timestamp` makes a date of it."
                    yield scene.proposal([edit, *imports], why, "text as a date", 0.92)
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
                calls = _calls_to_numbers(scene, scene.samples(one))
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


def _string_accessor(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["id"].str.zfill(3)` of numbers: `df["id"].astype(str).str.zfill(3)`."""
    nodes = [node for node in scene.every(ast.Attribute) if node.attr == "str"]
    edits = [scene.put(node.value, f"{scene.operand(node.value)}.astype(str)") for node in nodes]
    if len(edits) == 1:
        why = f"`{scene.text(nodes[0].value)}` holds {found['kind']} values; `astype(str)` makes texts of them."
        yield scene.proposal(edits, why, "numbers as text", 0.86)


def _date_accessor(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["day"].dt.year` of texts: `pd.to_datetime(df["day"]).dt.year`, wherever the cell asks for it."""
    failing = {ast.unparse(node.value) for node in scene.every(ast.Attribute) if node.attr == "dt"}
    if len(failing) != 1:
        return
    nodes = [n for n in scene.cell.every(ast.Attribute) if n.attr == "dt" and ast.unparse(n.value) in failing]
    pd, imports = scene.module("pandas")
    owner = nodes[0].value
    if isinstance(owner, ast.BinOp):
        sides = [scene.put(one, f"{pd}.to_datetime({scene.text(one)})") for one in (owner.left, owner.right)]
        yield scene.proposal([*sides, *imports], "Dates are needed on both sides.", "text as dates", 0.85)
        return
    samples = scene.samples(owner)
    formats = date_formats(samples) if samples else []
    ways = [("", 0.86)]
    if len(formats) > 1 and formats[0].startswith("%d") and any(one.startswith("%m") for one in formats):
        ways = [("", 0.55), (", dayfirst=True", 0.5)]
    elif formats and formats[0].startswith("%d") and not any(one.startswith("%m") for one in formats):
        ways = [(", dayfirst=True", 0.9), ("", 0.4)]
    for more, prior in ways:
        edits = [scene.put(node.value, f"{pd}.to_datetime({scene.text(node.value)}{more})") for node in nodes]
        why = f"`{scene.text(owner)}` holds no dates yet; `to_datetime` makes dates of its values."
        yield scene.proposal([*edits, *imports], why, "text as dates", prior)


def _dates(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`pd.to_datetime(texts)`: the one format that fits them all."""
    value = _bad_value(found)
    for call in scene.calls("to_datetime", "DatetimeIndex", "Timestamp"):
        if called(call) != "to_datetime" or not call.args:
            continue
        given = keyword(call, "format")
        drop = [scene.without(call, given)] if given else []
        samples = list(scene.samples(call.args[0])) or ([value] if value else [])
        texts = list(dict.fromkeys([*samples, *([value] if value in samples or not samples else [])]))
        tried = [one for one in date_formats(texts) if texts] if texts else []
        more = [one for one in (date_formats([value]) if value else []) if one not in tried]
        for formats, prior in ((tried, 0.88), (more, 0.85)):
            for place, pattern in enumerate(formats[:3]):
                text = f'format="{pattern}"'
                edits = [Edit(*scene.cell.span(given), text)] if given else [scene.argument(call, text)]
                why = f"Every value reads as `{pattern}`, as {value or texts[0]!r} does."
                yield scene.proposal(edits, why, "format of the dates", prior if place == 0 else 0.6)
        iso = all(re.match(r"\d{4}-\d\d", one) for one in texts) and bool(texts)
        for text, prior, why in (
            ('format="ISO8601"', 0.8, "The dates are ISO dates of several lengths."),
            ('format="mixed"', 0.62 if not tried and not iso else 0.38,
             "The dates are written in several ways; each is read by itself."),
            ('format="mixed", dayfirst=True', 0.33, "The dates are written in several ways, with the day first."),
            ('errors="coerce"', 0.42 if any(one.isdigit() for one in value) else 0.7,
             f"{value!r} is no date that can be read; it becomes a missing one."),
        ):  # fmt: skip
            if given and "format" in text:
                yield scene.proposal([Edit(*scene.cell.span(given), text)], why, "format of the dates", prior)
            elif given:
                yield scene.proposal([scene.argument(call, text)], why, "format of the dates", prior)
            else:
                yield scene.proposal([scene.argument(call, text)], why, "format of the dates", prior)
        if drop:
            yield scene.proposal(
                drop, "Without `format` pandas finds it out.", "format of the dates", 0.41 if tried else 0.7
            )
        if value.isdigit() and len(value) in (10, 13):
            unit, pd = ("s" if len(value) == 10 else "ms"), scene.module("pandas")[0]
            text = f"{pd}.to_numeric({scene.text(call.args[0])})"
            merged = [scene.put(call.args[0], f'{text}, unit="{unit}"')]
            why = f"`{value}` counts the {'seconds' if unit == 's' else 'milliseconds'} since 1970."
            yield scene.proposal(merged, why, "time stamps", 0.9)


def _bad_value(found: re.Match[str]) -> str:
    for pattern in (r'time data "(.*?)" doesn', r"year (\d+) is out of range",
                    r"Unknown datetime string .*: (.*?)(?:,|$)",
                    r"datetime string.*: '?(.*?)'?(?:,|$)"):  # fmt: skip
        if one := re.search(pattern, found.string):
            return one[1]
    return ""


# ------------------------------------------------------------------------------------------------ zones


def _zones(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Dates with and without a zone: those without take the zone of the others."""
    pairs = [(node.left, node.right) for node in scene.every(ast.BinOp)]
    pairs += [(node.left, node.comparators[0]) for node in scene.every(ast.Compare)]
    for left, right in pairs:
        for naive, aware in ((left, right), (right, left)):
            if _has_zone(scene, naive) is True or _has_zone(scene, aware) is False:
                continue
            one, other = scene.operand(naive), scene.operand(aware)
            python = scene.type(naive) == "datetime" or "offset-naive" in found.string
            zone = f"{other}.dt.tz" if scene.is_column(aware) else f"{other}.tzinfo" if python else f"{other}.tz"
            naive_dt = ".dt" if scene.is_column(naive) else ""
            aware_dt = ".dt" if scene.is_column(aware) else ""
            new = f"{one}.replace(tzinfo={zone})" if python else f"{one}{naive_dt}.tz_localize({zone})"
            why = f"`{scene.text(naive)}` has no time zone, `{scene.text(aware)}` has one; both need one."
            yield scene.proposal([scene.put(naive, new)], why, "time zone of the other", 0.66)
            new = f"{other}.replace(tzinfo=None)" if python else f"{other}{aware_dt}.tz_localize(None)"
            why = f"`{scene.text(naive)}` has no time zone; `{scene.text(aware)}` loses its own."
            yield scene.proposal([scene.put(aware, new)], why, "without time zones", 0.4)
    dates = [one for pair in pairs for one in pair if scene.type(one) == "date"]
    dates += [
        one
        for pair in pairs
        for one in pair
        if isinstance(one, ast.Call) and scene.meaning(one.func) == "datetime.date"
    ]
    pd, imports = scene.module("pandas")
    for date in dates:
        edits = [scene.put(date, f"{pd}.Timestamp({scene.text(date)})"), *imports]
        why = f"`{scene.text(date)}` is a date without a time; as a `Timestamp` it can be compared."
        yield scene.proposal(edits, why, "date as a timestamp", 0.9)


def _has_zone(scene: Scene, node: ast.expr) -> bool | None:
    value = scene.value(node)
    if value is not None and value.type.rpartition(".")[2] in ("Timestamp", "datetime"):
        return bool(re.search(r"[+-]\d\d:\d\d|with time zone", value.text))
    column = scene.column(node)
    return ", " in column.partition(";")[0] if column.startswith("datetime64") else None


def _zone_methods(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    naive = "tz-naive" in found.string
    for call in scene.calls("tz_convert" if naive else "tz_localize"):
        assert isinstance(call.func, ast.Attribute)
        owner, end = call.func.value, scene.cell.span(call.func)[1]
        if not naive:
            edit = Edit(end - len("tz_localize"), end, "tz_convert")
            why = "The times have a zone already; `tz_convert` tells them in another."
            yield scene.proposal([edit], why, "conversion of the zone", 0.92)
            continue
        accessor = ".dt" if isinstance(owner, ast.Attribute) and owner.attr == "dt" else ""
        text = f'{scene.text(owner)}.tz_localize("UTC"){accessor}'
        why = "The times have no zone; first they are given one, UTC, then converted."
        yield scene.proposal([scene.put(owner, text)], why, "zone of the times", 0.55)
        edit = Edit(end - len("tz_convert"), end, "tz_localize")
        yield scene.proposal(
            [edit], "The times have no zone; `tz_localize` gives them this one.", "zone of the times", 0.5
        )


# ------------------------------------------------------------------------------------------------ keys of merges


def _keys(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a.merge(b, on="id")` of numbers and texts: one is converted, if every value allows it."""
    pd, imports = scene.module("pandas")
    for call in scene.calls("merge", "join", "merge_asof"):
        owner = owner_of(call)
        plain = owner is None or scene.meaning(owner) == "pandas"
        sides = list(call.args[:2]) if plain else [one for one in (owner, *call.args[:1]) if one is not None]
        sides += [one.value for one in call.keywords if one.arg in ("left", "right")]
        if len(sides) != 2:
            continue
        keys = [keyword(call, "on", side) for side in ("left_on", "right_on")]
        named = [key.value for key in keys if key is not None and isinstance(key.value, ast.Constant)]
        labels = [scene.text(one) for one in named] if len(named) == 2 else [repr(found["key"])] * 2
        kinds = [found["left"], found["right"]]
        for at, (side, label, kind, other) in enumerate(zip(sides, labels, kinds, reversed(kinds))):
            del at
            for text, prior in _casts(pd, kind, other, f"{scene.operand(side)}[{label}]"):
                new = f"{scene.operand(side)}.assign(**{{{label}: {text}}})"
                why = f"The key is {kind} in `{scene.text(side)}` and {other} in the other table; both need one type."
                edits = [scene.put(side, new)]
                yield scene.proposal(edits + (imports if f"{pd}." in text else []), why, "type of the key", prior)


def _casts(pd: str, kind: str, other: str, column: str) -> Iterator[tuple[str, float]]:
    if kind in ("str", "object") and other.startswith(("int", "uint")):
        yield f"{column}.astype({other!r})", 0.7
    elif kind in ("str", "object") and other.startswith("float"):
        yield f"{column}.astype(float)", 0.7
    elif kind in ("str", "object") and other.startswith("datetime64"):
        yield f"{pd}.to_datetime({column})", 0.85
    elif other in ("str", "object") and kind.startswith(("int", "uint")):
        yield f"{column}.astype(str)", 0.34
    elif kind.startswith("datetime64") and other.startswith("datetime64"):
        zone = re.search(r", (.*)\]", other)
        if zone and ", " not in kind:
            yield f"{column}.dt.tz_localize({zone[1]!r})", 0.66
        elif not zone:
            yield f"{column}.dt.tz_localize(None)", 0.4


# ------------------------------------------------------------------------------------------------ missing values


def _missing_as_integer(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`column.astype(int)` with missing values."""
    for call, owner, written, kind in _conversions(scene):
        column = scene.operand(owner)
        if called(call) != "astype":
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


def _object_function(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
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


def _texts_in_array(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Arithmetic on an array of texts."""
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


types: Rule = answers(
    "types",
    (r"(?:could not convert string to float: |invalid literal for int\(\) with base 10: |Unable to parse string )"
     r"(?P<quote>['\"])(?P<value>.*?)(?P=quote)", _not_a_number),
    (r"Cannot perform reduction '\w+' with string dtype|dtype '?(?:str|object|string)'? does not support operation"
     r"|Could not convert .* to numeric|agg function failed \[how->|Cannot aggregate non-numeric type"
     r"|Cannot interpolate with|no numeric data to plot|can't multiply sequence by non-int of type 'float'"
     r"|unsupported operand type\(s\) for -: 'str' and 'str'|unsupported operand type\(s\) for /: 'str' and 'int'"
     r"|could not be promoted by <class 'numpy.dtypes.StrDType'>", _numbers_wanted),
    (r"(?:can only concatenate str|unsupported operand type\(s\) for|not supported between instances of"
     r"|can't multiply sequence by|Invalid comparison between dtype=(?:str|object)|not supported for dtype"
     r"|did not contain a loop with signature matching types)",
     _operands),
    (r"Can only use \.str accessor with string values, not (?P<kind>\w+)", _string_accessor),
    (r"Can only use \.dt accessor with datetimelike values", _date_accessor),
    (r"time data .* doesn't match format|unconverted data remains when parsing|DateParseError|Unknown datetime string",
     _dates),
    (r"tz-naive and tz-aware|offset-naive and offset-aware|Invalid comparison between dtype=datetime64", _zones),
    (r"Cannot convert tz-naive timestamps|Already tz-aware, use tz_convert", _zone_methods),
    (r"trying to merge on (?P<left>\w+(?:\[.*?\])?) and (?P<right>\w+(?:\[.*?\])?) columns for key '(?P<key>.*?)'",
     _keys),
    (r"Cannot convert non-finite values \(NA or inf\) to integer|cannot convert NA to integer"
     r"|cannot safely cast non-equivalent", _missing_as_integer),
    (r"loop of ufunc does not support argument 0 of type|ufunc '\w+' not supported for the input",
     _object_function),
    (r"the resolved dtypes are not compatible with|did not contain a loop with signature matching types"
     r"|use of the string multiply|'out' kwarg is necessary when using the string multiply", _texts_in_array),
)  # fmt: skip

RULES = (types,)
