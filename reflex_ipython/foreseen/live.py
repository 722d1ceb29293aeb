"""Looking at the values of a namespace that a running cell changes.

One at a time, and none is held while the next is looked at: what the cell lets go of meanwhile is not kept alive, and
is not finalized on this thread.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import module_vars


def names(namespace: dict[str, Any]) -> list[str]:
    """The names there, as they are now."""
    return [name for name in list(namespace) if type(name) is str]


def values(namespace: dict[str, Any], of: list[str] | None = None) -> Iterator[tuple[str, Any]]:
    """Names with their values; to be gone through without keeping any."""
    for name in names(namespace) if of is None else of:
        found = dict.get(namespace, name)
        if found is not None:
            yield name, found
        del found


def is_of(o: object, module: str, name: str) -> bool:
    """Whether an object's own class is that one of a library, which is asked only if it is loaded."""
    found = sys.modules.get(module)
    return found is not None and type(o) is module_vars(found).get(name)


def holders(name: str, namespace: dict[str, Any]) -> int:
    """How many hold the value of a name that are no names of it, and no results that the shell keeps."""
    owner = dict.get(namespace, name)
    known = sum(other is owner for _, other in values(namespace))
    results = dict.get(namespace, "_oh")
    known += sum(dict.get(results, key) is owner for key in list(results)) if type(results) is dict else 0
    return sys.getrefcount(owner) - known - _OWN


_OWN = 0
_OWN = holders("o", {"o": object()})
"""References that are made by counting them."""
