"""What can be said of a fix without running it: it parses, its names and labels exist."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.check.parsed_cell import read
from reflex_ipython.check.verdict import reason, verdict
from reflex_ipython.models import (
    CellRef,
    Edit,
    ExceptionInfo,
    Finding,
    Fix,
    Frame,
    Lookup,
    Trial,
    ValueSummary,
    Verdict,
    from_json,
    to_json,
)
from reflex_ipython.present.verdict_line import verdict_line
from tests.check.build import CELL, STATIC, failure, fix


def found(old: str, new: str, **more: Any) -> list[str]:
    return [finding.text for one in STATIC for finding in one.check(failure(old, **more), fix(old, new))]


@pytest.mark.parametrize(
    "source",
    [
        "await f()",
        "%time x = 1\n!ls -l\nx?",
        "files = !ls\nx = %timeit -o 1",
        "%%time\nx = 1",
        "%%html\n<b>",
        "s = '''\n%not a magic\n!nor this\n'''",
        "if x:\n    %matplotlib inline",
        "a %= 2",
        "%%mine\nfor x in",
        "%%mine\nlentgh",
        "%%px\nlentgh",
        "a + f?",
    ],
)
def test_what_ipython_takes_parses(source: str) -> None:
    assert found(source, source, names=("f", "x", "a")) == []


def test_a_syntax_error_is_told_with_its_line() -> None:
    assert found("x", "y = 1\nx = (", names=("x",)) == ["does not parse: '(' was never closed on line 2"]


def test_magics_are_kept_apart_from_the_python() -> None:
    cell = read("%time x = 1\ny = !ls\nz = 2")
    assert cell.magics == ("%time x = 1", "!ls")
    assert cell.tree is not None
    assert [node.lineno for node in cell.tree.body] == [1, 2, 3]


def test_a_name_that_is_defined_nowhere_is_told() -> None:
    assert found("print(lenght)", "n = 1\nprint(lentgh, n)", names=("length",)) == [
        "uses `lentgh`, which is not defined (line 2)"
    ]


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nnp.zeros(n)",
        "def f(a, *b, c=1, **d):\n    return a, b, c, d, f",
        "[x for x in range(3)]; {k: v for k, v in {}.items()}",
        "with open('a') as g: g.read()",
        "try:\n    pass\nexcept ValueError as e:\n    e",
        "match 3:\n    case [a, *r] | {'k': a, **r}: a, r\n    case q: q",
        "(w := 3) + w",
        "class K:\n    a = 1\n    def m(self): return K, __class__",
        "from math import *\nsin(1)",
        "%pylab\nplot(1)",
        "display(In, Out, get_ipython(), _, __)",
        "lambda z: z",
        "global later\nlater",
    ],
)
def test_a_name_that_something_defines_is_fine(source: str) -> None:
    assert found("x", source, names=("n", "later")) == []


def test_where_names_may_have_been_left_out_nothing_is_said() -> None:
    assert found("x", "whatever", names=tuple(f"n{n}" for n in range(500))) == []


COLUMN = Lookup("column", "regoin", "df", "pandas.DataFrame", ("region", "sales"))


def test_a_column_that_is_not_there_is_told() -> None:
    names = ("df",)
    assert found("df['regoin']", "df['regoin '] + df['sales']", names=names, lookup=COLUMN) == [
        "asks `df` for the column 'regoin ', which does not exist (line 1)"
    ]
    assert found("df['regoin']", "df['region']", names=names, lookup=COLUMN) == []


def test_a_column_that_the_fix_makes_is_fine() -> None:
    for source in ("df['new'] = 1\ndf['new']", "df = df.rename(columns=str.upper)\ndf['SALES']"):
        assert found("df['regoin']", source, names=("df",), lookup=COLUMN) == []


def test_the_columns_of_other_tables_are_known_too() -> None:
    table = ValueSummary("other", "pandas.DataFrame", "", "table", ("a", "b"))
    error = ExceptionInfo("ValueError", "", frames=(Frame("<c>", "<module>", 1, cell=CELL, variables=(table,)),))
    assert found("other['a']", "other['c']", names=("other",), exceptions=(error,)) == [
        "asks `other` for the column 'c', which does not exist (line 1)"
    ]


def test_an_attribute_that_is_not_there_is_told() -> None:
    lookup = Lookup("attribute", "squrt", "math", "module", ("sqrt", "pi"))
    assert found("math.squrt(2)", "math.root(2)", names=("math",), lookup=lookup) == [
        "asks `math` for the attribute 'root', which does not exist (line 1)"
    ]
    assert found("math.squrt(2)", "math.sqrt(2)", names=("math",), lookup=lookup) == []


def test_what_a_function_of_an_earlier_cell_asked_for_is_looked_up_in_that_cell_alone() -> None:
    earlier = CellRef("e0")
    frames = (Frame("<c>", "<module>", 1, cell=CELL), Frame("<e>", "f", 1, cell=earlier))
    raised = (ExceptionInfo("KeyError", "'regoin'", frames=frames),)
    failed = failure("f(df['sales'])", names=("df", "f"), lookup=COLUMN, exceptions=raised)

    def said(new: str) -> list[str]:
        edits = (
            Edit(earlier, "def f(df): return df['regoin']", new),
            Edit(CELL, failed.situation.source, failed.situation.source),
        )
        two = Fix("x", edits, "", "model")
        return [finding.text for one in STATIC for finding in one.check(failed, two)]

    assert said("def f(df): return df['region']") == []
    assert said("def f(df): return df['regoin '] + 1") == [
        "asks `df` for the column 'regoin ', which does not exist (line 1)"
    ]


def test_the_same_import_again_is_told() -> None:
    module = Lookup("module", "pandsa")
    assert found("import pandsa", "import pandsa as pd", lookup=module) == ["still asks for 'pandsa' on line 1"]
    member = Lookup("import", "Squrt", "math")
    assert found("from math import Squrt", "from math import Squrt", lookup=member) == [
        "still asks for 'Squrt' on line 1"
    ]


def test_a_module_that_is_looked_for_elsewhere_or_read_anew_may_be_there_now() -> None:
    module = Lookup("module", "own")
    new = 'import sys\nsys.path.append("..")\nimport own'
    assert found("import own", new, lookup=module) == []
    assert found(new, f"{new}\nx = 1", lookup=module) == ["still asks for 'own' on line 3"]
    member = Lookup("attribute", "side", "own", "module", ("area",))
    assert (
        found("own.side(3)", "import importlib\nimportlib.reload(own)\nown.side(3)", names=("own",), lookup=member)
        == []
    )


def test_the_same_argument_again_is_told() -> None:
    lookup = Lookup("argument", "colour", "plot", "function", ("color",))
    assert found("plot(x, colour=1)", "plot(x, y, colour=1)", names=("plot", "x", "y"), lookup=lookup) == [
        "still asks for 'colour' on line 1"
    ]


# ------------------------------------------------------------------ the verdict in words


def test_a_verdict_says_what_the_trial_saw() -> None:
    failed = failure("x", "KeyError")
    other = Trial("other_error", ename="ValueError", evalue="bad", lineno=4)
    assert verdict(failed, [], other).reason == "raises ValueError on line 4 instead"
    assert (
        reason(failed, Trial("other_error", ename="KeyError", evalue="told", lineno=1))
        == "still raises KeyError on line 1"
    )
    assert reason(failed, Trial("blocked", "wants to write to a.csv")) == "wants to write to a.csv"
    assert verdict(failed, [], None) == Verdict()


def test_a_trial_that_passed_is_told_in_a_line() -> None:
    failed = failure("x")
    passed = Trial("passed", seconds=0.214)
    assert verdict_line(verdict(failed, [], passed)).text == "ran in a copy of your kernel, 0.21 s"
    finding = Finding("drops-rows", "drops 3 of 100 rows of `df`")
    assert verdict_line(verdict(failed, [finding], passed)).text == "runs, but drops 3 of 100 rows of `df`"
    untried = verdict(failed, [], Trial("not_tried", "the GPU is in use"))
    assert verdict_line(untried).text == "not tried: the GPU is in use"


def test_a_verdict_with_its_trial_goes_through_json() -> None:
    one = verdict(failure("x"), [Finding("a", "b")], Trial("passed", seconds=1.0, missing=("x",)))
    assert from_json(Verdict, to_json(one)) == one
    assert from_json(Verdict, {"outcome": "passed"}).trial is None
