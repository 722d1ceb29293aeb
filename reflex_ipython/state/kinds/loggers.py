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
from reflex_ipython.state.kinds.kind import Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import public_name
from reflex_ipython.state.kinds.set_by_others import set_by_others
from reflex_ipython.state.user_code import is_users, owned_class, owned_module

_LIBRARY = ("logging", "logging.handlers")


def fields_of(o: Any) -> dict[str, Any]:
    """The attributes of a logger or a handler."""
    return object.__getattribute__(o, "__dict__")  # type: ignore[no-any-return]  # of an object, not of a class


def contents(value: Any) -> Any:
    """What is in it if it is a list; else itself."""
    return tuple(value) if type(value) is list else value


def same_value(some: Any, other: Any) -> bool:
    """Whether two such are the same."""
    if type(some) is type(other) is tuple:
        return len(some) == len(other) and all(map(is_, some, other))
    return some is other


def put_field(o: Any, name: str, saved: Any) -> None:
    """Put an attribute back, a list in place."""
    fields = fields_of(o)
    if type(saved) is tuple and type(fields.get(name)) is list:
        fields[name][:] = saved
    elif saved is MISSING:
        fields.pop(name, None)
    else:
        fields[name] = saved


# ------------------------------------------------------------------------------------------ one logger

_SETTINGS = ("level", "propagate", "disabled", "handlers", "filters")
_OWN = frozenset(vars(logging.Logger(""))) | {"manager"}
"""Most have just these attributes; to ask their classes takes longer."""
_Settings = tuple[Any, ...]
_FRESH: _Settings = (logging.NOTSET, True, False, (), ())


def _settings(logger: Any) -> _Settings:
    get = fields_of(logger).get  # there may be hundreds of loggers, and this is asked before every statement
    return get("level"), get("propagate"), get("disabled"), contents(get("handlers")), contents(get("filters"))


def _has_settings(logger: Any, saved: _Settings) -> bool:
    return all(map(same_value, _settings(logger), saved))


def _set_settings(logger: Any, saved: _Settings) -> None:
    for name, value in zip(_SETTINGS, saved):
        put_field(logger, name, value)
    logger.manager._clear_cache()  # which levels are on


def tags(logger: Any) -> dict[str, Any]:
    """What somebody else has set on it."""
    fields = fields_of(logger)
    return {} if _OWN.issuperset(fields) else set_by_others(type(logger), fields)


def same_tags(logger: Any, saved: dict[str, Any]) -> bool:
    """Whether just these are set on it."""
    now = tags(logger)
    return now.keys() == saved.keys() and all(now[name] is value for name, value in saved.items())


def put_tags(logger: Any, saved: dict[str, Any]) -> None:
    """Put these back."""
    fields = fields_of(logger)
    for name in tags(logger).keys() - saved.keys():
        del fields[name]
    fields.update(saved)


def _snapshot_logger(o: Any, walk: ObjectWalk) -> tuple[_Settings, dict[str, Any]]:
    saved, more = _settings(o), tags(o)
    for handler in _reached(o):
        walk.follow([handler] if is_known(handler) else [*gathered(handler), *users_parts(handler)])
    walk.follow([*users_parts(o), *_makers(o), *more.values()])
    return saved, more


def _same_logger(o: Any, saved: tuple[_Settings, dict[str, Any]]) -> bool:
    return _has_settings(o, saved[0]) and same_tags(o, saved[1])


def _restore_logger(o: Any, saved: tuple[_Settings, dict[str, Any]]) -> None:
    _set_settings(o, saved[0])
    put_tags(o, saved[1])


def is_known(handler: Any) -> bool:
    """Whether what a handler does is in Python's own classes, and in a class of the user's."""
    cls = next((base for base in classes(type(handler)) if not owned_class(base)), None)
    return cls is not None and module_name(cls) in _LIBRARY


def _makers(logger: Any) -> list[Any]:
    """What of the user's makes the records of a logger: its class, and a factory of records."""
    return [each for each in (type(logger), logging.getLogRecordFactory()) if is_users(each)]


def users_parts(o: Any) -> Iterator[Any]:
    """The filters of a logger or a handler that are the user's or call what is; its formatter and stream likewise."""
    fields = fields_of(o)
    yield from given(fields.get(_SETTING, ()))
    yield from (each for each in map(fields.get, ("formatter", "stream")) if is_users(each))


def _reached(logger: Any) -> Iterator[Any]:
    """The handlers that get what it logs: its own, and those above, as far as it is handed on."""
    above: Any = logger
    while above is not None:
        fields = fields_of(above)
        yield from fields["handlers"]
        above = fields["parent"] if fields["propagate"] else None


