"""What may run code of the user's, in whatever disguise, is unknown; nothing of it runs while one looks."""

from __future__ import annotations

import ast
import gc
import weakref
from typing import Any

import pytest

from reflex_ipython.state.analysis import Functions, foresee
from tests.state.analysis.oracle import hold

pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
_SETUP = """
import builtins, collections, contextlib, functools, io, itertools, math, operator, random, sys, types, weakref
import numpy as np, pandas as pd
log = []
def tell(*args, **options):
    import builtins as b
    b.log.append(1)
    return 1
builtins.log = log
tell.__globals__  # its body is a function without source here
class Loud:
    def any(self, *args): log.append(1); return self
    __add__ = __radd__ = __iadd__ = __mul__ = __neg__ = __lt__ = __gt__ = __getitem__ = __call__ = __enter__ = any
    def __len__(self): log.append(1); return 1
    def __bool__(self): log.append(1); return True
    def __iter__(self): log.append(1); return iter([1, 2])
    def __repr__(self): log.append(1); return "loud"
    def __format__(self, spec): log.append(1); return "loud"
    def __hash__(self): log.append(1); return hash("a")
    def __eq__(self, other): log.append(1); return True
    def __contains__(self, item): log.append(1); return True
    def __setitem__(self, key, value): log.append(1)
    def __delitem__(self, key): log.append(1)
    def __array__(self, *args, **options): log.append(1); return np.zeros(2)
    def __index__(self): log.append(1); return 0
    def __float__(self): log.append(1); return 0.0
    def __fspath__(self): log.append(1); return "x"
    def __exit__(self, *args): log.append(1)
class Dying:
    def __del__(self): log.append(1)
class Lazy:
    def __getattr__(self, name): log.append(1); return 1
class Open:
    def __getattribute__(self, name): log.append(1); return 1
class Setting:
    def __setattr__(self, name, value): log.append(1)
class Described:
    class Field:
        def __get__(self, o, cls): log.append(1); return 1
        def __set__(self, o, value): log.append(1)
    field = Field()
    @property
    def size(self): log.append(1); return 1
    @functools.cached_property
    def cached(self): log.append(1); return 1
class Meta(type):
    def __call__(cls, *args): log.append(1); return type.__call__(cls)
    def __getattr__(cls, name): log.append(1); return 1
    def __instancecheck__(cls, o): log.append(1); return True
    def __iter__(cls): log.append(1); return iter(())
    def __repr__(cls): log.append(1); return "meta"
    def __hash__(cls): log.append(1); return 1
    def __eq__(cls, other): log.append(1); return False
class OfMeta(metaclass=Meta): pass
class Base:
    def __init_subclass__(cls): log.append(1)
class Named:
    def __set_name__(self, owner, name): log.append(1)
class Forged(list):
    __module__ = "numpy"
    def append(self, item): log.append(1)
    def __len__(self): log.append(1); return 0
    def __add__(self, other): log.append(1); return self
    def __iter__(self): log.append(1); return iter([1])
Forged.__qualname__ = "ndarray"
class OwnArray(np.ndarray):
    def __array_finalize__(self, o): log.append(1)
class OwnFrame(pd.DataFrame):
    def head(self, n=5): log.append(1); return 1
class OwnDict(dict):
    def __missing__(self, key): log.append(1); return 1
class OwnInt(int):
    def __add__(self, other): log.append(1); return 1
def forged(x): log.append(1); return 1
forged.__module__ = "numpy"; forged.__name__ = "sum"
loud, lazy, opened, setting, described, of_meta = Loud(), Lazy(), Open(), Setting(), Described(), OfMeta()
fake, own_frame, own_dict, own_int = Forged([1]), OwnFrame({"a": [1]}), OwnDict(), OwnInt(3)
own_array = np.zeros(2).view(OwnArray)
dying, held_dying, in_dict, in_tuple = Dying(), [Dying()], {"a": Dying()}, (1, Dying())
box, table, pair = [loud, 1], {"a": loud}, (loud, 2)
nested = [[loud]]
objects = np.array([loud, 1], dtype=object)
frame = pd.DataFrame({"a": [1, 2]})
frame_of_objects = pd.DataFrame({"a": [1, 2], "b": pd.Series([loud, loud], dtype=object)})
series_of_objects = pd.Series([loud, 2], dtype=object)
numbers = [3, 1, 2]
array = np.arange(6.0)
def count():
    for n in range(5):
        log.append(n)
        yield n
running = count(); next(running)
lines, zipped, mapped, numbered = iter([1, 2, 3]), zip([1, 2]), map(tell, [1, 2]), enumerate([1])
values, filtered = {"a": 1}.values(), filter(None, [1, 2])
vectorized, made_ufunc, partial = np.vectorize(forged), np.frompyfunc(forged, 1, 1), functools.partial(forged, 1)
watched = types.SimpleNamespace()
class Weak: pass
weak = Weak()
reference = weakref.ref(weak, lambda r: log.append(1))
watched_array = np.zeros(3)
array_reference = weakref.ref(watched_array, lambda r: log.append(1))
tracked = weakref.WeakSet([Weak()])
default = collections.defaultdict(lambda: log.append(1))
stream = io.StringIO("a b c")
view = memoryview(bytearray(3))
def closing():
    n = []
    def inner(): n.append(1); log.append(1); return 1
    return inner
closed = closing()
@functools.lru_cache
def cached(n): log.append(n); return 1
def with_default(x, kept=log): kept.append(x)
generator = np.random.default_rng(0)
state = np.random.RandomState(0)
rng = random.Random(0)
class Counter:
    total = 0
    def __init__(self): Counter.total += 1
    def __enter__(self): Counter.total += 1
    def __exit__(self, *args): Counter.total += 1
"""

