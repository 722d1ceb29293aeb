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


def test_a_function_that_counts_from_nothing_is_to_blame_itself() -> None:
    counting = "def count(words):\n    seen = {}\n    for word in words:\n        seen[word] += 1\n    return seen"
    mended = counting.replace("seen[word] += 1", "seen[word] = seen.get(word, 0) + 1")
    assert answer("count(['a'])", counting) == mended
    given = "def count(words, seen):\n    for word in words:\n        seen[word] += 1"
    assert answer("count(['a'], {})", given) is None, "a Counter may have been meant"
