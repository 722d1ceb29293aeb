"""Cells that ask who refers to an object, and for how long: weak references, counts, the collector."""

from __future__ import annotations

PRELUDE = """
import gc, sys, weakref
class Thing:
    def __init__(self, name="thing"): self.name = name
def gone(name): print("gone:", name)
"""

REFERENCES: dict[str, tuple[str, ...]] = {
    "a weak reference after del and collect": ("b = Thing()\nr = weakref.ref(b)\nprint(r() is b)\ndel b\ngc.collect()\nprint(r())",),
    "a weak reference at once": ("b = Thing()\nr = weakref.ref(b)\ndel b\nprint(r())\nb = Thing()\nr = weakref.ref(b)\nb = 1\nprint(r())",),
    "a weak reference over cells": ("b = Thing()\nr = weakref.ref(b)", "c = b", "del b\nprint(r() is None)", "c = 0\nprint(r() is None)"),
    "a weak reference's callback": ("b = Thing()\nr = weakref.ref(b, lambda r: print('dead'))\nprint('made')\nb = None\nprint('after')",),
    "weak references to several kinds": (
        "def f(): pass\nclass C: pass\nclass L(list): pass\nclass D(dict): pass\nimport array\n"
        "made = {'f': f, 's': {1}, 'C': C(), 'L': L(), 'D': D(), 'a': array.array('i', [1]), 'm': sys.__class__('m')}\n"
        "refs = {k: weakref.ref(v) for k, v in made.items()}\nmade.clear()\ndel f\nprint([k for k, r in refs.items() if r() is not None])",
    ),
    "a weak reference to an array, a frame and an estimator": (
        "import numpy as np, pandas as pd\nfrom sklearn.linear_model import LinearRegression\n"
        "a, f, m = np.ones(3), pd.DataFrame({'a': [1]}), LinearRegression()\nrefs = [weakref.ref(o) for o in (a, f, m)]",
        "a = a + 1\nf = f.assign(b=2)\nm = m.fit([[1], [2]], [1, 2])\nprint([r() is None for r in refs])",
        "a[0] = 5\nf['c'] = 1\nprint([r() is None for r in refs])",
        "del a, f, m\ngc.collect()\nprint([r() is None for r in refs])",
    ),
    "finalizers in their order": ("a, b = Thing('a'), Thing('b')\nfor o in (a, b): weakref.finalize(o, gone, o.name)\ndel o\nb = 0\nprint('b')\na = 0\nprint('a')",),
    "a finalizer is alive as long as its object": ("a = Thing()\nf = weakref.finalize(a, gone, 'a')\nprint(f.alive)\na = 1\nprint(f.alive)",),
    "a WeakValueDictionary": ("d = weakref.WeakValueDictionary()\nd['a'] = a = Thing()\nd['b'] = Thing()\nprint(sorted(d))\na = None\nprint(sorted(d), len(d))",),
    "a WeakKeyDictionary": ("d = weakref.WeakKeyDictionary()\na, b = Thing(), Thing()\nd[a], d[b] = 1, 2\nprint(len(d))\ndel a\nprint(len(d))\nb = []\nprint(len(d))",),
    "a WeakSet in a loop": ("s = weakref.WeakSet()\nfor i in range(5):\n    t = Thing(i)\n    s.add(t)\nprint(len(s))\ndel t\nprint(len(s))",),
    "a WeakMethod and a proxy": ("t = Thing()\np = weakref.proxy(t)\nThing.m = lambda self: 1\nw = weakref.WeakMethod(t.m)\nprint(p.name, w()())\ndel t\nprint(w())\ntry: p.name\nexcept ReferenceError: print('no more')",),
    "a cache of weak values": ("cache = weakref.WeakValueDictionary()\ndef get(k):\n    if k not in cache: print('makes', k)\n    return cache.setdefault(k, Thing(k))\na = get(1)\nb = get(1)\ndel a, b\na = get(1)",),
    "reference counts": ("a = Thing()\nprint(sys.getrefcount(a))\nb = a\nprint(sys.getrefcount(a))\nl = [a, a]\nprint(sys.getrefcount(a))\ndel b, l\nprint(sys.getrefcount(a))",),
    "reference counts of containers": ("l, d, s = [1], {'a': 1}, {1}\nprint(sys.getrefcount(l), sys.getrefcount(d), sys.getrefcount(s))\nl.append(2); d['b'] = 2; s.add(3)\nprint(sys.getrefcount(l), sys.getrefcount(d), sys.getrefcount(s))",),
    "reference counts of arrays and frames": (
        "import numpy as np, pandas as pd\na, f = np.ones(3), pd.DataFrame({'a': [1, 2]})",
        "print(sys.getrefcount(a), sys.getrefcount(f))\na += 1\nf['a'] = 3\nprint(sys.getrefcount(a), sys.getrefcount(f))",
        "print(sys.getrefcount(a), sys.getrefcount(f))",
    ),
    "reference counts of functions, classes and strings": (
        "def f(): pass\nclass C: pass\ns = 'a b' * 3\nb = b'x' * 5\nn = 10 ** 20",
        "print(*map(sys.getrefcount, (f, C, s, b, n)))\nf.x = 1\nC.y = 2\nprint(*map(sys.getrefcount, (f, C, s, b, n)))",
    ),
    "who refers to an object": ("a = Thing()\nl = [a]\nprint(len(gc.get_referrers(a)))\nprint([type(o).__name__ for o in gc.get_referrers(l)])\nl.append(1)\nprint(len(gc.get_referrers(a)))",),
    "who refers to what earlier cells made": ("a = {'k': Thing()}", "a['j'] = 1", "print(sorted(type(o).__name__ for o in gc.get_referrers(a['k'])))", "print(len(gc.get_referrers(a)))"),
    "how many objects of a class there are": ("made = [Thing(i) for i in range(5)]", "made.pop()\nprint(sum(type(o) is Thing for o in gc.get_objects()))\nmade = made[:2]\nprint(sum(type(o) is Thing for o in gc.get_objects()))"),
    "what a collection finds": ("gc.collect()\nfor i in range(10):\n    t = Thing(); t.me = t\ndel t\nprint(gc.collect())\nprint(gc.collect())",),
    "garbage that is kept": ("gc.collect()\ngc.set_debug(gc.DEBUG_SAVEALL)\nt = Thing(); t.me = t\ndel t\ngc.collect()\ngc.set_debug(0)\nprint([type(o).__name__ for o in gc.garbage if type(o) is Thing])\ngc.garbage.clear()",),
    "sizes": ("l, d, s = [], {}, set()\nprint(sys.getsizeof(l), sys.getsizeof(d), sys.getsizeof(s))\nfor i in range(9): l.append(i); d[i] = i; s.add(i)\nprint(sys.getsizeof(l), sys.getsizeof(d), sys.getsizeof(s))\nl.pop()\nprint(sys.getsizeof(l))\nl.clear()\nprint(sys.getsizeof(l), sys.getsizeof(Thing()))\nprint(sys.getsizeof(vars(Thing())))",),
    "sizes of objects over cells": ("t = Thing()\nprint(sys.getsizeof(t), sys.getsizeof(t.__dict__))", "t.x = 1\nprint(sys.getsizeof(t.__dict__))", "del t.x\nprint(sys.getsizeof(t.__dict__))"),
    "identity is kept": ("l = [1]\nbefore = id(l)\nl.append(2)\nl[:] = [3]\nprint(id(l) == before)", "l += [4]\nprint(id(l) == before)\na = b = {}\na['x'] = 1\nprint(a is b, b)"),
    "what is tracked by the collector": ("d = {'a': 1}\nt = (1, 2)\nl = [1]\nprint(gc.is_tracked(l), gc.is_tracked(1), gc.is_tracked('a'))\nd['b'] = []\nprint(gc.is_tracked(d))",),
    "locals and globals": ("x = 1\nprint('x' in globals(), 'x' in vars(), sorted(k for k in globals() if 'reflex' in k.lower()))\nprint(sorted(k for k in globals() if not k.startswith('_'))[:40])",),
    "the call stack": ("import inspect\nprint([f.function for f in inspect.stack()][:3])\nprint(sys._getframe().f_back.f_code.co_name)",),
    "an object whose every method is watched": (
        "calls = []\nclass Spy:\n    def __getattribute__(self, n): calls.append(n); return object.__getattribute__(self, n)\n"
        "    def __eq__(self, o): calls.append('eq'); return True\n    def __hash__(self): calls.append('hash'); return 1\n"
        "    def __len__(self): calls.append('len'); return 0\n    def __iter__(self): calls.append('iter'); return iter(())\n"
        "    def __bool__(self): calls.append('bool'); return True\n    def __reduce_ex__(self, n): calls.append('reduce'); return (Spy, ())\n"
        "    def __copy__(self): calls.append('copy'); return self\n    def __deepcopy__(self, m): calls.append('deepcopy'); return self\n"
        "    def __sizeof__(self): calls.append('sizeof'); return 1\n    def __dir__(self): calls.append('dir'); return []",
        "spy = Spy()\nspy.x = 1\nheld = [spy, {'k': spy}]\nother = {spy: 1}\nprint(calls)",
        "held.append(spy)\nprint(calls)", "spy.x\nother[spy]\nspy2 = spy\nprint(calls)", "del spy, spy2\nheld.clear()\nprint(calls)",
    ),
    "a dict, a list and a set with watched methods": (
        "calls = []\ndef watched(base):\n    def method(n):\n        def m(self, *a, **k):\n            calls.append(n)\n            return getattr(base, n)(self, *a, **k)\n        return m\n"
        "    names = [n for n in ('__iter__', '__len__', '__contains__', '__getitem__', 'copy', 'items', 'keys', 'values', '__eq__', '__reduce_ex__') if hasattr(base, n)]\n"
        "    return type('W' + base.__name__, (base,), {n: method(n) for n in names})\nd, l, s = watched(dict)(a=1), watched(list)([1]), watched(set)([1])",
        "d['b'] = 2\nl.append(2)\ns.add(2)\nprint(calls)", "print(len(l), calls)", "d.pop('b')\nl.clear()\ns.clear()\nprint(calls)",
    ),
    "a descriptor and a metaclass that are watched": (
        "calls = []\nclass Desc:\n    def __get__(self, o, t): calls.append('get'); return 1\n    def __set__(self, o, v): calls.append('set')\n"
        "class Meta(type):\n    def __getattribute__(c, n): calls.append(n); return type.__getattribute__(c, n)\n    def __instancecheck__(c, o): calls.append('isinstance'); return True\n"
        "class A(metaclass=Meta):\n    d = Desc()\n    @property\n    def p(self): calls.append('p'); return 1\ncalls.clear()",
        "a = A()\na.y = 1\nprint(calls)", "held = [a, A]\nheld.append(2)\nprint(calls)", "a.d\na.p\nprint(calls)",
    ),
}  # fmt: skip
