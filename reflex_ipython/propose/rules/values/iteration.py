"""What can't be gone through: a number, nothing at all, what changes meanwhile, what was gone through before."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.indices import listed
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short
from reflex_ipython.propose.rules.values.types import LAZY, NUMBERS

_NOT_ITERABLE = re.compile(r"'([\w.]+)' object is not iterable")
_NOT_IN = re.compile(r"argument of type '([\w.]+)' is not iterable")
_CHANGED = re.compile(r"(dictionary|Set|dictionary keys|deque|OrderedDict) (?:changed|mutated)", re.IGNORECASE)
_EMPTY = re.compile(r"(max|min)\(\) (?:arg is an empty sequence|iterable argument is empty)")
_NO_LENGTH = re.compile(r"object of type '([\w.]+)' has no len\(\)")


def number_in_a_loop(failure: Failure) -> Iterator[Proposal]:
    """`items += 5`, `sum(1, 2)`, `list(5)`, `enumerate(5)`, `items.extend(5)`."""
    match = _NOT_ITERABLE.fullmatch(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    kind = match[1]
    if kind in NUMBERS:
        yield from _digits(read, kind)
        for added in (one for one in read.here if isinstance(one, ast.AugAssign) and isinstance(one.op, ast.Add)):
            if read.type(added.target) in ("list", "") and read.type(added.value) in ("", kind):
                text = short(read.text(added.target))
                why = f"`{text}` is a list and `{short(read.text(added.value))}` one number; `append` adds one member."
                made = f"{read.text(added.target)}.append({read.text(added.value)})"
                yield from read.propose(read.replace(added, made), why, "append", 0.9)
        for call in read.nodes(ast.Call):
            yield from _number_given(read, call, kind)
    elif kind in ("function", "method", "builtin_function_or_method"):
        for node in _iterated(read):
            if isinstance(node, (ast.Name, ast.Attribute)) and read.type(node) in ("", kind):
                why = f"`{short(read.text(node))}` is a function; with `()` it is called."
                yield from read.propose(read.replace(node, f"{read.text(node)}()"), why, "call of a function", 0.85)
    elif kind not in ("NoneType", "type", "module") and "." not in kind:
        yield from _own_object(read, kind)


def _digits(read: Reading, kind: str) -> Iterator[Proposal]:
    """`[int(d) for d in 123]`: of its text."""
    for loop in (one for one in read.here if isinstance(one, (ast.For, ast.comprehension))):
        if read.type(loop.iter) != kind or isinstance(loop.iter, ast.Constant) or not read.free("str"):
            continue
        if not isinstance(loop.target, ast.Name):
            continue
        name = loop.target.id
        within = list(ast.walk(loop if isinstance(loop, ast.For) else read.parent(loop) or loop))
        calls = [one for one in within if isinstance(one, ast.Call) and read.called(one) == "int" and one.args]
        converts = any(isinstance(one.args[0], ast.Name) and one.args[0].id == name for one in calls)
        why = f"`{short(read.text(loop.iter))}` is a number; `str` gives its digits."
        prior = 0.9 if converts else 0.3
        yield from read.propose(read.wrap(loop.iter, "str("), why, "digits of a number", prior)


def _number_given(read: Reading, call: ast.Call, kind: str) -> Iterator[Proposal]:
    name = read.called(call)
    numbers = [one for one in call.args if read.type(one) in ("", kind)]
    if not numbers or any(isinstance(one, ast.Starred) for one in call.args):
        return
    given = numbers[-1] if name in ("map", "filter") else numbers[0]
    text, inside = short(read.text(given)), ", ".join(read.text(one) for one in call.args)
    said = f"`{text}` is one number"
    if name in ("sum", "max", "min", "any", "all") and call.args:
        first, last = call.args[0], call.args[-1]
        edit = SpanEdit(read.cell.span(first)[0], read.cell.span(last)[1], f"[{inside}]")
        many = len(call.args) > 1
        why = f"`{name}` takes a list, and was given {len(call.args)} number{'s' if many else ''}."
        yield from read.propose([edit], why, "numbers as a list", 0.9 if many else 0.4)
        if not many and name in ("sum", "max", "min"):
            yield from read.propose(read.replace(call, read.text(given)), f"{said} already.", "the number itself", 0.38)
        return
    if name in ("list", "tuple", "set", "sorted"):
        made = {"tuple": f"({read.text(given)},)", "set": f"{{{read.text(given)}}}"}.get(name, f"[{read.text(given)}]")
        why = f"{said}; this makes {a(name if name != 'sorted' else 'list')} with it in it."
        yield from read.propose(read.replace(call, made), why, "one member", 0.5)
        if read.free("str") and not (isinstance(given, ast.Constant) and given.value == 0):
            why = f"{said}; `str` gives its digits."
            yield from read.propose(read.wrap(given, "str("), why, "digits of a number", 0.4)
    if name in ("list", "tuple", "set", "enumerate", "zip", "map", "filter", "reversed", "iter") and read.free("range"):
        why = f"{said}; `range({text})` counts from 0 up to it."
        prior = 0.45 if name in ("list", "tuple", "set") else 0.75
        if kind == "int":
            yield from read.propose(read.wrap(given, "range("), why, "range of a number", prior)
    if name == "extend":
        why = f"{said}; `append` adds one member."
        edits = read.replace(call.func, f"{read.text(call.func).removesuffix('extend')}append")
        yield from read.propose(edits, why, "append", 0.9)
    if name in ("update", "union", "intersection", "difference") and isinstance(call.func, ast.Attribute):
        why = f"{said}; a set of it can be joined to another."
        yield from read.propose(read.replace(given, f"{{{read.text(given)}}}"), why, "one member", 0.8)
    if name == "map" and read.free("str"):
        why = f"{said}; `str` gives its digits."
        yield from read.propose(read.wrap(given, "str("), why, "digits of a number", 0.6)


def _iterated(read: Reading) -> list[ast.expr]:
    found = [node.iter for node in read.here if isinstance(node, (ast.For, ast.comprehension))]
    found += [one for node in read.here if isinstance(node, ast.Call) for one in node.args[-1:]]
    return found


def _own_object(read: Reading, kind: str) -> Iterator[Proposal]:
    """An object of a class of the notebook's: one of its attributes that holds a list."""
    for node in _iterated(read):
        summary = read.summary(node)
        if summary is None or summary.type.rpartition(".")[2] != kind.rpartition(".")[2]:
            continue
        lists = re.findall(r"^\.(\w+) = [\[{(]", summary.text, re.MULTILINE)
        for name in lists[:3]:
            why = f"`{read.text(node)}` itself can't be gone through; its `{name}` can."
            prior = 0.85 if len(lists) == 1 else 0.4
            yield from read.propose(read.replace(node, f"{read.text(node)}.{name}"), why, "list of an object", prior)


