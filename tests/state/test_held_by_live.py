"""What hangs on live objects, and what cells have set on them, is put back as what has a name is; or it is named."""

from __future__ import annotations

import asyncio
import io
import textwrap
import threading

import pytest

from reflex_ipython.state.kinds.live import asked_kind
from reflex_ipython.state.kinds.set_by_others import set_by_others
from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, check_read, halves

pytestmark = pytest.mark.filterwarnings("ignore")

FUTURE = "from concurrent.futures import Future\nf = Future()\n"
COUNTS = "class Counts:\n    n = 0\n    def __call__(self, *args): self.n += 1; return args[0] if args else None\n"
TASK = """
import asyncio
async def work():
    {work}
async def main():
    t = asyncio.ensure_future(work())
    await asyncio.wait([t])
    return t
t = asyncio.run(main())
"""


@halves(
    Half("a future's result", f"{FUTURE}f.set_result([])", "f.result().append(1)", "f.result()"),
    Half("its error", f"{FUTURE}f.set_exception(ValueError([]))", "f.exception().args[0].append(1)", "f.exception()"),
    Half("a result of the user's", f"{COUNTS}{FUTURE}f.set_result(Counts())", "f.result()()", "f.result().n"),
    Half("a task's result", TASK.format(work="return []"), "t.result().append(1)", "t.result()"),
    Half("its error too", TASK.format(work="raise ValueError([])"), "t.exception().args[0].append(1)", "t.exception()"),
    Half(
        "what a pool's threads begin with",
        "from concurrent.futures import ThreadPoolExecutor\na = []\n"
        "e = ThreadPoolExecutor(1, initializer=a.append, initargs=(1,))",
        "e.submit(len, '').result()",
        "a",
    ),
    Half(
        "what a process runs",
        "import multiprocessing\na = []\np = multiprocessing.Process(target=a.append, args=(1,))",
        "p.run()",
        "a",
    ),
    Half(
        "what a process has written",
        "import subprocess\np = subprocess.Popen(['echo', 'a'], stdout=subprocess.PIPE); p.wait()",
        "p.stdout.readline()",
        named="p (",
    ),
    Half(
        "what is scheduled",
        "import sched\ns = sched.scheduler(); s.enter(0, 1, int, ([],))",
        "s.queue[0].argument[0].append(1)",
        "s.queue",
    ),
    Half(
        "what is selected",
        "import selectors, os\na, b = os.pipe(); s = selectors.DefaultSelector(); s.register(a, 1, [])",
        "(lambda one: s.modify(one, 1, 'new'))(next(iter(s.get_map().values())).fileobj)",
        named="s (",
    ),
)
def test_what_threads_and_processes_have(half: Half) -> None:
    check(half)


@halves(
    Half(
        "on a thread",
        "import threading\no = threading.Thread(); o.tags = []\ndef act(): o.tags.append(1)",
        "act()",
        "o.tags",
    ),
    Half(
        "by its class",
        "import threading\nclass T(threading.Thread): tags = ()\no = T(); o.tags = []\ndef act(): o.tags.append(1)",
        "act()",
        "o.tags",
    ),
    Half(
        "on an archive",
        "import io, zipfile\nb = io.BytesIO(); zipfile.ZipFile(b, 'w').close(); o = zipfile.ZipFile(b); o.x = []\n"
        "def act(): o.x.append(1)",
        "act()",
        "o.x",
    ),
    Half("one that is new", "import threading\no = threading.Thread()\ndef act(): o.tags = 1", "act()", named="o ("),
    Half(
        "in the place of a method",
        "import threading\no = threading.Thread()\ndef act(): o.run = act",
        "act()",
        named="o (",
    ),
)
def test_what_a_cell_has_set_on_a_live_object(half: Half) -> None:
    check(half)


@pytest.mark.parametrize(
    ("setup", "read"),
    [
        (f"{FUTURE}f.set_result([1])", "f.result(); f.done()"),
        (TASK.format(work="return [1]"), "t.result(); t.done()"),
        ("import subprocess\np = subprocess.Popen(['true'], stdout=-1); p.communicate()", "p.returncode; p.stdout"),
    ],
)
def test_what_is_only_read_is_not_named(setup: str, read: str) -> None:
    check_read(setup, read)


def test_whom_a_future_has_called_is_put_back_though_the_future_is_not() -> None:
    names = namespace(f"{FUTURE}a = []; f.add_done_callback(a.append)")
    assert "f (" in run(names, "f.set_result(1), 1 / 0").rollback(0).words
    assert names["a"] == []


def test_an_error_that_nobody_has_asked_for_is_still_told_of_at_the_end() -> None:
    names = namespace("import asyncio\nloop = asyncio.new_event_loop(); t = loop.create_future()")
    names["t"].set_exception(ValueError())
    run(names, "t\n1 / 0").rollback(0)
    assert names["t"]._log_traceback
    names["t"].exception()
    names["loop"].close()


def test_a_task_of_a_class_of_the_users_runs_none_of_their_code() -> None:
    names = namespace(
        textwrap.dedent("""
            import asyncio
            class Own(asyncio.Future):
                def done(self): raise AssertionError
                result = exception = done
            loop = asyncio.new_event_loop(); o = Own(loop=loop); o.set_result([])
        """)
    )
    journal = run(names, "(lambda x: asyncio.Future.result(x).append(1))(o)\n1 / 0")
    assert journal.rollback(0).exact
    assert asyncio.Future.result(names["o"]) == []
    names["loop"].close()


def test_none_of_the_users_code_runs_while_such_objects_are_looked_at() -> None:
    names = namespace(
        textwrap.dedent("""
            import functools, threading
            from concurrent.futures import Future
            ran = []
            class Own:
                def note(self, *names): ran.append(1); return object
                __eq__ = __ne__ = __len__ = __iter__ = __repr__ = __getattr__ = note
                __hash__ = None
                __class__ = property(note)
                def add(self, future): pass
            o = threading.Thread(); o.own = Own()
            f = Future(); f.set_result(Own())
            p = Future(); p.add_done_callback(Own().add); p.add_done_callback(functools.partial(int, Own()))
            class Own(list):
                note, __class__ = Own.note, property(Own.note)
            p.add_done_callback(Own().append)
            def look(): return o.name, f.done(), p.done()
        """)
    )
    names["ran"].clear()
    journal = run(names, "look()\n1 / 0", foreseen=False)
    assert names["ran"] == []
    assert journal.rollback(0).exact


def test_of_a_librarys_own_attributes_none_was_set_by_others() -> None:
    for one in (threading.Thread(), threading.Timer(1, print), threading.Condition()):
        assert asked_kind(type(one)) is not None
        assert set_by_others(type(one), vars(one)) == {}
    assert set_by_others(io.StringIO, {"mine": 1, "write": 2}) == {"mine": 1}
