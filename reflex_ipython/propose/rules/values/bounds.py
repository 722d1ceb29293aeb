"""An index beyond the end: of a sequence that is shorter, in a loop that goes too far."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.indices import element_as_index
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short

_MESSAGES = frozenset(
    {
        "list index out of range",
        "tuple index out of range",
        "string index out of range",
        "list assignment index out of range",
        "range object index out of range",
        "pop index out of range",
        "pop from empty list",
        "bytearray index out of range",
        "index out of range",
    }
)


def index_beyond_the_end(failure: Failure) -> Iterator[Proposal]:
    """`items[len(items)]`, `for i in range(len(items) + 1): items[i]`, `parts[1]` of one part."""
    known = failure.error.ename == "IndexError" and failure.error.evalue in _MESSAGES
    read = reading(failure) if known else None
    if read is None:
        return
    for node in read.nodes(ast.Subscript):
        if isinstance(node.slice, ast.Slice):
            continue
        if isinstance(node.ctx, ast.Store):
            yield from _assigned(read, node)
        yield from _length_as_index(read, node)
        yield from _loop(read, node)
        yield from element_as_index(read, node)
        parts = list(_parts(read, node))
        yield from parts or _constant(read, node)


def _is_length(read: Reading, node: ast.AST, owner: str = "") -> bool:
    """Whether it is `len(owner)`; of anything, if no owner is given."""
    if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "len" or len(node.args) != 1:
        return False
    return not owner or read.text(node.args[0]) == owner


def _length_as_index(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    owner, text = read.text(node.value), short(read.text(node.value))
    length, named = UNKNOWN, False
    if isinstance(node.slice, ast.Name):
        length, made = read.value(node.slice), read.assigned(node.slice.id)
        named = made is not None and _is_length(read, made.value, owner) and read.loop_of(node.slice.id) is None
    if _is_length(read, node.slice, owner) or (named and length is not UNKNOWN):
        why = f"The members of `{text}` are numbered from 0, so the last one has the number `len({text}) - 1`."
        end = read.cell.span(node.slice)[1]
        yield from read.propose([SpanEdit(end, end, " - 1")], why, "last member", 0.85)


def _loop(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    """A loop over numbers that goes further than the sequence."""
    names = {one.id for one in ast.walk(node.slice) if isinstance(one, ast.Name)}
    owner, text = read.text(node.value), short(read.text(node.value))
    for name in sorted(names):
        loop = read.loop_of(name)
        if loop is None:
            yield from _while(read, node, name)
            continue
        call = loop.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            continue
        if len(call.args) == 3 and _is_length(read, call.args[0], owner) and isinstance(node.slice, ast.Name):
            end = read.cell.span(call.args[0])[1]
            why = f"The members of `{text}` are numbered from 0, so the last one has the number `len({text}) - 1`."
            yield from read.propose([SpanEdit(end, end, " - 1")], why, "last member", 0.9)
            continue
        stop = call.args[1] if len(call.args) > 1 else call.args[0] if call.args else None
        if stop is None or len(call.args) > 2:
            continue
        yield from _stop(read, node, call, stop, name, owner, text)


def _stop(
    read: Reading, node: ast.Subscript, call: ast.Call, stop: ast.expr, name: str, owner: str, text: str
) -> Iterator[Proposal]:
    plain = isinstance(node.slice, ast.Name)
    shrunk = _shrinks(read, owner)
    if shrunk and plain and read.free("reversed"):
        why = f"The loop removes members of `{text}`; from the end, what is left keeps its numbers."
        yield from read.propose(read.wrap(call, "reversed("), why, "from the end", 0.7)
    more = isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add) and _is_length(read, stop.left, owner)
    starts_at_one = len(call.args) == 2 and read.value(call.args[0]) == 1
    if more and isinstance(stop, ast.BinOp) and plain:
        start, end = read.cell.span(stop)
        length = read.text(stop.left)
        why = f"`range({short(read.text(stop))})` ends at `len({text})`; the last member has the number one less."
        prior = 0.45 if starts_at_one else 0.85
        yield from read.propose([SpanEdit(start, end, length)], why, "end of a loop", prior)
        if starts_at_one and isinstance(node.ctx, ast.Load):
            why = f"`{name}` counts from 1, and the members of `{text}` are numbered from 0."
            end = read.cell.span(node.slice)[1]
            yield from read.propose([SpanEdit(end, end, " - 1")], why, "number from 0", 0.6)
    elif not plain and _is_length(read, stop, owner):
        ahead = _ahead(read, node.slice)
        if ahead:
            index = short(read.text(node.slice))
            why = f"`{index}` goes {ahead} beyond the last member of `{text}` in the end; this stops before."
            end = read.cell.span(stop)[1]
            yield from read.propose([SpanEdit(end, end, f" - {ahead}")], why, "end of a loop", 0.8)
    elif plain and not shrunk and read.free("len") and isinstance(node.ctx, ast.Load):
        other = _is_length(read, stop)
        why = f"`{text}` has fewer members than the loop counts; this ends the loop with them."
        if starts_at_one and len(call.args) == 2 and isinstance(node.ctx, ast.Load):
            shifted = read.cell.span(node.slice)[1]
            said = f"`{name}` counts from 1, and the members of `{text}` are numbered from 0."
            yield from read.propose([SpanEdit(shifted, shifted, " - 1")], said, "number from 0", 0.6)
        yield from read.propose(read.replace(stop, f"len({owner})"), why, "end of a loop", 0.6)
        if other and read.free("min"):
            why = f"`{text}` has fewer members than the loop counts; this ends the loop with the shorter one."
            edits = read.replace(stop, f"min({read.text(stop)}, len({owner}))")
            yield from read.propose(edits, why, "the shorter one", 0.62)


def _ahead(read: Reading, node: ast.expr) -> int:
    """How far `i + 1` goes ahead."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        values = [value for value in (read.value(node.left), read.value(node.right)) if type(value) is int]
        constants = [one.value for one in (node.left, node.right) if isinstance(one, ast.Constant)]
        return constants[0] if values and constants and type(constants[0]) is int and constants[0] > 0 else 0
    return 0


