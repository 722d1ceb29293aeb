"""Numbers where something else is needed: to loop over, as a place in a list, inside a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type

_NOT_ITERABLE = re.compile(r"'(?:numpy\.)?(?:int|int32|int64)' object is not iterable")
_NO_INTEGER = re.compile(
    r"'float' object cannot be interpreted as an integer|slice indices must be integers"
    r"|(?:list|tuple|string) indices must be integers or slices, not float"
)
_TEXT_AND_NUMBER = re.compile(
    r"can only concatenate str \(not \"(?:int|float|numpy\.\w+)\"\) to str"
    r"|unsupported operand type\(s\) for \+: '(?:int|float)' and 'str'"
)
_INTEGERS = frozenset({"int", "numpy.int64", "numpy.int32"})
_NUMBERS = _INTEGERS | {"float", "numpy.float64", "numpy.float32"}
_NUMBER_FUNCTIONS = frozenset({"len", "int", "float", "sum", "round", "abs"})
_TEXT_FUNCTIONS = frozenset({"str", "repr", "input", "chr", "hex", "bin", "format"})
_DIGIT = ("dig", "ch", "figure")  # digit, char
_EITHER = 0.45
"""The prior of each of two readings that are about as likely."""


def range_of_number(failure: Failure) -> Iterator[Proposal]:
    """`for i in 10:`: `for i in range(10):`. Of a variable its digits may be meant as well."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "TypeError" or not _NOT_ITERABLE.fullmatch(failure.error.evalue):
        return
    loops = [
        node.iter
        for node in failing_nodes(failure, cell)
        if isinstance(node, (ast.For, ast.comprehension, ast.AsyncFor))
    ]
    numbers = [node for node in loops if _is_integer(failure, node)]
    if len(numbers) != 1:
        return
    text, span = cell.text(numbers[0]), cell.span(numbers[0])
    unsure = isinstance(numbers[0], ast.Name)
    ways = {"range": ("counts from 0 up to it", "range of a number", _EITHER if unsure else 1.0)}
    if unsure:
        around = cell.parent(numbers[0])
        target = getattr(around, "target", None)
        digits = isinstance(target, ast.Name) and target.id.lower().startswith(_DIGIT)
        ways["str"] = ("gives its digits, one after the other", "digits of a number", 0.6 if digits else 0.3)
    for function, (does, rule, prior) in ways.items():
        if _untouched(failure, cell, function):
            why = f"`{text}` is a number, which can't be looped over; `{function}({text})` {does}."
            source = apply(cell.source, [SpanEdit(*span, f"{function}({text})")])
            yield Proposal(source, why, rule, prior)


def whole_division(failure: Failure) -> Iterator[Proposal]:
    """`words[len(words) / 2]`: `words[len(words) // 2]`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "TypeError" or not _NO_INTEGER.search(failure.error.evalue):
        return
    divisions = {
        node for place in _integer_places(failing_nodes(failure, cell)) for node in ast.walk(place) if _divides(node)
    }
    floats = any(
        isinstance(node, ast.Constant) and isinstance(node.value, float)
        for division in divisions
        for node in ast.walk(division)
    )
    if len(divisions) == 1 and not floats:
        [division] = divisions
        assert isinstance(division, ast.BinOp)
        left, right = cell.span(division.left)[1], cell.span(division.right)[0]
        slash = next((token.start for token in cell.tokens if token.text == "/" and left <= token.start < right), None)
        if slash is not None:
            why = "`/` gives a float, and a whole number is needed here; `//` divides and rounds down."
            # `i / n * 10` is another number when `i / n` is rounded first.
            prior = 0.3 if _is_multiplied(_integer_places(failing_nodes(failure, cell)), division) else 1
            yield Proposal(apply(cell.source, [SpanEdit(slash, slash + 1, "//")]), why, "whole division", prior)


def number_in_text(failure: Failure) -> Iterator[Proposal]:
    """`"Age: " + 5`: `"Age: " + str(5)`. `"5" + 5` could as well be a sum: silence."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "TypeError" or not _TEXT_AND_NUMBER.fullmatch(failure.error.evalue):
        return
    chains = [chain for chain in _chains(failing_nodes(failure, cell)) if any(_is_prose(node) for node in chain)]
    if len(chains) != 1 or not _untouched(failure, cell, "str"):
        return
    kinds = [_kind(failure, node) for node in chains[0]]
    unknown = kinds.count("unknown")
    wanted = "number" if unknown == 0 else "unknown" if unknown == 1 and "number" not in kinds else ""
    if not wanted or any(kinds[i] == kinds[i + 1] == "number" for i in range(len(kinds) - 1)):
        return  # "Sum: " + a + b may mean the sum
    edits = [edit for node, kind in zip(chains[0], kinds) if kind == wanted for edit in _as_text(cell, node)]
    if edits:
        why = "Only text can be joined to text with `+`; `str` turns the number into text."
        yield Proposal(apply(cell.source, edits), why, "number in a text")


def _is_integer(failure: Failure, node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.Name):
        return variable_type(failure, node.id).removeprefix("builtins.") in _INTEGERS
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def _integer_places(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        if isinstance(node, ast.Subscript):
            yield node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            yield from node.args


def _is_multiplied(places: Iterable[ast.AST], division: ast.BinOp) -> bool:
    """Whether a place for a whole number goes on calculating with the quotient."""
    nodes = (node for place in places for node in ast.walk(place))
    operations = (node for node in nodes if isinstance(node, ast.BinOp) and node is not division)
    return any(not isinstance(node.op, (ast.Add, ast.Sub)) and division in ast.walk(node) for node in operations)


def _divides(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def _chains(nodes: list[ast.AST]) -> Iterator[list[ast.expr]]:
    """The operands of every `a + b + c`, each chain once."""
    sums = [node for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)]
    inner = {node.left for node in sums}
    for node in sums:
        if node not in inner:
            operands: list[ast.expr] = []
            rest: ast.expr = node
            while isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Add):
                operands.append(rest.right)
                rest = rest.left
            yield [rest, *reversed(operands)]


def _is_prose(node: ast.expr) -> bool:
    """Whether it is a literal text with letters in it, which no sum could be meant with."""
    if isinstance(node, ast.JoinedStr):
        return any(_is_prose(value) for value in node.values)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and any(map(str.isalpha, node.value))


def _kind(failure: Failure, node: ast.expr) -> str:
    if isinstance(node, (ast.JoinedStr, ast.Constant)):
        value = node.value if isinstance(node, ast.Constant) else ""
        return "text" if isinstance(value, str) else "number" if type(value) in (int, float) else "unknown"
    if isinstance(node, ast.Name):
        type_name = variable_type(failure, node.id).removeprefix("builtins.")
        return "text" if type_name == "str" else "number" if type_name in _NUMBERS else "unknown"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        function = node.func.id
        return "text" if function in _TEXT_FUNCTIONS else "number" if function in _NUMBER_FUNCTIONS else "unknown"
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mod):
        kinds = {_kind(failure, node.left), _kind(failure, node.right)}
        return "number" if kinds == {"number"} else "unknown"
    return "unknown"


def _as_text(cell: Cell, node: ast.expr) -> list[SpanEdit]:
    start, end = cell.span(node)
    if cell.source[:start].endswith("(") and cell.source.startswith(")", end) and isinstance(node, ast.BinOp):
        return [SpanEdit(start - 1, start - 1, "str")]
    return [SpanEdit(start, start, "str("), SpanEdit(end, end, ")")]


def _untouched(failure: Failure, cell: Cell, builtin: str) -> bool:
    return builtin not in failure.situation.names and builtin not in cell.bound
