"""What a plot's statement has replaced comes back, if it is small and nobody but the library refers to it weakly."""

from __future__ import annotations

import weakref
from typing import Any

import pytest

from reflex_ipython.state.quiet import is_quiet
from tests.state.cells import namespace, run

pytest.importorskip("matplotlib").use("agg")
SETUP = (
    "import numpy as np, matplotlib.pyplot as plt",
    "fig, ax = plt.subplots(); line, = ax.plot([1, 2, 3]); points = ax.scatter([1, 2], [3, 4])",
    "bars = ax.bar([1, 2], [3, 4]); image = ax.imshow([[1, 2], [3, 4]]); fig.colorbar(image)",
)
CHANGES = {
    "a title": ("ax.set_title('q')", "ax.get_title()"),
    "the places of points": ("points.set_offsets([[5, 6], [7, 8]])", "points.get_offsets().tolist()"),
    "an image with a colorbar": ("image.set_array([[5, 6], [7, 8]])", "image.get_array().tolist()"),
    "a bar": (
        "bars[0].set_height(9); bars[0].set_facecolor('r')",
        "(int(bars[0].get_height()), bars[0].get_facecolor())",
    ),
    "a line and the title": (
        "line.set_color('green'); line.set_data([0, 1], [5, 6]); ax.set_title('q')",
        "(line.get_color(), list(line.get_ydata()), ax.get_title())",
    ),
}


@pytest.fixture
def names() -> Any:
    made = namespace(*SETUP)
    yield made
    made["plt"].close(made["fig"])


@pytest.mark.parametrize(("cell", "shows"), CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("foreseen", [True, False])
def test_what_a_plots_statement_has_set_is_put_back(
    names: dict[str, Any], cell: str, shows: str, foreseen: bool
) -> None:
    before = eval(shows, names)
    journal = run(names, f"{cell}\nx = 1\n1 / 0", foreseen=foreseen)
    assert eval(shows, names) != before
    assert journal.rollback(0).words == "state restored exactly"
    assert eval(shows, names) == before


def test_a_transform_to_which_somebody_refers_weakly_ends_as_it_would(names: dict[str, Any]) -> None:
    transform = names["ax"].transData + names["ax"].transAxes
    assert is_quiet(transform)
    told: list[str] = []
    reference = weakref.ref(transform, lambda reference: told.append("it ended"))
    assert not is_quiet(transform)
    names["line"].set_transform(transform)
    del transform
    run(names, "line.set_transform(ax.transAxes)\nx = 1")
    assert reference() is None
    assert told == ["it ended"]


def test_large_masked_arrays_are_let_go_of() -> None:
    numpy = pytest.importorskip("numpy")
    small = numpy.ma.array([1.0, 2.0])
    assert is_quiet(small)
    assert not is_quiet(numpy.ma.zeros(100_000))
    reference = weakref.ref(small)
    assert reference() is small
    assert not is_quiet(small)
