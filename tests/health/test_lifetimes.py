"""What ends, ends when it does without the extension, in the same order; nothing is asked, copied or kept meanwhile.

Each row runs as it stands and in another way: as one single statement, with an await in front, or under `%%capture`
or `%%time`.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable

import pytest

from tests.health.conftest import Pair
from tests.health.rows import rows

ROWS = {name: row for table in ("ends", "references", "outside", "buffers") for name, row in rows(table).items()}


def one_statement(cell: str) -> str:
    return cell if "%" in cell.split("\n")[0][:1] else "if True:\n" + textwrap.indent(cell, "    ")


WAYS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "as it stands": lambda cell: (cell,),
    "in one statement": lambda cell: (one_statement(cell),),
    "with an await": lambda cell: (cell if cell[0] == "%" else f"await __import__('asyncio').sleep(0)\n{cell}",),
    "captured": lambda cell: (cell,) if cell[0] == "%" else (f"%%capture captured\n{cell}", "captured.show()"),
    "timed": lambda cell: (cell,) if cell[0] == "%" else (f"%%time\n{cell}",),
}


def cases() -> list[tuple[str, str]]:
    """Each row as it stands and in one other way; for `make test-health` in every way."""
    others = [way for way in WAYS if way != "as it stands"]
    if os.environ.get("HEALTH_WHOLE"):
        return [(name, way) for name in ROWS for way in WAYS]
    return [case for i, name in enumerate(ROWS) for case in ((name, "as it stands"), (name, others[i % len(others)]))]


@pytest.mark.parametrize(("name", "way"), cases())
def test_a_healthy_cell_does_with_the_extension_what_it_does_without(pair: Pair, name: str, way: str) -> None:
    prelude, *cells = ROWS[name]
    notebook = (prelude, *(made for cell in cells for made in WAYS[way](cell)))
    assert not pair.differences(notebook)
