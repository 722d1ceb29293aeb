"""How values of a group become one: words for it, columns by name, and the largest of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called

FUNCTIONS = ("mean", "sum", "min", "max", "median", "std", "var", "count", "size", "first", "last", "nunique", "prod")
_WORDS = {
    "total": "sum", "totals": "sum", "add": "sum", "average": "mean", "avg": "mean", "stdev": "std", "stddev": "std",
    "sd": "std", "variance": "var", "maximum": "max", "highest": "max", "largest": "max", "peak": "max", "top": "max",
    "minimum": "min", "lowest": "min", "smallest": "min", "len": "count", "length": "count", "number": "count",
    "num": "count", "cnt": "count", "n": "count", "unique": "nunique", "distinct": "nunique", "product": "prod",
}  # fmt: skip
_LIKELIEST = (("sum", 0.45), ("mean", 0.42), ("max", 0.3), ("count", 0.28))


def meant(word: str) -> str | None:
    """The function of pandas that a word stands for; None if it is none that is known."""
    small = word.lower().strip()
    return _WORDS.get(small) or closest(small, FUNCTIONS, fixed=True)


def _function(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`transform("total")`: `transform("sum")`."""
    wrong, word = found["wrong"], meant(found["wrong"])
    nodes = [node for node in scene.every(ast.Constant) if node.value == wrong]
    if word and nodes:
        edits = [scene.put(node, scene.text(node).replace(wrong, word)) for node in nodes]
        why = f"pandas knows no function {wrong!r} for the values of a group; `{word}` is one."
        yield scene.proposal(edits, why, "function of a group", 0.92)


def _named(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`agg(total="revenue")`: `agg(total=("revenue", "sum"))`, by what the new column is called."""
    for call in scene.calls("agg", "aggregate"):
        bare = [one for one in call.keywords if one.arg and not isinstance(one.value, (ast.Tuple, ast.Call, ast.Name))]
        if not bare or call.args:
            continue
        words = [_said(one.arg or "") for one in bare]
        ways = [(words, 0.9)] if all(words) else [([word or how for word in words], prior) for how, prior in _LIKELIEST]
        for functions, prior in ways:
            edits = [scene.put(one.value, _pair(scene, one.value, how or "")) for one, how in zip(bare, functions)]
            said = ", ".join(f"`{one.arg}`" for one in bare)
            why = f"A new column needs a column and a function, as a pair; {said} had no function."
            yield scene.proposal(edits, why, "column and function", prior)


def _said(name: str) -> str | None:
    """The function that the name of a new column speaks of: `total_sales` is a sum."""
    words = re.split(r"[\W_]+", name.lower())
    return next((_WORDS.get(one, one) for one in words if one in _WORDS or one in FUNCTIONS), None)


def _pair(scene: Scene, value: ast.expr, function: str) -> str:
    return f'({scene.text(value)}, "{function}")'


def _words_in_lists(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`agg(["mean", "stdev"])`: `"std"`; of `["mean", "average"]`, what the other means is asked for already."""
    wrong, word = found["wrong"], meant(found["wrong"])
    if word and word != wrong:
        nodes = [node for node in scene.every(ast.Constant) if node.value == wrong]
        beside = [one for one in scene.every(ast.List) if _has(one, wrong) and _has(one, word)]
        if nodes and not beside:
            edits = [scene.put(node, scene.text(node).replace(wrong, word)) for node in nodes]
            why = f"pandas knows no function {wrong!r} for the values of a group; `{word}` is one."
            yield scene.proposal(edits, why, "function of a group", 0.92)
    for given in scene.every(ast.List):
        values = [one.value for one in given.elts if isinstance(one, ast.Constant)]
        if wrong in values and word in values:
            place = values.index(wrong)
            one = given.elts[place]
            start, end = scene.cell.span(one)
            first = place == 0
            start = start if first else scene.cell.span(given.elts[place - 1])[1]
            end = scene.cell.span(given.elts[1])[0] if first else end
            why = f"`{wrong!r}` is `{word!r}` in pandas, which the list asks for already."
            yield scene.proposal([SpanEdit(start, end, "")], why, "function of a group", 0.94)


def _has(given: ast.List, word: str) -> bool:
    return any(isinstance(one, ast.Constant) and one.value == word for one in given.elts)


def _largest(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.nlargest("price", 3)`: `df.nlargest(3, "price")`."""
    for call in scene.calls("nlargest", "nsmallest"):
        if len(call.args) != 2:
            continue
        column, number = call.args
        text = isinstance(column, (ast.List, ast.JoinedStr)) or (
            isinstance(column, ast.Constant) and isinstance(column.value, str)
        )
        if text and not (isinstance(number, ast.Constant) and isinstance(number.value, str)):
            edits = [scene.put(column, scene.text(number)), scene.put(number, scene.text(column))]
            why = f"`{called(call)}` takes how many rows first, and then the columns that count."
            yield scene.proposal(edits, why, "number first", 0.94)


aggregations: Rule = answers(
    "aggregations",
    (r"'(?P<wrong>\w+)' is not a valid function name for transform", _function),
    (r"'(?:Series|DataFrame)GroupBy' object has no attribute '(?P<wrong>\w+)'", _words_in_lists),
    (r"Must provide 'func' or tuples of '\(column, aggfunc\)", _named),
    (r"^KeyError: |^TypeError: .*n(?:largest|smallest)|'<=?' not supported between instances of 'str' and 'int'"
     r"|nlargest|slice indices must be integers", _largest),
)  # fmt: skip

RULES = (aggregations,)
