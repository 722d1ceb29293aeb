"""Names that are near to the one that is not defined."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.lookups.missing import Missing, missing_name
from reflex_ipython.propose.rules.lookups.near import NearName, near
from reflex_ipython.propose.rules.lookups.other_names import CALLED
from reflex_ipython.propose.rules.misspelt_name import replacements
from reflex_ipython.propose.rules.proposal import Proposal

_EVERY = frozenset(dir(builtins))
_BUILTINS = frozenset(name for name in _EVERY if name[0].islower())


def near_name(failure: Failure) -> Iterator[Proposal]:
    """`itm`: `item`; `price`: `prices`; `X`: `x`."""
    missing = missing_name(failure)
    if missing is None or missing.is_unassigned:
        return
    more, also = _others(missing)
    for word, prior in _words(missing):
        edits = missing.renamed(word)
        why = f"The name `{missing.wanted}` is not defined; `{word}` is."
        yield from missing.changed(edits, why, "near name", prior)
        if more and edits:
            yield from missing.changed([*edits, *more], f"{why} So is {also}.", "near names", prior)


def _words(missing: Missing) -> list[NearName]:
    wanted = missing.wanted
    # The innermost frame's names are the first: a function's own, and those of a comprehension.
    theirs = [name for name in (*missing.lookup.available, *missing.failure.situation.names) if name not in _EVERY]
    found = near(wanted, theirs)
    if missing.calls() and wanted not in CALLED:
        found += [one for one in near(wanted, _BUILTINS, fixed=True) if one.prior >= 0.5]
    if len(wanted) == 1:
        found = [one for one in found if len(one.word) <= 2]
    run_through = _run_through(missing)
    found = [one._replace(prior=min(one.prior, 0.3)) if one.word in run_through else one for one in found]
    return sorted(found, key=lambda one: -one.prior)[:5]


def _run_through(missing: Missing) -> set[str]:
    """What the loops around the missing name run through: in `for i in items: print(item)`, `item` is none of it."""
    around = {outer for node in missing.reads() for outer in missing.cell.around(node)}
    loops = [node.iter for node in around if isinstance(node, (ast.For, ast.AsyncFor))]
    parts = [part.iter for node in around for part in getattr(node, "generators", ())]
    return {node.id for over in (*loops, *parts) for node in ast.walk(over) if isinstance(node, ast.Name)}


def _others(missing: Missing) -> tuple[list[SpanEdit], str]:
    """The edits of the cell's other names that are clearly misspelt, and what they become."""
    known = {missing.wanted, *missing.cell.bound, *missing.lookup.available, *missing.failure.situation.names, *_EVERY}
    calls = {node.func.id for node in missing.cell.every(ast.Call) if isinstance(node.func, ast.Name)}
    edits: list[SpanEdit] = []
    words: list[str] = []
    for name in dict.fromkeys(node.id for node in missing.cell.every(ast.Name) if node.id not in known):
        theirs = closest(name, [word for word in missing.lookup.available if word not in _EVERY])
        word = theirs or (closest(name, _BUILTINS, fixed=True) if name in calls else None)
        found = replacements(missing.cell, name, word) if word else None
        if word and found:
            edits += found
            words.append(f"`{word}`, for `{name}`")
    return edits, ", ".join(words)
