"""Recorded calls of a small project become tests with parameters, each seen to pass."""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.cli import main
from reflex_ipython.errors import BadInput
from reflex_ipython.models import Trial
from reflex_ipython.testwriting.from_trace import write_tests
from reflex_ipython.testwriting.recorded_calls import exact
from reflex_ipython.testwriting.tests_told import WrittenTests
from reflex_ipython.testwriting.workroom import Workroom
from reflex_ipython.traces.recorded import Call, RecordedValue, Trace, TracedFunction

PRICES = '''"""Prices."""

import asyncio
import datetime
import pathlib
import random
import socket


class TooMuch(Exception):
    """More than there is."""


class Basket:
    def __init__(self, items, owner="me"):
        self.items = items
        self.owner = owner

    def total(self, rate=1.0, *extra, discount=0, **more):
        found = total(self.items) * rate + sum(extra)
        return found - discount

    def add(self, item):
        self.items.append(item)

    @property
    def size(self):
        return len(self.items)

    @classmethod
    def of(cls, *items):
        return sorted(items)

    @staticmethod
    def rounded(value):
        return round(value, 1)


def total(items):
    if not items:
        return 0.0
    return sum(items)


def take(stock, number):
    if number > stock:
        raise TooMuch(number)
    return stock - number


def each(items):
    for item in items:
        yield item * 2


async def later(value):
    await asyncio.sleep(0)
    return [value]


def weekday():
    return datetime.date.today().year


def lucky(number):
    return number + random.random()


def words(text):
    return list(set(text.split()))


def lines(path):
    return pathlib.Path(path).read_text()


def asked(host):
    try:
        socket.create_connection((host, 9), timeout=0.1)
    except OSError:
        return "nobody"


counted = []


def count():
    counted.append(1)
    return len(counted)


def request(request, total):
    return {"request": request, "total": total}
'''
OWN = '''"""My own tests."""

from shop_%d.prices import take   # kept as it is

def test_take( ):
    assert take(3, 1) == 2
'''
_numbers = iter(range(1_000))


class Project:
    """A folder with a package, tests and a trace of a program that used it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = next(_numbers)
        package = folder / f"shop_{self.number}"
        package.mkdir()
        (package / "__init__.py").write_text("")
        self.file = package / "prices.py"
        self.file.write_text(PRICES, encoding="utf-8")
        self.tests = folder / "tests"
        self.tests.mkdir()
        self.test_file = self.tests / "test_prices.py"
        self.test_file.write_text(OWN % self.number, encoding="utf-8")

    def module(self) -> Any:
        return importlib.import_module(f"shop_{self.number}.prices")

    def pytest(self) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
        env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, check=False)


def used(prices: Any, folder: Path) -> None:
    """What a program of the project's does."""
    basket = prices.Basket([1, 2.5])
    for rate in (1.0, 2.0, 1.0):
        basket.total(rate)
    basket.total(1.0, 3, discount=1, note="x")
    basket.add(4)
    assert basket.size == 3
    prices.Basket.of(2, 1)
    prices.Basket.rounded(1.26)
    prices.total([])
    assert prices.take(5, 2) == 3
    with pytest.raises(prices.TooMuch):
        prices.take(1, 2)
    assert list(prices.each([1, 2])) == [2, 4]
    next(prices.each([3, 4]))
    prices.asyncio.run(prices.later(1))
    prices.weekday()
    prices.lucky(1)
    prices.words("a b c d e f g h")
    (folder / "notes.txt").write_text("some")
    prices.lines(str(folder / "notes.txt"))
    prices.asked("127.0.0.1")
    prices.count()
    prices.count()
    prices.request("a", True)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Trace, WrittenTests]:
    project = Project(tmp_path_factory.mktemp("project"))
    sys.path.insert(0, str(project.folder))
    prices = project.module()
    with reflex_ipython.trace(values=True) as trace:
        used(prices, project.folder)
    sys.path.remove(str(project.folder))
    found = trace.trace
    return project, found, write_tests(found, project.tests)


def left_out(found: WrittenTests, name: str) -> list[str]:
    return [one.why for one in found.left_out if one.function.endswith(f".prices.{name}")]


def test_a_file_that_is_there_keeps_every_line(written: tuple[Project, Trace, WrittenTests]) -> None:
    project, _, _ = written
    before, after = OWN % project.number, project.test_file.read_text(encoding="utf-8")
    assert [line for line in difflib.ndiff(before.split("\n"), after.split("\n")) if line.startswith("- ")] == []


def test_calls_are_cases_of_a_test_and_what_was_raised_is_expected(
    written: tuple[Project, Trace, WrittenTests],
) -> None:
    text = written[0].test_file.read_text(encoding="utf-8")
    flat = " ".join(text.split()).replace("( ", "(").replace(", )", ")")
    assert flat.count('(Basket(items=[1, 2.5], owner="me"), 1.0, 0, (), {}, pytest.approx(3.5)),') == 1, (
        "of equal calls, one"
    )
    assert '(Basket(items=[1, 2.5], owner="me"), 1.0, 1, (3,), {"note": "x"}, pytest.approx(5.5)),' in flat
    assert "assert basket.total(rate, *extra, discount=discount, **more) == expected" in text
    assert "assert basket.size == expected" in text
    assert "assert Basket.of(*items) == expected" in text
    assert "(1, 2, TooMuch)" in text
    assert "def test_take_2(stock, number, expected):" in text
    assert "    with pytest.raises(error):\n        take(stock, number)\n" in text
    assert "assert list(each(items)) == expected" in text
    assert "assert asyncio.run(later(value)) == expected" in text
    assert "assert request(request=request_, total=total) == expected" not in text
    assert "assert request(request_, total) == expected" in text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("words", "gives another result in another process or folder"),
        ("asked", "wants to connect to 127.0.0.1:9"),
        ("count", "gave different results for the same arguments"),
        ("each", "was not read to its end"),
        ("Basket.add", "gives None and changes what it was passed"),
        ("Basket.__init__", "makes an object"),
    ],
)
def test_what_is_not_the_same_each_time_is_left_out_and_named(
    written: tuple[Project, Trace, WrittenTests], name: str, words: str
) -> None:
    assert [why for why in left_out(written[2], name) if words in why]


