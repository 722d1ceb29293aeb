"""What a cell does outside its namespace is seen, on its thread and while it runs, and named in the report."""

from __future__ import annotations

import ast
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.state import effects
from reflex_ipython.state.effect import Repeat
from reflex_ipython.state.effects import OutsideEffect, watch
from reflex_ipython.state.journal import Journal
from reflex_ipython.state.workers import goes_on
from tests.state.cells import namespace, run

IMPORTS = "import os, shutil, socket, sqlite3, subprocess, sys, threading"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.txt").write_text("x")
    return tmp_path


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("with open('out.csv', 'w') as f: f.write('y')", "wrote out.csv"),
        ("with open('out.csv', 'w') as f: pass", "made out.csv"),
        ("with open('there.txt', 'w') as f: pass", "emptied there.txt"),
        ("with open('there.txt', 'a') as f: f.write('y')", "wrote there.txt"),
        ("os.close(os.open('low.txt', os.O_CREAT | os.O_WRONLY))", "made low.txt"),
        ("os.remove('there.txt')", "removed there.txt"),
        ("os.rename('there.txt', 'here.txt')", "moved there.txt to here.txt"),
        ("os.makedirs('folder')", "made folder"),
        ("shutil.copy('there.txt', 'copy.txt')", "copied there.txt to copy.txt"),
        ("subprocess.run([sys.executable, '-c', ''])", f"ran `{sys.executable} -c `"),
        ("os.system('true')", "ran `true`"),
        ("sqlite3.connect('sales.db').close()", "opened the database sales.db"),
    ],
)
def test_an_effect_is_named_and_not_claimed_to_be_undone(cell: str, text: str) -> None:
    restoration = run(namespace(IMPORTS), f"{cell}\n1 / 0").rollback(0)
    assert text in restoration.not_undone
    assert not restoration.exact
    assert restoration.words.startswith("not undone: ")


def test_a_thread_that_was_started_is_named() -> None:
    names = namespace(IMPORTS, "end = threading.Event()")
    journal = run(names, "threading.Thread(target=end.wait).start()\n1 / 0")
    names["end"].set()
    assert "started a thread" in journal.rollback(0).not_undone


def test_a_connection_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        names = namespace(IMPORTS)
        names["port"] = server.getsockname()[1]
        journal = run(names, "s = socket.create_connection(('127.0.0.1', port)); s.close()\n1 / 0")
        assert f"connected to 127.0.0.1:{names['port']}" in journal.rollback(0).not_undone


SCRATCH = {
    "a temporary folder": "with tempfile.TemporaryDirectory() as d: open(os.path.join(d, 'x'), 'w').close()",
    "one that is cleaned up later": "d = tempfile.mkdtemp()\nopen(d + '/x', 'w').close()\nshutil.rmtree(d)",
    "a temporary file with a name": "with tempfile.NamedTemporaryFile() as f: f.write(b'x')",
    "one without": "with tempfile.TemporaryFile() as f: f.write(b'x')",
    "a file that is removed at once": "if True:\n open('scratch', 'w').close()\n os.remove('scratch')",
    "a folder that is removed at once": "if True:\n os.mkdir('scratch')\n os.rmdir('scratch')",
}


@pytest.mark.parametrize("cell", SCRATCH.values(), ids=SCRATCH)
def test_what_is_made_and_gone_again_repeats_nothing(cell: str) -> None:
    journal = run(namespace(IMPORTS, "import tempfile"), f"{cell}\n1 / 0")
    assert [
        effect.text
        for place in range(len(journal))
        for effect in journal.aftermath.effects(place)
        if not effect.harmless
    ] == []


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("d = tempfile.mkdtemp(dir='.'); open(d + '/x', 'w').close()", ["made", "wrote"]),
        ("open('scratch', 'w').close(); os.remove('there.txt')", ["wrote", "removed"]),
        ("with open('there.txt', 'w') as f: os.remove('there.txt')", ["wrote", "removed"]),
        ("open('scratch', 'w').close()\nos.rename('scratch', 'there.txt')", ["moved"]),
        ("open('scratch', 'w').close()\nos.remove('scratch')", ["removed"]),
        ("shutil.rmtree('.')", ["removed"]),
    ],
)
def test_what_stays_or_was_there_before_is_told(
    cell: str, texts: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "temporary"))
    journal = run(namespace(IMPORTS, "import tempfile"), f"{cell}\n1 / 0")
    told = [
        effect.text
        for place in range(len(journal))
        for effect in journal.aftermath.effects(place)
        if not effect.harmless
    ]
    assert [text.partition(" ")[0] for text in told] == texts


