"""Generators of random numbers of Python and numpy, and the state that the modules share."""

from __future__ import annotations

import _random
import random
import sys
from collections.abc import Iterator
from typing import Any

from reflex_ipython.state.kinds.kind import CannotRestore, Kind, ObjectWalk

_PYTHON = Kind(
    "random.Random",
    "exact",
    lambda o, walk: _random.Random.getstate(o),
    lambda o, saved: bool(_random.Random.getstate(o) == saved),
    lambda o, saved: _random.Random.setstate(o, saved),
)


def equal_states(some: Any, other: Any) -> bool:
    """Whether two states are equal: dicts and tuples of numbers, strings and arrays."""
    if type(some) is not type(other):
        return False
    if type(some) is dict:
        return some.keys() == other.keys() and all(equal_states(some[key], other[key]) for key in some)
    if type(some) is tuple:
        return len(some) == len(other) and all(map(equal_states, some, other))
    if hasattr(some, "tobytes"):
        return bool(some.tobytes() == other.tobytes())
    return bool(some == other)


def _bit_generator_state(o: Any) -> Any:
    return o.state


def _set_bit_generator_state(o: Any, saved: Any) -> None:
    o.state = saved


def _snapshot_bit_generator(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((getattr(o, "seed_seq", None),))  # what `spawn` counts in
    return _bit_generator_state(o)


def _set_seeds(o: Any, saved: int) -> None:
    entropy, spawned, *others = o.__reduce__()[2]
    if spawned != o.n_children_spawned:
        raise CannotRestore("it has spawned children since")
    o.__setstate_cython__((entropy, saved, *others))


_LEGACY = Kind(
    "numpy.random.RandomState",
    "exact",
    lambda o, walk: o.get_state(legacy=False),
    lambda o, saved: equal_states(o.get_state(legacy=False), saved),
    lambda o, saved: o.set_state(saved),
)


def _numpy_kinds() -> dict[type, Kind]:
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is None:
        return {}
    generator = numpy_random.Generator
    bits = Kind(
        "numpy bit generator",
        "exact",
        _snapshot_bit_generator,
        lambda o, saved: equal_states(_bit_generator_state(o), saved),
        _set_bit_generator_state,
    )
    seeds = Kind(
        "numpy.random.SeedSequence",
        "exact",
        lambda o, walk: o.n_children_spawned,
        lambda o, saved: bool(o.n_children_spawned == saved),
        _set_seeds,
    )
    names = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")
    return {
        generator: Kind("numpy.random.Generator", "exact", lambda o, walk: walk.follow((o.bit_generator,))),
        numpy_random.RandomState: _LEGACY,
        numpy_random.SeedSequence: seeds,
        **{getattr(numpy_random, name): bits for name in names},
    }


LIBRARIES = ("numpy.random",)


def kinds() -> dict[type, Kind]:
    """Those of Python, and those of numpy where it is loaded."""
    return {_random.Random: _PYTHON, **_numpy_kinds()}


SHARED = "state of random"
"""What draws from a state that all of a process shares is called so."""
_SHARED_PYTHON = Kind(
    SHARED,
    "exact",
    lambda o, walk: o.getstate(),
    lambda o, saved: bool(o.getstate() == saved),
    lambda o, saved: o.setstate(saved),
)


def shared() -> Iterator[tuple[str, Kind, Any]]:
    """What `random` and `numpy.random` draw from when nobody gives them a generator."""
    yield "the state of random", _SHARED_PYTHON, random._inst
    mtrand = sys.modules.get("numpy.random.mtrand")
    if mtrand is not None:
        yield "the state of numpy.random", _LEGACY, mtrand._rand
