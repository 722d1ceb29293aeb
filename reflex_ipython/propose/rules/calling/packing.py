"""Several arguments where one list is taken, and one list where several arguments are taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import (
    arguments_text,
    calls_in,
    failing_calls,
    is_plain,
    last_name,
    packed,
    type_of,
)
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_MISSING = re.compile(
    r"missing (?:\d+ )?required (?:positional )?arguments?|expected at least \d+ arg|takes exactly \w+ arg"
)
_SURPLUS = re.compile(
    r"takes (?:from \d+ to )?(\d+) positional arguments? but \d+"
    r"|takes (?:at most|exactly) (\w+) (?:positional )?arguments? \("
    r"|expected at most (\d+) arguments?, got"
)
_NOT_INTEGER = re.compile(r"'(tuple|list|numpy\.ndarray|Series|DataFrame)' object cannot be interpreted as an integer")
# The last one comes from `open` as IPython has it.
_NO_FILE = re.compile(r"os\.PathLike object, not (?:list|tuple)|object type: <class 'list'>|unhashable type: 'list'")
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
_ITERABLE = frozenset({"list", "tuple", "ndarray", "Series", "dict_values", "set", "range"})
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
            yield from candidate(cell, [Edit(*cell.span(call), made)], why, _RULE, 0.93)
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
        if surplus and 1 < taken < len(call.args) and name not in _TAKE_A_LIST:
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
    rename = Edit(end - len(name), end, several)
    yield from candidate(cell, [rename, *packed(cell, call.args, "[]")], why, _RULE, 0.5 if name == "append" else 0.8)
    why = f"`{name}` takes one value; this one is a tuple."
    yield from candidate(cell, packed(cell, call.args, "()"), why, "arguments as a tuple", 0.45)


def list_as_arguments(failure: Failure) -> Iterator[Proposal]:
    """`distance(point)`: `distance(*point)`; `fit(options)`: `fit(**options)`; `rand((2, 3))`: `rand(2, 3)`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or failure.error.ename not in ("TypeError", "ValueError"):
        return
    missing, integer = _MISSING.search(text), _NOT_INTEGER.search(text)
    shape = re.search(r"must be a positive integer, not [(\[]", text)
    paths = "expected str, bytes or os.PathLike object, not list" in text
    if not (missing or integer or shape or paths):
        return
    calls = failing_calls(failure, cell) if missing else _with_list(failure, cell)
    for call in calls if missing else ():
        yield from _starred(failure, cell, call)
    for call in calls:
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            continue
        name, (argument,) = last_name(call.func), call.args
        if name == "range" or (paths and name != "join"):
            continue
        kind, start = type_of(failure, argument), cell.span(argument)[0]
        if isinstance(argument, (ast.Tuple, ast.List)) and argument.elts:
            first, last = cell.span(argument.elts[0])[0], cell.span(argument.elts[-1])[1]
            why = f"`{name}` takes its arguments one by one, not as a {kind}."
            edits = [Edit(start, first, ""), Edit(last, cell.span(argument)[1], "")]
            yield from candidate(cell, edits, why, "list as arguments", 0.9)
        elif kind == "dict":
            why = f"`{name}` takes its arguments by name: `**` takes them from the dict."
            yield from candidate(cell, [Edit(start, start, "**")], why, "dict as arguments", 0.92)
        elif kind in _ITERABLE or (not kind and not isinstance(argument, ast.Constant)):
            why = f"`{name}` takes its arguments one by one: `*` takes them from `{cell.text(argument)}`."
            yield from candidate(cell, [Edit(start, start, "*")], why, "list as arguments", 0.9 if kind else 0.6)


def _starred(failure: Failure, cell: Cell, call: ast.Call) -> Iterator[Proposal]:
    """Several arguments, of which the last or all are sequences: `line(x, params)`: `line(x, *params)`."""
    kinds = [type_of(failure, argument) for argument in call.args]
    if len(kinds) < 2 or call.keywords or not is_plain(call) or kinds[-1] not in _ITERABLE:
        return
    nodes = call.args if all(kind in _ITERABLE for kind in kinds) else call.args[-1:]
    starts = [cell.span(node)[0] for node in nodes]
    told = " and ".join(f"`{cell.text(node)}`" for node in nodes)
    why = f"`{last_name(call.func)}` takes its arguments one by one: `*` takes them from {told}."
    yield from candidate(cell, [Edit(start, start, "*") for start in starts], why, "list as arguments", 0.85)


