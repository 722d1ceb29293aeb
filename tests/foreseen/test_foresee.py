"""What will surely fail in the statements of a cell that have not begun, and what may run well after all."""

from __future__ import annotations

import ast
import gc
import signal
import sys
import threading
import traceback
import weakref
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reflex_ipython.foreseen import foresee, raised

MEANT = ". Did you mean 'by'?" if sys.version_info >= (3, 13) else ""
PREPARED = """
import math, time, json
def scale(x, by=1): return x * by
def adds(): config['late'] = 1
def sets():
    global limit
    limit = 3
text, config, kept = 'abc', {'rate': 0.1}, [1]
"""


def namespace() -> dict[str, Any]:
    names: dict[str, Any] = {"np": np, "pd": pd, "table": pd.DataFrame({"price": [1.0]}), "array": np.zeros(2)}
    exec(PREPARED, names)
    del names["adds"]
    return names


def foreseen(cell: str, names: dict[str, Any] | None = None) -> str:
    """The error in words, with its line; empty if nothing is sure while the first statement runs."""
    found = foresee(ast.parse(cell).body, 1, namespace() if names is None else names)
    if found is None:
        return ""
    return f"{getattr(found.node, 'lineno', 0)}: {type(found.error).__name__}: {found.error}"


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("time.sleep(9)\nprint(epochs)", "2: NameError: name 'epochs' is not defined"),
        ("time.sleep(9)\nx = 1\ntotal += x", "3: NameError: name 'total' is not defined"),
        ("time.sleep(9)\nif scal(2) > 1:\n    pass", "2: NameError: name 'scal' is not defined"),
        ("time.sleep(9)\nmath.sqroot(2)", "2: AttributeError: module 'math' has no attribute 'sqroot'"),
        ("time.sleep(9)\nnp.linspase(0, 1)", "2: AttributeError: module 'numpy' has no attribute 'linspase'"),
        ("time.sleep(9)\ntext.uper()", "2: AttributeError: 'str' object has no attribute 'uper'"),
        ("time.sleep(9)\narray.mena()", "2: AttributeError: 'numpy.ndarray' object has no attribute 'mena'"),
        ("time.sleep(9)\ntable['prise'].sum()", "2: KeyError: 'prise'"),
        ("time.sleep(9)\nconfig['rat']", "2: KeyError: 'rat'"),
        ("time.sleep(9)\nscale(2, bye=3)", f"2: TypeError: scale() got an unexpected keyword argument 'bye'{MEANT}"),
        ("time.sleep(9)\njson.dumps()", "2: TypeError: dumps() missing 1 required positional argument: 'obj'"),
        ("time.sleep(9)\nx = 1\nreturn x", "3: SyntaxError: 'return' outside function (<cell>, line 3)"),
        ("time.sleep(9)\nexec('y = 1')\nbreak", "3: SyntaxError: 'break' outside loop (<cell>, line 3)"),
    ],
)
def test_it_is_told_with_the_words_of_python(cell: str, error: str) -> None:
    assert foreseen(cell) == error


@pytest.mark.parametrize(
    "cell",
    [
        "time.sleep(9)\nepochs = 3\nprint(epochs)",
        "for epoch in range(3):\n    last = epoch\nprint(last, epoch)",
        "time.sleep(9)\nexec('epochs = 3')\nprint(epochs)",
        "sets()\nprint(limit)",
        "time.sleep(9)\nprint(limit)",  # a function sets it: it may run by now
        "get_ipython().run_line_magic('run', 'setup.py')\nprint(epochs)",
        "from os.path import *\nprint(join('a'))",
        "import builtins\nbuiltins.epochs = 3\nprint(epochs)",
        "time.sleep(9)\nif (n := 3) > 2:\n    pass\nprint(n)",
        "time.sleep(9)\ntry:\n    epochs\nexcept NameError:\n    epochs = 3",
        "time.sleep(9)\nFalse and epochs\nprint([x for x in kept if x > 3 and epochs])",
        "time.sleep(9)\nuse = lambda: epochs",
        "time.sleep(9)\nwith open('x', 'w') as f:\n    epochs",
        "def run():\n    return epochs\nepochs = 3\nrun()",
        "math.tau2 = 6\nmath.tau2",
        "import numpy.testing\nnp.testing",
        "time.sleep(9)\nconfig['new'] = 1\nconfig['new']",
        "config.update(new=1)\nconfig['new']",
        "fill(config)\nconfig['new']",
        "table['new'] = 1\ntable['new']",
        "time.sleep(9)\ntable.new = 1\ntable['price']",
        "time.sleep(9)\ntext = pd.Series()\ntext.mean()",
        "time.sleep(9)\nscale(2, by=3)",
        "time.sleep(9)\nscale(*kept, 1, 2)",
        "time.sleep(9)\nscale(**config)",
        "scale.__defaults__ = (1, 1)\nscale()",
        "time.sleep(9)\ndel kept\nkept = 2\nkept",
    ],
)
def test_what_may_run_well_is_not_told(cell: str) -> None:
    names = namespace()
    names["fill"] = lambda config: config.update(new=1)
    assert foreseen(cell, names) == ""


