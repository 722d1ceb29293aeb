"""Candidates for names and attributes that are not there: failures of cells that ran, and what is tried for them.

Each of these is also run: the candidate that is meant must run, and give what is meant.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import linecache
import xml  # noqa: F401 - a package that has modules which are not imported with it
from collections.abc import Iterator
from typing import Any

import pytest

from reflex_ipython.models import LIKELY, CellRef, CellSource, Failure, Lookup
from tests.capture.conftest import Notebook
from tests.propose.rules.build import candidates, failure, fixes, no_attribute, not_in_module, sure, undefined

TABLE = "import pandas as pd\ndf = pd.DataFrame({'price': [1.5, 2.0], 'qty': [3, 4], 'region': ['n', 's']})"


@pytest.fixture
def notebook() -> Iterator[Notebook]:
    made = Notebook()
    yield made
    for name in made.cells:
        linecache.cache.pop(name, None)


def fail(notebook: Notebook, *cells: str) -> Failure:
    """Run some cells, of which the last one fails."""
    for cell in cells[:-1]:
        notebook.run(cell)
    return notebook.fail(cells[-1])


def printed(setup: tuple[str, ...], source: str) -> str | None:
    """What a cell prints after others; None if it raises."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for cell in setup:
        exec(compile(cell, "<setup>", "exec"), namespace)
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(source, "<candidate>", "exec"), namespace)
    except Exception:  # noqa: BLE001 - a candidate that raises is none
        return None
    return out.getvalue()


