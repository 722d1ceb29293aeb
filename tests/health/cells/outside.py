"""Cells whose files, sockets, databases and processes tell when something was let go."""

from __future__ import annotations

PRELUDE = """
import asyncio, contextlib, contextvars, gc, io, mmap, os, socket, sqlite3, sys, tempfile, threading, time, warnings, weakref
import numpy as np, pandas as pd
"""

OUTSIDE: dict[str, tuple[str, ...]] = {
    "a file that del closes": ("out = open('a.csv', 'w')\nout.write('a\\n1\\n')\ndel out\nprint(pd.read_csv('a.csv'))",),
    "a file that binding closes": ("out = open('b.txt', 'w')\nout.write('text')\nout = None\nprint(open('b.txt').read())", "out = open('c.txt', 'w')\nout.write('more')", "out = 1\nprint(os.path.getsize('c.txt'))"),
    "a file that nobody keeps": ("open('d.txt', 'w').write('text')\nprint(open('d.txt').read())\nos.remove('d.txt')\nprint(os.path.exists('d.txt'))",),
    "a file in a container": ("files = {n: open(n, 'w') for n in 'xy'}\nfiles['x'].write('1')\nfiles.pop('x')\nprint(repr(open('x').read()))\nfiles['y'].write('2')\nfiles.clear()\nprint(repr(open('y').read()))",),
    "a file in a function": ("def save(p, text):\n    f = open(p, 'w')\n    f.write(text)\nsave('e.txt', 'saved')\nprint(open('e.txt').read())",),
    "a file of an object": ("class W:\n    def __init__(self): self.f = open('f.txt', 'w')\nw = W()\nw.f.write('x')\nw = W()\nw.f.write('longer')\ndel w\nprint(open('f.txt').read())",),
    "a gzip file, a zip file and a csv writer": (
        "import gzip, zipfile, csv\ng = gzip.open('g.gz', 'wt')\ng.write('zipped')\ndel g\nprint(gzip.open('g.gz', 'rt').read())",
        "z = zipfile.ZipFile('h.zip', 'w')\nz.writestr('n', 'in')\ndel z\nprint(zipfile.ZipFile('h.zip').namelist())",
        "h = open('i.csv', 'w', newline='')\nw = csv.writer(h)\nw.writerow([1, 2])\ndel w, h\nprint(open('i.csv').read())",
    ),
    "how many files are open": ("def count(): return len(os.listdir('/proc/self/fd'))\nbefore = count()\nf = open(os.devnull)\nprint(count() - before)\nf = open(os.devnull)\nprint(count() - before)\ndel f\nprint(count() - before)\nr, w = map(os.fdopen, os.pipe(), 'rw')\nprint(count() - before)\ndel r, w\nprint(count() - before)",),
    "warnings of files that were left open": ("warnings.simplefilter('always', ResourceWarning)\nf = open(os.devnull)\nf = None\nprint('after', file=sys.stderr)\ns = socket.socket()\ndel s\nprint('end', file=sys.stderr)",),
    "a temporary file": ("t = tempfile.NamedTemporaryFile(dir='.')\nname = t.name\nprint(os.path.exists(name))\ndel t\nprint(os.path.exists(name))",),
    "a temporary folder": ("t = tempfile.TemporaryDirectory(dir='.', ignore_cleanup_errors=True)\nname = t.name\nprint(os.path.exists(name))\nwarnings.simplefilter('ignore')\ndel t\nprint(os.path.exists(name))",),
    "a folder that is deleted after its file was let go": ("with tempfile.TemporaryDirectory(dir='.') as d:\n    f = open(d + '/x', 'w')\n    f.write('1')\n    del f\n    print(os.path.getsize(d + '/x'))\nprint(os.path.exists(d))",),
    "a socket that del closes": ("s = socket.create_server(('127.0.0.1', 0))\nport = s.getsockname()[1]\nc = socket.create_connection(('127.0.0.1', port))\nd, _ = s.accept()\nd.settimeout(2)\nc.sendall(b'hello')\ndel c\nprint(d.recv(100), d.recv(100))\ndel d, s\ntry: socket.create_connection(('127.0.0.1', port))\nexcept ConnectionRefusedError: print('refused')",),
    "a pair of sockets": ("a, b = socket.socketpair()\nb.settimeout(2)\na.send(b'x')\na = None\nprint(b.recv(9), b.recv(9))",),
    "a pipe whose writer ends": ("r, w = os.pipe()\nos.set_blocking(r, False)\nr, w = os.fdopen(r), os.fdopen(w, 'w')\nw.write('piped')\ndel w\nprint(r.read())",),
    "a connection that is bound again": ("c = sqlite3.connect('k.db')\nc.execute('create table t (x)')\nc.commit()\nc.execute('begin exclusive')\nc = sqlite3.connect('k.db', timeout=0.1)\nprint(c.execute('select * from t').fetchall())\nc.execute('insert into t values (1)')\nc.commit()\nc = None\nprint(os.path.exists('k.db'))",),
    "a transaction that is given up": ("c = sqlite3.connect('l.db')\nc.execute('create table t (x)')\nc.commit()\nc.execute('insert into t values (1)')\ndel c\nprint(sqlite3.connect('l.db').execute('select count(*) from t').fetchone())",),
    "a cursor that nobody keeps": ("c = sqlite3.connect(':memory:')\nc.execute('create table t (x)')\nc.executemany('insert into t values (?)', [(i,) for i in range(3)])\nk = c.execute('select x from t')\nprint(next(k))\nk = None\nc.execute('drop table t')\nprint('dropped')",),
    "a lock of a file": ("import fcntl\nf = open('m', 'w')\nfcntl.flock(f, fcntl.LOCK_EX)\nf = open('m', 'w')\nfcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)\nprint('locked again')",),
    "a map of a file": ("open('n', 'wb').write(b'x' * 4096)\nf = open('n', 'r+b')\nm = mmap.mmap(f.fileno(), 0)\nm[0:2] = b'ab'\nm.flush()\nprint(m[:4])\nm.close()\nprint(m.closed)",),
    "a map with exports": ("m = mmap.mmap(-1, 4096)\na = np.frombuffer(m, dtype='u1')\ntry: m.close()\nexcept BufferError as e: print(e)\nprint(a[:2])\ndel a\nm.close()\nprint(m.closed)",),
    "a map that is resized": ("open('o', 'wb').write(b'x' * 4096)\nf = open('o', 'r+b')\nm = mmap.mmap(f.fileno(), 0)\nv = memoryview(m)\nv.release()\nm.resize(8192)\nprint(len(m))\nm.close()",),
    "a memmap": ("a = np.memmap('p', dtype='i4', mode='w+', shape=4)\na[:] = 7\ndel a\nprint(np.fromfile('p', dtype='i4'))",),
    "a process": ("import subprocess\np = subprocess.Popen(['true'])\nprint(p.wait())\np = subprocess.run(['echo', 'said'], capture_output=True, text=True)\nprint(p.stdout)",),
    "an executor": ("from concurrent.futures import ThreadPoolExecutor\np = ThreadPoolExecutor(1)\nprint(p.submit(pow, 2, 5).result())\ndel p\ngc.collect()\nfor i in range(100):\n    if not [t for t in threading.enumerate() if 'ThreadPool' in t.name]: break\n    time.sleep(0.02)\nprint([t.name for t in threading.enumerate() if 'ThreadPool' in t.name])",),
    "threads": ("log = []\ndef work(n): log.append(n)\nts = [threading.Thread(target=work, args=(i,)) for i in range(3)]\nfor t in ts: t.start()\nfor t in ts: t.join()\nprint(sorted(log), [t.is_alive() for t in ts])\nr = weakref.ref(ts[0])\ndel ts, t\nprint(r())",),
    "thread locals": ("class O:\n    def __del__(self): print('ends', flush=True)\nlocal = threading.local()\nlocal.x = O()\nlocal.x = 1\nprint('bound')\ndef f(): local.x = O()\nt = threading.Thread(target=f)\nt.start(); t.join()\nprint('joined', local.x)",),
    "context variables": ("v = contextvars.ContextVar('v', default=0)\ntoken = v.set(1)\nprint(v.get())\nv.reset(token)\nprint(v.get())\nctx = contextvars.copy_context()\nctx.run(v.set, 5)\nprint(v.get(), ctx[v])\nprint(sorted(c.name for c in contextvars.copy_context() if 'reflex' in c.name))",),
    "awaits": ("async def f(n):\n    await asyncio.sleep(0)\n    return n\nprint(await asyncio.gather(*map(f, range(3))))\nx = await f(5)\nx = x + await f(1)\nprint(x)\nt = asyncio.create_task(f(7))\nprint(await t, t.done())\nr = weakref.ref(t)\ndel t\nprint(r())",),
    "an asynchronous generator": ("async def g():\n    try:\n        for i in range(3): yield i\n    finally: print('closed')\nasync for i in g(): print(i)\nit = g()\nprint(await it.__anext__())\nawait it.aclose()\nprint('end')",),
    "asynchronous managers": ("@contextlib.asynccontextmanager\nasync def m():\n    print('in')\n    yield 1\n    print('out')\nasync with m() as x: print(x)\nasync with asyncio.timeout(5) if hasattr(asyncio, 'timeout') else m(): await asyncio.sleep(0)\nprint('end')",),
    "a coroutine that is never awaited": ("async def f(): pass\nc = f()\nwarnings.simplefilter('always')\nc = None\nprint('after', file=sys.stderr)",),
    "warnings that are shown once": ("def f(): warnings.warn('careful')\nfor i in range(3): f()\nf()", "f()\nwarnings.warn('here')", "for i in range(3): warnings.warn('loop', DeprecationWarning)"),
    "warnings that are caught": ("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    warnings.warn('a')\n    warnings.warn('b', UserWarning)\nprint([str(x.message) for x in w], len(warnings.filters) > 0)",),
    "warnings that are errors": ("warnings.simplefilter('error')\ntry: warnings.warn('now')\nexcept UserWarning as e: print('raised', e)", "df = pd.DataFrame({'a': [1]})\ndf['b'] = 2\nx = np.ones(3)\nx[0] = 2\nl = [open(os.devnull)]\nl[0].close()\nprint('fine')", "warnings.resetwarnings()"),
    "standard streams that are replaced": ("with contextlib.redirect_stdout(io.StringIO()) as s: print('inside')\nprint(repr(s.getvalue()))\nold = sys.stdout\nsys.stdout = io.StringIO()\nprint('kept')\nkept = sys.stdout.getvalue()\nsys.stdout = old\nprint(repr(kept))",),
    "a stream of one's own that must not be flushed": ("class S(io.StringIO):\n    flushes = 0\n    def flush(self): S.flushes += 1\nold, sys.stdout = sys.stdout, S()\nprint('a')\nx = 1\ny = 2\nprint('b')\nsys.stdout = old\nprint(S.flushes)",),
    "the environment, the folder and the locale": ("os.environ['HEALTH'] = '1'\nprint(os.environ.get('HEALTH'))\ndel os.environ['HEALTH']\nhere = os.getcwd()\nos.makedirs('sub', exist_ok=True)\nos.chdir('sub')\nprint(os.path.basename(os.getcwd()))\nos.chdir(here)\nimport locale\nprint(locale.getlocale())",),
    "an audit hook": ("seen = []\non = [True]\nsys.addaudithook(lambda e, a, on=on, seen=seen: on and e in ('open', 'import', 'object.__getattr__', 'gc.get_referrers', 'gc.get_objects', 'os.listdir', 'sys.setprofile') and seen.append((e, str(a[:1])[:60])))\nx = [1]\nx.append(2)\nopen(os.devnull).close()\nd = {'a': x}\nd['b'] = 1\non.clear()\nprint([s for s in seen])",),
    "a logger": ("import logging\nlog = logging.getLogger('health')\nh = logging.StreamHandler(sys.stdout)\nlog.addHandler(h)\nlog.warning('one')\nlog.removeHandler(h)\nr = weakref.ref(h)\ndel h\nprint(r())",),
    "random numbers": ("import random\nrandom.seed(1); np.random.seed(1)\nprint(random.random(), np.random.rand())\ng = np.random.default_rng(3)\nprint(g.random(), g.integers(10, size=3))", "print(random.random(), np.random.rand(), g.random())\nrandom.shuffle(l := list(range(9)))\nprint(l, g.bit_generator.state['state']['state'] % 1000)", "print([random.choice('abc') for i in range(5)], np.random.permutation(5), g.normal())"),
    "figures": ("import matplotlib.pyplot as plt\nfig, ax = plt.subplots(figsize=(1, 1), dpi=20)\nax.plot([1, 2])\nprint(plt.get_fignums())", "print(plt.get_fignums())\nfig, ax = plt.subplots(figsize=(1, 1), dpi=20)\nplt.close(fig)\nprint(plt.get_fignums())\nr = weakref.ref(fig)\ndel fig, ax\ngc.collect()\nprint(r())", "for i in range(3):\n    plt.figure(figsize=(1, 1), dpi=20)\nprint(plt.get_fignums())\nplt.close('all')\nprint(plt.get_fignums())"),
    "a figure that is drawn in many statements": ("import matplotlib.pyplot as plt\nplt.figure(figsize=(2, 2), dpi=30)\nplt.plot([1, 3])\nplt.title('t')\nplt.xlabel('x')\nplt.legend(['a'])\nplt.xlim(0, 2)\nprint(len(plt.gca().lines))",),
    "signals and timers": ("import signal\nseen = []\nold = signal.signal(signal.SIGALRM, lambda *a: seen.append(1))\nsignal.setitimer(signal.ITIMER_REAL, 0.02)\ntime.sleep(0.05)\nprint(seen)\nsignal.signal(signal.SIGALRM, old)\nprint(signal.getitimer(signal.ITIMER_REAL))",),
    "what is imported": ("before = set(sys.modules)\nx = [1]\nx.append(2)\nf = pd.DataFrame({'a': [1]})\nf['b'] = 1\nprint(sorted(set(sys.modules) - before))",),
    "displays in many statements": ("from IPython.display import display, HTML, clear_output\nh = display('first', display_id='given')\nprint('between')\nh.update('second')\ndisplay(HTML('<b>x</b>'))\nclear_output(wait=True)\nprint('last')\n1 + 1",),
    "streams and displays in turns": ("from IPython.display import display\nfor i in range(3):\n    print('o', i)\n    print('e', i, file=sys.stderr)\n    display(i)\nprint('end')\nprint('err', file=sys.stderr)\ndisplay('x')",),
    "writing without a line's end": ("sys.stdout.write('a')\nsys.stdout.write('b')\nsys.stdout.flush()\nprint('c', end='')\nprint('d', end='', flush=True)\nprint()",),
}  # fmt: skip
