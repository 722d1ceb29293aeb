"""Statements that change something and then fail: what came of it must be undone exactly, or named."""

from __future__ import annotations

import dataclasses
import textwrap
from typing import Any

import pytest

from tests.state.cells import namespace, run

_NAMED = "named"


@dataclasses.dataclass(frozen=True)
class Half:
    """A statement that is half done when it fails.

    Parameters
    ----------
    says : str
        What it is about; the test's id.
    setup : str
        Statements of earlier cells.
    cell : str
        The part that is done before the failure.
    shows : str
        An expression that tells the state and changes nothing; empty where only the report is looked at.
    named : str
        A word of the report, where the change can't be put back; empty for what is put back exactly.
    """

    says: str
    setup: str
    cell: str
    shows: str = ""
    named: str = ""


def halves(*some: Half) -> pytest.MarkDecorator:
    """A parameter `half` for each."""
    return pytest.mark.parametrize("half", some, ids=[half.says for half in some])


def failing(cell: str) -> str:
    """One statement that does this and fails then."""
    return f"if True:\n{textwrap.indent(textwrap.dedent(cell).strip(), '    ')}\n    1 / 0"


def check(half: Half, **names: Any) -> None:
    """Run it, go back, and compare."""
    here = namespace()
    here.update(names)
    exec(textwrap.dedent(half.setup), here)
    before = repr(eval(half.shows, here)) if half.shows else None
    journal = run(here, failing(half.cell))
    if half.shows and not half.named:
        assert repr(eval(half.shows, here)) != before, "the change must be one"
    restoration = journal.rollback(0)
    if half.named:
        assert half.named in restoration.words
    else:
        assert restoration.words == "state restored exactly", restoration.words
        assert repr(eval(half.shows, here)) == before


def check_read(setup: str, read: str) -> None:
    """What is only read is neither changed nor named."""
    here = namespace(textwrap.dedent(setup))
    assert run(here, failing(read)).rollback(0).words == "state restored exactly"
