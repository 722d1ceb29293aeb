"""Calls that can't work as they are written: a module, the wrong brackets, no `self`."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type

_NOT_CALLABLE = re.compile(r"'([\w.]+)' object is not callable")
_NOT_SUBSCRIPTABLE = re.compile(r"'(?:method|function|builtin_function_or_method)' object is not subscriptable")
_NO_DTYPE = re.compile(r"Cannot interpret '(\d+)' as a data type")
_ONE_TOO_MANY = re.compile(r"(\w+)\.(\w+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given")

# Modules whose best-known function has the module's own name.
_NAMESAKES = frozenset({"tqdm", "pprint", "glob", "datetime", "copy", "random", "time"})
# Values that look like functions, and what is asked of these types between square brackets.
_PROPERTIES = frozenset({"shape", "columns", "index", "size", "ndim", "dtypes", "dtype", "empty", "T"})
_INDEXED: dict[str, type] = {"DataFrame": str, "dict": str, "list": int, "tuple": int}
# Functions that take what was written between the square brackets.
_TAKE_ONE = frozenset(
    {"print", "len", "append", "head", "tail", "groupby", "sort_values", "split", "join", "extend", "drop"}
)


def called_module(failure: Failure) -> Iterator[Proposal]:
    """`tqdm(x)` after `import tqdm`: `tqdm.tqdm(x)`."""
    cell, match = failing_cell(failure), _NOT_CALLABLE.match(failure.error.evalue)
    if cell is None or match is None or match.group(1) != "module":
        return
    called = [node.func for node in failing_nodes(failure, cell) if isinstance(node, ast.Call)]
    names = {node.id for node in called if isinstance(node, ast.Name) and node.id in _NAMESAKES}
    names = {name for name in names if variable_type(failure, name) in ("", "module", "builtins.module")}
    if len(names) == 1:
        [name] = names
        calls = cell.every(ast.Call)
        places = [cell.span(node.func) for node in calls if isinstance(node.func, ast.Name) and node.func.id == name]
        edits = [SpanEdit(start, end, f"{name}.{name}") for start, end in places if cell.source[start:end] == name]
        why = f"`{name}` is a module; the function is `{name}.{name}`."
        yield Proposal(apply(cell.source, edits), why, "function of a module")


def brackets_of_a_call(failure: Failure) -> Iterator[Proposal]:
    """`df.head[5]`: `df.head(5)`."""
    cell = failing_cell(failure)
    if cell is None or not _NOT_SUBSCRIPTABLE.match(failure.error.evalue):
        return
    found = [
        node
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Subscript) and _function(node.value) in _TAKE_ONE
    ]
    if len(found) != 1 or isinstance(found[0].slice, (ast.Tuple, ast.Slice)):
        return
    start, end = cell.span(found[0].value)[1], cell.span(found[0])[1]
    if cell.source[start] == "[" and cell.source[end - 1] == "]":
        edits = [SpanEdit(start, start + 1, "("), SpanEdit(end - 1, end, ")")]
        why = f"`{_function(found[0].value)}` is a function: call it with round brackets."
        yield Proposal(apply(cell.source, edits), why, "brackets of a call")


def shape_as_arguments(failure: Failure) -> Iterator[Proposal]:
    """`np.zeros(3, 4)`: `np.zeros((3, 4))`."""
    cell, match = failing_cell(failure), _NO_DTYPE.match(failure.error.evalue)
    if cell is None or match is None:
        return
    found = [
        node
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Call)
        and _function(node.func) in ("zeros", "ones", "empty")
        and 2 <= len(node.args) <= 3
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
    ]
    if len(found) == 1:
        start, end = cell.span(found[0].args[0])[0], cell.span(found[0].args[-1])[1]
        if cell.source[start - 1] != "(" or cell.source[end] not in "),":
            return
        why = f"`{_function(found[0].func)}` takes the shape as one tuple; its second argument is the type."
        yield Proposal(
            apply(cell.source, [SpanEdit(start, start, "("), SpanEdit(end, end, ")")]), why, "shape as a tuple"
        )


def missing_self(failure: Failure) -> Iterator[Proposal]:
    """A method without `self`, in a class of the failing cell."""
    cell, match = failing_cell(failure), _ONE_TOO_MANY.match(failure.error.evalue)
    if cell is None or match is None or int(match.group(4)) != int(match.group(3)) + 1:
        return
    methods = [
        node
        for owner in cell.every(ast.ClassDef)
        if owner.name == match.group(1)
        for node in owner.body
        if isinstance(node, ast.FunctionDef) and node.name == match.group(2)
    ]
    if len(methods) == 1 and _lacks_self(methods[0], int(match.group(3))):
        place = _after_bracket(cell, methods[0])
        text = "self, " if methods[0].args.args else "self"
        why = f"`{match.group(2)}` is a method: Python passes it the object as its first argument, `self`."
        yield Proposal(apply(cell.source, [SpanEdit(place, place, text)]), why, "missing self")


def _function(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _lacks_self(method: ast.FunctionDef, takes: int) -> bool:
    arguments = method.args
    plain = not (arguments.posonlyargs or arguments.defaults or arguments.vararg or method.decorator_list)
    if not plain or len(arguments.args) != takes:
        return False
    first = arguments.args[0].arg if arguments.args else ""
    # A first argument that is asked for attributes is the object by another name: then the call has one too many.
    asked = {
        node.value.id
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return first not in ("self", "cls") and first not in asked


def _after_bracket(cell: Cell, method: ast.FunctionDef) -> int:
    start = cell.span(method)[0]
    return next(token.end for token in cell.tokens if token.kind == "open" and token.start > start)


def property_called(failure: Failure) -> Iterator[Proposal]:
    """`df.shape()`: `df.shape`."""
    cell, match = failing_cell(failure), _NOT_CALLABLE.match(failure.error.evalue)
    if cell is None or match is None or match.group(1) not in ("tuple", "Index", "RangeIndex", "Series", "int"):
        return
    found = [
        node
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _PROPERTIES
        and not (node.args or node.keywords)
    ]
    if len(found) == 1:
        edit = SpanEdit(cell.span(found[0].func)[1], cell.span(found[0])[1], "")
        why = f"`{_function(found[0].func)}` is a value, not a function: it can't be called."
        yield Proposal(apply(cell.source, [edit]), why, "extra brackets")


def index_in_round_brackets(failure: Failure) -> Iterator[Proposal]:
    """`df("sales")`: `df["sales"]`; `words(0)`: `words[0]`."""
    cell, match = failing_cell(failure), _NOT_CALLABLE.match(failure.error.evalue)
    key = _INDEXED.get(match.group(1)) if match else None
    if cell is None or key is None:
        return
    found = [
        node
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and not hasattr(builtins, node.func.id)
        and variable_type(failure, node.func.id).rpartition(".")[2] == (match.group(1) if match else "")
        and len(node.args) == 1
        and not node.keywords
        and isinstance(node.args[0], ast.Constant)
        and type(node.args[0].value) is key
    ]
    if len(found) == 1:
        start, end = cell.span(found[0].func)[1], cell.span(found[0])[1]
        if cell.source[start] == "(":
            edits = [SpanEdit(start, start + 1, "["), SpanEdit(end - 1, end, "]")]
            why = f"`{_function(found[0].func)}` is not a function; square brackets access its items."
            yield Proposal(apply(cell.source, edits), why, "brackets of an index")
