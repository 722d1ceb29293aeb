"""What libraries set behind functions, in classes and in C: looked at where the code uses a word that sets it."""

from __future__ import annotations

import asyncio
import sys
import tracemalloc
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from reflex_ipython.state.bounds import Budget
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory
from tests.state.cells import GENEROUS, namespace, run
from tests.state.halves.half import Half, check, halves

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def memory_is_not_traced_and_no_loop_is_left() -> Iterator[None]:
    yield
    tracemalloc.stop()
    loop = getattr(getattr(vars(asyncio.events)["_event_loop_policy"], "_local", None), "_loop", None)
    if loop is not None:
        loop.close()
        asyncio.set_event_loop(None)


PYTHON = (
    Half("flags of dlopen", "import sys", "sys.setdlopenflags(9)", "sys.getdlopenflags()"),
    Half(
        "the event loop",
        "import asyncio\nasyncio.set_event_loop(asyncio.new_event_loop())",
        "asyncio.set_event_loop(None)",
        "id(asyncio.get_event_loop_policy()._local._loop)",
    ),
    Half(
        "what gives the contents of mail",
        "import email.policy",
        "email.policy.default.content_manager.add_get_handler('a/b', len)",
        "email.policy.default.content_manager.get_handlers.get('a/b')",
    ),
    Half(
        "headers of mail",
        "import email.policy",
        "email.policy.default.header_factory.map_to_type('x-mine', str)",
        "email.policy.default.header_factory.registry.get('x-mine')",
    ),
    Half(
        "the generator behind random",
        "import random",
        "random._inst.random = len",
        "vars(random._inst).get('random')",
    ),
    Half(
        "how deep tracemalloc looks",
        "import tracemalloc\ntracemalloc.start(1)",
        "tracemalloc.stop(); tracemalloc.start(3)",
        "tracemalloc.get_traceback_limit()",
    ),
    Half("errno of ctypes", "import ctypes", "ctypes.set_errno(7)", "ctypes.get_errno()"),
    Half("objects that are frozen", "import gc; gc.unfreeze()", "gc.freeze()", "gc.get_freeze_count() > 0"),
    Half(
        "the name of a thread",
        "import threading",
        "threading.main_thread().name = 'x'",
        "threading.main_thread().name",
    ),
    Half(
        "where signals are written to",
        "import os, signal\nr, w = os.pipe(); os.set_blocking(w, False)\n"
        "def now():\n    fd = signal.set_wakeup_fd(-1); signal.set_wakeup_fd(fd); return fd == w",
        "signal.set_wakeup_fd(w)",
        "now()",
    ),
    Half("where zones are found", "import zoneinfo", "zoneinfo.reset_tzpath(['/x'])", "zoneinfo.TZPATH"),
    Half("`_` of gettext", "import gettext", "gettext.install('mine')", "'_' in dir(__import__('builtins'))"),
    Half(
        "the key of a process",
        "import multiprocessing as m",
        "m.current_process().authkey = b'x'",
        "bytes(m.current_process().authkey) == b'x'",
    ),
    Half(
        "who answers interrupts in unittest",
        "import unittest",
        "unittest.installHandler()",
        "__import__('unittest').signals._interrupt_handler is None",
    ),
    Half(
        "a function of a library that dispatches",
        "import pkgutil\nclass A: pass",
        "pkgutil.iter_importer_modules.register(A, print)",
        "A in pkgutil.iter_importer_modules.registry",
    ),
    Half(
        "a dict in a class of a library",
        "import http",
        "http.HTTPStatus._value2member_map_[999] = http.HTTPStatus.OK",
        "999 in http.HTTPStatus._value2member_map_",
    ),
    Half("a flag of a descriptor", "import os\nr, w = os.pipe()", "os.set_blocking(r, False)", named="os.set_blocking"),
    Half("a copied descriptor", "import os\nr, w = os.pipe()", "os.dup2(w, r)", named="os.dup2"),
    Half("a variable of the process", "import os", "os.putenv('MINE', '1')", named="os.putenv"),
    Half("a group of processes", "import os", "os.getpid() < 0 and os.setpgid(0, 0)", named="os.setpgid"),
    Half("a call of a C library", "import ctypes", "ctypes.CDLL(None).getpid()", named="loaded a C library"),
    Half(
        "a descriptor that is closed before another is opened",
        "import os\nfd = os.open(os.devnull, os.O_RDONLY)",
        "os.close(fd); q = os.open(os.devnull, os.O_RDONLY)",
        named="closed a file descriptor",
    ),
)


