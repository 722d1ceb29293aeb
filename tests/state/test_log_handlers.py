"""What is set on handlers and loggers, by whatever way code gets at them, and what `logging` knows of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, check_read, failing, halves

SETUP = """\
import io, logging, logging.config
h = logging.StreamHandler(io.StringIO())
lg = logging.getLogger('log_handlers')
lg.addHandler(h)
def closed(): return [each for each in logging._handlerList if each() is h] == []
"""
BY_NAME = "logging.getLogger('log_handlers').handlers[0]"
HIDDEN = f"{SETUP}logging.getLogger('log_handlers.hidden').addHandler(logging.StreamHandler(io.StringIO()))\n"
AWAY = "logging.getLogger('log_handlers.hidden').handlers[0]"


@pytest.fixture(autouse=True)
def loggers_are_as_they_were() -> Iterator[None]:
    known, handlers = dict(logging.root.manager.loggerDict), [*logging.root.handlers]
    all_listed = vars(logging)["_handlerList"]
    listed = [*all_listed]
    all_listed.clear()  # no configuration closes those of other tests
    yield
    all_listed[:0] = listed
    for name in ("log_handlers", "log_handlers.hidden", "log_handlers.new"):
        logging.getLogger(name).handlers.clear()
        vars(logging.getLogger(name)).pop("tag", None)
    logging.root.handlers[:] = handlers
    logging.root.manager.loggerDict.update(known)


CHANGES = (
    Half("a name", SETUP, "h.set_name('x')", "h.name, 'x' in logging._handlers"),
    Half("an attribute that is a name", SETUP, f"{BY_NAME}.name = 'x'", "h.name, 'x' in logging._handlers"),
    Half("a name that it had", f"{SETUP}h.name = 'a'", f"{BY_NAME}.name = 'x'",
         "h.name, logging._handlers.get('a') is h, 'x' in logging._handlers"),
    Half("the name of a hidden one", HIDDEN, f"{AWAY}.set_name('x')", f"{AWAY}.name, 'x' in logging._handlers"),
    Half("a level", HIDDEN, f"{AWAY}.setLevel(30)", f"{AWAY}.level"),
    Half("a formatter", HIDDEN, f"{AWAY}.setFormatter(logging.Formatter('%(message)s'))", f"id({AWAY}.formatter)"),
    Half("a filter", HIDDEN, f"{AWAY}.addFilter(print)", f"{AWAY}.filters"),
    Half("a stream", HIDDEN, f"{AWAY}.setStream(io.StringIO())", f"id({AWAY}.stream)"),
    Half("a terminator", HIDDEN, f"{AWAY}.terminator = 'x'", f"{AWAY}.terminator"),
    Half("what nobody knows", HIDDEN, f"{AWAY}.tag = 'x'", f"vars({AWAY}).get('tag')"),
    Half("a handler that is closed", f"{SETUP}h.name = 'a'", "h.close()", "h._closed, 'a' in logging._handlers"),
    Half("a tag of a logger", SETUP, "lg.tag = 1", "vars(lg).get('tag')"),
    Half("a tag of a hidden logger", HIDDEN, f"{AWAY[:-12]}.tag = 1", f"vars({AWAY[:-12]}).get('tag')"),
    Half("a tag of a new logger", SETUP, "logging.getLogger('log_handlers.new').tag = 1",
         "vars(logging.root.manager.loggerDict.get('log_handlers.new', lg)).get('tag')"),
    Half("a tag of the root", SETUP, "logging.root.tag = 1", "vars(logging.root).get('tag')"),
    Half("a logger that is forgotten", SETUP, "logging.root.manager.loggerDict.pop('log_handlers')",
         "'log_handlers' in logging.root.manager.loggerDict"),
    Half("all that are forgotten", SETUP, "logging.Logger.manager.loggerDict.clear()",
         "'log_handlers' in logging.root.manager.loggerDict"),
    Half("another configuration", f"{SETUP}h.name = 'a'", "logging.config.dictConfig({'version': 1})",
         "lg.disabled, closed(), h._closed, 'a' in logging._handlers, lg.handlers"),
    Half("another configuration of the root", SETUP, "logging.config.dictConfig({'version': 1, 'handlers': {'b': "
         "{'class': 'logging.StreamHandler'}}, 'root': {'handlers': ['b']}})",
         "lg.disabled, closed(), logging.root.handlers"),
)  # fmt: skip


@halves(*CHANGES)
def test_what_is_set(half: Half) -> None:
    check(half)


@halves(*CHANGES)
def test_what_a_function_sets(half: Half) -> None:
    check(Half(half.says, f"{half.setup}\ndef act(): {half.cell}\n", "act()", half.shows))


def test_a_file_that_was_closed_is_named(tmp_path: object) -> None:
    setup = f"import logging\nlogging.getLogger('log_handlers').addHandler(logging.FileHandler({f'{tmp_path}/log'!r}))"
    here = namespace(setup)
    handler = logging.getLogger("log_handlers").handlers[0]
    words = run(here, failing("logging.getLogger('log_handlers').handlers[0].close()")).rollback(0).words
    assert "loggers (it has a different stream now)" in words
    assert vars(handler)["_closed"], "whoever opened it anew would empty it"


@pytest.mark.parametrize(
    "read",
    [
        "lg.error('x') if False else lg.isEnabledFor(10)",
        "logging.getLogger('log_handlers').handlers[0].name",
        "logging.getLogger('log_handlers.new')",
        "logging.getLogger('log_handlers.new.inside'); logging.getLogger('log_handlers.new')",
    ],
)
def test_what_is_read_is_not_named(read: str) -> None:
    check_read(SETUP, read)
