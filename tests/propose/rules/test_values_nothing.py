"""None where a value is needed."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources

MEAN = """\
class Mean:
    def fit(self, xs):
        self.mean = sum(xs) / len(xs)
    def predict(self, x):
        return self.mean"""
ROWS = """\
class Rows(list):
    def ordered(self, inplace=False):
        return None if inplace else Rows(sorted(self))
rows = Rows([2, 1])"""
"""What sorts as a table does."""


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("nums=[3,1]", "x = nums.sort()\nprint(x[0])", "x = sorted(nums)\nprint(x[0])"),
        ("nums=[3,1]\nx = nums.sort()", "print(x[0])", "print(nums[0])"),
        (
            f"{MEAN}\nmodel = Mean().fit([1, 3])",
            "model.predict(2)",
            f"{MEAN}\nmodel = Mean().fit([1, 3])".replace("len(xs)", "len(xs)\n        return self"),
        ),
        (MEAN, "Mean().fit([1, 3]).predict(2)", MEAN.replace("len(xs)", "len(xs)\n        return self")),
        (
            "",
            "nums = [1]\nfor i in range(2):\n    nums = nums.append(i)\nnums",
            "nums = [1]\nfor i in range(2):\n    nums.append(i)\nnums",
        ),
        (
            "",
            "def area(r):\n    a = 3 * r\nx = area(2) + 1\nx",
            "def area(r):\n    a = 3 * r\n    return a\nx = area(2) + 1\nx",
        ),
        (
            "nums = [3, 1]\nnums = nums.append(2)  # one more",
            "print(nums[0])",
            "nums = [3, 1]\nnums.append(2)  # one more",
        ),
        (
            f"{ROWS}\nrows = rows.ordered(inplace=True)",
            "rows[0]",
            f"{ROWS}\nrows = rows.ordered()",
        ),
        (
            "def area(r):\n    a = 3 * r\nmine = area(2)",
            "x = mine + 1\nx",
            "def area(r):\n    a = 3 * r\n    return a\nmine = area(2)",
        ),
        ("def area(r):\n    a = 3 * r", "x = area(2) + 1\nx", "def area(r):\n    a = 3 * r\n    return a"),
        (
            "",
            "def area(r):\n    print(3 * r)\nx = area(2) + 1\nx",
            "def area(r):\n    print(3 * r)\n    return 3 * r\nx = area(2) + 1\nx",
        ),
        (
            "",
            ("def total(xs):\n    t = 0\n    for x in xs:\n        t += x\nres = total([1,2]) * 2\nres"),
            ("def total(xs):\n    t = 0\n    for x in xs:\n        t += x\n    return t\nres = total([1,2]) * 2\nres"),
        ),
        ("", "def add(a, b):\n    a + b\nprint(add(1,2) + 1)", "def add(a, b):\n    return a + b\nprint(add(1,2) + 1)"),
        ("nums=[3,1]", "for x in nums.sort():\n    print(x)", "for x in sorted(nums):\n    print(x)"),
        (
            'text="ab 12"',
            'import re\nm = re.match(r"\\d+", text)\nprint(m.group())',
            'import re\nm = re.search(r"\\d+", text)\nprint(m.group())',
        ),
        ('d={"count":5}', 'n = d.get("cuont") + 1\nn', "n = d.get('count') + 1\nn"),
        (
            'd={}\nwords=["a","b","a"]',
            "for w in words:\n    d[w] = d.get(w) + 1\nd",
            "for w in words:\n    d[w] = d.get(w, 0) + 1\nd",
        ),
        ("x=[2,1]", "first = x.sort()[0]\nfirst", "first = sorted(x)[0]\nfirst"),
        ("", "s = set()\nfor x in [1,2]:\n    s = s.add(x)\ns", "s = set()\nfor x in [1,2]:\n    s.add(x)\ns"),
        (
            "",
            (
                "def grade(s):\n"
                "    if s > 50:\n"
                '        g = "pass"\n'
                "    else:\n"
                '        g = "fail"\n'
                "print(grade(60).upper())"
            ),
            (
                "def grade(s):\n"
                "    if s > 50:\n"
                '        g = "pass"\n'
                "    else:\n"
                '        g = "fail"\n'
                "    return g\n"
                "print(grade(60).upper())"
            ),
        ),
        (
            "",
            (
                "class C:\n"
                "    def __init__(self):\n"
                "        self.v = [3]\n"
                "    def get(self):\n"
                "        self.v\n"
                "c2 = C()\n"
                "print(c2.get()[0])"
            ),
            (
                "class C:\n"
                "    def __init__(self):\n"
                "        self.v = [3]\n"
                "    def get(self):\n"
                "        return self.v\n"
                "c2 = C()\n"
                "print(c2.get()[0])"
            ),
        ),
        (
            "",
            "def mm(x):\n    lo = min(x)\n    hi = max(x)\nlo, hi = mm([1,2])\nlo",
            "def mm(x):\n    lo = min(x)\n    hi = max(x)\n    return lo, hi\nlo, hi = mm([1,2])\nlo",
        ),
        (
            "",
            "def evens(x):\n    out = [v for v in x if v % 2 == 0]\nprint(len(evens([1,2])))",
            ("def evens(x):\n    out = [v for v in x if v % 2 == 0]\n    return out\nprint(len(evens([1,2])))"),
        ),
        ("", 'x = print("a")\nprint(x.upper())', 'x = "a"\nprint(x.upper())'),
        (
            'names=["A",None,"B"]',
            "low = [s.lower() for s in names]\nlow",
            "low = [s.lower() for s in names if s is not None]\nlow",
        ),
        ('names=["a",None,"b"]', 's = ", ".join(names)\ns', 's = ", ".join(x for x in names if x is not None)\ns'),
        ('d={"name":"Al"}', 'msg = "Hi " + d.get("nam")\nmsg', "msg = \"Hi \" + d.get('name')\nmsg"),
        (
            "def clean(xs):\n    return xs.sort()",
            'r = clean(["b","a"])\nr[0]',
            "def clean(xs):\n    xs.sort()\n    return xs",
        ),
        (
            "",
            "def add(xs, v):\n    return xs.append(v)\ny = add([1], 2)\nlen(y)",
            "def add(xs, v):\n    xs.append(v)\n    return xs\ny = add([1], 2)\nlen(y)",
        ),
        (
            "",
            'def merge(a, b):\n    return a.update(b)\nm = merge({"x":1},{"y":2})\nm["y"]',
            ('def merge(a, b):\n    a.update(b)\n    return a\nm = merge({"x":1},{"y":2})\nm["y"]'),
        ),
        (
            "",
            'def hello(n):\n    print("hi " + n)\nmsg = hello("bob")\nprint(msg.upper())',
            ('def hello(n):\n    print("hi " + n)\n    return "hi " + n\nmsg = hello("bob")\nprint(msg.upper())'),
        ),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        (
            's="no year"',
            'import re\nyear = re.search(r"\\d{4}", s).group()\nyear',
            'import re\nyear = m.group() if (m := re.search(r"\\d{4}", s)) else None\nyear',
        ),
        ("a=1\nb=None", "total = a + b\ntotal", "total = a + (b or 0)\ntotal"),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None


def test_none_is_not_asked_in_the_words_of_another_language() -> None:
    """`not rows` would run, and say of a table that is not there that it is empty."""
    table = ROWS.replace("def ordered", "empty = False\n    def ordered")
    assert sources("rows = rows.ordered(inplace=True)\nrows.empty", table) == []
