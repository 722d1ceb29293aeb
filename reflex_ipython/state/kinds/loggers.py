"""Loggers and their handlers: how they are set. What was logged stays logged, as what was printed stays printed."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from operator import is_
from typing import Any

from reflex_ipython.base.classes import classes, inherits, is_exactly, module_name
from reflex_ipython.state.kinds.held_by_live import given
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import public_name
from reflex_ipython.state.kinds.opaque import LIVE
from reflex_ipython.state.kinds.set_by_others import set_by_others
from reflex_ipython.state.user_code import is_users, owned_class, owned_module

_LIBRARY = ("logging", "logging.handlers")


def _fields(o: Any) -> dict[str, Any]:
    return object.__getattribute__(o, "__dict__")  # type: ignore[no-any-return]  # of an object, not of a class


def _contents(value: Any) -> Any:
    return tuple(value) if type(value) is list else value


def _same_value(some: Any, other: Any) -> bool:
    if type(some) is type(other) is tuple:
        return len(some) == len(other) and all(map(is_, some, other))
    return some is other


def _put(o: Any, name: str, saved: Any) -> None:
    fields = _fields(o)
    if type(saved) is tuple and type(fields.get(name)) is list:
        fields[name][:] = saved
    elif saved is not MISSING:
        fields[name] = saved


# ------------------------------------------------------------------------------------------ one logger

_SETTINGS = ("level", "propagate", "disabled", "handlers", "filters")
_Settings = tuple[Any, ...]
_FRESH: _Settings = (logging.NOTSET, True, False, (), ())


def _settings(logger: Any) -> _Settings:
    get = _fields(logger).get  # there may be hundreds of loggers, and this is asked before every statement
    return get("level"), get("propagate"), get("disabled"), _contents(get("handlers")), _contents(get("filters"))


def _has_settings(logger: Any, saved: _Settings) -> bool:
    return all(map(_same_value, _settings(logger), saved))


def _set_settings(logger: Any, saved: _Settings) -> None:
    for name, value in zip(_SETTINGS, saved):
        _put(logger, name, value)
    logger.manager._clear_cache()  # which levels are on


def _snapshot_logger(o: Any, walk: ObjectWalk) -> _Settings:
    saved = _settings(o)
    for handler in _reached(o):
        walk.follow([handler] if _is_known(handler) else [*_gathered(handler), *_users(handler)])
    walk.follow([*_users(o), *_makers(o), *set_by_others(type(o), _fields(o)).values()])
    return saved


def _is_known(handler: Any) -> bool:
    """Whether what a handler does is in Python's own classes, and in a class of the user's."""
    cls = next((base for base in classes(type(handler)) if not owned_class(base)), None)
    return cls is not None and module_name(cls) in _LIBRARY


def _makers(logger: Any) -> list[Any]:
    """What of the user's makes the records of a logger: its class, and a factory of records."""
    return [each for each in (type(logger), logging.getLogRecordFactory()) if is_users(each)]


def _users(o: Any) -> Iterator[Any]:
    """The filters of a logger or a handler that are the user's or call what is; its formatter and stream likewise."""
    fields = _fields(o)
    yield from given(fields.get(_SETTING, ()))
    yield from (each for each in map(fields.get, ("formatter", "stream")) if is_users(each))


def _reached(logger: Any) -> Iterator[Any]:
    """The handlers that get what it logs: its own, and those above, as far as it is handed on."""
    above: Any = logger
    while above is not None:
        fields = _fields(above)
        yield from fields["handlers"]
        above = fields["parent"] if fields["propagate"] else None


# ------------------------------------------------------------------------------------------ all loggers

# `logging.getLogger("train")` gets at one that no name of the namespace leads to.


def _all_loggers(o: Any) -> Iterator[Any]:
    yield o.root
    yield from (logger for logger in [*o.root.manager.loggerDict.values()] if isinstance(logger, o.Logger))


_All = tuple[dict[int, tuple[Any, _Settings]], int, bool]
"""How each logger was set, by its id; how many modules were imported; whether the user's code may set loggers."""


def _snapshot_all(o: Any, walk: ObjectWalk) -> _All:
    settings = {id(logger): (logger, _settings(logger)) for logger in _all_loggers(o)}
    return settings, len(sys.modules), _at_hand(walk.at_hand)


def _at_hand(modules: Iterable[str]) -> bool:
    return any(name.partition(".")[0] == "logging" for name in modules)


def _changed(o: Any, saved: _All) -> Iterator[tuple[Any, _Settings]]:
    """Those that are not as they were, with how they were; a new one was not set at all."""
    settings = saved[0]
    for logger in _all_loggers(o):
        known, before = settings.get(id(logger), (None, _FRESH))
        if not _has_settings(logger, before) and not (known is None and _is_librarys(logger)):
            yield logger, before


def _as_imported(o: Any, saved: _All) -> _All:
    """With what libraries have set that were imported meanwhile: they do so once, and stay."""
    settings, count, is_users = saved
    new = [*sys.modules][count:] if len(sys.modules) > count else ()
    owned = [owned_module(name) for name in new if not _sets_none(name)]
    if not all(owned):
        all_theirs = not (is_users or any(owned))
        changed = [logger for logger, _ in _changed(o, saved) if all_theirs or _is_librarys(logger)]
        settings.update((id(logger), (logger, _settings(logger))) for logger in changed)
    return saved


