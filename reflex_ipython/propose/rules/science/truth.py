"""Arrays and columns where Python wants one truth or one number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.home import innermost
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers
from reflex_ipython.propose.rules.statements import expressions, statements_at

_AND_OR = {ast.And: ("and", "&"), ast.Or: ("or", "|")}
_NO_TRUTH = re.compile(r"The truth value of an? |must be real number, not |cannot convert the series to")
_BITWISE = (ast.BitAnd, ast.BitOr)
_LOGICAL = (ast.Compare, ast.BoolOp, ast.BinOp, ast.IfExp, ast.Lambda)
# Functions of `math` that numpy has by the same name, for whole arrays.
_MATH = {
    "sqrt": "sqrt", "exp": "exp", "log": "log", "log10": "log10", "log2": "log2", "log1p": "log1p", "sin": "sin",
    "cos": "cos", "tan": "tan", "floor": "floor", "ceil": "ceil", "fabs": "abs", "radians": "radians",
    "degrees": "degrees", "atan": "arctan", "atan2": "arctan2", "asin": "arcsin", "acos": "arccos", "pow": "power",
    "isnan": "isnan", "isinf": "isinf", "hypot": "hypot", "tanh": "tanh", "sinh": "sinh", "cosh": "cosh",
    "trunc": "trunc", "expm1": "expm1", "copysign": "copysign", "fmod": "fmod",
}  # fmt: skip


def _ambiguous(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a and b`, `not a`, `x in column`, `0 < a < 9`: what works element by element instead."""
    what = "A table" if found["what"] == "DataFrame" else "An array" if found["what"] == "array" else "A column"
    one = f"{what} has no single truth; "
    yield from _unbracketed(scene, found)
    edits = _elementwise(scene)
    if edits:
        why = f"{one}`&`, `|` and `~` compare element by element, where `and`, `or` and `not` want one answer."
        yield scene.proposal(edits, why, "truth of each element", 0.88)
    yield from _membership(scene, one)
    yield from _between(scene, one)
    yield from _conditional(scene, one)
    yield from _tested(scene, one)
    for call in scene.calls("max", "min"):
        if isinstance(call.func, ast.Name) and len(call.args) == 2:
            np, imports = scene.module("numpy")
            name = {"max": "maximum", "min": "minimum"}[call.func.id]
            why = f"{one}`{np}.{name}` takes the larger or smaller of each pair."
            yield scene.proposal([scene.put(call.func, f"{np}.{name}"), *imports], why, "of each element", 0.75)


def _elementwise(scene: Scene) -> list[SpanEdit]:
    """`and`, `or` and `not` of the failing statement as `&`, `|` and `~`."""
    edits: list[SpanEdit] = []
    for node in scene.every(ast.BoolOp):
        word, sign = _AND_OR[type(node.op)]
        for left, right in zip(node.values, node.values[1:]):
            start, end = scene.cell.span(left)[1], scene.cell.span(right)[0]
            at = re.search(rf"\b{word}\b", scene.cell.source[start:end])
            if at is None:
                return []
            edits.append(SpanEdit(start + at.start(), start + at.end(), sign))
        for value in node.values:
            if isinstance(value, _LOGICAL) and not _bracketed(scene.cell, value):
                edits += _brackets(scene.cell, value)
    for negated in scene.every(ast.UnaryOp):
        if isinstance(negated.op, ast.Not):
            start, inner = scene.cell.span(negated)[0], scene.cell.span(negated.operand)[0]
            bare = _bracketed(scene.cell, negated.operand) or not isinstance(negated.operand, _LOGICAL)
            if bare:
                opening = scene.cell.source[start + 3 : inner]
                edits.append(SpanEdit(start, start + 3 + len(opening) - len(opening.lstrip()), "~"))
            else:
                edits.append(SpanEdit(start, inner, "~("))
                edits.append(SpanEdit(scene.cell.span(negated)[1], scene.cell.span(negated)[1], ")"))
    return edits


def _bracketed(cell: Cell, node: ast.expr) -> bool:
    start, end = cell.span(node)
    return cell.source[:start].rstrip().endswith("(") and cell.source[end:].lstrip().startswith(")")


def _brackets(cell: Cell, node: ast.expr) -> list[SpanEdit]:
    start, end = cell.span(node)
    return [SpanEdit(start, start, "("), SpanEdit(end, end, ")")]


