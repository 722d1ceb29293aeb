"""What a function of the user's changes that was registered earlier, and that a library calls."""

from __future__ import annotations

import builtins
import copyreg
import logging
import random
import shutil
import signal
import sqlite3
import sys
import threading
import urllib.request
import warnings
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from reflex_ipython.state.credit import Credit
from reflex_ipython.state.kinds.callbacks import called
from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, halves

FOREIGN = pytest.MonkeyPatch().undo
VARIABLE = "n = [0]\nimport contextvars\nv = contextvars.ContextVar('v', "
COUNT = "n = [0]\ndef seen(*_, **__):\n    n[0] += 1\n    return 'x'\n"
PICKLED = (
    "import copyreg\nclass P: pass\nn = [0]\ndef seen(p):\n    n[0] += 1\n    return P, ()\n"
    "copyreg.pickle(P, seen)\np = P()\n"
)


@pytest.fixture(autouse=True)
def nothing_is_called_any_more(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    for name in ("breakpointhook", "excepthook", "unraisablehook"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr(urllib.request, "_opener", None)
    monkeypatch.setattr(logging, "_logRecordFactory", logging.getLogRecordFactory())
    finders, adapters, reducers = [*sys.meta_path], sqlite3.adapters.copy(), copyreg.dispatch_table.copy()
    with warnings.catch_warnings():
        yield
    sys.meta_path[:] = finders
    for registry, before in ((sqlite3.adapters, adapters), (copyreg.dispatch_table, reducers)):
        registry.clear()
        registry.update(before)
    vars(builtins).pop("mine", None)
    for name in ("callbacks", "callbacks.too"):
        logging.getLogger(name).filters.clear()
        logging.getLogger(name).handlers.clear()
    shutil._ARCHIVE_FORMATS.pop("tests.mine", None)  # type: ignore[attr-defined]


@halves(
    Half("copy.copy", f"{PICKLED}import copy", "copy.copy(p)", "n"),
    Half("copy.deepcopy by its name", f"{PICKLED}from copy import deepcopy", "deepcopy([p])", "n"),
    Half("pickle.dumps", f"{PICKLED}import pickle", "pickle.dumps(p)", "n"),
    Half(
        "an adapter of SQLite",
        f"{COUNT}import sqlite3\nclass P: pass\nsqlite3.register_adapter(P, seen)\ncon = sqlite3.connect(':memory:')",
        "con.execute('select ?', (P(),)).fetchall()",
        "n",
    ),
    Half(
        "a warning",
        f"{COUNT}import warnings\nwarnings.showwarning = seen; warnings.simplefilter('always')",
        "warnings.warn('x')",
        "n",
    ),
    Half(
        "an error in a thread",
        f"{COUNT}import threading\nthreading.excepthook = seen",
        "t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()",
        "n",
    ),
    Half(
        "an import",
        "import sys\nn = [0]\nclass F:\n    @staticmethod\n    def find_spec(*_): n[0] += 1\n"
        "sys.meta_path.insert(0, F); sys.modules.pop('colorsys', None)",
        "import colorsys",
        "n",
    ),
    Half("a name of builtins", f"{COUNT}import builtins\nbuiltins.mine = seen", "mine(1)", "n"),
    Half(
        "a filter of a logger",
        "import logging\nn = [0]\ndef seen(record):\n    n[0] += 1\n    return False\n"
        "log = logging.getLogger('callbacks'); log.addFilter(seen)",
        "log.warning('x')",
        "n",
    ),
    Half(
        "a formatter of a class of the user's",
        "import logging\nn = [0]\nclass F(logging.Formatter):\n    def format(self, record):\n        n[0] += 1\n"
        "        return 'x'\nh = logging.StreamHandler(); h.setFormatter(F())\n"
        "logging.getLogger('callbacks').addHandler(h); del h",
        "logging.getLogger('callbacks').warning('x')",
        "n",
    ),
    Half(
        "a factory of log records",
        "import logging\nn = [0]\nold = logging.getLogRecordFactory()\ndef seen(*args, **names):\n    n[0] += 1\n"
        "    return old(*args, **names)\nlogging.setLogRecordFactory(seen)",
        "logging.getLogger('callbacks').warning('x')",
        "n",
    ),
    Half(
        "a class of loggers",
        "import logging\nn = [0]\nclass L(logging.Logger):\n    def makeRecord(self, *args):\n        n[0] += 1\n"
        "        return super().makeRecord(*args)\nL('callbacks.own')\n"
        "logging.setLoggerClass(L); logging.getLogger('callbacks.own'); logging.setLoggerClass(logging.Logger)",
        "logging.getLogger('callbacks.own').warning('x')",
        "n",
    ),
    Half(
        "a list's method, at an error in a thread",
        "import threading\nseen = []; threading.excepthook = seen.append",
        "t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()",
        "len(seen)",
    ),
    Half(
        "a queue's method, at an error in a thread",
        "import threading, queue\nseen = queue.Queue(); threading.excepthook = seen.put",
        "t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()",
        "seen.qsize()",
    ),
    Half(
        "a function with arguments, at an error in a thread",
        f"{COUNT}import threading\nfrom functools import partial\nthreading.excepthook = partial(seen, 1)",
        "t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()",
        "n",
    ),
    Half(
        "a list's method, at an error in `__del__`",
        "import sys\nseen = []; sys.unraisablehook = seen.append\nclass D:\n    def __del__(self): 1 / 0",
        "D()",
        "len(seen)",
    ),
    Half(
        "a list's method, at a breakpoint",
        "import sys\nseen = []; sys.breakpointhook = seen.append",
        "breakpoint(1)",
        "seen",
    ),
    Half("a hook of errors", f"{COUNT}import sys\nsys.excepthook = seen", "sys.excepthook(None, None, None)", "n"),
    Half(
        "a format of archives",
        f"{COUNT}import shutil\nshutil.register_archive_format('tests.mine', seen)",
        "shutil.make_archive('never', 'tests.mine')",
        "n",
    ),
    Half(
        "a row of SQLite",
        f"{COUNT}import sqlite3\ncon = sqlite3.connect(':memory:')\ncon.row_factory = seen",
        "con.execute('select 1').fetchall()",
        "n",
    ),
    Half(
        "an attribute of a module that is not there",
        "import types\nn = [0]\ndef seen(name): n[0] += 1\nm = types.ModuleType('m'); m.__getattr__ = seen",
        "m.missing",
        "n",
    ),
    Half(
        "a module of a class of the user's",
        "import types\nn = [0]\nclass M(types.ModuleType):\n    @property\n    def x(self): n[0] += 1\nm = M('m')",
        "m.x",
        "n",
    ),
    Half("a value that a context variable has of itself", f"{VARIABLE}default=n)", "v.get()[0] += 1", "n"),
    Half("a function that it has so", f"{COUNT}{VARIABLE}default=seen)", "v.get()()", "n"),
    Half(
        "a handler of URLs",
        "import urllib.request\nn = [0]\nclass H(urllib.request.BaseHandler):\n"
        "    def own_open(self, request): n[0] += 1; return 1\n"
        "urllib.request.install_opener(urllib.request.build_opener(H()))",
        "urllib.request.urlopen('own://a')",
        "n",
    ),
    Half(
        "a filter of a logger by its name",
        "import logging\nn = [0]\ndef seen(record):\n    n[0] += 1\n    return False\n"
        "logging.getLogger('callbacks.too').addFilter(seen)",
        "logging.getLogger('callbacks.too').warning('x')",
        "n",
    ),
)
def test_what_is_called_by_python_is_looked_at(half: Half) -> None:
    check(half)


@pytest.mark.parametrize(
    ("library", "half"),
    [
        (
            "numpy",
            Half(
                "",
                f"{COUNT}import numpy as np\nnp.set_printoptions(formatter={{'float': seen}})",
                "str(np.ones(2))",
                "n",
            ),
        ),
        (
            "pandas",
            Half(
                "",
                f"{COUNT}import pandas as pd\npd.set_option('display.float_format', seen)\n"
                "df = pd.DataFrame({'a': [1.5]})",
                "str(df)",
                "n",
            ),
        ),
        (
            "pandas",
            Half(
                "",
                "import pandas as pd\nn = [0]\nclass D(pd.DataFrame):\n    @property\n    def _constructor(self):\n"
                "        n[0] += 1\n        return D\nd = D({'a': [1]})",
                "d[['a']]",
                "n",
            ),
        ),
        (
            "numpy",
            Half("", f"{COUNT}import numpy as np\nuf = np.frompyfunc(seen, 1, 1)\na = np.arange(3)", "uf(a)", "n"),
        ),
        (
            "ipywidgets",
            Half("", f"{COUNT}import ipywidgets\nb = ipywidgets.Button(); b.on_click(seen)", "b.click()", "n"),
        ),
        (
            "pandas",
            Half(
                "",
                "import pandas as pd\nn = [0]\n@pd.api.extensions.register_dataframe_accessor('counted')\n"
                "class A:\n    def __init__(self, df): n[0] += 1\ndf = pd.DataFrame()",
                "df.counted",
                "n",
            ),
        ),
        ("yaml", Half("", f"{COUNT}import yaml\nyaml.add_constructor('!y', seen)", "yaml.unsafe_load('!y 1')", "n")),
        (
            "yaml",
            Half(
                "",
                f"{COUNT}import yaml\nyaml.add_multi_constructor('!z', seen, yaml.SafeLoader)",
                "yaml.safe_load('!zz 1')",
                "n",
            ),
        ),
        (
            "yaml",
            Half(
                "",
                "import yaml\nn = [0]\nclass Y(yaml.YAMLObject):\n    yaml_tag, yaml_loader = '!o', yaml.SafeLoader\n"
                "    def __setstate__(self, state): n[0] += 1\ndel Y",
                "yaml.safe_load('!o {a: 1}')",
                "n",
            ),
        ),
        (
            "matplotlib",
            Half(
                "",
                "import matplotlib.units\nfrom matplotlib.figure import Figure\nn = [0]\nclass Q: pass\n"
                "class C(matplotlib.units.ConversionInterface):\n    @staticmethod\n"
                "    def convert(*_): n[0] += 1; return 1.0\n"
                "matplotlib.units.registry[Q] = C(); q = Q(); axes = Figure().subplots(); del C",
                "axes.plot([q], [1])",
                "n",
            ),
        ),
    ],
    ids=["numpy", "pandas", "a subclass", "a ufunc", "a widget", "an accessor", "yaml", "tags", "an object", "a unit"],
)
def test_what_is_called_by_a_library_is_looked_at(library: str, half: Half) -> None:
    module = pytest.importorskip(library)
    try:
        check(half)
    finally:
        if library == "numpy":
            module.set_printoptions(formatter=None)
        if library == "pandas":
            module.reset_option("display.float_format")
            if "counted" in module.DataFrame._accessors:
                module.DataFrame._accessors.discard("counted")
                del module.DataFrame.counted
        if library == "yaml":
            for tags in (module.SafeLoader.yaml_constructors, module.SafeLoader.yaml_multi_constructors):
                tags.pop("!z", None)
                tags.pop("!o", None)
        if library == "matplotlib":
            units = sys.modules["matplotlib.units"].registry
            for cls in [cls for cls in units if cls.__module__ == "__main__"]:
                del units[cls]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timers")
def test_what_a_timer_calls_is_looked_at() -> None:
    before = signal.getsignal(signal.SIGALRM)
    try:
        setup = f"{COUNT}import signal\nsignal.signal(signal.SIGALRM, seen)"
        check(Half("", setup, "signal.setitimer(signal.ITIMER_REAL, 0.01); signal.pause()", "n"))
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_function_that_may_be_called_is_not_named_itself_where_nobody_had_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = namespace(f"{COUNT}import warnings\nwarnings.showwarning = seen\nitems = []")
    words = run(here, "items.extend(map(str, range(3))); 1 / 0", at_once=True, credit=Nothing()).rollback(0).words
    assert "items" in words
    assert "what is called" not in words


class Nothing(Credit):
    """No credit."""

    def __init__(self) -> None:
        super().__init__()
        self.left = -1.0

    def earn(self, seconds: float) -> None:
        """There is none."""


def test_a_connection_that_calls_functions_that_nobody_can_look_up_is_named() -> None:
    here = namespace()
    run(here, f"{COUNT}import sqlite3\ncon = sqlite3.connect(':memory:')\ncon.create_function('f', 0, seen)").clear()
    assert "con (sqlite3.Connection)" in run(here, "con.execute('select f()').fetchall(); 1 / 0").rollback(0).words


MAKERS = {
    "a function": "def make():\n    con = sqlite3.connect(':memory:')\n"
    "    con.create_function('f', 0, seen)\n    return con\n",
    "one that another one calls": "def fill(con): con.create_function('f', 0, seen)\n"
    "def make():\n    con = sqlite3.connect(':memory:')\n    fill(con)\n    return con\n",
    "a class": "class Made:\n    def __init__(self):\n        self.con = sqlite3.connect(':memory:')\n"
    "        self.con.create_function('f', 0, seen)\ndef make(): return Made().con\n",
}


@pytest.mark.parametrize("made", MAKERS.values(), ids=MAKERS)
def test_a_connection_that_was_given_functions_as_it_was_made_is_named(made: str) -> None:
    here = namespace(f"{COUNT}import sqlite3\n{made}")
    run(here, "con = make()").clear()
    assert "con (sqlite3.Connection)" in run(here, "con.execute('select f()').fetchall(); 1 / 0").rollback(0).words


def test_one_that_a_function_fills_is_named() -> None:
    here = namespace(f"{COUNT}import sqlite3\ncon = sqlite3.connect(':memory:')")
    run(here, "def fill(given): given.create_function('f', 0, seen)\nfill(con)").clear()
    assert "con (sqlite3.Connection)" in run(here, "con.execute('select f()').fetchall(); 1 / 0").rollback(0).words


def test_a_connection_without_functions_is_not_named() -> None:
    here = namespace(f"{COUNT}import sqlite3\n{MAKERS['a function']}", "con = sqlite3.connect(':memory:')")
    run(here, "other = make()").clear()
    run(here, "more = sqlite3.connect(':memory:')").clear()
    cell = "if True:\n    con.execute('select 1').fetchall()\n    more.execute('select 1').fetchall()\n    1 / 0"
    assert run(here, cell).rollback(0).words == "state restored exactly"


@pytest.mark.parametrize(("hook", "is_followed"), [([].append, True), (random.Random().seed, True), (FOREIGN, False)])
def test_a_method_at_a_hook_is_followed_where_its_object_is_of_python_itself(hook: Any, is_followed: bool) -> None:
    """What watches a program, such as coverage, puts methods of its own there."""
    threading.excepthook = hook
    assert (hook in [o for _, o in called((), ())]) is is_followed


def test_what_was_taken_out_of_a_librarys_table_again_is_not_kept_alive() -> None:
    units = pytest.importorskip("matplotlib.units")
    pytest.importorskip("matplotlib.scale")
    here = namespace("rows = []\nclass Mine:\n    def default_units(self, *_): pass\nconverter = Mine()")
    units.registry[here["Mine"]] = here["converter"]
    try:
        run(here, "rows.append(1)").clear()
        called_then = [o for _, o in called((), ())]
    finally:
        del units.registry[here["Mine"]]
    assert here["converter"] in called_then
    seen = weakref.ref(here.pop("converter"))
    called_then.clear()
    assert seen() is None
