"""As many names as there are values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import LIKELY, Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.bounds import other_separators
from reflex_ipython.propose.rules.values.reading import Reading, reading, short

_TOO_MANY = re.compile(r"too many values to unpack \(expected (\d+)(?:, got (\d+))?\)")
_TOO_FEW = re.compile(r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)")
_NOT_ITERABLE = re.compile(r"cannot unpack non-iterable ([\w.]+) object")

_Target = ast.Tuple | ast.List


def unpacking(failure: Failure) -> Iterator[Proposal]:
    """`for k, v in d`, `a, b = f()`, `a, b = line.split(",")`."""
    message = failure.error.evalue
    many, few, none = _TOO_MANY.match(message), _TOO_FEW.match(message), _NOT_ITERABLE.match(message)
    read = reading(failure) if many or few or none else None
    if read is None:
        return
    for target, source, loop in _targets(read):
        count = len(target.elts)
        expected = int((many or few)[1]) if many or few else count  # type: ignore[index]  # one of them
        if count - any(isinstance(one, ast.Starred) for one in target.elts) != expected:
            continue
        if any(isinstance(one, ast.Starred) for one in target.elts):
            continue
        if loop:
            found = list(_loop(read, target, source, none[1] if none else ""))
            yield from found
            if any(one.prior >= 0.9 for one in found):
                continue
        elif not none:
            found = list(other_separators(read, _split(read, source), count, exactly=True))
            found += _dimensions(read, target, source)
            yield from found
            if any(one.prior >= LIKELY for one in found):
                continue
        if many:
            if not loop:
                yield from _split_less(read, _split(read, source), count)
            yield from _more(read, target, source, int(many[2]) if many[2] else _count(read, source, loop=loop))
        elif few:
            yield from _fewer(read, target, source, int(few[2]))


def _targets(read: Reading) -> list[tuple[_Target, ast.expr, bool]]:
    """The tuples of names that the failing statement fills, with what fills them, and whether a loop does."""
    found: list[tuple[_Target, ast.expr, bool]] = []
    for node in read.here:
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, (ast.Tuple, ast.List)):
            found.append((node.target, node.iter, True))
        elif isinstance(node, ast.Assign):
            targets = [one for one in node.targets if isinstance(one, (ast.Tuple, ast.List))]
            found += [(one, node.value, False) for one in targets]
    exact = [one for one in found if one[0] is read.exact]
    return exact or found


def _split(read: Reading, source: ast.expr) -> ast.expr:
    made = read.assigned(source.id) if isinstance(source, ast.Name) else None
    return made.value if made is not None else source


def _split_less(read: Reading, split: ast.expr, count: int) -> Iterator[Proposal]:
    """`first, last = name.split(" ")`: `name.split(" ", 1)`, the rest in the last; or in the first."""
    if not isinstance(split, ast.Call) or not isinstance(split.func, ast.Attribute) or split.func.attr != "split":
        return
    if len(split.args) > 1 or split.keywords or (split.args and read.type(split.args[0]) not in ("str", "")):
        return
    first, last = read.cell.span(split.func)[1], read.cell.span(split)[1]
    separator = read.text(split.args[0]) if split.args else "None"
    for method, where, prior in (("split", "last", 0.44), ("rsplit", "first", 0.4)):
        edits = [SpanEdit(first - len("split"), last, f"{method}({separator}, {count - 1})")]
        why = f"The text has more than {count} parts; it is split {count - 1} times, the {where} name takes the rest."
        yield from read.propose(edits, why, "split less often", prior)


def _count(read: Reading, source: ast.expr, *, loop: bool) -> int | None:
    """How many values there are, if that is known."""
    if loop:
        items = read.members(source)
        sizes = {len(item) for item in items if isinstance(item, (list, tuple, str))}
        return sizes.pop() if len(sizes) == 1 else None
    value = read.value(source)
    return len(value) if isinstance(value, (list, tuple, dict, set, str)) else None


def _loop(read: Reading, target: _Target, source: ast.expr, single: str) -> Iterator[Proposal]:
    """`for k, v in d`, `for i, x in items`, `for i, a, b in enumerate(pairs)`."""
    text, kind = short(read.text(source)), read.type(source)
    two = len(target.elts) == 2
    if kind == "dict" and two:
        why = f"`{text}` is a dict: looping over it gives its keys; `items()` gives keys with their values."
        yield from read.propose(read.replace(source, f"{read.atom(source)}.items()"), why, "items of a dict", 0.95)
        return
    parts = source.elts if isinstance(source, ast.Tuple) and not single else []
    if len(parts) == len(target.elts) and read.free("zip") and not any(isinstance(one, ast.Constant) for one in parts):
        given = ", ".join(read.text(one) for one in parts)
        why = f"`{text}` gives one after the other; `zip` gives a value of each at a time."
        yield from read.propose(read.replace(source, f"zip({given})"), why, "values side by side", 0.9)
        return
    call = source if isinstance(source, ast.Call) else None
    name = read.called(call) if call is not None else ""
    if name in ("enumerate", "items", "iterrows", "groupby") and len(target.elts) > 2:
        first, last = read.cell.span(target.elts[1])[0], read.cell.span(target.elts[-1])[1]
        edits = [SpanEdit(first, first, "("), SpanEdit(last, last, ")")]
        why = f"`{name}` gives pairs, and the second of the two is a group of its own: round brackets say so."
        yield from read.propose(edits, why, "names in a pair", 0.93)
        return
    if call is not None and name in ("keys", "values") and two and isinstance(call.func, ast.Attribute):
        end = read.cell.span(call.func)[1]
        edits = [SpanEdit(end - len(name), end, "items")]
        why = f"`{name}()` gives only the {name} of the dict; `items()` gives keys with their values."
        yield from read.propose(edits, why, "items of a dict", 0.93)
        return
    if two and kind in ("", "list", "tuple", "str", "range", "numpy.ndarray", "map", "set", "dict_keys", "dict_values"):
        found = read.members(source)
        pairs = bool(found) and all(isinstance(one, (list, tuple)) and len(one) == 2 for one in found)
        if not pairs and read.free("enumerate"):
            why = f"`{text}` gives one value at a time; `enumerate` gives the number of each with it."
            number = read.text(target.elts[0])
            counts = number in ("i", "j", "n", "k", "idx", "index", "ix", "num", "count", "pos", "position")
            groups = any(isinstance(one, (list, tuple)) for one in found)
            prior = 0.9 if counts or single else 0.35 if groups else 0.6
            yield from read.propose(read.wrap(source, "enumerate("), why, "enumerate", prior)


def _more(read: Reading, target: _Target, source: ast.expr, count: int | None) -> Iterator[Proposal]:
    """Names for the values that are left over."""
    start = read.cell.span(target.elts[-1])[1]
    text = short(read.text(source))
    there = f"There are {count} values" if count is not None else "There are more values"
    extra = count - len(target.elts) if count is not None else 1
    if 0 < extra <= 3:
        why = f"{there} and {len(target.elts)} names; `_` takes what is left over."
        prior = 0.42 if count is not None else 0.35
        yield from read.propose([SpanEdit(start, start, ", _" * extra)], why, "names for the rest", prior)
    why = f"{there} and {len(target.elts)} names; `*_` takes all that are left over."
    yield from read.propose([SpanEdit(start, start, ", *_")], why, "names for the rest", 0.44)
    last = target.elts[-1]
    if isinstance(last, ast.Name):
        begin = read.cell.span(last)[0]
        why = f"{there} and {len(target.elts)} names; `{last.id}` takes all that are left over, as a list."
        yield from read.propose([SpanEdit(begin, begin, "*")], why, "rest as a list", 0.35)
    value = read.value(source)
    if isinstance(value, dict) and len(target.elts) == 2:
        why = f"`{text}` is a dict: it gives its keys."
        yield from read.propose(read.replace(source, f"{read.atom(source)}.values()"), why, "values of a dict", 0.3)


def _fewer(read: Reading, target: _Target, source: ast.expr, count: int) -> Iterator[Proposal]:
    """Names that get no value are left out."""
    if count == 0 or count >= len(target.elts):
        return
    names = [getattr(one, "id", "") for one in target.elts]
    later = {node.id for node in read.cell.every(ast.Name) if isinstance(node.ctx, ast.Load)}
    unused = [name for name in names if name and name not in later]
    kept = [one for one in target.elts if getattr(one, "id", "") not in unused]
    if len(kept) != count:
        kept = list(target.elts[:count])
    start, end = read.cell.span(target.elts[0])[0], read.cell.span(target.elts[-1])[1]
    made = ", ".join(read.text(one) for one in kept) + ("," if count == 1 else "")
    left = ", ".join(f"`{name}`" for name in names if name not in {getattr(one, "id", "") for one in kept})
    why = f"There are {count} value{'s' if count != 1 else ''} for {len(names)} names; this leaves out {left}."
    yield from read.propose([SpanEdit(start, end, made)], why, "as many names as values", 0.45)
    if len(target.elts) - count == 1 and isinstance(target.elts[-1], ast.Name):
        begin = read.cell.span(target.elts[-1])[0]
        why = f"There are {count} values for {len(names)} names; `*` lets the last one be an empty list."
        yield from read.propose([SpanEdit(begin, begin, "*")], why, "rest as a list", 0.3)


def _dimensions(read: Reading, target: _Target, source: ast.expr) -> Iterator[Proposal]:
    """`fig, ax1, ax2 = plt.subplots(1, 2)`."""
    if not isinstance(source, ast.Call) or len(target.elts) < 3:
        return
    name = read.called(source)
    if name == "subplots":
        counts = [read.value(one) for one in source.args] + [read.value(one.value) for one in source.keywords]
        rows = [one for one in counts if type(one) is int and one > 1]
        first, last = read.cell.span(target.elts[1])[0], read.cell.span(target.elts[-1])[1]
        axes = [read.text(one) for one in target.elts[1:]]
        grouped = f"({', '.join(axes)})"
        if len(rows) == 2 and rows[0] * rows[1] == len(axes):
            width = rows[1]
            parts = [axes[at : at + width] for at in range(0, len(axes), width)]
            grouped = "(" + ", ".join(f"({', '.join(part)})" for part in parts) + ")"
        why = "`subplots` gives a figure and all its axes as one; round brackets take these apart."
        yield from read.propose([SpanEdit(first, last, grouped)], why, "names in a pair", 0.95)
