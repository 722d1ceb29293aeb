"""Functions and methods that take text and were given something else, or bytes for text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading, short
from reflex_ipython.propose.rules.values.types import NUMBERS

_JOIN = re.compile(r"sequence item (\d+): expected (str|a bytes-like object).*?, ([\w.]+) found")
_PREFIX = re.compile(r"(?:startswith|endswith) first arg must be str or a tuple of str, not ([\w.]+)")
_ARGUMENT = re.compile(
    r"(\w+)\(\)? ?(?:argument (?:'\w+' |\d+ )?)?must be (?:a )?(?:str|string)(?: or None)?, not ([\w.]+)"
)
_MUST = re.compile(r"(?:must be str|expected str)(?: or None)?, not ([\w.]+)|string argument expected, got '([\w.]+)'")
_MEMBER = re.compile(r"'in <string>' requires string as left operand, not ([\w.]+)")
_PATTERN = re.compile(r"expected string or bytes-like object(?:, got '([\w.]+)')?")
_NO_TEXT = NUMBERS | {"NoneType", "list", "tuple", "dict", "set"}
_BYTES_LIKE = re.compile(
    r"a bytes-like object is required, not '(\w+)'"
    r"|(?:startswith|endswith) first arg must be bytes or a tuple of bytes, not (str)"
)
_ON_BYTES = re.compile(r"cannot use a (string|bytes) pattern on a (?:bytes|string)-like object")
_ONLY_JOIN = re.compile(r"can only join an iterable")


def joining(failure: Failure) -> Iterator[Proposal]:
    """`", ".join([1, 2])`."""
    match, only = _JOIN.match(failure.error.evalue), _ONLY_JOIN.match(failure.error.evalue)
    read = reading(failure) if match or only else None
    if read is None:
        return
    for call in read.nodes(ast.Call):
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "join" and len(call.args) == 1):
            continue
        given, text = call.args[0], short(read.text(call.args[0]))
        if only:
            yield from _in_place(read, given)
            if read.free("str") and read.type(given) in NUMBERS:
                why = f"`{text}` is one number; `str` gives its text."
                yield from read.propose(read.wrap(given, "str("), why, "text of a number", 0.7)
            continue
        assert match is not None
        if match[3] == "bytes":
            name = read.fresh()
            made = f"{name}.decode() for {name} in {read.text(given)}"
            why = f"`{text}` holds bytes; `decode` makes text of them."
            yield from read.propose(read.replace(given, made), why, "decoded bytes", 0.8)
            continue
        if match[3] == "NoneType":
            name = read.fresh()
            made = f"{name} for {name} in {read.text(given)} if {name} is not None"
            why = f"`{text}` has None among its members; this leaves them out."
            yield from read.propose(read.replace(given, made), why, "without None", 0.62)
        if not read.free("str", "map"):
            continue
        nested = match[3] in ("list", "tuple")
        why = f"`{text}` holds {a(match[3])} (member {match[1]}), and `join` takes texts; `str` makes text of each."
        prior = 0.3 if match[3] == "NoneType" else 0.4 if nested else 0.95
        if isinstance(given, (ast.GeneratorExp, ast.ListComp)):
            yield from read.propose(read.wrap(given.elt, "str("), why, "text of each", prior)
        else:
            yield from read.propose(read.replace(given, f"map(str, {read.text(given)})"), why, "text of each", prior)
        if nested:
            name = read.fresh()
            separator = read.text(call.func.value)
            made = f"{separator}.join(map(str, {name})) for {name} in {read.text(given)}"
            other = f'"\\n".join({made})' if '"\\n"' not in separator else None
            if other is not None and isinstance(read.parent(call), (ast.Call, ast.Assign, ast.Expr)):
                why = f"`{text}` holds {match[3]}s; each becomes a line of its own."
                yield from read.propose(read.replace(call, other), why, "a line for each", 0.35)
            made = f"{separator}.join({name}) for {name} in {read.text(given)}"
            why = f"`{text}` holds {match[3]}s; the members of each are joined."
            yield from read.propose(read.replace(call, f"[{made}]"), why, "each joined", 0.42)


def text_argument(failure: Failure) -> Iterator[Proposal]:
    """`text.replace(1, 2)`, `text.startswith(["a"])`, `5 in "a5"`, `f.write(5)`, `re.sub("a", "b", 5)`."""
    if failure.error.ename != "TypeError":
        return
    message = failure.error.evalue
    prefix, inside = _PREFIX.match(message), _MEMBER.match(message)
    pattern = _PATTERN.match(message)
    argument = _ARGUMENT.match(message) or _MUST.match(message)
    if not (prefix or inside or pattern or argument):
        return
    read = reading(failure)
    if read is None:
        return
    if inside:
        yield from _member(read, inside[1])
        return
    match = prefix or pattern or argument
    kind = (match[match.lastindex or 0] if match is not None and match.lastindex else "") or ""
    for call in read.nodes(ast.Call):
        wrong = _wrong(read, call, kind)
        if prefix and kind in ("list", "set") and len(wrong) == 1 and read.free("tuple"):
            why = f"`{short(read.text(wrong[0]))}` is {a(kind)}; several texts are given as a tuple."
            yield from read.propose(read.wrap(wrong[0], "tuple("), why, "tuple of texts", 0.95)
        elif wrong:
            yield from _as_text(read, call, wrong, kind or read.type(wrong[0]))


def _wrong(read: Reading, call: ast.Call, kind: str) -> list[ast.expr]:
    """The arguments of a type; of no text's, if the message does not name it, as `re`'s before Python 3.11."""
    if kind:
        known = [one for one in call.args if read.type(one) == kind]
    else:
        known = [one for one in call.args if read.type(one) in _NO_TEXT][:1]  # behind it are counts and flags
    unknown = [one for one in call.args if read.type(one) == ""]
    return known or (unknown if len(unknown) == 1 else [])


def _as_text(read: Reading, call: ast.Call, wrong: list[ast.expr], kind: str) -> Iterator[Proposal]:
    names = " and ".join(f"`{short(read.text(one))}`" for one in wrong)
    method = read.called(call)
    if kind == "bytes":
        edits = [edit for one in wrong for edit in read.replace(one, f"{read.atom(one)}.decode()")]
        why = f"{names} is bytes; `decode` makes text of them."
        yield from read.propose(edits, why, "decoded bytes", 0.35 if method == "write" else 0.8)
        return
    if kind in ("list", "tuple") and len(wrong) == 1:
        [given] = wrong
        if method in ("write",):
            found = read.members(given)
            texts = bool(found) and all(type(one) is str for one in found)
            joined = read.text(given) if texts else f"map(str, {read.text(given)})"
            why = f"{names} is {a(kind)}; this writes each member on a line of its own."
            yield from read.propose(read.replace(given, f'"\\n".join({joined})'), why, "a line for each", 0.5)
        else:
            name = read.fresh()
            start, end = read.cell.span(call)
            first, last = read.cell.span(given)
            source = read.cell.source
            made = f"[{source[start:first]}{name}{source[last:end]} for {name} in {read.text(given)}]"
            why = f"{names} is {a(kind)}; this takes each of its members."
            yield from read.propose(read.replace(call, made), why, "each member", 0.7)
    if kind == "dict" and method == "write":
        json = read.module("json")
        edits = read.replace(wrong[0], f"{json or 'json'}.dumps({read.text(wrong[0])})")
        why = f"{names} is a dict; `json.dumps` gives its JSON text."
        yield from read.propose(edits, why, "JSON text", 0.6, imports=() if json else ("import json",))
    if read.free("str") and kind != "NoneType":
        edits = [edit for one in wrong for edit in read.wrap(one, "str(")]
        why = f"{names} is {'a number' if kind in NUMBERS else a(kind) if kind else 'no text'}; `str` gives its text."
        prior = 0.88 if kind in NUMBERS else 0.35 if kind in ("list", "dict", "tuple") else 0.6
        yield from read.propose(edits, why, "text of a value", prior)


def _member(read: Reading, kind: str) -> Iterator[Proposal]:
    """`5 in "a5"`, `["a", "b"] in text`."""
    for node in read.nodes(ast.Compare):
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            continue
        text, name = short(read.text(node.left)), read.fresh()
        if kind in ("list", "tuple", "set"):
            right, word = read.text(node.comparators[0]), "not in" if isinstance(node.ops[0], ast.NotIn) else "in"
            for function, prior in (("any", 0.48), ("all", 0.45)):
                made = f"{function}({name} {word} {right} for {name} in {read.text(node.left)})"
                said = "one of its members is" if function == "any" else "all its members are"
                why = f"`{text}` is {a(kind)}; this asks whether {said} in the text."
                yield from read.propose(read.replace(node, made), why, f"{function} of the members", prior)
        elif kind == "bytes":
            edits = read.replace(node.left, f"{read.atom(node.left)}.decode()")
            yield from read.propose(edits, f"`{text}` is bytes; `decode` makes text of them.", "decoded bytes", 0.85)
        elif read.free("str"):
            what = "a number" if kind in NUMBERS else f"{a(kind)}"
            why = f"`{text}` is {what}, and the other side text; `str` gives its text."
            yield from read.propose(read.wrap(node.left, "str("), why, "text of a value", 0.85)


def bytes_and_text(failure: Failure) -> Iterator[Proposal]:
    """`data.split(",")` of bytes, `f.write("a")` to a file of bytes, a pattern of text on bytes."""
    message = failure.error.evalue
    like, on = _BYTES_LIKE.match(message), _ON_BYTES.match(message)
    if (
        not (like or on or "to be encoded" in message or "must be encoded before" in message)
        or failure.error.ename != "TypeError"
    ):
        return
    read = reading(failure)
    if read is None:
        return
    for node in read.nodes(ast.Compare) if like else ():
        right = node.comparators[0]
        if isinstance(node.ops[0], (ast.In, ast.NotIn)):
            why = f"`{short(read.text(right))}` is bytes; `decode` makes text of them."
            edits = read.replace(right, f"{read.atom(right)}.decode()")
            yield from read.propose(edits, why, "decoded bytes", 0.85)
    for call in read.nodes(ast.Call):
        if on:
            yield from _pattern(read, call, on[1])
            continue
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        texts = [one for one in call.args if read.type(one) == "str"]
        of_bytes = owner is not None and read.type(owner) == "bytes"
        writes = isinstance(call.func, ast.Attribute) and call.func.attr == "write"
        if like and owner is not None and of_bytes:
            why = f"`{short(read.text(owner))}` is bytes; `decode` makes text of them."
            edits = read.replace(owner, f"{read.atom(owner)}.decode()")
            yield from read.propose(edits, why, "decoded bytes", 0.8)
        if like and owner is not None and writes and opened(read, owner) is not None:
            yield from _mode(read, owner)
        if texts and (like is None or not of_bytes):
            names = " and ".join(f"`{short(read.text(one))}`" for one in texts)
            edits = [edit for one in texts for edit in read.replace(one, f"{read.atom(one)}.encode()")]
            why = f"{names} is text, and bytes are needed; `encode` makes bytes of it."
            yield from read.propose(edits, why, "encoded text", 0.35 if writes else 0.75)


def opened(read: Reading, owner: ast.expr) -> ast.Call | None:
    """The `open` that made a file."""
    if not isinstance(owner, ast.Name):
        return None
    for node in read.cell.every(ast.With):
        for item in node.items:
            target = item.optional_vars
            if isinstance(target, ast.Name) and target.id == owner.id and isinstance(item.context_expr, ast.Call):
                return item.context_expr
    made = read.assigned(owner.id)
    return made.value if made is not None and isinstance(made.value, ast.Call) else None


def _mode(read: Reading, owner: ast.expr) -> Iterator[Proposal]:
    """A file that was opened for bytes."""
    call = opened(read, owner)
    modes = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")] if call is not None else []
    for mode in modes:
        value = read.value(mode)
        if type(value) is str and "b" in value:
            why = f"The file is open for bytes (`{value}`); with `{value.replace('b', '')}` it takes text."
            edits = read.replace(mode, read.text(mode).replace("b", ""))
            yield from read.propose(edits, why, "file of text", 0.8)


def _pattern(read: Reading, call: ast.Call, pattern: str) -> Iterator[Proposal]:
    if pattern == "string":
        for one in call.args:
            if read.type(one) == "bytes" or (read.type(one) == "" and one is call.args[-1]):
                why = f"`{short(read.text(one))}` is bytes; `decode` makes text of them."
                edits = read.replace(one, f"{read.atom(one)}.decode()")
                yield from read.propose(edits, why, "decoded bytes", 0.85)
    else:
        for one in call.args:
            if isinstance(one, ast.Constant) and type(one.value) is bytes:
                start = read.cell.span(one)[0]
                at = read.cell.source.lower().index("b", start)
                why = "The pattern is bytes and what it is looked for in is text."
                edit = SpanEdit(at, at + 1, "")
                yield from read.propose([edit], why, "pattern of text", 0.85)


def _in_place(read: Reading, given: ast.expr) -> Iterator[Proposal]:
    """`"".join(letters.reverse())`: `reversed(letters)`; the method changes the list, and gives None."""
    function = {"reverse": "reversed", "sort": "sorted"}.get(read.called(given) if isinstance(given, ast.Call) else "")
    if function and isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and read.free(function):
        owner = read.text(given.func.value)
        why = f"`{read.called(given)}` changes `{short(owner)}` and gives nothing; `{function}` gives the result."
        rest = read.text(given).partition("(")[2][:-1]
        made = f"{function}({owner}{', ' if rest else ''}{rest})"
        yield from read.propose(read.replace(given, made), why, "result of a method in place", 0.93)


def wrong_file_mode(failure: Failure) -> Iterator[Proposal]:
    """`write() argument must be str, not bytes`, `not readable`, `not writable`."""
    message = failure.error.evalue
    known = message in ("not writable", "not readable") or message == "write() argument must be str, not bytes"
    known = known or message.startswith(_BYTES_FOR_CSV) or message == _TEXT_FOR_BYTES
    read = reading(failure) if known else None
    if read is None:
        return
    for call in read.nodes(ast.Call):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else call.args[-1] if call.args else None
        names = [node for node in ast.walk(call) if isinstance(node, ast.Name)]  # `list(csv.reader(f))`
        places = [owner, *names] if owner is not None else []
        if message == _TEXT_FOR_BYTES and read.called(call) in ("write", "writelines"):
            continue  # `bytes_and_text` knows it
        file = next((found for one in places if (found := opened(read, one)) is not None), None)
        if file is None or not file.args:
            continue
        modes = [*file.args[1:2], *(one.value for one in file.keywords if one.arg == "mode")]
        value = read.value(modes[0]) if modes else "r"
        if type(value) is not str:
            continue
        for wanted, prior in _modes(message, value):
            said = next((words for start, words in _SAID.items() if message.startswith(start)), _OTHERWISE)
            why = f"The file is open as `{value}`: {said}; `{wanted}` allows it."
            if modes:
                edits = read.replace(modes[0], f'"{wanted}"')
            else:
                end = read.cell.span(file.args[0])[1]
                edits = [SpanEdit(end, end, f', "{wanted}"')]
            yield from read.propose(edits, why, "mode of a file", prior)


_BYTES_FOR_CSV = "iterator should return strings, not bytes"
_TEXT_FOR_BYTES = "a bytes-like object is required, not 'str'"
_OTHERWISE = "for text, and was given bytes"
_SAID = {
    _TEXT_FOR_BYTES: "it takes bytes, and was given text",
    _BYTES_FOR_CSV: "it gives bytes",
    "not writable": "it can be read only",
    "not readable": "it can be written only",
}


def _modes(message: str, value: str) -> list[tuple[str, float]]:
    if message == "not writable":
        return [("w" + value.replace("r", ""), 0.48), ("a" + value.replace("r", ""), 0.45)]
    if message.startswith(_BYTES_FOR_CSV):
        return [(value.replace("b", ""), 0.95)]
    if message == _TEXT_FOR_BYTES:
        return [(value.replace("b", ""), 0.85)] if "b" in value else []
    if message == "not readable":
        return [("r" + value.replace("w", "").replace("a", ""), 0.7)]
    return [(value + "b", 0.85)]