SIGNATURES = """
def none(): ran.append(1)
def one(x): ran.append(1)
def some(x, y, /, z=1, *, k, l=2): ran.append(1)
def more(x, *rest, k=1): ran.append(1)
def most(x, **rest): ran.append(1)
def outer():
    def inner(a, b, c): ran.append(1)
    return inner
inner = outer()
ran = []
"""


@pytest.mark.parametrize(
    "arguments", ["", "1", "1, 2", "1, 2, 3", "1, 2, 3, 4", "x=1", "1, x=1", "1, k=1", "1, 2, k=1"]
)
@pytest.mark.parametrize("name", ["none", "one", "some", "more", "most", "inner"])
def test_of_arguments_that_do_not_fit_it_is_told_what_python_says_and_of_others_nothing(
    name: str, arguments: str
) -> None:
    names: dict[str, Any] = {"time": sys.modules["time"]}
    exec(SIGNATURES, names)
    told = foreseen(f"time.sleep(9)\n{name}({arguments})", names)
    assert not names["ran"]
    said = ""
    try:
        eval(f"{name}({arguments})", names)
    except TypeError as error:
        said = f"2: TypeError: {error}"
    assert told == said


def test_behind_a_module_of_the_users_that_is_not_loaded_yet_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "adds_names.py").write_text("import builtins\nbuiltins.epochs = 3\n")
    assert foreseen("time.sleep(9)\nimport adds_names\nprint(epochs)") == ""
    assert "epochs" in foreseen("time.sleep(9)\nimport not_loaded_library\nprint(epochs)")
    assert "epochs" in foreseen("time.sleep(9)\nimport colorsys\nprint(epochs)")


HELD = """
import builtins, functools, gc, gettext, signal, sys, threading, types, weakref
def patch_math(): math.tau2 = 6
actions = {'load': lambda: exec('late = 1', globals())}
holder = types.SimpleNamespace(call=lambda: globals().update(late=1))
def setter():
    def one(name): globals()[name] = 1
    return one
partial = functools.partial(setter(), 'late')
def generates():
    global late
    late = 1
    yield
generator = generates()
class Sets:
    @property
    def p(self): return 1
    @p.setter
    def p(self, value):
        global late
        late = 1
own, update, run_it, everything = globals(), globals().update, exec, vars(builtins)
conf = types.ModuleType('conf')
def stops(): raise SystemExit
def takes(x, other=1): return x
class Quiet(Exception):
    def _render_traceback_(self): return []
del setter, generates
"""


