"""Patterns, commands, event loops, context managers, properties, decorators: families of plain Python of their own."""

from __future__ import annotations

import pytest

from reflex_ipython.propose.rules import RuleProvider
from reflex_ipython.protocols import Request
from tests.propose.rules.build import candidates, failure
from tests.propose.rules.running import answer, failed, sources

DECORATOR = "def log(f):\n    def inner(*a):\n        return f(*a)\n"
DECORATED = "@log\ndef g():\n    return 1\nn = g()"


@pytest.mark.parametrize(
    ("cell", "setup", "fixed"),
    [
        ('hits = re.findall("f(", "f(x)")', "import re", 'hits = re.findall(r"f\\(", "f(x)")'),
        ("hits = re.findall(term, 'a+(b')", "import re\nterm = '(b'", "hits = re.findall(re.escape(term), 'a+(b')"),
        ('m = re.search(r"(\\d+", "a12")', "import re", 'm = re.search(r"(\\d+)", "a12")'),
        ("m = re.search(r'(\\d+', 'a12')", "import re", "m = re.search(r'(\\d+)', 'a12')"),
        ('p = "data" / "raw.csv"', "", 'from pathlib import Path\np = Path("data") / "raw.csv"'),
        ("import os.path.join", "", "from os.path import join"),
        ("names = [us['n'] for u in us]", "us = [{'n': 1}, {'n': 2}]", "names = [u['n'] for u in us]"),
        ("a = d.x\nb = d.y", "d = {'x': 1, 'y': 2}", 'a = d["x"]\nb = d["y"]'),
        ("v = r['deep']", "r = {'ok': 1, 'in': {'deep': [{'a': 1}]}}", "v = r['in']['deep']"),
        ("n = int(b, 2)", "b = 101", "n = int(str(b), 2)"),
        ("d = date(17, 5, 2024)", "from datetime import date", "d = date(2024, 5, 17)"),
        ("hi = maximum([1, 2])", "", "hi = max([1, 2])"),
        (
            'with open("/dev/null", "wr") as f:\n    f.write("")',
            "",
            'with open("/dev/null", "w") as f:\n    f.write("")',
        ),
        ('m = re.search("a(b)", "ab")\nn = m.group(2)', "import re", 'm = re.search("a(b)", "ab")\nn = m.group(1)'),
        ("s = f(3, 'ab')", "def f(text, n):\n    return [text for _ in range(n)]", "s = f('ab', 3)"),
        (DECORATOR + DECORATED, "", f"{DECORATOR}    return inner\n{DECORATED}"),
    ],
)
def test_what_is_meant_is_the_answer(cell: str, setup: str, fixed: str) -> None:
    assert answer(cell, *filter(None, [setup])) == fixed


def test_a_property_keeps_its_value_under_another_name() -> None:
    cell = (
        "class T:\n    def __init__(self, v):\n        self.v = v\n    @property\n    def v(self):\n"
        "        return self.v\n    @v.setter\n    def v(self, new):\n        self.v = new\nt = T(3).v"
    )
    fixed = cell.replace("return self.v", "return self._v").replace("self.v = new", "self._v = new")
    assert answer(cell) == fixed


def test_a_text_is_raised_as_the_exception_that_is_caught() -> None:
    cell = "try:\n    raise 'no'\nexcept KeyError as error:\n    said = str(error)"
    assert answer(cell) == cell.replace("'no'", "KeyError('no')")


def test_a_generator_becomes_a_context_manager() -> None:
    cell = "def opened():\n    yield 3\nwith opened() as n:\n    m = n"
    assert answer(cell) == f"from contextlib import contextmanager\n@contextmanager\n{cell}"


def test_what_has_close_alone_is_closed_at_the_end() -> None:
    cell = "class C:\n    def close(self):\n        pass\nwith C() as c:\n    n = 1"
    assert answer(cell) == f"from contextlib import closing\n{cell.replace('with C()', 'with closing(C())')}"


def test_a_lock_of_asyncio_is_entered_with_async_with() -> None:
    [(source, _), *_] = candidates(failed("with lock:\n    n = 1", "import asyncio\nlock = asyncio.Lock()"))
    assert source == "async with lock:\n    n = 1"


@pytest.mark.parametrize("call", ["asyncio.run(main())", "loop.run_until_complete(main())"])
def test_in_a_loop_that_runs_await_is_enough(call: str) -> None:
    said = (
        "asyncio.run() cannot be called from a running event loop"
        if "asyncio" in call
        else ("This event loop is already running")
    )
    assert candidates(failure(f"x = {call}", f"RuntimeError: {said}")) == [("x = await main()", 0.97)]
    assert candidates(failure(f"def f():\n    return {call}\nf()", f"RuntimeError: {said}", line=2)) == []


