"""What nobody had the time to note is looked for once the cell has failed, and named."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.state.credit import Credit
from tests.state.cells import namespace, run


class _NoCredit(Credit):
    """Nothing may be noted."""

    def __init__(self) -> None:
        super().__init__(0.0)
        self.left = 0.0


def named(setup: str, cell: str) -> str:
    """What is named when all of a cell of which nothing was noted is taken back."""
    names: dict[str, Any] = namespace(setup)
    journal = run(names, cell, foreseen=False, credit=_NoCredit())
    return "; ".join(journal.rollback(0).except_names)


@pytest.mark.parametrize(
    ("setup", "cell"),
    [
        ("import itertools\nit = itertools.product('ab', 'cd')\ndef f(): exec('next(it)', globals())", "f()"),
        ("import itertools\nit = itertools.count()\ndef g(): next(it)\ndef f(): g()", "f()"),
        ("import io\nit = io.BytesIO()\nclass C:\n    def go(self): it.write(b'x')", "C().go()"),
        ("it = [1]\nf = lambda: it.append(2)", "f()"),
        ("space = {}\nexec('n = 0\\ndef it():\\n    global n\\n    n += 1', space)\nit = space['it']", "it()"),
        ("def make():\n    n = [0]\n    def it(): n[0] += 1\n    return it\nit = make()", "it()"),
        ("it = [].append", "it(1)"),
    ],
)
def test_what_functions_reach_is_named(setup: str, cell: str) -> None:
    assert "it (" in named(setup, cell)


@pytest.mark.parametrize(
    ("setup", "cell", "label"),
    [
        ("import random", "random.random()", "the state of random"),
        ("import numpy as np", "np.random.rand(2)", "the state of numpy.random"),
        ("import sys", "sys.setrecursionlimit(sys.getrecursionlimit())", "the recursion limit"),
        ("import sys\ndef f(): sys.setswitchinterval(0.005)", "f()", "the switch interval"),
        ("import gc\ndef f(): gc.set_threshold(*gc.get_threshold())", "f()", "the garbage collector"),
        ("import os", "os.environ.pop('NOT_THERE', '')", "os.environ"),
        ("import logging\nlog = logging.getLogger('x')\ndef f(): log.setLevel(logging.NOTSET)", "f()", "the loggers"),
        ("import numpy as np", "np.setbufsize(np.getbufsize())", "numpy settings"),
        ("import decimal\nx = decimal.Decimal(1)", "y = x / 3", "decimal's context"),
        ("import matplotlib.pyplot as plt\nplt.close('all')", "plt.close('all')", "the current figure"),
    ],
)
def test_settings_that_a_statement_could_reach_are_named(setup: str, cell: str, label: str) -> None:
    assert label in named(setup, cell)


@pytest.mark.parametrize("setup", ["import string", ""])
def test_a_library_that_a_statement_could_change_is_named_though_its_name_is_new(setup: str) -> None:
    import string

    said = named(setup, "import string\nx = [setattr(string, 'mine', 2)]\n1 / 0")
    del string.mine  # type: ignore[attr-defined]  # just set
    assert "module string (" in said


@pytest.mark.parametrize("cell", ["import own_missing", "x = [__import__('json'), 'missing']; 1 / 0"])
def test_builtins_are_not_named_for_an_import_alone(cell: str) -> None:
    assert "builtins" not in named("", cell)
    assert "builtins" in named("import builtins", "vars(builtins)['mine'] = 1; del builtins.mine; 1 / 0")


def test_settings_out_of_reach_are_not_named() -> None:
    assert "recursion" not in named("import sys, random\nrows = [1]", "rows.append(sys.maxsize)")
    assert "state of random" not in named("import random", "r = random.Random(1)")


@pytest.mark.parametrize(
    ("setup", "cell"),
    [
        ("def it(): pass", "del it"),
        ("import functools\nit = functools.partial(dict)", "it = functools.partial(it, a=1)"),
        ("it = frozenset({1})", "it |= {2}"),
        ("it = frozenset({1})\ndef f():\n    global it\n    it = 2", "f()"),
        ("it = frozenset({1})", "exec('it = 2')"),
    ],
)
def test_a_name_that_was_bound_to_something_else_is_named(setup: str, cell: str) -> None:
    assert "it` was bound to (" in named(setup, cell) or "it (" in named(setup, cell)


def test_a_name_that_a_statement_would_have_bound_at_its_end_is_not_named_if_it_raised() -> None:
    names: dict[str, Any] = namespace("it = frozenset({1})")
    journal = run(names, "it = missing", credit=_NoCredit())
    journal.aftermath.raised = True
    assert journal.rollback(0).exact


def test_names_that_nobody_knows_are_named_together() -> None:
    assert "anything that quick statements can reach" in named("it = 1", "globals()['late'] = 2")


def test_the_registries_of_a_package_are_named_together() -> None:
    words = named("import matplotlib.pyplot as plt\nplt.close('all')", "plt.figure()\nplt.close('all')")
    assert "settings of matplotlib (" in words
    assert "registries of matplotlib" not in words


@pytest.mark.parametrize("bound", ["it_has = None", ""], ids=["bound before", "new"])
def test_what_hangs_on_a_name_that_the_statement_binds_is_named_by_its_own(bound: str) -> None:
    setup = f"import itertools\nit = itertools.groupby('aab')\n{bound}"
    assert "it (" in named(setup, "if True:\n    key, it_has = next(it); list(it_has)")


def test_a_number_that_nobody_bound_anew_stays_the_one_that_it_is() -> None:
    names: dict[str, Any] = namespace("x = float('1.5'); many = 10 ** 30; y = 2.5; held = (x, many)")
    journal = run(names, "seen = [x, many]\nif x: y = 3.5\nz = (x, many)[2]", foreseen=False, credit=_NoCredit())
    journal.rollback(0)
    assert names["x"] is names["held"][0]
    assert names["many"] is names["held"][1]
    assert names["y"] == 2.5
