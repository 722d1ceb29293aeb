"""A module of a distribution that is not installed."""

from __future__ import annotations

import re
import sys

from reflex_ipython.base.distributions import known_distribution
from reflex_ipython.models import Failure, Fix, Install, new_id
from reflex_ipython.models.requirement import is_plain, name_of


def missing_distribution(failure: Failure, provider: str) -> Fix | None:
    """`import sklearn`: install scikit-learn.

    Only what is known: a name of the list of distributions, or what a file beside the notebook asks for. Anybody may
    have published something under any other name, a misspelt one first of all.
    """
    lookup = failure.lookup
    if lookup is None or lookup.kind != "module" or lookup.wanted.partition(".")[0] in sys.stdlib_module_names:
        return None
    requirement = lookup.requirement or known_distribution(lookup.wanted, below=lookup.owner)
    if not requirement or not is_plain(requirement) or (lookup.requirement and lookup.owner):
        return None
    module = lookup.wanted if lookup.owner else lookup.wanted.partition(".")[0]
    named = re.split(r"[^\w.-]", requirement)[0]
    what = "is a package that" if name_of(requirement) == name_of(module) else f"is part of the package {named}, which"
    why = f"`{module}` {what} is not installed here."
    if lookup.requirement:
        why += f" A file beside the notebook asks for `{requirement}`."
    return Fix(new_id(), (Install(requirement),), why, provider, "missing package")
