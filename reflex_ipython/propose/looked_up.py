"""A failed look-up in words: what was asked for, of whom, and what is really there. Pure."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Sequence

from reflex_ipython.models import Lookup, Situation
from reflex_ipython.propose.assign import name
from reflex_ipython.propose.shorten import closest_first, near, one_line

_OF_CONTENT = ("key", "column", "argument", "path")
"""Look-ups in what the user has made: all of that may be meant. Elsewhere only what is alike is told."""
_NOT_TOLD = ("table", "file", "defines", "alike")
"""Kinds of holders that have nothing called so, or that are paths, which may be private."""
_BUILTINS = frozenset(dir(builtins))
_NAME = re.compile(r"name '([^\W\d]\w*)' is not defined")
_MOST = 20


def looked_up(lookup: Lookup | None, situation: Situation, most: int) -> Iterator[str]:
    """What was looked up in vain, and what there is, a line each.

    Parameters
    ----------
    lookup : Lookup or None
    situation : Situation
    most : int
        How many names of a kind are told.
    """
    if lookup is None:
        return
    yield missing(lookup)
    there = _there(lookup, situation)[:most]
    if there:
        yield f"{_what_is_there(lookup, there)}: {', '.join(map(one_line, there))}"
    elif lookup.kind in _OF_CONTENT and not lookup.others:
        yield "There is nothing in it." if lookup.kind != "path" else "There are no files."
    if lookup.others:
        yield f"Its keys: {', '.join(map(one_line, lookup.others[:most]))}"
    if lookup.kind == "column" and lookup.wanted in lookup.levels:
        yield f"{one_line(lookup.wanted)} is the name of its index, not a column; `.reset_index()` makes it a column."
    elif any(lookup.levels):
        yield f"Its index is named: {', '.join(map(one_line, filter(None, lookup.levels)))}"
    alike = [holder for holder, kind in lookup.holders.items() if kind == "alike"]
    if alike:
        yield f"Own modules with a name like it: {', '.join(map(one_line, alike))}"
    held = [f"{holder} ({kind})" for holder, kind in list(lookup.holders.items())[:8] if kind not in _NOT_TOLD]
    if held:
        yield f"{one_line(lookup.wanted)} is in: {', '.join(map(one_line, held))}"
    for setter in lookup.setters:
        yield f"{name(setter.cell).removeprefix('# ')} would have set it, but failed: {one_line(setter.error)}"


def _there(lookup: Lookup, situation: Situation) -> list[str]:
    """What may be meant, the closest first: all that the user has made, or that is little; else what is alike."""
    if lookup.kind in _OF_CONTENT:
        return closest_first(lookup.wanted, lookup.available)
    if lookup.kind == "name":
        own = [one for one in lookup.available if one not in _BUILTINS or one in situation.names]
        alike = near(lookup.wanted, [one for one in lookup.available if one in _BUILTINS])
        return [*closest_first(lookup.wanted, own), *alike[:3]]
    of_users = "." not in lookup.owner_type and lookup.owner_type not in _BUILTINS
    if (of_users and lookup.kind == "attribute") or len(lookup.available) <= _MOST:
        return closest_first(lookup.wanted, lookup.available)
    return near(lookup.wanted, lookup.available)


def _what_is_there(lookup: Lookup, there: Sequence[str]) -> str:
    words = {"column": "Its columns", "key": "Its keys", "argument": "It takes", "name": "Names that exist"}
    alike = lookup.kind not in _OF_CONTENT and len(there) < len(lookup.available)
    return words.get(lookup.kind, f"What is there{', and is alike' * alike}")


def missing(lookup: Lookup) -> str:
    """What was looked up in vain, as a sentence."""
    owner = one_line(lookup.owner or lookup.owner_type)
    kind = f" ({lookup.owner_type})" if lookup.owner and lookup.owner_type else ""
    what = {
        "module": "There is no module",
        "path": "There is no file",
        "import": f"{owner} has nothing to import called",
    }.get(lookup.kind, f"{owner}{kind} has no {lookup.kind}" if owner else f"There is no {lookup.kind}")
    return f"{what} {lookup.wanted!r}."


def there_instead(ename: str, evalue: str, situation: Situation) -> str:
    """What there is of what an error says is not there, as far as the question knows it; else empty.

    Parameters
    ----------
    ename, evalue : str
        Of an error that a trial has ended with.
    situation : Situation
    """
    unknown = _NAME.search(evalue)
    if ename == "NameError" and unknown:
        alike = near(unknown[1], situation.names)
        return f"Names that exist and are alike: {', '.join(alike)}" if alike else ""
    if ename == "KeyError":
        wanted = evalue.strip("'\"")
        holders = [value for value in situation.values if near(wanted, value.labels)]
        return "\n".join(f"{one.name} has: {', '.join(map(one_line, one.labels[:_MOST]))}" for one in holders[:2])
    return ""
