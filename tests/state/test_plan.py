"""What is run again after an accept."""

from __future__ import annotations

import ast
import collections
import json
from typing import Any

import pytest

from reflex_ipython.state.effect import Repeat
from reflex_ipython.state.plan import FailedStatements, Plan, behind_another, plan

COUNTERS = {"np": collections, "collections": collections, "json": json, "loads": json.loads, "rows": [1, 2]}


def planned(
    old: str,
    new: str,
    failed: int | None,
    effects: dict[int, list[str]] | None = None,
    order: list[int] | None = None,
    **more: Any,
) -> Plan:
    started = len(ast.parse(old).body) if failed is None else failed + 1
    per_statement = [list(map(Repeat, (effects or {}).get(place, []))) for place in range(started)]
    return plan(FailedStatements(ast.parse(old).body, failed, per_statement, order), ast.parse(new).body, **more)


def runs(old: str, new: str, **more: Any) -> tuple[list[str], int | None, tuple[int, ...]]:
    """What runs of the new cell if the last statement of the old one failed; where it goes on, and what runs first."""
    statements = ast.parse(new).body
    found = planned(old, new, len(ast.parse(old).body) - 1, **more)
    assert sorted(found.done + found.runs) == list(range(len(statements)))
    return [ast.unparse(statements[place]) for place in found.runs], found.line, found.first


def test_an_equal_beginning_is_not_run_again() -> None:
    found = planned("a = 1\nb = 2\nnope\nc", "a = 1  # why\n\nb = 2\nfixed\nc", 2)
    assert found == Plan((0, 1), (2, 3), line=4, rollback=2)


def test_a_changed_beginning_is_run_again_from_the_change_on() -> None:
    assert planned("a = 1\nb = 2\nnope", "a = 1\nb = 3\nnope", 2) == Plan((0,), (1, 2), line=2, rollback=1)
    assert planned("a = 1\nb = 2\nnope", "a = 2\nb = 2\nnope", 2) == Plan(runs=(0, 1, 2), rollback=0)


def test_what_came_after_the_failure_has_not_run_although_it_is_equal() -> None:
    found = planned("a = 1\nf()\nb = 2\nc", "a = 1\nf()\nb = 2\nc", 1)
    assert found == Plan((0,), (1, 2, 3), line=2, rollback=1)


def test_a_failure_of_the_first_statement_runs_the_whole_cell_after_undoing() -> None:
    assert planned("nope", "fixed", 0) == Plan(runs=(0,), rollback=0)


def test_a_last_statement_that_displays_nothing_does_not_run_again() -> None:
    found = planned("for i in a:\n    i()\nnope", "for i in a:\n    i()", 1)
    assert found == Plan((0,), line=3, rollback=1)


def test_decorators_count_as_the_beginning_of_their_statement() -> None:
    assert planned("a = 1\n@x\ndef f(): pass", "a = 1\n@y\ndef f(): pass", 1).line == 2


def test_an_unknown_statement_means_the_whole_cell() -> None:
    assert planned("a = 1; nope", "a = 1; fixed", None) == Plan(runs=(0, 1), rollback=0)


def test_after_another_cell_nothing_is_put_back_and_the_whole_cell_runs() -> None:
    assert planned("a = 1\nnope", "a = 1\nfixed", 1, other_cell_ran=True) == Plan(runs=(0, 1))
    found = planned("a()\nnope", "a()\nfixed", 1, {0: ["wrote a.csv"]}, other_cell_ran=True)
    assert found == Plan(runs=(0, 1), repeats=("wrote a.csv",))


@pytest.mark.parametrize("repeat", [Repeat("wrote a.csv"), Repeat("left b", left=True), Repeat("again", since=0)])
def test_behind_another_cell_the_statements_are_looked_at_only_where_that_matters(repeat: Repeat) -> None:
    statements = ast.parse("a()\nnope").body
    looked_at = plan(FailedStatements(statements, 1, [[repeat], []]), statements, other_cell_ran=True)
    found = behind_another([[repeat], []], 2)
    assert found == (None if repeat.since is not None else looked_at)


