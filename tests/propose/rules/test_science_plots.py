"""Rules for matplotlib, on failures built by hand."""

from __future__ import annotations

from reflex_ipython.models import LIKELY, Lookup
from tests.propose.rules.build import best, failure, offered
from tests.propose.rules.scientific import array


class TestPlots:
    def test_axes_set_their_properties(self) -> None:
        source = "ax.plot(x)\nax.xlabel('a')\nax.ylabel('b')"
        lookup = Lookup("attribute", "xlabel", "ax", "matplotlib.axes._axes.Axes", ("set_xlabel", "plot"))
        found = failure(source, "AttributeError: 'Axes' object has no attribute 'xlabel'", lookup=lookup, line=2)
        assert best(found) == "ax.plot(x)\nax.set_xlabel('a')\nax.set_ylabel('b')"

    def test_a_grid_of_axes_is_counted_one_by_one(self) -> None:
        source = "fig, axes = plt.subplots(2, 2)\nfor ax in axes:\n    ax.plot(x)"
        error = "AttributeError: 'numpy.ndarray' object has no attribute 'plot'"
        lookup = Lookup("attribute", "plot", "ax", "numpy.ndarray", ("T", "flat"))
        found = failure(source, error, lookup=lookup, line=3)
        assert best(found) == source.replace("in axes:", "in axes.flat:")

    def test_a_row_of_a_grid_is_counted_on_or_its_first_axes_are_taken(self) -> None:
        source = "axs[0].scatter(x, y)\naxs[1].scatter(x, y)"
        lookup = Lookup("attribute", "scatter", "axs[0]", "numpy.ndarray", ("T", "flat"))
        error = "AttributeError: 'numpy.ndarray' object has no attribute 'scatter'"
        found = offered(failure(source, error, lookup=lookup))
        assert found["axs.flat[0].scatter(x, y)\naxs.flat[1].scatter(x, y)"] >= LIKELY
        assert "axs[0, 0].scatter(x, y)\naxs[1].scatter(x, y)" in found

    def test_single_axes_take_no_index(self) -> None:
        source = "fig, ax = plt.subplots()\nax[0].plot(x)\nax[0].legend()"
        found = failure(source, "TypeError: 'Axes' object is not subscriptable", line=2)
        assert best(found) == source.replace("ax[0]", "ax")

    def test_a_style_of_seaborn_carries_its_version(self) -> None:
        error = "OSError: 'seaborn-whitegrid' is not a valid package style, path of style file"
        expected = "plt.style.use('seaborn-v0_8-whitegrid')"
        assert best(failure("plt.style.use('seaborn-whitegrid')", error)) == expected

    def test_which_values_of_the_longer_are_drawn_is_a_choice(self) -> None:
        error = "ValueError: x and y must have same first dimension, but have shapes (3,) and (2,)"
        found = offered(failure("plt.plot(x, y)", error, values=(array("x", 3), array("y", 2))))
        assert set(found) == {"plt.plot(x[:len(y)], y)", "plt.plot(x[-len(y):], y)"}
        assert max(found.values()) < LIKELY

    def test_a_format_of_files_is_the_closest(self) -> None:
        error = "ValueError: Format 'pgn' is not supported (supported formats: eps, jpg, pdf, png, svg)"
        assert best(failure('fig.savefig("a.pgn", dpi=80)', error)) == 'fig.savefig("a.png", dpi=80)'

    def test_one_size_of_a_figure_is_a_choice(self) -> None:
        found = offered(failure("plt.figure(figsize=8)", "TypeError: object of type 'int' has no len()"))
        assert "plt.figure(figsize=(8, 8))" in found
        assert max(found.values()) < LIKELY

    def test_wedges_have_no_sign(self) -> None:
        error = "ValueError: Wedge sizes 'x' must be non negative values"
        assert best(failure("plt.pie(d.values())", error)) == "plt.pie([abs(value) for value in d.values()])"

    def test_what_draws_is_in_pyplot(self) -> None:
        error = "AttributeError: module 'matplotlib' has no attribute 'plot'"
        found = failure("plt.plot(x)", error, meanings={"plt": "matplotlib"})
        assert best(found) == "import matplotlib.pyplot as plt\nplt.plot(x)"

    def test_an_argument_that_moved_is_not_taken_for_a_slip(self) -> None:
        lookup = Lookup("argument", "labels", "ax.boxplot", "function", ("label", "tick_labels"))
        error = "TypeError: Axes.boxplot() got an unexpected keyword argument 'labels'"
        assert best(failure("ax.boxplot(x, labels=names)", error, lookup=lookup)) == "ax.boxplot(x, tick_labels=names)"
