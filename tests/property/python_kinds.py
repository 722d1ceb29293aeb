"""Kinds of objects that Python has by itself: containers, buffers, iterators, functions, classes."""

from __future__ import annotations

from tests.property.kind import Kind

# A table: what makes one, what changes it, what looks at it, what it needs.
# fmt: off
CONTAINERS = (
    Kind("list", ("lst = [1, [2], 'x']", "lst_too = lst"), (
        "lst.append(3)", "lst[1].append(4)", "lst_too += [5]", "lst[:] = lst[::-1]", "lst.insert(0, lst.pop())",
        "lst.sort(key=str)", "lst.extend(range(2))", "lst *= 2", "del lst[1:2]; lst.append([9])", "lst = lst + [1]",
    ), ("len(lst)", "lst[0]", "sorted(map(str, lst))", "lst is lst_too")),
    Kind("tuple", ("tup = ([1], {'k': []})",), (
        "tup[0].append(2)", "tup[1]['k'].append(1)", "tup[1]['n'] = 5", "tup = (*tup[:2], 3)",
        "first, *rest = tup", "tup[0] and tup[0].clear()",
    ), ("len(tup)", "tup[:1]")),
    Kind("dict", ("dct = {'a': 1, 'b': [2], 'c': {}}",), (
        "dct['z'] = 1", "dct['a'] = dct.pop('a', 0) + 1", "dct.setdefault('b', []).append(3)", "dct.update(q=1, a=2)",
        "dct |= {'m': 1}", "dct = {k: dct[k] for k in reversed(dct)}", "dct.pop('c', None)", "dct.popitem(); dct['a'] = 0",
        "dct = dict(sorted(dct.items()))", "[dct.__setitem__(n, n) for n in 'xy']",
    ), ("list(dct)", "dct.get('a')", "'b' in dct")),
    Kind("set", ("st = {1, 'a', (2, 3)}", "st_too = st"), (
        "st.add(7)", "st.discard(1)", "st |= {8, 9}", "st_too ^= {1, 5}", "st.intersection_update({1, 'a', 7})",
    ), ("len(st)", "1 in st", "st == st_too")),
    Kind("frozenset", ("fz = frozenset({1, 2})", "fz_in = {fz: [1]}"), (
        "fz |= {3}", "fz_in[frozenset({1, 2})].append(2)", "fz_in[fz] = 0",
    ), ("len(fz)",)),
    Kind("deque", ("dq = collections.deque([1, 2, 3], maxlen=5)",), (
        "dq.append(4)", "dq.appendleft(0)", "dq.rotate(1)", "dq.popleft(); dq.append(8)", "dq.extend([6, 7])",
        "dq.reverse()", "dq[0] = 'x'",
    ), ("dq.maxlen", "dq[0]"), ("import collections",)),
    Kind("defaultdict", ("dd = collections.defaultdict(list, a=[1])",), (
        "dd['b'].append(1)", "dd['missing']", "dd['a'].append(2)", "dd.default_factory = dict; dd['d']; dd.default_factory = list",
        "len(dd[str(len(dd))])",
    ), ("len(dd)",), ("import collections",)),
    Kind("Counter", ("cnt = collections.Counter('abca')",), (
        "cnt.update('bb')", "cnt['z'] += 1", "cnt.subtract('a')", "cnt += collections.Counter('q')", "del cnt['a']",
    ), ("cnt.most_common(1)",), ("import collections",)),
    Kind("OrderedDict", ("od = collections.OrderedDict(a=1, b=2, c=3)",), (
        "od.move_to_end('a')", "od['d'] = 4", "od.popitem(last=False); od['a'] = 1", "od.update(a=9)",
    ), ("list(od)",), ("import collections",)),
    Kind("ChainMap", ("low = {'a': 1}", "cm = collections.ChainMap({}, low)"), (
        "cm['x'] = 1", "low['b'] = 2", "cm = cm.new_child({'n': 1})", "cm.maps[0]['y'] = 3",
    ), ("cm['a']",), ("import collections",)),
    Kind("heap", ("heap = [5, 1, 4]", "heapq.heapify(heap)"), (
        "heapq.heappush(heap, 3)", "heapq.heappushpop(heap, 2)", "heapq.heapreplace(heap, 9)", "bisect.insort(heap, 6)",
    ), ("heap[0]",), ("import heapq, bisect",)),
    Kind("namedtuple", ("Point = collections.namedtuple('Point', 'x y', defaults=[0])", "pt = Point([1], 2)"), (
        "pt.x.append(2)", "pt = pt._replace(y=5)", "Point.extra = 1", "Point.__doc__ = 'changed'",
    ), ("pt.y",), ("import collections",)),
    Kind("UserDict", ("ud = collections.UserDict(a=[1])", "ul = collections.UserList([1, 2])"), (
        "ud['b'] = 1", "ud['a'].append(2)", "ul.append(3)", "ul += [4]", "ud.data = dict(ud.data)",
    ), ("len(ud)",), ("import collections",)),
    Kind("SimpleNamespace", ("sns = types.SimpleNamespace(a=1, b=[1])",), (
        "sns.c = 1", "sns.b.append(2)", "vars(sns)['d'] = 3", "sns.__dict__.update(a=7)", "setattr(sns, 'e', [])",
    ), ("sns.a",), ("import types",)),
    Kind("recursive", ("rec = []", "rec.append(rec)", "loop = {'self': None}", "loop['self'] = loop"), (
        "rec.append(1)", "loop['n'] = rec", "rec[0].append(loop)",
    ), ("len(rec)",)),
)

