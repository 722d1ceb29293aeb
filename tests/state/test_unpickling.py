"""What unpickling runs of the user's classes and functions, which the data alone names."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.state.cells import run
from tests.state.halves.half import Half, failing, halves

OWN = """
import pickle
class K:
    n = 0
    items = []
    def __setstate__(self, state):
        K.n += 1
        K.items.append(1)
k = K(); k.x = 1
"""
IN_FILE = OWN + "from io import BytesIO\nfile = BytesIO(pickle.dumps(k))\ndel k\n"
IN_BYTES = OWN + "data = pickle.dumps(k)\ndel k\n"
REDUCED = """
import pickle
n = [0]
def make():
    n[0] += 1
class K:
    def __reduce__(self): return make, ()
data = pickle.dumps(K())
del K
"""
ERROR = """
import pickle
class K(Exception):
    seen = []
    def __init__(self, *args): K.seen.append(args)
data = pickle.dumps(K(1))
"""
HASHED = """
import pickle
class K:
    asked = []
    def __hash__(self): K.asked.append(1); return 1
data = pickle.dumps({K()})
"""
EXTENDED = """
import pickle
class K(list):
    got = []
    def extend(self, some): K.got.append(some)
data = pickle.dumps(K("abc"))
"""
NESTED = """
import pickle
class Outer:
    class K:
        n = 0
        def __new__(cls): Outer.K.n += 1; return object.__new__(cls)
data = pickle.dumps(Outer.K())
"""
SHELF = OWN + "import shelve\nwith shelve.open('k') as shelf: shelf['k'] = k\ndel k, shelf\n"
SHOWN = "K.n, K.items"


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The namespace by which pickle finds a notebook's classes."""
    main = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.chdir(tmp_path)
    return vars(main)


def check(names: dict[str, Any], half: Half) -> None:
    exec(half.setup, names)
    before = repr(eval(half.shows, names))
    journal = run(names, failing(half.cell))
    assert repr(eval(half.shows, names)) != before, "the change must be one"
    journal.rollback(0)  # files that were read are its to name
    assert repr(eval(half.shows, names)) == before


@halves(
    Half("pickle.load", IN_FILE, "pickle.load(file)", SHOWN),
    Half("pickle.loads", IN_BYTES, "pickle.loads(data)", SHOWN),
    Half("by its name", IN_BYTES + "from pickle import loads", "loads(data)", SHOWN),
    Half("by another name", IN_BYTES + "read = pickle.loads", "read(data)", SHOWN),
    Half("in a function", IN_BYTES + "def f(): return pickle.loads(data)", "f()", SHOWN),
    Half("imported in the statement", IN_BYTES + "del pickle", "import pickle; pickle.loads(data)", SHOWN),
    Half("imported from in the statement", IN_BYTES, "from pickle import loads; loads(data)", SHOWN),
    Half("an Unpickler", IN_FILE, "pickle.Unpickler(file).load()", SHOWN),
    Half("an Unpickler that was there", IN_FILE + "reader = pickle.Unpickler(file)", "reader.load()", SHOWN),
    Half(
        "an own Unpickler",
        IN_FILE + "class Reader(pickle.Unpickler): pass",
        "Reader(file).load()",
        SHOWN,
    ),
    Half("a shelf", SHELF, "with shelve.open('k') as shelf: shelf['k']", SHOWN),
    Half("a shelf that was there", SHELF + "shelf = shelve.open('k')", "shelf['k']", SHOWN),
    Half("a connection", OWN + "import multiprocessing as mp\na, b = mp.Pipe()\na.send(k)\ndel k", "b.recv()", SHOWN),
    Half("under a name that a text has", IN_BYTES, "getattr(pickle, 'lo' + 'ads')(data)", SHOWN),
    Half(
        "what is done with it",
        OWN + "K.run = lambda k: K.items.append(2)\ndel K.__setstate__\ndata = pickle.dumps(k)\ndel k",
        "pickle.loads(data).run()",
        SHOWN,
    ),
    Half("a function that `__reduce__` named", REDUCED, "pickle.loads(data)", "n"),
    Half("a function in the data", REDUCED + "data = pickle.dumps(make)", "pickle.loads(data)()", "n"),
    Half("`__init__`, of an error", ERROR, "pickle.loads(data)", "K.seen"),
    Half("`__hash__`, of what is in a set", HASHED, "pickle.loads(data)", "K.asked"),
    Half("`extend`, of a list", EXTENDED, "pickle.loads(data)", "K.got"),
    Half("one of another class", NESTED, "pickle.loads(data)", "Outer.K.n"),
    Half("one statement", IN_BYTES, "[pickle.loads(data)]", SHOWN),
)
def test_what_unpickling_runs_is_put_back(half: Half, names: dict[str, Any]) -> None:
    check(names, half)


@pytest.mark.parametrize(
    ("library", "reads"),
    [
        ("pandas", "pandas.read_pickle(file)"),
        ("joblib", "joblib.load(file)"),
        ("cloudpickle", "cloudpickle.load(file)"),
        ("dill", "dill.load(file)"),
    ],
)
def test_what_libraries_unpickle_too(library: str, reads: str, names: dict[str, Any]) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed; `pip install {library}` runs this as well")
    check(names, Half("", f"{IN_FILE}import {library}", reads, SHOWN))
    setup = f"from {library} import {reads.partition('(')[0].partition('.')[2]} as read"
    names.clear()
    check(names, Half("", f"__name__ = '__main__'\n{IN_FILE}{setup}", "read(file)", SHOWN))


