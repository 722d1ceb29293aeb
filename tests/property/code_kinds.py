"""Kinds of objects that users write: functions, closures, classes, dataclasses, enums, modules, references."""

from __future__ import annotations

from tests.property.kind import Kind

# A table: what makes one, what changes it, what looks at it, what it needs.
# fmt: off
FUNCTIONS = (
    Kind("function", ("def fun(x=[], *, y={'k': 1}):\n    x.append(1); y['n'] = len(x)\n    return x",), (
        "fun()", "fun.note = [1]", "fun.__defaults__ = ([7],)", "fun.__kwdefaults__['y']['z'] = 1", "fun(y={})", "fun.__doc__ = 'd'",
    ), ("fun.__name__",)),
    Kind("closure", ("def make_add():\n    total = 0; seen = []\n    def add(n=1):\n        nonlocal total\n        total += n; seen.append(n)\n        return total\n    def peek(): return total, seen\n    return add, peek",
        "add, peek = make_add()"), (
        "add()", "add(5)", "add, peek = make_add()", "peek()[1].append('x')", "sorted([3, 1], key=add)",
    ), ("peek()",)),
    Kind("global writer", ("glob = 0", "glog = []", "def bump():\n    global glob\n    glob += 1; glog.append(glob)\n    return glob"), (
        "bump()", "[bump() for _ in range(2)]", "got = bump() + bump()", "sorted([1, 2], key=lambda v: bump())",
        "max([1, 2], key=lambda v: -bump())", "f'{bump()}'", "list(map(lambda v: bump(), 'ab'))", "while bump() < 3: pass",
    ), ("glob",)),
    Kind("partial", ("plog = []", "par = functools.partial(plog.append, 1)", "pkw = functools.partial(dict, a=1)"), (
        "par()", "par.note = 2", "pkw.keywords['b'] = 2", "par = functools.partial(par)", "par.func('z')",
    ), ("par.args",), ("import functools",)),
    Kind("lru_cache", ("ncalls = []", "@functools.lru_cache(maxsize=8)\ndef slow(n):\n    ncalls.append(n)\n    return [n]",
        "@functools.cache\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)"), (
        "slow(1)", "slow(2).append('x')", "slow.cache_clear()", "fib(7)", "ans = slow(3)", "slow(len(ncalls))",
    ), ("slow.cache_info().maxsize",), ("import functools",)),
    Kind("decorator", ("registry = {}", "def register(f):\n    registry[f.__name__] = f\n    return f", "def counted(f):\n    @functools.wraps(f)\n    def inner(*a):\n        inner.calls += 1\n        return f(*a)\n    inner.calls = 0\n    return inner",
        "@counted\ndef hello(): return 'hi'"), (
        "@register\ndef task_one(): return 1", "hello()", "registry.clear()", "@register\n@counted\ndef task_two(): return 2",
        "registry['x'] = hello",
    ), ("len(registry)",), ("import functools",)),
    Kind("singledispatch", ("@functools.singledispatch\ndef show(x): return 'any'",), (
        "@show.register\ndef show_int(x: int): return 'int'", "show.register(list, lambda x: 'list')", "show(3)",
    ), ("show('a')",), ("import functools",)),
    Kind("lambda", ("sq = lambda x: x * 2", "sq_too = sq", "ops = {'sq': sq}"), (
        "ops['cube'] = lambda x: x ** 3", "sq = lambda x: x * 3", "ops.update(sq=sq)", "sq.tag = 1",
    ), ("sq_too is sq",)),
    Kind("contextvar", ("cvar = contextvars.ContextVar('cvar', default=0)", "tok = cvar.set(1)", "ctx = contextvars.copy_context()"), (
        "cvar.set(cvar.get() + 1)", "cvar.set([1])", "ctx.run(cvar.set, 9)",
    ), ("cvar.get()",), ("import contextvars",)),
    Kind("exit stack", ("closed = []", "stack = contextlib.ExitStack()", "@contextlib.contextmanager\ndef scope(tag):\n    closed.append('+' + tag)\n    yield tag\n    closed.append('-' + tag)"), (
        "stack.callback(closed.append, 1)", "stack.enter_context(scope('s'))", "with scope('w') as tag: closed.append('in')", "stack.close()",
    ), ("len(closed)",), ("import contextlib",)),
    Kind("coroutine", ("alog = []", "async def work(n):\n    alog.append(n)\n    return n", "coro_q = []"), (
        "await work(1)", "coro_q.append(await work(2))", "import asyncio; await asyncio.sleep(0); alog.append('s')",
        "async_got = [await work(k) for k in (3, 4)]",
    ), ("len(alog)",)),
)

