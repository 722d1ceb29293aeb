"""What a module of the user's own changes elsewhere as it is imported is put back, or named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from reflex_ipython.state import imported_files
from reflex_ipython.state.bounds import Bounds
from tests.state.cells import namespace, run

MARKS = """
import colorsys
import fractions as fr
from fractions import Fraction
if True:
    colorsys.mark = 1
setattr(fr, "mark", 2)
Fraction.mark = 3
def later():
    colorsys.unset = 4
own.mark = [5]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where modules are imported from."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    import colorsys  # as it is by now: another test may have had it imported anew
    import fractions

    for holder in (colorsys, fractions, fractions.Fraction):
        if hasattr(holder, "mark"):
            del holder.mark  # type: ignore[union-attr]  # it is there
    for name in ("own_marks", "own_library", "own_other"):
        sys.modules.pop(name, None)


CELLS = {
    "import": "import own_marks",
    "importlib": "import importlib\nmade = importlib.import_module('own_marks')",
    "__import__": "if True:\n    __import__('own_' + 'marks')",
    "a function": "def go():\n    import importlib\n    importlib.import_module('own_marks')\ngo()",
}


def marks() -> list[bool]:
    """Whether each of those has a mark."""
    import colorsys
    import fractions

    return [hasattr(holder, "mark") for holder in (colorsys, fractions, fractions.Fraction)]


@pytest.mark.parametrize("end", ["", "1 / 0"])
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_what_it_sets_in_libraries_is_put_back_whether_its_import_fails_or_what_comes_behind(
    folder: Path, end: str, cell: str
) -> None:
    (folder / "own_marks.py").write_text(MARKS.replace("own.mark = [5]", end))
    namespace("import colorsys, fractions")  # they were there before
    assert run(namespace(), f"{cell}\n1 / 0").rollback(0).exact
    assert marks() == [False] * 3


CHANGES = {
    "logging.disable": ("import logging; logging.disable(30)", "logging.root.manager.disable"),
    "captured warnings": ("import logging; logging.captureWarnings(True)", "warnings.showwarning"),
    "a handler": ("import logging; logging.basicConfig(level=10)", "(logging.root.level, len(logging.root.handlers))"),
    "a class of loggers": (
        "import logging\nclass L(logging.Logger): pass\nlogging.setLoggerClass(L)",
        "logging.getLoggerClass()",
    ),
    "a hook": ("import threading; threading.excepthook = print", "threading.excepthook"),
    "a signal": ("import signal; signal.signal(signal.SIGUSR1, signal.SIG_IGN)", "signal.getsignal(signal.SIGUSR1)"),
    "numpy": ("import numpy as np; np.seterr(all='raise')", "numpy.geterr()"),
    "pandas": ("import pandas; pandas.set_option('display.max_rows', 7)", "pandas.get_option('display.max_rows')"),
    "decimal": ("import decimal; decimal.DefaultContext.prec = 11", "decimal.DefaultContext.prec"),
    "the collector": ("import gc; gc.set_threshold(9)", "gc.get_threshold()[0]"),
    "numbers": ("import sys; sys.set_int_max_str_digits(5000)", "sys.get_int_max_str_digits()"),
    "a list of a library": ("import keyword; keyword.kwlist.append('mark')", "'mark' in keyword.kwlist"),
    "arguments": ("import sys; sys.argv.append('mark')", "'mark' in sys.argv"),
    "builtins": ("import builtins; builtins.mark = 1", "hasattr(builtins, 'mark')"),
    "within a function": ("import colorsys\ndef go(): colorsys.mark = 1\ngo()", "hasattr(colorsys, 'mark')"),
    "another module": ("import own_other; own_other.kept.append(1)", "own_other.kept[:]"),
}


@pytest.mark.skipif(not hasattr(sys, "get_int_max_str_digits"), reason="an older Python")
@pytest.mark.parametrize("end", ["", "1 / 0"])
@pytest.mark.parametrize(("change", "now"), CHANGES.values(), ids=CHANGES)
def test_what_it_sets_of_the_process_is_put_back(folder: Path, change: str, now: str, end: str) -> None:
    (folder / "own_other.py").write_text("kept = []")
    (folder / "own_marks.py").write_text(f"{change}\n{end}")
    looking = namespace(
        "import builtins, colorsys, decimal, gc, keyword, logging, signal, sys, threading, warnings\n"
        "import numpy, pandas, own_other"
    )
    before = eval(now, looking)
    assert run(namespace(), f"{CELLS['importlib']}\n1 / 0").rollback(0).exact
    assert eval(now, looking) == before


