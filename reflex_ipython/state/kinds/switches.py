"""What modules have one of behind functions: one gets it, another one sets it. Signals, patches, dialects, collector."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection, Iterator
from typing import Any

from reflex_ipython.state import collector
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.kinds.layout import class_vars
from reflex_ipython.state.kinds.registries import NAME
from reflex_ipython.state.owned import contents, owned_class, owned_module


def _switch(get: Callable[[Any], Any], put: Callable[[Any, Any], None]) -> Kind:
    """Something that one function gives and another one takes."""
    return Kind(NAME, "exact", lambda o, walk: get(o), lambda o, saved: bool(get(o) == saved), put)


# ------------------------------------------------------------------------------------------ signals


def _kernels_own() -> tuple[str, ...]:
    """A kernel itself sets this one around each cell."""
    return ("SIGINT",) if "ipykernel.kernelapp" in sys.modules else ()


def _handlers(o: Any) -> dict[int, Any]:
    numbers = o.valid_signals() - {getattr(o, name) for name in _kernels_own()}
    return {number: o.getsignal(number) for number in numbers}


def _signals(o: Any) -> tuple[dict[int, Any], Any, Any]:
    timers = [getattr(o, name, None) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")]
    set_off = tuple(o.getitimer(timer)[0] > 0 for timer in timers if timer is not None)
    blocked = o.pthread_sigmask(o.SIG_BLOCK, ()) if hasattr(o, "pthread_sigmask") else None
    return _handlers(o), set_off, blocked


def _set_signals(o: Any, saved: tuple[dict[int, Any], Any, Any]) -> None:
    handlers, set_off, blocked = saved
    if threading.current_thread() is not threading.main_thread():
        raise CannotRestore("only the main thread may set it")
    for timer, was_set in zip(("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF"), set_off):
        if not was_set:
            o.setitimer(getattr(o, timer), 0)
    now = _handlers(o)
    for number, handler in handlers.items():
        if now[number] != handler and handler is not None:  # None: not one of Python's
            o.signal(number, handler)
    if blocked is not None:
        o.pthread_sigmask(o.SIG_SETMASK, blocked)


# ------------------------------------------------------------------------------------------ the interpreter

_OF_SYS = (
    ("getswitchinterval", "setswitchinterval"),
    ("get_int_max_str_digits", "set_int_max_str_digits"),
    ("get_coroutine_origin_tracking_depth", "set_coroutine_origin_tracking_depth"),
)


def _interpreter(o: Any) -> tuple[Any, ...]:
    return tuple(getattr(o, get)() for get, _ in _OF_SYS if hasattr(o, get)) + tuple(o.get_asyncgen_hooks())


def _set_interpreter(o: Any, saved: tuple[Any, ...]) -> None:
    present = [put for get, put in _OF_SYS if hasattr(o, get)]
    for put, value in zip(present, saved):
        getattr(o, put)(value)
    o.set_asyncgen_hooks(*saved[-2:])


def _watchers(o: Any) -> tuple[int, Any, Any]:
    return threading.get_ident(), o.getprofile(), o.gettrace()


def _set_watchers(o: Any, saved: tuple[int, Any, Any]) -> None:
    thread, profile, trace = saved
    if thread != threading.get_ident():
        raise CannotRestore("it is another thread's")
    if o.gettrace() is not trace:
        o.settrace(trace)
    if o.getprofile() is not profile:
        o.setprofile(profile)


def _same_watchers(o: Any, saved: tuple[int, Any, Any]) -> bool:
    return all(now is then for now, then in zip(_watchers(o)[1:], saved[1:]))


def _garbage(o: Any) -> tuple[Any, ...]:
    return collector.is_enabled(), o.get_threshold(), o.get_debug(), *o.callbacks


def _set_garbage(o: Any, saved: tuple[Any, ...]) -> None:
    enabled, threshold, debug, *callbacks = saved
    collector.enable(enabled)
    o.set_threshold(*threshold)
    o.set_debug(debug)
    o.callbacks[:] = callbacks


def _mask(o: Any) -> int:
    mask = o.umask(0o077)
    o.umask(mask)
    return int(mask)


def _faults(o: Any) -> bool:
    return bool(o.is_enabled())


def _set_faults(o: Any, saved: bool) -> None:
    if saved:
        o.enable(sys.__stderr__)
    else:
        o.disable()


def _limits(o: Any) -> dict[str, Any]:
    names = [name for name in dir(o) if name.startswith("RLIMIT_")]
    return {name: o.getrlimit(getattr(o, name)) for name in names}


def _set_limits(o: Any, saved: dict[str, Any]) -> None:
    for name, limits in saved.items():
        if o.getrlimit(getattr(o, name)) != limits:
            o.setrlimit(getattr(o, name), limits)


def _zone(o: Any) -> tuple[Any, ...]:
    import os

    return o.tzname, o.timezone, o.altzone, os.environ.get("TZ")


def _set_zone(o: Any, saved: tuple[Any, ...]) -> None:
    import os

    if saved[-1] is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = saved[-1]
    o.tzset()


# ------------------------------------------------------------------------------------------ modules


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


def _patches(o: Any) -> list[Any]:
    return list(o._patch._active_patches)


def _stop_patches(o: Any, saved: list[Any]) -> None:
    active = _patches(o)
    for patch in reversed(active):
        if not any(patch is other for other in saved):
            patch.stop()
    if len(_patches(o)) != len(saved):
        raise CannotRestore("a patch was stopped")


def _same_patches(o: Any, saved: list[Any]) -> bool:
    now = _patches(o)
    return len(now) == len(saved) and all(some is other for some, other in zip(now, saved))


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


# ------------------------------------------------------------------------------------------ which, and when

_SWITCHES: tuple[tuple[str, frozenset[str], str, Kind], ...] = (
    ("signal", frozenset(), "signal handlers", _switch(_signals, _set_signals)),
    ("sys", frozenset(), "settings of sys", _switch(_interpreter, _set_interpreter)),
    (
        "sys",
        frozenset({"setprofile", "settrace"}),
        "sys.setprofile",
        Kind(NAME, "exact", lambda o, walk: _watchers(o), _same_watchers, _set_watchers),
    ),
    (
        "sys",
        frozenset({"modules"}),
        "sys.modules",
        Kind(NAME, "exact", lambda o, walk: _modules(o), lambda o, saved: not _changed_modules(o, saved), _set_modules),
    ),
    ("gc", frozenset(), "the garbage collector", _switch(_garbage, _set_garbage)),
    ("os", frozenset({"umask"}), "os.umask", _switch(_mask, lambda o, saved: o.umask(saved))),
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
    ("faulthandler", frozenset(), "faulthandler", _switch(_faults, _set_faults)),
    (
        "tracemalloc",
        frozenset(),
        "tracemalloc",
        _switch(lambda o: o.is_tracing(), lambda o, saved: o.start() if saved else o.stop()),
    ),
    ("resource", frozenset(), "limits of the process", _switch(_limits, _set_limits)),
    ("time", frozenset({"tzset"}), "the time zone", _switch(_zone, _set_zone)),
    (
        "threading",
        frozenset({"stack_size"}),
        "threading.stack_size",
        _switch(lambda o: o.stack_size(), lambda o, saved: o.stack_size(saved)),
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
        Kind(NAME, "exact", lambda o, walk: _patches(o), _same_patches, _stop_patches),
    ),
    (
        "pandas",
        frozenset(),
        "pandas accessors",
        Kind(NAME, "exact", lambda o, walk: _accessors(o), _same_accessors, _set_accessors),
    ),
)
"""By module: the attributes or names, one of which the code has to use, what it is called, and its kind."""

_FOR_GOOD = Kind(
    "codecs.register, sys.addaudithook and other registrations for good",
    "named",
    lambda o, walk: None,
    lambda o, saved: False,
)
_REGISTERING = (
    ("codecs", "register"),
    ("codecs", "unregister"),
    ("codecs", "register_error"),
    ("os", "register_at_fork"),
    ("os", "nice"),
    ("sys", "addaudithook"),
)
_ENDS = Kind(
    "atexit functions", "named", lambda o, walk: o._ncallbacks(), lambda o, saved: bool(o._ncallbacks() == saved)
)


def reached(modules: Collection[str], words: Collection[str]) -> Iterator[tuple[str, Kind, Any]]:
    """Those that the code can get at, with a label for each.

    Parameters
    ----------
    modules : collection of str
        The modules that it can get at.
    words : collection of str
        The names and attributes that it uses.
    """
    used = {*modules, *(["builtins"] if "__builtins__" in words else [])}
    for module, needed, label, kind in _SWITCHES:
        loaded = sys.modules.get(module) if module in used else None
        if loaded is not None and (not needed or not needed.isdisjoint(words)):
            yield label, kind, loaded
    for module, word in _REGISTERING:
        if module in used and word in words:
            yield f"{module}.{word}", _FOR_GOOD, sys.modules[module]
    if "atexit" in used:
        yield "atexit", _ENDS, sys.modules["atexit"]


KINDS = (*(kind for *_, kind in _SWITCHES), _FOR_GOOD, _ENDS)