def _with_list(failure: Failure, cell: Cell) -> list[ast.Call]:
    return [node for node in failing_nodes(failure, cell) if isinstance(node, ast.Call)]


def range_of_list(failure: Failure) -> Iterator[Proposal]:
    """`for i in range(xs)`: `range(len(xs))` where `i` is an index, else `for i in xs`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or not (
        _NOT_INTEGER.search(text) or "only integer scalar arrays" in text or "length-1 arrays" in text
    ):
        return
    for call in calls_in(failing_nodes(failure, cell), "range"):
        if len(call.args) != 1 or isinstance(call.args[0], (ast.Tuple, ast.List)):
            continue
        listed = cell.text(call.args[0])
        loops: list[ast.For | ast.comprehension] = [*cell.every(ast.For), *cell.every(ast.comprehension)]
        index = {loop.target.id for loop in loops if loop.iter is call and isinstance(loop.target, ast.Name)}
        used = any(isinstance(node.slice, ast.Name) and node.slice.id in index for node in cell.every(ast.Subscript))
        why = f"`range` takes a number; the places of `{listed}` are `range(len({listed}))`."
        edits = [Edit(*cell.span(call.args[0]), f"len({listed})")]
        yield from candidate(cell, edits, why, "range of a list", 0.92 if used else 0.45)
        why = f"`range` takes a number; what is in `{listed}` is looped over without it."
        yield from candidate(cell, [Edit(*cell.span(call), listed)], why, "range of a list", 0.2 if used else 0.7)


def list_as_file(failure: Failure) -> Iterator[Proposal]:
    """`open(files)`, a list: its first, or all of them."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or not _NO_FILE.search(text):
        return
    for call in failing_nodes(failure, cell):
        name = last_name(call.func) if isinstance(call, ast.Call) else ""
        if (
            not isinstance(call, ast.Call)
            or not (name == "open" or name.startswith(("read_", "load")))
            or not call.args
        ):
            continue
        if type_of(failure, call.args[0]) not in ("list", "tuple", ""):
            continue
        listed, (start, end) = cell.text(call.args[0]), cell.span(call.args[0])
        why = f"`{name}` takes one file, and `{listed}` is a list of them."
        if name.startswith("read_") and "pd" in failure.situation.names:
            each = cell.source[cell.span(call)[0] : start] + "file" + cell.source[end : cell.span(call)[1]]
            made = f"pd.concat([{each} for file in {listed}])"
            yield from candidate(cell, [Edit(*cell.span(call), made)], why, "each of a list", 0.48)
        yield from candidate(cell, [Edit(end, end, "[0]")], why, "first of a list", 0.45)


def list_as_tuple(failure: Failure) -> Iterator[Proposal]:
    """`isinstance(x, [int, float])`: `(int, float)`; `name.startswith(["a", "b"])`: `("a", "b")`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or not re.search(r"arg 2 must be a (?:type|class)|first arg must be \w+ or a tuple of", text):
        return
    for call in calls_in(failing_nodes(failure, cell), "isinstance", "issubclass", "startswith", "endswith"):
        argument = call.args[-1] if call.args else None
        why = f"`{last_name(call.func)}` takes several as a tuple, in round brackets."
        if isinstance(argument, (ast.List, ast.Set)) and argument.elts:
            start, end = cell.span(argument)
            comma = "," if len(argument.elts) == 1 else ""
            edits = [Edit(start, start + 1, "("), Edit(end - 1, end, f"{comma})")]
            yield from candidate(cell, edits, why, "list as a tuple", 0.95)
        elif isinstance(argument, ast.Name) and type_of(failure, argument) in ("list", "set"):
            edits = [Edit(*cell.span(argument), f"tuple({argument.id})")]
            yield from candidate(cell, edits, why, "list as a tuple", 0.95)


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
