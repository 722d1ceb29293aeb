"""Some fifty kinds of objects as a notebook has them: how one is made, and statements that change it."""

from __future__ import annotations

import atexit
import builtins
import dataclasses
import importlib.util
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

DATABASE = sqlite3.connect(":memory:")
atexit.register(DATABASE.close)


@dataclasses.dataclass(frozen=True)
class Example:
    """One object in the namespace.

    Parameters
    ----------
    name : str
        What it is called there.
    make : str
        Statements that make it, and what they need besides.
    changes : tuple of str
        Statements that change it in place, each of which can be run several times.
    needs : str
        The library that must be there.
    exact : bool
        Whether every change is put back; else the report must name it.
    """

    name: str
    make: str
    changes: tuple[str, ...]
    needs: str = ""
    exact: bool = True


_CLASSES = """
class Plain:
    count = 0
    members = []
    def __init__(self): self.value = 1; self.inner = []
    def grow(self): self.value += 1; self.inner.append(self.value); Plain.count += 1; self.members.append(1)
class Slotted:
    __slots__ = ("a", "b")
class Both(Slotted):
    def __init__(self): self.a = [1]; self.c = 2
def guard():
    if armed: raise AssertionError("the journal ran code of the user's")
class Hostile:
    def __init__(self): object.__setattr__(self, "x", [1])
    def forbidden(self, *args): guard(); return NotImplemented
    __eq__ = __ne__ = __reduce__ = __reduce_ex__ = __copy__ = __deepcopy__ = forbidden
    __getstate__ = __sizeof__ = __dir__ = forbidden
    def __hash__(self): guard(); return 1
    def __len__(self): guard(); return 1
    def __iter__(self): guard(); return iter(())
    def __repr__(self): guard(); return "hostile"
    def __getattribute__(self, name): guard(); return object.__getattribute__(self, name)
    @property
    def __class__(self): guard(); return Hostile
class OwnList(list):
    def __iter__(self): guard(); return list.__iter__(self)
    def __len__(self): guard(); return list.__len__(self)
    def __eq__(self, other): guard(); return list.__eq__(self, other)
    __hash__ = None
class OwnDict(dict):
    def __iter__(self): guard(); return dict.__iter__(self)
    def keys(self): guard(); return dict.keys(self)
    def values(self): guard(); return dict.values(self)
    def __getitem__(self, key): guard(); return dict.__getitem__(self, key)
    def __len__(self): guard(); return dict.__len__(self)
    def copy(self): guard(); return dict.copy(self)
class Meta(type):
    def __getattribute__(cls, name): guard(); return type.__getattribute__(cls, name)
    def __hash__(cls): guard(); return type.__hash__(cls)
    def __eq__(cls, other): guard(); return cls is other
    def mro(cls): guard(); return type.mro(cls)
class OfMeta(metaclass=Meta):
    pass
"""

SETUP = f"""
import array, collections, functools, io, itertools, random
{_CLASSES}
"""