@pytest.mark.parametrize(
    "cell",
    [
        "patch_math()\nmath.tau2",
        "actions['load']()\nprint(late)",
        "holder.call()\nprint(late)",
        "partial()\nprint(late)",
        "next(generator)\nprint(late)",
        "Sets().p = 3\nprint(late)",
        "own['late'] = 1\nprint(late)",
        "update(late=1)\nprint(late)",
        "run_it('late = 1')\nprint(late)",
        "everything['late'] = 1\nprint(late)",
        "gettext.install('x', names=['ngettext'])\nngettext('a', 'b', 1)",
        "time.sleep(9)\nfrom a_module_that_is_not_loaded import install\ninstall()\nprint(late)",
        "time.sleep(9)\nmath.__class__, math.__annotations__, math.__sizeof__()",
        "time.sleep(9)\nconf.rate",
        "scale.__code__ = takes.__code__\nscale(2, other=3)",
        "time.sleep(9)\nraise SystemExit\nprint(late)",
        "time.sleep(9)\nif text:\n    sys.exit()\nreturn late",
        "time.sleep(9)\nstops()\nprint(late)",
        "time.sleep(9)\nif text:\n    raise Quiet\nprint(late)",
        "time.sleep(9)\nwhile True:\n    pass\nprint(late)",
    ],
)
def test_what_is_done_by_something_that_is_held_somewhere_is_not_told(cell: str) -> None:
    names = namespace()
    exec(HELD, names)
    assert foreseen(cell, names) == ""


def test_what_is_held_changes_nothing_for_others() -> None:
    names = namespace()
    exec("held = [lambda: 1, {'a': len}, scale]\nclass Plain:\n    epochs = 3\nplain = Plain()", names)
    assert foreseen("time.sleep(9)\nheld[0]()\nplain.epochs = 4\nprint(epochs)", names)


@pytest.mark.parametrize("begin", ["timer", "signal", "finalizer", "garbage"])
def test_a_name_is_not_told_that_something_may_set_at_any_time(begin: str) -> None:
    names = namespace()
    assert foreseen("time.sleep(9)\nprint(late)", names)
    late = FunctionType(compile("globals().update(late=1)", "<cell>", "exec"), names)
    owner, before = type("Owner", (), {})(), signal.getsignal(signal.SIGUSR1)
    timer = threading.Timer(60, late)
    ends = {
        "timer": lambda: (timer.start(), timer.cancel)[1],
        "signal": lambda: (signal.signal(signal.SIGUSR1, late), lambda: signal.signal(signal.SIGUSR1, before))[1],
        "finalizer": lambda: weakref.finalize(owner, late).detach,
        "garbage": lambda: (gc.callbacks.append(lambda *_: late()), gc.callbacks.pop)[1],
    }[begin]()
    try:
        assert foreseen("time.sleep(9)\nprint(late)", names) == ""
    finally:
        ends()


def test_nothing_is_told_where_names_are_made_as_they_are_asked() -> None:
    class Makes(dict[str, Any]):
        def __missing__(self, name: str) -> int:
            return 1

    assert foreseen("time.sleep(9)\nprint(epochs)", Makes(namespace())) == ""


def test_a_key_is_not_told_where_somebody_else_holds_the_dict() -> None:
    names = namespace()
    held = [names["config"]]
    assert foreseen("time.sleep(9)\nconfig['rat']", names) == ""
    held.clear()
    assert foreseen("time.sleep(9)\nconfig['rat']", names)
    names["_oh"] = {3: names["config"]}  # a result that the shell keeps changes nothing
    assert foreseen("time.sleep(9)\nconfig['rat']", names)


def test_a_key_is_not_told_that_a_function_may_add_meanwhile() -> None:
    names = namespace()
    exec("def adds(): config['late'] = 1", names)
    assert foreseen("time.sleep(9)\nconfig['late']", names) == ""


def test_what_is_looked_at_is_not_kept() -> None:
    names = namespace()
    gc.collect()  # other namespaces hold the same modules
    before = {name: _references(names, name) for name in list(names)}
    foreseen("time.sleep(9)\nconfig['rat']\n", names)
    foreseen("time.sleep(9)\nprint(epochs)\n", names)
    assert {name: _references(names, name) for name in before} == before


def _references(names: dict[str, Any], name: str) -> int:
    return sys.getrefcount(names[name])


def test_it_can_be_raised_where_it_will_be() -> None:
    names = namespace()
    found = foresee(ast.parse("time.sleep(9)\n\nx = 1 + scal(2)").body, 1, names)
    assert found is not None
    error = raised(found.error, found.node, "<cell 7>", names)
    last = traceback.extract_tb(error.__traceback__)[-1]
    assert (last.filename, last.lineno, last.name) == ("<cell 7>", 3, "<module>")
    assert error is found.error
    assert "scal" not in names
