"""What can't be gone through, is empty, changes meanwhile or has no length."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("", "s = sum(1, 2)\ns", "s = sum([1, 2])\ns"),
        ("l=[1]", "l.extend(5)\nl", "l.append(5)\nl"),
        (
            'd={"a":1,"b":-1,"c":-2}',
            "for k in d:\n    if d[k] < 0:\n        del d[k]\nd",
            "for k in list(d):\n    if d[k] < 0:\n        del d[k]\nd",
        ),
        (
            'd={"a":1,"b":-1,"c":-2}',
            "for k, v in d.items():\n    if v < 0:\n        d.pop(k)\nd",
            "for k, v in list(d.items()):\n    if v < 0:\n        d.pop(k)\nd",
        ),
        (
            "s={1,2,3}",
            "for x in s:\n    if x > 1:\n        s.remove(x)\ns",
            "for x in list(s):\n    if x > 1:\n        s.remove(x)\ns",
        ),
        (
            "",
            'g = map(int, ["1","2"])\nprint(sum(g))\nprint(max(g))',
            'g = list(map(int, ["1","2"]))\nprint(sum(g))\nprint(max(g))',
        ),
        (
            "",
            "it = (x for x in [1,2])\ntotal = sum(it)\nm = max(it)\nm",
            "it = list((x for x in [1,2]))\ntotal = sum(it)\nm = max(it)\nm",
        ),
        ("", "g = (x for x in range(3))\nprint(len(g))", "g = [x for x in range(3)]\nprint(len(g))"),
        ("n=2", "for i in range(len(n)):\n    print(i)", "for i in range(n):\n    print(i)"),
        ("", "x = []\nfor i in range(3):\n    x += i\nx", "x = []\nfor i in range(3):\n    x.append(i)\nx"),
        ("", "s = {1}\ns.update(5)\ns", "s = {1}\ns.update({5})\ns"),
        (
            "def f(n):\n    res = []\n    for i in range(n):\n        res.append(i)",
            "for x in f(3):\n    print(x)",
            "def f(n):\n    res = []\n    for i in range(n):\n        res.append(i)\n    return res",
        ),
        ("n=3", "print(3 in n)", "print(3 == n)"),
        ("num=1234", "n = len(num)\nn", "n = len(str(num))\nn"),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("", "l = list(5)\nl", "l = [5]\nl"),
        ("", "m = max([])\nm", "m = max([], default=0)\nm"),
        ("vals=[1,2]", "m = min(x for x in vals if x > 9)\nm", "m = min((x for x in vals if x > 9), default=0)\nm"),
        ("", "n = next(x for x in [1] if x > 2)\nn", "n = next((x for x in [1] if x > 2), None)\nn"),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None
