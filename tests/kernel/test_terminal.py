"""Terminal IPython, in a real pseudo-terminal, with a person's keys."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a pseudo-terminal")
if sys.platform != "win32":
    import pexpect


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Any]:
    """IPython with the extension."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "IPython", "--no-banner", "--no-confirm-exit", "--simple-prompt", "--ext=reflex_ipython"],
        dimensions=(40, 100),
        timeout=60,
        cwd=tmp_path,
        encoding="utf-8",
        env={**os.environ, "TERM": "xterm-256color"},
    )
    child.expect(r"In \[1\]:")
    yield child
    child.close(force=True)


def type_line(child: Any, line: str, number: int) -> str:
    child.sendline(line)
    child.expect(rf"In \[{number}\]:")
    return str(child.before)


def test_the_diff_comes_in_colour_and_accept_runs_it(terminal: Any) -> None:
    type_line(terminal, "total = 41", 2)
    shown = type_line(terminal, "print(toatl + 1)", 3)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert plain.index("NameError") < plain.index("print(total + 1)") < plain.index("%reflex accept")
    assert "\x1b[32mprint(" in shown
    assert "42" in type_line(terminal, "%reflex accept", 4)
    assert "accepted" in type_line(terminal, "%reflex history", 5)


def test_reject_says_so(terminal: Any) -> None:
    type_line(terminal, "total = 41", 2)
    type_line(terminal, "toatl", 3)
    assert "Rejected" in type_line(terminal, "%reflex reject", 4)


def test_ctrl_c_interrupts_a_cell_and_nothing_is_proposed(terminal: Any) -> None:
    terminal.sendline("print('be' + 'gun'); import time; time.sleep(60)")
    terminal.expect("begun")
    terminal.sendintr()
    terminal.expect(r"In \[2\]:")
    assert "KeyboardInterrupt" in terminal.before
    assert "%reflex" not in terminal.before
