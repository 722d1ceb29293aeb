"""The commonest statements are seen through at once, and no otherwise than by the whole analysis."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from reflex_ipython.state.analysis import Functions, foresee
from reflex_ipython.state.analysis import foreseen as whole
from reflex_ipython.state.analysis.quick import quick
from tests.state.analysis.oracle import hold

SETUP = """
import math, time
import numpy as np
X = np.ones((3, 2))
class OwnArray(np.ndarray): shape = property(lambda self: kept.append(1))
own_array = X.view(OwnArray)
i, x, text, words = 3, 2.5, "some words", ["b", "a", "c"]
d, t, nested, kept = {"a": 1, "b": 2}, (1, [2]), {"a": [1], "b": None}, []
class Loud:
    def any(self, *args): kept.append(1); return self
    __add__ = __radd__ = __lt__ = __eq__ = __getitem__ = __getattr__ = __iadd__ = any
    def __hash__(self): kept.append(1); return hash("a")
    def __bool__(self): kept.append(1); return True
    def __len__(self): kept.append(1); return 1
    def __repr__(self): kept.append(1); return ""
    def __format__(self, spec): kept.append(1); return ""
    def __index__(self): kept.append(1); return 0
    __str__ = __repr__
    def __del__(self): kept.append(1)
class Meta(type):
    def __hash__(cls): kept.append(1); return 0
    def __eq__(cls, other): kept.append(1); return True
class OfMeta(metaclass=Meta): pass
class OwnInt(int):
    def __add__(self, other): kept.append(1); return 1
class OwnList(list):
    def append(self, o): kept.append(1)
class OwnDict(dict):
    def __setitem__(self, key, o): kept.append(1)
loud, of_meta, own, own_list, own_dict = Loud(), OfMeta(), OwnInt(2), OwnList([1, 2]), OwnDict(a=1)
by_loud, holds = {loud: 1}, [Loud(), 1]
kept.clear()
"""
QUICK = """
X.shape
t
X.ndim
t[0]
y = X.shape[0] * 2
y = len(X)
y = 1
y = x
y = loud
y = OfMeta
y = (i, loud, [1, loud])
i, x = x, i
i, y = words, loud
y = {"a": loud, i: 2}
y = i + 1
y = -i * 2 - x
y = i > 2 and not x
y = f"{i:>{i}} {text!r}"
y = words[i - 1]
y = words[-1]
y = t[1]
y = d["a"]
y = nested["a"]
y = math.pi
y = math.sqrt(x)
y = len(words) + len(text)
y = str(i)
y = text.upper()
i += 1
x *= i
text += "!"
words[0] = "q"
words[i % 3] = loud
words[0] += "q"
d["new"] = loud
d["a"] = [1]
d["a"] += 1
d[i % 2] = 0
words.append("d")
words.append((i, loud))
print(i, text)
print(i, sep=text)
x > 1
i
math.floor(x)
time.perf_counter()
""".strip().splitlines()
NOT_QUICK = """
own_array.shape
X.dtype
y = i + loud
y = loud + i
y = own + 1
y = -own
y = loud < i
y = not loud
y = loud and i
y = f"{loud}"
y = f"{i:{loud}}"
y = [*loud]
y = {loud: 1}
y = {**loud}
y = loud[0]
y = words[loud]
y = own_list[0]
y = own_dict["a"]
y = by_loud["a"]
y = loud.x
y = len(loud)
y = len(own_list)
y = str(loud)
y = max(words, key=len)
y = max(loud, 1)
y = range(loud)
y = math.sqrt(loud)
y = time.sleep(0)
y = text.upper(loud)
y = text.split()
y = [n for n in words]
y = lambda: 1
y = (z := 1)
y = nothing
loud += 1
i += loud
own += 1
loud = 1
holds[0] = 1
own_list[0] = 1
own_list.append(1)
own_dict["a"] = 1
by_loud["a"] = 1
d[loud] = 1
words[0:1] = "x"
words[9] = 1
words.append(i, i)
words.append(*d)
print(loud)
print(i, file=loud)
print(*words)
loud
(i, x)
of_meta
x.y = 1
i, words = 1, 2
y = z = 1
""".strip().splitlines()


def _fresh() -> tuple[dict[str, Any], Functions]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    functions = Functions()
    tree = ast.parse(SETUP)
    exec(compile(tree, "<cell 0>", "exec"), namespace)
    functions.add(tree.body, "<cell 0>")
    return namespace, functions


@pytest.mark.parametrize("source", QUICK)
def test_a_common_statement_is_seen_through_at_once_and_undone(source: str) -> None:
    namespace, functions = _fresh()
    (node,) = ast.parse(source).body
    assert quick(node, namespace) is not None
    assert hold(node, namespace, functions) == []
    assert namespace["kept"] == []


@pytest.mark.parametrize("source", QUICK)
def test_what_is_seen_at_once_is_what_the_whole_analysis_says(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    namespace, functions = _fresh()
    (node,) = ast.parse(source).body
    found = quick(node, namespace)
    assert found is not None
    monkeypatch.setattr(whole, "quick", lambda node, namespace: None)
    foreseen = foresee(node, namespace, functions)
    assert foreseen is not None
    assert set(found[1]) == set(foreseen.binds) - {"__warningregistry__"}
    assert [snapshot[1] for snapshot in found[0]] == [snapshot[1] for snapshot in foreseen.entries]


@pytest.mark.parametrize("source", NOT_QUICK)
def test_what_may_run_code_of_the_users_is_left_to_the_whole_analysis(source: str) -> None:
    namespace, functions = _fresh()
    (node,) = ast.parse(source).body
    assert quick(node, namespace) is None
    assert namespace["kept"] == []
    different = hold(node, namespace, functions)
    assert different is None or (different == [] and namespace["kept"] == [])


@pytest.mark.parametrize("source", ["y = len(words)", "y = math.sqrt(x)", "print(i)", "y = str(i)"])
def test_a_function_that_somebody_put_in_the_place_of_another_is_not_taken_for_it(source: str) -> None:
    namespace, _ = _fresh()
    (node,) = ast.parse(source).body
    for hidden in ("len", "print", "str"):
        namespace[hidden] = namespace["loud"]
    namespace["math"] = namespace["loud"]
    assert quick(node, namespace) is None


@pytest.mark.parametrize("source", ["y = len(words)", "print(i)", "y = str(i)"])
def test_builtins_of_the_namespaces_own_are_not_taken_for_pythons(source: str) -> None:
    namespace, _ = _fresh()
    namespace["__builtins__"] = {"len": namespace["loud"], "print": namespace["loud"], "str": namespace["loud"]}
    assert quick(ast.parse(source).body[0], namespace) is None


def test_flags_are_seen_through_where_they_are_only_looked_at() -> None:
    namespace, _ = _fresh()
    assert quick(ast.parse("X.flags").body[0], namespace) == ([], ())
    assert quick(ast.parse("X.flags.writeable = False").body[0], namespace) is None
    assert quick(ast.parse("own_array.flags").body[0], namespace) is None
