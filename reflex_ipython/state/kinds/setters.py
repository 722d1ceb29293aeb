"""Settings that a library keeps in C or Rust, or behind functions: what a getter gives, a setter takes.

Looked at only where the code uses a word by which they are set.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from reflex_ipython.state.kinds.contained import all_contained, have_still, put_back_into
from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.kinds.registries import NAME, Row, switch


def _function(o: Any, path: str) -> Callable[..., Any] | None:
    """What has that path from a module on; None in a version that has it not."""
    for name in path.split("."):
        o = getattr(o, name, None)
    return o  # type: ignore[no-any-return]  # it is a function


def _values(*pairs: tuple[str, str]) -> Kind:
    """The kind of a module that has such functions: of each pair, the first gives what the second one takes."""

    def now(o: Any) -> list[Any]:
        getters = [_function(o, getter) for getter, _ in pairs]
        return [None if get is None else get() for get in getters]

    def put(o: Any, saved: list[Any]) -> None:
        for (_, setter), value, before in zip(pairs, now(o), saved):
            set_it = _function(o, setter)
            if value != before and set_it is not None:
                set_it(before)

    return switch(now, put)


def _keywords(getter: str, setter: str) -> Kind:
    """The same, where a dict is given that is taken by keywords."""

    def now(o: Any) -> Any:
        get = _function(o, getter)
        return None if get is None else dict(get())

    def put(o: Any, saved: Any) -> None:
        set_them = _function(o, setter)
        assert set_them is not None
        set_them(**saved)

    return switch(now, put)


_ALSO = {"set_data_dir": "append_data_dir"}
"""Functions that set what another one takes."""


def _words(*pairs: tuple[str, str]) -> frozenset[str]:
    names = {setter.rpartition(".")[2] for _, setter in pairs}
    return frozenset(names | {_ALSO[name] for name in names if name in _ALSO})


_PAIRS: dict[str, tuple[tuple[str, str], ...]] = {
    "PIL.Image": (
        ("core.get_alignment", "core.set_alignment"),
        ("core.get_block_size", "core.set_block_size"),
        ("core.get_blocks_max", "core.set_blocks_max"),
    ),
    "attr": (("get_run_validators", "set_run_validators"),),
    "ctypes": (("get_errno", "set_errno"),),
    "cv2": (
        ("getNumThreads", "setNumThreads"),
        ("useOptimized", "setUseOptimized"),
        ("getLogLevel", "setLogLevel"),
        ("ocl.useOpenCL", "ocl.setUseOpenCL"),
        ("utils.logging.getLogLevel", "utils.logging.setLogLevel"),
    ),
    "numba": (("get_num_threads", "set_num_threads"), ("get_parallel_chunksize", "set_parallel_chunksize")),
    "pyarrow": (("cpu_count", "set_cpu_count"), ("io_thread_count", "set_io_thread_count")),
    "pyproj": (("network.is_network_enabled", "network.set_network_enabled"),),
    "pyproj.datadir": (("get_data_dir", "set_data_dir"),),
    "readline": (("get_completer", "set_completer"), ("get_completer_delims", "set_completer_delims")),
    "torch": (
        ("get_num_threads", "set_num_threads"),
        ("get_default_dtype", "set_default_dtype"),
        ("get_float32_matmul_precision", "set_float32_matmul_precision"),
        ("is_grad_enabled", "set_grad_enabled"),
        ("are_deterministic_algorithms_enabled", "use_deterministic_algorithms"),
    ),
}
"""By the module that has them."""
_OF_VALIDATORS = frozenset({"disabled", "set_disabled"})

# ------------------------------------------------------------------------------------------ those of single libraries


def _of_polars(o: Any) -> tuple[Any, ...]:
    environment = {name: value for name, value in os.environ.items() if name.startswith("POLARS_")}
    in_rust = {name: get() for name, get in getattr(o, "_POLARS_CFG_DIRECT_VARS", {}).items()}
    objects = {name: get() for name, (get, *_) in getattr(o, "_POLARS_CFG_RUNTIME_VARS", {}).items()}
    return environment, in_rust, objects


def _set_of_polars(o: Any, saved: tuple[Any, ...]) -> None:
    environment, in_rust, objects = saved
    now = _of_polars(o)
    for name in now[0].keys() - environment.keys():
        del os.environ[name]
    os.environ.update(environment)
    for name, value in in_rust.items():
        if now[1][name] != value:
            getattr(o.Config, name)(value)
    for name, value in objects.items():
        o._POLARS_CFG_RUNTIME_VARS[name][1](value)
    reload = _function(o, "plr.config_reload_env_vars")
    if reload is not None:  # Rust has read the environment when it was set
        reload()


def _pool(o: Any) -> Any:
    return o.default_memory_pool().backend_name


def _set_pool(o: Any, saved: Any) -> None:
    o.set_memory_pool(getattr(o, f"{saved}_memory_pool")())


_OF_H5PY = ("track_order", "complex_names", "bool_names")


def _of_h5py(o: Any) -> dict[str, Any]:
    config = o.get_config()
    return {name: getattr(config, name) for name in _OF_H5PY if hasattr(config, name)}


def _as_set(value: Any) -> Any:
    """Names that are bytes at first can be set as text alone."""
    if type(value) is not tuple:
        return value
    return tuple(part.decode() if type(part) is bytes else part for part in value)


def _set_of_h5py(o: Any, saved: dict[str, Any]) -> None:
    now = _of_h5py(o)
    for name, value in saved.items():
        if now[name] != value:
            setattr(o.get_config(), name, _as_set(value))
    if _of_h5py(o) != saved:
        raise CannotRestore("names that were bytes are text now")


def _threads(o: Any) -> list[Any]:
    return [(each, each.num_threads) for each in o.ThreadpoolController().lib_controllers]


def _same_threads(o: Any, saved: list[Any]) -> bool:
    return all(each.num_threads == count for each, count in saved)


def _set_threads(o: Any, saved: list[Any]) -> None:
    for each, count in saved:
        each.set_num_threads(count)


def _sections(section: Any) -> list[Any]:
    """The dicts of a ConfigObj, and the lists in which it keeps their order."""
    inside = [_sections(dict.get(section, name)) for name in section.sections]
    return [section, section.scalars, section.sections, *(part for some in inside for part in some)]


def _of_astropy(o: Any) -> Any:
    files = list(o._cfgobjs.values())
    return all_contained([o._cfgobjs]), [all_contained(_sections(file)) for file in files]


def _set_of_astropy(o: Any, saved: Any) -> None:
    for contained in (saved[0], *saved[1]):
        put_back_into(contained)


def _states(cls: Any) -> list[Any]:
    return [*cls.__subclasses__(), *(each for part in cls.__subclasses__() for each in _states(part))]


def _of_states(o: Any) -> dict[Any, Any]:
    return {cls: cls._value for cls in _states(o.ScienceState)}


def _set_states(o: Any, saved: dict[Any, Any]) -> None:
    for cls, value in saved.items():
        cls._value = value


def _users_settings(o: Any) -> dict[Any, Any]:
    found = {name: vars(type(o.settings))[name] for name in dir(type(o.settings)) if name in vars(type(o.settings))}
    return {each: each._user_value for each in found.values() if hasattr(each, "_user_value")}


def _set_users_settings(o: Any, saved: dict[Any, Any]) -> None:
    for each, value in saved.items():
        each._user_value = value


def _frozen(o: Any) -> bool:
    return bool(o.get_freeze_count())


def _unfreeze(o: Any, saved: bool) -> None:
    if saved:
        raise CannotRestore("what was frozen is not any more")
    o.unfreeze()


def _wakeup(o: Any) -> int:
    descriptor = o.set_wakeup_fd(-1)
    o.set_wakeup_fd(descriptor)
    return int(descriptor)


_CONTAINED = Kind(
    NAME,
    "exact",
    lambda o, walk: _of_astropy(o),
    lambda o, saved: all(have_still(contained) for contained in (saved[0], *saved[1])),
    _set_of_astropy,
)

ROWS = (
    ("attr", "attr", _OF_VALIDATORS, "settings of attr", _values(*_PAIRS["attr"])),
    ("attrs", "attr", _OF_VALIDATORS, "settings of attr", _values(*_PAIRS["attr"])),
    ("astropy", "astropy.config.configuration", frozenset({"conf", "set_temp"}), "settings of astropy", _CONTAINED),
    ("astropy", "astropy.utils.state", frozenset({"set"}), "states of astropy", switch(_of_states, _set_states)),
    (
        "bokeh",
        "bokeh.settings",
        frozenset({"settings"}),
        "settings of bokeh",
        switch(_users_settings, _set_users_settings),
    ),
    ("gc", "gc", frozenset({"freeze", "unfreeze"}), "gc.freeze", switch(_frozen, _unfreeze)),
    ("h5py", "h5py", frozenset({"get_config"}), "settings of h5py", switch(_of_h5py, _set_of_h5py)),
    (
        "polars",
        "polars.config",
        frozenset({"Config"}),
        "settings of polars",
        switch(_of_polars, _set_of_polars),
    ),
    ("pyarrow", "pyarrow", frozenset({"set_memory_pool"}), "pyarrow's pool of memory", switch(_pool, _set_pool)),
    (
        "scipy",
        "scipy.special",
        frozenset({"seterr", "errstate"}),
        "scipy.special.seterr",
        _keywords("geterr", "seterr"),
    ),
    (
        "signal",
        "signal",
        frozenset({"set_wakeup_fd"}),
        "signal.set_wakeup_fd",
        switch(_wakeup, lambda o, saved: o.set_wakeup_fd(saved)),
    ),
    (
        "threadpoolctl",
        "threadpoolctl",
        frozenset({"threadpool_limits", "limit"}),
        "limits of threads",
        Kind(NAME, "exact", lambda o, walk: _threads(o), _same_threads, _set_threads),
    ),
    (
        "xgboost",
        "xgboost",
        frozenset({"set_config", "config_context"}),
        "settings of xgboost",
        _keywords("get_config", "set_config"),
    ),
)
"""As `kinds.switches` has them, the package that code uses first."""
PACKAGES = frozenset(module.partition(".")[0] for module in _PAIRS)


def rows(package: str) -> Iterator[Row]:
    """Of a package that code uses, where one function gives what another one takes."""
    for module, pairs in _PAIRS.items():
        if module.partition(".")[0] == package:
            yield module, _words(*pairs), f"settings of {module}", _values(*pairs)