BUFFERS = (
    Kind("bytearray", ("ba = bytearray(b'abc')", "mv = memoryview(bytearray(b'12345'))"), (
        "ba += b'd'", "ba[0:1] = b'zz'", "mv[0:2] = b'xx'", "mv[1] = 65", "ba.reverse()",
    ), ("bytes(mv)",)),
    Kind("array.array", ("aa = array.array('d', [1, 2, 3])",), (
        "aa.append(4)", "aa[0] = 9.5", "aa.extend([1.0])", "aa.reverse()", "aa[0:2] = array.array('d', [7])",
    ), ("aa.tolist()",), ("import array",)),
    Kind("StringIO", ("sio = io.StringIO('line one\\nline two\\n')",), (
        "sio.readline()", "sio.write('more')", "sio.seek(0)", "sio.truncate(4)", "print('x', file=sio)",
        "next(sio, None)",
    ), ("sio.tell()",), ("import io",)),
    Kind("BytesIO", ("bio = io.BytesIO(b'0123456789')", "bio_view = None"), (
        "bio.read(2)", "bio.write(b'zz')", "bio.seek(1)", "bio.getbuffer()[0] = 66", "bio.truncate(6)",
    ), ("bio.getvalue()",), ("import io",)),
    Kind("struct and ctypes", ("ct = (ctypes.c_int * 3)(1, 2, 3)", "cint = ctypes.c_long(5)"), (
        "ct[0] = 9", "cint.value += 1", "struct.pack_into('i', ct, 4, 77)",
    ), ("list(ct)",), ("import ctypes, struct",)),
    Kind("mmap", ("mm = mmap.mmap(-1, 16)",), (
        "mm[0:3] = b'abc'", "mm.write(b'q')", "mm.seek(2)",
    ), ("mm[:4]",), ("import mmap",)),
)