def test_what_would_happen_twice_is_asked_about_first_and_listed() -> None:
    effects = {0: ["wrote a.csv"], 1: ["wrote b.csv"], 2: ["wrote b.csv", "cursor (sqlite3.Cursor)", "wrote b.csv"]}
    found = planned("a()\nb()\nnope", "a()\nb()\nfixed", 2, effects)
    assert (found.done, found.rollback) == ((0, 1), 2)
    assert found.repeats == ("wrote b.csv", "cursor (sqlite3.Cursor)")


def test_what_lies_before_the_range_is_not_asked_about() -> None:
    assert planned("a()\nnope", "a()\nfixed", 1, {0: ["wrote a.csv"]}).repeats == ()


def test_all_of_it_runs_on_demand_and_all_that_it_repeats_is_listed() -> None:
    found = planned("a()\nnope", "a()\nfixed", 1, {0: ["wrote a.csv"]}, whole=True)
    assert found == Plan(runs=(0, 1), rollback=0, repeats=("wrote a.csv",))


# ------------------------------------------------------------------------------------------ what was inserted

HARMLESS = {
    "an import on top": ("f(1)\ng(x)\nnope", "import os\nf(1)\ng(x)\nfixed"),
    "an import between": ("f(1)\ng(x)\nnope", "f(1)\nfrom os import sep\ng(x)\nfixed"),
    "an import of what is there by that name": ("np.f()\nnope", "import collections as np\nnp.f()\nfixed"),
    "the same import twice": ("import json\njson.dumps(f())\nnope", "import json\nimport json\njson.dumps(f())\nfixed"),
    "a name of a module that is there": ("loads(x)\nnope", "from json import loads\nloads(x)\nfixed"),
    "a guarded import": ("f(1)\nnope", "try:\n    import fast\nexcept ImportError:\n    fast = None\nf(1)\nfixed"),
    "a function": ("f(1)\nnope", "def g(x: int = 3) -> int:\n    return f(x)\nf(1)\nfixed"),
    "a function with a cache": (
        "f(1)\nnope",
        "import functools\n@functools.lru_cache(maxsize=None)\ndef g(): pass\nf(1)\nfixed",
    ),
    "a class": (
        "f(1)\nnope",
        "class A(Exception):\n    'why'\n    rate = 3\n    def f(self): return g()\nf(1)\nfixed",
    ),
    "constants": ("f(1)\nnope", "tax, rate = 0.2, -60 * 60\nnames: list[str] = ['a', 'b']\nf(1)\nfixed"),
    "a lambda": ("f(1)\nnope", "area = lambda r: 3 * r\nf(1)\nfixed"),
    "a docstring": ("f(1)\nnope", "'what it does'\nf(1)\nfixed"),
    "before a definition that will call it": (
        "def f(): return g()\nnope",
        "def g(): return 1\ndef f(): return g()\nf()",
    ),
    "beside a magic": ("get_ipython().run_line_magic('matplotlib', 'inline')\nnope", None),
}


@pytest.mark.parametrize(("old", "new"), HARMLESS.values(), ids=list(HARMLESS))
def test_what_was_inserted_runs_and_what_is_done_does_not(old: str, new: str | None) -> None:
    new = new or f"import os\n{old}".replace("nope", "fixed")
    ran, line, first = runs(old, new, namespace=COUNTERS)
    finished = [ast.unparse(statement) for statement in ast.parse(old).body[:-1]]
    statements = [ast.unparse(statement) for statement in ast.parse(new).body]
    for statement in finished:
        statements.reverse()
        statements.remove(statement)
        statements.reverse()
    assert ran == statements
    assert line == len(new.split("\n"))
    assert first


