"""The names nearest to one that was looked up in vain, each with the cell that asks for it instead.

No rule vouches for them: which one is meant is the user's to say. The edits are those of the rules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.access.edits import in_place_of, literals
from reflex_ipython.propose.rules.access.near_paths import near_paths
from reflex_ipython.propose.rules.access.paths import put_path
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.lookups.missing import Missing
from reflex_ipython.propose.rules.magics import magic_edits
from reflex_ipython.propose.rules.misspelt_argument import failing_keyword
from reflex_ipython.propose.rules.misspelt_attribute import attribute_edits
from reflex_ipython.propose.rules.misspelt_import import imported_name_edits, module_edits
from reflex_ipython.propose.rules.misspelt_key import key_edits
from reflex_ipython.propose.rules.science.plots import is_drawing
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

MOST = 6
"""Names that are offered."""

_LOOKED_AT = 2_000
"""Names that are compared: the first ones of a larger owner."""
_LONGEST = 100
"""Characters of a name; a longer one may have been cut when it was captured."""
_ALIKE = 70
"""Of 100: so like the wanted one a name must be where there are more than can be offered."""
_CLOSED = ("key", "column", "argument")
"""Kinds of look-ups whose owner has few names as a rule, and all of them of the user's own making."""
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True)
class NearMatch:
    """A name that is there.

    Parameters
    ----------
    name : str
        As the user reads it; a key that is no text as its `repr`.
    source : str
        The failing cell's text with this name in the place of the one that was not found.
    explanation : str
        In a sentence of fact.
    """

    name: str
    source: str
    explanation: str


def near_matches(failure: Failure) -> tuple[NearMatch, ...]:
    """The names that may be meant, the nearest first: at most `MOST`, each of which the cell can be made to read.

    Parameters
    ----------
    failure : Failure
    """
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or cell is None or lookup.setters:  # then the name is right, and another cell has to be mended
        return ()
    if lookup.owner_type == "numpy.ndarray" and is_drawing(lookup.wanted):  # one of its axes was meant, and no name
        return ()
    found: list[NearMatch] = []
    seen = {cell.source}
    for name in _nearest(failure, lookup):
        source = _edited(failure, cell, lookup, name)
        if source is not None and source not in seen and read(source).tree is not None:
            seen.add(source)
            found.append(NearMatch(name, source, f"{_missing(lookup)}; you chose `{name}`, which is there."))
            if len(found) == MOST:
                break
    return tuple(found)


def _nearest(failure: Failure, lookup: Lookup) -> list[str]:
    """The names to look at, the nearest first; a few more than are offered, as not each can be put in."""
    from rapidfuzz import fuzz, process  # 10 ms to import, which only a failure without a fix pays

    if lookup.kind == "path":
        likely = [path for path, _ in sorted(near_paths(lookup), key=lambda one: -one[1])]
        paths = dict.fromkeys([*likely, *(path for path in lookup.available if _is_of_a_kind(lookup.wanted, path))])
        return [path for path in paths if _can_be_offered(path, lookup)]
    there = [*lookup.available, *lookup.others]
    if lookup.kind == "name":
        there += [name for name in failure.situation.names if not name.startswith("_")]
    names = [name for name in dict.fromkeys(there) if _can_be_offered(name, lookup)][:_LOOKED_AT]
    everything = lookup.kind in _CLOSED and len(names) <= MOST
    found = process.extract(
        lookup.wanted,
        names,
        scorer=fuzz.WRatio,
        processor=str.lower,
        limit=2 * MOST,
        score_cutoff=None if everything else _ALIKE,
    )
    return [name for name, _, _ in found]


def _is_of_a_kind(wanted: str, path: str) -> bool:
    """Whether two files have the same ending and a word in common, `sales_2023.csv`, `sales_2024.csv`."""
    left, right = re.split(r"[\\/]", wanted.lower())[-1], path.lower().rpartition("/")[2]
    (stem, dot, ending), (other, _, its) = left.rpartition("."), right.rpartition(".")
    return bool(dot) and ending == its and bool({*_WORD.findall(stem)} & {*_WORD.findall(other)})


def _can_be_offered(name: str, lookup: Lookup) -> bool:
    hidden = name.startswith("_") and not lookup.wanted.startswith("_")
    if not name or name == lookup.wanted or len(name) > _LONGEST or not name.isprintable() or hidden:
        return False
    # What is much shorter is found in nearly everything: `abs` in `bananas`.
    return lookup.kind in (*_CLOSED, "path") or 2 * len(name) >= len(lookup.wanted)


def _edited(failure: Failure, cell: Cell, lookup: Lookup, name: str) -> str | None:
    """The cell with that name in the place of the wanted one; None if it is not certain where that stands."""
    if lookup.kind == "path":
        proposed = put_path(failure, cell, failing_nodes(failure, cell), lookup, name, "", 0.0)
        return next((one.source for one in proposed), None)
    if lookup.kind in ("name", "attribute", "argument", "import") and not name.isidentifier():
        return None
    edits = _edits(failure, cell, lookup, name)
    return apply(cell.source, edits) if edits else None


def _edits(failure: Failure, cell: Cell, lookup: Lookup, name: str) -> list[SpanEdit]:
    if lookup.kind == "name":
        return Missing(failure, lookup, cell).renamed(name)
    if lookup.kind == "attribute":
        return attribute_edits(failure, cell, name)
    if lookup.kind == "argument":
        keyword = failing_keyword(failure, cell)
        start = cell.span(keyword)[0] if keyword else 0
        return [SpanEdit(start, start + len(lookup.wanted), name)] if keyword else []
    if lookup.kind == "magic":
        return magic_edits(failure, cell, lookup, name)
    if lookup.kind == "module":
        return module_edits(failure, cell, lookup.wanted, name)
    if lookup.kind == "import":
        return imported_name_edits(failure, cell, lookup.wanted, name)
    return [*_label_edits(failure, cell, lookup, name)]


def _label_edits(failure: Failure, cell: Cell, lookup: Lookup, name: str) -> Iterator[SpanEdit]:
    """Of a key or column: inside its quotes where both are texts, else in the place of the whole literal."""
    nodes = failing_nodes(failure, cell)
    if name in lookup.available:
        edits = [] if set(name) & set("\\'\"{}") else key_edits(failure, cell, lookup, name)
        if not edits and lookup.kind == "column" and name.isidentifier():
            edits = attribute_edits(failure, cell, name)
        if edits:
            yield from edits
            return
    written = repr(name) if name in lookup.available else name
    asked = [node.slice for node in nodes if isinstance(node, ast.Subscript)]
    texts = [node for node in literals(nodes, lookup.wanted) if node in asked]
    others = [node for node in asked if isinstance(node, ast.Constant) and repr(node.value) == lookup.wanted]
    if len(texts or others) == 1:
        yield from in_place_of(cell, (texts or others)[0], written)


def _missing(lookup: Lookup) -> str:
    owner, wanted = lookup.owner, lookup.wanted
    if lookup.kind == "name":
        return f"The name `{wanted}` is not defined"
    if lookup.kind == "module":
        return f"There is no module `{wanted}`"
    if lookup.kind in ("path", "magic"):
        return f"There is no `{wanted}`"
    what = {"attribute": "attribute", "key": "key", "column": "column", "argument": "argument", "import": "name"}
    return f"{f'`{owner}`' if owner else 'It'} has no {what[lookup.kind]} `{wanted}`"
