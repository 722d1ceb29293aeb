"""What ends while the state is put back: what it does outside is named, what it changes is put back."""

from __future__ import annotations

import gc
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.state import ends_reached
from reflex_ipython.state.restoration import Restoration
from tests.state.cells import namespace, run

HOLDERS = {
    "a name": "part = Part()",
    "a list": "box.append(Part())",
    "a dict": "held['part'] = Part()",
    "itself": "part = Part(); part.me = part",
    "a tree": "part = Part(); part.inside = [Part()]; part.inside[0].above = part",
    "another": "part = Part(); part.inside = Part()",
}
"""What holds the object when the statement fails."""
CHANGES = {
    "a counter": ("count = 5", "global count; count -= 1", "count"),
    "a list": ("told = []", "told.append(1)", "told"),
    "a dict": ("told = {}", "told.setdefault('ends', []).append(1)", "told"),
    "a deque": ("import collections; told = collections.deque([1])", "told.append(2)", "told"),
    "a registry": ("told = [1, 2, 3, 4]", "told.pop()", "told"),
    "its class": ("", "Part.alive = getattr(Part, 'alive', 0) + 1", "getattr(Part, 'alive', 0)"),
    "a new name": ("", "globals()['extra'] = 1", "'extra' in globals()"),
    "a name that is gone": ("kept = [1]", "globals().pop('kept', None)", "kept"),
    "an array": ("import numpy; told = numpy.zeros(3)", "told[1] -= 1", "told.tolist()"),
    "a frame": ("import pandas; told = pandas.DataFrame({'a': [1]})", "told.loc[0, 'a'] += 1", "told.to_dict()"),
    "chance": ("import random", "random.random()", "random.getstate()"),
    "numpy's chance": ("import numpy", "numpy.random.rand()", "numpy.random.get_state()[2]"),
    "the environment": ("import os", "os.environ['TOLD'] = 'x'", "os.environ.get('TOLD')"),
    "a library": ("import colorsys", "colorsys.told = 1", "hasattr(colorsys, 'told')"),
    "logging": ("import logging", "logging.disable(30)", "logging.root.manager.disable"),
    "a text": ("import io; told = io.StringIO()", "told.write('a')", "told.getvalue()"),
    "a closure": ("def make():\n  told = [0]\n  return told.append, told\nend, told = make()", "end(1)", "told"),
    "an iterator": ("told = iter([1, 2, 3, 4, 5, 6])", "next(told)", "told.__reduce__()[2]"),
}


def failed(names: dict[str, Any], statement: str) -> Restoration:
    """Have a compound statement fail, and put its state back."""
    journal = run(names, f"if True:\n  {statement}\n  toatl")
    journal.note_end()
    return journal.rollback(0)


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
@pytest.mark.parametrize(("setup", "end", "told"), CHANGES.values(), ids=CHANGES)
def test_what_it_changes_is_put_back(setup: str, end: str, told: str, holder: str) -> None:
    names = namespace(setup or "pass", f"box, held = [], {{}}\nclass Part:\n  def __del__(self): {end}")
    before = eval(told, names)
    before = before.copy() if hasattr(before, "copy") else before
    assert failed(names, holder).words == "state restored exactly"
    gc.collect()  # nothing is left that could end
    assert eval(told, names) == before


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_it_finds_the_state_that_it_knows(holder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)
    part = "class Part:\n  def __init__(self): told.add(id(self))\n  def __del__(self): told.remove(id(self))"
    names = namespace("box, held, told = [], {}, set()", part)
    assert failed(names, holder).exact
    assert names["told"] == set()
    assert not raised or "box" in holder or "held" in holder  # what holds it is put back together with the registry


OUTSIDE = {
    "a file": ("path = ...", "open('told', 'w').close()", "made told"),
    "a folder": ("import os; path = ...", "os.mkdir('told')", "made told"),
    "a command": ("import os; path = ...", "os.system('touch told')", "ran `touch told`"),
    "a descriptor": ("import os; path = os.pipe()[1]", "os.write(path, b'x')", "wrote to a file descriptor"),
    "a thread": (
        "import threading; path = threading.Event()",
        "threading.Thread(target=path.wait).start()",
        "started a thread",
    ),
}
SEEN = {
    "__del__": "class Part:\n  def __del__(self): {}",
    "a finalizer": (
        "import weakref\ndef end(): {}\nclass Part:\n  def __init__(self): self.end = weakref.finalize(self, end)"
    ),
    "a weak reference": (
        "import weakref\nrefs = []\nclass Part:\n  def __init__(self): refs.append(weakref.ref(self, self.end))\n"
        "  @staticmethod\n  def end(_): {}"
    ),
    "a pause": "def paused():\n  try: yield\n  finally: {}\ndef Part():\n  it = paused(); next(it); return it",
}
ENDING = {name: (seen, "part = Part()") for name, seen in SEEN.items()}
ENDING |= {f"{name} in a list": (SEEN[name], "box.append(Part())") for name in ("__del__", "a pause")}