# What was inserted, and the finished statements that it would have changed, from the first of them on.
CHANGING = {
    "a name that was read": ("x = 5\na = 1\nf(x)\nnope", "x = 6\nx = 5\na = 1\nf(x)\nfixed", 0),
    "a name that was bound": ("a = f()\nx = 5\nnope", "x = 6\na = f()\nx = 5\nfixed", 1),
    "a function that was called": ("a = 1\nf(1)\nnope", "def f(x): return 2\na = 1\nf(1)\nfixed", 1),
    "a function that one of them may have called": ("g(1)\nnope", "def rows(x): return 2\ng(1)\nfixed", 0),
    "a function of Python's own": ("g(1)\nnope", "def sum(x): return 2\ng(1)\nfixed", 0),
    "a name that was looked for": ("try:\n    fast\nexcept NameError:\n    f()\nnope", None, 0),
    "all names": ("names = list(globals())\nnope", None, 0),
    "all names, by a magic": ("get_ipython().run_line_magic('whos', '')\nnope", None, 0),
    "a name in a magic's text": ("get_ipython().system('echo {fast}')\nnope", None, 0),
    "what it reads": ("n = f()\nnope", "def g(x=n): return x\nn = f()\nfixed", 0),
    "what it reads, by a call": ("g()\nnope", "first = rows\ng()\nfixed", 0),
    "a call": ("a = f()\nnope", "seed(0)\na = f()\nfixed", 0),
    "an attribute": ("a = f()\nnope", "b = c.d\na = f()\nfixed", 0),
    "a decorator that nobody knows": ("a = f()\nnope", "@app.route('/')\ndef g(): pass\na = f()\nfixed", 0),
    "a default that is computed": ("a = f()\nnope", "def g(x=f()): pass\na = f()\nfixed", 0),
    "a class that computes something": ("a = f()\nnope", "class A:\n    x = f()\na = f()\nfixed", 0),
    "a metaclass": ("a = f()\nnope", "class A(metaclass=M): pass\na = f()\nfixed", 0),
    "all names of a module": ("a = f()\nnope", "from math import *\na = f()\nfixed", 0),
    "how it is compiled": (
        "def f(x: int): pass\nnope",
        "from __future__ import annotations\ndef f(x: int): pass\nf",
        0,
    ),
    "another module by that name": ("np.f()\nnope", "import json as np\nnp.f()\nfixed", 0),
    "where modules are found": (
        "import sys\nsys.path.append('.')\nnope",
        "import z\nimport sys\nsys.path.append('.')\na",
        1,
    ),
}


@pytest.mark.parametrize(("old", "new", "kept"), CHANGING.values(), ids=list(CHANGING))
def test_what_would_have_changed_the_rest_is_run_with_all_that_it_changes(old: str, new: str | None, kept: int) -> None:
    new = new or f"fast = 1\n{old}".replace("nope", "fixed")
    failed = len(ast.parse(old).body) - 1
    found = planned(old, new, failed, {0: ["wrote a.csv"], kept: ["wrote b.csv"]}, namespace=COUNTERS)
    assert len(found.done) == found.rollback == kept
    assert "wrote b.csv" in found.repeats


def test_a_class_under_one_of_the_users_that_notes_its_classes_is_not_made_later() -> None:
    class Base:
        def __init_subclass__(cls) -> None: ...

    Base.__module__ = "__main__"
    old, new = "f(1)\nnope", "class A(Base): pass\nf(1)\nfixed"
    assert planned(old, new, 1, namespace={"Base": Exception}).rollback == 1
    assert planned(old, new, 1, namespace={"Base": Base}).rollback == 0


def test_what_the_failed_statement_may_have_bound_is_not_what_was_there_before() -> None:
    old, new = "np.f()\nimport collections as np; nope", "import collections as np\nnp.f()\nfixed"
    assert planned(old, new, 1, namespace=COUNTERS).rollback == 0


def test_a_finished_statement_that_is_gone_is_undone() -> None:
    assert runs("a = 1\nb = f()\nnope", "a = 1\nfixed")[0] == ["fixed"]
    assert planned("a = 1\nb = f()\nnope", "a = 1\nfixed", 2).rollback == 1


def test_a_second_failure_of_a_cell_with_an_insertion_is_resumed_where_it_failed() -> None:
    text = "import os\nf(1)\ng(1)\nnope"  # of which `import os` ran second, before `g(1)`
    found = planned(text, text.replace("nope", "fixed"), 3, order=[1, 0, 2, 3])
    assert found == Plan((1, 0, 2), (3,), line=4, rollback=3)


def test_an_insertion_that_failed_itself_is_fixed_without_running_the_rest_again() -> None:
    found = planned("import osx\nf(1)\nfixed", "import os\nf(1)\nfixed", 1, {1: ["x"]}, order=[1, 0, 2])
    assert found == Plan((1,), (0, 2), line=3, first=(1,), rollback=1, repeats=("x",))


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ("f(1)\nfixed", "resumed at line 2"),
        ("import os\nf(1)\nfixed", "ran line 1 first, resumed at line 3"),
        ("import os\n\nx = 1\nf(1)\nfixed", "ran lines 1 and 3 first, resumed at line 5"),
        ("import os\nimport re\nx = 1\nf(1)\nfixed", "ran lines 1 to 3 first, resumed at line 5"),
        ("fixed", ""),
    ],
)
def test_where_it_goes_on_is_said_in_lines_of_the_new_text(new: str, words: str) -> None:
    assert planned("f(1)\nnope", new, 1).words == words