def _shrinks(read: Reading, owner: str) -> bool:
    """Whether the loop around removes members."""
    loops = [one for one in read.above(read.here[0]) if isinstance(one, (ast.For, ast.While))] if read.here else []
    for loop in (*loops, *(one for one in read.here if isinstance(one, ast.For))):
        for one in ast.walk(loop):
            targets = one.targets if isinstance(one, ast.Delete) else []
            if any(isinstance(target, ast.Subscript) and read.text(target.value) == owner for target in targets):
                return True
            method = one.func if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) else None
            if method is not None and method.attr in ("pop", "remove") and read.text(method.value) == owner:
                return True
    return False


def _while(read: Reading, node: ast.Subscript, name: str) -> Iterator[Proposal]:
    """`while i <= len(items):`."""
    owner, text = read.text(node.value), short(read.text(node.value))
    loops = [one for one in (*read.here, *read.above(node)) if isinstance(one, ast.While)]
    tests = [one for loop in dict.fromkeys(loops) for one in ast.walk(loop.test) if isinstance(one, ast.Compare)]
    for test in tests:
        right = test.comparators[0]
        if len(test.ops) != 1 or not (isinstance(test.left, ast.Name) and test.left.id == name):
            continue
        value = read.value(right)
        length = len(read.value(node.value)) if isinstance(read.value(node.value), (list, str, tuple)) else -1
        if isinstance(test.ops[0], ast.LtE) and (_is_length(read, right, owner) or value == length):
            start, end = read.cell.span(test.left)[1], read.cell.span(right)[0]
            at = read.cell.source.find("<=", start, end)
            why = f"The last member of `{text}` has the number `len({text}) - 1`, so `<` ends the loop in time."
            yield from read.propose([SpanEdit(at, at + 2, "<")], why, "end of a loop", 0.88)


