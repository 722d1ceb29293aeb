"""Each way in which an object can come to its end, told by the object itself."""

from __future__ import annotations

PRELUDE = """
import collections, contextlib, copy, functools, gc, weakref
class Told:
    def __init__(self, name): self.name = name
    def __del__(self): print("ends", self.name)
    def __repr__(self): return f"<{self.name}>"
"""

ENDS: dict[str, tuple[str, ...]] = {
    "a name is bound again": ("a = Told('one')\nprint('between')\na = Told('two')\nprint('after')\na = 3\nprint('last')",),
    "a name is bound again in a later cell": ("a = Told('one')", "a = Told('two')\nprint('after')", "a = None\nprint('last')"),
    "a name is deleted": ("a = Told('one')\nb = a\ndel a\nprint('still')\ndel b\nprint('gone')",),
    "several names are deleted at once": ("a, b, c = Told(1), Told(2), Told(3)", "del c, a, b\nprint('gone')"),
    "a name is bound by an operation on itself": (
        "class Sum(Told):\n    def __add__(self, other): return Sum(self.name + other)\n"
        "x = Sum(1)\nx = x + 1\nprint('a')\nx = x + 1\nprint('b')\nx += 1\nprint('c')",
    ),
    "two names are swapped and one is bound again": ("a, b = Told('a'), Told('b')\na, b = b, a\nb = 1\nprint('first')\na = 2\nprint('second')",),
    "names are unpacked over others": ("a, b = Told(1), Told(2)", "a, *b = Told(3), Told(4), Told(5)\nprint('after')\nb[0] = 0\nprint('end')"),
    "a loop's variable": ("for each in map(Told, 'abc'):\n    print('in', each)\nprint('after')\ndel each\nprint('end')",),
    "a loop's variable is bound by a later loop": ("for each in map(Told, 'ab'): pass\nprint('one')\nfor each in range(2): print(each)",),
    "a comprehension": ("names = [o.name for o in map(Told, 'abc')]\nprint(names)\ntotal = sum(Told(i).name for i in range(3))\nprint(total)",),
    "an expression that nobody keeps": ("Told('x').name\nprint('after')\nTold('y');\nprint('end')",),
    "a function's locals": ("def f():\n    a, b = Told('a'), Told('b')\n    print('in f')\n    return b\nc = f()\nprint('back')\nc = 0\nprint('end')",),
    "a function's default is replaced": ("def f(a=Told('default')): pass", "f.__defaults__ = (0,)\nprint('replaced')"),
    "a function is defined anew": ("def f(a=Told('default')): pass", "def f(): pass\nprint('anew')"),
    "a closure": ("def outer():\n    o = Told('closed over')\n    return lambda: o.name\nf = outer()\nprint(f())\nf = None\nprint('end')",),
    "a lambda's default": ("f = lambda o=Told('o'): o.name\nf()\ndel f\nprint('end')",),
    "a partial": ("f = functools.partial(print, Told('argument'))\nf()\nf = functools.partial(print, 'other')\nprint('end')",),
    "a class is defined anew": ("class A:\n    kept = Told('attribute')\nA", "%reset_selective -f ^_\nA = None\nprint(gc.collect() >= 0)"),
    "an attribute is replaced": ("class A: pass\na = A()\na.x = Told(1)\na.x = Told(2)\nprint('replaced')\ndel a.x\nprint('deleted')",),
    "attributes end with their owner": ("class A: pass\na = A()\na.x, a.y = Told('x'), Told('y')", "del a\nprint('end')"),
    "slots end with their owner": ("class A:\n    __slots__ = ('x', 'y')\na = A()\na.x, a.y = Told('x'), Told('y')\na.x = 0\nprint('x')\ndel a\nprint('end')",),
    "an instance's dictionary is cleared": ("class A: pass\na = A()\na.x, a.y = Told('x'), Told('y')", "vars(a).clear()\nprint('end')"),
    "a class's attribute is replaced": ("class A: x = Told('old')", "A.x = Told('new')\nprint('set')\ndel A.x\nprint('end')"),
    "an element of a list is replaced": ("o = [Told(i) for i in range(3)]", "o[1] = 0\nprint('set')\ndel o[0]\nprint('deleted')\no.pop()\nprint('popped')"),
    "a list is cleared": ("o = [Told(i) for i in range(3)]", "o.clear()\nprint('cleared')"),
    "a slice is replaced": ("o = [Told(i) for i in range(5)]", "o[1:3] = [Told('new')]\nprint('set')\no[:] = []\nprint('end')"),
    "a slice is deleted": ("o = [Told(i) for i in range(5)]\ndel o[::2]\nprint('deleted')\ndel o[:]\nprint('end')",),
    "a list is extended and cut": ("o = []\no.append(Told('a'))\no.extend([Told('b'), Told('c')])\no.remove(o[1])\nprint('removed')\no *= 0\nprint('end')",),
    "a value of a dict is replaced": ("d = {'k': Told(1)}\nd['k'] = Told(2)\nprint('set')\nd.update(k=Told(3))\nprint('updated')\nd |= {'k': 0}\nprint('end')",),
    "a key of a dict is deleted": ("d = {Told(0): Told(1), 2: Told(3)}", "del d[2]\nprint('deleted')\nd.popitem()\nprint('end')"),
    "a dict is cleared": ("d = {i: Told(i) for i in range(3)}", "d.clear()\nprint('cleared')\nd.setdefault('x', Told('x'))\nd.pop('x')\nprint('end')"),
    "a member of a set is removed": ("s = {Told('only')}", "s.pop()\nprint('popped')\ns.add(Told('next'))\ns.clear()\nprint('end')"),
    "a deque that is full": ("q = collections.deque(maxlen=2)\nfor i in range(4): q.append(Told(i))\nprint('full')\nq.rotate()\nq.popleft()\nprint('end')\nq.clear()",),
    "a defaultdict, a Counter and an OrderedDict": (
        "d = collections.defaultdict(lambda: Told('made'))\nd[0]\nd[0] = 1\nprint('set')\n"
        "o = collections.OrderedDict(a=Told('a'), b=Told('b'))\no.move_to_end('a')\no.popitem()\nprint('popped')\no.clear()\nprint('end')",
    ),
    "a chain of objects": ("class A:\n    def __init__(self, n): self.next, self.told = n, Told(n and n.told.name + 1 or 0)\na = None\nfor i in range(4): a = A(a)", "a = a.next\nprint('one')\na = None\nprint('end')"),
    "a cycle, when it is collected": ("a, b = Told('a'), Told('b')\na.other, b.other = b, a\ndel a, b\nprint('deleted')\ngc.collect()\nprint('collected')",),
    "a cycle in a later cell": ("a = Told('a')\na.me = a", "a = None\nprint('bound')\nprint(gc.collect() > 0)\nprint('end')"),
    "a generator is closed": ("def g():\n    o = Told('inside')\n    try:\n        yield 1\n        yield 2\n    finally:\n        print('closes')\nit = g()\nprint(next(it))\nit.close()\nprint('closed')",),
    "a generator is let go of": ("def g():\n    o = Told('inside')\n    try:\n        yield 1\n    finally:\n        print('closes')\nit = g()\nnext(it)", "it = None\nprint('end')"),
    "a generator is exhausted": ("def g():\n    for n in 'ab':\n        yield Told(n)\nit = g()\nfor o in it: print(o)\ndel o\nprint('end')",),
    "an iterator over a list": ("it = iter([Told(1), Told(2)])\nnext(it)\nprint('next')\nlist(it)\nprint('list')\ndel it\nprint('end')",),
    "zip, map and filter": ("z = zip(map(Told, 'ab'), 'cd')\nnext(z)\nprint('one')\nz = filter(None, [Told('f')])\nprint('two')\nz = None\nprint('end')",),
    "a with statement": (
        "class C(Told):\n    def __enter__(self): return Told('entered')\n    def __exit__(self, *a): print('exits')\n"
        "with C('manager') as e: print('in', e)\nprint('after')\ne = None\nprint('end')",
    ),
    "an ExitStack": ("with contextlib.ExitStack() as stack:\n    stack.callback(print, Told('argument'))\n    stack.enter_context(contextlib.closing(open(__import__('os').devnull)))\nprint('after')\ndel stack\nprint('end')",),
    "an exception that is swallowed": ("def f():\n    o = Told('local')\n    raise ValueError(Told('argument'))\ntry:\n    f()\nexcept ValueError as e:\n    print('caught', e)\nprint('after')",),
    "an exception that is kept": ("def f():\n    o = Told('local')\n    1 / 0\ntry:\n    f()\nexcept ZeroDivisionError as e:\n    kept = e\nprint('kept')\nkept.__traceback__ = None\nprint('no traceback')\nkept = None\nprint('end')",),
    "exceptions that are suppressed": ("with contextlib.suppress(KeyError):\n    o = Told('o')\n    {}[Told('key')]\nprint('after')\no = 0\nprint('end')",),
    "an exception with a cause": ("try:\n    try: raise KeyError(Told('cause'))\n    except KeyError as e: raise ValueError from e\nexcept ValueError: print('caught')\nprint('end')",),
    "a copy": ("a = Told('a')\nb = copy.copy(a)\nb.name = 'b'\ndel a\nprint('one')\nb = [copy.deepcopy(b)]\nprint('two')\nb.clear()\nprint('end')",),
    "a tuple and a frozenset": ("t = (Told(1), frozenset([Told(2)]))\nt = t[1:]\nprint('cut')\nt = None\nprint('end')",),
    "a property's cache": ("class A:\n    @functools.cached_property\n    def x(self): return Told('x')\na = A()\na.x\nprint('cached')\ndel a.x\nprint('deleted')",),
    "an lru_cache": ("@functools.lru_cache(maxsize=1)\ndef f(n): return Told(n)\nf(1); f(2);\nprint('full')\nf.cache_clear()\nprint('cleared')",),
    "a bound method": ("m = Told('self').__repr__\nprint(m())\nm = None\nprint('end')",),
    "names in globals()": ("globals()['x'] = Told('x')\nprint('set')\nglobals().pop('x')\nprint('popped')\nexec('y = Told(1); y = 2')\nprint('end')",),
    "a walrus": ("print(x := Told(1))\nprint((x := 2))\nif (x := Told(3)): print('true')\nx = 0",),
    "augmented assignments": ("o = [Told(1)]\no += [Told(2)]\no[0] = o[0].name\nprint('set')\no[1] = 0\nprint('end')",),
    "a match statement": ("match {'k': Told('v')}:\n    case {'k': v}: print(v)\nprint('after')\nv = 0\nprint('end')",),
    "an object that comes back to life": ("class Back(Told):\n    def __del__(self):\n        global back\n        print('comes back')\n        back = self\nb = Back('b')\ndel b\nprint(back)\nprint('end')",),
    "a finalizer that binds and prints": ("log = []\nclass L:\n    def __del__(self): log.append(len(log)); print('end', log)\nfor i in range(3): l = L()\nprint(log)\ndel l\nprint(log)",),
    "a result that is shown and overwritten": ("Told('shown')", "1", "2", "3\n", "Out.clear()\nprint('cleared')", "4"),
    "objects that were made in a cell that failed": ("t = Told('t')\nu = [t]\n1 / 0", "import sys\nprint('next')\nt = None\nu.clear()\nprint('end')"),
    "names that %reset takes away": ("a, b = Told('a'), [Told('b')]\nTold('shown')", "%reset -f", "print(1)"),
    "a module of one's own": ("import types\nm = types.ModuleType('m')\nm.o = Told('o')\nm.o = Told('p')\nprint('set')\ndel m\nprint('end')",),
    "a chain of finalizers": ("class N:\n    def __init__(self, n): self.n = n; self.next = N(n - 1) if n else None\n    def __del__(self): print('ends', self.n)\nn = N(3)", "n.next = None\nprint('cut')\nn = 0\nprint('end')"),
}  # fmt: skip
