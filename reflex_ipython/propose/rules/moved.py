"""Attributes and names that were renamed or removed, or that another language has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.misspelt_argument import failing_keyword
from reflex_ipython.propose.rules.misspelt_attribute import failing_accesses
from reflex_ipython.propose.rules.misspelt_name import replacements
from reflex_ipython.propose.rules.moved_names import ARGUMENTS, ATTRIBUTES, CALLS, LENGTHS, NAMES, SIZED
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell

_MODULE = re.compile(r"module '([\w.]+)' has no attribute")
_CLASS = re.compile(r"(type) object '([\w.]+)' has no attribute")


def moved_attribute(failure: Failure) -> Iterator[Proposal]:
    """`np.float`: `float`; `df.iteritems()`: `df.items()`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "attribute" or cell is None:
        return
    pattern = ATTRIBUTES.get(owner_kind(failure, lookup), {}).get(lookup.wanted)
    if pattern is None or not _is_there(pattern, lookup) or pattern.partition(".")[0] in cell.bound:
        return
    nodes = failing_accesses(failure, cell)
    edits = [SpanEdit(*cell.span(node), pattern.format(owner=cell.text(node.value))) for node in nodes]
    if edits:
        old, new = cell.text(nodes[0]), edits[0].text
        yield Proposal(apply(cell.source, edits), f"There is no `{old}` here; `{new}` replaces it.", "moved name")


def moved_call(failure: Failure) -> Iterator[Proposal]:
    """`pd.TimeGrouper("5min")`: `pd.Grouper(freq="5min")`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "attribute" or cell is None:
        return
    function, argument = CALLS.get((owner_kind(failure, lookup), lookup.wanted), ("", ""))
    accesses = failing_accesses(failure, cell) if function else []
    calls = [node for node in cell.every(ast.Call) if node.func in accesses]
    if not calls or len(calls) != len(accesses) or any(len(call.args) > 1 for call in calls):
        return
    edits = [SpanEdit(end - len(lookup.wanted), end, function) for node in accesses for end in [cell.span(node)[1]]]
    for call in calls:
        edits += [SpanEdit(start, start, f"{argument}=") for node in call.args for start in [cell.span(node)[0]]]
    why = f"`{lookup.wanted}` was removed; `{function}` does the same, and takes that as `{argument}`."
    yield Proposal(apply(cell.source, edits), why, "moved name")


def length_of_another_language(failure: Failure) -> Iterator[Proposal]:
    """`words.length`: `len(words)`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "attribute" or lookup.wanted not in LENGTHS or cell is None:
        return
    if _kind(lookup.owner_type) not in SIZED or "len" in {*failure.situation.names, *cell.bound}:
        return
    accesses = failing_accesses(failure, cell)
    calls = {node.func: node for node in cell.every(ast.Call)}
    edits = []
    for access in accesses:
        call = calls.get(access)
        if call and (call.args or call.keywords):
            return
        edits.append(SpanEdit(*cell.span(call or access), f"len({cell.text(access.value)})"))
    if edits:
        owner = a(f"`{_kind(lookup.owner_type)}`", capital=True)
        why = f"{owner} has no attribute `{lookup.wanted}`; its length is `{edits[0].text}`."
        yield Proposal(apply(cell.source, edits), why, "length of another language")


def moved_name(failure: Failure) -> Iterator[Proposal]:
    """`raw_input`: `input`, and other names of Python 2."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "name" or cell is None or lookup.wanted not in NAMES:
        return
    there = cell.bound.union(failure.situation.names)
    wanted, word = lookup.wanted, NAMES[lookup.wanted]
    edits = None if wanted in there or word in there else replacements(cell, wanted, word)
    if edits:
        why = f"`{wanted}` is a Python 2 name; Python 3 calls it `{word}`."
        yield Proposal(apply(cell.source, edits), why, "name of Python 2")


def moved_argument(failure: Failure) -> Iterator[Proposal]:
    """`plt.hist(x, normed=True)`: `density=True`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "argument" or cell is None:
        return
    keyword = failing_keyword(failure, cell)
    calls = [node for node in cell.every(ast.Call) if keyword in node.keywords]
    if keyword is None or len(calls) != 1:
        return
    function = ast.unparse(calls[0].func).rpartition(".")[2]
    word = ARGUMENTS.get((function, lookup.wanted))
    if word and word not in {other.arg for other in calls[0].keywords}:
        start = cell.span(keyword)[0]
        why = f"The argument `{lookup.wanted}` of `{function}` is now called `{word}`."
        yield Proposal(apply(cell.source, [SpanEdit(start, start + len(lookup.wanted), word)]), why, "moved argument")


def owner_kind(failure: Failure, lookup: Lookup) -> str:
    """What was asked, as the tables call it: a module's name, or a type's without its inner modules."""
    match = _MODULE.search(failure.error.evalue) or _CLASS.search(failure.error.evalue)
    if match is None and lookup.owner_type.rpartition(".")[2] == "module":
        # A module may say it in words of its own, as numpy does: "`np.NaN` was removed in the NumPy 2.0 release."
        return failure.situation.meanings.get(lookup.owner, lookup.owner)
    return " ".join(match.groups()) if match else _kind(lookup.owner_type)


def _kind(qualified: str) -> str:
    package, _, _ = qualified.partition(".")
    name = qualified.rpartition(".")[2]
    return name if package in (name, "builtins") else f"{package}.{name}"


def _is_there(pattern: str, lookup: Lookup) -> bool:
    """Whether what the pattern asks of the same owner is really there, as far as that is known."""
    first = pattern.removeprefix("{owner}.").partition(".")[0]
    # Modules load some of their parts late; those are not in a list of what is there.
    part_of_module = pattern.count(".") > 1
    return not pattern.startswith("{owner}.") or not lookup.available or part_of_module or first in lookup.available
