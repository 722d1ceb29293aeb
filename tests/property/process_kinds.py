"""Kinds of objects that a process has of its own, or that stand for something outside: files, locks, settings."""

from __future__ import annotations

from tests.property.kind import Kind

# A table: what makes one, what changes it, what looks at it, what it needs.
# fmt: off
OUTSIDE = (
    Kind("file read", ("pathlib.Path('in.txt').write_text('one\\ntwo\\nthree\\nfour\\nfive\\nsix\\nseven\\n')", "fin_ = open('in.txt')", "fbin = open('in.txt', 'rb')"), (
        "fin_.readline()", "next(fin_)", "fin_.seek(0)", "fbin.read(3)", "fbin.seek(2, 1)", "for line in fin_: break", "fbin.readinto(bytearray(2))",
        "fin_.close(); fin_ = open('in.txt')",
    ), ("fin_.closed",), ("import pathlib",)),
    Kind("file write", ("out = open('out.txt', 'w')",), (
        "out.write('a\\n')", "print('b', file=out)", "out.flush()", "out.writelines(['c', 'd'])", "out.write('z'); out.flush()",
    ), ("out.closed",)),
    Kind("path write", ("folder = pathlib.Path('data')", "folder.mkdir(exist_ok=True)"), (
        "(folder / 'a.txt').write_text('x')", "with open('data/log.txt', 'a') as fh: fh.write('l')", "pathlib.Path('data/b.bin').write_bytes(b'1')",
        "(folder / 'sub').mkdir(exist_ok=True)", "os.rename((folder / 'r').write_text('r') and 'data/r', 'data/r2')",
    ), ("folder.exists()",), ("import pathlib, os",)),
    Kind("json and pickle", ("cfg = {'a': [1]}", "blob = pickle.dumps(cfg)"), (
        "cfg = json.loads(json.dumps(cfg))", "cfg = pickle.loads(blob)", "cfg['a'].append(2)", "cfg = copy.deepcopy(cfg)", "blob = pickle.dumps(cfg)",
    ), ("len(blob)",), ("import json, pickle, copy",)),
    Kind("temporary", ("import tempfile",), (
        "with tempfile.TemporaryDirectory() as td: pass", "tmpf = tempfile.SpooledTemporaryFile(); tmpf.write(b'x')", "with tempfile.TemporaryFile() as tf: tf.write(b'1')",
    )),
    Kind("os.write", ("fd = os.open('raw.bin', os.O_RDWR | os.O_CREAT)",), (
        "os.write(fd, b'ab')", "os.lseek(fd, 0, 0)", "os.ftruncate(fd, 1)", "os.pwrite(fd, b'z', 3)",
    ), ("fd > 0",), ("import os",)),
    Kind("sqlite", ("db = sqlite3.connect(':memory:')", "db.execute('create table t (x)')", "cur = db.execute('select 1 union select 2 union select 3')"), (
        "db.execute('insert into t values (1)')", "db.commit()", "next(cur, None)", "db.executemany('insert into t values (?)', [(2,), (3,)])",
        "db.row_factory = sqlite3.Row", "tot_q = db.execute('select count(*) from t').fetchone()", "cur.execute('delete from t')",
        "with db: db.execute('update t set x = 5')",
    ), ("db.in_transaction",), ("import sqlite3",)),
    Kind("lock", ("lock = threading.Lock()", "rlock = threading.RLock()", "sem = threading.Semaphore(50)", "evt = threading.Event()"), (
        "lock.acquire(blocking=False)", "rlock.acquire()", "sem.acquire()", "evt.set()", "with rlock: pass", "lock.locked() and lock.release()", "sem.release()",
        "evt.clear()",
    ), ("lock.locked()",), ("import threading",)),
    Kind("queue", ("que = queue.Queue()", "pq = queue.PriorityQueue()", "sq_ = queue.SimpleQueue()"), (
        "que.put(1)", "que.put([2]); que.get()", "pq.put((3, 'x'))", "sq_.put(1)", "sq_.put(2); sq_.get()", "que.queue.append('direct')",
    ), ("que.qsize()",), ("import queue",)),
    Kind("thread", ("tlog = []", "loc = threading.local()", "loc.x = 1"), (
        "th = threading.Thread(target=tlog.append, args=(1,)); th.start(); th.join()", "loc.x += 1", "loc.new = [1]",
        "with concurrent.futures.ThreadPoolExecutor(1) as ex: fut = ex.submit(tlog.append, 2)", "tlog.append(3)",
    ), ("loc.x",), ("import threading, concurrent.futures",)),
    Kind("hash", ("hsh = hashlib.sha256(b'a')", "crc = zlib.compressobj()", "dec = codecs.getincrementaldecoder('utf-8')()"), (
        "hsh.update(b'b')", "crc.compress(b'data')", "dec.decode(b'\\xc3')", "[hsh.update(b) for b in (b'1', b'2')]", "hsh = hsh.copy(); hsh.update(b'c')",
    ), ("hsh.hexdigest()",), ("import hashlib, zlib, codecs",)),
    Kind("zip archive", ("zbuf = io.BytesIO()", "zf = zipfile.ZipFile(zbuf, 'w')", "gz = gzip.GzipFile(fileobj=io.BytesIO(), mode='wb', mtime=0)"), (
        "zf.writestr(zipfile.ZipInfo('a.txt'), 'x')", "gz.write(b'abc')", "gz.flush()",
    ), ("len(zf.namelist())",), ("import io, zipfile, gzip",)),
    Kind("shelf", ("shelf = shelve.Shelf(dbm.dumb.open('shelf', 'c'))", "shelf['a'] = [1]"), (
        "shelf['b'] = 2", "shelf.sync()", "shelf.close(); shelf = shelve.Shelf(dbm.dumb.open('shelf', 'c'))", "shelf.setdefault('c', [3])",
        "(lambda s: s.setdefault('k', 1))(shelve.Shelf(dbm.dumb.open('other', 'c')))",
    ), ("len(shelf)",), ("import shelve, dbm.dumb",)),
    Kind("config", ("cp = configparser.ConfigParser()", "cp.read_string('[s]\\na = 1\\n')", "ap = argparse.ArgumentParser(prog='p')"), (
        "cp['s']['b'] = '2'", "cp.add_section('t' + str(len(cp)))", "ap.add_argument('--n' + str(len(ap._actions)))", "cp.set('s', 'a', '9')", "ap.set_defaults(q=1)",
    ), ("cp['s']['a']",), ("import configparser, argparse",)),
    Kind("xml", ("tree_x = ET.fromstring('<a><b k=\"1\"/><c/></a>')",), (
        "tree_x[0].set('k', '2')", "ET.SubElement(tree_x, 'd')", "tree_x.remove(tree_x[0]); tree_x.insert(0, ET.Element('n'))", "tree_x.text = 'hi'", "tree_x.append(ET.Comment('c'))",
    ), ("len(tree_x)",), ("import xml.etree.ElementTree as ET",)),
)

