"""Attributes that are near to the one that is not there, or go by another word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.closeness import closest, fold
from reflex_ipython.propose.rules.lookups.forms import text_of, where
from reflex_ipython.propose.rules.lookups.missing import accesses, missing_attribute
from reflex_ipython.propose.rules.lookups.near import NearName, near
from reflex_ipython.propose.rules.lookups.other_attributes import ANY, BUILTINS
from reflex_ipython.propose.rules.lookups.words_of_modules import word_of
from reflex_ipython.propose.rules.proposal import Proposal

# Words that say the same; whichever of a group is there may be meant.
_SAME = (
    "mean average avg",
    "std stdev sd standard_deviation",
    "var variance",
    "max maximum largest biggest",
    "min minimum smallest",
    "sum total",
    "count length size number len",
    "sqrt squareroot square_root root",
    "pow power",
    "abs fabs absolute absolute_value",
    "remove delete drop discard pop erase rm",
    "append add push insert push_back",
    "extend concat addAll update union",
    "find index search indexOf locate",
    "sort sort_values order sorted order_by sortBy",
    "rename rename_columns set_names",
    "replace substitute sub gsub",
    "isdigit isnumeric isnumber is_number isint is_digit",
    "upper uppercase toupper to_upper capitalize",
    "lower lowercase tolower to_lower",
    "strip trim chomp",
    "unique distinct uniq",
    "nunique n_unique count_distinct n_distinct",
    "value_counts counts frequencies table",
    "groupby group_by group",
    "merge join inner_join left_join",
    "fillna fill_na replace_na",
    "dropna drop_na remove_na na_omit",
    "isna isnull is_null is_na isnan",
    "to_csv save write write_csv export",
    "to_numpy to_array as_matrix toarray",
    "tolist to_list toList",
    "head first top limit",
    "tail last",
    "columns column_names colnames names header headers fields column_labels",
    "shape dim dims dimensions",
    "T transpose",
    "query filter where",
    "plot graph draw",
    "predict predictions forecast",
    "fit train learn",
    "random rand",
    "keys key",
    "values value",
    "items item entries iteritems",
    "read readtext read_text read_all",
    "exists exist is_there",
    "close shutdown",
    "copy clone duplicate",
    "now today current",
)
_MODULE = re.compile(r"module '([\w.]+)' has no attribute")
_MOST = 6
_SHORT = 3
"""Letters that an abbreviation has at least."""
_GROUPS = [frozenset(group.split()) for group in _SAME]


def near_attribute(failure: Failure) -> Iterator[Proposal]:
    """`math.squareroot`: `math.sqrt`; `(df["a"] + 1).menn()`: `.mean()`."""
    missing = missing_attribute(failure)
    nodes = accesses(missing) if missing is not None else []
    if missing is None or not nodes:
        return
    lookup, wanted = missing.lookup, missing.wanted
    available = [name for name in lookup.available if name != wanted]
    # What has a form of its own in Python is rarely a slip: `xs.sorted()` is not `xs.sort()`, which gives nothing.
    own = not lookup.owner_type.startswith(("pandas.", "numpy.")) and lookup.owner_type != "module"
    known = 0.4 if own and (wanted in BUILTINS or wanted in ANY) else 1.0
    module = _MODULE.search(failure.error.evalue)
    for word, prior in near_members(wanted, available, module[1] if module else ""):
        prior *= known
        edits = [
            SpanEdit(end - len(wanted), end, word)
            for _, end, _ in filter(None, (where(missing.cell, n) for n in nodes))
        ]
        if any(missing.cell.source[edit.start : edit.end] != wanted for edit in edits):
            return
        owner = text_of(missing.cell, nodes[0].value)
        why = f"`{owner}` has no attribute `{wanted}`; it has `{word}`."
        yield from missing.changed(edits, why, "near attribute", prior)


def near_members(wanted: str, available: list[str], module: str = "") -> list[NearName]:
    """The few members of an object or a module that may be meant, the likeliest first. `module`: its name."""
    known = word_of(module, wanted)
    words = {known: 0.9} if known in available else {}
    found = [*_turned(wanted, available), *_same(wanted, available), *near(wanted, available, fixed=True)]
    for word, prior in [*found, *_abbreviated(wanted, available)]:
        words[word] = max(prior, words.get(word, 0))
    return [NearName(word, prior) for word, prior in sorted(words.items(), key=lambda one: -one[1])[:_MOST]]


def _abbreviated(wanted: str, available: list[str]) -> list[NearName]:
    """The names that are the wanted one in short: `squareroot`, `sqrt`; `arithmetic_mean` is none."""
    target, found = fold(wanted), []
    for word, short in zip(available, fold("\n".join(available)).split("\n")):
        if len(short) < _SHORT or len(short) + 2 > len(target) or not target.startswith(short[0]):
            continue
        letters = iter(target)
        if short[0] == target[0] and short.isalpha() and all(letter in letters for letter in short):
            found.append(word)
    longest = max(map(len, found), default=0)
    best = [word for word in found if len(word) == longest and not word.startswith("_")]
    return [NearName(word, 0.55 if len(best) == 1 else 0.35) for word in best[:2]]


def _turned(wanted: str, available: list[str]) -> list[NearName]:
    """The same words in another order: `normalize_json`, `json_normalize`."""
    words = sorted(wanted.lower().split("_"))
    return [NearName(word, 0.93) for word in available if len(words) > 1 and sorted(word.lower().split("_")) == words]


def _same(wanted: str, available: list[str]) -> list[NearName]:
    """The words that say the same as the one that was asked for."""
    groups = [group for group in _GROUPS if wanted in group or wanted.lower() in group]
    if not groups:
        word = closest(wanted, (word for group in _GROUPS for word in group), fixed=True)
        groups = [group for group in _GROUPS if word in group]
    taken = "remove" in groups[0] if groups else False  # what each of these takes out is told in another way
    return [NearName(word, 0.4 if taken else 0.6) for group in groups for word in available if word in group]
