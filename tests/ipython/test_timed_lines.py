"""What `%time` runs is told as the cell's own code, whether IPython raises its error (9) or has `%time` show it (8)."""

from __future__ import annotations

from typing import Any

import pytest

CELLS = {
    "alone": ("%time toatl", 1),
    "followed": ("x = 1\n%time y = toatl\nx", 2),
    "in a block": ("if True:\n    x = 1\n    %time toatl\n    x = 2", 3),
    "in a cell that is captured": ("%%capture\n%time toatl", 2),
}


@pytest.mark.parametrize(("source", "lineno"), CELLS.values(), ids=CELLS.keys())
def test_its_error_is_at_its_line(run: Any, shell: Any, source: str, lineno: int) -> None:
    run(source)
    failure = shell.reflex_extension.assembled.session.repairs.all()[-1].failure
    frame = failure.error.frames[-1]
    assert (frame.cell, frame.lineno, failure.lineno) == (failure.situation.cell, lineno, lineno)
