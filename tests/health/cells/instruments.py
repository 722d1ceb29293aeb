"""Cells that look at the interpreter while it works: collector, profilers, tracers, debuggers, limits, depth."""

from __future__ import annotations

PRELUDE = """
import gc, inspect, io, sys, threading, time, traceback, warnings
def work(n=3): return sum(small(i) for i in range(n))
def small(i): return i + 1
OURS = []
def is_ours(frame):
    return "reflex_ipython" in frame.f_code.co_filename
def look(frame, event, arg):
    if is_ours(frame):
        OURS.append((frame.f_code.co_filename.rpartition("/")[2], frame.f_code.co_name, event))
"""

INSTRUMENTS: dict[str, tuple[str, ...]] = {
    "the collector's switch": ("print(gc.isenabled())\nx = [1]\nprint(gc.isenabled())\ngc.disable()\nx.append(2)\nprint(gc.isenabled())", "print(gc.isenabled())\nx.append(3)\nprint(gc.isenabled())", "gc.enable()\nprint(gc.isenabled(), gc.get_threshold())", "print(gc.isenabled())"),
    "the collector's thresholds": ("old = gc.get_threshold()\ngc.set_threshold(123, 4, 5)\nx = {}\nx['a'] = 1\nprint(gc.get_threshold())", "print(gc.get_threshold())\ngc.set_threshold(*old)"),
    "a callback of the collector": ("seen = []\ndef told(phase, info): seen.append(phase)\ngc.collect(); gc.collect()\ngc.callbacks.append(told)", "x = [1]\nx.append(2)\nd = {'a': x}\nd['b'] = 1\ns = str(d)\nprint(seen)\nprint(len(gc.callbacks))", "gc.callbacks.remove(told)"),
    "how many objects were made since": ("gc.disable()\nbefore = gc.get_count()[0]\nx = [[] for i in range(100)]\nprint(90 <= gc.get_count()[0] - before <= 140)\ngc.enable()",),
    "objects that are frozen": ("gc.freeze()\nx = [1]\nx.append(2)\nprint(gc.get_freeze_count() > 1000)\ngc.unfreeze()\nprint(gc.get_freeze_count())",),
    "uncollectable objects in each generation": ("gc.collect()\nprint([len(s) for s in gc.get_stats()])\nprint([s['uncollectable'] for s in gc.get_stats()])",),
    "a profile function counts calls of one's own": ("calls = []\ndef p(f, e, a):\n    if e == 'call' and 'ipykernel' in f.f_code.co_filename: calls.append(f.f_code.co_name)\nsys.setprofile(p)\nwork()\nx = [1]\nx.append(work(2))\nsys.setprofile(None)\nprint(calls)",),
    "a profile function sees no frame of the extension": ("sys.setprofile(look)\nx = [1]\nx.append(2)\ny = work()\nsys.setprofile(None)\nprint(sorted(set(OURS)))",),
    "a profile function counts every event": ("n = [0]\ndef p(f, e, a): n[0] += 1\nsys.setprofile(p)\nwork()\nsys.setprofile(None)\na = n[0]\nn[0] = 0\nsys.setprofile(p)\nx = 1\nsys.setprofile(None)\nb = n[0]\nn[0] = 0\nsys.setprofile(p)\nx = [work()]\nx.append(1)\nsys.setprofile(None)\nprint(a - b, n[0] - b)",),
    "a trace function sees no frame of the extension": ("def t(f, e, a):\n    look(f, e, a)\n    return t\nsys.settrace(t)\nx = [1]\nx.append(2)\ny = work()\nsys.settrace(None)\nprint(sorted(set(OURS)))",),
    "a trace function counts lines of one's own": ("lines = []\ndef t(f, e, a):\n    if 'ipykernel' in f.f_code.co_filename:\n        lines.append((f.f_code.co_name, e, f.f_lineno))\n        return t\nsys.settrace(t)\nwork()\nx = [1]\nsys.settrace(None)\nprint(lines)",),
    "a profile function that stays over cells": ("sys.setprofile(look)", "x = [1]\nx.append(2)", "sys.setprofile(None)\nprint(sys.getprofile(), sorted(set(OURS)))"),
    "a profile function of all threads": ("names = []\nthreading.setprofile(lambda f, e, a: e == 'call' and 'ipykernel' in f.f_code.co_filename and names.append(f.f_code.co_name))\nt = threading.Thread(target=work)\nt.start()\nt.join()\nthreading.setprofile(None)\nprint(names)",),
    "sys.monitoring": ("if hasattr(sys, 'monitoring'):\n    m, seen = sys.monitoring, []\n    m.use_tool_id(3, 'health')\n    m.register_callback(3, m.events.PY_START, lambda code, o: seen.append(code.co_filename))\n    m.set_events(3, m.events.PY_START)", "x = [1]\nx.append(2)", "if hasattr(sys, 'monitoring'):\n    m.set_events(3, 0)\n    m.free_tool_id(3)\n    print([n for n in seen if 'reflex' in n])"),
    "cProfile": ("import cProfile, pstats\np = cProfile.Profile()\np.enable()\nwork()\nx = [1]\nx.append(2)\np.disable()\ns = pstats.Stats(p).stats\nprint(sorted({(k[0].rpartition('/')[2], k[2]) for k in s if 'reflex' in k[0]}))\nprint(sorted((k[2], v[0]) for k, v in s.items() if 'ipykernel_' in k[0]))",),
    "%prun": ("%prun -q -T prof.txt work(5)", "print(*[l.split()[0] for l in open('prof.txt') if 'small' in l], 'reflex' in open('prof.txt').read())"),
    "%%prun": ("%%prun -q -T prof2.txt\nwork(4)\nx = [1]\nx.append(2)", "print(*[l.split()[0] for l in open('prof2.txt') if 'small' in l], 'reflex' in open('prof2.txt').read())"),
    "%timeit": ("r = %timeit -o -q -n 5 -r 2 work()\nprint(r.loops, r.repeat, len(r.all_runs))", "%%timeit -n 2 -r 1 -q x = [1]\nx.append(2)\nwork()", "print(x)" if False else "print(r.loops)"),
    "tracemalloc": ("import tracemalloc\ntracemalloc.start()\nx = [bytes(1000) for i in range(50)]\nx.append(2)\ny = {'a': x}\nsnapshot = tracemalloc.take_snapshot()\ntracemalloc.stop()\nprint(sum(s.count for s in snapshot.statistics('filename') if 'ipykernel_' in s.traceback[0].filename) > 50)\nprint([s.traceback[0].filename.rpartition('/')[2] for s in snapshot.statistics('filename') if 'reflex' in s.traceback[0].filename])",),
    "what memory tracemalloc sees": ("import tracemalloc, numpy as np\nx = np.ones(1_000_000)\ntracemalloc.start()\nx = x + 1", "x = x + 1\nx.shape\nx[0]\nprint(round(tracemalloc.get_traced_memory()[1] / 8e6))\ntracemalloc.stop()"),
    "how deep calls may go": ("def deep(n):\n    try: return deep(n + 1)\n    except RecursionError: return n\nprint(deep(0))", "print(deep(0))\nx = [deep(0)]\nprint(x)"),
    "a low limit of recursion": ("def deep(n):\n    try: return deep(n + 1)\n    except RecursionError: return n\nold = sys.getrecursionlimit()\nhere = len(inspect.stack())\nsys.setrecursionlimit(here + 40)\nx = [1]\nx.append(deep(0))\nsys.setrecursionlimit(old)\nprint(x)",),
    "nested data that is deeper than the limit": ("x = []\nfor i in range(50_000): x = [x]\ny = {'k': x}\nz = x\nz = None\nprint(len(x))", "x.append(1)\nprint(len(x))\ndel y\nx = None\nprint('end')"),
    "frames on the stack": ("print(len(inspect.stack()))\nprint([f.function for f in inspect.stack() if 'reflex' in f.filename])\nprint('reflex' in ''.join(traceback.format_stack()))", "def f(): return [f.f_code.co_name for f, _ in traceback.walk_stack(None)]\nprint(f())"),
    "a traceback that is printed": ("def f(): 1 / 0\ntry: f()\nexcept ZeroDivisionError: traceback.print_exc(file=sys.stdout)\ntry:\n    f()\nexcept ZeroDivisionError as e:\n    print(len(traceback.extract_tb(e.__traceback__)))",),
    "warnings as errors, for all that runs": ("warnings.simplefilter('error')\nx = [1]\nx.append(2)\nprint(x)", "import os\nf = open(os.devnull)\nf.close()\nx = {'a': f}\nprint('fine')", "warnings.resetwarnings()\nprint(len(warnings.filters))"),
    "faulthandler": ("import faulthandler, os\nf = open('trace.txt', 'w+')\nfaulthandler.dump_traceback(f, all_threads=False)\nf.seek(0)\ntext = f.read()\nprint('reflex' in text, text.count('File'))",),
    "what all threads are at": ("print(sorted(t.name for t in threading.enumerate() if 'reflex' in t.name.lower()))\nprint(threading.active_count(), len(sys._current_frames()))",),
    "a debugger that is given commands": ("import pdb\nout = io.StringIO()\nd = pdb.Pdb(stdin=io.StringIO('next\\nstep\\np 1 + 1\\nwhere\\ncontinue\\n'), stdout=out, nosigint=True, readrc=False)\nd.run('x = 1\\ny = work(2)\\nz = 3', globals())\nprint(z, 'reflex' in out.getvalue())\nprint(out.getvalue().count('->'), '2' in out.getvalue())",),
    "a debugger in a function": ("import pdb\nout = io.StringIO()\ndef f():\n    x = 5\n    pdb.Pdb(stdin=io.StringIO('n\\nn\\np x\\nn\\nn\\nn\\nw\\nc\\n'), stdout=out, nosigint=True, readrc=False).set_trace()\n    x = 6\n    return x\nf()\ny = 2\nprint(y)\nprint([l for l in out.getvalue().splitlines() if 'reflex' in l])", "sys.settrace(None)\nprint(sys.gettrace())"),
    "a debugger over many statements": ("import bdb\nclass B(bdb.Bdb):\n    seen = []\n    def user_line(self, frame):\n        self.seen.append(frame.f_code.co_filename)\nb = B()\nb.set_trace()\nx = [1]\nx.append(2)\nb.set_quit()\nsys.settrace(None)\nprint([n.rpartition('/')[2] for n in b.seen if 'reflex' in n])",),
    "a limit of memory": ("import resource, numpy as np\nx = np.ones(10_000_000)", "size = int(open('/proc/self/statm').read().split()[0]) * 4096\nold = resource.getrlimit(resource.RLIMIT_AS)\nresource.setrlimit(resource.RLIMIT_AS, (size + 100_000_000, old[1]))", "x = x + 1", "x += 1\nx = x * 2\nx[0] = 7", "y = x.sum()\nx.sort()\nprint(x[0], y)", "resource.setrlimit(resource.RLIMIT_AS, old)"),
    "a limit of open files": ("import os, resource\nold = resource.getrlimit(resource.RLIMIT_NOFILE)\nused = len(os.listdir('/proc/self/fd'))\nresource.setrlimit(resource.RLIMIT_NOFILE, (used + 2, old[1]))", "f = open(os.devnull)\ng = 1\nf.close()\nx = [f]\nprint('fine')", "resource.setrlimit(resource.RLIMIT_NOFILE, old)"),
    "a lock that two threads share": ("lock, log = threading.Lock(), []\ndef f(n):\n    with lock: log.append(n)\nlock.acquire()\nts = [threading.Thread(target=f, args=(i,)) for i in range(4)]\n[t.start() for t in ts]\nprint(log)\nlock.release()\n[t.join() for t in ts]\nprint(sorted(log), lock.locked())", "ts.clear()\nprint(threading.active_count())"),
    "a thread that works over many statements": ("n, stop = [0], threading.Event()\ndef f():\n    while not stop.is_set():\n        n[0] += 1\n        d = {i: [i] for i in range(50)}\n        time.sleep(0.0005)\nt = threading.Thread(target=f)\nt.start()\nx = [1]\nx.append(n)\nd = {'a': x}\nfor i in range(100): d[i] = i\ntime.sleep(0.02)\nstop.set()\nt.join()\nprint(n[0] > 3, len(d))",),
    "a lock that is held over statements": ("lock = threading.RLock()\nlock.acquire()\nx = {'l': lock}\nx['y'] = 1\nlock.release()\nevent, condition = threading.Event(), threading.Condition(lock)\nwith condition: condition.notify_all()\nprint(event.is_set())",),
    "the switch interval, the trace and the hooks": ("print(sys.getswitchinterval(), sys.gettrace(), sys.getprofile(), sys.excepthook.__module__, sys.displayhook.__class__.__module__)\nprint(sys.unraisablehook.__module__, threading.excepthook.__module__, sys.breakpointhook.__module__)",),
    "the interpreter's settings": ("import signal\nprint(signal.getsignal(signal.SIGINT).__name__ if hasattr(signal.getsignal(signal.SIGINT), '__name__') else signal.getsignal(signal.SIGINT))\nprint(sys.getrecursionlimit(), sys.flags.dev_mode, sys.get_asyncgen_hooks())",),
    "code that looks at itself": ("x = 1\nprint(inspect.currentframe().f_code.co_name, inspect.currentframe().f_lineno)\nprint(inspect.getsource(work))\ndef g(): return sys._getframe(1).f_code.co_name\nprint(g())\nprint(sys._getframe(2).f_code.co_name, sys._getframe(3).f_code.co_name, sys._getframe(4).f_code.co_name)",),
}  # fmt: skip