def test_what_is_removed_in_a_folder_that_is_open_is_told_by_its_path(folder: Path) -> None:
    (folder / "inside").mkdir()
    (folder / "inside" / "old").write_text("x")
    cell = "fd = os.open('inside', os.O_RDONLY); os.remove('old', dir_fd=fd); os.close(fd)"
    journal = run(namespace(IMPORTS), f"{cell}\n1 / 0")
    assert journal.aftermath.repeats()[1] == (Repeat("removed inside/old"),)


@pytest.mark.parametrize(
    "cell",
    [
        "open('there.txt').close()",
        "open(os.devnull, 'w').close()",
        "import colorsys",
        "os.makedirs('.', exist_ok=True)",
        "sqlite3.connect(':memory:').close()",
    ],
)
def test_what_harms_nobody_is_not_listed(cell: str) -> None:
    assert run(namespace(IMPORTS), f"{cell}\n1 / 0").rollback(0).words == "state restored exactly"


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("with open('there.txt', 'a') as f: pass", ()),
        ("with open('there.txt', 'r+') as f: f.read()", ()),
        ("os.close(os.open('there.txt', os.O_RDWR | os.O_CREAT))", ()),
        ("with open('there.txt', 'a') as f: f.write('y')", ("wrote there.txt",)),
        ("f = open('there.txt', 'a'); f.write('y')", ("wrote there.txt",)),  # it may yet come
        ("with open('there.txt', 'r+') as f: f.write('y')", ("wrote there.txt",)),
        ("with open('there.txt', 'w') as f: pass", ("emptied there.txt",)),
        ("with open('new.txt', 'a') as f: pass", ("made new.txt",)),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it can't be seen who has a file open")
def test_a_file_that_was_opened_and_not_written_is_not_said_to_be(
    cell: str, told: tuple[str, ...], folder: Path
) -> None:
    os.utime(folder / "there.txt", (1, 1))
    values = namespace(IMPORTS, "f = open(os.devnull)")
    values["f"].close()
    said = run(values, f"{cell}\n1 / 0").aftermath.repeats()[0]
    values["f"].close()
    assert tuple(one.text for one in said if ".txt" in one.text) == told


def test_effects_belong_to_their_statement_and_only_those_of_the_range_are_reported() -> None:
    journal = run(namespace(IMPORTS), "open('a', 'w').close()\nx = 1\nopen('b', 'w').close()\n1 / 0")
    assert [[effect.text for effect in journal.aftermath.effects(place)] for place in range(4)] == [
        ["wrote a"],
        [],
        ["wrote b"],
        [],
    ]
    assert journal.rollback(1).not_undone == ("made b",)


def test_files_in_the_shells_own_folders_are_its_own_business(folder: Path) -> None:
    cell = f"open({str(folder / 'inside')!r}, 'w').close()\n1 / 0"
    assert run(namespace(), cell, own_folders=lambda: (str(folder),)).rollback(0).exact


def test_what_running_it_again_would_repeat_is_told_for_each_statement() -> None:
    names = namespace(IMPORTS, "steps = (n for n in range(3))")
    journal = run(names, "open('a', 'w').close()\nnext(steps)\nimport colorsys\n1 / 0")
    assert journal.aftermath.repeats() == [(Repeat("made a"),), (Repeat("steps (generator)"),), (), ()]


