"""Functions of the user's that a library calls, though no name of the code leads to them: they were registered earlier.

`copy.copy(o)` calls what `copyreg` has for the type, a warning `warnings.showwarning`, printing an array the
formatter that `np.set_printoptions` was given. What such a function changes, the statement changes.
"""

from __future__ import annotations

import builtins
import gc
import signal
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, inherits, is_exactly, module_name
from reflex_ipython.base.own_dict import parts_of_partial
from reflex_ipython.state.kinds import interpreter_hooks, replaced
from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.user_code import contents, is_users

_BUILTINS = vars(builtins)


def _of_pickling() -> Iterable[Any]:
    return list(contents(sys.modules.get("copyreg")).get("dispatch_table", {}).values())


def _of_numpy() -> Iterator[Any]:
    numpy = sys.modules["numpy"]
    yield numpy.geterrcall()
    yield from (numpy.get_printoptions().get("formatter") or {}).values()


def _of_pandas() -> Iterator[Any]:
    options = contents(sys.modules.get("pandas._config.config")).get("_global_config", {})
    yield options.get("display", {}).get("float_format")


def _of_sqlite() -> Iterator[Any]:
    here = contents(sys.modules["sqlite3"])
    for name in ("adapters", "converters"):
        yield from list(here.get(name, {}).values())


def _of_yaml() -> Iterator[Any]:
    here = contents(sys.modules["yaml"])
    found = [getattr(o, table, {}) for name, o in here.items() if name.endswith(_YAML) for table in _YAML_CALLS]
    yield from {id(o): o for table in found for o in table.values()}.values()  # most are in several


_YAML = ("Loader", "Dumper")
_YAML_CALLS = ("yaml_constructors", "yaml_multi_constructors", "yaml_representers", "yaml_multi_representers")


def _of_shutil() -> Iterator[Any]:
    here = contents(sys.modules["shutil"])
    yield from [each[0] for each in here.get("_ARCHIVE_FORMATS", {}).values()]
    yield from [each[1] for each in here.get("_UNPACK_FORMATS", {}).values()]


def _of_jsonpickle() -> Iterable[Any]:
    return list(sys.modules["jsonpickle.handlers"].registry._handlers.values())


def _of_urllib() -> Iterable[Any]:
    """Of handlers their classes: what they are made of stands for a connection."""
    return [type(handler) for handler in contents(sys.modules.get("urllib.request"))["_opener"].handlers]


def _of_matplotlib() -> Iterable[Any]:
    now = (*sys.modules["matplotlib.units"].registry.values(), *sys.modules["matplotlib.scale"]._scale_mapping.values())
    if identical(now, _drawing[0], len(now)):  # asked at each statement that is noted in full
        return []
    theirs = [o for o in now if _may_change(o)]
    _drawing[0] = () if theirs else now  # who takes theirs out again is not to find it alive
    return theirs


_drawing: list[tuple[Any, ...]] = [()]
"""What was there last, if nothing of it is the user's."""


def _at_timers() -> Iterable[Any]:
    return map(signal.getsignal, _TIMERS)


_TIMERS = [getattr(signal, name) for name in ("SIGALRM", "SIGPROF", "SIGVTALRM") if hasattr(signal, name)]
"""Signals that come once a time is over which code has set."""
_AT_HAND: dict[str, Callable[[], Iterable[Any]]] = {
    **dict.fromkeys(("cloudpickle", "copy", "joblib", "multiprocessing", "pickle"), _of_pickling),
    "jsonpickle": _of_jsonpickle,
    "shutil": _of_shutil,
    "signal": _at_timers,
    "urllib": _of_urllib,
    "yaml": _of_yaml,
}
"""What a package calls, where code can get at it."""
_LOADED: dict[str, Callable[[], Iterable[Any]]] = {
    "matplotlib": _of_matplotlib,
    "numpy": _of_numpy,
    "pandas": _of_pandas,
    "sqlite3": _of_sqlite,
}
"""What the objects of a package call, where it is loaded: arrays, frames, connections."""
_EXTENDED = {
    "pandas": ("DataFrame", "Series", "Index"),
    "polars": ("DataFrame", "LazyFrame", "Expr", "Series"),
    "xarray": ("DataArray", "Dataset", "DataTree"),
}
"""Classes that get attributes which make an object of a class of the user's when they are asked for."""
_MAKERS = ("_accessor", "_ns")