@pytest.mark.parametrize("reads", ["getattr(sys.modules[module], name)", "getattr(import_module(module), name)"])
@pytest.mark.parametrize("unpickler", ["pickle.Unpickler", "pickle._Unpickler"])
def test_what_an_own_find_class_finds(unpickler: str, reads: str, names: dict[str, Any]) -> None:
    own = f"class Own({unpickler}):\n    def find_class(self, module, name): return {reads}\n"
    setup = f"{IN_FILE}import sys\nfrom importlib import import_module\n{own}"
    check(names, Half("", setup, "Own(file).load()", SHOWN))


def test_what_dill_makes_anew_of_the_code_in_the_data(names: dict[str, Any]) -> None:
    pytest.importorskip("dill", reason="dill is not installed; `pip install dill` runs this as well")
    function = "count, items = 0, []\ndef f():\n    global count\n    count += 1; items.append(1)\n"
    check(names, Half("", f"import dill\n{function}data = dill.dumps(f)\ndel f", "dill.loads(data)()", "count, items"))


def test_what_numpy_unpickles_too(names: dict[str, Any]) -> None:
    pytest.importorskip("numpy")
    setup = "import numpy as np\nnp.save('k.npy', np.array([k], object))\ndel k"
    check(names, Half("", OWN + setup, "np.load('k.npy', allow_pickle=True)", SHOWN))


def test_what_cloudpickle_sets_in_a_class_that_it_knows(names: dict[str, Any]) -> None:
    pytest.importorskip("cloudpickle")
    setup = f"{OWN.replace('__setstate__', 'f')}import cloudpickle\ndata = cloudpickle.dumps(k)\ndel k\nK.n = 5"
    check(names, Half("", setup, "cloudpickle.loads(data)", "K.n, K.items"))


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "own_classes.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("own_classes", None)


@pytest.mark.usefixtures("own_module")
def test_a_class_of_an_own_module_that_no_name_leads_to(names: dict[str, Any]) -> None:
    setup = "import own_classes, sys, pickle\ndata = pickle.dumps(own_classes.k)\ndel own_classes"
    check(names, Half("", setup, "pickle.loads(data)", "vars(sys.modules['own_classes'].K)['items']"))


def test_names_that_it_binds_are_put_back(names: dict[str, Any]) -> None:
    binds = "count = 0\ndef make():\n    global count, new\n    count += 1; new = 1\n"
    setup = f"{binds}import pickle\nclass K:\n    def __reduce__(self): return make, ()\ndata = pickle.dumps(K())"
    check(names, Half("", setup, "pickle.loads(data)", "count, globals().get('new')"))


def test_what_the_statement_did_before_it_unpickled_is_put_back_as_well(names: dict[str, Any]) -> None:
    check(names, Half("", IN_BYTES, "K.items.append(0); K.n = 7; pickle.loads(data); pickle.loads(data)", SHOWN))


def test_what_two_statements_unpickle(names: dict[str, Any]) -> None:
    exec(IN_BYTES, names)
    journal = run(names, f"first = pickle.loads(data)\nK.n += 1\n{failing('pickle.loads(data)')}")
    assert names["K"].n == 3
    assert journal.rollback(2).exact
    assert (names["K"].n, names["K"].items) == (2, [1])
    assert journal.rollback(0).exact
    assert (names["K"].n, names["K"].items) == (0, [])


LIVE = "import asyncio, pickle\nlive = asyncio.new_event_loop()\ndef use(): return live\nclass K: pass\n"


@pytest.mark.parametrize("statement", ["pickle.load(open('nowhere'))", "pickle.loads(data)"])
def test_what_was_not_unpickled_is_not_named(statement: str, names: dict[str, Any]) -> None:
    exec(f"{LIVE}data = pickle.dumps([1, asyncio.Queue])", names)
    restoration = run(names, failing(statement)).rollback(0)
    names["live"].close()
    assert restoration.words == "state restored exactly"


def test_what_it_uses_and_nobody_can_put_back_is_named(names: dict[str, Any]) -> None:
    exec(f"{LIVE}data = pickle.dumps(use)", names)
    restoration = run(names, failing("pickle.loads(data)")).rollback(0)
    names["live"].close()
    assert "live" in restoration.words


def test_what_a_statement_unpickles_that_is_not_noted_is_named(names: dict[str, Any]) -> None:
    exec(IN_BYTES, names)
    journal = run(names, failing("pickle.loads(data); __import__('gc').get_referrers()"))
    assert "unpickled K" in journal.rollback(0).words


def test_an_array_that_it_uses_can_be_resized(names: dict[str, Any]) -> None:
    pytest.importorskip("numpy")
    exec(IN_BYTES.replace("K.n += 1", "array[0]; K.n += 1") + "import numpy as np\narray = np.zeros(3)", names)
    journal = run(names, failing("pickle.loads(data); array.resize(9)"))
    assert (names["array"].size, names["K"].n) == (9, 1)
    assert "unpickled K" in journal.rollback(0).words


def test_what_it_has_not_changed_is_not_held_behind_the_statement(names: dict[str, Any]) -> None:
    exec(f"{IN_BYTES}other = [K]\nK.note = lambda k: other", names)
    journal = run(names, "k = pickle.loads(data)")
    held = [o for checkpoint in journal.aftermath.checkpoints for _, o, _ in checkpoint.snapshots.entries]
    assert not any(o is names["other"] for o in held)