@pytest.mark.parametrize(("seen", "holder"), ENDING.values(), ids=ENDING)
@pytest.mark.parametrize(("setup", "end", "words"), OUTSIDE.values(), ids=OUTSIDE)
def test_what_it_does_outside_is_named(
    setup: str, end: str, words: str, seen: str, holder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "told"
    monkeypatch.chdir(tmp_path)
    names = namespace(setup.replace("...", repr(str(path))), "box = []", seen.format(end))
    before = threading.enumerate()
    try:
        restored = failed(names, holder)
    finally:
        if isinstance(names["path"], threading.Event):
            names["path"].set()
        for thread in threading.enumerate():
            if thread not in before:
                thread.join()
    assert words in restored.not_undone, restored.words


@pytest.mark.filterwarnings("ignore:Implicitly cleaning up:ResourceWarning")
def test_a_folder_that_the_failed_statement_made_and_that_goes_with_it_is_nothing() -> None:
    names = namespace("import tempfile")
    assert failed(names, "folder = tempfile.TemporaryDirectory()").words == "state restored exactly"


def test_what_can_not_be_put_back_is_named() -> None:
    names = namespace(
        "def numbers():\n  yield 1\n  yield 2\nit = numbers()", "class Part:\n  def __del__(self): next(it)"
    )
    assert failed(names, "part = Part()").words == "not undone: it (generator)"


def test_of_what_has_many_items_only_some_are_gone_through() -> None:
    names = namespace(
        "class Part:\n  def __del__(self): pass", "part = Part(); part.data = [float(n) for n in range(5_000)]"
    )
    assert len(ends_reached._shared(names["part"])) < 1_000


def test_what_nobody_uses_is_named_as_nothing(tmp_path: Path) -> None:
    names = namespace(f"class Part:\n  def __del__(self):\n    if self.writes: open({str(tmp_path / 'a')!r}, 'w')")
    assert failed(names, "part = Part(); part.writes = False").exact


def test_so_it_is_of_what_several_statements_have_made(tmp_path: Path) -> None:
    path = str(tmp_path / "told")
    part = "class Part:\n  def __del__(self):\n    told.append(1)\n    open(path, 'w').close()"
    names = namespace(f"told, path = [], {path!r}", part)
    journal = run(names, "part = Part()\nbox = [Part()]\nif True:\n  box.append(1)\n  part.me = part\n  toatl")
    journal.note_end()
    assert journal.rollback(0).words == f"not undone: made {path}"
    assert os.path.exists(path)
    gc.collect()
    assert (names["told"], "box" in names) == ([], False)


# ------------------------------------------------------------------------------------------ locks

LOCKS = {"Lock": "threading.Lock()", "RLock": "threading.RLock()", "Condition": "threading.Condition(threading.Lock())"}


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_what_ends_gets_a_lock_that_the_failed_statement_has_taken(lock: str, holder: str) -> None:
    part = "class Part:\n  def __del__(self):\n    with lock: told.append(1)"
    names = namespace(f"import threading; told, box, held = [], [], {{}}; lock = {lock}", part)
    assert failed(names, f"lock.acquire(); {holder}").exact
    assert names["lock"].acquire(blocking=False)
    assert names["told"] == []


def test_a_lock_of_a_class_of_the_users_is_freed_without_running_their_code() -> None:
    own = "class Own(type(threading.RLock())):\n  def release(self):\n    raise SystemExit"
    names = namespace(f"import threading\n{own}\nlock = Own()")
    assert failed(names, "lock.acquire()").exact
    assert "count=0" in repr(names["lock"])


def test_a_lock_that_another_thread_may_hold_stays_and_is_named() -> None:
    names = namespace("import threading; lock, over = threading.Lock(), threading.Event()\ndef wait(): over.wait()")
    other = threading.Thread(target=names["wait"])
    other.start()
    restored = failed(names, "lock.acquire()")
    names["over"].set()
    other.join()
    assert names["lock"].locked()
    assert restored.words == "restored except: lock (another thread may hold it)"
