"""What a choice says that each fix gives: the results that tell them apart, each once."""

from __future__ import annotations

import dataclasses

import pytest

from reflex_ipython.models import Edit, Fix, NameChange, RunCell, Trial, ValueFacts, Verdict
from reflex_ipython.models.situation import CellRef
from reflex_ipython.present.gives import gives


def added(name, type_="int", text="", **facts):
    return NameChange(name, "added", None, ValueFacts(type_, text=text, **facts))


def came_to(repair, source, *changes, first="", **seen):
    """The line of a fix with that source, and whose trial has seen that."""
    [edit] = repair.fixes[0].edits
    steps = (RunCell(CellRef("z"), first),) if first else ()
    fix = Fix("x8", (*steps, Edit(edit.target, edit.expected, source)), "", "rule", prior=0.4)
    trial = Trial("passed", changes=changes, **seen)
    return gives(dataclasses.replace(repair, fixes=(fix,), verdicts={"x8": Verdict("passed", trial=trial)}))["x8"]


LOOP = "total = 0\nfor digit in str(number):\n    total += int(digit)\n"
DIGIT, TOTAL = added("digit", "str", "'2'"), added("total", text="3")
FRAME = added("df", "pandas.DataFrame", shape=(3, 2))


@pytest.mark.parametrize(
    ("source", "changes", "seen", "line"),
    [
        (f"{LOOP}total", (DIGIT, TOTAL), {"result": "3"}, "gives 3"),
        (LOOP, (DIGIT, TOTAL), {}, "`total` = 3"),
        (f"{LOOP}print(total)", (DIGIT, TOTAL), {"stdout": "3\n"}, "prints 3"),
        (f"{LOOP}print(f'in all {{total}}')", (DIGIT, TOTAL), {"stdout": "in all 3\n"}, "prints in all 3"),
        (f"{LOOP}other", (DIGIT, TOTAL), {"result": "3"}, "gives 3 · `total` = 3"),
        ("for digit in x:\n    pass", (DIGIT,), {}, "`digit` = '2'"),
        ("for digit in x:\n    pass\ndigit = 9", (DIGIT,), {}, "`digit` = '2'"),
        ("df = load()\ndf", (FRAME,), {"result": "  a  b\n0 1 2"}, "gives a  b and 1 more line"),
        ("df = load()\ndf.shape", (FRAME,), {"result": "(3, 2)"}, "gives (3, 2) · `df`: DataFrame, 3 × 2"),
        (
            "with open(p) as f:\n    rows = read(f)\ndef g(): rows",
            (added("f", "_io.TextIOWrapper"), added("g", "function"), added("rows", text="[1]")),
            {},
            "`rows` = [1]",
        ),
        ("def g(): pass", (added("g", "function"),), {}, "`g`: function"),
        (
            "fig, ax = plt.subplots()",
            (added("ax", "matplotlib.axes._axes.Axes"), added("fig", "matplotlib.figure.Figure")),
            {"figures": 1},
            "shows a figure",
        ),
        ("a = 1\nc = 2\nb = 3", (added("a", text="1"), added("b", text="3"), added("c", text="2")), {},
         "`b` = 3 · `c` = 2 · `a` = 1"),
        ("(", (TOTAL,), {}, "`total` = 3"),
        ("%time x = 1\ntotal = 3", (TOTAL,), {}, "`total` = 3"),
    ],
)  # fmt: skip
def test_what_is_named(repairs, source, changes, seen, line):
    assert came_to(repairs["choice"], source, *changes, **seen) == line


def test_what_cells_that_ran_first_have_set_comes_behind(repairs):
    changes = (added("a", text="1"), TOTAL)
    assert came_to(repairs["choice"], "total = a + 2", *changes, first="a = 1") == "`total` = 3 · `a` = 1"


def test_two_that_would_read_the_same_tell_all(repairs):
    choice = repairs["choice"]

    def verdict(text):
        return Verdict("passed", trial=Trial("passed", changes=(added("digit", "str", text), TOTAL), digest=text))

    told = gives(dataclasses.replace(choice, verdicts={"x8": verdict("'1'"), "x9": verdict("'2'")}))
    assert told == {"x8": "`digit` = '1' · `total` = 3", "x9": "`digit` = '2' · `total` = 3"}
