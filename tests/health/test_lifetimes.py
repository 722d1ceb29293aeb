"""What ends, ends when it does without the extension, in the same order; nothing is asked, copied or kept meanwhile.

Each row runs as it stands, as one single statement, with an await in front, and under `%%capture` and `%%time`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from tests.health.cells import buffers, ends, outside, references
from tests.health.conftest import Pair

ROWS = {
    name: (module.PRELUDE, cells)
    for module, table in (
        (ends, ends.ENDS), (references, references.REFERENCES), (outside, outside.OUTSIDE), (buffers, buffers.BUFFERS),
    )
    for name, cells in table.items()
}  # fmt: skip


def one_statement(cell: str) -> str:
    return cell if "%" in cell.split("\n")[0][:1] else "if True:\n" + textwrap.indent(cell, "    ")


WAYS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "as it stands": lambda cell: (cell,),
    "in one statement": lambda cell: (one_statement(cell),),
    "with an await": lambda cell: (cell if cell[0] == "%" else f"await __import__('asyncio').sleep(0)\n{cell}",),
    "captured": lambda cell: (cell,) if cell[0] == "%" else (f"%%capture captured\n{cell}", "captured.show()"),
    "timed": lambda cell: (cell,) if cell[0] == "%" else (f"%%time\n{cell}",),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ROWS)
def test_a_healthy_cell_does_with_the_extension_what_it_does_without(pair: Pair, name: str, way: str) -> None:
    prelude, cells = ROWS[name]
    notebook = (prelude, *(made for cell in cells for made in WAYS[way](cell)))
    assert not pair.differences(notebook)
