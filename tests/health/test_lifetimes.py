"""What ends, ends when it does without the extension, in the same order; nothing is asked, copied or kept meanwhile.

Each row runs as it stands and in another way: as one single statement, with an await in front, or under `%%capture`
or `%%time`.

The promise is for the end of each statement. Within one that may do anything, and so has a full note, an object may
live on until that one is over: there the lines are compared without their order, and rows that count are not played.
How much is noted depends on what cells have taken so far, so each row is played where all may be noted, where the first
statement of each cell may that takes long to note, and where nothing may.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable

import pytest

from tests.health.conftest import Pair
from tests.health.kernels import CREDIT
from tests.health.outcomes import ends_in_any_order, without_order
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


WITHIN = ("in one statement", "captured", "timed")
"""The ways in which a row is one statement."""
COUNTING = (
    "reference counts", "how many objects", "what a collection", "who refers to",
    "a function that writes and asks who holds",
)  # fmt: skip


def played(name: str, way: str, credit: str) -> bool:
    """Whether a row says anything when it is played that way.

    Where something may be noted, what ends within `%%capture` tells so behind it, and an audit hook sees what is looked
    at.
    """
    if credit != "none" and (way == "captured" or name == "an audit hook"):
        return False
    return way not in WITHIN or not name.startswith(COUNTING)


def cases() -> list[tuple[str, str, str]]:
    """Each row as it stands, and in one other way, and what may be noted; for `make test-health` in every way."""
    others = [way for way in WAYS if way != "as it stands"]
    if os.environ.get("HEALTH_WHOLE"):
        found = [(name, way, credit) for name in ROWS for way in WAYS for credit in CREDIT]
    else:
        found = [(name, "as it stands", "unlimited") for name in ROWS]
        found += [(name, "as it stands", "once") for name in ROWS]
        found += [(name, others[i % len(others)], "none") for i, name in enumerate(ROWS)]
    return [(name, way, credit) for name, way, credit in found if played(name, way, credit)]


@pytest.fixture(scope="module")
def pair(new_pair: Callable[..., Pair]) -> Pair:
    """Before each row there is a collection: it goes through what the rows have made."""
    return new_pair("matplotlib.pyplot, numpy, pandas, sklearn.linear_model")


@pytest.mark.parametrize(("name", "way", "credit"), cases())
def test_a_healthy_cell_does_with_the_extension_what_it_does_without(
    quick_pair: Pair, name: str, way: str, credit: str
) -> None:
    prelude, *cells = ROWS[name]
    notebook = (prelude, *(made for cell in cells for made in WAYS[way](cell)))
    quick_pair.loaded.set_credit(credit)
    assert not quick_pair.differences(notebook, without_order if way in WITHIN else ends_in_any_order)
