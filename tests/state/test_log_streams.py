"""What is logged into memory is taken back, whether or not a name leads to the handler."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tests.state.cells import namespace, run

OWN = (
    "class Gathers(logging.Handler):\n"
    "  def __init__(self): super().__init__(); self.records = []\n"
    "  def emit(self, record): self.records.append(record.getMessage())\n"
    "handler = Gathers()"
)
INTO = {
    "a stream": ("text = io.StringIO(); handler = logging.StreamHandler(text)", "text.getvalue()"),
    "a handler of one's own": (OWN, "handler.records"),
}
LOGS = {
    "by its name": ("logging.getLogger('made.up').addHandler(handler)", "logging.getLogger('made.up').error('x')"),
    "in a function": (
        "log = logging.getLogger('made.up'); log.addHandler(handler)\ndef go(): log.error('x')",
        "go()",
    ),
}


@pytest.fixture(autouse=True)
def _unset() -> Iterator[None]:
    yield
    for logger in (logging.root, logging.getLogger("made.up")):
        for handler in [one for one in logger.handlers if type(one).__module__ != "_pytest.logging"]:
            logger.removeHandler(handler)


@pytest.mark.parametrize(("handler", "written"), INTO.values(), ids=INTO.keys())
@pytest.mark.parametrize(("added", "logs"), LOGS.values(), ids=LOGS.keys())
def test_what_a_statement_has_logged_is_taken_back(handler: str, written: str, added: str, logs: str) -> None:
    names = namespace("import io, logging", handler, added)
    journal = run(names, f"{logs}\n1 / 0")
    assert "x" in eval(written, names)
    assert journal.rollback(0).words == "state restored exactly"
    assert "x" not in eval(written, names)


def test_so_is_what_a_logger_has_handed_on_to_one_above() -> None:
    names = namespace(
        "import io, logging\ntext = io.StringIO()",
        "logging.getLogger('made').addHandler(logging.StreamHandler(text)); log = logging.getLogger('made.up')",
    )
    journal = run(names, "log.error('x')\n1 / 0")
    assert names["text"].getvalue() == "x\n"
    assert journal.rollback(0).words == "state restored exactly"
    assert names["text"].getvalue() == ""
    logging.getLogger("made").handlers.clear()


def test_so_is_what_a_handler_has_kept_and_handed_on_to_another_one() -> None:
    names = namespace(
        "import io, logging, logging.handlers\ntext = io.StringIO()",
        "kept = logging.handlers.MemoryHandler(9, target=logging.StreamHandler(text))",
        "logging.getLogger('made.up').addHandler(kept); log = logging.getLogger('made.up')",
    )
    journal = run(names, "log.warning('x')\nkept.flush()\nlog.warning('y')\n1 / 0")
    assert (names["text"].getvalue(), len(names["kept"].buffer)) == ("x\n", 1)
    assert journal.rollback(1).words == "state restored exactly"
    assert (names["text"].getvalue(), len(names["kept"].buffer)) == ("", 1)
    journal = run(names, "logging.getLogger('made.up').warning('z')\n1 / 0")
    assert journal.rollback(0).words == "state restored exactly"
    assert [record.msg for record in names["kept"].buffer] == ["x"]


def test_a_queue_that_a_handler_has_put_something_into_is_named() -> None:
    names = namespace(
        "import logging, logging.handlers, queue\nwaiting = queue.SimpleQueue()",
        "log = logging.getLogger('made.up'); log.addHandler(logging.handlers.QueueHandler(waiting))",
    )
    journal = run(names, "log.error('x')\n1 / 0")
    assert "SimpleQueue" in journal.rollback(0).words
