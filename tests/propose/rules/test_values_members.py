"""Methods and attributes that plain values have not."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import fixed
from tests.propose.rules.running import answer, failed, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ('names=["A","B"]', "low = names.lower()\nlow", "low = [x.lower() for x in names]\nlow"),
        ("", 'p = "a, b".split(",").strip()\np', 'p = [x.strip() for x in "a, b".split(",")]\np'),
        ("import numpy as np\nm=[[1,2],[3,4]]", "s = m.shape\ns", "s = np.array(m).shape\ns"),
        ("", "s = [1]\ns.add(2)\ns", "s = [1]\ns.append(2)\ns"),
        ("", 's = ["a","b"].join(", ")\ns', 's = ", ".join(["a","b"])\ns'),
        ('p={"name":"a"}', "n = p.name\nn", 'n = p["name"]\nn'),
        ('cfg={"model":{"name":"m"}}', "print(cfg.model.name)", 'print(cfg["model"]["name"])'),
        ('p={"a":1}', 'p.append({"b":2})\np', 'p.update({"b":2})\np'),
        ("s={1}", "s.append(3)\ns", "s.add(3)\ns"),
        ('s="ab"', 's.append("c")\ns', 's = s + "c"\ns'),
        ("t=(1,2)", "t.append(3)\nt", "t = t + (3,)\nt"),
        ("n=42", "z = n.zfill(5)\nz", "z = str(n).zfill(5)\nz"),
        ('s="abc"', "r = s.reverse()\nr", "r = s[::-1]\nr"),
        ('s="abc"', 'r = s.decode("utf-8")\nr', "r = s\nr"),
        ('s=b"a,b"', 'r = s.split(",")\nr', 'r = s.decode().split(",")\nr'),
        ("import datetime\nd=datetime.timedelta(hours=2)", "h = d.hours\nh", "h = d.total_seconds() / 3600\nh"),
        ('d={"b":1,"a":2}', "k = d.keys()\nk.sort()\nk", "k = list(d.keys())\nk.sort()\nk"),
        ("", "r = range(3)\nr.append(3)\nlist(r)", "r = list(range(3))\nr.append(3)\nlist(r)"),
        (
            'data={"x":{"name":"a"}}',
            'for p in data:\n    print(p.get("name"))',
            'for p in data.values():\n    print(p.get("name"))',
        ),
        (
            'words=["a","c"]',
            'clean = words.replace("a", "b")\nclean',
            'clean = [x.replace("a", "b") for x in words]\nclean',
        ),
        ('lines=["a,b","c,d"]', 'parts = lines.split(",")\nparts', 'parts = [x.split(",") for x in lines]\nparts'),
        ("num=3.14", 'first, second = num.split(".")\nfirst', 'first, second = str(num).split(".")\nfirst'),
        ("x=[1,2,3]", "t = x.sum()\nt", "t = sum(x)\nt"),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("m=[1,2,3]", "s = m.mean()\ns", "import numpy as np\ns = np.array(m).mean()\ns"),
        (
            'names=["A",float("nan"),"B"]',
            "low = [n.lower() for n in names]\nlow",
            "low = [n.lower() for n in names if isinstance(n, str)]\nlow",
        ),
        (
            ('class Dog:\n    def __init__(self, n):\n        self.name = n\ndogs=[Dog("a"),Dog("b")]'),
            "names = dogs.name\nnames",
            "names = [x.name for x in dogs]\nnames",
        ),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None


FILE = "import io\nf = io.StringIO('a\\nb\\n')"


@pytest.mark.parametrize("method", ["split('\\n')", "splitlines()"])
def test_what_is_split_at_line_ends_is_read_as_one_text(method: str) -> None:
    assert fixed(failed(f"rows = f.readlines().{method}\nrows", FILE)) == f"rows = f.read().{method}\nrows"


def test_what_may_be_meant_of_each_line_is_a_choice() -> None:
    cell = "rows = f.readlines().strip()\nrows"
    assert answer(cell, FILE) is None
    assert cell.replace("readlines", "read") in sources(cell, FILE)


def test_lines_with_a_name_are_read_as_one_text_where_they_got_it() -> None:
    cell = "lines = f.readlines()\nrows = lines.split('\\n')\nrows"
    assert sources(cell, FILE)[0] == cell.replace("readlines", "read")