def _constant(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    """`items[3]` of three, `items[0]` of none."""
    index = read.value(node.slice)
    if (
        type(index) is not int
        or not isinstance(node.ctx, ast.Load)
        or not isinstance(node.slice, (ast.Constant, ast.UnaryOp))
    ):
        return
    text, owner = short(read.text(node.value)), read.value(node.value)
    length = len(owner) if isinstance(owner, (list, tuple, str)) else _length(read, node.value)
    count = (
        f"`{text}` has {length} member{'s' if length != 1 else ''}" if length is not None else f"`{text}` is shorter"
    )
    if length and index >= length:
        last = f"{length - 1}"
        why = f"{count}, numbered from 0 to {last}."
        yield from read.propose(read.replace(node.slice, "-1"), why, "last member", 0.6 if index == length else 0.35)
        if index > length or length > 2:
            yield from read.propose(read.replace(node.slice, str(index - 1)), why, "number from 0", 0.3)
    if isinstance(read.parent(node), (ast.Assign, ast.Return, ast.Call, ast.ListComp, ast.Expr, ast.keyword)):
        owned = read.text(node.value)
        simple = isinstance(node.value, (ast.Name, ast.Attribute, ast.Subscript))
        comprehension = read.parent(node)
        if isinstance(comprehension, ast.ListComp) and read.free("len") and len(comprehension.generators) == 1:
            last_part = (comprehension.generators[-1].ifs or [comprehension.generators[-1].iter])[-1]
            word = "and" if comprehension.generators[-1].ifs else "if"
            end = read.cell.span(last_part)[1]
            why = f"Not each `{text}` has so many members; this leaves out those that are shorter."
            more = f" {word} len({owned}) > {index}" if index >= 0 else f" {word} {owned}"
            yield from read.propose([SpanEdit(end, end, more)], why, "without the shorter ones", 0.42)
        if simple and read.free("len"):
            test = (
                owned if index in (0, -1) else f"len({owned}) > {index}" if index > 0 else f"len({owned}) >= {-index}"
            )
            why = f"{count}, so there is none with this number; None stands for it."
            made = f"{read.text(node)} if {test} else None"
            prior = 0.3 if length != 0 or read.parent(node) is None else 0.4
            yield from read.propose(read.replace(node, made), why, "None where there is none", prior)


def _length(read: Reading, node: ast.expr) -> int | None:
    summary = read.summary(node)
    head = summary.text.partition(" of ")[2].partition(":")[0].replace(",", "") if summary is not None else ""
    return int(head) if head.isdigit() else None


def _parts(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    """`line.split(",")[1]` of a text with another separator."""
    split = node.value
    made = read.assigned(split.id) if isinstance(split, ast.Name) else None
    split = made.value if made is not None else split
    index = read.value(node.slice)
    if type(index) is int and index > 0:
        yield from other_separators(read, split, index + 1)


def other_separators(read: Reading, call: ast.AST, needed: int, *, exactly: bool = False) -> Iterator[Proposal]:
    """The separators by which a text that is split really has so many parts."""
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "split"):
        return
    text = read.value(call.func.value)
    if type(text) is not str:
        return
    given = read.value(call.args[0]) if call.args else None
    written = {
        ",": '","',
        ";": '";"',
        "\t": '"\\t"',
        "|": '"|"',
        ":": '":"',
        "=": '"="',
        "-": '"-"',
        "/": '"/"',
        " ": '" "',
    }
    fitting = [one for one in written if one != given and _fits(len(text.split(one)), needed, exactly=exactly)]
    if given is not None and _fits(len(text.split()), needed, exactly=exactly) and " " not in fitting[:1]:
        fitting = [one for one in fitting if one != " "] + [""]
    start = read.cell.span(call.func)[1]
    end = read.cell.span(call)[1]
    often = type(given) is str and len(call.args) == 1 and exactly and len(text.split(given)) > needed
    if often:
        why = f"{given!r} occurs more often than that in {short(repr(text))}; only the first is taken."
        edits = [SpanEdit(end - 1, end - 1, f", {needed - 1}")]
        # What separates the items of lists is as often one too many as it is part of the last item.
        prior = 0.46 if str(given).strip() in ("", ",", ";", "|") else 0.85
        yield from read.propose(edits, why, "first separators", prior)
    for one in fitting[:3]:
        by = written.get(one, "")
        what = f"by {by}" if by else "by spaces"
        parts = len(text.split(one or None))
        why = f"`{short(read.text(call.func.value))}` is {short(repr(text))}: {what} it has {parts} parts."
        prior = 0.35 if often else 0.75 if len(fitting) == 1 else 0.4
        yield from read.propose([SpanEdit(start, end, f"({by})")], why, "another separator", prior)


def _fits(count: int, needed: int, *, exactly: bool) -> bool:
    return count == needed if exactly else count >= needed


def _assigned(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    """`items[i] = x` beyond the end: `items.append(x)`."""
    statement = read.statement
    if not (isinstance(statement, ast.Assign) and statement.targets == [node]):
        return
    owner, value = read.text(node.value), read.text(statement.value)
    text = short(owner)
    why = f"`{text}` has no member with this number yet; `append` adds one."
    yield from read.propose(read.replace(statement, f"{owner}.append({value})"), why, "append", 0.8)
    made = read.assigned(owner) if isinstance(node.value, ast.Name) else None
    loop = read.loop_of(node.slice.id) if isinstance(node.slice, ast.Name) else None
    if made is not None and isinstance(made.value, ast.List) and not made.value.elts and loop is not None:
        call = loop.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range":
            count = read.text(call.args[-1] if len(call.args) < 3 else call.args[1])
            why = f"`{text}` is empty; this makes the places first that the loop fills."
            yield from read.propose(read.replace(made.value, f"[None] * ({count})"), why, "places made first", 0.3)
    if (
        made is not None
        and isinstance(made.value, ast.List)
        and not made.value.elts
        and isinstance(node.slice, ast.expr)
    ):
        why = f"`{text}` is an empty list; a dict takes any key."
        yield from read.propose(read.replace(made.value, "{}"), why, "dict for a list", 0.3)


def pop_from_nothing(failure: Failure) -> Iterator[Proposal]:
    """`items.pop()` in a loop that goes on when nothing is left."""
    known = failure.error.ename == "IndexError" and failure.error.evalue.startswith(("pop from", "pop index"))
    read = reading(failure) if known else None
    if read is None:
        return
    for call in read.nodes(ast.Call):
        if not (isinstance(call.func, ast.Attribute) and call.func.attr in ("pop", "popleft")):
            continue
        owner = read.text(call.func.value)
        for loop in (one for one in read.above(call) if isinstance(one, ast.While)):
            if isinstance(loop.test, ast.Constant):
                why = f"`{short(owner)}` is empty; this ends the loop when nothing is left."
                yield from read.propose(read.replace(loop.test, owner), why, "until it is empty", 0.7)
        if isinstance(read.parent(call), (ast.Assign, ast.Return)):
            why = f"`{short(owner)}` is empty, so there is nothing to take; None stands for it."
            made = f"{read.text(call)} if {owner} else None"
            yield from read.propose(read.replace(call, made), why, "None where there is none", 0.4)