# What was written, the cells before it, and what the likeliest candidate that runs prints.
MEANT = {
    "one letter": ((), "x = 5\nprint(X + 1)", "6\n"),
    "a plural": (("prices = [1, 2]",), "print(sum(price))", "3\n"),
    "two slips at once": ((), "x = [3, 1]\nprnt(sroted(x))", "[1, 3]\n"),
    "a loop's variable": (("items = 'ab'",), "for i in items:\n    print(item)", "a\nb\n"),
    "a loop's variable in an f-string": ((), "for name in 'ab':\n    print(f'hi {nam}')", "hi a\nhi b\n"),
    "a comprehension's variable": ((), "print([n * 2 for x in range(3)])", "[0, 2, 4]\n"),
    "the place in a list": (("names = ['a', 'b']",), "for i in range(len(names)):\n    print(name)", "a\nb\n"),
    "an exception": ((), "try:\n    int('x')\nexcept ValueError as e:\n    print(type(err).__name__)", "ValueError\n"),
    "a parameter": ((), "def f(name):\n    return nme + '!'\nprint(f('al'))", "al!\n"),
    "self": (
        (),
        "class C:\n    def __init__(self):\n        self.v = 4\n    def twice(self):\n        return v * 2\n"
        "print(C().twice())",
        "8\n",
    ),
    "this": ((), "class A:\n    def __init__(self, x):\n        this.x = x\nprint(A(3).x)", "3\n"),
    "global": ((), "n = 0\ndef up():\n    n += 1\nup()\nprint(n)", "1\n"),
    "nonlocal": (
        (),
        "def f():\n    n = 0\n    def g():\n        n += 1\n    g()\n    return n\nprint(f())",
        "1\n",
    ),
    "a sum without a start": ((), "for v in [1, 2]:\n    total += v\nprint(total)", "3\n"),
    "a text without a start": ((), "for v in 'ab':\n    text += v\nprint(text)", "ab\n"),
    "a list without a start": ((), "for v in [1, 2]:\n    res.append(v)\nprint(res)", "[1, 2]\n"),
    "counts without a start": ((), "for v in 'aab':\n    cnt[v] += 1\nprint(cnt['a'])", "2\n"),
    "a result that was not kept": ((), "def f():\n    r = 5\n    return r\nf()\nprint(r)", "5\n"),
    "a result that was not returned": ((), "def f():\n    r = 5\nf()\nprint(r)", "5\n"),
    "a later statement": ((), "y = x + 1\nx = 2\nprint(y)", "3\n"),
    "a later function": ((), "print(double(4))\n\ndef double(x):\n    return 2 * x", "8\n"),
    "a builtin as a method": ((), "print([3, 1].max())", "3\n"),
    "a builtin that gives a value": ((), "words = ['b', 'a']\nprint(words.sorted())", "['a', 'b']\n"),
    "a builtin as a method in an f-string": ((), "g = iter([7])\nprint(f'{g.next()}')", "7\n"),
    "enumerate as a method": ((), "for i, x in ['a'].enumerate():\n    print(i, x)", "0 a\n"),
    "map as a method": ((), "print([1, 2].map(lambda v: v + 1))", "[2, 3]\n"),
    "a method as a function": ((), "xs = [1]\nappend(xs, 2)\nprint(xs)", "[1, 2]\n"),
    "a method as a function of a text": ((), "s = 'a,b'\nprint(split(s, ','), upper(s))", None),
    "a mean of a list": ((), "print([1, 3].mean())", "2\n"),
    "a text's contents": ((), "if 'hello'.contains('ell'):\n    print('yes')", "yes\n"),
    "not in a text": ((), "print(not 'hello'.contains('ell'))", "False\n"),
    "a part of a text": ((), "print('hello'.substring(1, 3))", "el\n"),
    "join of a list": ((), "print(['a', 'b'].join('-'))", "a-b\n"),
    "each text of a list": ((), "print(['a b', 'c'].split())", "[['a', 'b'], ['c']]\n"),
    "a key by a dot": ((), "d = {'rate': 3}\nprint(d.rate)", "3\n"),
    "a tuple that grows": ((), "t = (1, 2)\nt.append(3)\nprint(t)", "(1, 2, 3)\n"),
    "println": ((), "println('hi')", "hi\n"),
    "console.log": ((), "console.log('hi')", "hi\n"),
    "printf": ((), "printf('%d apples', 3)", "3 apples\n"),
    "Math.sqrt": ((), "print(Math.sqrt(9))", "3.0\n"),
    "strlen": ((), "print(strlen('abc'))", "3\n"),
    "a constant of another language": ((), "x = undefined\nprint(x)", "None\n"),
    "a function of math": ((), "print(sqrt(16))", "4.0\n"),
    "a function of math, imported by its module": (("import math",), "print(sqrt(16))", "4.0\n"),
    "several members of a module": ((), "print(cos(0) + sin(0))", "1.0\n"),
    "a member of a module inside": (("import os",), "print(os.join('a', 'b'))", "a/b\n"),
    "a member of another module": (("import math",), "print(math.randint(1, 1))", "1\n"),
    "the function itself": (("from time import time",), "print(time.time() > 0)", "True\n"),
    "a module that a value hides": ((), "import time\ntime = time.time()\nprint(time.sleep(0))", "None\n"),
    "a method that was not called": ((), "text = 'A b'\nprint(text.lower.split())", "['a', 'b']\n"),
    "a copy that was not made": ((), "a = [1]\nb = a.copy\nb.append(4)\nprint(a, b)", "[1] [1, 4]\n"),
    "a builtin asked of a module": (("import math",), "print(math.max(1, 2))", "2\n"),
    "an item of a method": ((), "text = 'a b'\nprint(text.split[0])", "a\n"),
    "another word": (("import math",), "print(math.squareroot(9))", "3.0\n"),
    "a column without quotes": ((TABLE,), "print(df[price].sum())", "3.5\n"),
    "columns without quotes": ((TABLE,), "print(df[[price, qty]].shape)", "(2, 2)\n"),
    "a column without its table": ((TABLE,), "print(price.mean())", "1.75\n"),
    "columns without their table": ((TABLE,), "print((price * qty).sum())", "12.5\n"),
    "text methods of a column": ((TABLE,), "print(df.region.upper().tolist())", "['N', 'S']\n"),
    "a table's other name": ((TABLE,), "print(data['price'].sum())", "3.5\n"),
    "a key without quotes": ((), "d = {'a': 1}\nprint(d[a])", "1\n"),
    "texts among texts": ((), "print([bob, 'al'])", "['bob', 'al']\n"),
    "a builtin that the cell hides": ((), "max = 0\nmax = max + 1\nprint(max([1, 2]))", "2\n"),
    "an attribute of the object, added to": (
        (),
        "class T:\n    def __init__(self):\n        self.n = 5\n"
        "    def take(self):\n        n -= 1\n        return self.n\nprint(T().take())",
        "4\n",
    ),
    "a function of Python 2's string": (("import string",), "print(string.join(['a', 'b'], '/'))", "a/b\n"),
    "one variable for pairs": ((), "print([(i, v) for v in enumerate('ab')])", "[(0, 'a'), (1, 'b')]\n"),
    "an arrow of R": ((), "h <- [1, 2]\nprint(sum(h))", "3\n"),
    "an arrow of R at a name that is there": (("h = 'x'",), "h <- [1, 2]\nprint(h)", "[1, 2]\n"),
    "an item of what hides a builtin": (("list = [7]",), "print(list(0))", "7\n"),
}


