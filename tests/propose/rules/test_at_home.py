"""Fixes of a function in the earlier cell that defined it: real failures, captured from cells that ran."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator

import pytest

from reflex_ipython.models import CellRef, CellSource, Failure, Fix, Verdict
from reflex_ipython.propose.rules import Proposal, RuleProvider
from reflex_ipython.protocols import Attempt, Request
from tests.capture.conftest import Notebook
from tests.failures import situated
from tests.propose.rules.build import fixes, sure

Fail = Callable[..., Failure]


@pytest.fixture
def notebook() -> Iterator[Notebook]:
    made = Notebook()
    yield made
    for name in made.cells:
        linecache.cache.pop(name, None)


@pytest.fixture
def fail(notebook: Notebook) -> Fail:
    """Run some cells, of which the last one fails."""

    def failed(*cells: str) -> Failure:
        for cell in cells[:-1]:
            notebook.run(cell)
        return notebook.fail(cells[-1])

    return failed


def new(failure: Failure) -> str | None:
    """The earlier cell's new text, as the best fix has it; None for silence."""
    found = fixes(failure)
    assert all(edit.target != failure.situation.place for fix in found for edit in fix.edits)
    return found[0].edits[0].source if found else None


TABLE = "import pandas as pd\ndf = pd.DataFrame({'region': ['n', 's'], 'amount': [1, 2]})"

