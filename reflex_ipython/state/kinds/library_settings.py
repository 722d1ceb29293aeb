"""What a library has one of: the options of pandas, numpy and matplotlib, pyplot's figures, torch's random state."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from reflex_ipython.state.kinds.containers import DICT
from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.kinds.random_state import equal_states


def _pandas_options(o: Any) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [(options, options.copy()) for options in _dicts(o._global_config)]


def _dicts(options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The options of one level, and those below."""
    yield options
    for value in options.values():
        if type(value) is dict:
            yield from _dicts(value)


def _changed_options(o: Any, saved: list[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[tuple[str, Any]]:
    names = {id(options): name for name, options in _named(o._global_config, "")}
    for options, before in saved:
        for name, value in before.items():
            if type(value) is not dict and options.get(name) is not value:
                yield names[id(options)] + name, value


def _named(options: dict[str, Any], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield prefix, options
    for name, value in options.items():
        if type(value) is dict:
            yield from _named(value, f"{prefix}{name}.")


def _set_pandas_options(o: Any, saved: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    for name, value in [*_changed_options(o, saved)]:
        o.set_option(name, value)


def _same_options(o: Any, saved: list[tuple[dict[str, Any], dict[str, Any]]]) -> bool:
    now = [*_dicts(o._global_config)]
    return len(now) == len(saved) and all(
        options is other and DICT.same(options, before) for other, (options, before) in zip(now, saved)
    )


def _settings(o: Any) -> tuple[Any, ...]:
    return o.geterr(), o.get_printoptions(), o.getbufsize(), o.geterrcall()


def _same_settings(o: Any, saved: tuple[Any, ...]) -> bool:
    errors, prints, size, call = _settings(o)
    return equal_states(errors, saved[0]) and bool(prints == saved[1]) and size == saved[2] and call is saved[3]


def _set_settings(o: Any, saved: tuple[Any, ...]) -> None:
    errors, prints, size, call = saved
    o.seterrcall(call)
    o.seterr(**errors)
    o.set_printoptions(**prints)
    o.setbufsize(size)


def _figures(o: Any) -> list[tuple[Any, Any]]:
    return list(o.Gcf.figs.items())


def _set_figures(o: Any, saved: list[tuple[Any, Any]]) -> None:
    windowless = sys.modules["matplotlib.backend_bases"].FigureManagerBase
    closed = [manager for number, manager in saved if number not in o.Gcf.figs and type(manager) is not windowless]
    o.Gcf.figs.clear()
    o.Gcf.figs.update(pair for pair in saved if pair[1] not in closed)
    if closed:
        raise CannotRestore("its window was closed")


def _draw(o: Any, saved: Any) -> None:
    o.default_generator.set_state(saved)


_SETTINGS: tuple[tuple[str, str, Kind], ...] = (
    (
        "matplotlib",
        "matplotlib.rcParams",
        Kind(
            "matplotlib.rcParams",
            "exact",
            lambda o, walk: DICT.snapshot(o.rcParams, walk),
            lambda o, saved: DICT.same(o.rcParams, saved),
            lambda o, saved: DICT.restore(o.rcParams, saved) if DICT.restore else None,
        ),
    ),
    (
        "matplotlib._pylab_helpers",
        "the current figure",
        Kind(
            "pyplot's open figures and which is current",
            "partial",
            lambda o, walk: _figures(o),
            lambda o, saved: _figures(o) == saved,
            _set_figures,
            limit="a window on the screen that was closed stays closed",
        ),
    ),
    (
        "pandas._config.config",
        "pandas options",
        Kind("pandas options", "exact", lambda o, walk: _pandas_options(o), _same_options, _set_pandas_options),
    ),
    (
        "torch.random",
        "the state of torch.random",
        Kind(
            "state of torch.random",
            "partial",
            lambda o, walk: o.default_generator.get_state(),
            lambda o, saved: bool(sys.modules["torch"].equal(o.default_generator.get_state(), saved)),
            _draw,
            limit="that of the CPU; those of GPUs are not looked at",
        ),
    ),
    (
        "sklearn._config",
        "scikit-learn's configuration",
        Kind(
            "scikit-learn's configuration",
            "exact",
            lambda o, walk: o.get_config(),
            lambda o, saved: bool(o.get_config() == saved),
            lambda o, saved: o.set_config(**saved),
        ),
    ),
    (
        "numpy",
        "numpy settings",
        Kind(
            "numpy error and print settings",
            "exact",
            lambda o, walk: _settings(o),
            _same_settings,
            _set_settings,
        ),
    ),
)


def shared() -> Iterator[tuple[str, Kind, Any]]:
    """Those of the libraries that are loaded, with a label for each."""
    for module, label, kind in _SETTINGS:
        loaded = sys.modules.get(module)
        if loaded is not None:
            yield label, kind, loaded