EXAMPLES: tuple[Example, ...] = (
    Example("number", "number = 1", ("number += 1", "del number; number = 2.5", "number = 'text'")),
    Example("text", "text = 'a'", ("text += 'b'", "text = None")),
    Example("items", "items = [1, [2]]", ("items.append(3)", "items[1].append(4)", "items.clear()", "items *= 2")),
    Example("nested", "nested = ([1], {'a': [2]})", ("nested[0].append(3)", "nested[1]['a'] = 4", "nested = ()")),
    Example("mapping", "mapping = {'a': 1, 'b': []}", ("mapping['c'] = 1", "mapping.pop('a', 0)", "mapping.clear()")),
    Example("keyed", "keyed = {(1, 'a'): [1], 2: {}}", ("keyed[2]['x'] = 1", "keyed[(1, 'a')] += [2]")),
    Example("members", "members = {1, 'a'}", ("members.add(2)", "members.discard(1)", "members ^= {5, 6}")),
    Example("frozen", "frozen = frozenset({1, 2})", ("frozen |= {3}",)),
    Example(
        "queue",
        "queue = collections.deque([1, 2], maxlen=4)",
        ("queue.append(3)", "queue.rotate()", "queue.popleft() if queue else 0"),
    ),
    Example("counter", "counter = collections.Counter('aab')", ("counter.update('b')", "counter['z'] += 1")),
    Example(
        "default",
        "default = collections.defaultdict(list, a=[1])",
        ("default['b'].append(1)", "default['a'].append(2)", "default.default_factory = dict"),
    ),
    Example(
        "ordered",
        "ordered = collections.OrderedDict(a=1, b=2)",
        ("ordered.move_to_end('a')", "ordered['c'] = 3", "ordered.popitem() if ordered else 0"),
    ),
    Example("chain", "chain = collections.ChainMap({'a': 1}, {'b': 2})", ("chain['c'] = 3", "chain.maps.append({})")),
    Example("raw", "raw = bytearray(b'abc')", ("raw += b'd'", "raw[:] = b'x'", "raw.clear()")),
    Example("window", "under = bytearray(b'abc'); window = memoryview(under)", ("window[0:1] = b'z'",)),
    Example(
        "numbers", "numbers = array.array('d', [1, 2])", ("numbers.append(3)", "numbers[0:1] = array.array('d', [9])")
    ),
    Example("buffer", "buffer = io.StringIO('some'); buffer.seek(4)", ("buffer.write('thing')", "buffer.seek(0)")),
    Example("binary", "binary = io.BytesIO(b'some')", ("binary.write(b'th')", "binary.read()")),
    Example(
        "plain",
        "plain = Plain()",
        (
            "plain.grow()",
            "plain.value = 5",
            "plain.new = 1",
            "plain.__dict__.clear(); plain.inner = []",
            "plain.__dict__ = {'inner': [], 'value': 1}",
        ),
    ),
    Example(
        "slotted",
        "slotted = Slotted(); slotted.a = 1",
        ("slotted.b = 2", "slotted.a = []", "del slotted.a; slotted.a = 4"),
    ),
    Example("both", "both = Both()", ("both.a.append(1)", "both.c = 3", "both.b = 1")),
    Example(
        "hostile",
        "hostile = Hostile()",
        ("object.__setattr__(hostile, 'x', 2)", "object.__getattribute__(hostile, '__dict__')['y'] = 1"),
    ),
    Example(
        "own_list",
        "own_list = OwnList([1, 2]); own_list.note = []",
        ("own_list.append(3)", "own_list.note.append(1)", "list.clear(own_list)"),
    ),
    Example(
        "own_dict",
        "own_dict = OwnDict(a=[1])",
        ("own_dict['b'] = 1", "dict.clear(own_dict)", "dict.get(own_dict, 'a', []).append(2)"),
    ),
    Example("of_meta", "of_meta = OfMeta()", ("of_meta.x = 1",)),
    Example(
        "class_level",
        "class_level = Plain",
        (
            "class_level.count += 1",
            "class_level.extra = 5",
            "class_level.members.append(2)",
            "class_level.grow = lambda self: None",
        ),
    ),
    Example(
        "function",
        "def function(x=[], *, y={'a': 1}): x.append(1); y['b'] = 2; items.append(x)",
        (
            "function()",
            "function.__defaults__ = ([],)",
            "function.note = 1",
            "function.__code__ = (lambda x=1, *, y=2: None).__code__",
        ),
    ),
    Example(
        "closure",
        "def _make():\n    total = 0; seen = []\n    def add():\n        nonlocal total\n"
        "        total += 1; seen.append(total)\n    return add\nclosure = _make()",
        ("closure()",),
    ),
    Example("caller", "def caller(): global number; number = 7; mapping['by'] = 'caller'", ("caller()",)),
    Example(
        "decorated",
        "@functools.wraps(function)\ndef decorated(): return function()",
        ("decorated()", "decorated.__wrapped__.note = 3"),
    ),
    Example("partial", "partial = functools.partial(list.append, items)", ("partial(5)",)),
    Example("bound", "bound = items.append", ("bound(6)",)),
    Example("method", "method = plain.grow", ("method()",)),
    Example("view", "view = mapping.values()", ("mapping['v'] = 1; len(view)",)),
    Example(
        "error",
        "error = ValueError('a', [1])",
        ("error.args[1].append(2)", "error.args = ('b', [])", "error.note = 1", "error.__cause__ = KeyError('k')"),
    ),
    Example("record", "record = collections.namedtuple('record', 'a b')([1], 2)", ("record.a.append(2)",)),
    Example("dice", "dice = random.Random(1)", ("dice.random()", "dice.gauss(0, 1)", "dice.seed(5)")),
    Example("shared_dice", "shared_dice = random.seed(3)", ("random.random()", "random.gauss(0, 1)")),
    Example("over_list", "over_list = iter([1, 2, 3] * 100)", ("next(over_list)",)),
    Example("over_text", "over_text = iter('abc' * 100)", ("next(over_text)",)),
    Example("zipped", "zipped = zip(iter([1, 2] * 100), iter((3, 4) * 100))", ("next(zipped)",)),
    Example("mapped", "mapped = map(str, [1, 2] * 100)", ("next(mapped)",)),
    Example(
        "grid",
        "grid1 = grid2 = numpy.arange(12.).reshape(3, 4); grid = grid1",
        (
            "grid += 1",
            "grid[0, 0] = 7",
            "grid[:] = grid[::-1].copy()",
            "grid1.setflags(write=False)",
            "grid.fill(2) if grid.flags.writeable else 0",
        ),
        "numpy",
    ),
    Example(
        "part", "whole = numpy.arange(12); part = whole[2:5]", ("part[:] = 9", "whole[:] = 1", "part *= 2"), "numpy"
    ),
    Example(
        "turned", "turned = numpy.asfortranarray(numpy.ones((3, 2)))", ("turned[0] = 5", "turned.T[0] = 3"), "numpy"
    ),
    Example(
        "cells",
        "cells = numpy.array([[1], {'a': 1}, None], dtype=object)",
        ("cells[0] = 1", "cells[1]['b'] = 2"),
        "numpy",
    ),
    Example(
        "structured",
        "structured = numpy.zeros(3, dtype=[('a', 'i4'), ('b', 'f8')]); row = structured[1]",
        ("row['a'] = 5", "structured['b'] += 1"),
        "numpy",
    ),
    Example(
        "masked",
        "masked = numpy.ma.array([1, 2, 3], mask=[0, 1, 0])",
        ("masked[0] = 5", "masked[2] = numpy.ma.masked"),
        "numpy",
    ),
    Example(
        "generator",
        "generator = numpy.random.default_rng(1)",
        ("generator.random()", "generator.shuffle([1, 2, 3])"),
        "numpy",
    ),
    Example("legacy", "legacy = numpy.random.RandomState(1)", ("legacy.rand()", "legacy.seed(9)"), "numpy"),
    Example(
        "frame",
        "frame = pandas.DataFrame({'a': [1., 2.], 'b': ['x', 'y'], 'c': [1, 2]})",
        (
            "frame['d'] = 1",
            "frame.loc[0, 'a'] = 9",
            "frame.drop(columns='b', inplace=True, errors='ignore')",
            "frame.columns = [c.upper() for c in frame]",
            "frame.index.name = 'n'",
            "frame.attrs['k'] = 1",
            "frame.sort_values(list(frame)[0], ascending=False, inplace=True)",
            "frame.iloc[0] = frame.iloc[1]",
        ),
        "pandas",
    ),
    Example("column", "column = frame['a']", ("column.iloc[0] = 3", "column.name = 'z'", "column *= 2"), "pandas"),
    Example(
        "mixed",
        "mixed = pandas.DataFrame({'o': pandas.Series([[1], {}], dtype=object), "
        "'k': pandas.Categorical(['u', 'v']), 'i': pandas.array([1, None], dtype='Int64')})",
        ("mixed['o'].iloc[0].append(1)", "mixed.loc[0, 'k'] = 'v'", "mixed['i'].array[0] = 99"),
        "pandas",
    ),
    Example("labels", "labels = pandas.Index(['a', 'b'], name='n')", ("labels.name = 'm'",), "pandas"),
)

