"""Functions that take text, bytes for text, JSON."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("nums=[1,2]", 'print(", ".join(nums))', 'print(", ".join(map(str, nums)))'),
        ("nums=[1,2]", 'print(", ".join(n*2 for n in nums))', 'print(", ".join(str(n*2) for n in nums))'),
        ("", 's = "-".join(["a", 1, 2.5])\ns', 's = "-".join(map(str, ["a", 1, 2.5]))\ns'),
        ('s="abc"', 'print(s.startswith(["a","b"]))', 'print(s.startswith(tuple(["a","b"])))'),
        (
            'files=["a.csv","b.py"]',
            'r = [f for f in files if f.endswith([".csv",".txt"])]\nr',
            'r = [f for f in files if f.endswith(tuple([".csv",".txt"]))]\nr',
        ),
        ('s="1"', 'print(s.replace("1", 2))', 'print(s.replace("1", str(2)))'),
        ('s="102"', "r = s.split(0)\nr", "r = s.split(str(0))\nr"),
        ('s="a5"', "print(5 in s)", "print(str(5) in s)"),
        ("n=12", 'import re\nprint(re.sub(r"\\d","x",n))', 'import re\nprint(re.sub(r"\\d","x",str(n)))'),
        (
            "",
            'import hashlib\nh = hashlib.md5("a").hexdigest()\nh',
            'import hashlib\nh = hashlib.md5("a".encode()).hexdigest()\nh',
        ),
        (
            'data=b"a 12"',
            'import re\nm = re.findall(r"\\d+", data)\nm',
            'import re\nm = re.findall(r"\\d+", data.decode())\nm',
        ),
        ("", '"abc".encode().startswith("a")', '"abc".encode().decode().startswith("a")'),
        ('x=[b"a",b"b"]', 't = ", ".join(x)\nt', 't = ", ".join(value.decode() for value in x)\nt'),
        ("s=\"{'a': 1}\"", "import json\nd = json.loads(s)\nd", "import json\nimport ast\nd = ast.literal_eval(s)\nd"),
        (
            'import numpy as np\nd={"n":np.int64(1)}',
            "import json\ns = json.dumps(d)\ns",
            "import json\ns = json.dumps(d, default=int)\ns",
        ),
        (
            'import datetime\nd={"n":datetime.date(2024,1,2)}',
            "import json\ns = json.dumps(d)\ns",
            "import json\ns = json.dumps(d, default=str)\ns",
        ),
        ('d={"n":{1}}', "import json\ns = json.dumps(d)\ns", "import json\ns = json.dumps(d, default=list)\ns"),
        ('d={"n":1}', "import json\ns = json.loads(d)\ns", "import json\ns = d\ns"),
        ("t='{\"n\": 1}'", "import json\ns = json.load(t)\ns", "import json\ns = json.loads(t)\ns"),
        (
            't=\'{"n": 1}\\n{"n": 2}\'',
            "import json\ns = json.loads(t)\ns",
            "import json\ns = [json.loads(x) for x in t.splitlines() if x.strip()]\ns",
        ),
        (
            "",
            ("import json\nclass P:\n    def __init__(self):\n        self.n = 1\ns = json.dumps(P())\ns"),
            (
                "import json\n"
                "class P:\n"
                "    def __init__(self):\n"
                "        self.n = 1\n"
                "s = json.dumps(P(), default=vars)\n"
                "s"
            ),
        ),
        (
            "",
            "import json\ns = json.dumps({(1,2): 3})\ns",
            "import json\ns = json.dumps({str(key): value for key, value in {(1,2): 3}.items()})\ns",
        ),
        ("", 'import json\ns = json.dump({"a":1})\ns', 'import json\ns = json.dumps({"a":1})\ns'),
        (
            "lines=[\"{'a': 1}\"]",
            "import json\nrows = [json.loads(l) for l in lines]\nrows",
            "import json\nimport ast\nrows = [ast.literal_eval(l) for l in lines]\nrows",
        ),
        ('data="café".encode("latin-1")', "t = data.decode()\nt", 't = data.decode("cp1252")\nt'),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ('rows=[["a","b"],["c","d"]]', 's = ",".join(rows)\ns', 's = [",".join(x) for x in rows]\ns'),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None