@pytest.mark.parametrize("case", [name for name, (_, _, meant) in MEANT.items() if meant is not None])
def test_the_likeliest_candidate_that_runs_is_what_is_meant(notebook: Notebook, case: str) -> None:
    setup, source, meant = MEANT[case]
    found = candidates(fail(notebook, *setup, source))
    ran = [out for text, _ in found[:24] if (out := printed(setup, text)) is not None]
    assert ran[:1] == [meant]


@pytest.mark.parametrize("case", MEANT)
def test_no_rule_is_sure_of_what_it_can_only_guess(notebook: Notebook, case: str) -> None:
    setup, source, meant = MEANT[case]
    for fix in sure(fail(notebook, *setup, source)):
        assert printed(setup, fix.edits[-1].source) in (None, meant)


def likely(found: list[tuple[str, float]]) -> list[str]:
    """What would be shown as the answer if it ran."""
    return [source for source, prior in found if prior >= LIKELY]


class TestGuesses:
    """What runs nearly everywhere says nothing by running: it is at most one of several things to choose from."""

    @pytest.mark.parametrize(
        ("source", "wanted", "names"),
        [
            ("print(hello)", "hello", ()),
            ("test.head()", "test", ("train",)),
            ("print(y_pred)", "y_pred", ("y_test", "y_train")),
            ("print(text)", "text", ("test",)),
            ("print(x2)", "x2", ("x1",)),
            ("print(title)", "title", ()),
            ("for epoch in range(3):\n    print(loss)", "loss", ()),
            ("for name in names:\n    print(greeting)", "greeting", ("names",)),
        ],
    )
    def test_a_guess_is_no_answer(self, source: str, wanted: str, names: tuple[str, ...]) -> None:
        failed = undefined(source, wanted, *names, line=source.count("\n") + 1)
        assert likely(candidates(failed)) == []

    def test_a_title_is_not_the_function_of_a_plot(self) -> None:
        held = Lookup("name", "title", holders={"plt": "member"})
        failed = failure(
            "print(title)",
            "NameError: name 'title' is not defined",
            lookup=held,
            names=("plt",),
            meanings={"plt": "matplotlib.pyplot"},
        )
        assert likely(candidates(failed)) == []

    def test_a_text_is_no_rival_of_what_is_likely(self) -> None:
        found = candidates(undefined("print(price)", "price", "prices"))
        assert [source for source, _ in found] == ["print(prices)"]


