"""Texts and tuples can't be changed; lists and dicts are no keys."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ('s="hello"', 's[0] = "J"\ns', 's = "J" + s[1:]\ns'),
        (
            's="hello"',
            'for i in range(len(s)):\n    if s[i] == "l":\n        s[i] = "L"\ns',
            ('for i in range(len(s)):\n    if s[i] == "l":\n        s = s[:i] + "L" + s[i + 1:]\ns'),
        ),
        ('s="hello"', "del s[0]\ns", "s = s[1:]\ns"),
        ("", "d = {}\nd[[1,2]] = 3\nd", "d = {}\nd[(1,2)] = 3\nd"),
        ("rows=[[1,2],[3],[1,2]]", "u = set(rows)\nu", "u = set(map(tuple, rows))\nu"),
        (
            "rows=[[1,2],[3],[1,2]]",
            "seen = set()\nfor r in rows:\n    seen.add(r)\nseen",
            "seen = set()\nfor r in rows:\n    seen.add(tuple(r))\nseen",
        ),
        (
            "rows=[[1],[1]]",
            "seen = set()\nfor r in rows:\n    if r not in seen:\n        seen.add(r)\nlen(seen)",
            ("seen = set()\nfor r in rows:\n    if tuple(r) not in seen:\n        seen.add(tuple(r))\nlen(seen)"),
        ),
        ("", "s = {[1,2],[3,4]}\ns", "s = {tuple([1,2]),tuple([3,4])}\ns"),
        ("rows=[[1,2]]", "d = {r: sum(r) for r in rows}\nd", "d = {tuple(r): sum(r) for r in rows}\nd"),
        (
            'rows=[{"tags":["x","y"],"n":1}]',
            'g = {}\nfor r in rows:\n    g[r["tags"]] = r["n"]\ng',
            'g = {}\nfor r in rows:\n    g[tuple(r["tags"])] = r["n"]\ng',
        ),
        (
            "rows=[[1,2],[3],[1,2]]",
            "from collections import Counter\nk = Counter(rows)\nk",
            "from collections import Counter\nk = Counter(map(tuple, rows))\nk",
        ),
        (
            "",
            "from functools import lru_cache\n@lru_cache\ndef f(x):\n    return sum(x)\nf([1,2])",
            ("from functools import lru_cache\n@lru_cache\ndef f(x):\n    return sum(x)\nf(tuple([1,2]))"),
        ),
        ('d={"a":1,"b":2}', 'v = d[["a","b"]]\nv', 'v = [d[x] for x in ["a","b"]]\nv'),
        ("d={(1,2):1}\nk=[1,2]", "v = d.get(k)\nv", "v = d.get(tuple(k))\nv"),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("t=(1,2,3)", "t[1] = 5\nt", "t = t[:1] + (5,) + t[2:]\nt"),
        ("", "t = (1,2,3)\nt[1] = 5\nt", "t = [1,2,3]\nt[1] = 5\nt"),
        ('rows=[{"a":1},{"a":1}]', "u = set(rows)\nlen(u)", "u = set(tuple(sorted(x.items())) for x in rows)\nlen(u)"),
        ('d={"a":1,"b":2}', "f = d[:1]\nf", "f = dict(list(d.items())[:1])\nf"),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None