def test_a_thread_that_was_there_before_is_not_watched() -> None:
    go = threading.Event()
    thread = threading.Thread(target=lambda: go.wait() and Path("other.txt").write_text("x"))
    thread.start()
    seen: list[OutsideEffect] = []
    stop = watch(seen.append)
    go.set()
    thread.join()
    stop()
    assert Path("other.txt").exists()
    assert seen == []


def test_what_a_thread_does_that_the_statement_started_and_joined_is_the_statements() -> None:
    names = namespace(IMPORTS, "def write(): open('out.csv', 'w').close()")
    journal = run(names, "thread = threading.Thread(target=write); thread.start(); thread.join()\n1 / 0")
    assert [
        effect.text for effects in map(journal.aftermath.effects, range(3)) for effect in effects if not effect.harmless
    ] == ["wrote out.csv"]


def test_what_a_pool_does_that_was_there_before_is_the_statements() -> None:
    names = namespace("from concurrent.futures import ThreadPoolExecutor", "def write(n): open(str(n), 'w').close()")
    with ThreadPoolExecutor(1) as pool:
        names["pool"] = pool
        pool.submit(int).result()
        journal = run(names, "list(pool.map(write, [1, 2]))\n1 / 0")
        assert [effect.text for effect in journal.aftermath.effects(0)] == ["wrote 1", "wrote 2"]


def test_one_watch_tells_of_each_statement_apart(folder: Path) -> None:
    seen: list[OutsideEffect] = []
    begun = [1]
    watching = watch(seen.append, begun=lambda: begun[0])
    for _ in range(2):
        Path("a").write_text("x")
    begun[0] += 1
    Path("a").write_text("y")
    watching()
    Path("b").write_text("z")
    assert [effect.text for effect in seen] == ["wrote a", "wrote a"]


def test_nothing_is_seen_after_the_end_and_one_hook_is_enough_for_all() -> None:
    code = (
        "import sys\nadded = []\noriginal = sys.addaudithook\n"
        "sys.addaudithook = lambda hook: (added.append(1), original(hook))\n"
        "from reflex_ipython.state.effects import watch\nseen = []\n"
        "for _ in range(3): watch(seen.append)()\n"
        "open('after.txt', 'w').close()\nassert (len(added), seen) == (1, []), seen"
    )
    package = Path(effects.__file__).parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(package)})


def test_a_strange_argument_never_breaks_the_users_call() -> None:
    class Strange:
        def __fspath__(self) -> str:
            return "strange.txt"

    names = namespace(IMPORTS)
    names["strange"] = Strange()
    journal = run(names, "open(strange, 'w').close(); sys.audit('os.remove', 5, object()); sys.audit('open')\n1 / 0")
    assert len(journal) == 4
    journal.clear()


def test_an_event_without_arguments_never_breaks_the_users_call(folder: Path) -> None:
    """As `os.forkpty` has none, by which a kernel runs `!command`."""
    journal = run(namespace(IMPORTS), "sys.audit('os.forkpty')\n1 / 0", own_folders=lambda: (str(folder / "inside"),))
    assert len(journal) == 2
    assert journal.rollback(0).not_undone == ("started a process",)


