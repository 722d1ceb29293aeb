"""Functions that refused their arguments."""

from __future__ import annotations

import pytest

from reflex_ipython.models import Callee
from tests.capture.conftest import Notebook


@pytest.mark.parametrize(
    ("call", "written", "parameters"),
    [
        ("f(1)", "f", ("a", "b", "c=1", "*", "d='x'", "**rest")),
        ("f(1, 2, 3, 4)", "f", ("a", "b", "c=1", "*", "d='x'", "**rest")),
        ("f(1, 2, a=3)", "f", ("a", "b", "c=1", "*", "d='x'", "**rest")),
        ("Car()", "Car", ("name",)),
        ("Car('x').go()", "Car('x').go", ("far",)),
        ("car.go()", "car.go", ("far",)),
        ("Car.go(1)", "Car.go", ("far",)),
        ("print(car.go())", "car.go", ("far",)),
    ],
)
def test_its_parameters_are_told(notebook: Notebook, call: str, written: str, parameters: tuple[str, ...]) -> None:
    notebook.run("def f(a, b, c=1, *, d='x', **rest): pass")
    notebook.run("class Car:\n    def __init__(self, name): pass\n    def go(self, far): pass\ncar = Car('x')")

    found = notebook.fail(call).callee

    assert found is not None
    assert (found.written, found.parameters) == (written, parameters)


def test_a_builtin_tells_none(notebook: Notebook) -> None:
    assert notebook.fail("len(1, 2)").callee == Callee("len", "builtin_function_or_method")


def test_a_method_of_pandas_is_known_by_its_name(notebook: Notebook) -> None:
    pytest.importorskip("pandas")
    notebook.run("import pandas as pd\ndf = pd.DataFrame({'a': [1]})")

    found = notebook.fail("df.head(1).drop('a', 1)").callee

    assert found is not None
    assert found.parameters[:3] == ("labels=None", "*", "axis=0")


def test_another_error_has_none(notebook: Notebook) -> None:
    assert notebook.fail("1 + 'a'").callee is None
    assert notebook.fail("missing").callee is None


def test_nothing_of_the_user_runs(notebook: Notebook) -> None:
    notebook.run("ran = []\nclass Trap:\n    def __getattr__(self, name): ran.append(name); raise AttributeError(name)")
    notebook.run("    \ndef f(a, b=Trap()): pass\ntrap = Trap()")

    notebook.fail("f(trap, 1, trap)")

    assert notebook.namespace["ran"] == []
