"""What a statement will do is seen before it runs: nothing, which objects it writes to, or that nobody knows."""

from __future__ import annotations

import ast
import contextlib
import inspect
from typing import Any

import pytest

from reflex_ipython.state.analysis import Foreseen, Functions, foresee
from reflex_ipython.state.analysis.library_calls import positions
from reflex_ipython.state.analysis.tables import NUMPY_POSITIONS

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")

_SETUP = """
import builtins, collections, functools, io, itertools, json, math, os, random, re, sys, time, weakref
import numpy as np, pandas as pd
i, x, text, numbers, pairs = 3, 2.5, "a b", [3, 1, 2], [(1, "a"), (2, "b")]
d, nested, seen, t = {"a": 1}, {"inner": [1]}, {1, 2}, (1, 2)
counts, queue = collections.Counter("abc"), collections.deque([1])
X, row, flags = np.zeros((20, 5)), np.arange(5.0), np.array([True, False] * 10)
df = pd.DataFrame({"k": [1, 2, 1], "v": [0.5, 1.5, 2.5], "s": ["x", "y", "x"]})
s = df.v.copy()
def double(n):
    return n * 2
def push(n, to):
    to.append(n)
    return to
def total(frame):
    result = {}
    for key, part in frame.groupby("k"):
        result[key] = part.v.sum()
    return result
class Plain:
    kind = "plain"
    def __init__(self, n=0):
        self.n = n
        self.items = []
    def grow(self):
        self.n += 1
        self.items.append(self.n)
    def size(self):
        return len(self.items)
    @property
    def twice(self):
        return self.n * 2
one = Plain()
"""


