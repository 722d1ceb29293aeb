"""What is foreseen is held to a walk over everything: after what was foreseen is undone, nothing differs."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reflex_ipython.state.analysis import Functions, foresee
from tests.state.analysis.oracle import hold

pytest.importorskip("numpy")
pytest.importorskip("pandas")

SETUP = """
import collections, copy, functools, heapq, itertools, json, math, random, re, statistics
import numpy as np, pandas as pd
i, x, text, words = 3, 2.5, "some words here", ["b", "a", "c"]
numbers, pairs, rows = [3, 1, 2], [("a", 1), ("b", 2)], [[1, 2], [3, 4]]
d, nested, seen, t = {"a": 1, "b": 2}, {"a": [1], "b": {"c": [2]}}, {1, 2}, (1, [2])
counts, queue, heap = collections.Counter("abc"), collections.deque([1, 2]), [1, 3, 2]
A, b, mask = np.arange(12.0).reshape(3, 4), np.arange(4), np.array([True, False, True])
df = pd.DataFrame({"k": [1, 2, 1], "v": [0.5, 1.5, 2.5], "s": ["x", "y", "x"]})
s = pd.Series([1.0, 2.0, 3.0], name="s")
level = 0
def bump(n=1):
    global level
    level += n
    return level
def collect(n, into=[]):
    into.append(n)
    return into
def scale(a, by=2):
    a = a.copy()
    a *= by
    return a
def fill(a, n):
    a[:] = n
    return a
def alias():
    other = numbers
    other.append(len(other))
    other = []
    other.append(1)
    return other
def early(flag):
    kept = numbers
    for n in range(3):
        if flag:
            break
        kept = []
    kept.append(1)
def late(flag):
    target = []
    for n in range(3):
        target.append(n)
        target = numbers if flag else target
def caught():
    kept = numbers
    try:
        kept = []
        int("x")
        kept = numbers
    except ValueError:
        kept.append(2)
    finally:
        kept.append(3)
class Account:
    opened = 0
    def __init__(self, owner, amount=0):
        self.owner, self.amount, self.log = owner, amount, []
        Account.opened += 1
    def put(self, amount):
        self.amount += amount
        self.log.append(("put", amount))
        return self
    @property
    def rich(self):
        return self.amount > 100
    @staticmethod
    def fee(n):
        return n * 0.01
    @classmethod
    def count(cls):
        return cls.opened
