"""Items of a text or tuple can't be assigned or deleted; lists, dicts and sets are no keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from reflex_ipython.base.article import a
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short

_NO_ITEM = re.compile(r"'([\w.]+)' object (does not|doesn't) support item (assignment|deletion)")
_UNHASHABLE = re.compile(r"unhashable type: '([\w.]+)'")
_TAKES_KEY = frozenset({"add", "get", "setdefault", "pop", "discard"})
_HASHED = frozenset({"set", "frozenset", "Counter", "dict", "fromkeys"})


def item_assignment(failure: Failure) -> Iterator[Proposal]:
    """`text[0] = "H"`, `point[1] = 5`, `del point[0]`."""
    match = _NO_ITEM.fullmatch(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    kind, statement = match[1], read.statement
    for node in read.nodes(ast.Subscript):
        if isinstance(node.ctx, ast.Load) or read.type(node.value) not in ("", kind):
            continue
        if kind in ("str", "tuple"):
            yield from _made_anew(read, node, kind, statement)
        if kind in ("tuple", "range", "dict_keys", "dict_values", "map", "zip", "generator", "frozenset"):
            yield from _as_list(read, node, kind)


def _made_anew(read: Reading, node: ast.Subscript, kind: str, statement: ast.stmt | None) -> Iterator[Proposal]:
    """`text = text[:i] + "H" + text[i + 1:]`."""
    if isinstance(node.slice, (ast.Slice, ast.Tuple)) or not isinstance(
        node.value, (ast.Name, ast.Attribute, ast.Subscript)
    ):
        return
    owner, index, text = read.text(node.value), read.text(node.slice), short(read.text(node.value))
    place = read.value(node.slice) if isinstance(node.slice, (ast.Constant, ast.UnaryOp)) else UNKNOWN
    before = "" if place == 0 else f"{owner}[:{index}] + "
    after = "" if place == -1 else f" + {owner}[{place + 1 if type(place) is int else f'{index} + 1'}:]"
    if isinstance(statement, ast.Delete) and len(statement.targets) == 1:
        made = f"{before}{after}".replace(" +  + ", " + ").removeprefix(" + ").removesuffix(" + ")
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.targets[0] is node:
        value = read.atom(statement.value)
        if isinstance(statement.value, ast.BinOp):
            value = f"({read.text(statement.value)})"
        made = f"{before}{value if kind == 'str' else f'({read.text(statement.value)},)'}{after}"
    elif isinstance(statement, ast.AugAssign) and statement.target is node:
        sign = ast.unparse(ast.BinOp(ast.Name("a"), statement.op, ast.Name("b")))[2:-2]
        item = f"{read.text(node)} {sign} {read.atom(statement.value)}"
        made = f"{before}{f'({item})' if kind == 'str' else f'({item},)'}{after}"
    else:
        return
    why = f"`{text}` is {a(kind)}, which can't be changed; this makes a new one from its parts."
    yield from read.propose(
        read.replace(statement, f"{owner} = {made}"), why, f"new {kind}", 0.75 if kind == "str" else 0.48
    )


def _as_list(read: Reading, node: ast.Subscript, kind: str) -> Iterator[Proposal]:
    if not isinstance(node.value, ast.Name) or not read.free("list") or read.statement is None:
        return
    name, made = node.value.id, read.assigned(node.value.id)
    why = f"`{name}` is {a(kind)}, which can't be changed; a list can."
    if made is not None and isinstance(made.value, ast.Tuple):
        inner = read.text(made.value)
        inner = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner
        edits = read.replace(made.value, f"[{inner.strip().removesuffix(',')}]")
        yield from read.propose(edits, why, "list from the start", 0.5)
    elif made is not None:
        yield from read.propose(read.wrap(made.value, "list("), why, "list from the start", 0.5)
    loop = read.loop_of(name)
    if loop is None:
        edits = read.insert_above(read.statement, f"{name} = list({name})")
        yield from read.propose(edits, why, "list first", 0.46)
    elif isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and isinstance(read.statement, ast.Assign):
        edits = read.insert_above(read.statement, f"{name} = list({name})")
        yield from read.propose(edits, why, "list first", 0.6)


def unhashable(failure: Failure) -> Iterator[Proposal]:
    """`{[1, 2]: "a"}`, `seen.add(row)`, `set(rows)`."""
    kind = _kind(failure)
    read = reading(failure) if kind in ("list", "set", "dict", "slice", "numpy.ndarray", "bytearray") else None
    if read is None:
        return
    for call in read.nodes(ast.Call):
        yield from _collected(read, call, kind)
    for node, key in _keys(read):
        if kind == "slice" and isinstance(node, ast.Subscript) and isinstance(key, ast.Slice):
            yield from _sliced(read, node, key)
        elif read.type(key) in ("", kind) and not isinstance(key, ast.Constant):
            yield from _hashable(read, key, kind, node)


def _kind(failure: Failure) -> str:
    """What can't be a key, or is none: since Python 3.12 a slice has a hash, and is just not there."""
    error = failure.error
    match = _UNHASHABLE.search(error.evalue) if error.ename == "TypeError" else None
    if match is None and error.ename == "KeyError" and error.evalue.startswith("slice("):
        return "slice"
    return match[1] if match else ""


