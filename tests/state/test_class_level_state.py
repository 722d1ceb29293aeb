"""State of classes: attributes reached through objects, metaclasses, descriptors, registries, members of enums."""

from __future__ import annotations

import pytest

from tests.state.halves.half import Half, check, check_read, halves

pytestmark = pytest.mark.filterwarnings("ignore")


@halves(
    Half(
        "a class attribute through an object",
        "class A:\n    n = 0\na = A()\ntell = lambda A=A: A.n\ndel A",
        "type(a).n += 1",
        "tell()",
    ),
    Half(
        "a list of a class through an object",
        "class A:\n    items = []\na = A()\ntell = lambda A=A: A.items\ndel A",
        "a.items.append(1)",
        "tell()",
    ),
    Half(
        "a list of a base class",
        "class B:\n    items = []\nclass A(B): pass\na = A()\ntell = lambda B=B: B.items\ndel A, B",
        "a.items.append(1)",
        "tell()",
    ),
    Half("a counter in __init__", "class A:\n    n = 0\n    def __init__(self): A.n += 1", "A(); A()", "A.n"),
    Half(
        "a subclass of list without attributes of its own",
        "class A(list):\n    __slots__ = ()\n    log = []\na = A()\ntell = lambda A=A: A.log\ndel A",
        "a.log.append(1)",
        "tell()",
    ),
    Half(
        "a subclass of int",
        "class A(int):\n    __slots__ = ()\n    log = []\na = A(1)\ntell = lambda A=A: A.log\ndel A",
        "a.log.append(1)",
        "tell()",
    ),
    Half(
        "a subclass of str",
        "class A(str):\n    log = []\na = A('x')\na.more = []",
        "a.log.append(1); a.more.append(2)",
        "A.log, a.more",
    ),
    Half(
        "a subclass of tuple",
        "class A(tuple):\n    __slots__ = ()\n    log = []\na = A((1, 2))\ntell = lambda A=A: A.log\ndel A",
        "a.log.append(1)",
        "tell()",
    ),
    Half(
        "a subclass of a namedtuple",
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: list\n"
        "class A(P):\n    __slots__ = ()\n    seen = []\na = A([])",
        "a.seen.append(1); a.a.append(2)",
        "A.seen, a.a",
    ),
    Half("a subclass of frozenset", "class A(frozenset):\n    log = []\na = A([1])", "a.log.append(1)", "A.log"),
    Half(
        "a subclass of datetime",
        "import datetime\nclass A(datetime.datetime):\n    log = []\na = A(2020, 1, 1)\na.x = 1",
        "a.log.append(1); a.x = 2",
        "A.log, a.x",
    ),
    Half(
        "a subclass of Decimal",
        "import decimal\nclass A(decimal.Decimal):\n    log = []\na = A(1)",
        "a.log.append(1); a.y = 1",
        "A.log, hasattr(a, 'y')",
    ),
    Half(
        "a subclass of Path",
        "import pathlib\nclass A(type(pathlib.Path())):\n    log = []\na = A('x')",
        "a.log.append(1)",
        "A.log",
    ),
    Half(
        "a state of a metaclass",
        "class M(type):\n    made = []\n    def __call__(cls, *a):\n"
        "        M.made.append(cls.__name__); return super().__call__(*a)\nclass A(metaclass=M): pass",
        "A()",
        "M.made",
    ),
    Half(
        "a registry in a metaclass",
        "class M(type):\n    known = {}\n    def __init__(cls, *a):\n"
        "        super().__init__(*a); M.known[cls.__name__] = 1\nclass A(metaclass=M): pass",
        "type(A)('B', (A,), {})",
        "sorted(M.known)",
    ),
    Half(
        "__init_subclass__",
        "class A:\n    known = []\n    def __init_subclass__(cls): A.known.append(cls.__name__)",
        "exec('class B(A): pass')",
        "A.known",
    ),
    Half(
        "a property of a metaclass",
        "class M(type):\n    level = 0\n    @property\n"
        "    def up(cls): M.level += 1; return M.level\nclass A(metaclass=M): pass",
        "A.up",
        "M.level",
    ),
    Half(
        "a descriptor that holds values",
        "class D:\n    def __init__(self): self.values = {}\n    def __set__(self, o, v): self.values[id(o)] = v\n"
        "    def __get__(self, o, c): return self.values.get(id(o)) if "
        "o is not None else self\nclass A:\n    x = D()\na = A(); a.x = 1",
        "a.x = 2",
        "a.x",
    ),
    Half(
        "a descriptor with weak keys",
        "import weakref\nclass D:\n    def __init__(self): self.values "
        "= weakref.WeakKeyDictionary()\n    def __set__(self, o, "
        "v): self.values[o] = v\n    def __get__(self, o, c): return "
        "self.values.get(o)\nclass A:\n    x = D()\na = A(); a.x = [1]",
        "a.x.append(2); a.x = 3",
        "a.x",
    ),
    Half(
        "slots and a dict",
        "class A:\n    __slots__ = ('s', '__dict__')\na = A(); a.s = [1]; a.d = [2]",
        "a.s.append(1); a.d = 3; a.e = 4",
        "a.s, vars(a)",
    ),
    Half(
        "slots of a base",
        "class A:\n    __slots__ = ('s',)\nclass B(A):\n    __slots__ = ('t', '__weakref__')\na = B(); a.s = 1",
        "a.s = 2; a.t = 3",
        "a.s, hasattr(a, 't')",
    ),
    Half(
        "an attribute of an enum's member",
        "import enum\nclass E(enum.Enum):\n    X = 1\n    def __init__(self, v): self.seen = []",
        "E.X.seen.append(1); E.X.more = 2",
        "E.X.seen, hasattr(E.X, 'more')",
    ),
    Half(
        "a mutable value of an enum's member",
        "import enum\nclass E(enum.Enum):\n    X = [1]",
        "E.X.value.append(2)",
        "E.X.value",
    ),
    Half(
        "a pseudo-member of a flag",
        "import enum\nclass F(enum.Flag):\n    A = 1\n    B = 2",
        "(F.A | F.B).mine = 1",
        "hasattr(F.A | F.B, 'mine')",
    ),
    Half(
        "fields of a dataclass",
        "from dataclasses import dataclass, field, fields\n@dataclass\n"
        "class D:\n    a: list = field(default_factory=list)\nd = D()",
        "d.a.append(1); d.b = 2; fields(D)[0].name = 'z'",
        "d, hasattr(d, 'b'), fields(D)[0].name",
    ),
    Half(
        "a frozen dataclass with slots",
        "from dataclasses import dataclass\n@dataclass(frozen=True, slots=True)\nclass D:\n    a: list\nd = D([])",
        "d.a.append(1); object.__setattr__(d, 'a', 5)",
        "d",
    ),
    Half(
        "a namedtuple's class",
        "from collections import namedtuple\nP = namedtuple('P', 'a')\np = P([1])",
        "P.more = 1; p.a.append(2)",
        "hasattr(P, 'more'), p",
    ),
    Half(
        "partial: arguments",
        "from functools import partial\nitems = []\nf = partial(lambda "
        "x, y: x.append(y), items)\ntell = lambda i=items: i\ndel items",
        "f(1)",
        "tell()",
    ),
    Half(
        "partial: attributes",
        "from functools import partial\nf = partial(print, end='')",
        "f.note = 1; f.keywords['end'] = 'x'",
        "f.keywords, hasattr(f, 'note')",
    ),
    Half(
        "partial: what it calls",
        "from functools import partial\nf = partial(print, 1, end='')\nf.note = 1",
        "f.__setstate__((len, (2,), {}, None))",
        "f.func, f.args, f.keywords, hasattr(f, 'note')",
    ),
    Half(
        "a function: what `functools.wraps` takes over",
        "from functools import wraps\nimport json\ndef f(): pass",
        "wraps(json.dumps)(f)",
        "f.__module__, f.__name__, f.__qualname__, f.__doc__, hasattr(f, '__wrapped__')",
    ),
    Half(
        "partial: that it has no attributes yet, so that others see through it",
        "from functools import partial\nclass P(partial): pass\nf, g = partial(print, 1), P(print, 2)",
        "f.note = g.note = 1",
        "partial(f).func is print, f.func is print, f.args, f.keywords, hasattr(g, 'note'), g.args",
    ),
    Half(
        "partialmethod",
        "from functools import partialmethod\nclass A:\n    def add(self, x, "
        "to=[]): to.append(x); return to\n    one = partialmethod(add, 1)\na = A()",
        "a.one()",
        "A.add.__defaults__",
    ),
    Half(
        "cached_property",
        "from functools import cached_property\nclass A:\n    @cached_property\n    def x(self): return [1]\na = A()",
        "a.x.append(1)",
        "vars(a)",
    ),
    Half(
        "singledispatch: a new implementation",
        "from functools import singledispatch\n@singledispatch\ndef f(x): return 'any'\nf(1)",
        "f.register(int, lambda x: 'int'); f(1)",
        "sorted(map(str, f.registry)), f(1)",
    ),
    Half(
        "singledispatchmethod",
        "from functools import singledispatchmethod\nclass A:\n"
        "    @singledispatchmethod\n    def f(self, x): return 'any'\na = A(); a.f(1)",
        "A.f.register(int, lambda self, x: 'int'); a.f(1)",
        "a.f(1)",
    ),
    Half(
        "total_ordering and wraps",
        "import functools\ndef g(): pass\n@functools.wraps(g)\ndef f(): pass",
        "f.__wrapped__.n = 1; f.__dict__['m'] = 2",
        "hasattr(g, 'n'), hasattr(f, 'm')",
    ),
    Half(
        "an lru_cache whose function has state",
        "from functools import lru_cache\nseen = []\n@lru_cache\ndef f(x): seen.append(x); return x",
        "f(1)",
        "seen, f.cache_info().currsize",
    ),
    Half(
        "a closure's counter",
        "def make():\n    n = 0\n    def up():\n        nonlocal n; "
        "n += 1; return n\n    return up, lambda: n\nup, tell = make()",
        "up()",
        "tell()",
    ),
    Half("a default that is mutable", "def f(x, to=[]): to.append(x)", "f(1)", "f.__defaults__"),
    Half("a function's attribute", "def f(): f.n += 1\nf.n = 0", "f()", "f.n"),
    Half(
        "an abstract class of one's own",
        "import abc\nclass A(abc.ABC): pass\nclass B: pass",
        "A.register(B)",
        "issubclass(B, A)",
    ),
    Half(
        "an abstract class of a library",
        "import numbers\nclass B: pass",
        "numbers.Number.register(B)",
        "issubclass(B, numbers.Number)",
    ),
    Half(
        "an abstract class of a library by its name",
        "from collections.abc import Sequence\nclass B: pass",
        "Sequence.register(B)",
        "issubclass(B, Sequence)",
    ),
    Half("__class__ of an object", "class A: x = 1\nclass B: x = 2\na = A()", "a.__class__ = B", "a.x"),
    Half("bases of a class", "class A: x = 1\nclass B: x = 2\nclass C(A): pass", "C.__bases__ = (B,)", "C.x"),
    Half("annotations of a class", "class A:\n    x: int = 1", "A.__annotations__['y'] = str", "A.__annotations__"),
    Half(
        "a class made by type",
        "A = type('A', (), {'items': []})\na = A()",
        "a.items.append(1); A.n = 2",
        "A.items, hasattr(A, 'n')",
    ),
    Half(
        "a class made by make_dataclass",
        "from dataclasses import make_dataclass\nA = make_dataclass('A', ['x'])\na = A([1])",
        "a.x.append(2); A.n = 1",
        "a, hasattr(A, 'n')",
    ),
    Half("a nested class", "class A:\n    class B:\n        items = []\na = A()", "a.B.items.append(1)", "A.B.items"),
    Half(
        "a static method's function",
        "class A:\n    @staticmethod\n    def f(to=[]): to.append(1)\na = A()",
        "a.f()",
        "A.f.__defaults__",
    ),
    Half(
        "a class method's default",
        "class A:\n    @classmethod\n    def f(cls, to=[]): to.append(1); cls.n = 1\na = A()",
        "a.f()",
        "A.f.__defaults__, hasattr(A, 'n')",
    ),
    Half(
        "a ContextDecorator with state",
        "import contextlib\nlog = []\n@contextlib.contextmanager\ndef c():\n    log.append(1); yield; log.append(2)",
        "c().__enter__()",
        "log",
    ),
    Half(
        "an ExitStack",
        "import contextlib\nlog = []\nstack = contextlib.ExitStack()",
        "stack.callback(log.append, 1)",
        "len(stack._exit_callbacks)",
    ),
    Half("SimpleNamespace", "import types\nn = types.SimpleNamespace(a=[1])", "n.a.append(2); n.b = 1", "n"),
    Half("UserDict", "import collections\nd = collections.UserDict(a=[1])", "d['a'].append(2); d['b'] = 1", "d"),
    Half(
        "ChainMap", "import collections\nd = collections.ChainMap({}, {'a': [1]})", "d['a'].append(2); d['b'] = 1", "d"
    ),
    Half(
        "a generic class",
        "import typing\nT = typing.TypeVar('T')\nclass G(typing.Generic[T]):\n    items = []\ng = G[int]()",
        "g.items.append(1)",
        "G.items",
    ),
    Half(
        "a protocol",
        "import typing\nclass P(typing.Protocol):\n    items = []\nclass A(P): pass\na = A()",
        "a.items.append(1)",
        "P.items",
    ),
    Half("the subclasses of a class", "class A: pass", "class B(A): pass", "A.__subclasses__()"),
)
def test_state_of_a_class_is_put_back(half: Half) -> None:
    check(half)


@pytest.mark.parametrize(
    ("setup", "read"),
    [
        (
            "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n"
            "    def f(self): pass\nclass B(A):\n    def f(self): pass",
            "isinstance(B(), A); issubclass(int, A)",
        ),
        ("from functools import singledispatch\n@singledispatch\ndef f(x): return 1", "f(1); f('a')"),
        ("class A(list):\n    __slots__ = ()\na = A([1])", "a[0]; len(a)"),
        ("import enum\nclass E(enum.Enum):\n    X = 1", "E(1); E['X']; list(E)"),
    ],
)
def test_classes_that_are_only_used_are_not_named(setup: str, read: str) -> None:
    check_read(setup, read)
