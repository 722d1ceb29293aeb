"""Loggers and their handlers: how they are set. What was logged stays logged, as what was printed stays printed."""

from __future__ import annotations

import logging
from typing import Any

from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, Walk
from reflex_ipython.state.kinds.layout import module_name
from reflex_ipython.state.kinds.opaque import LIVE

_LIBRARY = ("logging", "logging.handlers")
_STREAM = "stream"


def _fields(o: Any) -> dict[str, Any]:
    return object.__getattribute__(o, "__dict__")  # type: ignore[no-any-return]  # of an object, not of a class


def _settings(o: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Its fields of these names; of a list, what is in it."""
    found = {name: _fields(o).get(name, MISSING) for name in names}
    return {name: list(value) if type(value) is list else value for name, value in found.items()}


def _same(o: Any, saved: dict[str, Any]) -> bool:
    now = _settings(o, tuple(saved))
    return all(
        identical(value, saved[name], len(value)) if type(value) is type(saved[name]) is list else value is saved[name]
        for name, value in now.items()
    )


def _restore(o: Any, saved: dict[str, Any]) -> None:
    fields = _fields(o)
    for name, value in saved.items():
        if type(value) is list and type(fields.get(name)) is list:
            fields[name][:] = value
        elif value is not MISSING:
            fields[name] = value


def _note_logger(o: Any, walk: Walk) -> dict[str, Any]:
    saved = _settings(o, ("level", "propagate", "disabled", "handlers", "filters"))
    walk.follow([handler for handler in saved["handlers"] if module_name(type(handler)) in _LIBRARY])
    return saved


def _restore_logger(o: Any, saved: dict[str, Any]) -> None:
    _restore(o, saved)
    o.manager._clear_cache()  # which levels are on


def _note_handler(o: Any, walk: Walk) -> Any:
    if module_name(type(o)) not in _LIBRARY:  # it may have anything in it
        walk.note(LIVE, o)
        return NOTHING
    return _settings(o, ("level", "formatter", "filters", _STREAM))


def _restore_handler(o: Any, saved: dict[str, Any]) -> None:
    _restore(o, {name: value for name, value in saved.items() if name != _STREAM})
    if not _same(o, saved):
        raise CannotRestore("it has got another stream")


KINDS: dict[type, Kind] = {
    logging.Logger: Kind(
        "logging.Logger",
        "partial",
        _note_logger,
        _same,
        _restore_logger,
        limit="its level, filters and handlers; what was logged stays logged",
        instance=False,
    ),
    logging.Handler: Kind(
        "logging.Handler",
        "partial",
        _note_handler,
        _same,
        _restore_handler,
        limit="its level, filters and formatter; one that was closed or got another stream is named",
        instance=False,
    ),
}