WRITES = "with open('side.txt', 'a') as f: f.write('x')"
AT_IMPORT = {
    "a file": (WRITES, "wrote side.txt"),
    "a folder": ("import os; os.mkdir('out')", "made out"),
    "a file that is gone": ("import os; os.remove('there.txt')", "removed there.txt"),
    "another name": ("import os; os.rename('there.txt', 'here.txt')", "moved there.txt to here.txt"),
    "a command": ("import subprocess; subprocess.run(['true', 'x'])", "ran `true x`"),
    "a log": ("import logging; logging.FileHandler('out.log').close()", "made out.log"),
    "a port": (
        "import socket\nwith socket.socket() as s: s.bind(('127.0.0.1', 0))",
        "opened a port",
    ),
    "a module of a package": ("from own_package import inside", "made inside.txt"),
    "a text that it runs": (f"exec({WRITES!r})", "wrote side.txt"),
    "what then fails": (f"{WRITES}\n1 / 0", "wrote side.txt"),
}
IMPORTS_OWN = {
    "import": "import own_effect",
    "within try": "try: import own_effect\nfinally: pass",
    "importlib": "import importlib; importlib.import_module('own_effect')",
    "exec": "exec('from own_effect import *')",
    "a function": "def go():\n    import own_effect\ngo()",
    "another module": "import own_importer",
    "a spec": (
        "from importlib import util; spec = util.spec_from_file_location('own_effect', 'own_effect.py')\n"
        "spec.loader.exec_module(util.module_from_spec(spec))"
    ),
}


