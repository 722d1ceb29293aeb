"""Arguments by a name that the function does not take: called otherwise, replaced, or left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate, text_of
from reflex_ipython.propose.rules.access.nearness import near
from reflex_ipython.propose.rules.calling.moved_arguments import HANDED_ON, METHODS, REPLACED, SYNONYMS
from reflex_ipython.propose.rules.calling.nodes import last_name, without_argument
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_KEYWORD = re.compile(r"keyword (?:grid_)?(\w+) is not recognized")
_FEW = 4
"""Parameters; of so few, the only one that is left may be meant by any name."""
_OF_BUILTINS = {
    "enumerate": ("start",), "sorted": ("key", "reverse"), "sort": ("key", "reverse"), "round": ("ndigits",),
    "sum": ("start",), "int": ("base",), "max": ("key", "default"), "min": ("key", "default"), "zip": ("strict",),
    "print": ("sep", "end", "file", "flush"), "open": ("mode", "encoding", "newline", "errors", "buffering"),
}  # fmt: skip
"""What Python's own functions take by name, where they do not tell it themselves."""
_OPPOSITES = {"ascending": "reverse", "descending": "reverse"}


def refused_keyword(failure: Failure) -> Iterator[Proposal]:
    """`train(lr=0.1, epochs=3)`: `train(learning_rate=0.1, n_epochs=3)`, by the parameters that are really there."""
    lookup, cell = failure.lookup, failing_cell(failure)
    other = _KEYWORD.search(failure.error.evalue) if lookup is None else None
    if cell is None or not (other or (lookup is not None and lookup.kind == "argument")):
        return
    wanted = other[1] if other else lookup.wanted if lookup else ""
    available = lookup.available if lookup else ()
    if lookup and lookup.owner.rpartition(".")[2] in HANDED_ON:
        available = (*available, *HANDED_ON[lookup.owner.rpartition(".")[2]])
    for call, keyword in _refused(failure, cell, wanted):
        name, given = last_name(call.func), {one.arg for one in call.keywords}
        available = available or _OF_BUILTINS.get(name, ())
        free = tuple(word for word in available if word not in given)
        yield from _replaced(cell, call, keyword, name)
        left = [word for word in free if word not in available[: len(call.args)]]
        if len(left) == 1 and len(call.keywords) > 1 and len(available) <= _FEW and not list(_meant(wanted, free)):
            yield from _renamed(cell, call, keyword, left[0], 0.7, available)
        for word, prior in _meant(wanted, free):
            yield from _renamed(cell, call, keyword, word, prior, available)
        opposite = _OPPOSITES.get(wanted)
        if opposite in free and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, bool):
            value = keyword.value.value if wanted == "descending" else not keyword.value.value
            why = f"`{name}` takes no `{wanted}`, but `{opposite}`."
            edits = [SpanEdit(*cell.span(keyword), f"{opposite}={value}")]
            yield from candidate(cell, edits, why, "closest argument", 0.93)
        why = f"`{name}` takes no argument `{wanted}`; this leaves it out."
        yield from candidate(cell, [without_argument(cell, call, keyword)], why, "argument left out", 0.22)


def _refused(failure: Failure, cell: Cell, wanted: str) -> Iterator[tuple[ast.Call, ast.keyword]]:
    for call in failing_nodes(failure, cell):
        for keyword in call.keywords if isinstance(call, ast.Call) else ():
            if isinstance(call, ast.Call) and keyword.arg == wanted:
                yield call, keyword


def _replaced(cell: Cell, call: ast.Call, keyword: ast.keyword, name: str) -> Iterator[Proposal]:
    wanted, value = keyword.arg or "", cell.text(keyword.value)
    pattern = REPLACED.get((name, wanted))
    if (name, wanted) == ("groupby", "axis") and value not in ("0", "'index'", '"index"'):
        pattern = None  # over columns: something else altogether
    if pattern is not None:
        made = pattern.format(value=value)
        edit = SpanEdit(*cell.span(keyword), made) if made else without_argument(cell, call, keyword)
        told = f"is written `{made}` now" if made else "is gone"
        why = f"The argument `{wanted}` of `{name}` {told}."
        yield from candidate(cell, [edit], why, "moved argument", 0.9 if made else 0.6)
    method = METHODS.get((name, wanted), {}).get(text_of(keyword.value) or "")
    if method and isinstance(call.func, ast.Attribute):
        start = cell.span(call.func)[1] - len(name)
        why = f"`{name}` has no argument `{wanted}` any more; `{method}` does the same."
        yield from candidate(cell, [SpanEdit(start, cell.span(call)[1], method)], why, "moved argument", 0.93)
    if (name, wanted) == ("mean_squared_error", "squared") and value == "False":
        end = cell.span(call)[1]
        why = "`mean_squared_error` has no argument `squared` any more; the root is taken of what it returns."
        edits = [without_argument(cell, call, keyword), SpanEdit(end, end, " ** 0.5")]
        yield from candidate(cell, edits, why, "moved argument", 0.93)
    if wanted == "level" and isinstance(call.func, ast.Attribute) and name in ("sum", "mean", "count", "max", "min"):
        end = cell.span(call.func.value)[1]
        edits = [SpanEdit(end, end, f".groupby(level={value})"), without_argument(cell, call, keyword)]
        why = f"`{name}` has no argument `level` any more; `groupby` takes it."
        yield from candidate(cell, edits, why, "moved argument", 0.93)


def _meant(wanted: str, free: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    """The parameters that may be meant: by the same thing's other names, and by how they are written."""
    same = {word for group in SYNONYMS if wanted in group for word in group & set(free)}
    close = {one.word: one.prior for one in near(wanted, free)}
    ordered = sorted(same, key=lambda word: (-close.get(word, 0), word))
    yield from ((word, 0.75 if len(same) == 1 else 0.6 if place == 0 else 0.25) for place, word in enumerate(ordered))
    yield from ((word, prior) for word, prior in close.items() if word not in same)


def _renamed(
    cell: Cell,
    call: ast.Call,
    keyword: ast.keyword,
    word: str,
    prior: float,
    taken: tuple[str, ...],
) -> Iterator[Proposal]:
    """The argument by another name, together with the other ones that are not taken either."""
    given = {one.arg for one in call.keywords}
    left = [one for one in taken if one != word and one not in given]
    words = {keyword: word}
    for other in call.keywords:
        if other is not keyword and other.arg and other.arg not in taken:
            meant = next((one for one, likely in _meant(other.arg, tuple(left)) if likely >= 0.5), None)
            if meant:
                words[other] = meant
                left.remove(meant)
    edits = []
    for one, new in words.items():
        start = cell.span(one)[0]
        edits.append(SpanEdit(start, start + len(one.arg or ""), new))
    name = ast.unparse(call.func)
    told = ", ".join(f"`{one.arg}` is `{new}`" for one, new in words.items())
    yield from candidate(cell, edits, f"`{name}` takes no argument `{keyword.arg}`: {told}.", "closest argument", prior)