STATEMENTS = """
loud + 1
1 + loud
x = loud * 2
loud[0]
loud()
loud < 1
not loud
if loud: pass
while loud: break
x = 1 if loud else 2
loud or 1
1 in loud
loud in [1]
for n in loud: pass
x, y = loud
x = [*loud]
[n for n in loud]
len(loud)
print(loud)
loud
str(loud)
f"{loud}"
f"{loud!r:>5}"
f"{1:{loud}}"
"%s" % loud
"{}".format(loud)
"a".join(loud)
", ".join(map(str, box))
{loud: 1}
{loud}
d = {}; d[loud] = 1
table[loud]
loud[0] = 1
del loud[0]
loud += 1
sum(box)
sorted(box)
max(box)
min(loud, 1)
print(box)
print(nested)
box
pair
table
box == [1]
loud in box
box.index(1)
box.count(1)
box.remove(1)
box.sort()
sorted(numbers, key=forged)
numbers.sort(key=forged)
set(box)
dict(a=loud) == table
tuple(box) + (1,)
box + [1] == box
any(box)
all([loud])
bool(loud)
float(loud)
int(loud)
hash(loud)
iter(loud)
isinstance(1, OfMeta)
assert loud
raise loud
with loud: pass
with Counter(): pass
lazy.x
x = lazy.anything
opened.x
setting.x = 1
described.field
described.field = 1
described.size
described.cached
of_meta
OfMeta
OfMeta()
OfMeta.x
print(OfMeta)
for n in OfMeta: pass
class Derived(Base): pass
class Derived(OfMeta): pass
class Holder: field = Named()
class Holder(metaclass=Meta): pass
fake.append(1)
len(fake)
fake + 1
np.sum(fake)
own_frame.head()
own_frame
own_array + 1
own_array[0]
own_dict["x"]
own_int + 1
x = own_int
forged([1])
np.array([loud])
np.array(box)
np.sum(objects)
objects + 1
objects == 1
print(objects)
objects
frame_of_objects
frame_of_objects.describe()
print(frame_of_objects)
frame_of_objects.b + 1
frame_of_objects["b"].sum()
series_of_objects + 1
series_of_objects.unique()
frame.apply(forged)
frame.apply(loud)
frame.apply(lambda r: log.append(1))
frame.a.map(forged)
frame.agg({"a": forged})
frame.assign(b=lambda f: log.append(1))
frame.pipe(forged)
frame.groupby(forged)
frame["b"] = loud
frame["b"] = box
frame.b = [loud, loud]
frame.loc[0, "a"] = loud
frame.attrs["x"] = 1
frame.index.name = "x"
frame.columns.name = "x"
frame.index.names = ["x"]
frame.values[0] = 9
frame.to_numpy()[0] = 9
frame.a.values[0] = 9
frame.flags.allows_duplicate_labels = False
array[0] = loud
array[loud] = 1
array.T[0] = 5
array.flat[0] = 5
array.flat = 5
array.reshape(2, 3)[0] = 5
array[1:][0] = 5
array[1:] += 5
array.view()[0] = 5
array.real[0] = 5
array.shape = (2, 3)
array.dtype = "i8"
array.strides = (8,)
array.setflags(write=False)
array.flags.writeable = False
array.resize(3)
array.sort()
array.partition(2)
array.put(0, 5)
array.byteswap(True)
array.astype(float, copy=False)[0] = 5
np.asarray(array)[0] = 5
np.add(array, 1, array)
np.add(array, 1, out=array)
np.add.at(array, [0], 1)
np.negative.at(array, [0])
np.cumsum(array, out=array)
np.cumsum(array, 0, None, array)
array.cumsum(0, None, array)
array.clip(1, 2, array)
array.round(0, array)
array.sum(out=array)
array.take([0], None, array[:1])
np.copyto(array, 1)
np.put(array, [0], 1)
np.place(array, array > 1, 9)
np.putmask(array, array > 1, 9)
np.fill_diagonal(array.reshape(2, 3), 9)
np.nan_to_num(array, copy=False)
np.nan_to_num(array, False)
np.median(array, overwrite_input=True)
np.random.shuffle(array)
np.random.shuffle(numbers)
np.apply_along_axis(forged, 0, array)
np.vectorize(forged)(array)
vectorized(array)
made_ufunc(array)
np.fromfunction(forged, (2,))
np.piecewise(array, [array > 1], [forged])
np.seterr(all="ignore")
np.set_printoptions(precision=2)
np.nditer(array, op_flags=["readwrite"])
for n in np.nditer(array, op_flags=["readwrite"]): n[...] = 9
np.lib.stride_tricks.as_strided(array, (2,), (8,))[0] = 9
array.__setitem__(0, 9)
array.__iadd__(1)
numbers.__iadd__([1])
list.append(numbers, 1)
dict.update(table, b=1)
operator.iadd(numbers, [1])
operator.setitem(numbers, 0, 1)
operator.attrgetter("field")(described)
operator.itemgetter(0)(loud)
operator.methodcaller("any")(loud)
setattr(watched, "x", 1)
getattr(lazy, "x")
getattr(described, "size")
hasattr(lazy, "x")
vars(watched)["x"] = 1
vars()["x"] = 1
globals()["x"] = 1
locals()["numbers"] = 1
exec("log.append(1)")
eval("log.append(1)")
next(running)
for n in running: pass
list(running)
sum(running)
print(*running)
next(lines)
list(lines)
for n in lines: break
2 in lines
list(zipped)
list(mapped)
list(numbered)
list(filtered)
x = [n for n in zip(lines, numbers)]
list(map(tell, numbers))
list(filter(forged, numbers))
[*map(forged, numbers)]
functools.reduce(forged, numbers)
itertools.starmap(forged, [[1]])
list(itertools.accumulate(numbers, forged))
partial()
default["x"]
default["x"] = 1
x = default["zzz"]
stream.read()
stream.seek(0)
for line in stream: pass
print("x", file=stream)
view[0] = 1
closed()
cached(5)
with_default(1)
generator.random()
generator.shuffle(numbers)
state.rand()
rng.random()
rng.shuffle(numbers)
random.shuffle(numbers)
dying = 1
del dying
held_dying = 1
del held_dying
held_dying[0] = 1
held_dying.clear()
held_dying.pop()
held_dying[:] = []
del held_dying[0]
in_dict["a"] = 1
in_dict.clear()
in_dict.pop("a")
in_dict = {}
in_tuple = 1
running = 1
weak = 1
del weak
watched_array = 1
Dying()
x = Dying()
[Dying()]
Counter()
c = Counter(); c = 1
import nothing_of_that_name
from math import *
import antigravity
from os import path, zzz
x: forged(1) = 1
x: int = 1
numbers: list = []
def f(x=forged(1)): pass
def f(x: forged(1)): pass
def f() -> forged(1): pass
@forged
def f(): pass
@loud
class C: pass
class C(forged(1)): pass
class C: x = forged(1)
class C: numbers.append(9)
lambda x=forged(1): x
async def f(): pass
x = (forged(n) for n in numbers)
[forged(n) for n in numbers]
{n: forged(n) for n in numbers}
[n for n in numbers if forged(n)]
[x for n in numbers if (x := forged(n))]
del numbers[loud]
numbers[loud]
numbers[0:loud]
numbers += loud
numbers.extend(loud)
numbers.extend(running)
numbers * loud
table.update(loud)
table | {loud: 1}
set([1]) | {loud}
{**loud}
forged(*numbers)
print(*box)
max(numbers, key=forged)
try: x = 1 / 0
except forged(1): pass
builtins.print = 1
sys.stdout = stream
sys.path.append("x")
math.pi = 3
np.pi = 3
pd.DataFrame.head = forged
np.ndarray.x = 1
type(loud).x = 1
loud.__class__ = Lazy
tell.__code__ = forged.__code__
tell.__defaults__ = (1,)
Loud.__len__ = forged
input()
open("x")
breakpoint()
get_ipython().run_line_magic("time", "1")
__import__("this")
exit()
id(loud)
type(loud)
loud is None
x = loud
x = [loud]
x = {"a": loud}
numbers.append(loud)
""".strip()


