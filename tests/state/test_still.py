"""Live objects that surely have not changed are not named; those that have are."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from tests.state.cells import namespace, run


@dataclasses.dataclass(frozen=True)
class Live:
    """A live object, `o`.

    Parameters
    ----------
    make : str
        Statements that make it.
    still : str
        A statement that uses it and changes nothing; empty if there is none.
    changes : str
        One that changes what can't be put back; empty if nothing does.
    ends : str
        What is to be done with it in the end.
    """

    make: str
    still: str
    changes: str = ""
    ends: str = ""


OBJECTS = {
    "a thread that has another name": Live("import threading; o = threading.Thread()", "o.name", "o.name = 'b'"),
    "a thread that has ended": Live(
        "import threading; o = threading.Thread(target=int); o.start(); o.join()", "o.name"
    ),
    "a thread that is started": Live(
        "import threading; o = threading.Thread(target=int)", "o.name", "o.start()", "o.ident and o.join()"
    ),
    "an event": Live("import threading; o = threading.Event()", "o.is_set()"),
    "a condition": Live("import threading; o = threading.Condition()", "with o: pass"),
    "a condition with a lock": Live("import threading; o = threading.Condition(threading.Lock())", "with o: pass"),
    "a semaphore": Live("import threading; o = threading.Semaphore(2)", "with o: pass"),
    "a barrier": Live("import threading; o = threading.Barrier(2)", "o.parties"),
    "a queue": Live("import queue; o = queue.Queue()", "if True: o.put(1); o.get(); o.task_done()"),
    "a simple queue": Live("import queue; o = queue.SimpleQueue()", "if True: o.put(1); o.get()", "o.put(1)"),
    "a pool of threads": Live(
        "import time; from concurrent.futures import ThreadPoolExecutor; o = ThreadPoolExecutor(1)",
        "list(o.map(str, [1, 2]))",
        "work = o.submit(time.sleep, 0.5)",
        "o.shutdown()",
    ),
    "a future": Live(
        "from concurrent.futures import Future; o = Future(); o.set_result(1); p = Future()", "o.result()"
    ),
    "a future that somebody waits for": Live(
        "from concurrent.futures import Future; o = Future()", "o.done()", "o.add_done_callback(id)"
    ),
    "the comment of an archive": Live(
        "import io, zipfile; o = zipfile.ZipFile(io.BytesIO(), 'w')", "o.comment", "o.comment = b'x'"
    ),
    "a future that is set": Live("from concurrent.futures import Future; o = Future()", "o.done()", "o.set_result(1)"),
    "a process that has ended": Live("import subprocess; o = subprocess.Popen('true'); o.wait()", "o.returncode"),
    "a process that runs": Live(
        "import subprocess; o = subprocess.Popen('cat', stdin=subprocess.PIPE)",
        "",
        "o.stdin.write(b'')",
        "o.communicate()",
    ),
    "what a command gave": Live("import subprocess; o = subprocess.run('true')", "o.returncode"),
    "a lock of asyncio": Live("import asyncio; o = asyncio.Lock()", "o.locked()"),
    "a queue of asyncio": Live(
        "import asyncio; o = asyncio.Queue()",
        "if True: o.put_nowait(1); o.get_nowait(); o.task_done()",
    ),
    "a database": Live(
        "import sqlite3; o = sqlite3.connect(':memory:'); o.execute('create table t (a)')",
        "o.execute('select * from t').fetchall()",
        "o.execute('insert into t values (1)')",
        "o.close()",
    ),
    "a temporary folder": Live(
        "import tempfile; o = tempfile.TemporaryDirectory()", "o.name", "o.cleanup()", "o.cleanup()"
    ),
    "an archive": Live(
        "import io, zipfile; o = zipfile.ZipFile(io.BytesIO(), 'w')",
        "o.namelist()",
        "o.writestr('a', 'b')",
        "o.close()",
    ),
    "a map that is read": Live(
        "import mmap; f = open('file', 'rb'); o = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)",
        "o[0]",
        ends="o.close(); f.close()",
    ),
    "a map that is written": Live(
        "import mmap; f = open('file', 'r+b'); o = mmap.mmap(f.fileno(), 0)", "", "o[0] = 66", "o.close(); f.close()"
    ),
    "a digest": Live("import hashlib; o = hashlib.sha256(b'a')", "o.hexdigest()", "o.update(b'b')"),
    "certificates": Live(
        "import ssl; o = ssl.create_default_context()", "o.options", "o.check_hostname = not o.check_hostname"
    ),
    "a session": Live(
        "requests = __import__('requests'); o = requests.Session()", "o.headers", "o.cookies.set('a', 'b')", "o.close()"
    ),
    "a session that gets an adapter": Live(
        "requests = __import__('requests'); o = requests.Session()",
        "",
        "o.mount('http://a', requests.adapters.HTTPAdapter())",
        "o.close()",
    ),
    "a client": Live("httpx = __import__('httpx'); o = httpx.Client()", "o.timeout", "o.close()", "o.close()"),
    "a client that gets a header": Live(
        "httpx = __import__('httpx'); o = httpx.Client()", "o.headers", "o.headers['a'] = 'b'", "o.close()"
    ),
    "a client that gets a cookie": Live(
        "httpx = __import__('httpx'); o = httpx.Client()", "o.cookies", "o.cookies.set('a', 'b')", "o.close()"
    ),
    "a client that gets a hook": Live(
        "httpx = __import__('httpx'); o = httpx.Client()",
        "o.event_hooks",
        "o.event_hooks['request'].append(print)",
        "o.close()",
    ),
    "a response": Live(
        "requests = __import__('requests'); o = requests.Response(); o._content = b'1'",
        "o.json()",
        "o.status_code = 5",
    ),
    "a progress bar": Live(
        "tqdm = __import__('tqdm').tqdm; import io; o = tqdm(total=3, file=io.StringIO())",
        "o.total",
        "o.update()",
        "o.close()",
    ),
    "a widget": Live("w = __import__('ipywidgets'); o = w.IntSlider()", "v = o.value + o.max", "o.value = 5"),
    "a widget that is asked how it looks": Live(
        "w = __import__('ipywidgets'); o = w.Button()", "o.layout, o.style, o.tooltip", "o.layout.width = '5px'"
    ),
    "a widget's style": Live("w = __import__('ipywidgets'); o = w.Button()", "", "o.style.button_color = 'red'"),
    "a widget's class": Live("w = __import__('ipywidgets'); o = w.Text()", "o.value", "o.add_class('wide')"),
    "a widget that is observed": Live(
        "w = __import__('ipywidgets'); o = w.IntSlider()", "repr(o)", "o.observe(print, 'value')"
    ),
    "a button that calls something": Live("w = __import__('ipywidgets'); o = w.Button()", "o", "o.on_click(print)"),
    "what is captured": Live("from IPython.utils.capture import CapturedIO; o = CapturedIO(None, None)", "o.stdout"),
}
STILL = {name: live for name, live in OBJECTS.items() if live.still}
CHANGES = {name: live for name, live in OBJECTS.items() if live.changes}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("text")


def named(live: Live, cell: str) -> bool:
    """Whether `o` is said to have changed by the cell's first statement, of which nothing is foreseen."""
    names: dict[str, Any] = namespace(live.make)
    try:
        return any(
            one.text.startswith("o (") for one in run(names, f"{cell}\n1 / 0", foreseen=False).aftermath.repeats()[0]
        )
    finally:
        exec(live.ends, names)


