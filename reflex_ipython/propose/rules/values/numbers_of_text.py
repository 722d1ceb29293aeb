"""`int("12.5")`, `float("1,200")`, `int("")`: texts that `int` and `float` don't take as they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.conversion import parses
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short

_INT = re.compile(r"invalid literal for int\(\) with base 10: (.+)", re.DOTALL)
_FLOAT = re.compile(r"could not convert string to float: (.+)", re.DOTALL)
_ARGUMENT = re.compile(r"(int|float)\(\) argument must be a string.* not '([\w.]+)'")
_CURRENCY = "$€£¥₹"
_NOTHING = frozenset({"", "-", "na", "n/a", "none", "null", "nan", "?", "missing", "unknown", ".", "--"})

Way = tuple[str, str, float]
"""A template of what to write, with `{x}` for the text; why; how likely."""


def invalid_literal(failure: Failure) -> Iterator[Proposal]:
    """The text is cleaned of what is no part of the number."""
    match = _INT.fullmatch(failure.error.evalue) or _FLOAT.fullmatch(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "ValueError" else None
    if read is None or match is None:
        return
    bad = _literal(match[1])
    function = "int" if match.re is _INT else "float"
    if bad is None or not read.free(function):
        return
    for call in read.nodes(ast.Call):
        if not isinstance(call.func, ast.Name) or call.keywords:
            continue
        if call.func.id == function and len(call.args) == 1:
            yield from _calls(read, call, function, bad)
        elif call.func.id == "map" and len(call.args) == 2 and _is(call.args[0], function):
            yield from _maps(read, call, function, bad)
    if not isinstance(read.exact, ast.Call):  # a lazy `map` fails where its items are taken
        return
    inner = [node for node in read.here if isinstance(node, ast.Call) and node is not read.exact]
    for call in inner:
        if _is(call.func, "map") and len(call.args) == 2 and _is(call.args[0], function):
            yield from _maps(read, call, function, bad)


def _calls(read: Reading, call: ast.Call, function: str, bad: str) -> Iterator[Proposal]:
    [given] = call.args
    if isinstance(given, ast.Starred):
        return
    value = read.value(given)
    if type(value) is str and value != bad:
        return
    found = ways(function, bad)
    for way, why, prior in found:
        yield from read.propose(read.replace(call, _written(way, read.atom(given))), why, "cleaned number", prior)
    if found:
        return
    if bad.strip().lower() in _NOTHING or not any(map(str.isdigit, bad)):
        yield from _left_out(read, call, given, function, bad)


def _left_out(read: Reading, call: ast.Call, given: ast.expr, function: str, bad: str) -> Iterator[Proposal]:
    """What is no number at all: left out of a comprehension, or another value in its place."""
    around = read.parent(call)
    while isinstance(around, (ast.BinOp, ast.Call, ast.Tuple)):
        around = read.parent(around)
    text, said = read.text(given), f"{bad!r} is no number"
    empty = not bad.strip()
    test = f"{read.atom(given)}.strip()" if empty else f"{text} != {bad!r}"
    if isinstance(around, (ast.ListComp, ast.GeneratorExp, ast.SetComp)) and len(around.generators) == 1:
        last = around.generators[-1].ifs[-1] if around.generators[-1].ifs else around.generators[-1].iter
        words = "and" if around.generators[-1].ifs else "if"
        end = read.cell.span(last)[1]
        edit = SpanEdit(end, end, f" {words} {test}")
        yield from read.propose([edit], f"{said}; this leaves it out.", "without what is no number", 0.45)
    zero = "0" if function == "int" else "0.0"
    short_text = read.text(call)
    condition = text if bad == "" else test
    user = read.parent(call)
    adds = isinstance(user, (ast.AugAssign, ast.BinOp)) and isinstance(user.op, (ast.Add, ast.Sub))
    likely = 0.55 if adds else 0.35  # 0 changes a sum by nothing, but a product or a quotient wholly
    for other in (zero, "None"):
        made = f"({short_text} if {condition} else {other})"
        if not isinstance(read.parent(call), (ast.BinOp, ast.Attribute, ast.Subscript, ast.Compare, ast.Starred)):
            made = made[1:-1]
        why = f"{said}; this takes {other} in its place."
        yield from read.propose(read.replace(call, made), why, "another value", likely if other == zero else 0.3)


def _maps(read: Reading, call: ast.Call, function: str, bad: str) -> Iterator[Proposal]:
    """`map(int, texts)`."""
    name, given = read.fresh(), call.args[1]
    for way, why, prior in ways(function, bad):
        made = f"({_written(way, name)} for {name} in {read.text(given)})"
        if isinstance(read.parent(call), ast.Call) and len(getattr(read.parent(call), "args", [])) == 1:
            made = made[1:-1]
        yield from read.propose(read.replace(call, made), why, "cleaned number", prior)
    if bad.strip().lower() in _NOTHING or not any(map(str.isdigit, bad)):
        test = f"{name}.strip()" if not bad.strip() else f"{name} != {bad!r}"
        made = f"{name} for {name} in {read.text(given)} if {test}"
        edits = read.replace(given, f"({made})")
        yield from read.propose(edits, f"{bad!r} is no number; this leaves it out.", "without what is no number", 0.55)


def ways(function: str, bad: str) -> list[Way]:
    """How a text may be turned into the number that it stands for, the likeliest first.

    Parameters
    ----------
    function : str
        `int` or `float`.
    bad : str
        The text that it did not take.
    """
    return list(_ways(bad.strip(), function))[:5]


def _ways(text: str, function: str) -> Iterator[Way]:
    said = f"{text!r}"
    if parses(float, text) and function == "int" and text.lower().strip("+-") not in ("nan", "inf", "infinity"):
        whole = float(text).is_integer()
        yield "int(float({x}))", f"{said} has a decimal point; `int(float(…))` cuts it off.", 0.8 if whole else 0.55
        yield "float({x})", f"{said} has a decimal point, so it is a float.", 0.3 if whole else 0.45
        yield "round(float({x}))", f"{said} has a decimal point; this rounds it.", 0.2
        return
    signs = "".join(sign for sign in _CURRENCY if sign in text)
    taken = "".join(f".replace({sign!r}, '')" for sign in signs).replace("'", '"')
    about = f" without {signs!r}" if signs else ""
    bare = text.translate(str.maketrans("", "", signs)).strip()
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", bare):
        f = _function(bare.replace(",", ""), function)
        one = bare.count(",") == 1 and "." not in bare and not signs
        prior = 0.65 if one and function == "float" else 0.85
        yield f'{f}({{x}}{taken}.replace(",", ""))', f"{said} has commas between thousands{about}.", prior
        if one and function == "float":
            yield 'float({x}.replace(",", "."))', f"{said} may have a decimal comma.", 0.35
        return
    if re.fullmatch(r"[-+]?\d{1,3}(\.\d{3})+,\d+", bare):
        made = f'float({{x}}{taken}.replace(".", "").replace(",", "."))'
        yield made, f"{said} has a decimal comma, and points between thousands.", 0.85
        return
    if re.fullmatch(r"[-+]?\d+,\d+", bare):
        yield f'float({{x}}{taken}.replace(",", "."))', f"{said} has a decimal comma.", 0.8
        yield f'{function}({{x}}{taken}.replace(",", ""))', f"{said} without its comma.", 0.1
        return
    if signs and parses(float, bare):
        # The next one may have thousands: what has no comma is the same without it.
        yield f'{_function(bare, function)}({{x}}{taken}.replace(",", ""))', f"{said} has a sign of a currency.", 0.85
        return
    if text.endswith("%") and parses(float, text[:-1]):
        f = _function(text[:-1], function)
        yield f'{f}({{x}}.rstrip("% "))', f"{said} without its percent sign.", 0.55
        yield 'float({x}.rstrip("% ")) / 100', f"{said} as a share of one.", 0.45
        return
    if re.fullmatch(r"[-+]?\d{1,3}([ \u00a0\u202f_']\d{3})+(\.\d+)?", text):
        sign = next(one for one in text if not one.isdigit() and one not in "+-.")
        f = _function(text.replace(sign, ""), function)
        yield f'{f}({{x}}.replace({_quoted(sign)}, ""))', f"{said} has {sign!r} between thousands.", 0.75
    yield from _several(text, function)
    yield from _bases(text, function)
    if match := re.fullmatch(r"(.*?)([-+]?\d[\d,]*(?:\.\d+)?)(.*)", text, re.DOTALL):
        yield from _with_words(text, match, function)


def _several(text: str, function: str) -> Iterator[Way]:
    """`"1 2 3"`, `"1,2,3"`, `"3/4"`."""
    for sign, split in ((",", '.split(",")'), (";", '.split(";")'), (" ", ".split()"), ("-", '.split("-")')):
        parts = [part for part in text.split(sign) if part.strip()]
        if len(parts) > 1 and all(parses(float, part) for part in parts):
            f = function if all(_function(part.strip(), function) == function for part in parts) else "float"
            prior = 0.3 if sign == "-" else 0.7
            yield f"[{f}(part) for part in {{x}}{split}]", f"{text!r} holds {len(parts)} numbers.", prior
            return
    if re.fullmatch(r"\d+\s*/\s*\d+", text):
        over, _, under = text.partition("/")
        if int(under):
            made = 'int({x}.split("/")[0]) / int({x}.split("/")[1])'
            yield made, f"{text!r} is a fraction; this divides {over.strip()} by {under.strip()}.", 0.6


def _bases(text: str, function: str) -> Iterator[Way]:
    if function == "int":
        if re.fullmatch(r"[-+]?0[xob][0-9a-fA-F]+", text):
            yield "int({x}, 0)", f"{text!r} says its base itself; base 0 means that.", 0.9
        elif re.fullmatch(r"[0-9a-fA-F]+", text) and not text.isdigit():
            yield "int({x}, 16)", f"{text!r} is a number to base 16.", 0.6


def _with_words(text: str, match: re.Match[str], function: str) -> Iterator[Way]:
    """`"12 kg"`, `"EUR 12"`, `"#12"`, `"12px"`."""
    before, number, after = match.groups()
    f = _function(number.replace(",", ""), function)
    comma = '.replace(",", "")' if "," in number else ""
    if any(map(str.isdigit, after)):
        return
    if not before and after[:1].isspace():
        yield (
            f"{f}({{x}}.split()[0]{comma})",
            f"{text!r} has a unit behind the number; this takes the first word.",
            0.75,
        )
    elif before[-1:].isspace() and not after:
        yield f"{f}({{x}}.split()[-1]{comma})", f"{text!r} has a word in front; this takes the last one.", 0.7
    elif not before and after:
        made = f"{f}({{x}}.removesuffix({_quoted(after)}){comma})"
        yield made, f"{text!r} ends with {after!r}; this takes it off.", 0.75
    elif before and not after:
        made = f"{f}({{x}}.removeprefix({_quoted(before)}){comma})"
        yield made, f"{text!r} begins with {before!r}; this takes it off.", 0.7


def _written(way: str, text: str) -> str:
    return way.replace("{x}", text)


def _quoted(text: str) -> str:
    return repr(text) if '"' in text or "\\" in repr(text) else f'"{text}"'


def _function(text: str, function: str) -> str:
    """`float` where `int` can't take it."""
    return function if function == "float" or parses(int, text) else "float"


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _literal(text: str) -> str | None:
    """The text in a message: with quotes since Python 3; pandas leaves them off."""
    try:
        value = literal_value(text)
    except (ValueError, SyntaxError):
        return None
    return value if type(value) is str else None


def number_of_other(failure: Failure) -> Iterator[Proposal]:
    """`int([1, 2])`, `float(("3",))`."""
    match = _ARGUMENT.fullmatch(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None or match[2] not in ("list", "tuple", "dict_values", "map", "set"):
        return
    for call in read.nodes(ast.Call):
        if _is(call.func, match[1]) and len(call.args) == 1 and read.type(call.args[0]) in ("", match[2]):
            given = call.args[0]
            text, name = short(read.text(given)), read.fresh()
            length = len(read.members(given)) if read.value(given) is not UNKNOWN else 0
            made = f"[{match[1]}({name}) for {name} in {read.text(given)}]"
            why = f"`{text}` is {a(match[2])}; this converts each of its members."
            yield from read.propose(read.replace(call, made), why, f"{match[1]} of each", 0.4 if length == 1 else 0.75)
            if match[2] in ("list", "tuple"):
                why = f"`{text}` is {a(match[2])}; this converts its first member."
                edits = read.replace(given, f"{read.atom(given)}[0]")
                yield from read.propose(edits, why, "first member", 0.7 if length == 1 else 0.25)