@pytest.fixture
def modules(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where modules of the user's own and libraries are imported from, and forgotten in the end."""
    library, package = folder / "site-packages", folder / "own_package"
    library.mkdir()
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inside.py").write_text("open('inside.txt', 'a').close()")
    (folder / "own_importer.py").write_text("import own_effect")
    (library / "library_effect.py").write_text("open('cache.txt', 'w').close()")
    for path in (folder, library):
        monkeypatch.syspath_prepend(str(path))
    before = set(sys.modules)
    yield folder
    for name in ("own_effect", "own_importer", "own_package", "own_package.inside", "library_effect"):
        if name not in before:
            sys.modules.pop(name, None)


def texts_of(journal: Journal) -> list[str]:
    """What the cell did outside of its namespace, and would do again."""
    return [repeat.text for repeats in journal.aftermath.repeats() for repeat in repeats]


@pytest.mark.parametrize(("does", "text"), AT_IMPORT.values(), ids=AT_IMPORT)
def test_what_a_module_of_the_users_does_as_it_is_imported_is_an_effect_of_the_statement(
    modules: Path, does: str, text: str
) -> None:
    """It is forgotten with the statement, and does that once more."""
    (modules / "own_effect.py").write_text(does)
    assert texts_of(run(namespace(), "import own_effect\n1 / 0")) == [text]


@pytest.mark.parametrize("cell", IMPORTS_OWN.values(), ids=IMPORTS_OWN)
def test_that_is_seen_however_it_is_imported(modules: Path, cell: str) -> None:
    (modules / "own_effect.py").write_text(WRITES)
    assert texts_of(run(namespace(), f"{cell}\n1 / 0")) == ["wrote side.txt"]


def test_that_is_seen_where_it_is_imported_anew(modules: Path) -> None:
    (modules / "own_effect.py").write_text(WRITES)
    names = namespace("import importlib, own_effect")
    assert texts_of(run(names, "importlib.reload(own_effect)\n1 / 0")) == ["wrote side.txt"]


@pytest.mark.parametrize("own", ["import library_effect", "import library_effect, own_package", ""])
def test_what_a_library_does_as_it_is_imported_happens_once_and_is_no_effect(
    modules: Path, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is what Python writes itself to import a module of the user's faster the next time."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (modules / "own_effect.py").write_text(own)
    assert texts_of(run(namespace(), "import own_effect, library_effect\n1 / 0")) == []
    assert (modules / "cache.txt").exists()
    assert (modules / "__pycache__").exists()


AT_ADDRESS = {
    "an array": "(ctypes.c_long * 2).from_address(address)[1] += 5",
    "a number": "ctypes.c_long.from_address(address).value += 5",
    "a structure": "Pair.from_address(address).x += 5",
    "another name": "at(address)[0] += 5",
    "a text": "getattr(ctypes.c_long, 'from_address')(address).value += 5",
    "a function": "write()",
}


@pytest.mark.parametrize("statement", AT_ADDRESS.values(), ids=AT_ADDRESS)
def test_memory_that_code_gets_at_by_its_address_is_named(statement: str) -> None:
    names = namespace(
        "import ctypes; kept = (ctypes.c_long * 2)(1, 2); address = ctypes.addressof(kept)",
        "class Pair(ctypes.Structure): _fields_ = [('x', ctypes.c_long)]",
        "at = (ctypes.c_long * 2).from_address\ndef write(): at(address)[0] += 5",
    )
    assert "got at memory by its address" in run(names, f"{statement}\n1 / 0").rollback(0).not_undone


@pytest.mark.parametrize("make", ["from_buffer(array, 8)[0] += 5", "from_buffer_copy(array)"])
def test_memory_of_an_object_that_is_at_hand_is_put_back(make: str) -> None:
    names = namespace("import ctypes, numpy; array = numpy.arange(4)")
    assert run(names, f"(ctypes.c_long * 2).{make}\n1 / 0").rollback(0).exact
    assert names["array"].tolist() == [0, 1, 2, 3]


def test_memory_of_a_library_is_not(modules: Path) -> None:
    (modules / "site-packages" / "library_effect.py").write_text(
        "import ctypes\nkept = ctypes.c_long(1)\ndef go(): ctypes.c_long.from_address(ctypes.addressof(kept))"
    )
    assert run(namespace("import library_effect"), "library_effect.go()\n1 / 0").rollback(0).exact


def run_in_a_loop(names: dict[str, Any], cell: str) -> Journal:
    """The same with top-level await; it ends when the cell does, before the loop's other tasks do."""
    journal = Journal(names)

    async def statements() -> None:
        for statement in ast.parse(cell).body:
            code = compile(ast.Module([statement], []), "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            journal.before(code)
            try:
                waiting = eval(code, names)
                if waiting is not None:
                    await waiting
            except ZeroDivisionError:
                break
        journal.finished()

    asyncio.run(statements())
    return journal


CALLS = {
    "a timed call": ("asyncio.get_running_loop().call_later(9, print)", True),
    "a call at a time": ("asyncio.get_running_loop().call_at(9e9, print)", True),
    "a call of the user's": ("asyncio.get_running_loop().call_later(9, fails)", True),
    "a call that was cancelled": ("asyncio.get_running_loop().call_later(9, print).cancel()", False),
    "a call that was made": ("asyncio.get_running_loop().call_soon(int); await asyncio.sleep(0.01)", False),
    "a nap": ("await asyncio.sleep(0.01)", False),
}


@pytest.mark.parametrize(("cell", "told"), CALLS.values(), ids=CALLS)
def test_a_call_that_is_left_to_the_event_loop_is_named(cell: str, told: bool) -> None:
    journal = run_in_a_loop(namespace(TASKS), f"if True: {cell}\n1 / 0")
    assert journal.aftermath.effects(0) == (
        (OutsideEffect("task", "scheduled a call on the event loop"),) if told else ()
    )


POOLS = {
    "a pool that waits": ("list(pool.map(str, [1, 2]))", False),
    "a pool that works in Python": ("work = pool.submit(end.wait)", True),
    "a pool that works in C": ("work = pool.submit(held.acquire)", True),
    "a pool that is gone": ("with ThreadPoolExecutor(2) as own: list(own.map(str, [1, 2]))", False),
    "a pool of multiprocessing that waits": ("threads.map(str, [1, 2])", False),
    "a pool of multiprocessing that works": (
        "if True: other = ThreadPool(1); work = other.apply_async(held.acquire)",
        True,
    ),
    "a thread that is joined later": (
        "t = threading.Thread(target=time.sleep, args=(0.05,)); t.start()\nt.join()",
        False,
    ),
    "a timer": ("timer = threading.Timer(9, int); timer.start()", True),
    "a timer that was stopped": (
        "if True: timer = threading.Timer(9, int); timer.start(); timer.cancel(); timer.join()",
        False,
    ),
}


@pytest.mark.parametrize(("cell", "told"), POOLS.values(), ids=POOLS)
def test_threads_are_named_if_they_go_on(cell: str, told: bool) -> None:
    names = namespace(
        IMPORTS,
        "import time; from concurrent.futures import ThreadPoolExecutor; from multiprocessing.pool import ThreadPool",
        "end, held = threading.Event(), threading.Lock(); held.acquire(); timer = other = None",
        "pool = ThreadPoolExecutor(2); threads = ThreadPool(2)",
    )
    journal = run(names, f"{cell}\n1 / 0")
    try:
        effects = [effect for place in range(len(journal)) for effect in journal.aftermath.effects(place)]
        assert [effect.text for effect in effects if not effect.harmless] == (["started a thread"] if told else [])
    finally:
        names["end"].set()
        names["held"].release()
        names["pool"].shutdown()
        for pool in filter(None, (names["threads"], names["other"])):
            pool.terminate()
        if names["timer"] is not None:
            names["timer"].cancel()


def test_a_pools_thread_that_comes_too_late_for_its_work_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, end = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: begun.set() or end.wait())
        begun.wait()
        (busy,) = pool._threads
        late = threading.Thread(target=busy._target, args=busy._args)  # one more of that pool, which has not begun
        monkeypatch.setitem(threading._active, -1, late)
        before = goes_on(-1, late)
        pool.submit(int)
        after = goes_on(-1, late)
        end.set()
    assert (before, after) == (False, True)


COMMANDS = {
    "ls -l": False,
    "ls -l | head -n 3 && pwd": False,
    "git status": False,
    "pip list": False,
    "nvidia-smi": False,
    "cat a.txt > b.txt": True,
    "cat a.txt | tee b.txt": True,
    "echo $(rm a.txt)": True,
    "echo `rm a.txt`": True,
    "ls; rm a.txt": True,
    "ls & rm a.txt": True,
    "ls\nrm a.txt": True,
    "git log --output=a.txt": True,
    "git push": True,
    "pip install x": True,
    "echo 'no end": True,
}


@pytest.mark.parametrize(("command", "told"), COMMANDS.items(), ids=COMMANDS)
def test_a_command_that_only_reads_repeats_nothing(command: str, told: bool) -> None:
    for event in (("os.system", command.encode()), ("subprocess.Popen", "sh", ["/bin/sh", "-c", command], None, None)):
        journal = run({"__name__": "__main__", "sys": sys, "event": event}, "sys.audit(*event)\n1 / 0")
        shown = command.replace("\nrm a.txt", "…")
        assert journal.aftermath.repeats()[0] == ((Repeat(f"ran `{shown}`"),) if told else ())


TASKS = """\
import asyncio
async def fails():
    1 / 0
async def goes_on():
    await asyncio.sleep(10)
async def ends():
    await asyncio.sleep(0)
"""


def test_a_task_that_goes_on_after_the_failure_of_another_is_named() -> None:
    journal = run_in_a_loop(namespace(TASKS), "await asyncio.gather(fails(), goes_on())")
    assert journal.rollback(0).not_undone == ("left a task running",)


def test_tasks_that_were_awaited_are_not_named() -> None:
    journal = run_in_a_loop(namespace(TASKS), "await asyncio.gather(ends(), ends())\n1 / 0")
    assert journal.rollback(0).exact


def test_tasks_that_went_on_before_are_not_named() -> None:
    journal = run_in_a_loop(namespace(TASKS), "task = asyncio.ensure_future(goes_on())\n1 / 0")
    assert journal.aftermath.effects(0) == (OutsideEffect("task", "left a task running"),)
    assert journal.aftermath.effects(1) == ()


def test_tasks_of_the_kernel_itself_are_not_named() -> None:
    names = namespace(TASKS)
    exec("async def serve(): await asyncio.sleep(10)", {"__name__": "ipykernel.kernelbase", "asyncio": asyncio}, names)
    assert run_in_a_loop(names, "task = asyncio.ensure_future(serve())\n1 / 0").aftermath.effects(0) == ()