account, other = Account("me", 5), Account("you")
"""

STATEMENTS = """
i = i + 1
i += 1
x, y = i, x
words.append(text)
words += [text]
words.extend(text.split())
words.insert(0, "z")
words[0] = "q"
words[i % 3] = "q"
words[-1] = "q"
words[0:2] = ["x", "y", "z"]
words.sort()
words.reverse()
words.pop()
words.remove("a")
words.clear()
words *= 2
del words[0]
del words
words = [w.upper() for w in words if w > "a"]
numbers[0], numbers[1] = numbers[1], numbers[0]
for n in numbers: d[n] = n * 2
for n in range(5): numbers.append(n * i)
for k, v in d.items(): nested[k] = v
for row in rows: row.append(0)
for row in rows: row[0] += 1
for w in words: counts[w] += 1
for n in list(numbers): numbers.remove(n)
while len(numbers) < 6: numbers.append(0)
while i < 9: i += 1
rows[0].append(5)
rows[0][0] = 5
rows[i % 2].append(5)
rows[1] += [1]
t[1].append(3)
d["c"] = 3
d["a"] += 1
d[text] = text
d[i] = [i]
d.update(z=1)
d.update({"a": 5, "q": 6})
d.setdefault("new", 4)
d.setdefault("a", 4)
d.pop("a")
d.pop("nothing", None)
d.popitem()
d.clear()
d |= {"m": 1}
del d["a"]
d = {k: v for k, v in d.items() if v > 1}
nested["a"].append(2)
nested["b"]["c"].append(3)
nested["b"]["c"] = 4
nested.get("a").append(1)
seen.add(7)
seen.discard(1)
seen |= {9}
seen.update(numbers)
counts.update("abz")
counts["a"] += 1
counts.subtract("a")
del counts["a"]
queue.append(3)
queue.appendleft(0)
queue.popleft()
queue.rotate(1)
heapq.heappush(heap, 0)
heapq.heappop(heap)
heapq.heapify(numbers)
A[0] = 1
A[0, 1] = x
A[:, 1] = i
A[mask] = 0
A[A > 3] = 0
A[[0, 2], 1] = 9
A[...] = 2
A[i - 3] += 1
A += 1
A *= A
A = A + 1
A.T[0] = 4
A.sort(axis=1)
A.fill(3)
row = A[0]; row[:] = 7
b[1:3] = b[0:2]
b = np.append(b, 5)
b %= 3
np.random.shuffle(b)
np.dot(A, b)
total = A.sum() + b.mean()
y = np.where(A > 2, A, 0)
y = A.reshape(-1)
y = np.vstack([A, A])
fill(A, 5)
fill(A.copy(), 5)
y = scale(A)
y = [scale(b, n) for n in range(2)]
df["w"] = df.v * 2
df["k"] = 0
df.v = df.v + 1
df.loc[df.k == 1, "v"] = 9
df.iloc[0, 1] = 5
df.at[1, "v"] = 3
df.drop(columns="s", inplace=True)
df.columns = ["a", "b", "c"]
df.index = list("abc")
df.rename(columns={"k": "key"}, inplace=True)
df.sort_values("v", inplace=True)
df.insert(0, "first", 1)
df.pop("s")
del df["s"]
df = df.dropna().reset_index(drop=True)
df = df[df.v > 1]
s[0] = 5
s += 1
s.name = "other"
s.fillna(0, inplace=True)
y = df.groupby("k").v.agg(["mean", "sum"])
y = df.merge(df, on="k")
y = df.apply(lambda r: r.v * 2, axis=1)
y = df.s.map({"x": 1})
y = df.pivot_table(index="k", values="v")
y = pd.concat([df, df]).describe()
y = df.to_dict()
for k, part in df.groupby("k"): d[k] = part.v.sum()
for c in df.columns: numbers.append(c)
for n, r in df.iterrows(): rows.append([n, r.v])
bump()
y = bump(2) + bump()
collect(1)
y = collect(1, [])
collect(5, numbers)
alias()
early(True)
early(False)
late(True)
caught()
account.put(5)
account.put(5).put(6)
account.amount = 7
account.note = "new"
account.log.append(1)
account.log = []
y = account.rich
y = Account.fee(3)
y = Account.count()
y = Account("new", 3)
y = Account("new").put(5).amount
Account.opened = 9
Account.limit = 3
other = account
y = [a.amount for a in (account, other)]
y = random.random()
y = [random.randint(0, 9) for n in range(3)]
random.shuffle(numbers)
np.random.seed(1)
y = np.random.rand(3)
y = df.sample(2)
y = sorted(words, key=len)
y = sorted(pairs, key=lambda p: -p[1])
y = dict(zip(words, numbers))
y = json.loads(json.dumps(d))
y = copy.deepcopy(nested)
y = functools.reduce(lambda p, q: p + q, numbers)
y = statistics.mean(numbers)
y = re.sub(r"\\w", "-", text)
y = f"{i:03d} {x!r} {text:>20}"
y = max(numbers, default=0)
y = [n for row in rows for n in row]
y = any(n > 2 for n in numbers)
y = (n := len(numbers)) + n
y = [m := n for n in numbers]
y = lambda n: n + i
y = list(map(str, numbers))
y = {n: [] for n in numbers}
y = [[] for n in range(3)]; y[0].append(numbers); y[0][0].append(1)
first, *rest = numbers
(a, b), c = (1, 2), 3
print(i, text, numbers, d, df, A)
y: int = 5
def f(n, to=numbers): to.append(n)
class Point: dimensions = 2
import math
from math import pi, sqrt as root
try: i = int(text)
except ValueError as e: numbers.append(str(e))
if i > 2: numbers.append(1)
else: words.append("no")
assert numbers, "nothing"
raise ValueError("on purpose")
""".strip()


def _sources() -> list[str]:
    found: list[str] = []
    for line in STATEMENTS.splitlines():
        if line.startswith(("except", "else")):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


SOURCES = _sources()


def _fresh() -> tuple[dict[str, Any], Functions]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    functions = Functions()
    tree = ast.parse(SETUP)
    exec(compile(tree, "<cell 0>", "exec"), namespace)
    functions.add(tree.body, "<cell 0>")
    return namespace, functions


def _run(source: str, namespace: dict[str, Any], functions: Functions, name: str) -> int:
    """Hold each statement to the walk, then let it happen; how many were foreseen."""
    tree = ast.parse(source)
    functions.add(tree.body, name)
    known = 0
    for node in tree.body:
        different = hold(node, namespace, functions)
        assert not different, (ast.unparse(node), different)
        known += different is not None
        try:
            exec(compile(ast.Module([node], []), name, "exec"), namespace)
        except Exception:  # noqa: BLE001 - the cell ends here, as it would
            break
    return known


@pytest.mark.parametrize("source", SOURCES)
def test_what_was_foreseen_undoes_all_that_a_statement_did(source: str) -> None:
    namespace, functions = _fresh()
    _run(source, namespace, functions, "<cell 1>")


def test_most_of_what_people_write_is_foreseen() -> None:
    namespace, functions = _fresh()
    known = 0
    for source in SOURCES:
        (node, *_) = ast.parse(source).body
        known += foresee(node, namespace, functions) is not None
    assert known >= 0.9 * len(SOURCES)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(SOURCES), min_size=2, max_size=8), st.data())
def test_it_does_so_in_whatever_state_earlier_statements_left(chosen: list[str], data: st.DataObject) -> None:
    namespace, functions = _fresh()
    for number, source in enumerate(chosen):
        _run(_wrapped(source, data.draw(st.sampled_from(_FORMS))), namespace, functions, f"<cell {number + 1}>")


_FORMS = ("{}", "if i:\n{}\nelse:\n  words.append('else')", "for z in range(2):\n{}", "try:\n{}\nfinally:\n  i = 0")
_FUNCTION = "def inside():\n  global i, x, y, d, words, A, b, df, s, other, first, rest, a, c, total, row\n{}\ninside()"
_FORMS = (*_FORMS, _FUNCTION)


def _wrapped(source: str, form: str) -> str:
    if form == "{}" or (form == _FUNCTION and ("import" in source or ":=" in source or "y:" in source)):
        return source
    return form.format("\n".join("  " + line for line in source.splitlines()))