def _keys(read: Reading) -> list[tuple[ast.AST, ast.expr]]:
    """What the failing statement uses as keys and members of sets."""
    found = _used_as_keys(read, read.here)
    exact = [(node, key) for node, key in found if node is read.exact]
    return exact or [(node, key) for node, key in found if read.sound(key)]


def _keys_of(node: ast.AST) -> list[ast.expr]:
    """The keys of a dict that is written out, the members of such a set."""
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    return node.elts if isinstance(node, ast.Set) else []


def _same_keys(read: Reading, key: ast.Name) -> list[ast.expr]:
    """Where else the same variable is used as a key, with what has been made or is asked with it."""
    scope = read.scope(key)
    found = [other for _, other in _used_as_keys(read, read.cell.nodes()) if read.scope(other) is scope]
    lists = {"list", "collections.OrderedDict", "str"}
    return [
        other
        for node, other in _used_as_keys(read, read.cell.nodes())
        if isinstance(other, ast.Name)
        and other.id == key.id
        and other in found
        and not (isinstance(node, ast.Subscript) and read.type(node.value) in lists)
    ]


def _used_as_keys(read: Reading, nodes: Iterable[ast.AST]) -> list[tuple[ast.AST, ast.expr]]:
    found: list[tuple[ast.AST, ast.expr]] = []
    for one in nodes:
        if isinstance(one, ast.Dict):
            found += [(one, key) for key in one.keys if key is not None]
        elif isinstance(one, ast.Set):
            found += [(one, key) for key in one.elts]
        elif isinstance(one, ast.Subscript):
            found.append((one, one.slice))
        elif isinstance(one, ast.DictComp):
            found.append((one, one.key))
        elif isinstance(one, ast.SetComp):
            found.append((one, one.elt))
        elif isinstance(one, ast.Compare) and isinstance(one.ops[0], (ast.In, ast.NotIn)):
            found.append((one, one.left))
        elif isinstance(one, ast.Call) and one.args and read.called(one) in _TAKES_KEY:
            found.append((one, one.args[0]))
    return found


def _hashable(read: Reading, key: ast.expr, kind: str, node: ast.AST) -> Iterator[Proposal]:
    text = short(read.text(key))
    other = {"list": "tuple", "numpy.ndarray": "tuple", "set": "frozenset", "bytearray": "bytes"}.get(kind)
    if other is not None and read.free(other):
        said = f"`{text}` is {a(kind.rpartition('.')[2])}, which can't be a key or a member of a set"
        literals = [one for one in _keys_of(node) if isinstance(one, ast.List) and one is not key and one.elts]
        if isinstance(key, ast.List) and key.elts and not any(isinstance(one, ast.Starred) for one in key.elts):
            inner = read.text(key)[1:-1].strip().removesuffix(",")
            made = f"({inner},)" if len(key.elts) == 1 else f"({inner})"
        else:
            made = f"{other}({read.text(key)})"
        one = len(read.members(key)) == 1
        why = f"{said}; {a(other)} can."
        if literals and isinstance(key, ast.List):
            edits = [edit for one in (key, *literals) for edit in read.replace(one, f"tuple({read.text(one)})")]
            yield from read.propose(edits, f"{said}; {a(other)} can.", f"{other}s as keys", 0.8)
        places = [place for place in _same_keys(read, key) if place is not key] if isinstance(key, ast.Name) else []
        edits = [edit for place in (key, *places) for edit in read.replace(place, made)]
        yield from read.propose(edits, why, f"{other} as a key", 0.65 if one else 0.8)
        if kind == "list" and isinstance(key, ast.List) and len(key.elts) == 1:
            edits = read.replace(key, read.text(key.elts[0]))
            yield from read.propose(edits, f"{said}; its only member can.", "the member itself", 0.6)
        elif kind == "list" and isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            name = read.fresh()
            made = f"[{read.atom(node.value)}[{name}] for {name} in {read.text(key)}]"
            why = f"{said}; this asks for each of its members."
            yield from read.propose(read.replace(node, made), why, "each key", 0.8)
        elif kind == "list" and not isinstance(key, ast.List):
            edits = read.replace(key, f"{read.atom(key)}[0]")
            yield from read.propose(edits, f"{said}; its first member may.", "first member", 0.32 if one else 0.2)
        if kind == "list" and isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add":
            edits = read.replace(node.func, f"{read.text(node.func).rpartition('.')[0]}.update")
            why = f"{said}; `update` adds each of its members."
            yield from read.propose(edits, why, "each member", 0.35)
    elif kind == "dict":
        yield from _dict_as_key(read, key, node, text)


