"""`round("3.7")`, `abs("-2")`, `math.sqrt([4, 9])`, `-"5"`, a division by zero."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.conversion import numeric, told
from reflex_ipython.propose.rules.values.reading import Reading, reading, short

_NEEDED = (
    re.compile(r"must be real number, not ([\w.]+)"),
    re.compile(r"bad operand type for (?:abs\(\)|unary [-+~]): '([\w.]+)'"),
    re.compile(r"type ([\w.]+) doesn't define __(?:round|floor|ceil|trunc)__ method"),
    re.compile(r"can't convert type '([\w.]+)' to numerator/denominator"),
    re.compile(r"'([\w.]+)' object cannot be interpreted as (?:a number|a real number)"),
    re.compile(r"float\(\) argument must be .* not '(str)'"),
)


def number_needed(failure: Failure) -> Iterator[Proposal]:
    """Text or a list where a function takes a number."""
    if failure.error.ename != "TypeError":
        return
    match = next((found for one in _NEEDED if (found := one.match(failure.error.evalue))), None)
    read = reading(failure) if match else None
    if read is None or match is None:
        return
    kind = match[1]
    if isinstance(read.exact, ast.UnaryOp) or "unary" in read.message:
        for node in read.nodes(ast.UnaryOp):
            if isinstance(node.op, (ast.USub, ast.UAdd)) and read.type(node.operand) in ("", kind):
                yield from _converted(read, node, [node.operand], kind)
        return
    for call in read.nodes(ast.Call):
        if any(isinstance(one, ast.Starred) for one in call.args):
            continue
        known = [one for one in call.args if read.type(one) == kind]
        wrong = known or [one for one in call.args if read.type(one) == ""]
        if "numerator" in read.message:
            yield from _statistics(read, call)
        elif wrong:
            yield from _converted(read, call, wrong, kind)


def _converted(read: Reading, node: ast.expr, wrong: list[ast.expr], kind: str) -> Iterator[Proposal]:
    if kind == "str":
        functions = numeric([read.value(one) for one in wrong])
        for function, prior in functions:
            if read.free(function):
                edits = [edit for one in wrong for edit in read.wrap(one, f"{function}(")]
                why = f"{' and '.join(told(read, one) for one in wrong)}; `{function}` turns it into a number."
                # `round(int("4"))` makes little sense, `round(float("4"))` does.
                turned = len(functions) > 1 and ("round" in read.message or "real number" in read.message)
                likely = 1.05 - prior if turned else prior
                yield from read.propose(edits, why, f"{function} of a text", likely)
    elif kind in ("list", "tuple") and len(wrong) == 1:
        [given] = wrong
        name, text = read.fresh(), short(read.text(given))
        start, end = read.cell.span(node)
        first, last = read.cell.span(given)
        source = read.cell.source
        made = f"[{source[start:first]}{name}{source[last:end]} for {name} in {read.text(given)}]"
        numpy = read.module("numpy")
        why = f"`{text}` is {a(kind)}; this takes each of its members."
        yield from read.propose(read.replace(node, made), why, "each member", 0.55 if numpy else 0.7)
        function = _of_numpy(node)
        if function:
            alias, imports = (numpy, ()) if numpy else ("np", ("import numpy as np",))
            edits = read.replace(node, f"{alias}.{function}({read.text(given)})")
            why = f"`{text}` is {a(kind)}; `{alias}.{function}` takes all its members at once."
            yield from read.propose(edits, why, "function of numpy", 0.5 if numpy else 0.25, imports=imports)
    elif kind in ("method", "function", "builtin_function_or_method") and len(wrong) == 1:
        text = short(read.text(wrong[0]))
        why = f"`{text}` is a function; with `()` it is called."
        yield from read.propose(read.replace(wrong[0], f"{read.text(wrong[0])}()"), why, "call of a function", 0.85)


def _of_numpy(node: ast.expr) -> str:
    """Numpy's name for a function of numbers."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    known = (
        "sqrt",
        "exp",
        "sin",
        "cos",
        "tan",
        "log",
        "log10",
        "log2",
        "floor",
        "ceil",
        "abs",
        "round",
        "radians",
        "degrees",
    )
    return name if name in known else ""


