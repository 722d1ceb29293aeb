"""The store that a session uses goes on in memory, and says so once."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

from reflex_ipython.errors import StoreError
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.resilient import RETRY_AFTER, ResilientStore
from reflex_ipython.settings import Settings
from tests.remember.open_store import open_store


class Breakable(MemoryStore):
    """A store that works until it is broken."""

    broken = False
    attempts = 0

    def save(self, repair):
        self.attempts += 1
        self._check()
        super().save(repair)

    def get(self, prefix):
        self._check()
        return super().get(prefix)

    def recent(self, count, *, accepted=None):
        self._check()
        return super().recent(count, accepted=accepted)

    def _check(self):
        if self.broken:
            raise StoreError("The history is broken.")


@pytest.fixture
def parts():
    class Parts:
        inner = Breakable()
        warnings: list[str] = []  # noqa: RUF012 - made anew for each test
        time = 0.0

    parts = Parts()
    parts.store = ResilientStore(parts.inner, parts.warnings.append, lambda: parts.time)
    return parts


def ids(repairs):
    return [repair.id for repair in repairs]


def test_it_says_once_what_is_wrong(parts, make_repair):
    parts.inner.broken = True
    for number in range(3):
        parts.store.save(make_repair(str(number)))
    parts.store.recent(5)
    parts.store.close()
    assert parts.warnings == ["The history is broken. Until that is over, repairs are remembered in memory only."]


def test_old_and_new_rows_are_shown_together(parts, make_repair):
    parts.store.save(make_repair("aa"))
    parts.store.save(make_repair("bb", decided=None))
    parts.inner.broken = True
    parts.store.save(make_repair("cc"))
    parts.store.save(make_repair("bb", decided="rejected"))
    parts.inner.broken = False

    assert set(ids(parts.store.recent(5))) == {"aa", "bb", "cc"}
    assert ids(parts.store.recent(5, accepted=False)) == ["bb"]
    assert parts.store.recent(5, accepted=False)[0].decision.kind == "rejected"
    assert parts.store.get("b").decision.kind == "rejected"
    assert parts.store.get("a").id == "aa"


def test_a_row_that_is_accepted_meanwhile_is_no_longer_listed_as_not_accepted(parts, make_repair):
    parts.store.save(make_repair("aa", decided=None))
    parts.inner.broken = True
    parts.store.save(make_repair("aa", decided="accepted"))
    parts.inner.broken = False
    assert parts.store.recent(5, accepted=False) == []
    assert ids(parts.store.recent(1, accepted=True)) == ["aa"]


def test_as_many_old_rows_are_shown_as_are_asked_for(parts, make_repair):
    at = "2026-11-21T10:00:0{}.000+00:00"
    for number in range(5):
        parts.store.save(make_repair(f"id{number}", at.format(number), decided=None))
    parts.inner.broken = True
    for number in (4, 3):
        parts.store.save(make_repair(f"id{number}", at.format(number), decided="accepted"))
    parts.inner.broken = False
    assert ids(parts.store.recent(2, accepted=False)) == ["id2", "id1"]


def test_it_does_not_try_again_at_every_row_but_after_a_while(parts, make_repair):
    parts.inner.broken = True
    parts.store.save(make_repair("aa"))
    attempts = parts.inner.attempts
    parts.store.save(make_repair("bb"))
    assert parts.inner.attempts == attempts
    parts.inner.broken = False
    parts.time += RETRY_AFTER
    parts.store.save(make_repair("cc"))
    assert ids(parts.inner.recent(5)) == ["cc", "bb", "aa"]


def test_what_waits_is_stored_at_the_end(parts, make_repair):
    parts.inner.broken = True
    parts.store.save(make_repair("aa"))
    parts.inner.broken = False
    parts.store.close()
    assert ids(parts.inner.recent(5)) == ["aa"]


def test_a_row_that_is_stored_is_not_kept_in_memory_too(parts, make_repair):
    parts.store.save(make_repair("aa"))
    parts.inner.forget("aa")
    assert parts.store.recent(5) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_writes_nothing_even_if_the_lock_was_held(path, make_repair):
    store = open_store(StoreContext(lambda: Settings(history_file=str(path))), pytest.fail)
    store.save(make_repair("aa"))
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()

    def child():
        store.save(make_repair("bb"))
        answers.put(ids(store.recent(5)))
        store.close()

    process = context.Process(target=child)
    with store._lock:  # as if another thread were saving at this moment
        process.start()
    process.join(120)
    assert process.exitcode == 0
    assert answers.get() == ["bb"]
    assert ids(store.recent(5)) == ["aa"]


def test_opening_touches_no_file_and_imports_nothing_heavy(path):
    code = (
        "import sys; from tests.remember.open_store import open_store;"
        "from reflex_ipython.settings import Settings; from reflex_ipython.protocols import StoreContext;"
        f"open_store(StoreContext(lambda: Settings(history_file={str(path)!r})), print);"
        "print({'pydantic', 'platformdirs', 'sqlite3'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
    assert not path.parent.exists()


def test_a_history_in_use_gives_the_garbage_collector_little_to_walk(path):
    code = (
        "import gc; from tests.remember.conftest import SqliteStore, full_repair;"
        "from reflex_ipython.settings import Settings; from reflex_ipython.protocols import StoreContext;"
        f"store = SqliteStore(StoreContext(lambda: Settings(history_file={str(path)!r})));"
        "gc.collect(); before = len(gc.get_objects()); store.save(full_repair()); gc.collect();"
        "print(len(gc.get_objects()) - before)"
    )
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert path.exists()
    assert int(run.stdout) < 2000  # every full collection of the kernel walks them from then on