# ------------------------------------------------------------------------------------------ all loggers

# `logging.getLogger("train")` gets at one that no name of the namespace leads to.


def all_loggers(o: Any) -> Iterator[Any]:
    """Those that the module knows by their names."""
    yield o.root
    yield from (logger for logger in [*o.root.manager.loggerDict.values()] if isinstance(logger, o.Logger))


_All = tuple[dict[int, tuple[Any, _Settings]], int, bool]
"""How each logger was set, by its id; how many modules were imported; whether the user's code may set loggers."""


def _snapshot_all(o: Any, walk: ObjectWalk) -> _All:
    settings = {id(logger): (logger, _settings(logger)) for logger in all_loggers(o)}
    return settings, len(sys.modules), _at_hand(walk.at_hand)


def _at_hand(modules: Iterable[str]) -> bool:
    return any(name.partition(".")[0] == "logging" for name in modules)


def _changed(o: Any, saved: _All) -> Iterator[tuple[Any, _Settings]]:
    """Those that are not as they were, with how they were; a new one was not set at all."""
    settings = saved[0]
    for logger in all_loggers(o):
        known, before = settings.get(id(logger), (None, _FRESH))
        if not _has_settings(logger, before) and not (known is None and is_librarys(logger)):
            yield logger, before


def _as_imported(o: Any, saved: _All) -> _All:
    """With what libraries have set that were imported meanwhile: they do so once, and stay."""
    settings, count, is_users = saved
    new = [*sys.modules][count:] if len(sys.modules) > count else ()
    owned = [owned_module(name) for name in new if not _sets_none(name)]
    if not all(owned):
        all_theirs = not (is_users or any(owned))
        changed = [logger for logger, _ in _changed(o, saved) if all_theirs or is_librarys(logger)]
        settings.update((id(logger), (logger, _settings(logger))) for logger in changed)
    return saved


_SHOWING_ERRORS = frozenset(
    {"IPython", "asttokens", "executing", "pure_eval", "pygments", "reflex_ipython", "stack_data"}
)


def _sets_none(module: str) -> bool:
    """Whether importing it surely sets no logger: what the first error brings in, among others."""
    root = module.partition(".")[0]
    return root in _SHOWING_ERRORS or root in sys.stdlib_module_names


def is_librarys(logger: Any) -> bool:
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
    for logger in all_loggers(logging):
        for handler in fields_of(logger)["handlers"]:
            own = [handler] if owned_class(type(handler)) and is_known(handler) else gathered(handler)
            found.update((id(o), o) for o in (*own, *users_parts(handler)))
        found.update((id(o), o) for o in (*users_parts(logger), *_makers(logger)))
    return [(f"what loggers write to ({public_name(type(o))})", o) for o in found.values()]


_GATHERED = (io.StringIO, list, dict, deque)
_SETTING = "filters"
_HANDED_ON = ("target", "buffer", "queue")
"""Where `MemoryHandler` and `QueueHandler` have what they were given, and whom they give it to."""


def gathered(handler: Any) -> Iterator[object]:
    """What a handler writes into, if that is in memory; of one of a class of the user's, what that class does as well.

    What else is in a handler of another library nobody knows.
    """
    own = owned_class(type(handler))
    types = _GATHERED if own else (io.StringIO,)
    yield from (o for name, o in fields_of(handler).items() if name != _SETTING and is_exactly(o, types))
    yield from _handed_on(handler)
    if own:
        yield type(handler)


def _handed_on(handler: Any) -> Iterator[object]:
    if any(module_name(base) == "logging.handlers" for base in classes(type(handler))):
        yield from (o for o in map(fields_of(handler).get, _HANDED_ON) if o is not None)


def log_files() -> Iterator[tuple[str, Any]]:
    """The handlers that write to files, each with the name of its file."""
    for logger in all_loggers(logging):
        for handler in fields_of(logger)["handlers"]:
            if inherits(type(handler), logging.FileHandler) and module_name(type(handler)) in _LIBRARY:
                yield os.path.basename(fields_of(handler)["baseFilename"]), handler


def _size(handler: Any) -> int:
    try:
        return os.stat(fields_of(handler)["baseFilename"]).st_size
    except OSError:  # nothing was logged yet
        return 0


LOG_FILE = Kind(
    "file that a logger writes to",
    "named",
    lambda o, walk: _size(o),
    lambda o, saved: bool(_size(o) == saved),
    instance=False,
)

KINDS: dict[type, Kind] = {
    logging.Logger: Kind(
        "logging.Logger",
        "partial",
        _snapshot_logger,
        _same_logger,
        _restore_logger,
        limit="its level, filters, handlers and what you have set on it; what was logged stays logged",
        instance=False,
    ),
}