@pytest.mark.parametrize("end", ["", "1 / 0"])
def test_what_it_sets_in_a_library_that_came_in_with_it_is_named(
    folder: Path, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("colorsys", "fractions"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (folder / "own_marks.py").write_text(MARKS.replace("own.mark = [5]", end))
    said = run(namespace(), "import own_marks\n1 / 0").rollback(0).not_undone
    names = ("colorsys.mark", "fractions.mark", "fractions.Fraction.mark")
    assert said == tuple(f"{name} (set by own_marks, which was imported)" for name in names)


RELATIVE = {"from . import other": "other.kept.append(1)", "from .other import kept": "kept.append(1)"}


@pytest.mark.parametrize(("imports", "change"), RELATIVE.items(), ids=RELATIVE)
def test_a_relative_import_leads_into_its_package_and_not_into_the_notebook(
    folder: Path, imports: str, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = folder / "own_relative"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "other.py").write_text("kept = []")
    (package / "inside.py").write_text(f"{imports}\n{change}")
    main = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    names = namespace("import ctypes, own_relative.other; numbers = (ctypes.c_int * 3)()", main=main)
    try:
        journal = run(names, "import own_relative.inside\n1 / 0")
        assert len(names["own_relative"].other.kept) == 1
        assert journal.aftermath.repeats()[0] == ()  # nobody can tell whether the numbers are the same
        assert journal.rollback(0).exact
        assert names["own_relative"].other.kept == []
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "own_relative"]:
            del sys.modules[name]


CHANGED = {
    "an item": ("import calendar\ncalendar.mdays[0] = 1", "calendar.mdays"),
    "a sum": ("import calendar as c\nc.mdays[0] += 1", "calendar.mdays"),
    "an item that goes": ("from calendar import mdays\ndel mdays[0]", "calendar.mdays"),
    "a method": ("import calendar\ncalendar.mdays.append(1)", "calendar.mdays"),
    "a list of a class": ("from string import Formatter, Template as T\nT.marks.append(1)", "string.Template.marks"),
    "a list of its own": ("import calendar\nmine = [1]\nmine.append(2)\nmine[0] = 3", ""),
    "a copy": ("import calendar\nlist(calendar.mdays).append(2)", ""),
    "a function": ("import calendar\ndef later(): calendar.mdays.append(1)", ""),
    "another module of one's own": ("import own_other\nown_other.kept.append(1)", ""),
    "a class": ("import calendar\ncalendar.TextCalendar.pop(1)", ""),
    "what is not there": ("1 / 0\nimport calendar\ncalendar.mdays.append(1)", ""),
}


@pytest.mark.parametrize(("source", "named"), CHANGED.values(), ids=CHANGED)
def test_what_it_puts_into_a_list_of_a_library_that_came_in_with_it_is_named(
    folder: Path, source: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("calendar", "string"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (folder / "own_other.py").write_text("kept = []")
    (folder / "own_marks.py").write_text(source)
    said = run(namespace(), "import own_marks\n1 / 0").rollback(0).not_undone
    assert [text for text in said if "set by" in text] == (
        [f"{named} (set by own_marks, which was imported)"] if named else []
    )


def test_what_can_not_be_put_back_is_named(folder: Path) -> None:
    (folder / "own_marks.py").write_text("import atexit\natexit.register(int)")
    assert run(namespace(), "import own_marks\n1 / 0").rollback(0).words == (
        "not undone: registered a call for when the kernel ends"
    )


def test_a_module_that_is_too_long_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imported_files, "LARGEST", 5)
    path = folder / "own_marks.py"
    path.write_text(MARKS)
    assert f"imported {path}, which is too long to be read" in run(namespace(), "import own_marks").rollback(0).words


def test_once_looking_at_modules_has_taken_its_time_the_others_are_named_as_not_looked_at(folder: Path) -> None:
    (folder / "own_marks.py").write_text("import own_other")
    (folder / "own_other.py").write_text("import colorsys\ncolorsys.mark = 1")
    said = run(namespace("import colorsys"), "import own_marks\n1 / 0", Bounds(milliseconds=0)).rollback(0).not_undone
    assert said == ("imported more modules than there was time to look at",)


def test_what_no_event_tells_of_is_looked_for_when_the_cell_has_failed(folder: Path) -> None:
    """It takes longer than all the rest, and who imports without failing never needs it."""
    (folder / "own_marks.py").write_text("import atexit\natexit.register(int)")
    journal = run(namespace(), "import own_marks\n1 / 0")
    words = "registered a call for when the kernel ends"
    assert words not in [effect.text for effect in journal.aftermath.effects(0)]
    journal.aftermath.repeats()
    assert words in [effect.text for effect in journal.aftermath.effects(0)]


def test_what_python_warns_of_in_it_is_not_said_again(folder: Path) -> None:
    file = folder / "warned.py"
    file.write_text("same = 'a' is 'a'\n")
    assert imported_files.unseen_in(str(file)) == ()  # warnings are errors here
    assert imported_files.run_by_import(str(file)) is not None


def test_a_module_that_is_gone_by_then_is_named(folder: Path) -> None:
    path = folder / "own_marks.py"
    path.write_text("import os\nos.remove(__file__)\n1 / 0")
    said = run(namespace(), "import own_marks").rollback(0).not_undone
    assert f"imported {path} (FileNotFoundError while looking at it)" in said


def test_a_source_that_a_module_reads_or_writes_is_not_said_to_be_imported(folder: Path) -> None:
    other = folder / "own_other.py"
    other.write_text("import colorsys")
    (folder / "own_marks.py").write_text(f"open({str(other)!r}).close()\nopen({str(other)!r}, 'w').close()")
    journal = run(namespace(), "import own_marks\n1 / 0")
    texts = [effect.text for effect in journal.aftermath.effects(0)]
    assert [text for text in texts if str(other) in text] == [f"wrote {other}"]


def test_what_it_has_not_come_to_is_not_named(folder: Path) -> None:
    (folder / "own_marks.py").write_text(f"1 / 0\n{MARKS}")
    assert run(namespace(), "import own_marks").rollback(0).exact


@pytest.mark.parametrize("cell", ["import own_missing", "import own_library\n1 / 0", "import colorsys\n1 / 0"])
def test_libraries_and_what_is_missing_are_no_business_of_the_users(
    folder: Path, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = folder / "site-packages"
    library.mkdir()
    (library / "own_library.py").write_text("import colorsys\ncolorsys.mark = 1")
    monkeypatch.syspath_prepend(str(library))
    journal = run(namespace(), cell)
    assert not any(effect.loaded for effect in journal.aftermath.effects(0))
    assert journal.rollback(0).exact
