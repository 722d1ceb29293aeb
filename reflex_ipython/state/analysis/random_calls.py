"""Calls of methods of generators of random numbers: those that libraries share, and the user's own."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.builtin_calls import look_at
from reflex_ipython.state.analysis.tables import RANDOM_WRITING_FIRST
from reflex_ipython.state.analysis.values import BOX, DATA, FRESH_DATA, SOME_DATA, Unknown, Value
from reflex_ipython.state.analysis.writes import write_data, write_whole
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.operations import whole

Keywords = dict[str, Value]


def call_generator(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: Keywords) -> Value:
    """What a method of a generator gives."""
    look_at(a, args, keywords)
    if "out" in keywords or name in ("spawn", "permuted") or any(value.form == DATA for value in args[2:]):
        raise Unknown(f"method {name} of a generator")
    o = receiver.o
    if name in RANDOM_WRITING_FIRST and args:
        _shuffled(a, args[0])
    if receiver.fresh:
        return FRESH_DATA
    if o is MISSING:
        raise Unknown("some generator")
    if is_shared_generator(o):
        a.draws = True
    elif type(o).__name__ == "Generator":
        bits = o.bit_generator
        a.snapshot(bits, None, whole(bits))
    else:
        a.snapshot(o, None, whole(o))
    return SOME_DATA if name in ("choice", "choices", "sample") else FRESH_DATA


def is_shared_generator(o: Any) -> bool:
    """Whether it is the one that `random` or `numpy.random` draw from."""
    mtrand = sys.modules.get("numpy.random.mtrand")
    random = sys.modules.get("random")
    return o is getattr(random, "_inst", None) or (mtrand is not None and o is mtrand._rand)


def _shuffled(a: Analysis, target: Value) -> None:
    if target.form == BOX and target.o is not MISSING:
        write_whole(a, target.o)
    elif target.form == DATA:
        write_data(a, target, "shuffle")
    elif not target.fresh:
        raise Unknown("a shuffle of something")
