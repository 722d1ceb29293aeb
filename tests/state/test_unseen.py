"""Calls that no audit event tells of are found in the code by what their names stand for."""

from __future__ import annotations

import functools
import os
import sys
from types import ModuleType
from typing import Any

import pytest

from reflex_ipython.state.effect import Repeat
from reflex_ipython.state.unseen import Unseen
from tests.state.cells import namespace, run

IMPORTS = "import os, atexit, signal, weakref, ctypes, _thread; from os import write as w; libc = ctypes.CDLL(None)"
USERS = """\
def save(fd): os.write(fd, b'x')
def saves(): return save
class Writer:
    def __init__(self): self.fd = 1
    def write(self, text): return text
    def flush(self): os.write(self.fd, b'x')
    def later(self): self.flush()
class Quiet:
    def __enter__(self): pass
    def never(self): os.write(1, b'x')
class Loud:
    def __enter__(self): os.write(1, b'x')
def by_text(): exec('for fd in (1, 2): save(fd)', globals())
writer = Writer(); quiet = Quiet(); loud = Loud(); files = [writer]; writer.inner = writer
"""
DESCRIPTOR = "wrote to a file descriptor"


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return namespace(IMPORTS, USERS)


def unseen(statement: str, names: dict[str, Any]) -> list[str]:
    return [effect.text for effect in Unseen(names).of(compile(statement, "<cell>", "exec"))]


FOUND = {
    "os.write(1, b'x')": DESCRIPTOR,
    "w(1, b'x')": DESCRIPTOR,
    "for fd in (1, 2): os.pwrite(fd, b'x', 0)": DESCRIPTOR,
    "[os.write(fd, b'x') for fd in range(3)]": DESCRIPTOR,
    "(lambda: os.write(1, b'x'))()": DESCRIPTOR,
    "os.sendfile(1, 2, 0, 3)": DESCRIPTOR,
    "save(1)": DESCRIPTOR,
    "saves()": DESCRIPTOR,
    "exec('os.write(1, b\"x\")')": DESCRIPTOR,
    "by_text()": DESCRIPTOR,
    "eval('by_text()')": DESCRIPTOR,
    "list(map(save, [1]))": DESCRIPTOR,
    "writer.flush()": DESCRIPTOR,
    "writer.later()": DESCRIPTOR,
    "writer.inner.flush()": DESCRIPTOR,
    "Writer().flush()": DESCRIPTOR,
    "with loud: pass": DESCRIPTOR,
    "atexit.register(print)": "registered a call for when the kernel ends",
    "signal.raise_signal(signal.SIGUSR1)": "sent a signal",
    "os.read(1, 0)": "moved in a file descriptor",
    "os.lseek(1, 0, 0)": "moved in a file descriptor",
    "libc.getpid()": "called getpid in a C library",
    "_thread.start_new_thread(int, ())": "started a thread",
    "ctypes.cast(1, ctypes.c_void_p)": "got at memory by its address",
    "ctypes.memmove(1, 2, 3)": "wrote to memory by its address",
    "ctypes.memset(1, 2, 3)": "wrote to memory by its address",
    "ctypes.CFUNCTYPE(None)(1)()": "made a function of C, maybe of its address",
}


@pytest.mark.parametrize(("statement", "text"), FOUND.items(), ids=FOUND)
def test_what_no_event_tells_of_is_found(statement: str, text: str, names: dict[str, Any]) -> None:
    assert unseen(statement, names) == [text]


QUIET = [
    "os.getcwd()",
    "os.path.join('a', 'b')",
    "writer.write('x')",
    "writer.fd",
    "with quiet: pass",
    "files[0].write('x')",
    "signal.getsignal(signal.SIGALRM)",
    "weakref.ref(writer)",
    "signal.alarm(3)",
    "ctypes.string_at(1)",
    "ctypes.sizeof(ctypes.c_int)",
    "weakref.finalize(writer, print)",
    "def write(*a): pass",
    "x = 'os.write(1, b)'",
]


@pytest.mark.parametrize("statement", QUIET)
def test_what_is_no_such_call_is_not(statement: str, names: dict[str, Any]) -> None:
    assert unseen(statement, names) == []


def test_a_function_of_the_users_by_that_name_is_not_taken_for_the_one_of_the_table(names: dict[str, Any]) -> None:
    own = {**names, "os": type("os", (), {"write": staticmethod(len)})}
    assert unseen("os.write(1, b'x')", own) == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("db.execute('create table t (a)')", True),
        ("db.executescript('DROP TABLE IF EXISTS t; create table t (a)')", True),
        ("make()", True),
        ("db.execute('select created from t')", False),
        ("db.execute('insert into t values (1)')", False),
        ("db.execute('select 1'); x = 'create'", True),
        ("db.commit(); x = 'create'", False),
        ("db.execute(ddl)", True),
        ("for one in several: db.execute(one)", True),
        ("make_in(db)", True),
        ("db.execute(query)", False),
    ],
)
def test_tables_of_sqlite_that_are_made_or_dropped_are_found(statement: str, found: bool) -> None:
    names = namespace(
        "import sqlite3; db = sqlite3.connect(':memory:')\ndef make(): db.execute('create table t (a)')",
        "ddl, query = 'create table t (a)', 'select 1'; several = [query, ddl]\ndef make_in(there): there.execute(ddl)",
    )
    text = "changed what tables there are"
    assert unseen(statement, names) == ([text] if found else [])
    names["db"].close()


