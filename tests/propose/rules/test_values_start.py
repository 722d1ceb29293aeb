"""What is built up from None in a loop."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("cell", "start"),
    [
        ("r = None\nfor x in [1, 2]:\n    r += x", "0"),
        ("r = None\nfor x in [1, 2]:\n    r = r + x", "0"),
        ('r = None\nfor x in ["a", "b"]:\n    r += x', '""'),
        ("r = None\nfor x in [[1], [2]]:\n    r += x", "[]"),
        ("r = None\nfor x in [1, 2]:\n    r.append(x)", "[]"),
        ("r = None\nfor x in [1, 2]:\n    r.add(x)", "set()"),
        ('r = None\nfor x in "ab":\n    r[x] = 1', "{}"),
    ],
)
def test_it_starts_with_what_is_empty_of_the_kind_that_is_added(cell: str, start: str) -> None:
    assert answer(cell) == cell.replace("None", start, 1)


def test_a_product_is_not_guessed_to_start_with_anything() -> None:
    assert sources("r = None\nfor x in [2, 3]:\n    r *= x") == []
