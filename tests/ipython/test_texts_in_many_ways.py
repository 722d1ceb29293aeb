"""Cells whose text can be taken apart in very many ways are read in one: else the kernel would be held for ever."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    "source",
    [
        f"print(toatl); {'#' * 200}\nother = 1",
        f"print(toatl); {'# ' * 200}\nother = 1",
        f"{chr(13)}{chr(10)}" * 200 + "print(toatl)",
        "# \r\n" * 200 + "print(toatl)",
        f"print(toatl)  # password {'A' * 190}a1+",
    ],
    ids=["a line of signs behind a semicolon", "more of them", "empty lines", "comments", "capitals beside a secret"],
)
def test_a_cell_gets_its_fix(run: Any, shell: Any, source: str) -> None:
    run("total = 3")
    run(source)
    latest = shell.reflex_extension.assembly.session.repairs.latest()
    assert "print(total)" in latest.fixes[0].edits[-1].source