NAMED: tuple[Example, ...] = (
    Example("produced", "produced = (n for n in range(9)); next(produced)", ("next(produced)",), exact=False),
    Example("counted", "counted = itertools.count(5)", ("next(counted)",), exact=False),
    Example("numbered", "numbered = enumerate('abcdefgh' * 9)", ("next(numbered)",), exact=False),
    Example("chained", "chained = itertools.chain([1, 2] * 99, [3])", ("next(chained)",), exact=False),
    Example("over_dict", "over_dict = iter(dict.fromkeys(range(99)))", ("next(over_dict)",), exact=False),
    Example("exhausted", "exhausted = iter([1, 2])", ("list(exhausted)",), exact=False),
    Example(
        "database",
        "from tests.state.examples import DATABASE as database; cursor = database.cursor()",
        ("cursor.execute('select 1')",),
        exact=False,
    ),
    Example("lock", "import threading; lock = threading.Lock()", ("lock.acquire(blocking=False)",), exact=False),
    Example("cached", "@functools.lru_cache\ndef cached(n): return [n]\ncached(1)", ("cached(object())",), exact=False),
    Example("digest", "import hashlib; digest = hashlib.sha256()", ("digest.update(b'x')",), exact=False),
    Example("thread", "import threading; thread = threading.Thread(target=print)", ("thread.name",), exact=False),
)


def available() -> tuple[Example, ...]:
    """The examples whose libraries are there."""
    return tuple(example for example in EXAMPLES if not example.needs or _there(example.needs))


def _there(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def notebook(examples: tuple[Example, ...]) -> dict[str, Any]:
    """A namespace with all of them in it."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    builtins.armed = False  # type: ignore[attr-defined]  # where the code of the examples finds it
    for library in ("numpy", "pandas"):
        if _there(library):
            exec(f"import {library}", namespace)
    exec(SETUP, namespace)
    for example in examples:
        exec(example.make, namespace)
    return namespace


@contextmanager
def nothing_of_the_users_may_run() -> Iterator[None]:
    """Meanwhile, the methods of the hostile classes raise."""
    builtins.armed = True  # type: ignore[attr-defined]  # as above
    try:
        yield
    finally:
        builtins.armed = False  # type: ignore[attr-defined]  # as above
