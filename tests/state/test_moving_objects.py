"""Objects of C that move when they are used: put back, or named if they may have moved; what is still is not named."""

from __future__ import annotations

import contextvars

import pytest

from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, check_read, halves

pytestmark = pytest.mark.filterwarnings("ignore")


@halves(
    Half("an iterator over a deque", "from collections import deque\nit = iter(deque([1, 2]))", "next(it)", named="it"),
    Half(
        "a backward iterator over a deque",
        "from collections import deque\nit = reversed(deque([1, 2]))",
        "next(it)",
        named="it",
    ),
    Half(
        "an iterator over an OrderedDict",
        "from collections import OrderedDict\nit = iter(OrderedDict(a=1, b=2))",
        "next(it)",
        named="it",
    ),
    Half(
        "an iterator over an array.array",
        "import array\nit = iter(array.array('b', [1, 2]))",
        "next(it)",
        "__import__('copy').copy(it).__reduce__()",
    ),
    Half(
        "an iterator over a sequence of one's own",
        "class S:\n    def __getitem__(self, n): return [1, 2, 3][n]\nit = iter(S())",
        "next(it)",
        "it.__reduce__()[2]",
    ),
    Half("iter(function, sentinel)", "items = [1, 2, 3]\nit = iter(items.pop, 0)", "next(it)", "items"),
    Half("iter(function, sentinel) that ended", "items = [1, 0]\nit = iter(items.pop, 1)", "list(it)", named="it"),
    Half("re.finditer", "import re\nit = re.finditer('.', 'abc')", "next(it)", named="it"),
    Half("a scanner of re", "import re\nit = re.compile('.').scanner('abc')", "it.match()", named="it"),
    Half(
        "re.Scanner",
        "import re\nseen = []\nit = re.Scanner([('a', lambda s, t: seen.append(t))])",
        "it.scan('aa')",
        "seen",
    ),
    Half("struct.iter_unpack", "import struct\nit = struct.iter_unpack('b', b'abc')", "next(it)", named="it"),
    Half("a csv reader over lines", "import csv\nit = csv.reader(['a,b', 'c,d'])", "next(it)", named="it"),
    Half(
        "a csv.DictReader",
        "import csv, io\nit = csv.DictReader(io.StringIO('a,b\\n1,2\\n3,4\\n'))",
        "next(it)",
        named="it",
    ),
    Half(
        "a csv writer into a text",
        "import csv, io\nout = io.StringIO()\nit = csv.writer(out); del csv",
        "it.writerow([1, 2])",
        "out.getvalue()",
    ),
    Half(
        "a csv writer that alone has its text",
        "import csv, io\nout = io.StringIO()\ntell = lambda out=out: out.getvalue()\nit = csv.writer(out); del out",
        "it.writerow([1])",
        "tell()",
    ),
    Half("a hash", "import hashlib\nit = hashlib.sha256(b'a')", "it.update(b'b')", named="it"),
    Half(
        "a hash in a dict", "import hashlib\nbox = {'h': hashlib.blake2b(b'a')}", "box['h'].update(b'b')", named="box"
    ),
    Half("a shake", "import hashlib\nit = hashlib.shake_128(b'a')", "it.update(b'b')", named="it"),
    Half("an hmac", "import hmac\nit = hmac.new(b'k', b'a', 'sha256')", "it.update(b'b')", named="it"),
    Half("a compressor of zlib", "import zlib\nit = zlib.compressobj()", "it.compress(b'a')", named="it"),
    Half(
        "a decompressor of zlib",
        "import zlib\nit = zlib.decompressobj()",
        "it.decompress(zlib.compress(b'a'))",
        named="it",
    ),
    Half("a compressor of bz2", "import bz2\nit = bz2.BZ2Compressor()", "it.compress(b'a')", named="it"),
    Half("a compressor of lzma", "import lzma\nit = lzma.LZMACompressor()", "it.compress(b'a')", named="it"),
    Half(
        "an incremental decoder of utf-8",
        "import codecs\nit = codecs.getincrementaldecoder('utf-8')()",
        "it.decode(b'\\xc3')",
        "it.getstate()",
    ),
    Half(
        "an incremental decoder of shift-jis",
        "import codecs\nit = codecs.getincrementaldecoder('shift_jis')()",
        "it.decode(b'\\x82')",
        named="it",
    ),
    Half(
        "a decoder of newlines",
        "import io\nit = io.IncrementalNewlineDecoder(None, True)",
        "it.decode('a\\r')",
        named="it",
    ),
    Half("a pickler", "import io, pickle\nout = io.BytesIO()\nit = pickle.Pickler(out)", "it.dump([1])", named="it"),
    Half(
        "a file inside a pickler",
        "import io, pickle\nout = io.BytesIO()\nit = pickle.Pickler(out)",
        "it.dump([1])",
        named="it",
    ),
    Half("a profiler", "import cProfile\nit = cProfile.Profile()", "it.runcall(len, '')", named="it"),
    Half("a SimpleQueue", "import queue\nit = queue.SimpleQueue()", "it.put(1)", named="it"),
    Half("an array of ctypes", "import ctypes\nit = (ctypes.c_int * 3)()", "it[0] = 5", named="it"),
    Half("a context of decimal", "import decimal\nit = decimal.Context(prec=5)", "it.prec = 9; it.divide(1, 3)", "it"),
    Half(
        "traps of a context of decimal",
        "import decimal\nit = decimal.Context(prec=5)",
        "it.traps[decimal.Inexact] = True",
        "it",
    ),
    Half(
        "an element of XML",
        "import xml.etree.ElementTree as E\nit = E.fromstring('<a b=\"1\"><c/></a>')",
        "it.set('b', '2'); it.text = 't'; it.append(E.Element('d')); it[0].tag = 'x'",
        "E.tostring(it)",
    ),
    Half(
        "an ElementTree",
        "import xml.etree.ElementTree as E\nit = E.ElementTree(E.fromstring('<a><c/></a>'))",
        "it.getroot().remove(it.find('c'))",
        "E.tostring(it.getroot())",
    ),
    Half("a parser of XML", "import xml.etree.ElementTree as E\nit = E.XMLPullParser()", "it.feed('<a>')", named="it"),
    Half(
        "a builder of XML", "import xml.etree.ElementTree as E\nit = E.TreeBuilder()", "it.start('a', {})", named="it"
    ),
    Half("an expat parser", "from xml.parsers import expat\nit = expat.ParserCreate()", "it.Parse('<a>')", named="it"),
    Half(
        "a context variable",
        "import contextvars\nit = contextvars.ContextVar('it'); t = it.set(1)",
        "it.set(2)",
        "it.get()",
    ),
    Half(
        "a list in a context variable",
        "import contextvars\nit = contextvars.ContextVar('it'); t = it.set([])",
        "it.get().append(2)",
        "it.get()",
    ),
    Half(
        "a context variable that had no value",
        "import contextvars\nit = contextvars.ContextVar('it')",
        "it.set(2)",
        named="it",
    ),
    Half(
        "a context",
        "import contextvars\nv = contextvars.ContextVar('v'); it = contextvars.copy_context()",
        "it.run(v.set, 2)",
        named="it",
    ),
    Half(
        "a context in which a variable is set anew",
        # empty else: what others have left here is not its own
        "import contextvars\nv = contextvars.ContextVar('v'); it = contextvars.Context(); it.run(v.set, 1)",
        "it.run(v.set, 2)",
        "it[v]",
    ),
    Half(
        "a list that is in a context alone",
        "import contextvars\ndef made():\n    it = contextvars.Context(); v = contextvars.ContextVar('v')\n"
        "    it.run(v.set, [1]); return it\nit = made()",
        "it[[*it][0]].append(2)",
        "[*it.values()]",
    ),
    Half(
        "threading.local",
        "import threading\nit = threading.local(); it.a = [1]",
        "it.a.append(2); it.b = 3",
        "it.a, hasattr(it, 'b')",
    ),
    Half(
        "random.SystemRandom with attributes",
        "import random\nit = random.SystemRandom(); it.gauss_next = None",
        "it.gauss_next = 5",
        "it.gauss_next",
    ),
    Half(
        "a generator of tokens",
        "import io, tokenize\nit = tokenize.generate_tokens(io.StringIO('a b').readline)",
        "next(it)",
        named="it",
    ),
    Half("a generator of ast.walk", "import ast\nit = ast.walk(ast.parse('a'))", "next(it)", named="it"),
    Half(
        "nodes of ast",
        "import ast\nit = ast.parse('a = 1')",
        "it.body[0].targets[0].id = 'b'; it.body.append(1)",
        "ast.dump(it) if len(it.body) == 1 else 0",
    ),
    Half(
        "a cursor of sqlite",
        "import sqlite3\ndb = sqlite3.connect(':memory:'); it = db.execute('select 1 union select 2')",
        "next(it)",
        named="it",
    ),
    Half(
        "a ZipFile", "import io, zipfile\nit = zipfile.ZipFile(io.BytesIO(), 'w')", "it.writestr('a', 'b')", named="it"
    ),
    Half(
        "a TarFile",
        "import io, tarfile\nbox = io.BytesIO(); w = tarfile.open(fileobj=box, mode='w'); "
        "w.addfile(tarfile.TarInfo('a')); w.close(); box.seek(0)\nit = tarfile.open(fileobj=box)",
        "it.getmembers()",
        "it.offset, box.tell(), len(it.members), it._loaded",
    ),
    Half(
        "an itemgetter with a list",
        "import operator\nitems = [[1], [2]]\nit = operator.methodcaller('append', items)",
        "it(items[0])",
        "len(items[0])",
    ),
    Half("zip.batched iterators", "import itertools\nit = itertools.groupby([1, 1, 2])", "next(it)", named="it"),
)
def test_an_object_of_python_that_moves_is_put_back_or_named(half: Half) -> None:
    check(half)


