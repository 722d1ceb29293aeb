"""What any statement may change without naming it: random state, environment, folder, options, current figures.

Each is noted before every statement, shallowly, and outside the bounds: they are few and small.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from types import CodeType
from typing import Any

from reflex_ipython.state.kinds.containers import DICT, KINDS
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind
from reflex_ipython.state.kinds.random_state import equal_states, shared
from reflex_ipython.state.noted import Note


def ambient_kinds() -> list[Kind]:
    """Their kinds, for the documented table."""
    return [kind for _, kind, _ in _everything()]


class Shallow:
    """A walk that goes nowhere (`kinds.kind.Walk`)."""

    attributes: set[str] = set()  # noqa: RUF012 - nothing is ever put in
    remembered: dict[int, Any] = {}  # noqa: RUF012 - as above

    def follow(self, children: Collection[object]) -> bool:
        return False

    def expect(self, children: Iterator[object], count: int) -> None:
        """Any number will do."""

    def hold(self, size: int) -> None:
        """Any size will do."""

    def copying(self, copy: Callable[[], Any]) -> Any:
        return copy()

    def earlier(self, o: object) -> Any:
        return NOTHING

    def keep(self, o: object, saved: Any) -> Any:
        return saved

    def run(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """Not looked at."""

    def module(self, module: Any) -> None:
        """Not looked at."""

    def library_class(self, cls: type) -> None:
        """Not looked at."""

    def note(self, kind: Kind, o: object) -> None:
        """Not noted."""


def ambient(namespace: dict[str, Any]) -> list[tuple[str, Note]]:
    """What is noted of it now, with a label for each."""
    walk = Shallow()
    found = []
    for label, kind, o in (*_everything(), *_hidden(namespace)):
        saved = kind.note(o, walk)
        found.append((label, (kind, o, saved)))
    return found


def _everything() -> Iterator[tuple[str, Kind, Any]]:
    yield from shared()
    yield "os.environ", _ENVIRONMENT, os.environ
    yield "the current folder", _FOLDER, os
    yield "sys.path", KINDS[list], sys.path
    yield "warnings.filters", _FILTERS, warnings
    for module, label, kind in _LIBRARIES:
        loaded = sys.modules.get(module)
        if loaded is not None:
            yield label, kind, loaded


def _hidden(namespace: dict[str, Any]) -> Iterator[tuple[str, Kind, Any]]:
    """What `x: int` and a warning write into without naming it."""
    for name in ("__annotations__", "__warningregistry__"):
        if type(namespace.get(name)) is dict:
            yield name, DICT, namespace[name]


def _set_environment(o: Any, saved: dict[Any, Any]) -> None:
    now = dict(o._data)
    for key in now.keys() - saved.keys():
        del o[o.decodekey(key)]
    for key, value in saved.items():
        if now.get(key) != value:
            o[o.decodekey(key)] = o.decodevalue(value)


_ENVIRONMENT = Kind(
    "os.environ", "exact", lambda o, walk: dict(o._data), lambda o, saved: bool(o._data == saved), _set_environment
)


def _folder() -> str | None:
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was removed
        return None


def _change_folder(o: Any, saved: str | None) -> None:
    if saved is None:
        raise CannotRestore("it was removed")
    os.chdir(saved)


_FOLDER = Kind(
    "current folder", "exact", lambda o, walk: _folder(), lambda o, saved: _folder() == saved, _change_folder
)


def _set_filters(o: Any, saved: list[Any]) -> None:
    o.filters[:] = saved
    o._filters_mutated_lock_held() if hasattr(o, "_filters_mutated_lock_held") else o._filters_mutated()


_FILTERS = Kind(
    "warnings.filters",
    "exact",
    lambda o, walk: list(o.filters),
    lambda o, saved: bool(o.filters == saved),
    _set_filters,
)

# ------------------------------------------------------------------------------------------ libraries


def _pandas_options(o: Any) -> dict[str, Any]:
    return dict(_flat(o._global_config, ""))


def _flat(options: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in options.items():
        if type(value) is dict:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _set_pandas_options(o: Any, saved: dict[str, Any]) -> None:
    now = _pandas_options(o)
    for name, value in saved.items():
        if now.get(name) is not value:
            o.set_option(name, value)


def _same_options(o: Any, saved: dict[str, Any]) -> bool:
    now = _pandas_options(o)
    return now.keys() == saved.keys() and all(now[name] is value for name, value in saved.items())


def _settings(o: Any) -> tuple[Any, Any]:
    return o.geterr(), o.get_printoptions()


def _set_settings(o: Any, saved: tuple[Any, Any]) -> None:
    o.seterr(**saved[0])
    o.set_printoptions(**saved[1])


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


_LIBRARIES: tuple[tuple[str, str, Kind], ...] = (
    (
        "matplotlib",
        "matplotlib.rcParams",
        Kind(
            "matplotlib.rcParams",
            "exact",
            lambda o, walk: DICT.note(o.rcParams, walk),
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
            limit="of the processor; those of graphics cards are not looked at",
        ),
    ),
    (
        "numpy",
        "numpy settings",
        Kind(
            "numpy error and print settings",
            "exact",
            lambda o, walk: _settings(o),
            lambda o, saved: equal_states(_settings(o)[0], saved[0]) and bool(_settings(o)[1] == saved[1]),
            _set_settings,
        ),
    ),
)
