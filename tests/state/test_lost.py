"""What a compound statement binds anew comes back; what is too large to be held meanwhile is asked about before it is
run again from what it has made itself.
"""

from __future__ import annotations

import copy
import gc
import weakref

import pytest

from reflex_ipython.state.effect import Repeat
from reflex_ipython.state.weak import ENDED
from tests.state.cells import namespace, run

PANDAS = "import numpy as np, pandas as pd"
REBOUND = {
    "a frame": ("o = pd.DataFrame({'v': [3, 1, 2], 'n': list('abc')})", "o = o.assign(w=1)"),
    "a series": ("o = pd.Series([1, 2, 3])", "o = o * 2"),
    "an index": ("o = pd.Index([1, 2, 3])", "o = o.insert(0, 1)"),
    "dates": ("o = pd.date_range('2024', periods=3)", "o = o.shift(1)"),
    "a frozenset": ("o = frozenset('ab')", "o = o | {'c'}"),
    "a set": ("o = set('ab')", "o = o | {'c'}"),
    "an array": ("o = np.arange(1_000)", "o = o * 2"),
    "a longer one": ("o = np.arange(20_000)", "o = o * 2"),
    "a tuple": ("o = (1, [2])", "o = o + (3,)"),
}


@pytest.mark.parametrize(("setup", "statement"), REBOUND.values(), ids=REBOUND)
def test_what_a_loop_binds_anew_is_what_it_was(setup: str, statement: str) -> None:
    pytest.importorskip("pandas")
    names = namespace(PANDAS, setup)
    identity, was = id(names["o"]), copy.deepcopy(names["o"])
    journal = run(names, f"for i in range(2):\n    {statement}\n    1 / i")
    assert id(names["o"]) != identity
    assert journal.aftermath.repeats() == [()]
    assert journal.rollback(0).exact
    if setup.startswith(("o = pd.DataFrame", "o = pd.Series")):
        assert names["o"].equals(was)  # nobody else has the frame that it was
    else:
        assert id(names["o"]) == identity


@pytest.mark.parametrize("what", ["a frame", "a series"])
def test_a_frame_that_a_finished_statement_has_bound_anew_comes_back(what: str) -> None:
    pandas = pytest.importorskip("pandas")
    setup, statement = REBOUND[what]
    names = namespace(PANDAS, setup.replace(", 'n': list('abc')", ""))
    was = names["o"].copy()
    journal = run(names, f"{statement}\n1 / 0")
    assert journal.rollback(0).exact
    same = pandas.testing.assert_frame_equal if what == "a frame" else pandas.testing.assert_series_equal
    same(names["o"], was)


def test_what_is_too_large_for_that_is_asked_about_where_it_is_read_first() -> None:
    pytest.importorskip("pandas")
    names = namespace(PANDAS, "large, other = np.ones(300_000), np.ones(300_000)")
    journal = run(names, "for i in range(2):\n    large = large * 2\n    other = np.ones(300_000)\n    1 / i")
    assert journal.aftermath.repeats() == [(Repeat(f"large ({ENDED})"),)]


def test_not_if_the_statement_that_made_it_runs_again_as_well() -> None:
    pytest.importorskip("pandas")
    names = namespace(PANDAS)
    journal = run(names, "large = np.ones(300_000)\nfor i in range(2):\n    large = large * 2\n    1 / i")
    assert journal.aftermath.repeats() == [(), (Repeat(f"large ({ENDED})", since=0),)]


def test_a_finished_statement_that_would_start_from_its_own_result_is_asked_about() -> None:
    pytest.importorskip("pandas")
    names = namespace(PANDAS, "large = np.ones(300_000)")
    journal = run(names, "large = large * 2\n1 / 0")
    assert journal.aftermath.repeats() == [(Repeat(f"large ({ENDED})"),), ()]


def test_a_frame_whose_end_the_user_waits_for_ends_in_its_time() -> None:
    pytest.importorskip("pandas")
    names = namespace(PANDAS, "o = pd.DataFrame({'v': [1]})")
    ended: list[bool] = []
    watched = weakref.ref(names["o"])
    names["ended"] = lambda: ended.append(watched() is None)
    run(names, "for i in range(1):\n    o = o.assign(w=1)\n    import gc; gc.collect(); ended()")
    assert ended == [True]


def test_a_large_frame_ends_in_its_time() -> None:
    pytest.importorskip("pandas")
    names = namespace(PANDAS, "o = pd.DataFrame({'v': np.ones(300_000)})")
    names["living"] = lambda: sum(type(o).__name__ == "DataFrame" for o in gc.get_objects())
    run(names, "before = living()\nfor i in range(1):\n    o = o * 2\n    after = living()")
    assert names["after"] <= names["before"]
