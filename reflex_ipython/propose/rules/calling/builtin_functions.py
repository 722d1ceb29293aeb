"""Functions of Python's own that are given something in another order or form than they take it."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import calls_in, last_name
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type

_NOT_ITERABLE = re.compile(
    r"'(?:function|builtin_function_or_method|type|method|method_descriptor)' object is not iterable"
)
_NO_ORDER = re.compile(
    r"not supported between instances of '(?:\w*function\w*|type|method)' and|and '(?:\w*function\w*|type|method)'$"
)
_CLASSES = re.compile(r"(?:isinstance|issubclass)\(\) arg 2 must be")


def function_first(failure: Failure) -> Iterator[Proposal]:
    """`map(words, len)`: `map(len, words)`."""
    cell = failing_cell(failure)
    if cell is None or not _NOT_ITERABLE.search(failure.error.evalue):
        return
    for call in calls_in(failing_nodes(failure, cell), "map", "filter", "reduce"):
        if len(call.args) == 2 and _is_function(failure, call.args[1]):
            edits = _turned(cell, call.args[0], call.args[1])
            why = f"`{last_name(call.func)}` takes the function first, then what it goes over."
            yield from candidate(cell, edits, why, "order of arguments", 0.95)


def key_of_the_largest(failure: Failure) -> Iterator[Proposal]:
    """`max(words, len)`: `max(words, key=len)`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "TypeError" or not _NO_ORDER.search(failure.error.evalue):
        return
    for call in calls_in(failing_nodes(failure, cell), "max", "min"):
        if len(call.args) == 2 and not call.keywords and _is_function(failure, call.args[1]):
            start = cell.span(call.args[1])[0]
            why = f"What `{last_name(call.func)}` compares by is taken by name: `key=`."
            yield from candidate(cell, [SpanEdit(start, start, "key=")], why, "argument by name", 0.95)


def class_without_quotes(failure: Failure) -> Iterator[Proposal]:
    """`isinstance(x, "str")`: `isinstance(x, str)`."""
    cell = failing_cell(failure)
    if cell is None or not _CLASSES.search(failure.error.evalue):
        return
    for call in calls_in(failing_nodes(failure, cell), "isinstance", "issubclass"):
        texts = [one for given in call.args[1:] for one in ast.walk(given) if isinstance(one, ast.Constant)]
        known = {*failure.situation.names, *cell.bound, *dir(builtins)}
        if texts and all(isinstance(one.value, str) and one.value in known for one in texts):
            edits = [SpanEdit(*cell.span(one), str(one.value)) for one in texts]
            why = f"`{last_name(call.func)}` takes the class itself, not its name in quotes."
            yield from candidate(cell, edits, why, "class without quotes", 0.95)


def drawn_from(failure: Failure) -> Iterator[Proposal]:
    """`random.choice(prices)` of a dict or set: of a list of its members."""
    cell, error = failing_cell(failure), failure.error
    unordered = "Population must be a sequence" in error.evalue
    if cell is None or not (
        unordered or error.ename == "KeyError" or "'set' object is not subscriptable" in error.evalue
    ):
        return
    for call in calls_in(failing_nodes(failure, cell), "choice", "sample", "choices", "shuffle"):
        if not call.args:
            continue
        given, text = call.args[0], cell.text(call.args[0])
        kind = variable_type(failure, given.id) if isinstance(given, ast.Name) else type(given).__name__.lower()
        is_dict = kind == "dict" or (kind == "" and error.ename == "KeyError")
        if not is_dict and kind not in ("set", "frozenset", "setcomp", ""):
            continue
        what = "keys" if is_dict else "members"
        why = f"`{last_name(call.func)}` draws from a sequence; `list` makes one of the {what} of `{text}`."
        function = "list" if is_dict else "sorted"
        yield from candidate(
            cell, [SpanEdit(*cell.span(given), f"{function}({text})")], why, f"list of the {what}", 0.88
        )
        if is_dict:
            why = f"`{last_name(call.func)}` draws from a sequence; `list` makes one of the values of `{text}`."
            edits = [SpanEdit(*cell.span(given), f"list({text}.values())")]
            yield from candidate(cell, edits, why, "list of the values", 0.4)


def bounds_of_a_draw(failure: Failure) -> Iterator[Proposal]:
    """`random.randint(6)`: from 1, or from 0."""
    cell = failing_cell(failure)
    if cell is None or "randint() missing 1 required positional argument" not in failure.error.evalue:
        return
    for call in calls_in(failing_nodes(failure, cell), "randint"):
        if len(call.args) == 1:
            start = cell.span(call.args[0])[0]
            for low, prior in (("1", 0.6), ("0", 0.5)):
                why = f"`randint` takes the least and the largest number; here the least is {low}."
                yield from candidate(cell, [SpanEdit(start, start, f"{low}, ")], why, "bounds of a draw", prior)


def keys_in_a_list(failure: Failure) -> Iterator[Proposal]:
    """`dict.fromkeys("a", "b", 0)`: `dict.fromkeys(["a", "b"], 0)`."""
    cell = failing_cell(failure)
    if cell is None or "fromkeys expected at most 2 arguments" not in failure.error.evalue:
        return
    for call in calls_in(failing_nodes(failure, cell), "fromkeys"):
        start, end = cell.span(call.args[0])[0], cell.span(call.args[-2])[1]
        why = "`fromkeys` takes all keys as one list, then the value that they get."
        yield from candidate(cell, [SpanEdit(start, start, "["), SpanEdit(end, end, "]")], why, "list of keys", 0.93)


def abstract_method(failure: Failure) -> Iterator[Proposal]:
    """A class that has the abstract method under a name nearly like it: it is called so."""
    from reflex_ipython.propose.rules.access.nearness import near

    cell, text = failing_cell(failure), failure.error.evalue
    found = re.match(r"Can't instantiate abstract class (\w+) .*?abstract methods? (.+)$", text)
    if cell is None or found is None:
        return
    for owner in cell.every(ast.ClassDef):
        methods = [node for node in owner.body if isinstance(node, ast.FunctionDef)] if owner.name == found[1] else []
        for wanted in re.findall(r"\w+", found[2]):
            for close in near(wanted, [node.name for node in methods])[:1]:
                node = next(one for one in methods if one.name == close.word)
                at = cell.source.index(close.word, cell.span(node)[0])
                why = f"`{owner.name}` has `{close.word}`, where its base class asks for `{wanted}`."
                edits = [SpanEdit(at, at + len(close.word), wanted)]
                yield from candidate(cell, edits, why, "name of a method", max(close.prior, 0.85))


def _is_function(failure: Failure, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        kind = variable_type(failure, node.id)
        return kind in ("function", "builtin_function_or_method", "type") or (
            not kind and callable(getattr(builtins, node.id, None))
        )
    return isinstance(node, (ast.Lambda, ast.Attribute))


def _turned(cell: Cell, first: ast.expr, second: ast.expr) -> list[SpanEdit]:
    return [SpanEdit(*cell.span(first), cell.text(second)), SpanEdit(*cell.span(second), cell.text(first))]


RULES = (
    function_first,
    key_of_the_largest,
    class_without_quotes,
    drawn_from,
    bounds_of_a_draw,
    keys_in_a_list,
    abstract_method,
)