def test_ten_thousand_statements_are_planned_without_comparing_each_with_each() -> None:
    old = [f"n{place} = f({place})" for place in range(10_000)]
    found = planned("\n".join([*old, "nope"]), "\n".join(["import os", *old, "fixed"]), 10_000)
    assert (len(found.done), found.runs, found.line) == (10_000, (0, 10_001), 10_002)


# ------------------------------------------------------------------------------------------ dropping what failed


def test_a_last_expression_that_repeats_nothing_runs_since_its_value_is_displayed() -> None:
    assert planned("a = 1\na\nnope", "a = 1\na", 2) == Plan((0,), (1,), line=2, rollback=1)
    assert planned("a\nnope", "a", 1) == Plan(runs=(0,), rollback=0)


def test_a_last_expression_that_may_repeat_something_does_not_run_and_that_is_said() -> None:
    assert planned("a = 1\npost(1)\nnope", "a = 1\npost(1)", 2) == Plan((0, 1), line=3, rollback=2, unshown=True)


def test_a_last_expression_whose_value_is_none_lacks_nothing() -> None:
    assert not planned("print(f(1))\nnope", "print(f(1))", 1).unshown
    assert planned("print(f(1))\nnope", "print(f(1))", 1, namespace={"print": str}).unshown
    assert not planned("rows.append(1)\nnope", "rows.append(1)", 1, namespace=COUNTERS).unshown


def test_an_insertion_does_not_become_the_last_expression() -> None:
    found = planned("post(1)\nnope", "import os\npost(1)", 1)
    assert (found.done, found.runs, found.unshown) == ((1,), (0,), True)


@pytest.mark.parametrize(
    ("interactivity", "last", "shows", "unshown"),
    [
        ("all", "post(1)", "", False),
        ("none", "post(1)", "", False),
        ("last_expr", "post(1)", "", True),
        ("last", "post(1)", "", True),
        ("last", "for i in a:\n    post(1)", "", True),
        ("last_expr", "for i in a:\n    post(1)", "", False),
        ("last_expr_or_assign", "post(1)", "", True),
        ("last_expr_or_assign", "x = post(1)", "x", False),
        ("last_expr_or_assign", "x += post(1)", "x", False),
        ("last_expr_or_assign", "x: int = post(1)", "x", False),
        ("last_expr_or_assign", "x, y = post(1)", "", False),
        ("last_expr", "x = post(1)", "", False),
    ],
)
def test_what_the_end_displays_is_what_ipython_would(interactivity: Any, last: str, shows: str, unshown: bool) -> None:
    found = planned(f"{last}\nnope", last, 1, interactivity=interactivity)
    assert (found.done, found.runs, found.shows, found.unshown) == ((0,), (), shows, unshown)


def test_what_a_renewed_function_gave_is_computed_anew_if_the_failed_statement_does_not_call_it() -> None:
    cell = "a = 1\nx = f(a)\nb = 2\nx + 1"
    assert planned(cell, cell, 3) == Plan((0, 1, 2), (3,), line=4, rollback=3)
    assert planned(cell, cell, 3, renewed=frozenset({"f"})) == Plan((0,), (1, 2, 3), line=2, rollback=1)
    method = "a = 1\nx = a.f()\nx + 1"
    assert planned(method, method, 2, renewed=frozenset({"A", "f"})) == Plan((0,), (1, 2), line=2, rollback=1)


def test_a_renewed_function_that_failed_itself_goes_on_there() -> None:
    cell = "a = f(1)\nf(a)"
    assert planned(cell, cell, 1, renewed=frozenset({"f"})) == Plan((0,), (1,), line=2, rollback=1)


def test_what_a_statement_left_behind_acts_where_it_is_not_run_again() -> None:
    old, new = ast.parse("a()\nnope").body, ast.parse("a()\nfixed").body
    ran = FailedStatements(old, 1, [[Repeat("again"), Repeat("goes on", left=True)], []])
    assert plan(ran, new).repeats == ("goes on",)
    assert plan(ran, new, whole=True).repeats == ("again",)
