"""What a process has one of: environment, folder, paths, filters of warnings, loggers, limits."""

from __future__ import annotations

import locale
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from reflex_ipython.base.classes import inherits
from reflex_ipython.base.unwarned import put_users_filters, users_filters
from reflex_ipython.state.kinds.containers import KINDS
from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.kinds.loggers import ALL_LOGGERS, LOG_FILE, log_files
from reflex_ipython.state.kinds.moving import arithmetic, present_arithmetic, set_arithmetic
from reflex_ipython.state.user_code import contents, owned_class, owned_module


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
    put_users_filters(saved)
    o._filters_mutated_lock_held() if hasattr(o, "_filters_mutated_lock_held") else o._filters_mutated()


def _users_categories(saved: list[Any]) -> list[Any]:
    """What else a filter has is text, patterns and classes that stay, and nobody sees it end."""
    filters = (each for each in saved if type(each) is tuple)  # whatever else somebody has put there
    return [part for each in filters for part in each if inherits(type(part), type) and owned_class(part)]


_FILTERS = Kind(
    "warnings.filters",
    "exact",
    lambda o, walk: users_filters(),
    lambda o, saved: bool(users_filters() == saved),
    _set_filters,
    holds=_users_categories,
)


def _setting(name: str, get: Callable[[Any], Any], put: Callable[[Any, Any], None]) -> Kind:
    """One value that a function of a module gives, and another one takes."""
    return Kind(name, "exact", lambda o, walk: get(o), lambda o, saved: bool(get(o) == saved), put)


_RECURSION = _setting("recursion limit", lambda o: o.getrecursionlimit(), lambda o, saved: o.setrecursionlimit(saved))
_LOCALE = _setting("locale", lambda o: o.setlocale(o.LC_ALL), lambda o, saved: o.setlocale(o.LC_ALL, saved))
_TIMEOUT = _setting(
    "default timeout of sockets", lambda o: o.getdefaulttimeout(), lambda o, saved: o.setdefaulttimeout(saved)
)


def _new_arithmetic(o: Any) -> Any:
    """A context as decimal makes it where there is none."""
    context = o.DefaultContext.copy()
    context.clear_flags()
    return context


def _arithmetic(o: Any) -> tuple[Any, tuple[Any, ...]]:
    context = present_arithmetic()
    return context, arithmetic(_new_arithmetic(o) if context is None else context)


def _same_arithmetic(o: Any, saved: tuple[Any, tuple[Any, ...]]) -> bool:
    now = _arithmetic(o)
    if saved[0] is None:  # one that is as it is made is as good as none
        return now[0] is None or now[1] == saved[1]
    return now[0] is saved[0] and now[1] == saved[1]


def _set_arithmetic(o: Any, saved: tuple[Any, tuple[Any, ...]]) -> None:
    context, values = saved
    if context is None:  # there is no way back to none
        context = _new_arithmetic(o)
    o.setcontext(context)
    set_arithmetic(context, values)


_DECIMAL = Kind("decimal's context", "exact", lambda o, walk: _arithmetic(o), _same_arithmetic, _set_arithmetic)


class _Imported(NamedTuple):
    """Which modules there are."""

    last: tuple[int, str | None]
    """How many, and which of them came last: it tells whether others have come."""
    names: frozenset[str]


_latest = [_Imported((0, None), frozenset())]
"""What was noted last: statements that import nothing share it."""


def _last_module(o: Any) -> tuple[int, str | None]:
    return len(o.modules), next(reversed(o.modules), None)


def _imported(o: Any) -> _Imported:
    last = _last_module(o)
    if last != _latest[0].last:
        _latest[0] = _Imported(last, frozenset(o.modules))
    return _latest[0]


def _new_modules(o: Any, saved: _Imported) -> list[str]:
    """Modules of the user's own that came in: a library's stay, they are as good as new.

    Their place tells nothing: one that is loaded anew comes last from then on.
    """
    if _last_module(o) == saved.last:
        return []
    return [name for name in [*o.modules] if name not in saved.names and owned_module(name)]


def _forget_modules(o: Any, saved: _Imported) -> None:
    for name in _new_modules(o, saved):
        module = o.modules.pop(name)
        package, _, part = name.rpartition(".")
        inside = contents(o.modules.get(package))
        if inside.get(part) is module:
            del inside[part]


_IMPORTED = Kind(
    "which of your own modules are imported",
    "exact",
    lambda o, walk: _imported(o),
    lambda o, saved: not _new_modules(o, saved),
    _forget_modules,
)


def shared() -> Iterator[tuple[str, Kind, Any]]:
    """All of them, with a label for each."""
    yield "os.environ", _ENVIRONMENT, os.environ
    yield "the current folder", _FOLDER, os
    yield "sys.path", KINDS[list], sys.path
    yield "sys.modules", _IMPORTED, sys
    yield "warnings.filters", _FILTERS, warnings
    yield "loggers", ALL_LOGGERS, logging
    for name, handler in log_files():
        yield name, LOG_FILE, handler
    yield "the recursion limit", _RECURSION, sys
    yield "the locale", _LOCALE, locale
    for module, label, kind in (
        ("decimal", "decimal's context", _DECIMAL),
        ("socket", "the default timeout", _TIMEOUT),
    ):
        loaded = sys.modules.get(module)
        if loaded is not None:
            yield label, kind, loaded
