"""Several arguments where one list is taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import (
    arguments_text,
    calls_in,
    failing_calls,
    is_plain,
    last_name,
    packed,
)
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_SURPLUS = re.compile(
    r"takes (?:from \d+ to )?(\d+) positional arguments? but \d+"
    r"|takes (?:at most|exactly) (\w+) (?:positional )?arguments? \("
    r"|expected at most (\d+) arguments?, got"
)
_WORDS = {"one": 1, "two": 2, "three": 3, "no": 0}
_SEVERAL = re.compile(r"\w*(?:[^suia]s|list|array|seq|sequence|iterable|tup|data|objs|values)", re.IGNORECASE)
_TAKE_A_LIST = frozenset(
    {
        "array",
        "asarray",
        "sum",
        "mean",
        "median",
        "std",
        "choice",
        "sample",
        "shuffle",
        "sorted",
        "concat",
        "max",
        "min",
    }
    | {"concatenate", "vstack", "hstack", "dstack", "stack", "column_stack", "join", "any", "all", "deque", "Counter"}
    | {"fsum", "prod", "argmax", "argmin", "mode", "stdev", "variance", "Series", "enumerate", "gather"}
)
_DISPLAYS = {"list": ("[", "]"), "set": ("{", "}"), "tuple": ("(", ")")}
_RULE = "arguments as a list"


def arguments_as_a_list(failure: Failure) -> Iterator[Proposal]:
    """`np.concatenate(a, b)`: `np.concatenate([a, b])`; `list(1, 2)`: `[1, 2]`; `normal(0, 1, 2, 3)`: `(2, 3)`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or failure.error.ename != "TypeError":
        return
    surplus = _SURPLUS.search(text)
    calls = failing_calls(failure, cell) if surplus else _suspects(failure, cell, text)
    for call in calls:
        if len(call.args) < 2 or not is_plain(call):
            continue
        name = last_name(call.func)
        why = f"`{name}` takes what it works on as one list."
        if name in _DISPLAYS and isinstance(call.func, ast.Name):
            first, last = _DISPLAYS[name]
            made = f"{first}{arguments_text(cell, call.args)}{last}"
            why = f"`{name}` takes one argument; values are written between brackets."
            yield from candidate(cell, [SpanEdit(*cell.span(call), made)], why, _RULE, 0.93)
            continue
        if name in ("append", "add"):
            yield from _added(cell, call, name)
            continue
        parameter = _only_parameter(failure)
        likely = name in _TAKE_A_LIST or (parameter and _SEVERAL.fullmatch(parameter) is not None)
        one = parameter or name in _TAKE_A_LIST or not surplus
        if one:
            yield from candidate(cell, packed(cell, call.args, "[]"), why, _RULE, 0.9 if likely else 0.45)
        taken = int(_WORDS.get(_number(surplus), _number(surplus)) or 0) if surplus else 0
        sizes = [one for one in call.args if not isinstance(one, ast.Constant) or isinstance(one.value, (int, float))]
        if surplus and 1 < taken < len(call.args) == len(sizes) and name not in _TAKE_A_LIST:
            why = f"`{name}` takes {taken} arguments by position; the last one may be several numbers, as a tuple."
            edits = packed(cell, call.args[taken - 1 :], "()")
            yield from candidate(cell, edits, why, "shape as a tuple", 0.8)


def _number(match: re.Match[str] | None) -> str:
    return next((group for group in match.groups() if group), "") if match else ""


def _only_parameter(failure: Failure) -> str:
    """The one parameter that is taken by position; empty if there are several, or it is not known."""
    told = failure.callee.parameters if failure.callee else ()
    found = []
    for text in told:
        if text.startswith("*"):
            break
        found.append(text.partition("=")[0])
    return found[0] if len(found) == 1 else ""


def _suspects(failure: Failure, cell: Cell, text: str) -> list[ast.Call]:
    """The calls that may take a list, where the message does not count arguments."""
    nodes = failing_nodes(failure, cell)
    if "only integer scalar arrays" in text or "an iterable of pandas objects" in text:
        return list(calls_in(nodes, "concatenate", "vstack", "hstack", "stack", "concat", "append"))
    if "object is not iterable" in text:
        return list(calls_in(nodes, "sum", "any", "all", "sorted", "fsum"))
    return []


def _added(cell: Cell, call: ast.Call, name: str) -> Iterator[Proposal]:
    end = cell.span(call.func)[1]
    several = {"append": "extend", "add": "update"}[name]
    why = f"`{name}` takes one value; `{several}` takes several."
    rename = SpanEdit(end - len(name), end, several)
    yield from candidate(cell, [rename, *packed(cell, call.args, "[]")], why, _RULE, 0.5 if name == "append" else 0.8)
    why = f"`{name}` takes one value; this one is a tuple."
    yield from candidate(cell, packed(cell, call.args, "()"), why, "arguments as a tuple", 0.45)


def values_of_a_format(failure: Failure) -> Iterator[Proposal]:
    """`print("%d of %d" % done, total)`: `"%d of %d" % (done, total)`."""
    cell = failing_cell(failure)
    if cell is None or "not enough arguments for format string" not in failure.error.evalue:
        return
    for node in failing_nodes(failure, cell):
        values = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
        for place, value in enumerate(values[:-1]):
            if (
                isinstance(value, ast.BinOp)
                and isinstance(value.op, ast.Mod)
                and not isinstance(value.right, ast.Tuple)
            ):
                count = len(re.findall(r"%[^%]", cell.text(value.left)))
                rest = values[place + 1 : place + count]
                if len(rest) == count - 1:
                    why = "`%` takes the values of a text as one tuple, in round brackets."
                    yield from candidate(cell, packed(cell, [value.right, *rest], "()"), why, "values as a tuple", 0.95)


def shape_with_a_type(failure: Failure) -> Iterator[Proposal]:
    """`np.full(2, 3, 0)`: `np.full((2, 3), 0)`; `np.zeros(2, 3, dtype=int)`: `np.zeros((2, 3), dtype=int)`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or not re.search(
        r"Cannot interpret '.*' as a data type|given by name \('dtype'\)|values for argument", text
    ):
        return
    for call in calls_in(failing_nodes(failure, cell), "zeros", "ones", "empty", "full"):
        shape = call.args[:-1] if last_name(call.func) == "full" else call.args
        if len(shape) > 1 and is_plain(call):
            why = f"`{last_name(call.func)}` takes the shape as one tuple."
            yield from candidate(cell, packed(cell, shape, "()"), why, "shape as a tuple", 0.93)
