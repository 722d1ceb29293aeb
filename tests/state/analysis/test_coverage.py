"""More of what people write is foreseen: settings, `with`, counting dicts, functions in functions, `getattr`."""

from __future__ import annotations

import ast
import contextlib
from typing import Any

import pytest

from reflex_ipython.state.analysis import Functions, foresee
from reflex_ipython.state.journal import Journal
from tests.state.analysis.oracle import hold

pytest.importorskip("numpy")
pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore")
SETUP = """
import collections, contextlib, os, random, warnings
import numpy as np, pandas as pd
from collections import defaultdict, namedtuple
numbers, words, lst, d, text, i = [1, 2, 3], ["a", "b"], [1], {"a": 1}, "a b", 2
X, df = np.arange(6.0).reshape(3, 2), pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
dd, di, ds, dl = defaultdict(list, a=[1]), defaultdict(int), defaultdict(set), defaultdict(lambda: lst)
holding, kept = defaultdict(list, a=lst), []
Point = namedtuple("Point", "x y")
pt = Point(1, lst)
class Loud:
    def any(self, *args): kept.append(1); return self
    __eq__ = __getattr__ = __enter__ = __iter__ = __next__ = any
    def __hash__(self): kept.append(1); return hash("a")
    def __exit__(self, *args): kept.append(1)
class OwnPoint(Point):
    def __getattribute__(self, name): kept.append(1); return 1
class OwnDefault(defaultdict):
    def __missing__(self, key): kept.append(key); return 1
class Item:
    def __init__(self): self.n = 0
    @property
    def loud(self): kept.append(1); return 1
class OwnErrors(np.errstate):
    def __enter__(self): kept.append(1)
class OwnMeta(type):
    def __subclasscheck__(cls, other): kept.append(1); return True
class OwnError(Exception, metaclass=OwnMeta): pass
loud, own_point, own_default, item = Loud(), OwnPoint(1, 2), OwnDefault(int), Item()
running = iter(numbers)
def nested(xs):
    def inner(x, by=2):
        y = x * by
        return y
    return [inner(x) for x in xs]
def adder(n):
    def add(k):
        return k + n
    return add
def filler(to):
    def fill(k):
        to.append(k)
        return to
    fill(1)
    return fill(2)
def rebound():
    to = []
    def fill(k): to.append(k)
    fill(1)
    to = numbers
    fill(2)
def given(function):
    return function(3)
def through():
    def fill(k): numbers.append(k)
    return given(fill)
def keeping():
    def fill(k): item.f = k
    list(map(fill, [lst, numbers]))
    item.f.append(5)
def counting(xs):
    seen = defaultdict(int)
    for x in xs: seen[x] += 1
    return seen
def grouped(xs):
    seen = defaultdict(list)
    for n, x in enumerate(xs): seen[x].append(n)
    return seen
kept.clear()
"""
FORESEEN = """
dd["a"].append(1)
dd["new"].append(1)
y = dd["new"]
y = dd["a"]
di["a"] += 1
for w in words: di[w] += 1
for w in words: y = di[w]
ds["x"].add(3)
y = di[text]
y = pt.x
y = pt.x + i
pt.y.append(2)
y = nested(numbers)
y = adder(1)
y = adder(1)(2)
filler(numbers)
filler([])
rebound()
through()
y = counting(words)
y = grouped(words)
y = next(n for n in numbers if n > 1)
y = next(iter(numbers))
y = next(iter([lst])); y.append(1)
if i: y = next(iter([lst])); y.append(1)
y = getattr(item, "n")
y = getattr(item, "zzz", lst)
setattr(item, "n", 3)
setattr(item, "other", lst)
y = "%s and %d" % (text, i)
with np.errstate(all="ignore"): y = X / 0
with np.errstate(divide="ignore"), warnings.catch_warnings(): X[0] = 1
with warnings.catch_warnings(): warnings.simplefilter("ignore"); y = X.mean()
with contextlib.suppress(ValueError): lst.append(int(text)); lst.append(1)
with contextlib.suppress(KeyError, ValueError): lst.append(2); y = d["zzz"]; lst.append(1)
with contextlib.suppress(ValueError): y = lst; y = int(text); y = numbers
with pd.option_context("display.max_rows", 5): print(df)
np.set_printoptions(precision=3)
np.seterr(all="ignore")
pd.set_option("display.max_rows", 7)
pd.reset_option("display.max_rows")
warnings.filterwarnings("ignore")
warnings.filterwarnings("ignore", category=UserWarning)
warnings.simplefilter("error")
random.seed(0)
np.random.seed(1)
os.environ["OF_A_TEST"] = "1"
os.environ["HOME"] += "x"
y = os.environ["HOME"]
class Animal: kind: str = "x"; legs: int
""".strip().splitlines()
HOSTILE = """
dd["new"].append(lst); dd["new"][0].append(2)
if i: dd["new"].append(lst); dd["new"][0].append(2)
if i: y = getattr(pt, "y", 1); y.append(1)
if i: dd["a"].clear(); dd["a"].append(lst); dd["a"][0].append(2)
if i: dd.pop("a"); dd["a"].append(lst); dd["a"][0].append(2)
if i: y = defaultdict(list); y[1].append(lst); y[1][0].append(2)
if i: y = defaultdict(list); y[1] = lst; y[1].append(2)
dl["x"].append(1)
own_default["x"]
holding["a"].append(1)
for w in words: dd[w].append(1)
for w in ["a"]: holding[w].append(3)
dd[loud]
di[loud] += 1
own_point.x
y = own_point.y
keeping()
next(running)
y = next(running, 1)
y = next(loud)
y = iter(loud)
iter(lambda: kept.append(1), 1)
y = list(iter(running))
y = getattr(loud, "x")
y = getattr(item, "loud")
y = getattr(item, text)
setattr(loud, "__class__", Item)
setattr(np, "pi", 3)
setattr(item, "__dict__", {})
with loud: y = 1
with OwnErrors(): y = 1
with np.errstate(call=loud): y = 1
with contextlib.suppress(OwnError): y = 1 / 0
with contextlib.suppress(*[ValueError]): y = 1
with warnings.catch_warnings(record=True) as w: y = 1
with contextlib.ExitStack() as s: y = 1
with pd.option_context("plotting.backend", "matplotlib"): y = 1
pd.set_option("display.float_format", loud)
pd.set_option("plotting.backend", "matplotlib")
np.set_printoptions(formatter={"float": loud.any})
os.environ[loud] = "1"
os.environ["X"] = loud
os.environ.clear()
os.environ.update(A="1")
class Animal: kind: loud.x = 1
class Animal: kind: str = loud
"%s" % (loud,)
"%s %s" % (text, [loud])
""".strip().splitlines()


