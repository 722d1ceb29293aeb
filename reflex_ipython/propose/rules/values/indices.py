"""What stands in square brackets, and what can't have them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short
from reflex_ipython.propose.rules.values.types import INTEGERS, LAZY, NUMBERS, VIEWS
from reflex_ipython.propose.rules.values.whole_numbers import whole

_WRONG_INDEX = re.compile(
    r"(list|tuple|string|range object) indices must be integers(?: or slices)?(?:, not '?([\w.]+)'?)?"
)
_NO_INDEX = re.compile(r"'([\w.]+)' object is not subscriptable")
_ONCE = LAZY | VIEWS | {"set", "frozenset", "odict_keys", "odict_values", "odict_items"}


def wrong_index(failure: Failure) -> Iterator[Proposal]:
    """`rows["name"]` of a list of dicts, `items[1, 2]`, `items["0"]`, `items[2.0]`."""
    match = _WRONG_INDEX.match(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    owner = match[1].replace("string", "str").removesuffix(" object")
    for node in read.nodes(ast.Subscript):
        if read.type(node.value) not in ("", owner) or isinstance(node.slice, ast.Slice):
            continue
        kind = match[2] or read.type(node.slice)  # before Python 3.11 the message of a text does not name it
        if kind == "str":
            yield from _text_index(read, node, owner)
        elif kind == "tuple" and isinstance(node.slice, ast.Name):
            yield from _pair_as_index(read, node.slice)
        elif kind == "tuple" and isinstance(node.slice, ast.Tuple):
            yield from _several_indices(read, node, owner)
        elif kind == "list":
            yield from _list_of_indices(read, node)
        elif kind in ("float", "numpy.float64", "numpy.float32"):
            yield from whole(read, node.slice)


def _text_index(read: Reading, node: ast.Subscript, owner: str) -> Iterator[Proposal]:
    key, text, quoted = read.value(node.slice), short(read.text(node.value)), read.text(node.slice)
    found = read.members(node.value)
    if type(key) is str and key.lstrip("-").isdigit() and owner != "str" and read.free("int"):
        why = f"`{short(quoted)}` is text ({key!r}), and a list is asked by number."
        yield from read.propose(read.wrap(node.slice, "int("), why, "int of a text", 0.85)
    yield from element_as_index(read, node)
    if owner == "list" and loop_over(read.above(node), read.text(node.value), read.text):
        yield from _of_the_loop(read, node, found, key)
    elif owner == "list":
        yield from _list_of_dicts(read, node, found, key, text)
    elif owner == "tuple":
        yield from _tuple_of_a_loop(read, node, key)
    elif owner == "str":
        yield from text_for_dict(read, node.value, key)


def _of_the_loop(read: Reading, node: ast.Subscript, found: list[object], key: object) -> Iterator[Proposal]:
    """`for user in users: users["name"]`: `user["name"]`."""
    target = loop_over(read.above(node), read.text(node.value), read.text)
    has = not found or all(isinstance(one, dict) and key in one for one in found)
    if target and has and isinstance(node.ctx, ast.Load):
        why = f"The loop gives the members of `{short(read.text(node.value))}`, one after the other, as `{target}`."
        yield from read.propose(read.replace(node.value, target), why, "member of a loop", 0.97)


def loop_over(around: Iterable[ast.AST], looped: str, text: Callable[[ast.expr], str]) -> str:
    """The variable of the loop around an expression that goes over what has this text; empty if there is none."""
    for node in around:
        loops = node.generators if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)) else [node]
        for loop in loops:
            if not isinstance(loop, (ast.For, ast.comprehension)) or not isinstance(loop.target, ast.Name):
                continue
            if text(loop.iter) == looped:
                return loop.target.id
    return ""


def _list_of_dicts(
    read: Reading, node: ast.Subscript, found: list[object], key: object, text: str
) -> Iterator[Proposal]:
    rows = [member for member in found if isinstance(member, dict)]
    if found and not any(key in row for row in rows):
        return
    has = f"`{text}` is a list of dicts"
    if not found:
        has = f"`{text}` is a list"
    one = read.value(node.value) is not UNKNOWN and len(found) == 1
    owner = read.atom(node.value)
    first = read.replace(node.value, f"{owner}[0]")
    what = "its only member" if one else "its first member"
    yield from read.propose(first, f"{has}; this asks {what} for {key!r}.", "first member", 0.85 if one else 0.45)
    if isinstance(node.ctx, ast.Load) and not isinstance(read.parent(node), ast.Subscript):
        name = read.fresh()
        made = f"[{name}[{read.text(node.slice)}] for {name} in {read.text(node.value)}]"
        why = f"{has}; this asks each of them for {key!r}."
        yield from read.propose(read.replace(node, made), why, "each member", 0.3 if one else 0.48)


def element_as_index(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    """`for name in names: names[name]`: the loop gives the member itself."""
    if not isinstance(node.slice, ast.Name):
        return
    loop = read.loop_of(node.slice.id)
    if loop is None or read.text(loop.iter) != read.text(node.value) or not isinstance(loop.target, ast.Name):
        return
    name, text = node.slice.id, read.text(node.value)
    if isinstance(node.ctx, ast.Load):
        why = f"The loop gives the members of `{short(text)}` themselves, not their numbers."
        yield from read.propose(read.replace(node, name), why, "member of a loop", 0.75)
    if read.free("range", "len"):
        why = f"`range(len({short(text)}))` gives the numbers that `{short(text)}` is asked by."
        edits = read.replace(loop.iter, f"range(len({text}))")
        yield from read.propose(edits, why, "numbers of the members", 0.3 if isinstance(node.ctx, ast.Load) else 0.8)


def _pair_as_index(read: Reading, index: ast.Name) -> Iterator[Proposal]:
    """`for i in enumerate(items): items[i]`."""
    loop = read.loop_of(index.id)
    call = loop.iter if loop is not None else None
    pairs = isinstance(call, ast.Call) and read.called(call) == "enumerate"
    if loop is not None and isinstance(loop.target, ast.Name) and pairs:
        why = f"`enumerate` gives pairs: the number and the member; `{index.id}` is to be the number."
        yield from read.propose(read.replace(loop.target, f"{index.id}, _"), why, "pairs of a loop", 0.85)


def _tuple_of_a_loop(read: Reading, node: ast.Subscript, key: object) -> Iterator[Proposal]:
    """`for row in df.iterrows(): row["a"]`, and of `enumerate` and `items`."""
    labels = (
        read.variables[node.value.id].labels if isinstance(node.value, ast.Name) and read.summary(node.value) else ()
    )
    if type(key) is str and key in labels and key.isidentifier():
        why = f"`{short(read.text(node.value))}` is a named tuple: its fields are asked for with a dot."
        yield from read.propose(read.replace(node, f"{read.atom(node.value)}.{key}"), why, "field of a tuple", 0.95)
    if not isinstance(node.value, ast.Name):
        return
    name = node.value.id
    loop = read.loop_of(name)
    call = loop.iter if loop is not None else None
    if loop is None or not isinstance(loop.target, ast.Name) or not isinstance(call, ast.Call):
        return
    function = read.called(call)
    other = {"iterrows": "_", "items": "key", "iteritems": "key", "enumerate": "i", "itergroups": "_"}.get(function)
    if other is None and function == "itertuples" and type(key) is str and key.isidentifier():
        why = f"`itertuples` gives named tuples: `{name}.{key}`."
        yield from read.propose(read.replace(node, f"{name}.{key}"), why, "field of a tuple", 0.9)
    if other is not None and read.free(other):
        gives = {"_": "the index and the row", "key": "the key and the value", "i": "the number and the member"}[other]
        why = f"`{function}` gives pairs: {gives}."
        yield from read.propose(read.replace(loop.target, f"{other}, {name}"), why, "pairs of a loop", 0.9)


def text_for_dict(read: Reading, node: ast.expr, key: object) -> Iterator[Proposal]:
    """A text was asked as if it were a dict: a key of the loop's dict, a JSON text."""
    value, text = read.value(node), short(read.text(node))
    if (type(value) is str and value.lstrip()[:1] in ("{", "[")) or (value is UNKNOWN and _looks_like_json(read, node)):
        json = read.module("json")
        why = f"`{text}` is JSON text; `json.loads` makes a dict of it."
        edits = read.replace(node, f"{json or 'json'}.loads({read.text(node)})")
        yield from read.propose(edits, why, "JSON text", 0.85, imports=() if json else ("import json",))
    if not isinstance(node, ast.Name):
        return
    loop = read.loop_of(node.id)
    if loop is None or not isinstance(loop.target, ast.Name):
        return
    iterated, owner = short(read.text(loop.iter)), read.type(loop.iter)
    if owner not in ("", "dict"):
        return
    held = read.first_items(loop.iter)
    held = held if isinstance(held, dict) else {}
    values = [one for one in held.values() if isinstance(one, dict)]
    if not held or any(key in one for one in values) or (values and key is UNKNOWN):
        why = f"`{iterated}` is a dict, so the loop gives its keys; `values()` gives its values."
        edits = read.replace(loop.iter, f"{read.atom(loop.iter)}.values()")
        yield from read.propose(edits, why, "values of a dict", 0.75 if held else 0.5)
    for name, one in held.items():
        rows = [row for row in one if isinstance(row, dict)] if isinstance(one, list) else []
        if rows and (key is UNKNOWN or any(key in row for row in rows)):
            why = f"`{iterated}` is a dict, so the loop gives its keys; the list of dicts is in its {name!r}."
            edits = read.replace(loop.iter, f"{read.atom(loop.iter)}[{name!r}]")
            yield from read.propose(edits, why, "list in a dict", 0.75)
    if not values and key in held:
        why = f"`{iterated}` is a dict itself: the loop gives its keys."
        yield from read.propose(read.replace(node, read.atom(loop.iter)), why, "the dict itself", 0.55)