def membership(failure: Failure) -> Iterator[Proposal]:
    """`"a" in 5`, `3 in 5`."""
    match = _NOT_IN.match(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None or match[1] in ("NoneType", "module", "type"):
        return
    for node in read.nodes(ast.Compare):
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            continue
        [right], kind = node.comparators, match[1]
        text, sign = short(read.text(right)), "==" if isinstance(node.ops[0], ast.In) else "!="
        if kind in NUMBERS:
            text_left = read.type(node.left) == "str"
            if read.free("str"):
                edits = read.wrap(right, "str(")
                if not text_left:
                    edits += read.wrap(node.left, "str(")
                why = f"`{text}` is a number; `str` gives its digits."
                yield from read.propose(edits, why, "digits of a number", 0.8 if text_left else 0.4)
            if not text_left:
                why = f"`{text}` is one number; `{sign}` compares with it."
                made = f"{read.text(node.left)} {sign} {read.text(right)}"
                yield from read.propose(read.replace(node, made), why, "compared with a number", 0.55)
        elif kind in ("method", "function", "builtin_function_or_method"):
            why = f"`{text}` is a function; with `()` it is called."
            yield from read.propose(read.replace(right, f"{read.text(right)}()"), why, "call of a function", 0.9)
        else:
            yield from _own_object(read, kind)


def changed_meanwhile(failure: Failure) -> Iterator[Proposal]:
    """`for key in d: del d[key]`: over a copy of the keys."""
    known = failure.error.ename == "RuntimeError" and _CHANGED.search(failure.error.evalue)
    read = reading(failure) if known else None
    if read is None or not read.free("list"):
        return
    loops: list[ast.For | ast.comprehension] = [
        one for one in read.here if isinstance(one, (ast.For, ast.comprehension))
    ]
    if not loops and read.here:
        loops += [one for one in read.above(read.here[0]) if isinstance(one, ast.For)][:1]
    for loop in loops:
        text = short(read.text(loop.iter))
        if isinstance(loop.iter, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            why = f"The loop changes `{text}` while it goes through it; `list` goes through a copy."
            yield from read.propose(read.wrap(loop.iter, "list("), why, "loop over a copy", 0.95)


def nothing_there(failure: Failure) -> Iterator[Proposal]:
    """`max([])`: of nothing; of an iterator that was gone through before."""
    match = _EMPTY.match(failure.error.evalue) or (
        "requires at least one data point" in failure.error.evalue or failure.error.evalue == "no median for empty data"
    )
    read = reading(failure) if match else None
    if read is None:
        return
    for call in read.nodes(ast.Call):
        if not call.args:
            continue
        given, text = call.args[0], short(read.text(call.args[0]))
        made = read.assigned(given.id) if isinstance(given, ast.Name) else None
        if read.type(given) in LAZY and made is not None and read.free("list"):
            kind = read.type(given)
            why = f"`{text}` is {a(kind)}: it gives its items once, and they were taken before; a list keeps them."
            yield from read.propose(read.wrap(made.value, "list("), why, "list of an iterator", 0.9)
            continue
        name = getattr(call.func, "id", "")
        if name in ("max", "min") and len(call.args) == 1 and not any(one.arg == "default" for one in call.keywords):
            end = read.cell.span(given)[1]
            for value, prior in (("None", 0.4), ("0", 0.42)):
                wanted = "largest" if name == "max" else "smallest"
                why = f"`{text}` is empty, so it has no {wanted} member; {value} stands for it."
                edits = [SpanEdit(end, end, f", default={value}")]
                if isinstance(given, ast.GeneratorExp):
                    edits = read.replace(given, f"{read.text(given)}, default={value}")
                yield from read.propose(edits, why, "default of nothing", prior)


def no_more(failure: Failure) -> Iterator[Proposal]:
    """`next(it)` of an iterator that has nothing left."""
    read = reading(failure) if failure.error.ename == "StopIteration" else None
    for call in read.nodes(ast.Call) if read is not None else ():
        if read is not None and getattr(call.func, "id", "") == "next" and len(call.args) == 1:
            given = call.args[0]
            why = f"`{short(read.text(given))}` has nothing left; None stands for it."
            yield from read.propose(
                read.replace(given, f"{read.text(given)}, None"), why, "None where there is none", 0.45
            )


def no_length(failure: Failure) -> Iterator[Proposal]:
    """`len(5)`, `len(map(f, x))`, `range(len(n))`."""
    match = _NO_LENGTH.fullmatch(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    kind = match[1]
    for call in read.nodes(ast.Call):
        if getattr(call.func, "id", "") != "len" or len(call.args) != 1:
            yield from _lazy_argument(read, call, kind)
            continue
        [given] = call.args
        text = short(read.text(given))
        if kind in LAZY:
            yield from listed(read, given, kind)
        elif kind in NUMBERS:
            around = read.parent(call)
            ranged = isinstance(around, ast.Call) and getattr(around.func, "id", "") == "range"
            if ranged and kind == "int":
                why = f"`{text}` is a number already; `range({text})` counts up to it."
                yield from read.propose(read.replace(call, read.text(given)), why, "the number itself", 0.8)
            elif read.free("str"):
                why = f"`{text}` is a number; `str` gives its text, which has a length."
                value = read.value(given)
                yield from read.propose(
                    read.wrap(given, "str("), why, "digits of a number", 0.6 if value is not UNKNOWN else 0.45
                )
                edits = read.replace(call, read.text(given))
                yield from read.propose(edits, f"`{text}` is a number already.", "the number itself", 0.25)
        elif kind in ("method", "function", "builtin_function_or_method"):
            why = f"`{text}` is a function; with `()` it is called."
            yield from read.propose(read.replace(given, f"{read.text(given)}()"), why, "call of a function", 0.9)
        else:
            yield from _own_object(read, kind)
            for node in [given] if isinstance(given, ast.Name) else []:
                summary = read.summary(node)
                for name in re.findall(r"^\.(\w+) = [\[{(]", summary.text, re.MULTILINE)[:3] if summary else ():
                    why = f"`{text}` has no length; its `{name}` has."
                    yield from read.propose(read.replace(given, f"{text}.{name}"), why, "list of an object", 0.7)


def _lazy_argument(read: Reading, call: ast.Call, kind: str) -> Iterator[Proposal]:
    """`random.choice(map(f, x))`: a library needs the length."""
    for given in call.args:
        if kind in LAZY and read.type(given) == kind:
            yield from listed(read, given, kind)
