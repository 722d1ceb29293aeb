"""What modules have behind functions: dialects, started patches, accessors, finalizers, the modules themselves."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.base.classes import class_vars
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.kinds.patches import STARTED
from reflex_ipython.state.kinds.registries import NAME, Row
from reflex_ipython.state.user_code import contents, owned_class, owned_module


def _modules(o: Any) -> dict[str, Any]:
    return dict.copy(o.modules)


def _changed_modules(o: Any, saved: dict[str, Any]) -> list[str]:
    """The entries that are not as they were; a library that came in stays."""
    now = o.modules
    new = [name for name in now.keys() - saved.keys() if not _came_in(name, now[name])]
    return new + [name for name, module in saved.items() if now.get(name, MISSING) is not module]


def _came_in(name: str, module: Any) -> bool:
    return not owned_module(name) and contents(module).get("__spec__") is not None


def _set_modules(o: Any, saved: dict[str, Any]) -> None:
    for name in _changed_modules(o, saved):
        if name in saved:
            o.modules[name] = saved[name]
        else:
            del o.modules[name]


def _dialects(o: Any) -> tuple[Any, ...]:
    return o.field_size_limit(), {name: o.get_dialect(name) for name in o.list_dialects()}


def _set_dialects(o: Any, saved: tuple[Any, ...]) -> None:
    limit, dialects = saved
    o.field_size_limit(limit)
    for name in o.list_dialects():
        if name not in dialects:
            o.unregister_dialect(name)
    for name, dialect in dialects.items():
        if name not in o.list_dialects() or o.get_dialect(name) is not dialect:
            o.register_dialect(name, dialect)


def _same_dialects(o: Any, saved: tuple[Any, ...]) -> bool:
    limit, dialects = _dialects(o)
    same = limit == saved[0] and dialects.keys() == saved[1].keys()
    return same and all(
        dialects[name] is saved[1][name] or _fields(dialects[name]) == _fields(saved[1][name]) for name in dialects
    )


def _fields(dialect: Any) -> tuple[Any, ...]:
    names = ("delimiter", "doublequote", "escapechar", "lineterminator", "quotechar", "quoting", "skipinitialspace")
    return tuple(getattr(dialect, name) for name in names)


_ACCESSED = ("DataFrame", "Series", "Index")


def _accessors(o: Any) -> dict[str, dict[str, Any]]:
    classes = {name: getattr(o, name) for name in _ACCESSED}
    return {name: {a: class_vars(cls).get(a, MISSING) for a in cls._accessors} for name, cls in classes.items()}


def _set_accessors(o: Any, saved: dict[str, dict[str, Any]]) -> None:
    for name, now in _accessors(o).items():
        cls, before = getattr(o, name), saved[name]
        for accessor in now.keys() - before.keys():
            cls._accessors.discard(accessor)
            delattr(cls, accessor)
        for accessor, value in before.items():
            cls._accessors.add(accessor)
            if value is not MISSING and class_vars(cls).get(accessor) is not value:
                setattr(cls, accessor, value)


def _same_accessors(o: Any, saved: dict[str, dict[str, Any]]) -> bool:
    now = _accessors(o)
    return all(
        now[name].keys() == saved[name].keys() and all(now[name][a] is saved[name][a] for a in now[name])
        for name in _ACCESSED
    )


def _ends(o: Any) -> dict[Any, Any]:
    return dict.copy(o.finalize._registry)


def _set_ends(o: Any, saved: dict[Any, Any]) -> None:
    registry = o.finalize._registry
    for end in _new_ends(o, saved):
        registry.pop(end, None)
    for end, info in saved.items():
        if info.weakref() is not None:
            registry.setdefault(end, info)
    if not _same_ends(o, saved):
        raise CannotRestore("one was called")


def _same_ends(o: Any, saved: dict[Any, Any]) -> bool:
    return saved.keys() <= o.finalize._registry.keys() and not _new_ends(o, saved)


def _new_ends(o: Any, saved: dict[Any, Any]) -> list[Any]:
    """Those that the user's code registered; libraries clean up after themselves by others."""
    now = _ends(o)
    return [end for end in now.keys() - saved.keys() if not _of_library(now[end])]


def _of_library(info: Any) -> bool:
    o, function = info.weakref(), getattr(info.func, "__func__", info.func)
    whose = sys.modules.get(getattr(function, "__module__", None) or "")
    return o is not None and not owned_class(type(o)) and whose is not None and not owned_module(whose.__name__)


_OF_THE_SHELL = frozenset({"exit", "quit", "get_ipython", "display", "_"})


def _builtins(o: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(o).items() if name not in _OF_THE_SHELL}


def _set_builtins(o: Any, saved: dict[str, Any]) -> None:
    now = vars(o)
    for name in _builtins(o).keys() - saved.keys():
        del now[name]
    for name, value in saved.items():
        if now.get(name, MISSING) is not value:
            now[name] = value


def _same_builtins(o: Any, saved: dict[str, Any]) -> bool:
    now = _builtins(o)
    return len(now) == len(saved) and all(now.get(name, MISSING) is value for name, value in saved.items())


# ------------------------------------------------------------------------------------------ which

ROWS: tuple[Row, ...] = (
    (
        "sys",
        frozenset({"modules"}),
        "sys.modules",
        Kind(NAME, "exact", lambda o, walk: _modules(o), lambda o, saved: not _changed_modules(o, saved), _set_modules),
    ),
    (
        "weakref",
        frozenset({"finalize"}),
        "finalizers",
        Kind(NAME, "exact", lambda o, walk: _ends(o), _same_ends, _set_ends),
    ),
    (
        "builtins",
        frozenset(),
        "builtins",
        Kind(NAME, "exact", lambda o, walk: _builtins(o), _same_builtins, _set_builtins),
    ),
    (
        "csv",
        frozenset(),
        "csv dialects",
        Kind(NAME, "exact", lambda o, walk: _dialects(o), _same_dialects, _set_dialects),
    ),
    (
        "unittest.mock",
        frozenset(),
        "started patches",
        STARTED,
    ),
    (
        "pandas",
        frozenset(),
        "pandas accessors",
        Kind(NAME, "exact", lambda o, walk: _accessors(o), _same_accessors, _set_accessors),
    ),
)
"""As `kinds.switches` has them."""