def test_the_tests_pass_in_the_project_and_fail_once_it_is_broken(written: tuple[Project, Trace, WrittenTests]) -> None:
    project, _, _ = written
    done = project.pytest()
    assert (done.returncode, "17 passed" in done.stdout) == (0, True), done.stdout
    project.file.write_text(PRICES.replace("stock - number", "stock + number"), encoding="utf-8")
    done = project.pytest()
    project.file.write_text(PRICES, encoding="utf-8")
    assert "2 failed" in done.stdout, "one of mine, and one of what was recorded"


def test_lines_that_the_tests_reach_are_told_and_which_of_them_no_test_reached(
    written: tuple[Project, Trace, WrittenTests],
) -> None:
    (one,) = written[2].reached
    assert (one.reached, one.lines, one.gained) == (19, 29, 17)
    assert "They reach 19 of 29 lines of the functions in " in str(written[2])


def test_nothing_is_written_twice(written: tuple[Project, Trace, WrittenTests]) -> None:
    project, trace, _ = written
    before = project.test_file.read_bytes()
    names = ("take", "total")
    few = dataclasses.replace(trace, functions=tuple(one for one in trace.functions if one.name in names))
    again = write_tests(few, project.tests)
    assert (again.tests, project.test_file.read_bytes()) == ((), before)
    assert left_out(again, "take") == ["is tested with these arguments already"]


def test_the_command_writes_a_new_file_of_a_trace_without_pickles_and_says_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    prices = project.module()
    with reflex_ipython.trace() as trace:
        prices.total([1, 2])
        prices.total(range(3))
        prices.take(2, 1)
        prices.each("ab")
    project.file.write_text(PRICES.replace("return 0.0", "return 1.0"), encoding="utf-8")
    trace.save(tmp_path / "trace.jsonl")
    assert main(["tests", str(tmp_path / "trace.jsonl"), "-o", str(tmp_path / "new")]) == 0
    text = (tmp_path / "new" / "test_prices.py").read_text(encoding="utf-8")
    assert text.count("([1, 2], 3),") == 1
    assert f"import pytest\n\nfrom shop_{project.number}.prices import take, total\n\n\n@pytest" in text
    said = capsys.readouterr().out
    assert "the value of `items` is not in the trace (record it with values=True)" in said
    assert said.startswith("Wrote 2 tests of 2 calls into ")


def test_a_call_that_gives_something_else_by_now_is_no_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with reflex_ipython.trace(values=True) as trace:
        project.module().take(5, 2)
    project.file.write_text(PRICES.replace("stock - number", "stock + number") + "# changed\n", encoding="utf-8")
    found = write_tests(trace.trace, project.tests)
    assert found.tests == ()
    assert left_out(found, "take") == ["does not do any more what was recorded: it gave 3, and gives 7"]
    assert project.test_file.read_text(encoding="utf-8") == OWN % project.number


@pytest.mark.parametrize("number", [2, 3])
def test_a_run_that_is_given_up_gave_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    project = Project(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with reflex_ipython.trace(values=True) as trace:
        project.module().take(5, 2)
    runs, run = itertools.count(1), Workroom.run

    def late(room: Workroom, code: str, seconds: float | None = None) -> tuple[Trial, dict[str, Any]]:
        if "make_call" in code and "'take'" in code and next(runs) == number:
            return Trial("timed_out", "timed out after 20 s"), {}
        return run(room, code, seconds)

    monkeypatch.setattr(Workroom, "run", late)
    found = write_tests(trace.trace, project.tests)
    assert left_out(found, "take") == ["did not come to its end: timed out after 20 s"]


def test_functions_of_cells_and_a_folder_that_is_none_are_refused_in_words(tmp_path: Path) -> None:
    function = TracedFunction(0, "area", "__main__", "<cell 1>", 1, cell=1)
    found = write_tests(Trace((function,), (Call(0, 0, None),)), tmp_path)
    assert str(found) == (
        "No test was written.\nLeft out:\n- __main__.area (1 call) is no function of a file that a test can import."
    )
    with pytest.raises(BadInput, match="is no folder"):
        write_tests(Trace((function,), (Call(0, 0, None),)), tmp_path / "test_a.py")
    with pytest.raises(BadInput, match="holds no calls"):
        write_tests(Trace(), tmp_path)


@pytest.mark.parametrize(
    ("value", "redacted", "is_exact"),
    [
        (RecordedValue("int", "3"), True, True),
        (RecordedValue("list", "[1, 'a']"), False, True),
        (RecordedValue("list", "[1, 'a']"), True, False),
        (RecordedValue("str", "'abc'…"), False, False),
        (RecordedValue("list", "[1, …]"), False, False),
        (RecordedValue("shop.Ring", "Ring(1)"), False, False),
        (RecordedValue("bool", "1"), False, False),
        (RecordedValue("int", "3", unkept="too large"), False, False),
    ],
)
def test_a_summary_is_a_value_only_where_it_says_all_of_it(
    value: RecordedValue, redacted: bool, is_exact: bool
) -> None:
    assert exact(value, redacted=redacted)[0] is is_exact