AMBIENT = (
    Kind("random", ("rnd = random.Random(1)", "random.seed(5)"), (
        "random.random()", "random.shuffle([1, 2, 3])", "rnd.random()", "rnd.gauss(0, 1)", "picked = random.choice('abc')", "random.seed(9)",
        "rnd.setstate(random.Random(3).getstate())", "sample = [random.randint(1, 9) for _ in range(3)]", "shuffled = sorted('abc', key=lambda c: random.random())",
    ), (), ("import random",)),
    Kind("environ", ("os.environ['MINE'] = '1'",), (
        "os.environ['MINE'] = '2'", "os.environ.pop('MINE', None)", "os.environ.setdefault('OTHER_VAR', 'x')", "os.putenv('RAW_VAR', 'y')", "os.environ.update(A_VAR='1')",
    ), ("os.environ.get('MINE')",), ("import os",)),
    Kind("folder", ("os.makedirs('deep/er', exist_ok=True)",), (
        "os.chdir('deep') if os.path.isdir('deep') else os.chdir('..')", "old_cwd = os.getcwd(); os.chdir('/')", "with contextlib.chdir('/'): pass",
    ), ("os.getcwd() != ''",), ("import os, contextlib",)),
    Kind("sys", ("import sys",), (
        "sys.path.append('extra')", "sys.setrecursionlimit(sys.getrecursionlimit() + 1)", "sys.mine = [1]", "sys.argv.append('a')", "sys.modules['fake_mod'] = sys",
        "sys.dont_write_bytecode = not sys.dont_write_bytecode", "sys.displayhook_mine = 1", "sys.flags_seen = 2", "sys.setswitchinterval(0.02)",
    ), ("len(sys.path) > 0",)),
    Kind("warnings", ("import warnings",), (
        "warnings.simplefilter('ignore', UserWarning)", "warnings.filterwarnings('ignore', 'q')", "with warnings.catch_warnings(): warnings.simplefilter('error')",
        "warnings.showwarning_mine = 1", "warnings.resetwarnings()", "warnings.warn('once')",
    )),
    Kind("logging", ("log = logging.getLogger('prop.a')", "log_buf = io.StringIO()", "hand = logging.StreamHandler(log_buf)"), (
        "log.setLevel(logging.DEBUG)", "log.addHandler(hand)", "hand.setLevel(30)", "logging.getLogger('prop.b').propagate = False", "log.handlers and log.error('msg')",
        "logging.disable(10)", "logging.addLevelName(15, 'MINE')", "log.removeHandler(hand)", "hand.setFormatter(logging.Formatter('%(message)s'))", "logging.captureWarnings(True)",
    ), ("log.name",), ("import logging, io",)),
    Kind("decimal", ("dec_x = decimal.Decimal('1.1')",), (
        "decimal.getcontext().prec += 1", "dec_x = dec_x / 3", "decimal.getcontext().rounding = decimal.ROUND_DOWN", "with decimal.localcontext() as dctx: dctx.prec = 3",
        "decimal.getcontext().traps[decimal.Inexact] = False", "decimal.DefaultContext.prec = 31",
    ), ("str(dec_x) != ''",), ("import decimal",)),
    Kind("paused generator", ("def narrow():\n    with decimal.localcontext() as ctx_n:\n        ctx_n.prec = 5\n        for step_n in range(60):\n            os.environ['STEP'] = str(step_n)\n            yield step_n", "paused = narrow()"), (
        "next(paused)", "paused = narrow(); next(paused)", "list(narrow())", "holds = [narrow()]; next(holds[0])", "(lambda it: next(it))(narrow())",
        "decimal.getcontext().prec = 9", "next(iter([next(narrow())]))",
    ), ("decimal.getcontext().prec",), ("import decimal, os",)),
    Kind("signal", ("sigs = []",), (
        "signal.signal(signal.SIGUSR1, lambda *a: sigs.append(1))", "signal.signal(signal.SIGUSR2, signal.SIG_IGN)", "os.umask(0o027)", "signal.raise_signal(signal.SIGWINCH)",
        "gc.set_threshold(701, 11, 11)", "locale.setlocale(locale.LC_NUMERIC, 'C')", "socket.setdefaulttimeout(3.5)", "sys.excepthook = print",
    ), (), ("import signal, os, gc, locale, socket, sys",)),
    Kind("atexit", ("bye = []",), (
        "atexit.register(bye.append, 1)", "atexit.unregister(bye.append)", "sys.setprofile(None)", "bye.append(2)",
    ), ("len(bye)",), ("import atexit, sys",)),
    Kind("asyncio", ("ev = asyncio.Event()", "aq = asyncio.Queue()", "astate = []"), (
        "ev.set()", "await aq.put(1)", "aq.put_nowait(2)", "task = asyncio.ensure_future(asyncio.sleep(0)); await task", "async with asyncio.Lock(): astate.append(1)",
        "astate += await asyncio.gather(*[asyncio.sleep(0, k) for k in (1, 2)])",
    ), ("ev.is_set()",), ("import asyncio",)),
)