def _unbracketed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a > 2 & b < 8`: `(a > 2) & (b < 8)`."""
    for node in scene.every(ast.Compare):
        edits = []
        for part in (node.left, *node.comparators):
            inner = part
            while isinstance(inner, ast.BinOp) and isinstance(inner.op, _BITWISE) and not _bracketed(scene.cell, inner):
                left, right = scene.cell.span(inner.left)[1], scene.cell.span(inner.right)[0]
                edits += [SpanEdit(left, left, ")"), SpanEdit(right, right, "(")]
                inner = inner.left
        if edits:
            start, end = scene.cell.span(node)
            edits += [SpanEdit(start, start, "("), SpanEdit(end, end, ")")]
            why = "`&` and `|` bind more tightly than comparisons do; brackets around each comparison keep them apart."
            yield scene.proposal(edits, why, "brackets around comparisons", 0.92)


def _membership(scene: Scene, one: str) -> Iterator[Proposal]:
    """`column in words`: `column.isin(words)`."""
    edits: list[SpanEdit] = []
    imports: list[SpanEdit] = []
    for node in scene.every(ast.Compare):
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            continue
        sign = "~" if isinstance(node.ops[0], ast.NotIn) else ""
        left, right = scene.operand(node.left), scene.text(node.comparators[0])
        if scene.value(node.left) is not None and scene.type(node.left) == "ndarray":
            np, imports = scene.module("numpy")
            edits.append(scene.put(node, f"{sign}{np}.isin({left}, {right})"))
        else:
            edits.append(scene.put(node, f"{sign}{left}.isin({right})"))
    if edits:
        yield scene.proposal([*edits, *imports], f"{one}`isin` asks for each element.", "membership of each", 0.88)


def _between(scene: Scene, one: str) -> Iterator[Proposal]:
    """`0 < column < 9`: `(0 < column) & (column < 9)`."""
    for node in scene.every(ast.Compare):
        parts = [node.left, *node.comparators]
        if len(node.ops) != 2 or any(isinstance(part, ast.BinOp) and isinstance(part.op, _BITWISE) for part in parts):
            continue
        middle = node.comparators[0]
        start, end = scene.cell.span(node)
        at, after = scene.cell.span(middle)[1], scene.cell.span(node.comparators[1])[0]
        sign = scene.cell.source[at:after]
        text = f"({scene.cell.source[start:at]}) & ({scene.text(middle)}{sign}{scene.cell.source[after:end]})"
        why = f"{one}both comparisons joined with `&` are made element by element."
        yield scene.proposal([SpanEdit(start, end, text)], why, "both comparisons of each", 0.85)


def _conditional(scene: Scene, one: str) -> Iterator[Proposal]:
    """`a if column > 2 else b`: `np.where(column > 2, a, b)`."""
    for node in scene.every(ast.IfExp):
        np, imports = scene.module("numpy")
        text = f"{np}.where({scene.text(node.test)}, {scene.text(node.body)}, {scene.text(node.orelse)})"
        why = f"{one}`{np}.where` chooses for each element."
        yield scene.proposal([scene.put(node, text), *imports], why, "choice for each element", 0.85)


def _tested(scene: Scene, one: str) -> Iterator[Proposal]:
    """`if column > 2:`: whether one or all of them are."""
    tests = [node.test for node in scene.nodes if isinstance(node, (ast.If, ast.While, ast.Assert))]
    tests += [condition for node in scene.every(ast.comprehension) for condition in node.ifs]
    for test in tests:
        negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        inner = test.operand if isinstance(test, ast.UnaryOp) and negated else test
        if isinstance(inner, ast.Name):
            yield from _whole(scene, test, inner, negated, one)
        if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and isinstance(inner.ops[0], (ast.Eq, ast.NotEq)):
            np, imports = scene.module("numpy")
            sign = "not " if isinstance(inner.ops[0], ast.NotEq) else ""
            text = f"{sign}{np}.array_equal({scene.text(inner.left)}, {scene.text(inner.comparators[0])})"
            yield scene.proposal(
                [scene.put(inner, text), *imports], f"{one}`array_equal` compares them as wholes.", "equal arrays", 0.55
            )
        if isinstance(inner, (ast.Compare, ast.Name, ast.Subscript, ast.Attribute, ast.Call, ast.BinOp)):
            table = ".any()" if scene.type(inner) == "DataFrame" else ""
            for word, meaning in (("any", "for at least one"), ("all", "for every one")):
                why = f"{one}`{word}()` is true if it holds {meaning}."
                yield scene.proposal([scene.after(inner, f".{word}(){table}")], why, f"{word} of them", 0.39)
        if isinstance(inner, ast.BoolOp):
            for word in ("all", "any"):
                edits = [scene.after(value, f".{word}()") for value in inner.values if isinstance(value, ast.Compare)]
                if edits:
                    why = f"{one}`{word}()` makes one answer of each comparison."
                    yield scene.proposal(edits, why, f"{word} of them", 0.39)


def _whole(scene: Scene, test: ast.expr, name: ast.Name, negated: bool, one: str) -> Iterator[Proposal]:
    """`if df:`: whether it is empty."""
    kind = scene.type(name)
    if kind in ("DataFrame", "Series", "Index"):
        text = f"{name.id}.empty" if negated else f"not {name.id}.empty"
        yield scene.proposal([scene.put(test, text)], f"{one}`empty` says whether it has rows.", "empty or not", 0.7)
    elif kind == "ndarray":
        text = f"{name.id}.size == 0" if negated else f"{name.id}.size > 0"
        yield scene.proposal([scene.put(test, text)], f"{one}`size` counts its elements.", "empty or not", 0.45)


def called_with_column(failure: Failure) -> Iterator[Proposal]:
    """A function of one value was called with a column: `column.apply(function)`, in whatever cell the function is."""
    frame = innermost(failure)
    if frame is None or frame.function in ("<module>", "<lambda>") or failure.lineno is None:
        return
    if not _NO_TRUTH.search(failure.error.evalue) or failure.stage == "syntax":
        return
    cell, function = read(failure.situation.source), frame.function.rpartition(".")[2]
    nodes = [node for statement in statements_at(cell, failure.lineno) for node in expressions(statement)]
    for call in nodes:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function and call.args:
            yield from _applied(Scene(failure, cell), call, function)


def _applied(scene: Scene, call: ast.Call, function: str) -> Iterator[Proposal]:
    first, *rest = call.args
    if not isinstance(first, (ast.Subscript, ast.Attribute, ast.Name)) or call.keywords:
        return
    owner = scene.text(first)
    more = f", args=({', '.join(map(scene.text, rest))},)" if rest else ""
    why = f"`{function}` decides about one value; it is called for each of `{owner}`."
    yield scene.proposal([scene.put(call, f"{owner}.apply({function}{more})")], why, "called for each value", 0.82)
    if isinstance(first, ast.Name):
        text = f"[{function}({', '.join(['value', *map(scene.text, rest)])}) for value in {owner}]"
        yield scene.proposal([scene.put(call, text)], why, "called for each value", 0.4)


def _lengths_to_compare(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`column == ["x", "y"]`: `column.isin(["x", "y"])`."""
    for node in scene.every(ast.Compare):
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            sign = "~" if isinstance(node.ops[0], ast.NotEq) else ""
            left, right = scene.operand(node.left), scene.text(node.comparators[0])
            why = f"`==` compares place by place, and the lengths differ; `isin` asks whether each is one of `{right}`."
            yield scene.proposal([scene.put(node, f"{sign}{left}.isin({right})")], why, "membership of each", 0.88)


def _bitwise_types(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a > 2 & b == "x"`, where `2 & b` fails before anything is compared."""
    yield from _unbracketed(scene, found)


def _one_number(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`math.sqrt(column)`: `np.sqrt(column)`; `float(column)`: `column.astype(float)`."""
    np, imports = scene.module("numpy")
    for call in scene.calls():
        module, _, name = scene.meaning(call.func).rpartition(".")
        if module == "math" and name in _MATH:
            why = f"`{scene.text(call.func)}` takes one number; `{np}.{_MATH[name]}` works on each of them."
            edit = scene.put(call.func, f"{np}.{_MATH[name]}")
            yield scene.proposal([edit, *imports], why, "function of arrays", 0.92)
        elif isinstance(call.func, ast.Name) and call.func.id in ("float", "int", "bool") and len(call.args) == 1:
            text = f"{scene.operand(call.args[0])}.astype({call.func.id})"
            why = f"`{call.func.id}` makes one number; `astype` converts each of `{scene.text(call.args[0])}`."
            yield scene.proposal([scene.put(call, text)], why, "conversion of each", 0.8)
            if scene.shape(call.args[0]) in ((1,), (1, 1)):
                text = f"{call.func.id}({scene.operand(call.args[0])}.item())"
                yield scene.proposal([scene.put(call, text)], "`item` takes the one value out.", "its one value", 0.9)


def _not_rounded(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`round(df["a"].mean, 2)`: the method is to be called."""
    for call in scene.calls("round", "abs", "float", "int", "sum", "len", "sqrt", "max", "min"):
        for argument in call.args[:1]:
            if isinstance(argument, ast.Attribute):
                why = f"`{scene.text(argument)}` is the method itself; the brackets call it."
                yield scene.proposal([scene.after(argument, "()")], why, "missing brackets", 0.85)


truth: Rule = answers(
    "truth",
    (r"The truth value of an? (?P<what>Series|DataFrame|array|\w*Index)", _ambiguous),
    (r"Lengths must match to compare", _lengths_to_compare),
    (r"unsupported operand type\(s\) for [&|]: |Cannot perform 'r?(?:and|or)_'|ufunc 'bitwise_", _bitwise_types),
    (r"must be real number, not (?:Series|DataFrame|numpy|Index)|only 0-dimensional arrays can be|only length-1 arrays"
     r"|cannot convert the series to|argument must be a string.*, not '(?:Series|DataFrame|Index)'", _one_number),
    (r"type method doesn't define __round__|not 'method'$|bad operand type for abs\(\): 'method'", _not_rounded),
)  # fmt: skip

RULES = (truth, called_with_column)