@halves(*PYTHON)
def test_what_python_keeps_is_put_back_or_named(half: Half) -> None:
    check(half)


INSTALLED = (
    ("attr", Half("", "import attr", "attr.set_run_validators(False)", "attr.get_run_validators()")),
    ("scipy.special", Half("", "import scipy.special as s", "s.seterr(all='raise')", "s.geterr()['loss']")),
    (
        "threadpoolctl",
        Half(
            "",
            "import threadpoolctl as t, numpy as np; np.eye(9) @ np.eye(9)\nt.threadpool_limits(2)\n"
            "def counts():\n    return [each['num_threads'] for each in t.threadpool_info()]",
            "t.threadpool_limits(1)",
            "counts()",
        ),
    ),
    ("joblib", Half("", "import joblib as j", "j.parallel_config(n_jobs=3)", "j.parallel.get_active_backend()[1]")),
    (
        "joblib",
        Half(
            "",
            "import joblib as j\nfrom joblib._parallel_backends import SequentialBackend as S",
            "j.register_parallel_backend('mine', S)",
            "'mine' in j.parallel.BACKENDS",
        ),
    ),
    ("dask", Half("", "import dask", "dask.config.set({'a.b': 1})", "dask.config.get('a.b', None)")),
    (
        "dask",
        Half(
            "",
            "import dask\nfrom dask.callbacks import Callback",
            "Callback().register()",
            "len(dask.callbacks.Callback.active)",
        ),
    ),
    (
        "tqdm",
        Half(
            "",
            "import tqdm, pandas as pd",
            "tqdm.tqdm.pandas()",
            "hasattr(pd.DataFrame, 'progress_apply'), hasattr(pd.Series, 'progress_map')",
        ),
    ),
    ("yaml", Half("", "import yaml", "yaml.add_constructor('!x', print)", "'!x' in yaml.Loader.yaml_constructors")),
    (
        "cloudpickle",
        Half(
            "",
            "import cloudpickle, string",
            "cloudpickle.register_pickle_by_value(string)",
            "list(cloudpickle.list_registry_pickle_by_value())",
        ),
    ),
    ("rich", Half("", "import rich; rich.get_console()", "rich.reconfigure(width=33)", "rich.get_console().width")),
    (
        "matplotlib.legend",
        Half(
            "",
            "from matplotlib.legend import Legend as L",
            "L.update_default_handler_map({int: print})",
            "int in L.get_default_handler_map()",
        ),
    ),
    (
        "matplotlib.markers",
        Half(
            "",
            "import matplotlib.markers as m",
            "m.MarkerStyle.markers['mine'] = 'x'",
            "'mine' in m.MarkerStyle.markers",
        ),
    ),
    (
        "matplotlib.colors",
        Half(
            "",
            "import matplotlib as m; m.use('agg')\nimport matplotlib.pyplot as p; p.figure(); p.close('all')",
            "p.switch_backend('svg')",
            "p._backend_mod.FigureCanvas.__name__, m.rcParams['backend']",
        ),
    ),
    (
        "pyparsing",
        Half(
            "",
            "import pyparsing as p",
            "p.ParserElement.set_default_whitespace_chars(' ')",
            named="set_default_whitespace_chars",
        ),
    ),
    ("psutil", Half("", "import psutil", "psutil.Process().nice()", named="psutil.nice")),
)


@pytest.mark.parametrize(("library", "half"), INSTALLED, ids=[f"{name}: {half.cell}" for name, half in INSTALLED])
def test_what_an_installed_library_keeps_is_put_back_or_named(library: str, half: Half) -> None:
    pytest.importorskip(library)
    check(half)


GETTERS = "at = {{'a': 1}}\ndef {get}(): return at['a']\ndef {put}(value): at['a'] = value"


