"""Rules about bins and their labels."""

from __future__ import annotations

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import best, failure, offered
from tests.propose.rules.scientific import MEANINGS

LABELS = "ValueError: Bin labels must be one fewer than the number of bin edges"


def test_an_edge_that_the_labels_speak_of_is_added() -> None:
    source = 'pd.cut(s, bins=[0, 40, 60, 100], labels=["<40", "40-60", "60-80", ">80"])'
    found = offered(failure(source, LABELS, meanings=MEANINGS))
    assert max(found, key=lambda one: found[one]) == source.replace("60, 100]", "60, 80, 100]")
    assert source.replace(', ">80"', "") in found


def test_bins_without_ends_are_open() -> None:
    source = 'pd.cut(s, [10, 20], labels=["low", "middle", "high"])'
    expected = source.replace("[10, 20]", "[-np.inf, 10, 20, np.inf]")
    assert best(failure(source, LABELS, meanings=MEANINGS)) == expected


def test_of_which_end_is_open_there_is_a_choice() -> None:
    found = offered(failure('pd.cut(s, [0, 10], labels=["a", "b"])', LABELS, meanings=MEANINGS))
    assert len(found) >= 3
    assert max(found.values()) < LIKELY


def test_edges_that_are_there_twice_count_once() -> None:
    found = failure("pd.qcut(s, 4)", "ValueError: Bin edges must be unique: Index([0, 0, 1])")
    assert best(found) == 'pd.qcut(s, 4, duplicates="drop")'
    assert best(failure("pd.cut(s, [5, 1])", "ValueError: bins must increase monotonically.")) == (
        "pd.cut(s, sorted([5, 1]))"
    )