class TestHiddenBuiltins:
    ERROR = "TypeError: 'list' object is not callable"

    def test_the_users_value_stays(self) -> None:
        found = failure("print(list(x))", self.ERROR, names=("list", "x"), types={"list": "list"})
        [fix] = sure(found)
        assert fix.edits[-1].source == "import builtins\nprint(builtins.list(x))"

    def test_an_item_may_be_meant_as_well(self) -> None:
        found = failure("print(list(0))", self.ERROR, names=("list",), types={"list": "list"})
        assert sure(found) == []
        assert {source for source, _ in candidates(found)} == {
            "print(list[0])",
            "import builtins\nprint(builtins.list(0))",
        }

    def test_a_function_of_the_users_own_is_none(self) -> None:
        found = failure("area(3)", "TypeError: 'int' object is not callable", names=("area",), types={"area": "int"})
        assert fixes(found) == []


class TestImports:
    def test_a_module_inside_of_a_package_is_imported(self) -> None:

        failed = no_attribute("import xml\nxml.etree.ElementTree.parse(f)", "etree", "xml", "math", line=2)
        told = "module 'xml' has no attribute 'etree'"
        error = dataclasses.replace(failed.error, evalue=told)
        found = candidates(dataclasses.replace(failed, exceptions=(error,)))
        assert "import xml\nimport xml.etree.ElementTree\nxml.etree.ElementTree.parse(f)" in dict(found)

    def test_a_name_is_imported_from_where_it_is(self) -> None:
        failed = not_in_module("from math import sqrt, randint", "randint", "math")
        assert candidates(failed)[0][0] == "from math import sqrt\nfrom random import randint"

    def test_a_module_that_is_there_is_not_imported_again(self) -> None:
        held = Lookup("name", "sqrt", holders={"m": "member"})
        failed = failure(
            "y = sqrt(2)",
            "NameError: name 'sqrt' is not defined",
            lookup=held,
            names=("m",),
            meanings={"m": "math"},
        )
        assert candidates(failed)[0] == ("y = m.sqrt(2)", 0.85)


class TestOtherCells:
    def test_the_statements_that_did_not_run_are_run_here(self, notebook: Notebook) -> None:
        cell = notebook.fail("d = {}\nx = d['b']\ny = 2\ntotal = y + 1").situation
        failed = notebook.fail("print('t')\nprint(total)")
        assert failed.lookup is not None
        setter = CellSource(CellRef("c", 3), cell.source, "KeyError: 'b'", 2)
        failed = dataclasses.replace(failed, lookup=dataclasses.replace(failed.lookup, setters=(setter,)))
        [(source, prior)] = [one for one in candidates(failed) if one[1] >= LIKELY]
        assert source == "print('t')\ny = 2\ntotal = y + 1\nprint(total)"
        [fix] = [fix for fix in fixes(failed) if fix.prior == prior]
        assert fix.explanation.startswith("In [3] sets `total`, but failed before that: KeyError: 'b'.")

    @pytest.mark.parametrize("source", ["total = d['b']", "total = 1; d['b']"])
    def test_what_failed_is_not_run_once_more(self, source: str) -> None:
        setter = CellSource(CellRef("c", 3), source, "KeyError: 'b'", 1)
        held = Lookup("name", "total", setters=(setter,))
        failed = failure("print(total)", "NameError: name 'total' is not defined", lookup=held)
        assert candidates(failed) == []


@pytest.mark.parametrize(
    "failed",
    [
        failure("1 / 0", "ZeroDivisionError: division by zero"),
        failure("int('x')", "ValueError: invalid literal for int() with base 10: 'x'"),
        failure("'a' + 1", 'TypeError: can only concatenate str (not "int") to str'),
        undefined("x", "y"),
    ],
)
def test_other_failures_are_left_alone(failed: Failure) -> None:
    assert [fix for fix in fixes(failed) if fix.is_candidate] == []


def test_what_is_not_changed_stays_byte_for_byte() -> None:
    source = "# prnit é\r\nx = {'a': 1}  #  two\r\nprint( X )\r\n"
    found = dict(candidates(undefined(source, "X", "x", line=3)))
    assert source.replace("( X )", "( x )") in found