# The earlier cells, the last of which is to be changed; what is wrong in it and what is right; the failing cell.
CASES = {
    "a column": (
        TABLE,
        "def by(table):\n    return table.groupby('regoin').amount.sum()",
        "regoin",
        "region",
        "by(df)",
    ),
    "an attribute of self": (
        "class Account:\n    def __init__(self, start):\n        self.balance = start\n\n"
        "    def show(self):\n        return self.balence",
        "balence",
        "balance",
        "Account(3).show()",
    ),
    "an argument": (
        "def scale(x, factor=1): return x",
        "def run(x):\n    return scale(x, facter=2)",
        "facter",
        "factor",
        "run(2)",
    ),
    "an attribute of a class": (
        "class Config:\n    threshold = 3",
        "def f(x):\n    return x > Config.treshold",
        "treshold",
        "threshold",
        "f(2)",
    ),
    "a name": ("def area(w):\n    height = 2\n    return w * heigth", "heigth", "height", "area(3)"),
    "a name in a lambda": ("height = 2\narea = lambda w: w * heigth", "heigth", "height", "area(3)"),
    "a name in a nested function": (
        "def outer():\n    scale = 2\n    def inner(x):\n        return x * scael + scale\n    return inner",
        "scael",
        "scale",
        "outer()(3)",
    ),
    "a name in a comprehension": (
        "def f(rows):\n    scale = 2\n    return [row * scael for row in rows]",
        "scael",
        "scale",
        "f([1])",
    ),
    "a name in a generator": (
        "limit = 3\ndef count():\n    yield 1\n    yield limti",
        "limti",
        "limit",
        "list(count())",
    ),
    "a name in a decorated function": (
        "import functools\nfactor = 2\n@functools.lru_cache\ndef f(n):\n    return n * facotr",
        "facotr",
        "factor",
        "f(3)",
    ),
    "a name at the end of a recursion": (
        "limit = 0\ndef f(n):\n    return f(n - 1) if n else limti",
        "limti",
        "limit",
        "f(40)",
    ),
    "a key, two calls deep": (
        "def outer(d): return inner(d)",
        "def inner(d):\n    return d['nmae']",
        "nmae",
        "name",
        "outer({'name': 1})",
    ),
    "a name of Python 2": ("def f(n):\n    return list(xrange(n))", "xrange", "range", "f(3)"),
    "a method of Python 2": ("def f(d):\n    return list(d.iteritems())", "iteritems", "items", "f({})"),
    "a constant of JSON": ("def f():\n    return [true]", "true", "True", "f()"),
    "a number to loop over": (
        "def f(xs):\n    n = len(xs)\n    return [i for i in n]",
        "in n]",
        "in range(n)]",
        "f('ab')",
    ),
    "a division": ("def middle(xs):\n    return xs[len(xs) / 2]", "/ 2", "// 2", "middle([1, 2])"),
    "a number in a text": ("def f(n):\n    return 'Total: ' + n", "+ n", "+ str(n)", "f(3)"),
    "an import": ("def f():\n    return math.pi", "def", "import math\ndef", "f()"),
    "a function that was defined before": (
        "def f(x):\n    return 0",
        "size = 3\ndef f(x):\n    return szie",
        "szie",
        "size",
        "f(3)",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_fix_changes_the_cell_that_holds_the_function(fail: Fail, case: str) -> None:
    *cells, wrong, right, failing = CASES[case]
    assert new(fail(*cells, failing)) == cells[-1].replace(wrong, right)


def test_the_fix_edits_the_earlier_cell_alone(fail: Fail) -> None:
    failure = fail("def area(w):\n    height = 2\n    return w * heigth", "x = 3\narea(x)")
    [fix] = fixes(failure)
    assert [edit.cell.execution_count for edit in fix.edits] == [1]
    assert fix.edits[0].expected == failure.situation.earlier[0].source
    assert fix.explanation == "`area` in In [1]: The name `heigth` is not defined; the closest is `height`."


def test_cells_without_ids_are_edited_by_their_numbers(notebook: Notebook, fail: Fail) -> None:
    notebook.run("def f():\n    return math.pi")
    name = next(iter(notebook.cells))
    notebook.cells[name] = CellSource(CellRef(None, 1), notebook.cells[name].source)
    [fix] = fixes(fail("f()"))
    assert fix.edits[0].cell == CellRef(None, 1)


@pytest.mark.parametrize(
    ("cells", "where"),
    [
        (("class A:\n    def f(self):\n        return [math.pi for _ in '1']", "A().f()"), "`A.f` in In [1]"),
        (("f = lambda: math.pi", "f()"), "The lambda in In [1]"),
        (("def f():\n    def g():\n        return math.pi\n    return g", "f()()"), "`f.g` in In [1]"),
    ],
)
def test_the_explanation_says_in_which_function_it_was(fail: Fail, cells: tuple[str, ...], where: str) -> None:
    [fix] = sure(fail(*cells))
    assert fix.explanation.startswith(f"{where}: ")


def test_a_function_of_the_failing_cell_itself_needs_one_edit(fail: Fail) -> None:
    [fix] = sure(fail("height = 2", "def f():\n    return heigth\nf()"))
    assert [edit.cell.execution_count for edit in fix.edits] == [2]


def test_only_the_innermost_of_the_users_cells_counts(fail: Fail) -> None:
    failure = fail("size = 1\ndef inner(): return size / 0", "def outer(): return inner()", "outer()")
    assert new(failure) is None


SILENT = {
    "a table without a column that another has": (
        "import pandas as pd\nold = pd.DataFrame({'sales': [1]})\nnew = pd.DataFrame({'salse': [1]})",
        "def total(table):\n    return table['sales'].sum()",
        "total(new)",
    ),
    "a column in the plural": (TABLE, "def total(table):\n    return table['amounts'].sum()", "total(df)"),
    "a list for a set": ("def note(seen, x):\n    seen.add(x)", "note([], 1)"),
    "a set for a list": ("def note(seen, x):\n    seen.append(x)", "note(set(), 1)"),
    "a list for an array": ("def count(xs):\n    return xs.size", "count([1])"),
    "a number for a list": ("def total(xs):\n    for x in xs:\n        pass", "total(5)"),
    "a dict for a function": ("def call(f):\n    return f('x')", "call({'x': 1})"),
    "an array for a tensor": ("import numpy as np\ndef count(xs):\n    return xs.size()", "count(np.ones(3))"),
    "an attribute that the class itself calls otherwise": (
        "class A:\n    def __init__(self, balance):\n        self.balence = balance\n    def show(self):\n"
        "        return self.balance",
        "A(1).show()",
    ),
    "a builtin that was hidden since": ("def f(x):\n    return str(x)", "str = 'text'", "f(3)"),
    "a module that was imported since": ("from time import time\ndef f():\n    return time()", "import time", "f()"),
}


@pytest.mark.parametrize("case", SILENT)
def test_the_rules_are_silent_where_the_caller_may_be_at_fault(fail: Fail, case: str) -> None:
    assert fixes(fail(*SILENT[case])) == []


def test_a_cell_with_a_cell_magic_is_left_alone(notebook: Notebook) -> None:
    notebook.run("%%mine\ndef f():\n    return math.pi", "\ndef f():\n    return math.pi")
    assert fixes(notebook.fail("f()")) == []


def test_a_cell_whose_text_is_not_known_is_left_alone(fail: Fail) -> None:
    failure = fail("def f():\n    return math.pi", "f()")
    assert fixes(situated(failure, earlier=())) == []


def test_what_was_tried_before_is_not_proposed_again(fail: Fail) -> None:
    failure = fail("def f():\n    return math.pi", "f()")
    [fix] = fixes(failure)
    request = Request(attempts=[Attempt(fix, Verdict("other_error"))])
    assert list(RuleProvider().propose(failure, request)) == []


def test_a_rule_of_the_users_is_asked_about_either_cell(fail: Fail) -> None:
    def rule(failure: Failure) -> Iterator[Proposal]:
        yield Proposal(f"{failure.situation.source}\n", "one more line", "mine")

    failure = fail("def f():\n    return math.pi", "f()")
    found: list[Fix] = list(RuleProvider(rules=[rule]).propose(failure, Request()))
    assert [[edit.source for edit in fix.edits] for fix in found] == [
        ["f()\n"],
        ["def f():\n    return math.pi\n"],
    ]