def seen(statement: str, setup: str = "") -> Foreseen | None:
    """What is foreseen of a statement after `_SETUP` and another set-up."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    functions = Functions()
    for number, source in enumerate((_SETUP, setup)):
        tree = ast.parse(source)
        exec(compile(tree, f"<cell {number}>", "exec"), namespace)
        functions.add(tree.body, f"<cell {number}>")
    (node,) = ast.parse(statement).body
    return foresee(node, namespace, functions)


def written(statement: str, setup: str = "") -> list[str]:
    found = seen(statement, setup)
    assert found is not None, statement
    return [
        snapshot[0].name
        for snapshot in found.entries
        if snapshot[0].name != "dict" or snapshot[1].keys() != {"version"}
    ]


FREE = """
pass
y = 1
y = i + 1
i += 1
text.upper().split()
f"{i:>5} {x:.2f} {text!r}"
print(i, text, numbers, d)
y = [n * 2 for n in numbers if n > 1]
y = {a: b for a, b in pairs}
y = sum(n ** 2 for n in numbers)
y = sorted(numbers, key=lambda n: -n)
y = max(numbers)
a, b = i, x
a, (b, c) = 1, (2, 3)
first, *rest = numbers
y = d["a"]
y = d.get("zzz", 0)
y = len(numbers) if numbers else 0
del x
import math
from math import sqrt, pi
import numpy as np
y = math.sqrt(2)
json.dumps(d)
re.findall(r"\\w", text)
X.shape
X.T
X + 1
X[0]
X.sum()
X.mean(axis=0)
np.dot(X, X.T)
np.arange(0, 10)
np.array([1, 2], float)
y = np.concatenate([X, X], 0)
y = np.where(X > 0, 1, 0)
y = X.reshape(-1)[:10]
df.head()
df.shape
df["v"]
df[df.v > 1]
df.v.mean()
df.describe()
df.groupby("k").v.mean()
y = df.assign(w=df.v * 2)
y = pd.concat([df, df])
y = df.s.str.upper()
df.apply(lambda r: r.v + 1, axis=1)
y = df.sort_values("v").reset_index(drop=True)
y = double(i)
y = total(df)
y = push(1, [])
y = Plain(3)
y = Plain(3).n
y = one.n
y = one.size()
y = one.twice
y = Plain.kind
def f(a, b=2): return a + b
class C: pass
for n in range(3): print(n)
for n, m in pairs: y = n
while i > 3: i -= 1
if i: y = 1
raise ValueError("no")
assert i == 3
y = lambda n: n + 1
(n := 3)
""".strip().splitlines()
FREE.append("try:\n  y = 1\nexcept ValueError as e:\n  print(e)")


@pytest.mark.parametrize("statement", FREE)
def test_what_writes_nothing_that_exists_is_free(statement: str) -> None:
    assert written(statement) == []


WRITES = {
    "numbers.append(5)": ["list that grows at its end"],
    "numbers += [5]": ["list that grows at its end"],
    "for n in range(9): numbers.append(n)": ["list that grows at its end"],
    "numbers[0] = 5": ["item of a list"],
    "numbers.sort()": ["list"],
    "numbers.pop()": ["list"],
    "del numbers[0]": ["list"],
    "d['b'] = 2": ["entry of a dict"],
    "d[text] = 2": ["entry of a dict"],
    "d['a'] += 2": ["entry of a dict"],
    "del d['a']": ["dict"],
    "d.pop('a')": ["dict"],
    "for n in numbers: d[n] = 1": ["dict"],
    "nested['inner'].append(2)": ["list that grows at its end"],
    "seen.add(5)": ["set"],
    "counts.update('abc')": ["dict"],
    "counts['a'] += 1": ["entry of a dict"],
    "queue.append(1)": ["deque"],
    "X[0] = 1": ["part of a numpy array"],
    "X[:, i] = 1": ["part of a numpy array"],
    "X[flags] = 1": ["part of a numpy array"],
    "X[X > 0] = 1": ["part of a numpy array"],
    "X += 1": ["part of a numpy array"],
    "X.fill(0)": ["part of a numpy array"],
    "X.T[0] = 1": ["part of a numpy array"],
    "row.sort()": ["part of a numpy array"],
    "df['w'] = df.v * 2": ["columns of a pandas.DataFrame"],
    "df.v = 1": ["columns of a pandas.DataFrame"],
    "df.loc[0, 'v'] = 3": ["cells of a pandas.DataFrame"],
    "df.drop(columns='v', inplace=True)": ["columns of a pandas.DataFrame"],
    "df.columns = list('abc')": ["columns of a pandas.DataFrame"],
    "push(1, numbers)": ["list that grows at its end"],
    "one.n = 5": ["entry of a dict"],
    "one.items.append(5)": ["list that grows at its end"],
    "one.grow()": ["entry of a dict", "list that grows at its end"],
    "Plain.kind = 'other'": ["attribute of a class"],
}


@pytest.mark.parametrize("statement", WRITES)
def test_what_is_written_to_is_noted_as_little_as_undoes_it(statement: str) -> None:
    assert written(statement) == WRITES[statement]


@pytest.mark.parametrize(
    "statement",
    [
        "np.random.rand(3)",
        "np.random.seed(0)",
        "y = random.random()",
        "random.shuffle(numbers)",
        "df.sample(2)",
        "y = [random.randint(0, 9) for n in numbers]",
    ],
)
def test_what_draws_from_the_shared_generators_is_said_to(statement: str) -> None:
    found = seen(statement)
    assert found is not None
    assert found.draws


BINDS = {
    "a = b = 1": {"a", "b"},
    "for n in range(3): y = n": {"n", "y"},
    "a, (b, *c) = 1, (2, 3)": {"a", "b", "c"},
    "del x": {"x"},
    "import os.path": {"os"},
    "import os.path as p, sys": {"p", "sys"},
    "from math import pi as p": {"p"},
    "def f(): pass": {"f"},
    "class C: pass": {"C"},
    "(n := 3)": {"n"},
    "y = [m := n for n in numbers]": {"y", "m"},
    "try: y = 1\nexcept ValueError as e: z = 1": {"y", "e", "z"},
    "if i: a = 1\nelse: b = 1": {"a", "b"},
    "i += 1": {"i"},
}


@pytest.mark.parametrize("statement", BINDS)
def test_the_names_that_a_statement_binds_are_known(statement: str) -> None:
    found = seen(statement)
    assert found is not None
    assert set(found.binds) - {"__warningregistry__"} == BINDS[statement]


def test_a_function_of_the_users_that_binds_a_global_name_is_seen_to() -> None:
    found = seen("bump()", "level = 1\ndef bump():\n    global level\n    level += 1")
    assert found is not None
    assert found.binds == ("level",)


def test_where_functions_of_c_are_given_what_they_write_to_is_what_numpy_says() -> None:
    for name, known in NUMPY_POSITIONS.items():
        function = getattr(np, name)
        with contextlib.suppress(ValueError, TypeError):  # numpy before 2.4 does not say
            inspect.signature(function)
            assert positions(function) == known, name


def test_what_a_function_of_c_is_given_to_write_to_is_unknown() -> None:
    for source in ("np.dot(X, X.T, np.zeros((20, 20)))", "np.concatenate([X, X], 0, X)"):
        assert seen(source) is None, source
