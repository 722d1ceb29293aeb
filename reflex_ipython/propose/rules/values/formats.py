"""Values that a format does not take: f-strings, `%`, `str.format`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.base.syntax_trees import expression
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.conversion import is_prose, parses
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short
from reflex_ipython.propose.rules.values.types import INTEGERS, NUMBERS

_CODE = re.compile(r"Unknown format code '(.)' for object of type '([\w.]+)'")
_UNSUPPORTED = re.compile(r"unsupported format string passed to ([\w.]+)\.__format__")
_NUMBER = re.compile(r"(?:%(.) format: a (?:real )?number is required|must be real number), not ([\w.]+)")
_INTEGER = re.compile(r"%([xXo]) format: an integer is required, not ([\w.]+)")
_PLACE = re.compile(r"%(?:\((\w+)\))?[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[diouxXeEfFgGcrsa%]")
_FIELD = re.compile(r"\{([^{}:!]*)((?:![rsa])?(?::[^{}]*)?)\}")


def format_code(failure: Failure) -> Iterator[Proposal]:
    """`f"{price:.2f}"` of a text, `f"{items:>10}"` of a list."""
    code, other = _CODE.match(failure.error.evalue), _UNSUPPORTED.match(failure.error.evalue)
    comma = failure.error.evalue == "Cannot specify ',' with 's'."
    read = reading(failure) if code or other or comma else None
    if read is None:
        return
    kind = code[2] if code else other[1] if other else ""
    letter = code[1] if code else ""
    if comma:
        kind, letter = "str", ""
    for node in read.here:
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            if read.type(node.value) in ("", kind) and _ends_with(node.format_spec, letter):
                yield from _field_of_f_string(read, node, letter, kind)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "format" and len(node.args) == 2:
            if read.type(node.args[0]) in ("", kind):
                yield from _given(read, node.args[0], letter, kind)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            for given in [*node.args, *(one.value for one in node.keywords)]:
                if read.type(given) == kind:
                    yield from _given(read, given, letter, kind)


def _ends_with(spec: ast.expr, letter: str) -> bool:
    last = spec.values[-1] if isinstance(spec, ast.JoinedStr) and spec.values else None
    if not letter or not isinstance(last, ast.Constant):
        return True
    return str(last.value).endswith(letter)


def _field_of_f_string(read: Reading, node: ast.FormattedValue, letter: str, kind: str) -> Iterator[Proposal]:
    """The field is found by its text: inside of f-strings Python before 3.12 knows no places."""
    whole = next((one for one in read.above(node) if isinstance(one, ast.JoinedStr)), None)
    if whole is None:
        return
    start, end = read.cell.span(whole)
    written = ast.unparse(node.value)
    for match in _FIELD.finditer(read.cell.source, start, end):
        inner = match[1]
        try:
            same = ast.unparse(expression(inner.strip())) == written
        except SyntaxError:
            continue
        if same and match[2].startswith(":"):
            yield from _field(read, node.value, match, letter, kind)
            return


def _field(read: Reading, value: ast.expr, match: re.Match[str], letter: str, kind: str) -> Iterator[Proposal]:
    inner, spec, text = match[1], match[2][1:], short(match[1])
    start, end = match.span()

    def put(made: str) -> list[SpanEdit]:
        return [SpanEdit(start, end, f"{{{made}}}")]

    known = read.value(value)
    if kind == "str" and (letter or "d") in "fFeEgGdn%":
        if not is_prose(known) and read.free("float", "int"):
            function = "int" if (letter or "d") in "dn" and (known is UNKNOWN or parses(int, known)) else "float"
            said = f" ({known!r})" if known is not UNKNOWN else ""
            why = f"`{text}` is text{said}; `{function}` turns it into a number."
            yield from read.propose(put(f"{function}({inner.strip()}):{spec}"), why, f"{function} of a text", 0.88)
        prior = 0.8 if is_prose(known) else 0.15
        width = re.sub(r"(?:\.\d+)?[a-zA-Z%]$", "", spec).replace(",", "")
        why = f"`{text}` is text, and `{letter or ','}` is a format of numbers."
        yield from read.propose(put(f"{inner}:{width}" if width else inner), why, "format of a text", prior)
    elif letter == "d" and kind in ("float", "numpy.float64"):
        why = f"`{text}` is a float, and `d` is a format of whole numbers; `.0f` rounds it to one."
        yield from read.propose(put(f"{inner}:{spec[:-1]}.0f"), why, "format of a float", 0.6)
        if read.free("int"):
            why = f"`{text}` is a float, and `d` is a format of whole numbers; `int` cuts it off."
            yield from read.propose(put(f"int({inner.strip()}):{spec}"), why, "whole number", 0.42)
    elif letter in "xXobc" and kind in ("float", "str", "numpy.float64") and read.free("int"):
        why = f"`{text}` is {a(kind)}, and `{letter}` is a format of whole numbers."
        yield from read.propose(put(f"int({inner.strip()}):{spec}"), why, "whole number", 0.85)
    elif letter == "s" and kind in NUMBERS | {"bool"}:
        why = f"`{text}` is a number, and `s` is a format of text."
        yield from read.propose(put(f"{inner}:{spec[:-1]}" if spec[:-1] else inner), why, "format of a number", 0.85)
    elif not letter or letter == "f":
        yield from _no_format(read, value, inner, spec, kind, put)


def _no_format(read: Reading, value: ast.expr, inner: str, spec: str, kind: str, put: object) -> Iterator[Proposal]:
    """A list or None, which knows no formats."""
    assert callable(put)
    text = short(inner)
    number = spec[-1:] in "fFeEgGdn%" and spec[-1:] != ""
    if number and kind in ("list", "tuple", "set"):
        name = read.fresh()
        quote = "'" if '"' in read.cell.line(read.line) else '"'
        made = f"[f{quote}{{{name}:{spec}}}{quote} for {name} in {inner.strip()}]"
        why = f"`{text}` is {a(kind)}; `{spec}` is a format of numbers, and its members are some."
        yield from read.propose(put(made), why, "format of each", 0.55)
        members = read.members(value)
        one = len(members) == 1
        why = f"`{text}` is {a(kind)}; its first member is a number."
        yield from read.propose(put(f"{inner.strip()}[0]:{spec}"), why, "first member", 0.6 if one else 0.3)
    if number and kind.startswith("numpy."):
        why = f"`{text}` is an array; `item` gives its only member."
        yield from read.propose(put(f"{inner.strip()}.item():{spec}"), why, "the only member", 0.6)
    if not number:
        why = f"`{text}` is {a(kind.rpartition('.')[2])}, which knows no formats; `!s` makes text of it first."
        yield from read.propose(put(f"{inner}!s:{spec}"), why, "text first", 0.85)
    else:
        why = f"`{text}` is {a(kind.rpartition('.')[2])}, which knows no formats."
        yield from read.propose(put(inner), why, "without a format", 0.3 if kind != "NoneType" else 0.4)


def _given(read: Reading, given: ast.expr, letter: str, kind: str) -> Iterator[Proposal]:
    """An argument of `format`."""
    value, text = read.value(given), short(read.text(given))
    if kind == "str" and not is_prose(value) and letter in "fFeEgGdn%":
        function = "int" if letter in "dn" else "float"
        why = f"`{text}` is text; `{function}` turns it into a number."
        yield from read.propose(read.wrap(given, f"{function}("), why, f"{function} of a text", 0.85)
    elif letter in "dxXobc" and kind in ("float", "numpy.float64"):
        why = f"`{text}` is a float, and `{letter}` is a format of whole numbers."
        yield from read.propose(read.wrap(given, "int("), why, "whole number", 0.7)
    elif letter == "s" or not letter:
        why = f"`{text}` is {a(kind)}; `str` gives its text."
        yield from read.propose(read.wrap(given, "str("), why, "text of a value", 0.8)


def percent(failure: Failure) -> Iterator[Proposal]:
    """`"%d %s" % a, b`, `"%d" % "5"`, `"5" % 2`."""
    message = failure.error.evalue
    few = message == "not enough arguments for format string"
    many = message == "not all arguments converted during string formatting"
    number = _NUMBER.match(message) or _INTEGER.match(message)
    named = message == "format requires a mapping"
    if not (few or many or number or named) or failure.error.ename != "TypeError":
        return
    read = reading(failure)
    for node in read.nodes(ast.BinOp) if read is not None else ():
        if read is None or not isinstance(node.op, ast.Mod) or read.type(node.left) not in ("", "str"):
            continue
        if named:
            yield from _by_names(read, node)
        elif few:
            yield from _too_few(read, node)
        elif many:
            yield from _too_many(read, node)
        elif number:
            yield from _no_number(read, node, number[2])


def _places(read: Reading, node: ast.BinOp) -> list[str]:
    text = read.value(node.left)
    return [one[0] for one in _PLACE.finditer(text) if one[0] != "%%"] if type(text) is str else []


def _by_names(read: Reading, node: ast.BinOp) -> Iterator[Proposal]:
    """`"%(name)s is %(age)d" % (name, age)`: a dict of them."""
    text = read.value(node.left)
    names = list(dict.fromkeys(re.findall(r"%\((\w+)\)", text))) if type(text) is str else []
    values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    if names and len(names) == len(values):
        made = ", ".join(f'"{name}": {read.text(value)}' for name, value in zip(names, values))
        why = "Places with names take their values from a dict."
        yield from read.propose(read.replace(node.right, f"{{{made}}}"), why, "values by name", 0.93)


def _too_few(read: Reading, node: ast.BinOp) -> Iterator[Proposal]:
    """`print("%s %s" % a, b)`: brackets around what follows; a single `%` that is meant."""
    places, above = _places(read, node), read.parent(node)
    rest = above.args if isinstance(above, ast.Call) else above.elts if isinstance(above, ast.Tuple) else []
    after = rest[rest.index(node) + 1 :] if node in rest else []
    wanted = len(places) - 1
    if places and len(after) >= wanted > 0:
        start, end = read.cell.span(node.right)[0], read.cell.span(after[wanted - 1])[1]
        edits = [SpanEdit(start, start, "("), SpanEdit(end, end, ")")]
        why = f"The text has {len(places)} places; `%` takes one value, or several in round brackets."
        yield from read.propose(edits, why, "values in brackets", 0.95)
        return
    if isinstance(node.right, ast.Name) and read.type(node.right) == "list" and read.free("tuple"):
        why = f"`{read.text(node.right)}` is a list, which is one value for `%`; a tuple gives its members."
        yield from read.propose(read.wrap(node.right, "tuple("), why, "tuple of a list", 0.93)
    stray = re.search(r"\d%(?=[^\w(%]|$)|% (?=[a-z])", read.text(node.left))
    if stray is not None:
        start = read.cell.span(node.left)[0] + stray.start() + stray[0].index("%")
        why = "A percent sign in such a text is written `%%`."
        yield from read.propose([SpanEdit(start, start + 1, "%%")], why, "percent sign", 0.85)


def _too_many(read: Reading, node: ast.BinOp) -> Iterator[Proposal]:
    """`"5" % 2`: a number is meant; `"Name:" % name`: a place is missing."""
    text, places = read.value(node.left), _places(read, node)
    shown = short(read.text(node.left))
    if (
        places
        and read.type(node.right) in ("tuple", "list")
        and not isinstance(node.right, ast.Tuple)
        and len(places) == 1
    ):
        why = f"`{short(read.text(node.right))}` is a tuple; in brackets with a comma it is one value."
        yield from read.propose(read.replace(node.right, f"({read.text(node.right)},)"), why, "one value", 0.8)
    fields = _FIELD.findall(text) if type(text) is str else []
    if fields and not places and isinstance(node.left, ast.Constant):
        given = read.text(node.right)
        inner = given[1:-1] if isinstance(node.right, ast.Tuple) and given.startswith("(") else given
        why = f"{shown} has places of `format`, not of `%`."
        yield from read.propose(read.replace(node, f"{read.text(node.left)}.format({inner})"), why, "format", 0.93)
        return
    if not places and not is_prose(text) and not isinstance(node.right, ast.Tuple) and read.free("int"):
        functions = ("int", "float") if text is UNKNOWN or parses(int, text) else ("float",)
        for function in functions:
            said = f" ({text!r})" if type(text) is str and not isinstance(node.left, ast.Constant) else ""
            why = f"`{shown}` is text{said}, and `%` fills in values; `{function}` turns it into a number."
            prior = 0.85 if function == functions[0] else 0.15
            yield from read.propose(read.wrap(node.left, f"{function}("), why, f"{function} of a text", prior)
    elif isinstance(node.left, ast.Constant) and type(text) is str:
        count = len(node.right.elts) if isinstance(node.right, ast.Tuple) else 1
        missing = count - len(places)
        if 0 < missing <= 3:
            end = read.cell.span(node.left)[1]
            quote = read.text(node.left)[-1]
            more = " ".join(["%s"] * missing)
            gap = "" if text.endswith(" ") or not text else " "
            triple = read.text(node.left).endswith(quote * 3)
            at = end - (3 if triple else 1)
            has, values = f"{len(places)} place{'s' * (len(places) != 1)}", f"{count} value{'s' * (count != 1)}"
            why = f"The text has {has} for {values}; `%s` is one more."
            yield from read.propose([SpanEdit(at, at, f"{gap}{more}")], why, "place for a value", 0.7)


def _no_number(read: Reading, node: ast.BinOp, kind: str) -> Iterator[Proposal]:
    """`"%d" % "5"`."""
    places = _places(read, node)
    given = list(node.right.elts) if isinstance(node.right, ast.Tuple) else [node.right]
    if len(places) != len(given):
        return
    text = read.text(node.left)
    for place, value in zip(places, given):
        if read.type(value) not in ("", kind) or place[-1] in "rsa":
            continue
        known, shown = read.value(value), short(read.text(value))
        if kind == "str" and not is_prose(known):
            function = "int" if place[-1] in "dioxXu" and (known is UNKNOWN or parses(int, known)) else "float"
            why = f"`{shown}` is text, and `{place}` takes a number; `{function}` turns it into one."
            yield from read.propose(read.wrap(value, f"{function}("), why, f"{function} of a text", 0.8)
        elif kind in ("float", "numpy.float64") and read.free("int"):
            why = f"`{shown}` is a float, and `{place}` takes a whole number."
            yield from read.propose(read.wrap(value, "int("), why, "whole number", 0.8)
        if isinstance(node.left, ast.Constant) and text.count(place) == 1 and kind not in INTEGERS:
            start = read.cell.span(node.left)[0] + text.index(place)
            width = re.sub(r"(?:\.\d+)?[a-zA-Z]$", "", place).replace("0", "") + "s"
            why = f"`{shown}` is {a(kind)}, and `{place}` takes a number; `%s` takes anything."
            prior = 0.85 if is_prose(known) or kind != "str" else 0.3
            yield from read.propose([SpanEdit(start, start + len(place), width)], why, "place for anything", prior)


def str_format(failure: Failure) -> Iterator[Proposal]:
    """`"{} {}".format(pair)`, `"{name}".format(n)`."""
    message = failure.error.evalue
    few = failure.error.ename == "IndexError" and message.startswith("Replacement index")
    named = failure.error.ename == "KeyError"
    read = reading(failure) if few or named else None
    if read is None:
        return
    for call in read.nodes(ast.Call):
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "format"):
            continue
        text = read.value(call.func.value)
        fields = [one[0] for one in _FIELD.findall(text)] if type(text) is str else []
        end = read.cell.span(call)[1] - 1
        comma = ", " if call.args or call.keywords else ""
        if few and len(call.args) == 1 and read.type(call.args[0]) in ("list", "tuple", ""):
            given = call.args[0]
            if not isinstance(given, ast.Starred) and read.type(given):
                why = f"`{short(read.text(given))}` is one value for `format`; `*` gives its members."
                yield from read.propose(read.replace(given, f"*{read.text(given)}"), why, "members as arguments", 0.93)
        if few and len(fields) == len(call.args) and [one for one in fields if one.isdigit()]:
            numbers = sorted({int(one) for one in fields if one.isdigit()})
            if numbers and numbers[0] == 1 and isinstance(call.func.value, ast.Constant):
                start, stop = read.cell.span(call.func.value)
                shifted = re.sub(r"\{(\d+)", lambda one: f"{{{int(one[1]) - 1}", read.cell.source[start:stop])
                why = "`format` numbers its values from 0."
                yield from read.propose([SpanEdit(start, stop, shifted)], why, "numbered from 0", 0.93)
        if few and isinstance(call.func.value, ast.Constant) and all(not one for one in fields):
            extra = len(fields) - len(call.args)
            if extra == 1 and len(call.args) >= 1 and read.cell.source[end - 1] != "*":
                yield from _one_place_less(read, call)
        if named:
            wanted = message.strip("'")
            if wanted in fields and wanted.isidentifier():
                known = wanted in read.failure.situation.names or wanted in read.cell.bound
                if isinstance(call.args[0] if call.args else None, ast.Name) and read.type(call.args[0]) == "dict":
                    why = f"`{read.text(call.args[0])}` is a dict; `**` gives its values by their keys."
                    edits = read.replace(call.args[0], f"**{read.text(call.args[0])}")
                    yield from read.propose(edits, why, "values by key", 0.93)
                elif known:
                    why = f"The text has a place named `{wanted}`, which `format` must be given by that name."
                    edits = [SpanEdit(end, end, f"{comma}{wanted}={wanted}")]
                    yield from read.propose(edits, why, "value by name", 0.9)
                elif len(call.args) == len(fields) == 1:
                    why = f"The text has a place named `{wanted}`, which `format` must be given by that name."
                    edits = read.replace(call.args[0], f"{wanted}={read.text(call.args[0])}")
                    yield from read.propose(edits, why, "value by name", 0.93)


def _one_place_less(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """More places than values: the last place is too much."""
    assert isinstance(call.func, ast.Attribute)
    start, end = read.cell.span(call.func.value)
    text = read.cell.source[start:end]
    at = text.rfind("{}")
    if at > 0:
        gap = 1 if text[at - 1] == " " else 0
        why = "The text has more places than there are values; this leaves out the last one."
        yield from read.propose([SpanEdit(start + at - gap, start + at + 2, "")], why, "one place less", 0.4)