def _statements() -> list[str]:
    found: list[str] = []
    for line in STATEMENTS.splitlines():
        if line.startswith(("except", "def f", "class C")) and found and found[-1].startswith(("try", "@")):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


@pytest.mark.parametrize(
    ("owner", "name", "statement"),
    [
        ("pd.DataFrame", "head", "frame.head()"),
        ("pd.DataFrame", "head", "x = frame.dropna().head()"),
        ("pd.Series", "mean", "x = frame.a.mean()"),
        ("pd.DataFrame", "__add__", "frame + 1"),
        ("pd.DataFrame", "__getitem__", "frame['a']"),
        ("pd.DataFrame", "__setitem__", "frame['b'] = 1"),
        ("pd.DataFrame", "__setattr__", "frame.a = 1"),
        ("pd.DataFrame", "_repr_html_", "frame"),
        ("pd.DataFrame", "__repr__", "print(frame)"),
        ("pd.Series.str", "upper", "x = texts.str.upper()"),
        ("pd", "concat", "x = pd.concat([frame])"),
        ("pd", "set_option", "pd.set_option('display.max_rows', 7)"),
        *(
            [("pd.set_option", "__func__", "pd.set_option('display.max_rows', 7)")]
            if hasattr(pandas.set_option, "__func__")  # before pandas 3
            else []
        ),
        ("np", "sum", "x = np.sum(array)"),
        ("np.random", "rand", "x = np.random.rand(2)"),
        ("random", "random", "x = random.random()"),
        ("math", "sqrt", "x = math.sqrt(2)"),
        ("builtins", "len", "x = len(numbers)"),
        ("builtins", "print", "print(1)"),
    ],
)
def test_what_somebody_put_in_a_library_is_unknown(
    owner: str, name: str, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    namespace, functions = _namespace()
    exec("texts = pd.Series(['a'])", namespace)
    monkeypatch.setattr(eval(owner, namespace), name, namespace["forged"])
    found = foresee(ast.parse(statement).body[0], namespace, functions)
    monkeypatch.undo()
    assert found is None or [snapshot[1] for snapshot in found.entries] == [
        namespace["log"]
    ]  # what was put there is known


@pytest.mark.parametrize("statement", ["x = len(numbers)", "print(1)", "x = sum(numbers)"])
def test_a_builtin_function_that_the_namespace_hides_is_unknown(statement: str) -> None:
    namespace, functions = _namespace()
    exec("len = print = sum = loud", namespace)
    assert foresee(ast.parse(statement).body[0], namespace, functions) is None


@pytest.mark.parametrize("source", ["print(frame)", "frame", "x = str(frame)", "x = f'{frame}'", "print([frame])"])
def test_a_function_of_the_users_that_formats_numbers_makes_it_unknown(source: str) -> None:
    namespace, functions = _namespace()
    node = ast.parse(source).body[0]
    exec("frame = pd.DataFrame({'a': [1.5]}); log.clear()", namespace)
    assert foresee(node, namespace, functions) is not None
    with namespace["pd"].option_context("display.float_format", lambda n: namespace["log"].append(n) or ""):
        assert foresee(node, namespace, functions) is None
    with namespace["np"].printoptions(formatter={"float": lambda n: namespace["log"].append(n) or ""}):
        assert foresee(node, namespace, functions) is None
    assert namespace["log"] == []


@pytest.mark.parametrize("source", ["x = one / 0", "x = one / np.float64(0)", "one += n * one ** n"])
def test_a_warning_of_numpys_numbers_is_undone(source: str) -> None:
    namespace, functions = _namespace()
    exec("one, n = np.float64(1), 5000", namespace)
    assert hold(ast.parse(source).body[0], namespace, functions) == []


def test_builtins_of_the_namespaces_own_are_unknown() -> None:
    namespace, functions = _namespace()
    namespace["__builtins__"] = {"len": namespace["forged"]}
    assert foresee(ast.parse("x = len(numbers)").body[0], namespace, functions) is None


def test_an_instance_with_a_method_of_its_own_is_unknown() -> None:
    namespace, functions = _namespace()
    object.__setattr__(namespace["frame"], "head", namespace["forged"])
    assert foresee(ast.parse("frame.head()").body[0], namespace, functions) is None


def test_looking_keeps_no_class_of_the_users_alive() -> None:
    namespace, functions = _namespace()
    reference = weakref.ref(namespace["Lazy"])
    foresee(ast.parse("x = lazy").body[0], namespace, functions)
    foresee(ast.parse("lazy.x").body[0], namespace, functions)
    foresee(ast.parse("x = Lazy()").body[0], namespace, functions)
    del namespace["lazy"], namespace["Lazy"]
    namespace.clear()
    gc.collect()
    assert reference() is None


def _namespace() -> tuple[dict[str, Any], Functions]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    functions = Functions()
    tree = ast.parse(_SETUP)
    exec(compile(tree, "<cell 0>", "exec"), namespace)
    functions.add(tree.body, "<cell 0>")
    return namespace, functions


@pytest.mark.parametrize("source", _statements())
def test_a_statement_is_unknown_or_undone(source: str) -> None:
    for node in ast.parse(source).body:
        namespace, functions = _namespace()
        log = list(namespace["log"])
        different = hold(node, namespace, functions)
        if different is None:  # it did not run
            assert namespace["log"] == log
        else:
            assert different == []
            assert namespace["log"] == log
