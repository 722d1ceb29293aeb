"""A cell that ends too early is a syntax error, whatever class the compiler of this Python raises for it."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("source", ["y = (", "for x in y:", "if x:\n    y = [1,\n", "def f():"])
def test_a_cell_that_ends_too_early_is_told_as_a_syntax_error(shell: Any, run: Any, source: str) -> None:
    run(source)
    failure = shell.reflex_extension.assembly.session.repairs.latest().failure
    assert (failure.stage, failure.error.ename) == ("syntax", "SyntaxError")
