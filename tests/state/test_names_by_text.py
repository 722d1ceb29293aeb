"""Names of the notebook that a library looks up by text: what is changed so is put back."""

from __future__ import annotations

import builtins
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from reflex_ipython.state.journal import Journal
from tests.state.cells import namespace, run
from tests.state.halves.half import failing

SETUP = """
import bdb, cProfile, doctest, inspect, logging.config, pkgutil, profile, pydoc, re, timeit, trace, typing, unittest
import pandas as pd

kept = []
count = {"n": 0}

def f(*values):
    '''>>> f()
    1
    '''
    kept.append(1)
    count["n"] += 1
    return 1

def told(): '''>>> kept.append(2)'''

class Told:
    def method(self): '''>>> kept.append(3)'''

class Test(unittest.TestCase):
    def test(self): f()

class Handler(logging.Handler):
    def emit(self, record): f()

def annotated(): pass
annotated.__annotations__ = {'value': 'f()'}

frame = pd.DataFrame({"a": [1, 2]})
timer = timeit.Timer("f()", "from __main__ import f")
what, first = "f()", "from __main__ import f"
settings = {"version": 1, "handlers": {"h": {"class": "__main__.Handler"}}, "loggers": {"own": {"handlers": ["h"]}}}
"""
LOG = "logging.config.dictConfig({}); logging.getLogger('own').warning('x')"
SUITE = "unittest.defaultTestLoader.loadTestsFromName('__main__')"
CELLS = {
    "unittest.main": "unittest.main(argv=[''], exit=False)",
    "a loader of tests": f"unittest.TextTestRunner().run({SUITE})",
    "doctest": "doctest.testmod()",
    "timeit": "timeit.timeit('f()', 'from __main__ import f', number=2)",
    "texts with a name": "timeit.timeit(what, first, number=2)",
    "a function of its own name": "from timeit import repeat as again; again('f()', first, number=2)",
    "a timer": "timeit.Timer('f()', 'from __main__ import f').timeit(2)",
    "a timer that is there": "print('seconds', timer.timeit(2))",
    "a command of timeit": "timeit.main(['-n', '1', 'from __main__ import f; f()'])",
    "a text that is run": "cProfile.Profile().run('f()')",
    "a name that is bound": "cProfile.Profile().run('kept = 3')",
    "a list that is changed": "cProfile.Profile().run('kept.append(1)')",
    "a profiler in Python": "profile.Profile().run('f()')",
    "bdb": "bdb.Bdb().run('f()')",
    "trace": "trace.Trace(count=0, trace=0).run('f()')",
    "a function that does so": "def go(): cProfile.Profile().run('f()')\ngo()",
    "DataFrame.eval": "frame.eval('b = @f(a)')",
    "DataFrame.query": "frame.query('@f(a) > 0')",
    "pandas.eval": "pd.eval('f(frame.a)', engine='python')",
    "annotations": "typing.get_type_hints(annotated)",
    "annotations by inspect": "inspect.get_annotations(annotated, eval_str=True)",
    "pydoc": "pydoc.locate('__main__.f')()",
    "pkgutil": "pkgutil.resolve_name('__main__:f')()",
    "a handler": LOG.format(
        "{'version': 1, 'handlers': {'h': {'class': '__main__.Handler'}}, 'loggers': {'own': {'handlers': ['h']}}}"
    ),
    "settings with a name": LOG.format("settings"),
}


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """The names of `__main__`."""
    main = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.chdir(tmp_path)
    yield namespace(SETUP, main=main)
    logging.root.manager.loggerDict.pop("own", None)
    vars(builtins).pop("_", None)  # doctest shows results as Python's prompt does


def state(names: dict[str, Any]) -> tuple[Any, dict[str, int]]:
    return names["kept"], names["count"]


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_what_is_changed_so_is_put_back(cell: str, inside: bool, notebook: dict[str, Any]) -> None:
    journal = run(notebook, failing(cell) if inside else f"{cell}\n1 / 0")
    assert state(notebook) != ([], {"n": 0})
    journal.rollback(0)
    assert state(notebook) == ([], {"n": 0})