def called(modules: Collection[str], words: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The functions and classes of the user's that may be called, with a label for each.

    Parameters
    ----------
    modules : collection of str
        The modules that the code can get at, and their packages.
    words : collection of str
        The names and attributes that it uses.
    """
    for package in sorted(_AT_HAND.keys() & modules):
        if package in sys.modules:
            yield from _users(package, _given(_AT_HAND[package]))
    for package, given in _LOADED.items():
        if package in sys.modules:
            yield from _users(package, _given(given))
    for package in _EXTENDED:
        if package in sys.modules:
            yield from _users(package, _made(package, words))
    yield from _users("warnings", _at_warnings())
    here = contents(sys.modules.get("threading"))
    yield from _users("threading", [here.get(name) for name in _AT_THREADS])
    yield from _users("gc", gc.callbacks)
    yield from _users("the interpreter", interpreter_hooks.called())
    yield from _users("a library", replaced.replacing())
    watching = (sys.getprofile(), sys.gettrace(), sys.unraisablehook, sys.breakpointhook)
    yield from _users("sys", (*sys.meta_path, *sys.path_hooks, *watching))
    builtin = [_BUILTINS[word] for word in words if word in _BUILTINS]
    yield from _users("builtins", [*builtin, *(_BUILTINS[name] for name in _BY_STATEMENTS)])


def called_at_warnings() -> bool:
    """Whether something of the user's is called where a calculation is not defined, or a library warns."""
    setting = sys.modules.get("numpy._core.umath")
    if setting is None:  # before numpy 2
        return any(map(_may_change, (*_at_warnings(), *_numpys_call())))
    now = (*_at_warnings(), setting._extobj_contextvar.get(None))
    if identical(now, _warning[0], len(now)):  # asked at nearly each statement that calculates
        return False
    answer = any(map(_may_change, (*_at_warnings(), *_numpys_call())))
    _warning[0] = () if answer else now
    return answer


_warning: list[tuple[Any, ...]] = [()]
"""What was there last, if nothing of it is the user's."""
_WARNINGS = vars(warnings)


def _at_warnings() -> tuple[Any, ...]:
    get = _WARNINGS.get
    shows = get("_showwarnmsg_impl")
    # `catch_warnings(record=True)` puts a list's method there for as long as a statement: around cells, only tests do.
    return get("showwarning"), None if type(shows) is BuiltinMethodType else shows, get("formatwarning")


def _numpys_call() -> tuple[Any, ...]:
    numpy = sys.modules.get("numpy")
    call = None if numpy is None else numpy.geterrcall()
    return () if call is None else (call,)


_AT_THREADS = ("excepthook", "_profile_hook", "_trace_hook")
_BY_STATEMENTS = ("__build_class__", "__import__")


def _given(give: Callable[[], Iterable[Any]]) -> list[Any]:
    try:
        return list(give())
    except Exception:  # noqa: BLE001 - another version, or another thread is in the middle of importing it
        return []


def _made(package: str, words: Collection[str]) -> Iterator[Any]:
    here = contents(sys.modules.get(package))
    for cls in [here[name] for name in _EXTENDED[package] if name in here]:
        for attribute in [class_vars(cls)[word] for word in words if word in class_vars(cls)]:
            yield from (getattr(attribute, name, None) for name in _MAKERS)


def _users(package: str, some: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"{_CALLED}{package} ({place})", o) for place, o in enumerate(some) if o is not None and _may_change(o))


def _may_change(o: Any) -> bool:
    """Whether who calls it may change what is the user's: it is theirs, or calls what is, or is a method of an object.

    `threading.excepthook = errors.append`; or of a class of theirs: `from_yaml`, of one that derives from `YAMLObject`.
    """
    if type(o) is partial:
        return any(map(_may_change, parts_of_partial(o)[:1]))
    if is_exactly(o, (BuiltinMethodType, MethodType)):
        its_own = type(o.__self__)
        if inherits(its_own, ModuleType) or inherits(its_own, type):
            return is_users(o) or is_users(o.__self__)
        return is_users(o) or module_name(its_own).partition(".")[0] in sys.stdlib_module_names  # a list, a queue, …
    return is_users(o)


_CALLED = "what is called by "


def is_called(label: str) -> bool:
    """Whether it is the label of such a function: it can do something, which does not say that it is changed."""
    return label.startswith(_CALLED)