def test_a_command_is_a_list_unless_a_shell_has_to_read_it() -> None:
    setup = "import subprocess"
    [likely, other] = candidates(failed('subprocess.run("ls -l /")', setup))
    assert likely == ('subprocess.run(["ls", "-l", "/"])', 0.93)
    assert other[0] == 'subprocess.run("ls -l /", shell=True)'
    [(shell, _)] = candidates(failed('subprocess.run("ls -l | wc")', setup))
    assert shell == 'subprocess.run("ls -l | wc", shell=True)'


def test_a_file_that_is_missing_is_no_command() -> None:
    fixes = RuleProvider().propose(failed('open("no such file")'), Request())
    assert not [fix for fix in fixes if "shell" in fix.edits[-1].source]


def test_a_blank_line_is_left_out_of_a_loop() -> None:
    cell = 'd = {}\nfor line in ["a:1", ""]:\n    parts = line.split(":")\n    d[parts[0]] = parts[1]'
    skipped = "    if len(parts) < 2:\n        continue\n    d["
    assert sources(cell)[0] == cell.replace("    d[", skipped)


def test_what_has_no_match_is_left_out_of_a_loop() -> None:
    cell = 'found = []\nfor s in ["a1", "b"]:\n    m = re.search("[0-9]", s)\n    found.append(m.group())'
    skipped = "    if m is None:\n        continue\n    found"
    assert sources(cell, "import re")[0] == cell.replace("    found", skipped)


def test_outside_of_a_loop_nothing_is_left_out() -> None:
    assert not [text for text in sources("parts = ''.split(':')\nx = parts[1]") if "continue" in text]


def test_a_sample_that_is_too_large_is_a_question() -> None:
    assert sources("hand = sorted(random.sample([1], 2))", "import random") == [
        "hand = sorted(random.sample([1], min(2, len([1]))))",
        "hand = sorted(random.choices([1], k=2))",
    ]


def test_a_number_that_hides_a_builtin_is_not_multiplied() -> None:
    assert sources("total = sum([1, 2])", "sum = 10")[0].endswith("total = builtins.sum([1, 2])")


def test_a_file_for_bytes_that_json_writes_to_is_opened_for_text() -> None:
    cell = 'import json\nwith open("/dev/null", "wb") as f:\n    json.dump({}, f)'
    assert answer(cell) == cell.replace('"wb"', '"w"')


def test_a_date_that_may_be_read_in_two_ways_is_a_question() -> None:
    assert sources("d = date(3, 5, 2024)", "from datetime import date") == [
        "d = date(2024, 5, 3)",
        "d = date(2024, 3, 5)",
    ]


def test_what_asyncio_gathers_is_waited_for() -> None:
    failed_sum = failure(
        "r = asyncio.gather(f(), g())\nsum(r)",
        "TypeError: '_GatheringFuture' object is not iterable",
        line=2,
        types={"r": "_asyncio._GatheringFuture"},
    )
    assert ("r = await asyncio.gather(f(), g())\nsum(r)", 0.95) in candidates(failed_sum)


def test_two_arguments_of_one_type_are_not_swapped() -> None:
    assert not [text for text in sources("f('a', 'b')", "def f(a, b):\n    return a - b") if "'b', 'a'" in text]


def test_a_list_is_not_said_to_have_a_method_that_it_lacks() -> None:
    assert not [text for text in sources("shuffle(deck)", "deck = [1]") if "deck.shuffle" in text]


def test_indices_change_places_where_the_ends_of_the_loops_fit_so() -> None:
    cell = "n = 0\nfor r in range(3):\n    for c in range(2):\n        n += g[r][c]"
    assert sources(cell, "g = [[1, 2, 3], [4, 5, 6]]")[0] == cell.replace("[r][c]", "[c][r]")
    assert not [text for text in sources(cell, "g = [[1, 2], [4, 5]]") if "[c][r]" in text]


@pytest.mark.parametrize(
    ("pattern", "closed"),
    [
        (r"'(?P<a>\w+) (?P<level>[A-Z]+ (?P<rest>.*)'", r"'(?P<a>\w+) (?P<level>[A-Z]+) (?P<rest>.*)'"),
        (r"'(\d+\s+(kg|lb)'", r"'(\d+)\s+(kg|lb)'"),
    ],
)
def test_a_group_that_is_never_closed_ends_before_the_next_one(pattern: str, closed: str) -> None:
    cell = f"p = re.compile(r{pattern}).pattern"
    found = sources(cell, "import re")
    assert found[:2] == [cell.replace(pattern, closed), cell.replace(pattern, f"{pattern[:-1]})'")]


def test_a_group_that_begins_in_another_one_stays_in_it() -> None:
    cell = "p = re.compile(r'(\\d+(kg|lb)').pattern"
    assert sources(cell, "import re")[0] == cell.replace("lb)'", "lb))'")