COUNTED = """
class Counted:
    made, items = 0, []
    def __new__(cls, *_):
        Counted.made += 1
        Counted.items.append(1)
        return object.__new__(cls)
kept = Counted()
kept.x = 1
"""
READS = {
    "yaml.unsafe_load": ("yaml", "yaml.dump(kept)", "yaml.unsafe_load(text)"),
    "its loader": ("yaml", "yaml.dump(kept)", "yaml.load(text, Loader=yaml.UnsafeLoader)"),
    "several documents": ("yaml", "yaml.dump(kept)", "list(yaml.unsafe_load_all(text))"),
    "another name": ("yaml", "yaml.dump(kept)", "from yaml import unsafe_load as read\nread(text)"),
    "a text of its own": ("yaml", "''", "yaml.unsafe_load('!!python/object/apply:__main__.Counted []')"),
    "jsonpickle.decode": ("jsonpickle", "jsonpickle.encode(kept, keys=True)", "jsonpickle.decode(text, keys=True)"),
    "jsonpickle.loads": (
        "jsonpickle",
        "jsonpickle.encode(kept, keys=True)",
        "from jsonpickle import loads as read\nread(text, keys=True)",
    ),
}


@pytest.mark.parametrize(("library", "writes", "reads"), READS.values(), ids=READS)
def test_objects_that_a_text_makes(
    library: str, writes: str, reads: str, notebook: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed; `pip install {library}` runs this as well")
    exec(f"{COUNTED}import {library}\ntext = {writes}\ndel kept", notebook)
    cls = notebook["Counted"]
    before = cls.made, [*cls.items]
    journal = run(notebook, failing(reads))
    assert (cls.made, cls.items) != before
    assert journal.rollback(0).exact
    assert (cls.made, cls.items) == before


MODULES = {
    "sys.modules": "sys.modules[module].kept.append(1)",
    "an import": "importlib.import_module(module).kept.append(1)",
    "__import__": "__import__(module).kept.append(1)",
    "in a function": "def kept_of(name): return sys.modules[name].kept\nkept_of('__main__').append(1)",
}


@pytest.mark.parametrize("cell", MODULES.values(), ids=MODULES)
def test_what_is_changed_of_a_module_that_a_text_names_is_put_back(cell: str, notebook: dict[str, Any]) -> None:
    exec("import importlib, sys\nmodule = '__main__'", notebook)
    journal = run(notebook, failing(cell))
    assert notebook["kept"] == [1]
    journal.rollback(0)
    assert notebook["kept"] == []


def test_what_documentation_runs_is_put_back_though_no_function_does_it(notebook: dict[str, Any]) -> None:
    del notebook["f"], notebook["Test"], notebook["Handler"]
    journal = run(notebook, "doctest.testmod()\n1 / 0")
    assert sorted(notebook["kept"]) == [2, 3]
    assert journal.rollback(0).exact
    assert notebook["kept"] == []


def notes(journal: Journal, o: object) -> bool:
    """Whether an object was noted."""
    return any(snapshot[1] is o for one in journal.aftermath.checkpoints for snapshot in one.snapshots.entries)


@pytest.mark.parametrize(
    "cell",
    [
        "print('f', 'f()')",
        "re.match('f', 'f()')",
        "frame.get('f')",
        "import json\njson.JSONDecoder().decode('1'), 'f'",
        "import yaml\nyaml.load('f', Loader=yaml.SafeLoader)",
        "import sys\n'f' in sys.modules",
        "frame.query('a > 0')",
        "frame.eval('b = a + f', local_dict={}) if False else 'kept'",
        "timeit.timeit('1 + 1', number=1)",
        "timeit.default_timer(), 'f()'",
        "cProfile.Profile().enable if False else 'f()'",
        "inspect.signature(int.from_bytes), 'f'",
        "logging.getLogger('f')",
        "unittest.TestCase",
        "class Own:\n    def run(self, text): pass\nOwn().run('f()')",
    ],
)
def test_a_text_that_is_only_a_text_names_nothing(cell: str, notebook: dict[str, Any]) -> None:
    journal = run(notebook, failing(cell))
    assert journal.aftermath.checkpoints
    assert not notes(journal, notebook["kept"])
