"""Text and numbers on the two sides of an operator."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.conversion import is_prose, numeric, told
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short
from reflex_ipython.propose.rules.values.types import NUMBERS

_JOINED = re.compile(r'can only concatenate (str|list|tuple|deque) \(not "([\w.]+)"\) to (?:str|list|tuple|deque)')
_UNSUPPORTED = re.compile(
    r"unsupported operand type\(s\) for ([^:]+): '([\w.]+)' and '([\w.]+)'(?:\. Did you mean .*)?"
)
_TIMES = re.compile(r"can't multiply sequence by non-int of type '([\w.]+)'")
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
"""How operators are written."""


@dataclass(frozen=True)
class Operation:
    """An operator that failed, with what stands on its two sides.

    Parameters
    ----------
    node : ast.BinOp or ast.AugAssign
    left, right : ast.expr
    left_type, right_type : str
        As the message has them; the left one is empty where it does not tell.
    """

    node: ast.BinOp | ast.AugAssign
    left: ast.expr
    right: ast.expr
    sign: str
    left_type: str
    right_type: str


def operations(read: Reading) -> list[Operation]:
    """Those that the message may be about."""
    sign, left, right = _message(read.message)
    if not right:
        return []
    found = []
    nodes: list[ast.BinOp | ast.AugAssign] = [*read.nodes(ast.BinOp), *read.nodes(ast.AugAssign)]
    for node in nodes:
        one, other = (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)
        mark = OPERATORS.get(type(node.op), "")
        if not mark or (sign and mark != sign):
            continue
        sides = ((left, right),) if left else ((kind, right) for kind in ("str", "list", "tuple", "bytes"))
        for kind, second in sides:
            fits = read.type(one) in ("", kind) and read.type(other) in ("", second)
            turned = mark == "*" and not left and read.type(one) in ("", second) and read.type(other) in ("", kind)
            if fits:
                found.append(Operation(node, one, other, mark, kind, second))
            elif turned:
                found.append(Operation(node, one, other, mark, second, kind))
            if fits or turned:
                break
    return found


def _message(message: str) -> tuple[str, str, str]:
    """The operator and the two types; an empty text for what is not told."""
    if match := _JOINED.fullmatch(message):
        return "+", match[1], match[2]
    if match := _UNSUPPORTED.fullmatch(message):
        sign = match[1].removesuffix("=") if match[1] not in ("==",) else match[1]
        return ("**" if sign.startswith("**") else sign), match[2], match[3]
    if match := _TIMES.fullmatch(message):
        return "*", "", match[1]
    return "", "", ""


def text_in_arithmetic(failure: Failure) -> Iterator[Proposal]:
    """`"5" - 3`, `total + "12"`, `"Age: " + age`: a number for the text, or text for the number."""
    read = reading(failure) if failure.error.ename == "TypeError" else None
    if read is None:
        return
    if isinstance(read.exact, ast.Call):
        yield from _in_a_function(read, read.exact)
    for one in operations(read):
        kinds = {one.left_type, one.right_type}
        if one.sign == "*" and kinds & {"str", "list", "tuple"} and kinds & {"float", "numpy.float64"}:
            yield from _whole_repetitions(read, one)
        if kinds == {"decimal.Decimal", "float"}:
            yield from _decimals(read, one)
        if "str" not in kinds or not kinds <= NUMBERS | {"str", "decimal.Decimal"}:
            continue
        yield from _numbers(read, one)
        if one.sign == "+":
            yield from _texts(read, one)
        elif one.sign == "*" and kinds == {"str"}:
            yield from _repeated(read, one)


def _summands(read: Reading, node: ast.expr, one: Operation) -> list[ast.expr]:
    """`(a + b) / 2` of texts: each is meant as a number."""
    leaves = _chain(node) if one.sign != "+" and isinstance(node, ast.BinOp) else []
    return leaves if len(leaves) > 1 and all(read.type(leaf) == "str" for leaf in leaves) else [node]


def _in_a_function(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """`random.randint(1, "6")`: a function that is no part of the cell computes with its arguments."""
    if not (_message(read.message)[2] and "str" in read.message):
        return
    texts = [one for one in call.args if read.type(one) == "str" and not is_prose(read.value(one))]
    for function, prior in numeric([read.value(one) for one in texts]) if texts else ():
        if read.free(function):
            edits = [edit for one in texts for edit in read.wrap(one, f"{function}(")]
            why = f"{' and '.join(told(read, one) for one in texts)}; `{function}` turns it into a number."
            yield from read.propose(edits, why, f"{function} of a text", prior * 0.9)


def _whole_repetitions(read: Reading, one: Operation) -> Iterator[Proposal]:
    """`"-" * (width / 2)`: `//`."""
    by = one.right if one.left_type in ("str", "list", "tuple") else one.left
    divisions = [node for node in ast.walk(by) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)]
    for node in divisions if len(divisions) == 1 else ():
        start, end = read.cell.span(node.left)[1], read.cell.span(node.right)[0]
        slash = next(
            (token.start for token in read.cell.tokens if token.text == "/" and start <= token.start < end), None
        )
        if slash is not None:
            why = "`/` gives a float, and only a whole number can say how often; `//` divides and rounds down."
            yield from read.propose([SpanEdit(slash, slash + 1, "//")], why, "whole division", 0.8)
            return
    if one.left_type == "str" or one.right_type == "str":
        many = one.left if by is one.right else one.right
        value = read.value(many)
        prior = 0.75 if is_prose(value) else 0.15
        why = f"`{short(read.text(by))}` is a float, and only a whole number can say how often; `int` cuts it off."
        yield from read.propose(read.wrap(by, "int("), why, "whole number", prior)


def _decimals(read: Reading, one: Operation) -> Iterator[Proposal]:
    """A `Decimal` and a float."""
    number, decimal = (one.left, one.right) if one.left_type == "float" else (one.right, one.left)
    name = read.module("decimal.Decimal") or "Decimal"
    why = f"A Decimal can't be computed with a float; the text of `{short(read.text(number))}` gives an exact one."
    imports = () if name in read.failure.situation.names else ("from decimal import Decimal",)
    edits = read.replace(number, f"{name}(str({read.text(number)}))")
    yield from read.propose(edits, why, "Decimal of a float", 0.6, imports=imports)
    why = f"A Decimal can't be computed with a float; `float` makes one of `{short(read.text(decimal))}`."
    yield from read.propose(read.wrap(decimal, "float("), why, "float of a Decimal", 0.42)


def _numbers(read: Reading, one: Operation) -> Iterator[Proposal]:
    """The texts as numbers."""
    sides = [(one.left, one.left_type), (one.right, one.right_type)]
    texts = [leaf for node, kind in sides if kind == "str" for leaf in _summands(read, node, one)]
    chain = _chain(one.node) if one.sign == "+" and isinstance(one.node, ast.BinOp) else []
    if any(is_prose(read.value(node)) for node in (*texts, *chain)) or any(map(_has_words, (*texts, *chain))):
        return
    if isinstance(one.node, ast.AugAssign) and one.left_type == "str":
        return  # the variable itself is text: `text += 5`
    yield from converted(read, texts, 0.9 if one.sign == "+" else 1)


def converted(read: Reading, texts: list[ast.expr], factor: float = 1) -> Iterator[Proposal]:
    """Texts as numbers: where a variable gets its text, if that is in the cell; else where it is used.

    Parameters
    ----------
    texts : list of ast.expr
        What is text and has to be a number.
    factor : float
        How likely it is that numbers are meant at all.
    """
    words = " and ".join(told(read, node) for node in texts)
    sources = [_source(read, node) for node in texts]
    for function, prior in numeric([read.value(node) for node in texts]):
        if not read.free(function):
            continue
        why = f"{words}; `{function}` turns it into a number."
        made = [source for source in sources if source is not None]
        if made and len(made) == len(sources):
            edits = [edit for source in dict.fromkeys(made) for edit in read.wrap(source, f"{function}(")]
            yield from read.propose(edits, why, f"{function} of a text", prior * factor)
        edits = [edit for node in texts for edit in read.wrap(node, f"{function}(")]
        here = prior * factor * (0.4 if made else 1)
        yield from read.propose(edits, why, f"{function} of a text", here)


def _source(read: Reading, node: ast.expr) -> ast.expr | None:
    """The expression in the cell that gives a variable its text: of its assignment, of the call of its function."""
    if not isinstance(node, ast.Name):
        return None
    made = read.assigned(node.id)
    if made is not None:
        plain = isinstance(made.value, (ast.Call, ast.Constant, ast.Subscript))
        return made.value if plain and read.type(made.value) in ("", "str") else None
    scope = read.scope(node)
    if not isinstance(scope, ast.FunctionDef) or not read.parameter(node):
        return None
    names = [one.arg for one in (*scope.args.posonlyargs, *scope.args.args)]
    calls = [
        one for one in read.cell.every(ast.Call) if read.called(one) == scope.name and read.scope(one) is not scope
    ]
    if len(calls) != 1 or node.id not in names or any(isinstance(one, ast.Starred) for one in calls[0].args):
        return None
    at = names.index(node.id) - (names[0] in ("self", "cls"))
    named = [one.value for one in calls[0].keywords if one.arg == node.id]
    given = named[0] if named else calls[0].args[at] if 0 <= at < len(calls[0].args) else None
    return given if given is not None and read.type(given) in ("", "str") else None


def _texts(read: Reading, one: Operation) -> Iterator[Proposal]:
    """The numbers of a chain as text: each by itself, or their sum."""
    if not read.free("str"):
        return
    if isinstance(one.node, ast.AugAssign):
        if one.left_type == "str":
            why = f"`{short(read.text(one.left))}` is text; `str` turns `{short(read.text(one.right))}` into text too."
            yield from read.propose(read.wrap(one.right, "str("), why, "number in a text", 0.9)
        return
    top = _top(read, one.node)
    chain = _chain(top)
    wanted = [node for node in chain if read.type(node) != "str"]
    words = any(_has_words(node) or is_prose(read.value(node)) for node in chain)
    texts = [read.value(node) for node in chain if read.type(node) == "str"]
    numbers = bool(texts) and UNKNOWN not in texts and not any(map(is_prose, texts))
    literal = any(isinstance(node, (ast.Constant, ast.JoinedStr)) and read.type(node) == "str" for node in chain)
    prior = (0.85 if literal else 0.48) if words else 0.3 if numbers else 0.45
    sums = [(a, b) for a, b in itertools.pairwise(chain) if a in wanted and b in wanted]
    if not wanted:
        return
    names = ", ".join(f"`{short(read.text(each))}`" for each in wanted)
    why = f"Only text can be joined to text with `+`; `str` turns {names} into text."
    edits = [edit for each in wanted for edit in read.wrap(each, "str(")]
    yield from read.propose(edits, why, "number in a text", 0.4 if sums and words else prior)
    if len(sums) == 1 and words:
        start, end = read.cell.span(sums[0][0])[0], read.cell.span(sums[0][1])[1]
        text = read.cell.source[start:end]
        why = f"`str({short(text)})` is the text of the sum, which can be joined to the rest."
        yield from read.propose([SpanEdit(start, end, f"str({text})")], why, "sum in a text", 0.45)


def _repeated(read: Reading, one: Operation) -> Iterator[Proposal]:
    """`"-" * "10"`: a text so many times."""
    for node, other in ((one.right, one.left), (one.left, one.right)):
        if not is_prose(read.value(node)) and read.free("int") and not _has_words(node):
            prior = 0.8 if is_prose(read.value(other)) else 0.2
            why = f"{told(read, node)}; `int` turns it into the number of repetitions."
            yield from read.propose(read.wrap(node, "int("), why, "int of a text", prior)


def _top(read: Reading, node: ast.BinOp) -> ast.BinOp:
    """The longest chain of `+` that an operation begins."""
    above = read.parent(node)
    while isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add) and above.left is node:
        node, above = above, read.parent(above)
    return node


def _chain(node: ast.AST) -> list[ast.expr]:
    """The operands of `a + b + c`."""
    operands: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        operands.append(node.right)
        node = node.left
    return [node, *reversed(operands)] if isinstance(node, ast.expr) else operands


def _has_words(node: ast.expr) -> bool:
    """Whether it is a literal with letters in it."""
    if isinstance(node, ast.JoinedStr):
        return any(_has_words(value) for value in node.values)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and any(map(str.isalpha, node.value))


def text_of_others(failure: Failure) -> Iterator[Proposal]:
    """`"Items: " + items`, `b"x" + "y"`: the text of a list, of bytes."""
    read = reading(failure) if failure.error.ename == "TypeError" else None
    if read is None:
        return
    yield from _bytes(read)
    for one in operations(read):
        if one.left_type != "str" or one.sign != "+" or one.right_type in NUMBERS | {"str", "NoneType"}:
            continue
        text = short(read.text(one.right))
        if one.right_type == "bytes":
            why = f"`{text}` is bytes; `decode` turns them into text."
            edits = read.replace(one.right, f"{read.atom(one.right)}.decode()")
            yield from read.propose(edits, why, "decoded bytes", 0.85)
            continue
        if one.right_type in ("function", "method", "builtin_function_or_method"):
            why = f"`{text}` is a function; with `()` it is called."
            yield from read.propose(read.replace(one.right, f"{text}()"), why, "call of a function", 0.8)
            continue
        if one.right_type in ("list", "tuple", "set", "dict_keys", "dict_values", "map", "generator"):
            found = read.members(one.right)
            texts = bool(found) and all(type(member) is str for member in found)
            joined = read.text(one.right) if texts else f"map(str, {read.text(one.right)})"
            why = f"`{text}` is {a(one.right_type)}; `join` makes one text of its members."
            edits = read.replace(one.right, f'", ".join({joined})')
            yield from read.propose(edits, why, "members joined", 0.5 if texts else 0.42)
        if read.free("str"):
            why = f"`{text}` is {a(one.right_type)}; `str` gives its text."
            whole = one.right_type in ("list", "tuple", "set")
            yield from read.propose(read.wrap(one.right, "str("), why, "text of a value", 0.45 if whole else 0.8)


_BYTES = re.compile(r"can't concat str to bytes")


def _bytes(read: Reading) -> Iterator[Proposal]:
    if not _BYTES.search(read.message):
        return
    for node in read.nodes(ast.BinOp):
        left, right = short(read.text(node.left)), short(read.text(node.right))
        why = f"`{left}` is bytes and `{right}` is text; `encode` turns text into bytes."
        edits = read.replace(node.right, f"{read.atom(node.right)}.encode()")
        yield from read.propose(edits, why, "encoded text", 0.55)
        why = f"`{left}` is bytes and `{right}` is text; `decode` turns bytes into text."
        edits = read.replace(node.left, f"{read.atom(node.left)}.decode()")
        yield from read.propose(edits, why, "decoded bytes", 0.45)
