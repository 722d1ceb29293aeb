"""Enumerations, records, spent iterators, totals, and signs that stand for something else."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources

LEVEL = 'from enum import Enum\nclass Level(Enum):\n    LOW = "low"\n    HIGH = "high"\nn = 3.0\nxs = [1, 2]'


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ('r = Level("HIGH")\nr', 'r = Level["HIGH"]\nr'),
        ('texts = ["Low", "High"]\nr = [Level(t) for t in texts]', "r = [Level[t.upper()] for t in texts]"),
        ("area = n ^ 2\narea", "area = n ** 2\narea"),
        ("area = 1.0 if n < 0 else (n + 1) ^ 2\narea", "area = 1.0 if n < 0 else (n + 1) ** 2\narea"),
        ("d = n ^ 2 + n ^ 3\nd", "d = n ** 2 + n ** 3\nd"),
        ('f = "a.csv" - ".csv"\nf', 'f = "a.csv".replace(".csv", "")\nf'),
        ("t = 0\nt += xs\nt", "t = 0\nt += sum(xs)\nt"),
        ('print("{} left").format(3)', 'print("{} left".format(3))'),
        ('print("%d left") % 3', 'print("%d left" % 3)'),
        ('print("Total: ") + str(3)', 'print("Total: " + str(3))'),
        ('print("Total: ") + 3', 'print("Total: ", 3)'),
    ],
)
def test_one_meaning(cell: str, expected: str) -> None:
    found = answer(cell, LEVEL)
    assert found is not None
    assert found.endswith(expected)


def test_a_number_divided_by_a_list_may_mean_how_many_there_are() -> None:
    assert "t = 10 / len(xs)\nt" in sources("t = 10 / xs\nt", LEVEL)


def test_whole_numbers_keep_their_bits() -> None:
    assert sources('r = "a" ^ 2') == []


def test_a_value_of_no_member_stays_unknown() -> None:
    assert sources('Level("middle")', LEVEL) == []


@pytest.mark.parametrize("made", ['map(int, "4 8".split())', "(x for x in [4, 8])", "filter(None, [4, 8])"])
def test_an_iterator_that_was_gone_through_is_made_again(made: str) -> None:
    setup = f"numbers = {made}\ntotal = sum(numbers)"
    found = answer("highest = max(numbers)\nhighest", setup)
    assert found is not None
    assert found.endswith("\nhighest = max(numbers)\nhighest")
    assert found.startswith("numbers = ")


def test_an_empty_list_is_not_made_again() -> None:
    assert all("numbers =" not in one for one in sources("max(numbers)", "numbers = []"))


FIELDS = "from dataclasses import dataclass\n@dataclass\nclass Cart:\n    {}\n"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("items: list = []", "items: list = field(default_factory=list)"),
        (
            "items: list = [1]\n    prices: dict = {}",
            "items: list = field(default_factory=lambda: [1])\n    prices: dict = field(default_factory=dict)",
        ),
    ],
)
def test_a_default_that_would_be_shared_is_made_anew(fields: str, expected: str) -> None:
    found = answer(FIELDS.format(fields) + "Cart()")
    assert found is not None
    assert expected in found
    assert "import field" in found


def test_fields_without_a_default_come_first_or_get_one() -> None:
    cell = FIELDS.format("n: int = 0\n    name: str") + 'Cart(name="a")'
    found = sources(cell)
    assert any("name: str\n    n: int = 0" in one for one in found)
    assert any("name: str = None" in one for one in found)


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        (
            "from collections import namedtuple\nP = namedtuple('P', 'x y')\np = P(1, 2)",
            "p.x += 5\np",
            "p = p._replace(x=p.x + 5)\np",
        ),
        (
            "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n    x: int\np = P(1)",
            "p.x = 5\np",
            "from dataclasses import replace\np = replace(p, x=5)\np",
        ),
    ],
)
def test_a_record_that_is_fixed_is_replaced(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, setup) == expected


def test_a_name_of_three_words_is_split_once() -> None:
    cell = 'first, last = "Guido van Rossum".split(" ")\nlast'
    assert 'first, last = "Guido van Rossum".split(" ", 1)\nlast' in sources(cell)


def test_what_a_pattern_does_not_find_is_left_out() -> None:
    setup = 'import re\nlines = ["id=17", "none"]'
    cell = 'ids = [int(re.search(r"id=(\\d+)", line).group(1)) for line in lines]\nids'
    expected = cell.replace("in lines]", 'in lines if re.search(r"id=(\\d+)", line)]')
    assert answer(cell, setup) == expected


def test_a_text_with_a_point_is_a_float() -> None:
    assert answer('import time\ntime.sleep("0.01")') == 'import time\ntime.sleep(float("0.01"))'
