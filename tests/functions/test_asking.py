"""Whoever sits at a terminal is asked; a notebook has its panel."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.functions.conftest import LINUX

pytestmark = LINUX
SCRIPT = """
import reflex_ipython

@reflex_ipython.heal("size")
def size(values):
    return lne(values)

print("size is", size([1, 2]))
"""


NOT_MENDED = "was not mended: the fix was not accepted" if sys.version_info >= (3, 11) else "NameError"
"""Older tracebacks show no notes."""


@pytest.mark.parametrize(("answer", "expected"), [("y", "size is 2"), ("n", NOT_MENDED)])
def test_a_terminal_shows_the_change_and_asks(tmp_path: Path, answer: str, expected: str) -> None:
    import pexpect

    (tmp_path / "script.py").write_text(SCRIPT)
    child = pexpect.spawn(
        sys.executable, ["script.py"], cwd=tmp_path, timeout=60, encoding="utf-8", dimensions=(40, 100),
        env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    child.expect("call it again")
    assert "return len(values)" in child.before
    assert "ran in a copy of this program" in child.before
    assert "cell" not in child.before, "there is none"
    child.sendline(answer)
    child.expect(expected)
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus == 0) == (answer == "y")
