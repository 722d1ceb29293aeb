"""Methods and attributes that a plain value does not have, but its members, its text or another type have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.indices import listed, text_for_dict
from reflex_ipython.propose.rules.values.other_names import NEEDS_NUMPY, OTHER_NAMES
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short
from reflex_ipython.propose.rules.values.types import LAZY, NUMBERS, VIEWS

_NO_ATTRIBUTE = re.compile(r"'([\w.]+)' object has no attribute '(\w+)'")


def _public(*kinds: type) -> frozenset[str]:
    return frozenset(name for kind in kinds for name in dir(kind) if not name.startswith("_"))


_TEXT, _DICT, _LIST = _public(str), _public(dict), _public(list, tuple)
_ONCE = LAZY | VIEWS | {"range"}


def missing_method(failure: Failure) -> Iterator[Proposal]:
    """`names.lower()` of a list, `age.split()` of a number, `d.name` of a dict, `text.append(x)`."""
    match = _NO_ATTRIBUTE.match(failure.error.evalue)
    known = match is not None and (match[1] in OTHER_NAMES or match[1] in NUMBERS | _ONCE | {"bytes"})
    read = reading(failure) if known and failure.error.ename == "AttributeError" else None
    if read is None or match is None:
        return
    kind, name = match[1], match[2]
    for node in read.nodes(ast.Attribute):
        if node.attr == name and read.type(node.value) in ("", kind):
            written = list(_other_name(read, node, kind))
            yield from written
            if any(one.prior >= 0.75 for one in written):
                continue
            if kind in ("list", "tuple"):
                yield from _of_each(read, node, kind)
            elif kind == "dict":
                yield from _key(read, node)
            elif kind in ("str", "bytes"):
                yield from _of_text(read, node, kind)
            elif kind in NUMBERS:
                yield from _of_number(read, node, kind)
            elif kind in _ONCE and name in _LIST:
                yield from listed(read, node.value, kind)


def _call(read: Reading, node: ast.Attribute) -> ast.Call | None:
    """The call of a method."""
    above = read.parent(node)
    return above if isinstance(above, ast.Call) and above.func is node else None


def _other_name(read: Reading, node: ast.Attribute, kind: str) -> Iterator[Proposal]:
    """What the type calls it, or how it is written."""
    for template, prior in OTHER_NAMES.get(kind, {}).get(node.attr, ()):
        call = _call(read, node)
        plain = call is None or not (call.keywords or any(isinstance(one, ast.Starred) for one in call.args))
        if not plain or ("{a}" in template and (call is None or len(call.args) != 1)):
            continue
        if "{a}" not in template and call is not None and call.args:
            continue
        whole = call if call is not None else node
        statement = read.parent(whole)
        if " = " in template and not (isinstance(statement, ast.Expr) and isinstance(node.value, ast.Name)):
            continue
        argument = read.text(call.args[0]) if call is not None and call.args else ""
        if template.startswith("{a}") and call is not None:
            argument = read.atom(call.args[0])
        made = template.replace("{o}", read.atom(node.value)).replace("{a}", argument)
        imports: tuple[str, ...] = ()
        if "{np}" in template:
            numpy = read.module("numpy")
            made, imports = made.replace("{np}", numpy or "np"), () if numpy else ("import numpy as np",)
        operation = re.match(r"\{\w\} (?:in|\+|\|) |not ", template)
        if operation and isinstance(statement, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute, ast.BoolOp)):
            made = f"({made})"
        text = short(read.text(node.value))
        why = f"`{text}` is {a(kind)}, which has no `{node.attr}`; `{short(made)}` does that."
        if " = " in template and kind in ("tuple", "str"):
            why = f"`{text}` is {a(kind)} and can't be changed; this makes a new one."
        yield from read.propose(read.replace(whole, made), why, f"{node.attr} of {a(kind)}", prior, imports=imports)


def _of_each(read: Reading, node: ast.Attribute, kind: str) -> Iterator[Proposal]:
    """`names.lower()`: of each member, of the first one, or of an array."""
    call, text, found = _call(read, node), short(read.text(node.value)), read.members(node.value)
    whole = call if call is not None else node
    one = len(found) == 1 and read.value(node.value) is not UNKNOWN
    types = {type(member) for member in found}
    has = any(hasattr(each, node.attr) for each in types) if types else node.attr in _TEXT | _DICT
    if not types and not has:
        has = _objects(read, node.value)
    if has and not (kind == "list" and node.attr in _LIST):
        name = read.fresh()
        rest = read.cell.source[read.cell.span(node.value)[1] : read.cell.span(whole)[1]]
        prior = 0.35 if one else 0.7 if call is not None else 0.55
        made = f"[{name}{rest} for {name} in {read.text(node.value)}]"
        statement = read.parent(whole)
        loop = isinstance(statement, (ast.For, ast.comprehension))
        if not loop and not isinstance(statement, (ast.Attribute, ast.Subscript)):
            why = f"`{text}` is {a(kind)}; its members have `{node.attr}`."
            yield from read.propose(read.replace(whole, made), why, "each member", prior)
        if isinstance(node.value, (ast.Name, ast.Call, ast.Subscript, ast.Attribute)):
            why = f"`{text}` is {a(kind)}; its first member has `{node.attr}`."
            edits = read.replace(node.value, f"{read.atom(node.value)}[0]")
            yield from read.propose(edits, why, "first member", 0.8 if one else 0.3)
    if node.attr in NEEDS_NUMPY and (not types or types <= {int, float, list, tuple, bool}):
        numpy = read.module("numpy")
        why = f"`{text}` is {a(kind)}; an array of numpy has `{node.attr}`."
        edits = read.replace(node.value, f"{numpy or 'np'}.array({read.text(node.value)})")
        imports = () if numpy else ("import numpy as np",)
        yield from read.propose(edits, why, "array of a list", 0.8 if numpy else 0.6, imports=imports)


def _objects(read: Reading, node: ast.expr) -> bool:
    """Whether a list holds objects that are told by their class: `[<Dog name='Rex'>]`."""
    summary = read.summary(node)
    return summary is not None and ": [<" in summary.text


def _key(read: Reading, node: ast.Attribute) -> Iterator[Proposal]:
    """`person.name` of a dict with that key."""
    summary, lookup = read.summary(node.value), read.failure.lookup
    labels = summary.labels if summary is not None else ()
    value = read.first_items(node.value)
    keys = list(value) if isinstance(value, dict) else list(labels)
    if node.attr in keys and _call(read, node) is None:
        why = f"`{short(read.text(node.value))}` is a dict; its keys are asked for in square brackets."
        made, whole, held = f'{read.atom(node.value)}["{node.attr}"]', node, _item(value, node.attr)
        above = read.parent(whole)
        while isinstance(above, ast.Attribute) and isinstance(held, dict) and above.attr in held:
            made, whole, held = f'{made}["{above.attr}"]', above, held[above.attr]
            above = read.parent(whole)
        edits = [*read.replace(whole, made), *_other_keys(read, node, keys)]
        yield from read.propose(edits, why, "key of a dict", 0.95)
    elif not keys and _call(read, node) is None and lookup is not None:
        why = f"`{short(read.text(node.value))}` is a dict; its keys are asked for in square brackets."
        made = f'{read.atom(node.value)}["{node.attr}"]'
        yield from read.propose(read.replace(node, made), why, "key of a dict", 0.8)


def _other_keys(read: Reading, node: ast.Attribute, keys: list[str]) -> Iterator[SpanEdit]:
    """The same mistake with other keys of the same dict, in the rest of the cell."""
    owner = node.value
    if not isinstance(owner, ast.Name) or owner.id in read.cell.bound:
        return
    for other in read.cell.every(ast.Attribute):
        same = isinstance(other.value, ast.Name) and other.value.id == owner.id and isinstance(other.ctx, ast.Load)
        here = (other.lineno, other.col_offset) == (node.lineno, node.col_offset)
        key = other.attr in keys and not hasattr(dict, other.attr)
        if same and key and not here and read.sound(other) and _call(read, other) is None:
            yield from read.replace(other, f'{owner.id}["{other.attr}"]')


def _item(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _of_text(read: Reading, node: ast.Attribute, kind: str) -> Iterator[Proposal]:
    call, text = _call(read, node), short(read.text(node.value))
    if node.attr in ("decode", "encode") and call is not None:
        other = "text" if kind == "str" else "bytes"
        why = f"`{text}` is {other} already, so nothing is to be {node.attr}d."
        yield from read.propose(read.replace(call, read.text(node.value)), why, f"no {node.attr}", 0.92)
    elif kind == "bytes" and node.attr in _TEXT:
        why = f"`{text}` is bytes; `decode` makes text of them, which has `{node.attr}`."
        yield from read.propose(
            read.replace(node.value, f"{read.atom(node.value)}.decode()"), why, "decoded bytes", 0.85
        )
    elif kind == "str" and node.attr in _DICT:
        key = read.value(call.args[0]) if call is not None and call.args else UNKNOWN
        yield from text_for_dict(read, node.value, key)
    elif kind == "str" and node.attr in ("read", "readlines", "readline") and call is not None:
        why = f"`{text}` is the name of a file; `open` opens it."
        yield from read.propose(read.replace(node.value, f"open({read.text(node.value)})"), why, "opened file", 0.7)
    elif kind == "str" and node.attr in _PATH:
        known = read.module("pathlib.Path")
        why = f"`{text}` is text; a `Path` of it has `{node.attr}`."
        edits = read.replace(node.value, f"{known or 'Path'}({read.text(node.value)})")
        imports = () if known else ("from pathlib import Path",)
        yield from read.propose(edits, why, "path of a text", 0.85, imports=imports)


_PATH = frozenset(
    {"exists", "glob", "rglob", "iterdir", "mkdir", "stem", "suffix", "parent", "parents", "read_text", "write_text"}
    | {"is_file", "is_dir", "unlink", "with_suffix", "joinpath", "resolve", "name"}
)


def _of_number(read: Reading, node: ast.Attribute, kind: str) -> Iterator[Proposal]:
    """`zip_code.zfill(5)` of a number."""
    call, text = _call(read, node), short(read.text(node.value))
    if node.attr in _TEXT and read.free("str"):
        missing = kind == "float" and read.variables.get(text) is not None and read.variables[text].text == "nan"
        if missing:
            yield from _not_a_number(read, node, call)
        why = f"`{text}` is a number; `str` gives its text, which has `{node.attr}`."
        yield from read.propose(read.wrap(node.value, "str("), why, "text of a number", 0.42 if missing else 0.88)
    elif node.attr in ("append", "extend") and call is not None and isinstance(read.parent(call), ast.Expr):
        why = f"`{text}` is a number; `+=` adds to it."
        if call.args:
            made = f"{read.text(node.value)} += {read.text(call.args[0])}"
            yield from read.propose(read.replace(call, made), why, "sum", 0.3)
    elif node.attr in NEEDS_NUMPY and node.attr not in ("T", "shape") and call is not None and not call.args:
        why = f"`{text}` is one number already."
        yield from read.propose(read.replace(call, read.text(node.value)), why, "the number itself", 0.55)


def _not_a_number(read: Reading, node: ast.Attribute, call: ast.Call | None) -> Iterator[Proposal]:
    """A missing value among texts."""
    text, above = read.text(node.value), read.parent(call or node)
    if isinstance(above, (ast.ListComp, ast.GeneratorExp, ast.SetComp)) and len(above.generators) == 1:
        last = (above.generators[0].ifs or [above.generators[0].iter])[-1]
        end = read.cell.span(last)[1]
        word = "and" if above.generators[0].ifs else "if"
        edit = SpanEdit(end, end, f" {word} isinstance({text}, str)")
        why = f"`{text}` is NaN, a missing value, among texts; this leaves out what is no text."
        yield from read.propose([edit], why, "texts only", 0.48)
    made = f"{read.text(call or node)} if isinstance({text}, str) else {text}"
    why = f"`{text}` is NaN, a missing value, among texts; this leaves it as it is."
    yield from read.propose(read.replace(call or node, made), why, "texts only", 0.45)
