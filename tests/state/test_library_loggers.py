"""Libraries set loggers up as they are imported, once: that stays, as they do. What cells set is put back."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.state.restoration import Restoration
from tests.state.cells import namespace, run

LIBRARY = """
import logging
for name in ("log_library", "log_library.part", "log_neighbour"):
    logging.getLogger(name).addHandler(logging.NullHandler())
"""
OWN = "import logging\nlogging.getLogger('log_own').addHandler(logging.NullHandler())"
LOGGERS = ("log_library", "log_library.part", "log_neighbour", "log_own", "log_users")


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A library and a module of the user's own that set loggers."""
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "log_library.py").write_text(LIBRARY)
    (tmp_path / "site-packages" / "log_later.py").write_text("")
    (tmp_path / "log_own.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in ("log_library", "log_own", "log_later"):
        sys.modules.pop(name, None)
    for name in LOGGERS:
        logging.root.manager.loggerDict.pop(name, None)


def taken_back(names: dict[str, Any], cell: str) -> Restoration:
    """What comes of taking a cell back that has failed, and after which something else is imported."""
    journal = run(names, cell)
    journal.note_end()
    exec("import log_later", {})
    return journal.rollback(0)


def handlers(name: str) -> int:
    return len(logging.getLogger(name).handlers)


def test_loggers_that_an_import_has_set_up_stay_so_whosever_they_are() -> None:
    logging.getLogger("log_library.part")
    names = namespace()
    assert taken_back(names, "def go():\n    import log_library\n    1 / 0\ngo()").exact
    exec("import log_library", names)
    assert list(map(handlers, LOGGERS[:3])) == [1, 1, 1]


def test_what_the_users_code_sets_beside_an_import_is_put_back() -> None:
    names = namespace("import logging")
    cell = "import log_library; logging.getLogger('log_users').setLevel(10); 1 / 0"
    assert taken_back(names, cell).exact
    assert logging.getLogger("log_users").level == logging.NOTSET
    assert handlers("log_library") == 1


def test_a_module_of_the_users_own_is_imported_again_and_so_are_its_loggers() -> None:
    names = namespace()
    for _ in range(2):
        assert taken_back(names, "def go():\n    import log_own, log_library\n    1 / 0\ngo()").exact
        assert handlers("log_own") == 0
    exec("import log_own", names)
    assert handlers("log_own") == 1


def test_what_the_users_code_sets_of_a_librarys_logger_is_put_back_whatever_comes_in_later() -> None:
    names = namespace("import logging, log_library")
    assert taken_back(names, "logging.getLogger('log_library').setLevel(10); 1 / 0").exact
    assert logging.getLogger("log_library").level == logging.NOTSET
