"""Texts that `int` and `float` don't take."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ('s="$1,200"', "n = int(s)\nn", 'n = int(s.replace("$", "").replace(",", ""))\nn'),
        ('s="1,5"', "n = float(s)\nn", 'n = float(s.replace(",", "."))\nn'),
        ('s="1,200.50"', "n = float(s)\nn", 'n = float(s.replace(",", ""))\nn'),
        ('s="12 kg"', "w = float(s)\nw", "w = float(s.split()[0])\nw"),
        (
            'raw=["1,000","2,000"]',
            "vals = list(map(int, raw))\nvals",
            'vals = list(int(x.replace(",", "")) for x in raw)\nvals',
        ),
        (
            'raw=["$10","$20.5"]',
            "vals = [float(x) for x in raw]\nvals",
            'vals = [float(x.replace("$", "").replace(",", "")) for x in raw]\nvals',
        ),
        ("", 'n = int("0x1f")', 'n = int("0x1f", 0)'),
        ('line="1 2 3"', "nums = int(line)\nnums", "nums = [int(part) for part in line.split()]\nnums"),
        ('parts=["1","2"]', "nums = int(parts)\nnums", "nums = [int(x) for x in parts]\nnums"),
        ("", 'pop = int("1,234,567")\npop', 'pop = int("1,234,567".replace(",", ""))\npop'),
        ("", 'p = float("12,50 €")\np', 'p = float("12,50 €".replace("€", "").replace(",", "."))\np'),
        (
            'raw=["$1.50","$2,000.00"]',
            "p = [float(v) for v in raw]\np",
            'p = [float(v.replace("$", "").replace(",", "")) for v in raw]\np',
        ),
        ("", 'w = float("12px")\nw', 'w = float("12px".removesuffix("px"))\nw'),
        ("", 'vals = float(["1.5","2"])\nvals', 'vals = [float(x) for x in ["1.5","2"]]\nvals'),
        ("", 'v = float("1/2")\nv', 'v = int("1/2".split("/")[0]) / int("1/2".split("/")[1])\nv'),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ('s="12.5"', "n = int(s)\nn", "n = int(float(s))\nn"),
        ('s="12%"', "w = float(s)\nw", 'w = float(s.rstrip("% "))\nw'),
        ("", 'vals = [int(x) for x in "1,,3".split(",")]', 'vals = [int(x) for x in "1,,3".split(",") if x.strip()]'),
        (
            'raw=["1","N/A","3"]',
            "vals = [int(v) for v in raw]\nvals",
            "vals = [int(v) for v in raw if v != 'N/A']\nvals",
        ),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None