numpy = pytest.importorskip("numpy")


@halves(
    Half("nditer", "import numpy\nit = numpy.nditer(numpy.arange(3))", "next(it)", named="it"),
    Half(
        "nditer that was not begun",
        "import numpy\nit = numpy.nditer(numpy.arange(3)); next(it)",
        "next(it)",
        named="it",
    ),
    Half(
        "an array that only nditer has",
        "import numpy\na = numpy.arange(3)\ntell = lambda a=a: a.tolist()\n"
        "it = numpy.nditer(a, op_flags=['readwrite']); del a",
        "[x.__setitem__(..., 9) for x in it]",
        named="it",
    ),
    Half("broadcast", "import numpy\nit = numpy.broadcast([1, 2], [3])", "next(it)", "it.index"),
    Half("ndenumerate", "import numpy\nit = numpy.ndenumerate(numpy.arange(3))", "next(it)", named="it"),
    Half("ndindex", "import numpy\nit = numpy.ndindex(3)", "next(it)", named="it"),
    Half(
        "flags that are kept",
        "import numpy\na = numpy.arange(3); it = a.flags; tell = lambda a=a: 0; del a",
        "it.writeable = False",
        named="it",
    ),
    Half(
        "names of a dtype",
        "import numpy\nit = numpy.dtype([('a', 'i4'), ('b', 'f8')])",
        "it.names = ('x', 'y')",
        "it.names",
    ),
    Half(
        "names of an array's dtype",
        "import numpy\na = numpy.zeros(2, [('a', 'i4'), ('b', 'f8')])",
        "a.dtype.names = ('x', 'y')",
        "a.dtype.names",
    ),
    Half(
        "names of a dtype inside another one",
        "import numpy\nit = numpy.dtype([('a', [('b', 'i4')])])",
        "it['a'].names = ('z',)",
        "it['a'].names",
    ),
    Half(
        "names of a dtype of a list of them",
        "import numpy\nbox = [numpy.dtype([('a', 'i4')])]",
        "box[0].names = ('x',)",
        "box[0].names",
    ),
    Half(
        "metadata of a dtype",
        "import numpy\nit = numpy.dtype('i4', metadata={'a': []})",
        "it.metadata['a'].append(1)",
        "dict(it.metadata)",
    ),
    Half("a seed sequence", "import numpy\nit = numpy.random.SeedSequence(1)", "it.spawn(1)", "it.n_children_spawned"),
    Half(
        "a record array",
        "import numpy\nit = numpy.rec.array([(1, 2.)], dtype=[('a', 'i4'), ('b', 'f8')])",
        "it.a = 5; it.dtype.names = ('x', 'y')",
        "it.dtype.names, it.tolist()",
    ),
    Half("poly1d", "import numpy\nit = numpy.poly1d([1, 2])", "it[0] = 9; it.variable", "it.coeffs.tolist()"),
    Half(
        "an NpzFile in memory",
        "import io, numpy\nb = io.BytesIO(); numpy.savez(b, a=[1]); b.seek(0)\nit = numpy.load(b)",
        "it['a']",
        "b.tell()",
    ),
)
def test_an_object_of_numpy_that_moves_is_put_back_or_named(half: Half) -> None:
    check(half)


