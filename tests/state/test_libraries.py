"""Libraries whose objects need care: numpy, pandas, scikit-learn, matplotlib."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from reflex_ipython.state.analysis.sources import Functions
from reflex_ipython.state.bounds import Bounds
from tests.state.cells import GENEROUS, namespace, run

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")

IMPORTED_IN_THE_CELL = """
import sys
from tests.state.cells import namespace, run
assert "numpy" not in sys.modules
names = namespace("items = []")
journal = run(names, "import numpy\\narray = numpy.ones(3)\\narray += 1\\n1 / 0")
assert journal.rollback(2).exact
assert names["array"].tolist() == [1, 1, 1], names["array"]
"""


def test_what_a_library_made_that_came_in_with_the_same_cell_is_put_back() -> None:
    subprocess.run([sys.executable, "-c", IMPORTED_IN_THE_CELL], check=True, cwd=Path(__file__).parents[2])


def test_a_library_with_a_class_of_its_own_for_its_modules_is_looked_at_as_any_other() -> None:
    names = namespace("import pygments.lexers\nitems = []")
    assert type(names["pygments"].lexers) is not ModuleType
    restoration = run(names, "items.append(pygments.lexers.get_lexer_by_name('python').name)\n1 / 0").rollback(0)
    assert restoration.exact
    assert names["items"] == []


# ------------------------------------------------------------------------------------------ numpy


@pytest.mark.parametrize(
    "cell",
    [
        "array.resize(6)",
        "array.resize((2, 4)); array[0] = 9",
        "array.resize(2); part = array[1:]",
        "array.resize(9)\ndel array",
    ],
)
def test_resizing_works_under_the_journal_and_is_undone(cell: str) -> None:
    names = namespace("import numpy; array = numpy.arange(4.)")
    journal = run(names, f"{cell}\n1 / 0")
    assert len(journal) == len(ast.parse(cell).body) + 1, "the cell must fail where it would fail without the journal"
    assert journal.rollback(0).exact
    assert names["array"].tolist() == [0, 1, 2, 3]


def test_an_array_that_was_written_to_before_it_was_resized_is_named() -> None:
    names = namespace("import numpy; array = numpy.arange(4.)")
    restoration = run(names, "array += 1\narray.resize(9)\n1 / 0").rollback(0)
    assert restoration.except_names == ("array (an array in it may be resized)",)


def test_an_array_that_a_function_wrote_to_before_it_was_resized_is_named_by_its_name() -> None:
    setup = "import numpy; array = numpy.arange(4.)\ndef write(): array[0] = 9"
    functions = Functions()
    functions.add(ast.parse(setup).body, "<string>")
    restoration = run(namespace(setup), "write()\narray.resize(9)\n1 / 0", functions=functions).rollback(0)
    assert restoration.except_names == ("array (an array in it may be resized)",)


def test_a_resized_array_is_the_same_object_afterwards() -> None:
    names = namespace("import numpy; array = numpy.arange(4.)")
    address = id(names["array"])
    run(names, "array.resize(100)\narray[50] = 1\n1 / 0").rollback(0)
    assert id(names["array"]) == address
    assert names["array"].shape == (4,)


def test_what_holds_an_array_that_may_be_resized_is_named_and_the_resize_works() -> None:
    names = namespace("import numpy; box = [numpy.arange(4.)]; other = [1]")
    journal = run(names, "other.append(2)\nbox[0].resize(6)\n1 / 0")
    assert names["box"][0].shape == (6,)
    assert journal.rollback(0).except_names == ("box (an array in it may be resized)",)
    assert names["other"] == [1]


def test_a_function_called_resize_of_a_module_changes_nothing_for_the_array() -> None:
    names = namespace("import numpy; box = [numpy.arange(4.)]")
    assert run(names, "wide = numpy.resize(box[0], 8); box[0][0] = 9\n1 / 0").rollback(0).exact
    assert names["box"][0].tolist() == [0, 1, 2, 3]


def test_shape_and_flags_come_back() -> None:
    names = namespace("import numpy; array = numpy.arange(4.)")
    journal = run(names, "array = array.reshape(4); array[0] = 5; array.setflags(write=False)\n1 / 0")
    assert journal.rollback(0).exact
    assert names["array"].flags.writeable
    assert names["array"].tolist() == [0, 1, 2, 3]


def test_statements_share_one_copy_of_an_array_that_did_not_change() -> None:
    names = namespace("import numpy; array = numpy.ones(100_000)")
    bounds = Bounds(bytes=1_000_000, milliseconds=60_000)
    journal = run(names, "array.sum()\narray.mean()\narray += 1\n1 / 0", bounds)
    assert journal.held == 800_000
    assert journal.rollback(0).exact
    assert names["array"].sum() == 100_000


def test_a_window_that_is_read_only_costs_no_copy_unless_the_cell_can_unlock_it() -> None:
    names = namespace("import numpy; array = numpy.ones(10); array.setflags(write=False)")
    assert run(names, "array.sum()").held == 0
    journal = run(names, "array.setflags(write=True); array[0] = 5\n1 / 0")
    assert journal.rollback(0).exact
    assert names["array"][0] == 1
    assert not names["array"].flags.writeable


@pytest.mark.parametrize("box", ["[unlock, array]", "[array, unlock]"])
def test_the_order_in_which_an_array_and_the_code_that_unlocks_it_are_met_does_not_matter(box: str) -> None:
    names = namespace(
        "import numpy; array = numpy.ones(3); array.setflags(write=False)",
        "def unlock(array):\n  array.setflags(write=True)\n  array[0] = 5",
        f"box = {box}",
    )
    cell = "[tool(thing) for tool in box for thing in box if callable(tool) and not callable(thing)]\n1 / 0"
    journal = run(names, cell)
    assert names["array"][0] == 5
    assert journal.rollback(0).exact
    assert names["array"][0] == 1


def test_numpy_settings_and_shared_random_state_come_back() -> None:
    names = namespace("import numpy; numpy.random.seed(1)")
    journal = run(
        names, "first = numpy.random.rand(); numpy.seterr(all='raise'); numpy.set_printoptions(precision=2)\n1 / 0"
    )
    first, settings = names["first"], numpy.geterr()
    assert settings["over"] == "raise"
    assert journal.rollback(0).exact
    assert numpy.random.rand() == first
    assert numpy.geterr()["over"] == "warn"
    assert numpy.get_printoptions()["precision"] == 8


# ------------------------------------------------------------------------------------------ pandas


def test_a_frame_beyond_the_bytes_is_named_and_left_alone() -> None:
    names = namespace("import pandas, numpy; frame = pandas.DataFrame(numpy.ones((1000, 10)))")
    journal = run(names, "frame.iloc[0, 0] = 5\n1 / 0", Bounds(bytes=79_999, milliseconds=60_000), foreseen=False)
    assert journal.held == 0
    assert journal.rollback(0).except_names == ("frame (more than 0 MB)",)
    assert names["frame"].iloc[0, 0] == 5


def test_statements_share_one_copy_of_a_frame_that_did_not_change() -> None:
    names = namespace("import pandas, numpy; frame = pandas.DataFrame(numpy.ones((1000, 100)))")
    bounds = Bounds(bytes=1_000_000, milliseconds=60_000)
    journal = run(names, "frame.sum()\nframe.mean()\nframe.iloc[0, 0] = 5\n1 / 0", bounds, foreseen=False)
    assert journal.held == 800_000
    assert journal.rollback(0).exact
    assert names["frame"].iloc[0, 0] == 1


def test_who_holds_the_frame_sees_it_as_it_was() -> None:
    names = namespace(
        "import pandas; frame = pandas.DataFrame({'a': [1, 2]}); box = {'same': frame}; index = frame.index"
    )
    run(names, "frame.loc[0, 'a'] = 9; frame['b'] = 1; frame.index = ['x', 'y']\n1 / 0").rollback(0)
    assert box_is_same(names)
    assert names["frame"].to_dict() == {"a": {0: 1, 1: 2}}


def box_is_same(names: dict[str, Any]) -> bool:
    return names["box"]["same"] is names["frame"] and names["frame"].index.equals(names["index"])


def test_pandas_options_come_back() -> None:
    names = namespace("import pandas")
    before = pandas.get_option("display.max_rows")
    assert run(names, "pandas.set_option('display.max_rows', 7)\n1 / 0").rollback(0).exact
    assert pandas.get_option("display.max_rows") == before


# ------------------------------------------------------------------------------------------ scikit-learn, matplotlib


def test_estimators_come_back_as_they_were_fitted() -> None:
    pytest.importorskip("sklearn")
    names = namespace(
        "import numpy; from sklearn.ensemble import RandomForestClassifier",
        "x, y = numpy.random.default_rng(0).random((80, 3)), numpy.arange(80) % 2",
        "forest = RandomForestClassifier(5, random_state=0).fit(x, y)",
    )
    forest, trees = names["forest"], names["forest"].estimators_
    before = forest.predict_proba(names["x"])
    cell = "forest.n_estimators = 9; forest.estimators_[0].tree_.value[:] = 0\nforest.fit(x, 1 - y)\n1 / 0"
    assert run(names, cell).rollback(0).exact
    assert forest.estimators_ is trees
    assert forest.n_estimators == 5
    assert numpy.array_equal(forest.predict_proba(names["x"]), before)


@pytest.fixture
def pyplot() -> Any:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")
    matplotlib.rcdefaults()


def test_axes_figures_and_settings_come_back(pyplot: Any) -> None:
    names = namespace("import matplotlib.pyplot as plt; figure, axes = plt.subplots(); axes.plot([1, 2])")
    axes, width = names["axes"], pyplot.rcParams["lines.linewidth"]
    limits = axes.get_xlim()
    cell = (
        "axes.plot([5, 9], [1, 2]); axes.set_title('t')\nplt.rcParams['lines.linewidth'] = 9\n"
        "other = plt.figure(); plt.title('x')\n1 / 0"
    )
    assert run(names, cell, GENEROUS, at_once=True).rollback(0).exact
    assert len(axes.lines) == 1
    assert axes.get_title() == ""
    assert axes.get_xlim() == limits
    assert pyplot.rcParams["lines.linewidth"] == width
    assert pyplot.get_fignums() == [1]
    assert pyplot.gca() is axes
    names["figure"].canvas.draw()
    axes.plot([1, 2])


def test_the_figure_that_pyplot_draws_upon_unnamed_is_put_back(pyplot: Any) -> None:
    names = namespace("import matplotlib.pyplot as plt; plt.plot([1, 2])")
    assert run(names, "plt.plot([3, 4]); plt.xlabel('x')\n1 / 0", GENEROUS, at_once=True).rollback(0).exact
    assert len(pyplot.gca().lines) == 1
    assert pyplot.gca().get_xlabel() == ""


def test_the_trash_of_a_rolled_back_figure_complains_of_nothing(pyplot: Any, capsys: Any) -> None:
    import gc

    names = namespace("import matplotlib.pyplot as plt; figure, axes = plt.subplots(); figure.canvas.draw()")
    journal = run(names, "axes.plot([1, 2]); axes.legend(['a']); figure.canvas.draw()\n1 / 0", GENEROUS)
    journal.rollback(0)
    journal.clear()
    names.clear()
    pyplot.close("all")
    gc.collect()
    assert sys.stderr.write("") == 0
    assert capsys.readouterr().err == ""
