"""Text, numbers and collections on the two sides of an operator, and in comparisons."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("age = 30", 'print("Age: " + age)', 'print("Age: " + str(age))'),
        ("", 'age = "30"\nborn = 2024 - age\nborn', 'age = int("30")\nborn = 2024 - age\nborn'),
        (
            'prices=["1","2","3"]',
            "total = 0\nfor p in prices:\n    total += p\nprint(total)",
            "total = 0\nfor p in prices:\n    total += int(p)\nprint(total)",
        ),
        (
            'rows=[{"price":"1.5"},{"price":"2.5"}]',
            'total = 0\nfor row in rows:\n    total = total + row["price"]\nprint(total)',
            'total = 0\nfor row in rows:\n    total = total + float(row["price"])\nprint(total)',
        ),
        ('price="10"', "final = price * 1.2\nfinal", "final = int(price) * 1.2\nfinal"),
        ("from pathlib import Path\np = Path('a')", 'f = p + "/b.csv"\nstr(f)', 'f = p / "b.csv"\nstr(f)'),
        ('width="5"', 'line = "-" * width\nline', 'line = "-" * int(width)\nline'),
        ("nums=[1,2,3]", "nums += 4\nnums", "nums.append(4)\nnums"),
        ("", "r = [1] + (2,3)\nr", "r = [1] + list((2,3))\nr"),
        ('d={"b":1}', 'r = ["a"] + d.keys()\nr', 'r = ["a"] + list(d.keys())\nr'),
        ('a={"x":1}\nb={"y":2}', "m = a + b\nm", "m = a | b\nm"),
        ("a=[1,2]\nb=[2,3]", "both = a & b\nboth", "both = set(a) & set(b)\nboth"),
        ('data=b"hi"', 'msg = "got " + data\nmsg', 'msg = "got " + data.decode()\nmsg'),
        ('vals=["1.5","2","3"]', "t = sum(vals)\nt", "t = sum(map(float, vals))\nt"),
        ("vals=[1,None,3]", "t = sum(vals)\nt", "t = sum(x for x in vals if x is not None)\nt"),
        ('score="75"', 'if score > 50:\n    print("pass")', 'if int(score) > 50:\n    print("pass")'),
        ('vals=["3",1,"2"]', "vals.sort()\nvals", "vals.sort(key=int)\nvals"),
        ('a="7"', "m = max(a, 5)\nm", "m = max(int(a), 5)\nm"),
        ('vals=["1","2"]', "out = [x + 1 for x in vals]\nout", "out = [int(x) + 1 for x in vals]\nout"),
        (
            'names=["a","b"]',
            'labels = [name + "_" + i for i, name in enumerate(names)]\nlabels',
            'labels = [name + "_" + str(i) for i, name in enumerate(names)]\nlabels',
        ),
        (
            "",
            (
                "class Acc:\n"
                "    def __init__(self, b):\n"
                "        self.b = b\n"
                "    def show(self):\n"
                '        return "Balance: " + self.b\n'
                "print(Acc(5).show())"
            ),
            (
                "class Acc:\n"
                "    def __init__(self, b):\n"
                "        self.b = b\n"
                "    def show(self):\n"
                '        return "Balance: " + str(self.b)\n'
                "print(Acc(5).show())"
            ),
        ),
        ("", 'n = "3"\nwhile n > 0:\n    n -= 1\nprint(n)', 'n = int("3")\nwhile n > 0:\n    n -= 1\nprint(n)'),
        (
            "",
            'def fact(n):\n    if n == 0:\n        return 1\n    return n * fact(n - 1)\nfact("4")',
            ('def fact(n):\n    if n == 0:\n        return 1\n    return n * fact(n - 1)\nfact(int("4"))'),
        ),
        (
            "",
            'def tax(income):\n    rate = 0.2\n    return income * rate\nprint(tax("5000"))',
            'def tax(income):\n    rate = 0.2\n    return income * rate\nprint(tax(int("5000")))',
        ),
        (
            "",
            (
                "def average(nums):\n"
                "    total = 0\n"
                "    for n in nums:\n"
                "        total += n\n"
                "    return total / len(nums)\n"
                'average(["1","2","3"])'
            ),
            (
                "def average(nums):\n"
                "    total = 0\n"
                "    for n in nums:\n"
                "        total += int(n)\n"
                "    return total / len(nums)\n"
                'average(["1","2","3"])'
            ),
        ),
        ('vals=["5","20"]', "big = [x for x in vals if x > 10]\nbig", "big = [x for x in vals if int(x) > 10]\nbig"),
        (
            "vals=[5,None,20]",
            "big = [x for x in vals if x > 10]\nbig",
            "big = [x for x in vals if x is not None and x > 10]\nbig",
        ),
        (
            'people=[{"n":"a","age":None},{"n":"b","age":3}]',
            's = sorted(people, key=lambda p: p["age"])\n[p["n"] for p in s]',
            ('s = sorted(people, key=lambda p: (p["age"] is None, p["age"]))\n[p["n"] for p in s]'),
        ),
        ("w=6", 'print("=" * (w / 2))', 'print("=" * (w // 2))'),
        ("x=[1,2,3]", "avg = x / len(x)\navg", "avg = sum(x) / len(x)\navg"),
        (
            "x=[1,None,3]",
            "avg = sum(x) / len(x)\navg",
            (
                "avg = sum([value for value in x if value is not None]) / len([value for value in x if"
                " value is not None])\n"
                "avg"
            ),
        ),
        ("a={1}\nb={2}", "r = a + b\nr", "r = a | b\nr"),
        ('s="5"', "n = -s\nn", "n = -int(s)\nn"),
        ('s="3.7"', "import math\nn = math.floor(s)\nn", "import math\nn = math.floor(float(s))\nn"),
        (
            'x=["1","3"]',
            "import statistics\nr = statistics.mean(x)\nr",
            "import statistics\nr = statistics.mean(map(int, x))\nr",
        ),
        ("", 'a = "4"\nb = "6"\navg = (a + b) / 2\navg', 'a = int("4")\nb = int("6")\navg = (a + b) / 2\navg'),
        (
            "",
            "best = None\nfor x in [3,1]:\n    if x > best:\n        best = x\nbest",
            "best = None\nfor x in [3,1]:\n    if best is None or x > best:\n        best = x\nbest",
        ),
        ("", 'x = "3"\ny = x ** 2\ny', 'x = int("3")\ny = x ** 2\ny'),
        ('s="3.7"', "r = round(s)\nr", "r = round(float(s))\nr"),
        ('x="9"', "import math\nr = math.sqrt(x)\nr", "import math\nr = math.sqrt(float(x))\nr"),
        ("x=[4,9]", "import math\nr = math.sqrt(x)\nr", "import math\nr = [math.sqrt(value) for value in x]\nr"),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("a=2\nb=3", 'print("Sum: " + a + b)', 'print("Sum: " + str(a + b))'),
        ("nums=[1,2,3]", "nums = nums + 4\nnums", "nums = nums + [4]\nnums"),
        ("a=[4,5]\nb=[1,2]", "diff = a - b\ndiff", "diff = [x - y for x, y in zip(a, b)]\ndiff"),
        ('items=["a","b"]', 'print("Items: " + items)', 'print("Items: " + ", ".join(items))'),
        ("vals=[[1],[2,3]]", "t = sum(vals)\nt", "t = sum(vals, [])\nt"),
        ("vals=[3,None,1]", "s = sorted(vals)\ns", "s = sorted([x for x in vals if x is not None])\ns"),
        (
            'people=[{"name":"z","age":30},{"name":"a","age":20}]',
            "m = max(people)\nm",
            "m = max(people, key=lambda x: x['age'])\nm",
        ),
        (
            "class Dog:\n    def __init__(self, age):\n        self.age = age\ndogs=[Dog(3),Dog(1)]",
            "s = sorted(dogs)\n[d.age for d in s]",
            "s = sorted(dogs, key=lambda x: x.age)\n[d.age for d in s]",
        ),
        (
            "",
            'from decimal import Decimal\nt = Decimal("1.10") * 1.5\nt',
            'from decimal import Decimal\nt = Decimal("1.10") * Decimal(str(1.5))\nt',
        ),
        ("a=1\nn=0", "r = a / n\nr", "r = a / n if n else 0\nr"),
        ("x=-4", "import math\nr = math.sqrt(x)\nr", "import math\nimport cmath\nr = cmath.sqrt(x)\nr"),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None


def test_two_texts_of_which_nothing_is_known_are_no_parts_of_a_path() -> None:
    found = sources("[box['a']][0] / [box['b']][0]", "box = {'a': '7.5', 'b': '2'}")
    assert found == ["float([box['a']][0]) / float([box['b']][0])"]