@pytest.mark.parametrize(
    ("setup", "read"),
    [
        ("from collections import deque; it = iter(deque([1]))", "it.__length_hint__()"),
        ("import csv; it = csv.reader(['a'])", "it.line_num; it.dialect.delimiter"),
        ("import hashlib; it = hashlib.sha256(b'a')", "it.hexdigest(); it.name; it.copy().update(b'x')"),
        ("import struct; it = struct.Struct('i')", "it.pack(1); it.size"),
        ("import json; it = json.JSONDecoder(); other = json.JSONEncoder()", "it.decode('{}'); other.encode([1])"),
        ("import re; it = re.compile('a'); m = it.match('a')", "it.search('b'); m.group(); m.span()"),
        (
            "import datetime; it = [datetime.timezone.utc, datetime.datetime(2020, 1, 1), datetime.date(2020, 1, 1)]",
            "it[0]",
        ),
        ("import zoneinfo; it = zoneinfo.ZoneInfo('UTC')", "it.key"),
        (
            "import decimal, fractions; it = [decimal.Decimal(1), fractions.Fraction(1, 2), decimal.Context()]",
            "it[0] + 1; it[2].prec",
        ),
        (
            "import operator; it = operator.itemgetter(0); f = "
            "operator.attrgetter('a'); g = operator.methodcaller('a')",
            "it([1])",
        ),
        (
            "import xml.etree.ElementTree as E; it = E.fromstring('<a b=\"1\"><c/></a>')",
            "it.find('c'); it.get('b'); it.attrib; len(it); list(it.iter()); E.tostring(it)",
        ),
        ("import contextvars; it = contextvars.ContextVar('v'); t = it.set([1])", "it.get()"),
        ("import threading; it = threading.local(); it.a = 1", "it.a; hasattr(it, 'b')"),
        (
            "import functools; it = sorted([1], key=functools.cmp_to_key(lambda "
            "a, b: 0)); f = functools.partial(len, 'a')",
            "f(); it",
        ),
        (
            "import enum\nclass A(enum.Enum):\n    X = 1\nclass B(enum.IntFlag):\n    Y = 1",
            "A.X.value; A['X']; B.Y | B.Y; list(A)",
        ),
        ("import collections; P = collections.namedtuple('P', 'a b'); it = P(1, 2)", "it.a; P._fields; it._asdict()"),
        (
            "import inspect, types, uuid, pathlib, ast; it = "
            "[inspect.signature(len), uuid.uuid4(), pathlib.Path('a'), ast.parse('a')]",
            "it[2].name; ast.dump(it[3])",
        ),
        (
            "import typing\nT = typing.TypeVar('T')\nclass G(typing.Generic[T]): pass\n"
            "it = [G[int], list[int], int | str, typing.Optional[int]]",
            "it[0]",
        ),
        (
            "import numpy; it = [numpy.dtype('i4'), numpy.add, numpy.float64(1), numpy.datetime64('2020'), "
            "numpy.str_('a'), numpy.bool_(1), "
            "numpy.busdaycalendar(), numpy.dtype([('a', 'i4')])]",
            "it[0].itemsize; it[1](1, 2); it[7].names",
        ),
        (
            "import numpy; it = numpy.arange(3); mean = numpy.mean; err = numpy.errstate(all='ignore')",
            "mean(it); it.dtype; it.flags.owndata",
        ),
        (
            "import numpy; it = numpy.broadcast([1], [2]); v = numpy.vectorize(len); p = numpy.poly1d([1])",
            "it.shape; v(['a']); p(2)",
        ),
    ],
)
def test_what_is_still_is_not_named(setup: str, read: str) -> None:
    check_read(setup, read)