def _statistics(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """`statistics.mean(["1", "2"])`."""
    for given in call.args[:1]:
        texts = [one for one in read.members(given) if type(one) is str]
        for function, prior in numeric(texts) if texts else [("float", 0.7)]:
            why = f"`{short(read.text(given))}` holds texts; `{function}` turns each into a number."
            edits = read.replace(given, f"map({function}, {read.text(given)})")
            yield from read.propose(edits, why, f"{function} of each", prior)


def zero_division(failure: Failure) -> Iterator[Proposal]:
    """`total / count` where `count` is 0: what stands for the result is for a person to say."""
    read = reading(failure) if failure.error.ename == "ZeroDivisionError" else None
    if read is None:
        return
    divisions = [node for node in read.nodes(ast.BinOp) if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))]
    known = [node for node in divisions if read.value(node.right) == 0]
    for node in known or (divisions if len(divisions) == 1 else []):
        if isinstance(node.right, ast.Constant):
            continue
        under, text = read.text(node.right), short(read.text(node.right))
        around = read.parent(node)
        if isinstance(around, (ast.ListComp, ast.GeneratorExp)) and len(around.generators) == 1:
            last = (around.generators[0].ifs or [around.generators[0].iter])[-1]
            word = "and" if around.generators[0].ifs else "if"
            end = read.cell.span(last)[1]
            edit = SpanEdit(end, end, f" {word} {under} != 0")
            yield from read.propose([edit], f"`{text}` is 0; this leaves such members out.", "without zeros", 0.4)
        loose = isinstance(around, (ast.Assign, ast.Return, ast.Call, ast.ListComp, ast.AnnAssign, ast.Expr))
        for value, prior in (("0", 0.42), ('float("nan")', 0.4), ("None", 0.3)):
            made = f"{read.text(node)} if {under} else {value}"
            why = f"`{text}` is 0, and nothing can be divided by it; {value} stands for the result."
            yield from read.propose(
                read.replace(node, made if loose else f"({made})"), why, "value for a division by zero", prior
            )


def out_of_domain(failure: Failure) -> Iterator[Proposal]:
    """`math.sqrt(-1)`, `math.log(0)`."""
    message = failure.error.evalue
    known = failure.error.ename == "ValueError" and (
        message.startswith("math domain")
        or "expected a positive input" in message
        or "expected a nonnegative input" in message
    )
    read = reading(failure) if known else None
    if read is None:
        return
    for call in read.nodes(ast.Call):
        name = read.called(call)
        if not call.args:
            continue
        given, text = call.args[0], short(read.text(call.args[0]))
        value = read.value(given)
        said = (
            f"`{text}` is {value}"
            if type(value) in (int, float) and not isinstance(given, ast.Constant)
            else f"`{text}`"
        )
        if name == "sqrt":
            why = f"{said}: a negative number has no real root; `cmath` gives the complex one."
            edits = read.replace(call.func, "cmath.sqrt")
            yield from read.propose(edits, why, "complex root", 0.45, imports=("import cmath",))
            if read.free("abs"):
                why = f"{said}: a negative number has no real root; `abs` takes its sign off."
                yield from read.propose(read.wrap(given, "abs("), why, "without the sign", 0.4)
        if name in ("sqrt", "log", "log10", "log2"):
            test = f"{read.text(given)} > 0" if name != "sqrt" else f"{read.text(given)} >= 0"
            made = f'{read.text(call)} if {test} else float("nan")'
            why = f"{said}: `{name}` has no value there; NaN, a missing value, stands for it."
            edits = read.replace(
                call, made if isinstance(read.parent(call), (ast.Assign, ast.ListComp)) else f"({made})"
            )
            yield from read.propose(edits, why, "missing value", 0.4)
        if name == "log" and value == 0 and len(call.args) == 1:
            why = f"{said}: 0 has no logarithm; `log1p` gives the one of 1 + the value."
            edits = read.replace(call.func, read.text(call.func).removesuffix("log") + "log1p")
            yield from read.propose(edits, why, "logarithm of 1 + x", 0.35)


def whole_from_nan(failure: Failure) -> Iterator[Proposal]:
    """`int(float("nan"))`."""
    known = failure.error.evalue.startswith(("cannot convert float NaN to integer", "cannot convert float infinity"))
    read = reading(failure) if known else None
    for call in read.nodes(ast.Call) if read is not None else ():
        if read is not None and getattr(call.func, "id", "") in ("int", "round") and call.args:
            given = read.text(call.args[0])
            test = f"{given} == {given}" if "NaN" in read.message else f"abs({given}) != float('inf')"
            for value, prior in (("0", 0.42), ("None", 0.4)):
                is_what = "NaN, a missing value" if "NaN" in read.message else "infinite"
                why = f"`{short(given)}` is {is_what}; {value} stands for it."
                made = f"({read.text(call)} if {test} else {value})"
                yield from read.propose(read.replace(call, made), why, "value for a missing one", prior)