def of(module: str, get: str, put: str) -> tuple[str, str, str, str]:
    """The module of a library that has these two functions, what changes it, and what shows it."""
    return module, GETTERS.format(get=get, put=put), f"{put}(2)", f"{get}()"


MODULES = (
    of("cv2", "getNumThreads", "setNumThreads"),
    of("numba", "get_num_threads", "set_num_threads"),
    of("pyarrow", "cpu_count", "set_cpu_count"),
    of("pyproj.datadir", "get_data_dir", "set_data_dir"),
    of("torch", "get_num_threads", "set_num_threads"),
    (
        "xgboost",
        "at = {'verbosity': 1}\ndef get_config(): return at\ndef set_config(**more): at.update(more)",
        "set_config(verbosity=0)",
        "get_config()",
    ),
    (
        "h5py",
        "class Config: track_order = False; bool_names = (b'a', b'b')\nconfig = Config()\n"
        "def get_config(): return config",
        "(get_config().__setattr__('track_order', True))",
        "config.track_order",
    ),
    (
        "pyarrow",
        "class Pool:\n    def __init__(self, name): self.backend_name = name\npool = [Pool('mimalloc')]\n"
        "def default_memory_pool(): return pool[0]\ndef set_memory_pool(new): pool[0] = new\n"
        "def mimalloc_memory_pool(): return Pool('mimalloc')",
        "set_memory_pool(Pool('system'))",
        "pool[0].backend_name",
    ),
    (
        "polars.config",
        "import os\nat = {'fmt': None}\nreloads = []\n_POLARS_CFG_DIRECT_VARS = {'set_fmt': lambda: at['fmt']}\n"
        "class plr: config_reload_env_vars = staticmethod(lambda: reloads.append(os.environ.get('POLARS_MINE')))\n"
        "class Config:\n    @classmethod\n    def set_fmt(cls, value): at['fmt'] = value",
        "Config.set_fmt('full')",
        "at['fmt']",
    ),
    (
        "polars",
        "class DataFrame: _accessors = set()\n"
        "def register_dataframe_namespace(name): DataFrame._accessors.add(name); DataFrame.mine = 1",
        "register_dataframe_namespace('mine')",
        "DataFrame._accessors, hasattr(DataFrame, 'mine')",
    ),
    (
        "xarray",
        "class Dataset: pass\ndef register_dataset_accessor(name): Dataset.mine = 1",
        "register_dataset_accessor('mine')",
        "hasattr(Dataset, 'mine')",
    ),
    (
        "astropy.config.configuration",
        "class Section(dict): scalars, sections = (), ()\n_cfgobjs = {'astropy': Section(a=1)}\n"
        "def conf(): _cfgobjs['astropy']['a'] = 2",
        "conf()",
        "_cfgobjs",
    ),
    (
        "astropy.utils.state",
        "class ScienceState: _value = None\nclass Mine(ScienceState):\n    @classmethod\n"
        "    def set(cls, value): cls._value = value",
        "Mine.set(1)",
        "Mine._value",
    ),
    (
        "bokeh.settings",
        "class One:\n    _user_value = None\nclass Settings: level = One()\nsettings = Settings()",
        "setattr(Settings.level, '_user_value', 'debug')",
        "Settings.level._user_value",
    ),
    (
        "astropy.io.registry.compat",
        "class R: pass\ndefault_registry = R(); default_registry.readers = {}\n"
        "def register_reader(): default_registry.readers['a'] = 1",
        "register_reader()",
        "default_registry.readers",
    ),
    ("catalogue", "REGISTRY = {}\ndef register(): REGISTRY['a'] = 1", "register()", "REGISTRY"),
    (
        "sympy.core.parameters",
        "class P: evaluate = True\nglobal_parameters = P()\ndef evaluate(x): global_parameters.evaluate = x",
        "evaluate(False)",
        "global_parameters.evaluate",
    ),
)


WORDS = {"astropy.utils.state": "set", "bokeh.settings": "settings", "h5py": "get_config", "polars.config": "Config"}
"""What code says that changes it, where that is not the name of the function."""