def _looks_like_json(read: Reading, node: ast.expr) -> bool:
    summary = read.summary(node)
    return summary is not None and re.match(r"['\"]\s*[{\[]\s*[\"{\[]", summary.text) is not None


def _several_indices(read: Reading, node: ast.Subscript, owner: str) -> Iterator[Proposal]:
    """`grid[1, 2]` of a list of lists."""
    assert isinstance(node.slice, ast.Tuple)
    parts, text = [read.text(part) for part in node.slice.elts], short(read.text(node.value))
    sliced = any(isinstance(part, ast.Slice) for part in node.slice.elts[:-1])
    if not sliced:
        made = read.atom(node.value) + "".join(f"[{part}]" for part in parts)
        why = f"`{text}` is {a(owner)} of lists: each level has its own brackets."
        yield from read.propose(read.replace(node, made), why, "brackets of each level", 0.8)
    elif len(parts) == 2 and isinstance(node.ctx, ast.Load):
        name = read.fresh()
        rows = read.text(node.value) if parts[0] == ":" else f"{read.atom(node.value)}[{parts[0]}]"
        made = f"[{name}[{parts[1]}] for {name} in {rows}]"
        why = f"`{text}` is {a(owner)} of lists; this takes a column of it."
        yield from read.propose(
            read.replace(node, made), why, "column of a list", 0.55 if read.module("numpy") is None else 0.4
        )
    numpy = read.module("numpy")
    if isinstance(node.ctx, ast.Load):
        why = f"`{text}` is {a(owner)}; an array of numpy takes several indices at once."
        imports = () if numpy else ("import numpy as np",)
        edits = read.replace(node.value, f"{numpy or 'np'}.array({read.text(node.value)})")
        prior = (0.55 if numpy else 0.4) if sliced else 0.2
        yield from read.propose(edits, why, "array of a list", prior, imports=imports)