def test_a_partial_is_still_seen_through_once_it_was_noted() -> None:
    names = namespace("import functools\nf = functools.partial(dict, a=1)")
    run(names, "f()\nf = functools.partial(f, b=2)", foreseen=False)
    assert names["f"].func is dict


def test_a_partial_loses_the_attributes_that_it_got() -> None:
    names = namespace("import functools\nf = functools.partial(dict, a=1)")
    journal = run(names, "f.note = 2\nf.more = 3", foreseen=False)
    assert journal.rollback(1).exact
    assert vars(names["f"]) == {"note": 2}
    names = namespace("import functools\nf = functools.partial(dict, a=1)")
    assert run(names, "f.note = 2", foreseen=False).rollback(0).exact
    assert vars(names["f"]) == {}


@pytest.mark.parametrize("change", ["decimal.getcontext().prec = 5", "decimal.setcontext(decimal.Context(prec=7))"])
def test_where_decimal_had_no_context_it_has_one_as_it_makes_them(change: str) -> None:
    def cell() -> None:
        import decimal

        names = namespace("import decimal")
        journal = run(names, f"if True:\n    {change}\n    decimal.Decimal(1) / 3\n    1 / 0")
        assert journal.rollback(0).exact
        now = decimal.getcontext()
        assert (now.prec, now.flags[decimal.Inexact]) == (decimal.DefaultContext.prec, False)

    contextvars.Context().run(cell)
