"""Failed look-ups: what was asked for, of whom, and what is really there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from reflex_ipython.capture import safe_inspection
from reflex_ipython.capture.bounds import attempt, clip
from reflex_ipython.capture.lookup import arguments, attributes, keys, magics, modules, names, paths, tables
from reflex_ipython.capture.lookup.hiding import hiding_file
from reflex_ipython.capture.trace import Step
from reflex_ipython.models import Lookup

__all__ = ["lookup"]

# Each says what it knows of the exceptions of its class, or None. The first answer counts.
_FINDERS: tuple[tuple[type[BaseException], Callable[[BaseException, list[Step]], Lookup | None]], ...] = (
    (Exception, tables.find),
    (Exception, magics.find),
    (NameError, names.find),
    (ImportError, modules.find),
    (AttributeError, arguments.find),
    (TypeError, arguments.find),
    (AttributeError, attributes.find),
    (KeyError, keys.find),
    (OSError, paths.find),
)

_OF_MODULES = ("module", "import", "attribute")
_NO_LOOKUP = ("pandas.errors.UnsortedIndexError",)
"""Kinds of `KeyError` that tell of no key."""


def lookup(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """What an exception tells of a failed look-up, or None.

    Parameters
    ----------
    exc : BaseException
        The exception.
    steps : list of Step
        Its traceback.
    """
    if safe_inspection.type_name(exc) in _NO_LOOKUP:
        return None
    for base, find in _FINDERS:
        if safe_inspection.is_a(exc, base):
            found = attempt(None, find, exc, steps)
            if found is not None:
                hiding = attempt("", hiding_file, exc) if found.kind in _OF_MODULES else ""
                return _bounded(dataclasses.replace(found, hiding=hiding))
    return None


def _bounded(found: Lookup) -> Lookup | None:
    """The look-up with bounded texts; None if what was wanted is there: then something else went wrong.

    A key or column is told as text, so that the number 1 looks like "1": for these it can't be said. A path with `~` is
    there for a shell alone.
    """
    if found.kind not in ("key", "column", "path") and found.wanted in found.available:
        return None
    return Lookup(
        found.kind,
        clip(found.wanted, 200),
        clip(found.owner, 200),
        clip(found.owner_type, 200),
        tuple(clip(name, 200) for name in found.available),
        {clip(name, 200): kind for name, kind in found.holders.items()},
        others=tuple(clip(label, 200) for label in found.others),
        levels=tuple(clip(name, 200) for name in found.levels),
        requirement=found.requirement,
        hiding=clip(found.hiding, 500),
    )