@pytest.mark.parametrize("live", STILL.values(), ids=STILL)
def test_what_has_not_changed_is_not_asked_about(live: Live) -> None:
    assert not named(live, live.still)


@pytest.mark.parametrize("live", CHANGES.values(), ids=CHANGES)
def test_what_has_changed_is_asked_about(live: Live) -> None:
    assert named(live, live.changes)


@pytest.mark.parametrize(("live", "name"), [("what a command gave", "returncode"), ("a lock of asyncio", "_locked")])
def test_an_attribute_that_a_statement_surely_binds_is_put_back(live: str, name: str) -> None:
    names = namespace(OBJECTS[live].make)
    before = getattr(names["o"], name)
    journal = run(names, f"o.{name} = 2\n1 / 0")
    assert not journal.aftermath.repeats()[0]
    assert journal.rollback(0).exact
    assert getattr(names["o"], name) is before


@pytest.mark.parametrize(
    ("change", "shows"),
    [
        ("o.headers['a'] = 'b'", "dict(o.headers)"),
        ("o.params['a'] = 'b'", "o.params"),
        ("o.hooks['response'].append(print)", "o.hooks"),
    ],
)
def test_what_a_session_has_in_plain_containers_is_put_back(change: str, shows: str) -> None:
    names = namespace(OBJECTS["a session"].make)
    before = repr(eval(shows, names))
    journal = run(names, f"{change}\n1 / 0", foreseen=False)
    assert journal.rollback(0).exact
    assert repr(eval(shows, names)) == before
    names["o"].close()