CLASSES = (
    Kind("instance", ("class Node:\n    count = 0\n    every = []\n    def __init__(self, v): self.v = v; self.kids = []; Node.count += 1\n    def grow(self): self.kids.append(Node(self.v + 1)); return self",
        "node = Node(1)", "node_too = node"), (
        "node.grow()", "node.v += 1", "node.extra = {'a': 1}", "Node.every.append(node)", "Node.count = 10", "node.kids and node.kids[0].grow()",
        "node = Node(5)", "del node.v; node.v = 3", "vars(node)['w'] = 1", "Node.twice = lambda self: self.v * 2", "node.__dict__ = dict(node.__dict__)",
        "[k.grow() for k in node.kids]",
    ), ("node.v", "node is node_too", "Node.count")),
    Kind("slots", ("class Slot:\n    __slots__ = ('a', 'b')\n    def __init__(self): self.a = [1]", "slo = Slot()"), (
        "slo.a.append(2)", "slo.b = 3", "slo.a = [9]", "slo.b = 0; del slo.b", "setattr(slo, 'b', {})",
    ), ("slo.a",)),
    Kind("property", ("class Temp:\n    reads = 0\n    def __init__(self): self._c = 20; self.log = []\n    @property\n    def c(self): self.log.append('r'); Temp.reads += 1; return self._c\n    @c.setter\n    def c(self, v): self.log.append(v); self._c = v",
        "temp = Temp()"), (
        "temp.c", "temp.c = 5", "temp.c += 1", "hot = temp.c > 10", "print(temp.c)", "temp_vals = [temp.c, temp.c]", "f'{temp.c}'",
        "getattr(temp, 'c')",
    ), ("temp._c",)),
    Kind("descriptor", ("class Logged:\n    def __set_name__(self, owner, name): self.name = '_' + name; owner.fields = [*getattr(owner, 'fields', []), name]\n    def __get__(self, o, owner=None):\n        if o is None: return self\n        o.trace.append(self.name); return getattr(o, self.name, None)\n    def __set__(self, o, v): o.trace.append(v); setattr(o, self.name, v)",
        "class Uses:\n    x = Logged()\n    def __init__(self): self.trace = []", "uses = Uses()"), (
        "uses.x = 1", "uses.x", "val_x = uses.x", "hasattr(uses, 'x')", "class More(Uses):\n    y = Logged()",
    ), ("len(uses.trace)",)),
    Kind("operators", ("class Num:\n    made = []\n    def __init__(self, n): self.n = n; self.seen = 0\n    def __add__(self, o): self.seen += 1; Num.made.append('+'); return Num(self.n + getattr(o, 'n', o))\n    def __iadd__(self, o): self.n += getattr(o, 'n', o); return self\n    def __eq__(self, o): self.seen += 1; return self.n == getattr(o, 'n', o)\n    def __lt__(self, o): self.seen += 1; return self.n < getattr(o, 'n', o)\n    def __hash__(self): return 1\n    def __bool__(self): self.seen += 1; return True\n    def __len__(self): self.seen += 1; return 3\n    def __getitem__(self, i):\n        self.seen += 1\n        if i > 3: raise IndexError\n        return i\n    def __contains__(self, v): self.seen += 1; return False\n    def __call__(self, *a): self.seen += 1; return self\n    def __format__(self, spec): self.seen += 1; return 'num'\n    def __repr__(self): Num.made.append('r'); return 'Num'\n    def __getattr__(self, name):\n        if name.startswith('__'): raise AttributeError(name)\n        Num.made.append(name); return 0\n    def __enter__(self): self.seen += 1; return self\n    def __exit__(self, *a): self.seen += 1\n    def __index__(self): self.seen += 1; return 1\n    def __neg__(self): self.seen += 1; return self\n    def __matmul__(self, o): self.seen += 1; return self",
        "num = Num(1)", "num_b = Num(2)"), (
        "num_sum = num + 1", "num += num_b", "num == num_b", "num < num_b", "not num", "len(num)", "num[0]", "5 in num", "num()",
        "f'{num}'", "repr(num)", "str([num])", "num.anything", "with num: pass", "[10, 20, 30][num]", "-num", "num @ num_b", "list(num)",
        "a1, *b1 = num", "max(num, num_b)", "num and 1", "if num: pass", "sorted([num, num_b])", "[num_b].index(num_b)", "num_b in [num]",
        "dict.fromkeys([num, num_b])", "'%s' % (num,)", "print(num)", "hasattr(num, 'zz')", "range(num)", "match_val = 1 if num == 5 else 2",
        "{num: 1}.get(num_b)", "any([num, 0])", "[*num]", "'{}'.format(num)",
    ), ("num.n",)),
    Kind("dict subclass", ("class Tracking(dict):\n    log = []\n    def __missing__(self, k): self[k] = len(self); return self[k]\n    def __setitem__(self, k, v): Tracking.log.append(k); super().__setitem__(k, v)",
        "track = Tracking(a=1)", "class OwnList(list):\n    def append(self, v): self.last = v; super().append(v)", "olist = OwnList([1])"), (
        "track['new']", "track['b'] = 1", "'%(k)s' % track", "'{q}'.format_map(track)", "olist.append(2)", "olist += [3]", "olist.mark = [1]",
        "track.update(z=1)",
    ), ("len(track)",)),
    Kind("dataclass", ("@dataclasses.dataclass\nclass Conf:\n    a: int = 1\n    tags: list = dataclasses.field(default_factory=list)\n    seen: typing.ClassVar[list] = []\n    def __post_init__(self): Conf.seen.append(self.a)",
        "conf = Conf()", "@dataclasses.dataclass(frozen=True, slots=True)\nclass Frozen:\n    v: list", "froz = Frozen([1])"), (
        "conf.a = 5", "conf.tags.append('t')", "conf = dataclasses.replace(conf, a=9)", "froz.v.append(2)", "Conf.a = 3", "object.__setattr__(froz, 'v', [7])",
        "Conf(4)",
    ), ("conf.a",), ("import dataclasses, typing",)),
    Kind("enum", ("class Color(enum.Enum):\n    RED = 1\n    BLUE = [2]", "class Perm(enum.Flag):\n    R = 1\n    W = 2", "mode = Perm.R"), (
        "Color.RED.note = 'n'", "mode |= Perm.W", "Color.BLUE.value.append(3)", "Color.RED.hits = getattr(Color.RED, 'hits', 0) + 1", "Perm(3)",
        "combo = Perm.R | Perm.W",
    ), ("Color.RED.name",), ("import enum",)),
    Kind("metaclass", ("class Registry(type):\n    every = []\n    def __new__(m, n, b, d):\n        cls = super().__new__(m, n, b, d); Registry.every.append(n); return cls\n    def __call__(cls, *a):\n        cls.calls = getattr(cls, 'calls', 0) + 1; return super().__call__(*a)",
        "class Base(metaclass=Registry):\n    subs = []\n    def __init_subclass__(cls, **kw): super().__init_subclass__(**kw); Base.subs.append(cls.__name__)"), (
        "class Child(Base):\n    pass", "Base()", "Base.attr = 1", "made = type('Dyn', (Base,), {})", "base_o = Base()",
    ), ("len(Registry.every)",)),
    Kind("abc", ("class Shape(abc.ABC):\n    @abc.abstractmethod\n    def area(self): ...", "class Sq(Shape):\n    def area(self): return 4", "sqo = Sq()"), (
        "Shape.register(dict)", "Sq.area = lambda self: 5", "sqo.side = [2]", "isinstance({}, Shape)",
    ), ("sqo.area()",), ("import abc",)),
    Kind("cached_property", ("class Lazy:\n    runs = 0\n    @functools.cached_property\n    def value(self): Lazy.runs += 1; return [Lazy.runs]", "lazy = Lazy()"), (
        "lazy.value", "lazy.value.append(1)", "vars(lazy).pop('value', None)", "lv = lazy.value", "getattr(lazy, 'value')", "lazy = Lazy()",
    ), ("Lazy.runs",), ("import functools",)),
    Kind("finalizer", ("gone = []", "class Mortal:\n    def __init__(self, n): self.n = n\n    def __del__(self): gone.append(self.n)",
        "mort = Mortal(1)", "mort_box = [Mortal(2)]"), (
        "mort = Mortal(3)", "mort_box.clear()", "mort_box.append(Mortal(4))", "Mortal(5)", "mort_box = [Mortal(6)]", "mort = None",
        "mort_box[:] = [Mortal(7)]",
    ), ("len(gone)",)),
    Kind("exception", ("err = ValueError('a', [1])",), (
        "err.args[1].append(2)", "err.code = 5", "err.__cause__ = KeyError('k')", "err.args = ('b', [])",
        "try:\n    raise err\nexcept ValueError as caught: err.handled = True",
    ), ("err.args",)),
    Kind("bound method", ("class Acc:\n    def __init__(self): self.items = []\n    def put(self, v): self.items.append(v); return self\n    @classmethod\n    def make(cls): cls.n = getattr(cls, 'n', 0) + 1; return cls()\n    @staticmethod\n    def stat(v): v.append(1)",
        "acc_o = Acc()", "put = acc_o.put", "push = acc_o.items.append"), (
        "put(1)", "push(2)", "Acc.make()", "Acc.stat(acc_o.items)", "list(map(put, [1, 2]))", "acc_o.put(1).put(2)", "acc_o = Acc.make()",
    ), ("acc_o.items",)),
    Kind("proxy class", ("class Wrap:\n    def __init__(self, o): object.__setattr__(self, '_o', o)\n    def __getattr__(self, n): return getattr(self._o, n)\n    def __setattr__(self, n, v): setattr(self._o, n, v)",
        "class Inner: pass", "inner = Inner()", "wrap = Wrap(inner)"), (
        "wrap.x = 1", "wrap.x = getattr(inner, 'x', 0) + 1", "inner.y = [1]", "wrap.z = wrap", "wrap.q = [2]",
    ), ("wrap._o",)),
)