_SHOWING_ERRORS = frozenset(
    {"IPython", "asttokens", "executing", "pure_eval", "pygments", "reflex_ipython", "stack_data"}
)


def _sets_none(module: str) -> bool:
    """Whether importing it surely sets no logger: what the first error brings in, among others."""
    root = module.partition(".")[0]
    return root in _SHOWING_ERRORS or root in sys.stdlib_module_names


def _is_librarys(logger: Any) -> bool:
    """Whether it is called as a library is: that has set it up, and is not imported again."""
    package = logger.name.partition(".")[0]
    return package in sys.modules and not owned_module(package)


def _restore_all(o: Any, saved: _All) -> None:
    for logger, before in [*_changed(o, saved)]:
        _set_settings(logger, before)


ALL_LOGGERS = Kind(
    "loggers by name",
    "partial",
    _snapshot_all,
    lambda o, saved: not any(_changed(o, saved)),
    _restore_all,
    limit="their level, filters and handlers; those that a library set up when it was imported stay that way",
    settled=_as_imported,
)


def logged_to(modules: Iterable[str]) -> list[tuple[str, object]]:
    """What is in memory and handlers write into, with a label, if code with these modules at hand may log unnamed."""
    if not _at_hand(modules):
        return []
    found: dict[int, object] = {}
    for logger in _all_loggers(logging):
        for handler in _fields(logger)["handlers"]:
            own = [handler] if owned_class(type(handler)) and _is_known(handler) else _gathered(handler)
            found.update((id(o), o) for o in (*own, *_users(handler)))
        found.update((id(o), o) for o in (*_users(logger), *_makers(logger)))
    return [(f"what loggers write to ({public_name(type(o))})", o) for o in found.values()]


_GATHERED = (io.StringIO, list, dict, deque)
_SETTING = "filters"
_HANDED_ON = ("target", "buffer", "queue")
"""Where `MemoryHandler` and `QueueHandler` have what they were given, and whom they give it to."""


def _gathered(handler: Any) -> Iterator[object]:
    """What a handler writes into, if that is in memory; of one of a class of the user's, what that class does as well.

    What else is in a handler of another library nobody knows.
    """
    own = owned_class(type(handler))
    types = _GATHERED if own else (io.StringIO,)
    yield from (o for name, o in _fields(handler).items() if name != _SETTING and is_exactly(o, types))
    yield from _handed_on(handler)
    if own:
        yield type(handler)


def _handed_on(handler: Any) -> Iterator[object]:
    if any(module_name(base) == "logging.handlers" for base in classes(type(handler))):
        yield from (o for o in map(_fields(handler).get, _HANDED_ON) if o is not None)


def log_files() -> Iterator[tuple[str, Any]]:
    """The handlers that write to files, each with the name of its file."""
    for logger in _all_loggers(logging):
        for handler in _fields(logger)["handlers"]:
            if inherits(type(handler), logging.FileHandler) and module_name(type(handler)) in _LIBRARY:
                yield os.path.basename(_fields(handler)["baseFilename"]), handler


def _size(handler: Any) -> int:
    try:
        return os.stat(_fields(handler)["baseFilename"]).st_size
    except OSError:  # nothing was logged yet
        return 0


LOG_FILE = Kind(
    "file that a logger writes to",
    "named",
    lambda o, walk: _size(o),
    lambda o, saved: bool(_size(o) == saved),
    instance=False,
)

# ------------------------------------------------------------------------------------------ handlers

_OF_HANDLERS = ("level", "formatter", "filters", "stream", "target")


def _snapshot_handler(o: Any, walk: ObjectWalk) -> Any:
    if not _is_known(o):  # it may have anything in it
        walk.snapshot(LIVE, o)
        return NOTHING
    more = set_by_others(type(o), _fields(o))
    walk.follow([*_gathered(o), *_users(o), *more.values()])  # what is logged into memory can be taken back
    return {name: _contents(_fields(o).get(name, MISSING)) for name in _OF_HANDLERS}, more


def _same_handler(o: Any, saved: tuple[dict[str, Any], dict[str, Any]]) -> bool:
    settings, more = saved
    now = set_by_others(type(o), _fields(o))
    if now.keys() != more.keys() or not all(now[name] is value for name, value in more.items()):
        return False
    return all(_same_value(_contents(_fields(o).get(name, MISSING)), value) for name, value in settings.items())


def _restore_handler(o: Any, saved: tuple[dict[str, Any], dict[str, Any]]) -> None:
    settings, more = saved
    fields = _fields(o)
    for name, value in settings.items():
        if name != "stream":
            _put(o, name, value)
    for name in set_by_others(type(o), fields).keys() - more.keys():
        del fields[name]
    fields.update(more)
    if not _same_handler(o, saved):
        raise CannotRestore("it has a different stream now")


KINDS: dict[type, Kind] = {
    logging.Logger: Kind(
        "logging.Logger",
        "partial",
        _snapshot_logger,
        _has_settings,
        _set_settings,
        limit="its level, filters and handlers; what was logged stays logged",
        instance=False,
    ),
    logging.Handler: Kind(
        "logging.Handler",
        "partial",
        _snapshot_handler,
        _same_handler,
        _restore_handler,
        limit="its level, filters, formatter and what you have set on it; one that was closed or has a different "
        "stream is named",
        instance=False,
    ),
}
