"""A partial that was looked at is one that other partials still see through."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from reflex_ipython.base.own_dict import has_dict
from reflex_ipython.capture.safe_inspection import instance_dict

CELLS = {
    "an attribute read": "p.func",
    "its keywords written": "if True:\n    q.keywords['b'] = 2",
    "within a context": "with __import__('contextlib').nullcontext():\n    taken = [next(g) for _ in range(2)]",
    "called": "p()",
    "a function that uses it": "def use():\n    return p\nuse()",
    "code that is unknown": "exec('p')",
}


class Named(functools.partial):  # type: ignore[type-arg]
    """A partial with attributes."""


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
@pytest.mark.parametrize("last", ["", "\nint('x')"], ids=["succeeds", "fails"])
def test_a_partial_is_still_seen_through(shell: Any, cell: str, last: str) -> None:
    shell.run_cell("import functools\nlog = []\np = functools.partial(log.append, 1)\nq = functools.partial(dict, a=1)")
    shell.run_cell("g = (log.append(n) or n for n in range(9))")
    shell.run_cell(cell + last)
    assert functools.partial(shell.user_ns["p"]).func == shell.user_ns["log"].append
    assert functools.partial(shell.user_ns["q"]).func is dict


def test_what_a_partial_has_of_its_own_is_seen() -> None:
    plain, named = functools.partial(print), Named(print)
    named.note = 3  # type: ignore[attr-defined]
    assert (has_dict(plain), has_dict(named), has_dict(object())) == (False, True, True)
    assert (instance_dict(plain), instance_dict(named)) == ({}, {"note": 3})
