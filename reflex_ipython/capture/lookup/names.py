"""Names that are not defined, or not yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from inspect import CO_OPTIMIZED

from reflex_ipython.capture import chain, libraries
from reflex_ipython.capture.lookup.holders import holders
from reflex_ipython.capture.trace import Step
from reflex_ipython.models import Lookup

# What IPython puts into every namespace.
HIDDEN = frozenset({"In", "Out", "exit", "quit", "get_ipython", "open"})

_KEPT = 20
"""Names that are told before all others where not all can be."""
_QUOTED = re.compile(r"(?:name|variable) '([^\W\d]\w*)'")


def find(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """The name, and the names that the failing frame can see: its own, the globals, the builtins."""
    wanted = chain.field(exc, NameError, "name")
    if type(wanted) is not str:
        found = _QUOTED.search(chain.message(exc))
        wanted = found[1] if found else None
    if not wanted:
        return None
    there = visible(steps, wanted) if steps else ()
    # A local name without a value may hide a global one: that was not what was looked up.
    held = holders(wanted, steps[-1].frame.f_globals) if steps and steps[-1].cell is not None else {}
    return Lookup("name", wanted, available=tuple(name for name in there if name != wanted), holders=held)


def visible(steps: list[Step], wanted: str = "") -> tuple[str, ...]:
    """The names that the innermost frame can see, its own first, without private ones unless one was wanted.

    A comprehension, which has a frame of its own before Python 3.12, or a lambda sees those of the function around it,
    which is known if that called it.
    """
    step = steps[-1]
    own: list[str] = []
    for inner, outer in zip(reversed(steps), [*reversed(steps[:-1]), None]):
        own += inner.own_names()
        around = outer.frame.f_code if outer is not None else None
        if around is None or not around.co_flags & CO_OPTIMIZED or inner.frame.f_code not in around.co_consts:
            break
    own = [name for name in own if name.isidentifier()]
    builtins = [name for name in list(dict.keys(step.frame.f_builtins)) if type(name) is str]
    known = users(step.frame.f_globals, wanted)
    first = nearest(wanted, known, _KEPT) if len(known) > libraries.LABELS else []
    return libraries.labels(dict.fromkeys([*own, *first, *known, *_shown(builtins, wanted)]))


def nearest(wanted: str, names: Sequence[str], most: int, alike: int = 0) -> list[str]:
    """The names that are most like another one, in capitals or not.

    Parameters
    ----------
    wanted : str
        The other one.
    names : sequence of str
    most : int
        How many are given.
    alike : int
        Per cent of likeness that they must have.
    """
    from rapidfuzz import fuzz, process  # imported at the first failure, not at load

    found = process.extract(wanted, names, scorer=fuzz.ratio, processor=str.lower, limit=most, score_cutoff=alike)
    return [name for name, _, _ in found]


def users(namespace: dict[str, object], wanted: str = "") -> list[str]:
    """The user's names in a namespace."""
    return [name for name in _shown(list(dict.keys(namespace)), wanted) if name not in HIDDEN]


def _shown(names: list[str], wanted: str) -> list[str]:
    private = wanted.startswith("_")
    return [name for name in names if type(name) is str and (private or not name.startswith("_"))]