def _list_of_indices(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    text, name = short(read.text(node.value)), read.fresh()
    if not isinstance(node.ctx, ast.Load):
        return
    flags = read.members(node.slice)
    if flags and all(type(flag) is bool for flag in flags):
        made = f"[{name} for {name}, keep in zip({read.text(node.value)}, {read.text(node.slice)}) if keep]"
        why = f"`{text}` is a list; this keeps the members that have True."
    else:
        made = f"[{read.atom(node.value)}[{name}] for {name} in {read.text(node.slice)}]"
        why = f"`{text}` is a list, which takes one index at a time."
    yield from read.propose(read.replace(node, made), why, "several members", 0.75)
    if isinstance(node.slice, ast.List) and len(node.slice.elts) == 1:
        why = f"`{text}` is a list; its index is a number, not a list."
        edits = read.replace(node.slice, read.text(node.slice.elts[0]))
        yield from read.propose(edits, why, "one index", 0.5)


_BUILT_IN = frozenset({"NoneType", "function", "method", "builtin_function_or_method", "type", "module", "property"})


def not_subscriptable(failure: Failure) -> Iterator[Proposal]:
    """`d.keys()[0]`, `map(f, x)[0]`, `{1, 2}[0]`, `5[0]`."""
    match = _NO_INDEX.fullmatch(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    kind = match[1]
    if read.exact is not None and not isinstance(read.exact, ast.Subscript):
        yield from _in_library(read, kind)
        return
    for node in read.nodes(ast.Subscript):
        if read.type(node.value) not in ("", kind):
            continue
        if kind in _ONCE:
            yield from listed(read, node.value, kind)
            if kind in ("set", "frozenset") and read.free("sorted") and isinstance(node.ctx, ast.Load):
                text = short(read.text(node.value))
                why = f"`{text}` is {a(kind)}, which has no order; `sorted` gives its members in order."
                yield from read.propose(read.wrap(node.value, "sorted("), why, "members in order", 0.4)
        elif kind in NUMBERS:
            yield from _index_of_a_number(read, node, kind)
        elif type(key := read.value(node.slice)) is str and key.isidentifier() and kind not in _BUILT_IN:
            text = short(read.text(node.value))
            why = f"`{text}` is {a(f'`{kind}`')}, whose attributes are asked for with a dot."
            yield from read.propose(read.replace(node, f"{read.atom(node.value)}.{key}"), why, "attribute", 0.85)


def listed(read: Reading, node: ast.expr, kind: str) -> Iterator[Proposal]:
    """A value that has no places or no length, as a list: where it was made, if it gives its items once only."""
    if not read.free("list"):
        return
    text = short(read.text(node))
    why = f"`{text}` is {a(kind)}, which has no places and no length; `list` makes a list of it."
    made = read.assigned(node.id) if isinstance(node, ast.Name) else None
    if made is not None and kind in LAZY | VIEWS | {"range"} and isinstance(made.value, (ast.Call, ast.GeneratorExp)):
        if isinstance(made.value, ast.GeneratorExp):
            start, end = read.cell.span(made.value)
            edits = [SpanEdit(start, start + 1, "["), SpanEdit(end - 1, end, "]")]
            why = f"`{text}` is a generator, which has no places and no length; square brackets make a list."
        else:
            edits = read.wrap(made.value, "list(")
        yield from read.propose(edits, why, "list of a value", 0.9)
    else:
        prior = 0.45 if kind in ("set", "frozenset") else 0.9
        yield from read.propose(read.wrap(node, "list("), why, "list of a value", prior)


def _in_library(read: Reading, kind: str) -> Iterator[Proposal]:
    """`random.choice(d.keys())`."""
    for call in [read.exact] if isinstance(read.exact, ast.Call) and kind in _ONCE else []:
        for given in call.args:
            if read.type(given) == kind and kind not in ("set", "frozenset"):
                yield from listed(read, given, kind)
            elif read.type(given) == kind and read.free("list"):
                why = f"`{short(read.text(given))}` is {a(kind)}, which has no places; `list` makes a list of it."
                yield from read.propose(read.wrap(given, "list("), why, "list of a set", 0.8)


def _index_of_a_number(read: Reading, node: ast.Subscript, kind: str) -> Iterator[Proposal]:
    text = short(read.text(node.value))
    said = f"`{text}` is a number"
    if kind in INTEGERS and isinstance(node.ctx, ast.Load) and read.free("str"):
        why = f"{said}; `str` gives its digits."
        yield from read.propose(read.wrap(node.value, "str("), why, "digits of a number", 0.4)
    if isinstance(node.ctx, ast.Load):
        why = f"{said}, which has no members; this takes the number itself."
        yield from read.propose(read.replace(node, read.text(node.value)), why, "the number itself", 0.42)
    loop = read.loop_of(node.value.id) if isinstance(node.value, ast.Name) else None
    if loop is not None and read.type(loop.iter) == "dict":
        owner = short(read.text(loop.iter))
        why = f"`{owner}` is a dict, so the loop gives its keys; this asks it for the value of the key."
        yield from read.propose(read.replace(node.value, f"{owner}[{text}]"), why, "value of a key", 0.6)
