"""Who is at fault when a function of an earlier cell fails: its own text, or what it was given.

A function may have worked before, with other data. Where it asks a value for what that does not have, it is at fault
only if the word can be nothing but a slip of the finger.
"""

from __future__ import annotations

import ast
import collections
import re

from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.defining_cell import functions_at, parameters
from reflex_ipython.propose.rules.statements import statement_at

# What a caller may have mixed up: a set given for a list, a list for an array.
_TYPES = (list, tuple, set, dict, str, collections.deque)
_OF_OTHERS = frozenset(name for kind in _TYPES for name in dir(kind)) | {"size", "shape", "T"}


def is_to_blame(there: Failure, failure: Failure) -> bool:
    """Whether the function's text is clearly wrong, as far as a failed look-up can say.

    Parameters
    ----------
    there : Failure
        As it looks from the function's cell (`defining_cell`).
    failure : Failure
        As it was captured.
    """
    lookup = there.lookup
    if lookup is None or not _is_of_a_value(there, lookup) or _adds_to_a_key_of_its_own(there, lookup):
        return True
    if lookup.kind == "attribute" and lookup.wanted in _OF_OTHERS:
        return False
    near = closest(lookup.wanted, lookup.available, fixed=True)
    slip = near is None or near == closest(lookup.wanted, lookup.available)
    return slip and not _is_used_elsewhere(lookup.wanted, there, failure)


def _is_of_a_value(there: Failure, lookup: Lookup) -> bool:
    """Whether a value was asked that may be another one next time: no module, no class, no function that is known."""
    if lookup.kind == "argument":
        return re.split(r"\W", lookup.owner)[0] in _given(there)
    return lookup.kind in ("attribute", "key", "column") and lookup.owner_type not in ("module", "type")


def _adds_to_a_key_of_its_own(there: Failure, lookup: Lookup) -> bool:
    """`counts = {}` and `counts[word] += 1` in one function: the first word fails, whatever the function is given."""
    statement = statement_at(read(there.situation.source), there.lineno or 0)
    target = statement.target if isinstance(statement, ast.AugAssign) else None
    if lookup.kind != "key" or not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return False
    functions = functions_at(read(there.situation.source), there.lineno or 0)
    made = (node for one in functions for node in ast.walk(one) if isinstance(node, ast.Assign))
    return any(ast.unparse(one) in (f"{target.value.id} = {{}}", f"{target.value.id} = dict()") for one in made)


def _given(there: Failure) -> set[str]:
    lines = functions_at(read(there.situation.source), there.lineno or 0)
    return {name for function in lines for name in parameters(function)}


def _is_used_elsewhere(word: str, there: Failure, failure: Failure) -> bool:
    """Whether the word is anywhere but in the failing function: in another cell, or in another table."""
    functions = functions_at(read(there.situation.source), there.lineno or 0)
    lines = there.situation.source.split("\n")
    rest = [*lines[: functions[0].lineno - 1], *lines[functions[0].end_lineno :]] if functions else lines
    texts = (failure.situation.source, "\n".join(rest), *(cell.source for cell in there.situation.earlier))
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    variables = (variable for frame in failure.error.frames for variable in frame.variables)
    return any(pattern.search(text) for text in texts) or any(word in variable.labels for variable in variables)