REFERENCES = (
    Kind("weakref", ("class Ref:\n    pass", "strong = Ref()", "weak = weakref.ref(strong)", "wset = weakref.WeakSet([strong])", "wdict = weakref.WeakValueDictionary(k=strong)",
        "wkey = weakref.WeakKeyDictionary({strong: 1})", "wprox = weakref.proxy(strong)"), (
        "wset.add(Ref())", "keep_ref = Ref(); wset.add(keep_ref)", "weak().x = 1", "wprox.y = [1]", "wdict['k'].z = 1", "wkey[strong] += 1",
        "strong = Ref(); wset.add(strong); wdict['n'] = strong; wkey[strong] = 2; weak = weakref.ref(strong); wprox = weakref.proxy(strong)",
        "other_r = weak(); wdict['o'] = other_r", "wset.discard(strong)",
    ), ("len(wset)", "weak() is strong"), ("import weakref",)),
    Kind("weakref callback", ("fired = []", "class Watched:\n    pass", "wat = Watched()", "wref = weakref.ref(wat, lambda r: fired.append('gone'))", "fin = weakref.finalize(wat, fired.append, 'final')"), (
        "wat = Watched()", "wat.x = 1", "fin.detach()", "fin()", "wat = Watched(); fin = weakref.finalize(wat, fired.append, 'again')", "del wat; wat = None",
    ), ("fin.alive",), ("import weakref",)),
    Kind("module", ("mod = types.ModuleType('own_mod')", "sys.modules['own_mod'] = mod", "exec('items = []\\ncount = 0\\ndef push(v):\\n    global count\\n    count += 1\\n    items.append(v)\\n', mod.__dict__)"), (
        "mod.push(1)", "mod.items.append(2)", "mod.new = {}", "import own_mod; own_mod.count += 1", "from own_mod import items as mod_items; mod_items.append('i')",
        "mod.push = lambda v: None", "list(map(mod.push, 'ab'))",
    ), ("mod.count",), ("import types, sys",)),
    Kind("module file", ("pathlib.Path('filemod.py').write_text('state = []\\nhits = 0\\ndef hit():\\n    global hits\\n    hits += 1; state.append(hits)\\n    return hits\\nclass K:\\n    made = 0\\n    def __init__(self): K.made += 1\\n')", "sys.path.insert(0, '.')", "import filemod"), (
        "filemod.hit()", "filemod.K()", "filemod.state.append('x')", "import filemod as fm2; fm2.hits = 50", "from filemod import hit; hit()",
        "importlib.reload(filemod)", "filemod.K.extra = 1",
    ), ("filemod.hits",), ("import sys, importlib, pathlib",)),
    Kind("failing import", ("pathlib.Path('filemod_half.py').write_text('import builtins, json\\nbuiltins.half_mark = [1]\\njson.half_too = [2]\\n1 / 0\\n')",
        "pathlib.Path('filemod_marks.py').write_text('import builtins\\nbuiltins.whole_mark = [1]\\nstate = []\\n')", "sys.path.insert(0, '.')", "marked = []"), (
        "try:\n    import filemod_half\nexcept ZeroDivisionError: pass", "import filemod_marks; filemod_marks.state.append(1)",
        "with contextlib.suppress(ZeroDivisionError): import filemod_half", "marked.append(hasattr(json, 'half_too'))",
    ), ("len(marked)",), ("import sys, pathlib, contextlib, json",)),
    Kind("exec namespace", ("space = {}", "exec('tot = 0\\ndef inc():\\n    global tot\\n    tot += 1\\n    return tot', space)", "inc = space['inc']"), (
        "inc()", "space['inc']()", "exec('tot += 5', space)", "eval('inc()', space)", "exec('lst_in = [1]', space)",
    ), ("space['tot']",)),
    Kind("library attribute", ("import string, json", "old_digits = string.digits"), (
        "string.digits = '01'", "string.mine = [1]", "json.mine_too = 1", "setattr(string, 'via', 2)", "string.Template.extra_attr = 1",
    ), ("string.digits",)),
    Kind("builtins", ("import builtins",), (
        "builtins.my_extra = 5", "vars(builtins)['my_other'] = []", "setattr(builtins, 'my_extra', 6)",
    ), ("len('abc')",)),
    Kind("patch", ("class Svc:\n    def call(self): return 'real'", "svc = Svc()", "patcher = mock.patch.object(Svc, 'call', return_value='fake')", "fake = mock.Mock(return_value=1)"), (
        "fake()", "fake(2, k=3)", "patcher.start(); svc.call(); patcher.stop()", "fake.attr.deep = 1", "patcher.start()",
    ), ("fake.called",), ("from unittest import mock",)),
)
