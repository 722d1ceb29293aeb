"""Leaving statements out of a cell that is done in part."""

from __future__ import annotations

from typing import Any

from reflex_ipython.ipython.left_out import LeavingOut
from reflex_ipython.state.plan import Plan


def test_an_interrupt_while_they_are_left_out_is_the_cells_and_nothing_runs(plain_shell: Any) -> None:
    def interrupted(*_: Any) -> bool:
        raise KeyboardInterrupt

    leaving_out = LeavingOut(plain_shell, interrupted, lambda: True)
    leaving_out.set(Plan())
    ran = plain_shell.run_cell("ran = 1\nran = 2")
    assert isinstance(ran.error_in_exec, KeyboardInterrupt)
    assert "ran" not in plain_shell.user_ns
    files = []
    place = ran.error_in_exec.__traceback__
    while place is not None:
        files.append(place.tb_frame.f_code.co_filename)
        place = place.tb_next
    assert not any("reflex_ipython" in file for file in files)