ITERATORS = (
    Kind("list iterator", ("src = [1, 2, 3, 4, 5, 6, 7, 8, 9]", "li = iter(src)"), (
        "next(li)", "src.append(10)", "head, second = next(li), next(li)", "next(li, None); src.insert(0, 0)",
        "[v for v, _ in zip(li, range(2))]",
    ), ("li.__length_hint__()",)),
    Kind("generator", ("seen_g = []", "gen = (seen_g.append(n) or n for n in range(50))"), (
        "next(gen)", "for gval in gen: break", "gtake = [next(gen) for _ in range(2)]", "ga, gb = next(gen), 1",
        "any(v > 3 for v in gen)", "3 in gen",
    ), ("gen.gi_running",)),
    Kind("generator function", ("def counter_g(start):\n    total = start\n    while True:\n        got = yield total\n        total += got or 1",
        "cg = counter_g(1)"), (
        "next(cg)", "cg.send(None)", "[next(cg) for _ in range(2)]", "cg = counter_g(7)", "dict(zip('ab', cg))",
    ), ("cg.gi_frame is None",)),
    Kind("itertools", ("ic = itertools.count(3, 2)", "cy = itertools.cycle('abc')", "ich = itertools.chain([1, 2], 'xyz', range(9))",
        "tee_a, tee_b = itertools.tee(iter(range(30)))"), (
        "next(ic)", "next(cy)", "next(ich)", "next(tee_a)", "next(tee_b)", "list(itertools.islice(ic, 2))",
        "lim = itertools.islice(ich, 2); next(lim)", "dict(zip(ic, 'ab'))",
    ), ("repr(ic)",), ("import itertools",)),
    Kind("enumerate and zip", ("base_z = iter('abcdefghijk')", "en = enumerate('stuvwxyz')", "zp = zip(base_z, range(99))",
        "mp = map(str.upper, iter('lmnopqrst'))", "fl = filter(None, iter([0, 1, 0, 2, 0, 3, 4, 5, 6]))", "rv = reversed([1, 2, 3, 4, 5, 6])"), (
        "next(en)", "next(zp)", "next(mp)", "next(fl)", "next(rv)", "next(base_z)", "dict([next(zp)])", "pos, letter = next(en)",
    )),
    Kind("dict iterator", ("idct = dict.fromkeys(range(40))", "dki = iter(idct)", "dvi = iter(idct.items())", "sti = iter(frozenset(range(30)))",
        "dqi = iter(collections.deque(range(30)))", "rgi = iter(range(40))", "bsi = iter(b'abcdefghijkl')"), (
        "next(dki)", "next(dvi)", "next(sti)", "next(dqi)", "next(rgi)", "next(bsi)", "max(next(dki), next(rgi))",
    ), (), ("import collections",)),
    Kind("sentinel iterator", ("pool = list(range(40))", "sen = iter(pool.pop, 3)", "grp = itertools.groupby('aabbbcdddeef')",
        "acc = itertools.accumulate(iter(range(30)))", "pw = itertools.product('ab', 'cde')"), (
        "next(sen)", "next(grp)", "next(acc)", "next(pw)", "key, part = next(grp); list(part)",
    ), (), ("import itertools",)),
    Kind("own iterator", ("class Steps:\n    def __init__(self): self.n = 0; self.log = []\n    def __iter__(self): return self\n"
        "    def __next__(self):\n        self.n += 1; self.log.append(self.n)\n        if self.n > 90: raise StopIteration\n        return self.n",
        "steps = Steps()"), (
        "next(steps)", "for one in steps: break", "sa, sb = next(steps), next(steps)", "min(next(steps), 3)", "5 in steps",
        "tot = sum(v for _, v in zip(range(2), steps))",
    ), ("steps.n",)),
    Kind("csv reader", ("rows = csv.reader(io.StringIO('a,b\\n1,2\\n3,4\\n5,6\\n7,8\\n9,9\\n'))", "table_out = io.StringIO()",
        "wr = csv.writer(table_out)", "drd = csv.DictReader(io.StringIO('a,b\\n1,2\\n3,4\\n5,6\\n7,8\\n1,1\\n1,3\\n'))"), (
        "next(rows)", "wr.writerow([1, 2])", "next(drd)", "header = next(rows, None)",
    ), ("rows.line_num",), ("import csv, io",)),
    Kind("regex", ("finder = re.finditer('[a-z]+', 'one two three four five six seven')", "scan = re.compile('.').scanner('abcdefgh')"), (
        "next(finder).group()", "scan.match()", "hit = next(finder)",
    ), (), ("import re",)),
    Kind("exhausted", ("few = iter([1, 2])", "few_g = (n for n in [1])", "few_m = map(str, [1, 2])"), (
        "list(few)", "list(few_g)", "list(few_m)", "next(few, None)", "next(few_g, None)", "sum(1 for _ in few)",
    )),
)
