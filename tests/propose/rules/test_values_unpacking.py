"""As many names as values."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ('d={"name":"a"}', "for k, v in d:\n    print(k, v)", "for k, v in d.items():\n    print(k, v)"),
        (
            'names=["anna","bob"]',
            "for i, x in names:\n    print(i, x)",
            "for i, x in enumerate(names):\n    print(i, x)",
        ),
        (
            "names=['a','b','c']\nages=[1,2,3]",
            "for name, age in (names, ages):\n    print(name, age)",
            "for name, age in zip(names, ages):\n    print(name, age)",
        ),
        (
            "names=['a','b','c']\nages=[1,2,3]",
            "pairs = [(a, b) for a, b in (names, ages)]",
            "pairs = [(a, b) for a, b in zip(names, ages)]",
        ),
        ("nums=[5,6]", "for i, x in nums:\n    print(i, x)", "for i, x in enumerate(nums):\n    print(i, x)"),
        (
            "pairs=[(1,2)]",
            "for i, a, b in enumerate(pairs):\n    print(i,a,b)",
            "for i, (a, b) in enumerate(pairs):\n    print(i,a,b)",
        ),
        (
            'd={"a":1}',
            "for i, k, v in enumerate(d.items()):\n    print(i, k, v)",
            "for i, (k, v) in enumerate(d.items()):\n    print(i, k, v)",
        ),
        ('d={"a":1}', "for k, v in d.values():\n    print(k, v)", "for k, v in d.items():\n    print(k, v)"),
        (
            'lines=["a;1","b;2"]',
            'for line in lines:\n    name, age = line.split(",")\n    print(name)',
            'for line in lines:\n    name, age = line.split(";")\n    print(name)',
        ),
        (
            "def subplots(a,b):\n    return 0,(1,2)",
            "fig, ax1, ax2 = subplots(1, 2)\nax2",
            "fig, (ax1, ax2) = subplots(1, 2)\nax2",
        ),
        ('name="Ann Lee"', 'first, last = name.split(",")\nfirst', 'first, last = name.split(" ")\nfirst'),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("t=(1,2,3)", "a, b = t\nprint(a,b)", "a, b, *_ = t\nprint(a,b)"),
        ("t=(1,2)", "a, b, c2 = t\nprint(a,b)", "a, b = t\nprint(a,b)"),
        (
            "",
            "def f():\n    return 1, 2, 3\na, b = f()\nprint(a, b)",
            "def f():\n    return 1, 2, 3\na, b, *_ = f()\nprint(a, b)",
        ),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None
