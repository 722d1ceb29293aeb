"""Square brackets: wrong kinds of index, indices beyond the end, values without places."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ('people=[{"name":"a"}]', 'n = people["name"]\nn', 'n = people[0]["name"]\nn'),
        ('names=["a","b"]', "for n in names:\n    print(names[n])", "for n in names:\n    print(n)"),
        ("grid=[[1,2],[3,4]]", "v = grid[1, 0]\nv", "v = grid[1][0]\nv"),
        ("nums=[1,2,3]\nk=1.0", "m = nums[k]\nm", "m = nums[int(k)]\nm"),
        ('nums=[1,2,3]\nk="1"', "m = nums[k]\nm", "m = nums[int(k)]\nm"),
        ("nums=[1,2,3]", "m = nums[[0,2]]\nm", "m = [nums[x] for x in [0,2]]\nm"),
        (
            'data={"x":{"name":"a"},"y":{"name":"b"}}',
            'for p in data:\n    print(p["name"])',
            'for p in data.values():\n    print(p["name"])',
        ),
        (
            'data={"people":[{"name":"a"},{"name":"b"}]}',
            'for p in data:\n    print(p["name"])',
            "for p in data['people']:\n    print(p[\"name\"])",
        ),
        ('data=\'{"name": "a"}\'', 'n = data["name"]\nn', 'import json\nn = json.loads(data)["name"]\nn'),
        ('d={"a":1}', "k = d.keys()[0]\nk", "k = list(d.keys())[0]\nk"),
        (
            "",
            'm = map(int, ["1","2"])\nprint(m[0])\nprint(list(m))',
            'm = list(map(int, ["1","2"]))\nprint(m[0])\nprint(list(m))',
        ),
        ("", "sq = (x**2 for x in range(3))\nsq[1]", "sq = [x**2 for x in range(3)]\nsq[1]"),
        (
            'd={"a":1}',
            "import random\nk = random.choice(d.keys())\nk",
            "import random\nk = random.choice(list(d.keys()))\nk",
        ),
        ('s={"a"}', "import random\nk = random.choice(s)\nk", "import random\nk = random.choice(list(s))\nk"),
        ("n=3.0", "for i in range(n):\n    print(i)", "for i in range(int(n)):\n    print(i)"),
        ('n="3"', "for i in range(n):\n    print(i)", "for i in range(int(n)):\n    print(i)"),
        ("x=[5,6]", "for i in range(x):\n    print(x[i])", "for i in range(len(x)):\n    print(x[i])"),
        (
            "",
            "for v in range(0, 1, 0.25):\n    print(float(v))",
            "import numpy as np\nfor v in np.arange(0, 1, 0.25):\n    print(float(v))",
        ),
        ("nums=[1,2,3]\nk=1.5", "h = nums[:k]\nh", "h = nums[:int(k)]\nh"),
        ("nums=[1,2,3]", "last = nums[len(nums)]\nlast", "last = nums[len(nums) - 1]\nlast"),
        ('words="a b".split()', "n = len(words)\nprint(words[n])", "n = len(words)\nprint(words[n - 1])"),
        ("", "r = list(range(3)) + range(2)\nr", "r = list(range(3)) + list(range(2))\nr"),
        (
            "nums=[1,2,4]",
            "for i in range(len(nums)):\n    print(nums[i+1]-nums[i])",
            "for i in range(len(nums) - 1):\n    print(nums[i+1]-nums[i])",
        ),
        (
            "nums=[1,2,4]",
            "d = [nums[i+1]-nums[i] for i in range(len(nums))]\nd",
            "d = [nums[i+1]-nums[i] for i in range(len(nums) - 1)]\nd",
        ),
        (
            "",
            (
                "def bubble(a):\n"
                "    for i in range(len(a)):\n"
                "        for j in range(len(a)):\n"
                "            if a[j] > a[j+1]:\n"
                "                a[j], a[j+1] = a[j+1], a[j]\n"
                "    return a\n"
                "bubble([3,1,2])"
            ),
            (
                "def bubble(a):\n"
                "    for i in range(len(a)):\n"
                "        for j in range(len(a) - 1):\n"
                "            if a[j] > a[j+1]:\n"
                "                a[j], a[j+1] = a[j+1], a[j]\n"
                "    return a\n"
                "bubble([3,1,2])"
            ),
        ),
        (
            "a=[1,2]\nb=[3]",
            "for i in range(len(a)):\n    print(a[i], b[i])",
            "for i in range(min(len(a), len(b))):\n    print(a[i], b[i])",
        ),
        (
            "nums=[1,2]",
            "i = 0\nwhile i <= len(nums):\n    print(nums[i])\n    i += 1",
            "i = 0\nwhile i < len(nums):\n    print(nums[i])\n    i += 1",
        ),
        (
            "nums=[1,2,2,3]",
            "for i in range(len(nums)):\n    if nums[i] % 2 == 0:\n        nums.pop(i)\nnums",
            ("for i in reversed(range(len(nums))):\n    if nums[i] % 2 == 0:\n        nums.pop(i)\nnums"),
        ),
        (
            "",
            "out = []\nfor i in range(3):\n    out[i] = i*i\nout",
            "out = []\nfor i in range(3):\n    out.append(i*i)\nout",
        ),
        (
            "",
            "f = [0, 1]\nfor i in range(2, 5):\n    f[i] = f[i-1] + f[i-2]\nf",
            "f = [0, 1]\nfor i in range(2, 5):\n    f.append(f[i-1] + f[i-2])\nf",
        ),
        (
            's="ab"',
            "for i in range(len(s), -1, -1):\n    print(s[i])",
            "for i in range(len(s) - 1, -1, -1):\n    print(s[i])",
        ),
        ("import numpy as np\nn=4", "z = np.zeros(n/2)\nz", "z = np.zeros(int(n/2))\nz"),
        ("", "m = [[1,2],[3,4]]\nm[0,1] = 9\nm", "m = [[1,2],[3,4]]\nm[0][1] = 9\nm"),
        (
            'people=[{"name":"a"}]',
            'for p in enumerate(people):\n    print(p["name"])',
            'for i, p in enumerate(people):\n    print(p["name"])',
        ),
        ("", "xs=[1,2,3]\nfor i in xs:\n    print(xs[i])", "xs=[1,2,3]\nfor i in xs:\n    print(i)"),
        ("xs=[5,6]", "for i in enumerate(xs):\n    print(xs[i])", "for i, _ in enumerate(xs):\n    print(xs[i])"),
        ("", "xs=[]\nxs[0] = 5\nxs", "xs=[]\nxs.append(5)\nxs"),
        ("xs=[5,6]", "for i in len(xs):\n    print(xs[i])", "for i in range(len(xs)):\n    print(xs[i])"),
        (
            "",
            'text = "a b a"\ncounts = {}\nfor w in text.split():\n    counts[w] += 1\ncounts',
            ('text = "a b a"\ncounts = {}\nfor w in text.split():\n    counts[w] = counts.get(w, 0) + 1\ncounts'),
        ),
        (
            'data={"items":{"a":{"id":1},"b":{"id":2}}}',
            'for item in data["items"]:\n    print(item["id"])',
            'for item in data["items"].values():\n    print(item["id"])',
        ),
        ("", "z = zip([1,2],[3,4])\nprint(z[0])", "z = list(zip([1,2],[3,4]))\nprint(z[0])"),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        (
            'people=[{"name":"a"},{"name":"b"}]',
            'names = people["name"]\nnames',
            'names = [x["name"] for x in people]\nnames',
        ),
        ("grid=[[1,2],[3,4]]", "v = grid[:, 0]\nv", "v = [x[0] for x in grid]\nv"),
        (
            "nums=[1,2]",
            "for i in range(1, len(nums)+1):\n    print(nums[i])",
            "for i in range(1, len(nums)+1):\n    print(nums[i - 1])",
        ),
        ("nums=[1,2,3]", "x = nums[3]\nx", "x = nums[-1]\nx"),
        ('line="a; b"', 'v = line.split(",")[1]\nv', 'v = line.split(";")[1]\nv'),
        ('s={"a"}', "f = s[0]\nf", "f = list(s)[0]\nf"),
        (
            "",
            "def first(x):\n    return x[0]\nprint(first([]))",
            "def first(x):\n    return x[0] if x else None\nprint(first([]))",
        ),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None
