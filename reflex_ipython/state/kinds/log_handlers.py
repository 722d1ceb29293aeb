"""Handlers of logs, by whatever name or logger code gets at them, and how `logging` knows them and the loggers by name.

`logging.config.dictConfig` forgets and closes all that there are; a handler's name is an entry in a table as well.
"""

from __future__ import annotations

import logging
import weakref
from typing import Any, NamedTuple

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.loggers import (
    all_loggers,
    contents,
    fields_of,
    gathered,
    is_known,
    is_librarys,
    put_field,
    put_tags,
    same_tags,
    same_value,
    tags,
    users_parts,
)
from reflex_ipython.state.kinds.opaque import LIVE
from reflex_ipython.state.kinds.registries import NAME, Row

_SET_ON_ANY = ("level", "formatter", "filters", "_name")
_SET = (*_SET_ON_ANY, "_closed", "stream", "target", "terminator")
_OPEN = ("_closed", "stream")
_Settings = tuple[dict[str, Any], dict[str, Any]]
"""Attributes of a handler, and what somebody else has set on it."""


# ------------------------------------------------------------------------------------------ one handler


def _settings(o: Any) -> _Settings:
    """Of one of a library's class, only what every handler has: it changes the others by itself."""
    known = is_known(o)
    get = fields_of(o).get
    return {name: contents(get(name, MISSING)) for name in (_SET if known else _SET_ON_ANY)}, tags(o) if known else {}


def _snapshot(o: Any, walk: ObjectWalk) -> Any:
    if not is_known(o):  # it may have anything in it
        walk.snapshot(LIVE, o)
        return NOTHING
    saved = _settings(o)
    walk.follow([*gathered(o), *users_parts(o), *saved[1].values()])  # what is logged into memory can be taken back
    return saved


def _same(o: Any, saved: _Settings) -> bool:
    settings, more = saved
    get = fields_of(o).get
    same = all(same_value(contents(get(name, MISSING)), value) for name, value in settings.items())
    return same and (not is_known(o) or same_tags(o, more)) and _named(o, settings["_name"])


def _named(o: Any, name: Any) -> bool:
    """Whether it is found by its name, if it has one."""
    return not name or _is_closed(o) or _by_name().get(name) is o


def _by_name() -> Any:
    return vars(logging)["_handlers"]  # there is no other way to take one out


def _is_closed(o: Any) -> bool:
    return bool(fields_of(o).get("_closed"))


def _restore(o: Any, saved: _Settings) -> None:
    settings, more = saved
    fields, names = fields_of(o), _by_name()
    now = fields.get("_name")
    if now and names.get(now) is o:
        del names[now]
    for name, value in settings.items():
        if name not in _OPEN:
            put_field(o, name, value)
    if is_exactly(o, (logging.StreamHandler,)) or fields.get("stream", MISSING) is settings.get("stream", MISSING):
        for name in _OPEN:  # a file that was closed stays closed: whoever opens it anew may empty it
            if name in settings:
                put_field(o, name, settings[name])
    if settings["_name"] and not _is_closed(o):
        names[settings["_name"]] = o
    if is_known(o):
        put_tags(o, more)
    if not _same(o, saved):
        raise CannotRestore("it has a different stream now")


# ------------------------------------------------------------------------------------------ all of them


class _Known(NamedTuple):
    handlers: dict[int, tuple[Any, _Settings]]
    """Those that loggers have, by their ids."""
    listed: list[weakref.ref[Any]]
    """How `logging` knows those that are closed as Python ends."""
    loggers: dict[str, Any]
    tags: dict[int, dict[str, Any]]
    """What somebody has set on loggers, by their ids."""


def _snapshot_all(o: Any, walk: ObjectWalk) -> _Known:
    loggers = [*all_loggers(o)]
    last = [] if o.lastResort is None else [o.lastResort]
    handlers = {
        id(each): each for each in (*last, *(each for logger in loggers for each in fields_of(logger)["handlers"]))
    }
    by_name = {name: each for name, each in o.root.manager.loggerDict.items() if isinstance(each, o.Logger)}
    settings = {key: (handler, _settings(handler)) for key, handler in handlers.items()}
    set_on = {id(logger): tags(logger) for logger in loggers}
    return _Known(settings, [*o._handlerList], by_name, set_on)


def _changed(saved: _Known) -> list[tuple[Any, _Settings]]:
    return [(handler, settings) for handler, settings in saved.handlers.values() if not _same(handler, settings)]


def _unlisted(o: Any, saved: _Known) -> list[weakref.ref[Any]]:
    now = set(map(id, o._handlerList))
    return [each for each in saved.listed if id(each) not in now and each() is not None]


def _lost(o: Any, saved: _Known) -> dict[str, Any]:
    """The loggers that their names do not lead to any more."""
    now = o.root.manager.loggerDict
    return {name: logger for name, logger in saved.loggers.items() if now.get(name) is not logger}


def _tagged(o: Any, saved: _Known) -> list[tuple[Any, dict[str, Any]]]:
    """Loggers on which something else is set now, with what was. A class of the user's sets its own on new ones."""
    found = []
    for logger in all_loggers(o):
        before = saved.tags.get(id(logger))
        if before is None and is_exactly(logger, (logging.Logger,)) and not is_librarys(logger):
            before = {}
        if before is not None and not same_tags(logger, before):
            found.append((logger, before))
    return found


def _same_all(o: Any, saved: _Known) -> bool:
    return not (_changed(saved) or _unlisted(o, saved) or _lost(o, saved) or _tagged(o, saved))


def _restore_all(o: Any, saved: _Known) -> None:
    o.root.manager.loggerDict.update(_lost(o, saved))
    for logger, before in _tagged(o, saved):
        put_tags(logger, before)
    o._handlerList += _unlisted(o, saved)
    failed: list[CannotRestore] = []
    for handler, settings in _changed(saved):
        try:
            _restore(handler, settings)
        except CannotRestore as why:
            failed.append(why)
    if failed:
        raise failed[0]


KINDS: dict[type, Kind] = {
    logging.Handler: Kind(
        "logging.Handler",
        "partial",
        _snapshot,
        _same,
        _restore,
        limit="its level, filters, formatter, name and what you have set on it; one whose file was closed or that has "
        "a different stream is named",
        instance=False,
    ),
}
_ALL = Kind(NAME, "exact", _snapshot_all, _same_all, _restore_all)
ROWS: tuple[Row, ...] = (("logging", frozenset(), "loggers", _ALL),)
"""As `kinds.switches` has them."""
