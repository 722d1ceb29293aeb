"""What only the functions had that were running as a cell failed ends with its run, not in the midst of a later one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel.driver import Kernel
from tests.kernel.test_state import accept, outcome

TOOLS = """
import os, sys
total, told = [3], []
def narrow():
    before, os.environ['NARROW'] = os.environ.get('NARROW', 'no'), 'yes'
    try:
        yield
    finally:
        os.environ['NARROW'] = before
class Part:
    def __del__(self):
        told.append('ended')
        with open(path, 'a') as file: file.write('ended')
def narrowly(value):
    it = narrow()
    next(it)
    return value()
def with_part(value):
    part = Part()
    value()
    return part
"""


@pytest.fixture
def late(kernel: Kernel, tmp_path: Path) -> Path:
    """The file that an object of a class writes at its end."""
    path = tmp_path / "late.txt"
    kernel.run(f"path = {str(path)!r}{TOOLS}")
    return path


@pytest.mark.usefixtures("late")
def test_a_suspended_generator_sets_nothing_back_once_its_run_is_undone(kernel: Kernel) -> None:
    kernel.run("x = narrowly(lambda: toatl)\nos.environ['NARROW'] = 'later'")
    accept(kernel)
    assert outcome(kernel) == "state restored exactly"
    for _ in range(2):  # by then whatever held the first error holds one of these
        kernel.run("1 / 0")
    kernel.run("import gc; gc.collect()")
    assert kernel.value("os.environ['NARROW']") == "later"


def test_what_an_object_writes_at_its_end_is_named(kernel: Kernel, late: Path) -> None:
    kernel.run("x = with_part(lambda: toatl)\nseen = list(told)")
    assert not late.exists()
    accept(kernel)
    assert late.read_text() == "ended"
    assert outcome(kernel) == f"not undone: wrote {late}"
    assert kernel.value("(seen, told)") == ([], [])


PRINTS = """
import sys
total = [3]
class Printed:
    def __del__(self):
        print('ended')
        print('wrongly', file=sys.stderr)
        raise ValueError('at its end')
def with_printed(value):
    printed = Printed()
    value()
"""


@pytest.mark.parametrize(
    "cell", ["if True:\n    printed = Printed()\n    print('begins')\n    x = {}", "x = with_printed(lambda: {})"]
)
def test_what_ends_as_a_fix_is_accepted_prints_nothing_into_the_cell(kernel: Kernel, cell: str) -> None:
    kernel.run(PRINTS)
    comm = kernel.hello()
    panel = kernel.settled(kernel.run(cell.format("toatl"), "a"))
    kernel.accept(comm, panel, sources=[cell.format("total")])
    ran = kernel.run(cell.format("total"), "a")
    times = 0 if "begins" in cell else 1  # as often as that run itself ends one
    assert [ran.text.count(word) for word in ("ended", "wrongly", "at its end")] == [times] * 3
    assert "sees" in kernel.run("print('sees')").text


def test_taking_back_a_failed_cell_ends_it_as_well(kernel: Kernel, late: Path) -> None:
    kernel.run("x = with_part(lambda: toatl)")
    assert f"not undone: wrote {late}" in kernel.run("%reflex back").text
    assert (late.read_text(), kernel.value("told")) == ("ended", [])


def test_an_error_whose_fix_was_accepted_is_not_the_last_one_any_more(kernel: Kernel, late: Path) -> None:
    kernel.run("x = with_part(lambda: toatl)")
    accept(kernel)
    assert not kernel.value("hasattr(sys, 'last_traceback')")
    assert "No traceback" in str(kernel.run("%debug").messages)
    assert late.exists()


IN_A_STATEMENT = "if True:\n    part = Part()\n    x = {}"


def test_so_is_what_an_object_writes_that_the_failed_statement_had_bound(kernel: Kernel, late: Path) -> None:
    kernel.run(IN_A_STATEMENT.format("toatl"))
    assert not late.exists()
    accept(kernel)
    assert late.read_text() == "ended"
    assert outcome(kernel) == f"not undone: wrote {late}"
    assert kernel.value("told") == []


def test_so_is_what_ends_as_an_accepted_cell_is_undone(kernel: Kernel, late: Path) -> None:
    kernel.run("x = toatl\npart = Part()")
    accept(kernel)
    assert not late.exists()
    assert f"not undone: wrote {late}" in kernel.run("%reflex undo").text
    assert (late.read_text(), kernel.value("told")) == ("ended", [])


def test_so_is_what_ends_as_a_cell_is_taken_back(kernel: Kernel, late: Path) -> None:
    kernel.run("part = Part()\nif True: told.append(1)")
    assert f"not undone: wrote {late}" in kernel.run("%reflex back").text
    assert (late.read_text(), kernel.value("told")) == ("ended", [])


def test_a_library_that_only_the_failed_run_imports_stays_and_is_named(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    comm = kernel.hello()
    assert not kernel.value("'wave' in __import__('sys').modules")
    panel = kernel.settled(kernel.run("if True:\n    import wave\n    x = toatl", "a"))
    kernel.accept(comm, panel, sources=["if True:\n    x = total"])
    kernel.run("if True:\n    x = total", "a")
    assert outcome(kernel) == "not undone: wave stays imported"


LOCKED = """
import threading
lock = threading.{}()
class Locked:
    def __del__(self):
        with lock: told.append('ended')
"""


@pytest.mark.usefixtures("late")
@pytest.mark.parametrize("lock", ["Lock", "RLock"])
def test_what_ends_waits_for_no_lock_that_the_failed_statement_has_taken(kernel: Kernel, lock: str) -> None:
    kernel.run(LOCKED.format(lock))
    panel = kernel.settled(kernel.run("if True:\n    lock.acquire()\n    part = Locked()\n    x = toatl"))
    assert panel["fixes"][0]["verdict"]["text"].startswith("ran in a copy of your kernel"), panel["fixes"][0]
    accept(kernel)
    assert outcome(kernel) == "state restored exactly"
    assert kernel.value("(told, lock._is_owned() if hasattr(lock, '_is_owned') else lock.locked())") == ([], True)


@pytest.mark.usefixtures("late")
def test_what_waits_for_another_thread_at_its_end_waits_until_it_is_interrupted(kernel: Kernel) -> None:
    kernel.run(
        LOCKED.format("Lock").replace(
            "with lock",
            "told.append('waits'); threading.Thread(target=print, args=('waits',)).start()\n        with lock",
        )
    )
    kernel.run("%config Reflex.trial = 'off'")  # in a copy there is nobody who would let go of the lock
    kernel.run("go = threading.Event()\ndef hold():\n    with lock: go.wait()\nthreading.Thread(target=hold).start()")
    kernel.settled(kernel.run(IN_A_STATEMENT.format("toatl").replace("Part", "Locked")))
    request = kernel.send("%reflex accept")
    kernel.until_printed("waits")
    kernel.manager.interrupt_kernel()
    ran = kernel.finish(request)
    kernel.run("go.set()")
    assert "KeyboardInterrupt" in ran.text
    assert kernel.value("told") == []


def test_trying_a_fix_ends_nothing(kernel: Kernel, late: Path) -> None:
    kernel.settled(kernel.run("x = with_part(lambda: toatl)"))
    assert not late.exists()