def _fresh() -> tuple[dict[str, Any], Functions]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    functions = Functions()
    tree = ast.parse(SETUP)
    exec(compile(tree, "<cell 0>", "exec"), namespace)
    functions.add(tree.body, "<cell 0>")
    return namespace, functions


@pytest.mark.parametrize("source", FORESEEN)
def test_it_is_foreseen_and_undone(source: str) -> None:
    namespace, functions = _fresh()
    for node in ast.parse(source).body:
        assert hold(node, namespace, functions) == [], source
    assert namespace["kept"] == []


@pytest.mark.parametrize("source", HOSTILE)
def test_what_may_run_code_of_the_users_or_write_elsewhere_is_unknown_or_undone(source: str) -> None:
    namespace, functions = _fresh()
    for node in ast.parse(source).body:
        assert not hold(node, namespace, functions)
    assert namespace["kept"] == []


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("np.set_printoptions(precision=3)", "np.get_printoptions()"),
        ("pd.set_option('display.max_rows', 7)", "pd.get_option('display.max_rows')"),
        ("warnings.simplefilter('error')", "list(warnings.filters)"),
        ("os.environ['OF_A_TEST'] = '1'", "dict(os.environ)"),
        ("di['a'] += 1", "dict(di)"),
    ],
)
def test_the_journal_puts_back_what_was_foreseen_of_it(source: str, what: str) -> None:
    namespace, functions = _fresh()
    (node,) = ast.parse(source).body
    code = compile(ast.Module([node], []), "<cell 1>", "exec")
    before = eval(what, namespace)
    assert foresee(node, namespace, functions) is not None
    journal = Journal(namespace, functions=functions)
    with contextlib.suppress(KeyError):
        journal.before(code, node)
        exec(code, namespace)
        raise KeyError
    assert eval(what, namespace) != before
    assert journal.rollback(0).exact
    assert eval(what, namespace) == before
