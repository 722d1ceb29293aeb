"""Magics that are not there, as a shell tells of them."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from reflex_ipython.capture import capture_failure
from reflex_ipython.models import CellRef, Lookup


def wanted(source: str) -> Lookup | None:
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.showtraceback = lambda *args, **options: None
    result = shell.run_cell(source)
    error = result.error_in_exec
    assert error is not None
    return capture_failure(error, source=source, cell=CellRef("a", 1), namespace={}).lookup


@pytest.mark.parametrize(
    ("source", "magic", "there"), [("%tmie f()", "%tmie", "%time"), ("%%tmie\nf", "%%tmie", "%%time")]
)
def test_the_shells_magics_are_told_those_of_the_same_kind_first(source: str, magic: str, there: str) -> None:
    found = wanted(source)
    assert found is not None
    assert (found.kind, found.wanted) == ("magic", magic)
    assert there in found.available
    first = found.available[0]
    assert first.startswith("%%") == magic.startswith("%%")


def test_other_errors_of_magics_are_no_look_up() -> None:
    assert wanted("%cd -q -z /nowhere/at/all\n%alias_magic x") is None