def test_texts_of_sql_in_statements_of_one_shape_are_told_apart() -> None:
    names = namespace("import sqlite3; db = sqlite3.connect(':memory:')")
    asked = Unseen(names)
    texts = ("select 1", "create table t (a)", "select 2")
    assert [len(asked.of(compile(f"db.execute('{text}')", "<cell>", "exec"))) for text in texts] == [0, 1, 0]
    names["db"].close()


@pytest.fixture
def polars(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Something that looks as polars does to who looks for it: polars itself is a heavy thing to install."""
    module = ModuleType("polars")
    exec("class DataFrame:\n def filter(self, *a): return self\n def write_csv(self, *a): pass", vars(module))
    module.read_csv = lambda path: module.DataFrame()  # type: ignore[attr-defined]  # as above
    monkeypatch.setitem(sys.modules, "polars", module)
    module.__file__ = str(sys.prefix) + "/lib/site-packages/polars/__init__.py"
    return {"__name__": "__main__", "pl": module, "df": module.DataFrame()}  # type: ignore[attr-defined]  # as above


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("df.write_csv('out.csv')", True),
        ("df.filter(1).write_csv('out.csv')", True),
        ("pl.read_csv('in.csv').write_csv('out.csv')", True),
        ("pl.read_csv('in.csv').filter(2).sink_parquet('out')", True),
        ("text = df.write_csv()", False),
        ("text = df.filter(1).write_csv()", False),
        ("df.filter(1)", False),
    ],
)
def test_a_frame_that_is_written_by_a_library_of_its_own_is_found(
    statement: str, found: bool, polars: dict[str, Any]
) -> None:
    assert [text.partition(" (")[0] for text in unseen(statement, polars)] == (["wrote a file"] if found else [])


def test_what_running_it_again_may_do_twice_is_asked_about_and_not_claimed_to_be_undone() -> None:
    names = namespace("import os", "fd = os.open(os.devnull, os.O_WRONLY)")
    journal = run(names, "os.write(fd, b'x')\nx = 1\n1 / 0")
    assert journal.aftermath.repeats() == [(Repeat(DESCRIPTOR),), (), ()]
    assert journal.rollback(0).not_undone == (DESCRIPTOR,)
    os.close(names["fd"])


CLOSED = "closed a file descriptor"


@pytest.mark.parametrize(
    ("cell", "asked", "not_undone"),
    [
        ("os.close(fd)\n1 / 0", [(Repeat(CLOSED),), ()], (CLOSED,)),
        ("if fd:\n os.close(fd)\n 1 / 0", [(Repeat(CLOSED),)], (CLOSED,)),
        ("own = os.dup(fd)\nx = 1\nos.close(own)\n1 / 0", [(), (), (Repeat(CLOSED, 0),), ()], ()),
        ("os.close(os.dup(fd))\n1 / 0", [(Repeat(CLOSED, 0),), ()], ()),
    ],
)
def test_that_a_descriptor_was_closed_is_told_where_the_cell_has_not_opened_it(
    cell: str, asked: list[tuple[Repeat, ...]], not_undone: tuple[str, ...]
) -> None:
    with open(os.devnull) as file:
        journal = run({"os": os, "fd": os.dup(file.fileno())}, cell)
    assert journal.aftermath.repeats() == asked
    assert journal.rollback(0).not_undone == not_undone


def test_a_descriptor_of_an_earlier_statement_that_is_not_repeated_stays_closed() -> None:
    journal = run({"os": os}, "own = os.open(os.devnull, 0)\nif own:\n os.close(own)\n 1 / 0")
    journal.aftermath.repeats()
    assert journal.rollback(1).not_undone == (CLOSED,)


def test_statements_of_one_shape_are_read_once_and_told_apart_by_their_names(names: dict[str, Any]) -> None:
    asked = Unseen(names)
    codes = [compile(text, "<cell>", "exec") for text in ("os.write(1, b'x')", "os.write(2, b'y')", "os.getpid()")]
    assert [len(asked.of(code)) for code in codes] == [1, 1, 0]


def test_a_partial_that_was_asked_is_still_seen_through() -> None:
    names = namespace("import functools\nplain = functools.partial(dict, a=1)")
    run(names, "plain.args\n1 / 0", foreseen=False).aftermath.repeats()
    assert functools.partial(names["plain"], b=2).func is dict


@pytest.mark.parametrize(("count", "text"), [(1_500, "wrote to a file descriptor"), (3_000, "not all were looked at")])
def test_however_many_functions_code_leads_to_no_more_are_read_than_a_cell_can_wait_for(count: int, text: str) -> None:
    """A package that is installed to be edited counts as the user's, and may be as large as any."""
    chain = "\n".join(f"def f{number}(): f{number + 1}()" for number in range(count))
    assert text in unseen("f0()", namespace(f"import os\n{chain}\ndef f{count}(): os.write(1, b'')"))[0]