def _dict_as_key(read: Reading, key: ast.expr, node: ast.AST, text: str) -> Iterator[Proposal]:
    said = f"`{text}` is a dict, which can't be a key or a member of a set"
    found = read.first_items(key)
    for one in list(found)[:3] if isinstance(found, dict) else []:
        edits = read.replace(key, f"{read.atom(key)}[{one!r}]")
        yield from read.propose(edits, f"{said}; its {one!r} may.", "value of a key", 0.4)
    if read.free("tuple", "sorted"):
        edits = read.replace(key, f"tuple(sorted({read.atom(key)}.items()))")
        yield from read.propose(edits, f"{said}; a tuple of its items can.", "items as a key", 0.44)
    if isinstance(node, ast.Set) and len(node.elts) == 1:
        edits = read.replace(node, f"[{read.text(key)}]")
        yield from read.propose(edits, f"{said}; a list can hold it.", "list for a set", 0.42)
    elif isinstance(node, ast.Set):
        edits = read.replace(node, f"[{read.text(node)[1:-1]}]")
        yield from read.propose(edits, f"{said}; a list can hold it.", "list for a set", 0.6)


def _sliced(read: Reading, node: ast.Subscript, key: ast.Slice) -> Iterator[Proposal]:
    """`d[:2]`."""
    owner, text, part = read.atom(node.value), short(read.text(node.value)), read.text(key)
    if not isinstance(node.ctx, ast.Load) or read.type(node.value).startswith(("pandas", "numpy")):
        return
    for made, what, prior in (
        (f"dict(list({owner}.items())[{part}])", "a dict of them", 0.48),
        (f"list({owner}.items())[{part}]", "a list of them", 0.45),
        (f"list({owner})[{part}]", "a list of keys", 0.25),
        (f"list({owner}.values())[{part}]", "a list of values", 0.25),
    ):
        why = f"`{text}` is a dict, which has no places; this takes the first ones of its items: {what}."
        yield from read.propose(read.replace(node, made), why, what, prior)


def _collected(read: Reading, call: ast.Call, kind: str) -> Iterator[Proposal]:
    """`set(rows)`, `Counter(rows)` of lists."""
    name = read.called(call)
    if call is read.exact and name not in _HASHED | _TAKES_KEY and kind == "list":
        for given in call.args:  # a function that remembers its results by its arguments
            if read.type(given) == "list" and read.free("tuple"):
                why = f"`{short(read.text(given))}` is a list, which can't be a key; a tuple can."
                yield from read.propose(read.wrap(given, "tuple("), why, "tuple as a key", 0.75)
    if name not in _HASHED or len(call.args) != 1 or call.keywords:
        return
    given, text = call.args[0], short(read.text(call.args[0]))
    other = {"list": "tuple", "set": "frozenset", "numpy.ndarray": "tuple"}.get(kind)
    if other is not None and read.free("map", other):
        why = f"`{text}` holds {kind}s, which can't be members of a set; {other}s can."
        edits = read.replace(given, f"map({other}, {read.text(given)})")
        yield from read.propose(edits, why, f"{other}s as members", 0.8)
        one = read.fresh()
        if kind == "list":
            inner = one + "_" if one != "x" else "y"
            made = f"{inner} for {one} in {read.text(given)} for {inner} in {one}"
            why = f"`{text}` holds lists; this takes the members of all of them."
            yield from read.propose(read.replace(given, made), why, "members of all", 0.38)
    elif kind == "dict":
        one = read.fresh()
        rows = [row for row in read.members(given) if isinstance(row, dict)]
        made = f"tuple(sorted({one}.items())) for {one} in {read.text(given)}"
        why = f"`{text}` holds dicts, which can't be members of a set; tuples of their items can."
        yield from read.propose(read.replace(given, made), why, "items as members", 0.44)
        for key in list(rows[0])[:3] if rows else []:
            made = f"{one}[{key!r}] for {one} in {read.text(given)}"
            why = f"`{text}` holds dicts, which can't be members of a set; this takes their {key!r}."
            yield from read.propose(read.replace(given, made), why, "value of a key", 0.42)