@pytest.mark.parametrize(
    ("module", "source", "change", "shows"), MODULES, ids=[f"{module}: {change}" for module, _, change, _ in MODULES]
)
def test_what_a_library_keeps_that_is_not_installed_is_put_back(
    module: str, source: str, change: str, shows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = library(monkeypatch, module, source)
    names = namespace() | {"lib": sys.modules[module.partition(".")[0]]}
    before = repr(eval(shows, here))
    word = WORDS.get(module, change.partition("(")[0])
    exec(f"def change(_): {change}", here)
    vars(names["lib"])["change"] = here["change"]
    vars(names["lib"]).setdefault(word, None)
    journal = run(names, f"lib.change(lib.{word}); 1 / 0", at_once=True)
    assert repr(eval(shows, here)) != before
    assert journal.rollback(0).words == "state restored exactly"
    assert repr(eval(shows, here)) == before


def test_what_comes_in_with_the_statement_that_sets_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    library(monkeypatch, "plotly.io", "")
    source = (
        "import sys\nclass config: default_engine = 'json'\nsys.modules['plotly.io._json'] = sys.modules['plotly.io']"
    )
    exec(f"def change(_): exec({source!r})", vars(sys.modules["plotly"]))
    monkeypatch.setitem(sys.modules, "plotly.io._json", sys.modules["plotly"])
    del sys.modules["plotly.io._json"]
    vars(sys.modules["plotly"])["config"] = None
    names = namespace() | {"lib": sys.modules["plotly"]}
    assert "plotly.io._json" in run(names, "lib.change(lib.config); 1 / 0", at_once=True).rollback(0).words
    assert run(names, "lib.change; 1 / 0", at_once=True).rollback(0).exact


def test_a_registry_leads_to_what_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "REGISTRY = {}\nclass Registry:\n    def __call__(self, name): REGISTRY[name] = self"
    here = library(monkeypatch, "catalogue", source)
    names = namespace() | {"r": here["Registry"]()}
    assert run(names, "r('mine'); 1 / 0", at_once=True).rollback(0).exact
    assert not here["REGISTRY"]


def test_names_that_can_be_set_as_text_alone_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "class config: bool_names = (b'FALSE', b'TRUE')\ndef get_config(): return config"
    here = library(monkeypatch, "h5py", source)
    names = namespace() | {"h5py": sys.modules["h5py"]}
    words = run(names, "h5py.get_config().bool_names = ('no', 'yes'); 1 / 0", at_once=True).rollback(0).words
    assert "names that were bytes are text now" in words
    assert here["config"].bool_names == ("FALSE", "TRUE")


def test_a_function_is_known_whatever_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "class Dataset: pass\ndef register_dataset_accessor(name): Dataset.mine = 1"
    here = library(monkeypatch, "xarray", source)
    names = namespace() | {"r": here["register_dataset_accessor"]}
    assert run(names, "r('mine'); 1 / 0", at_once=True).rollback(0).exact
    assert not hasattr(here["Dataset"], "mine")


def test_a_function_of_cython_leads_to_its_module() -> None:
    lib = pytest.importorskip("pandas._libs.lib")
    budget = Budget(GENEROUS)
    budget.start()
    walk = Walk({"f": lib.infer_dtype}, (), WalkMemory(budget))
    walk.statement(compile("f([1])", "<cell>", "exec"))
    assert "pandas" in walk.libraries()


def test_a_function_of_a_library_that_nobody_knows_is_named_if_its_name_says_that_it_sets_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = library(
        monkeypatch, "charts", "def set_level(): pass\ndef draw(): pass\nclass Chart:\n    def set_title(_): pass"
    )
    names = namespace() | {"lib": sys.modules["charts"], "chart": here["Chart"]()}
    assert "charts.set_level" in run(names, "lib.set_level(); 1 / 0", at_once=True).rollback(0).words
    assert run(names, "lib.draw(); chart.set_title(); 1 / 0", at_once=True).rollback(0).exact


def library(monkeypatch: pytest.MonkeyPatch, name: str, source: str) -> dict[str, Any]:
    """The namespace of a module of a library; its packages are there as well."""
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        module = ModuleType(".".join(parts[:count]))
        module.__file__ = f"/lib/site-packages/{module.__name__}.py"
        monkeypatch.setitem(sys.modules, module.__name__, module)
    here = vars(sys.modules[name])
    exec(source, here)
    return here
