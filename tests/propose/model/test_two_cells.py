"""A failure in a function of an earlier cell: what the model is asked, and which cell its answer changes."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from reflex_ipython.models import (
    CellRef,
    CellSource,
    Edit,
    ExceptionInfo,
    Failure,
    Fix,
    Frame,
    Lookup,
    Situation,
    ValueSummary,
    Verdict,
)
from reflex_ipython.propose.extract import Answer, Unusable, extract
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.prompt import SMALL_BUDGET, build_messages
from reflex_ipython.protocols import Attempt, Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer
from tests.failures import situated
from tests.propose.model.test_prompt import UPDATE

GOLDEN = Path(__file__).with_name("golden") / "misspelt_column_in_a_function.txt"

HOME = 'import pandas as pd\n\n# by region\ndef by_region(table):\n    return table.groupby("regoin").sales.sum()\n'
FIXED = HOME.replace("regoin", "region")
BODY = FIXED.rstrip("\n")
CALL = "totals = by_region(df)\nprint(totals)"
CALLED = "totals = by_region(df.reset_index())\nprint(totals)"
CELLS = (CellSource(CellRef("c3", 3), HOME), CellSource(CellRef("c7", 7), CALL))


@pytest.fixture
def failure() -> Failure:
    failing, home = CellRef("c7", 7), CellRef("c3", 3)
    table = ValueSummary("table", "pandas.DataFrame", "shape (3, 2)", "table", ("region", "sales"))
    frames = (
        Frame("/tmp/ipykernel_4711/2.py", "<module>", 1, CALL, 1, failing),
        Frame("/tmp/ipykernel_4711/1.py", "by_region", 5, HOME, 1, home, (table,)),
        Frame("/env/lib/python3.11/site-packages/pandas/core/frame.py", "DataFrame.groupby", 9183, "", 9183),
    )
    return Failure(
        id="0a1b2c3d",
        at="2026-11-21T10:00:00.000+00:00",
        situation=Situation(
            failing,
            CALL,
            earlier=(CellSource(CellRef("c1", 1), 'df = load("sales.csv")'), CELLS[0]),
            versions={"pandas": "3.0.1"},
            python="3.11.9",
        ),
        stage="run",
        exceptions=(ExceptionInfo("KeyError", "'regoin'", frames=frames),),
        lineno=1,
        lookup=Lookup("column", "regoin", "table", "pandas.DataFrame", ("sales", "region")),
    )


def question(failure: Failure, *args, **options) -> str:
    return build_messages(failure, *args, **options)[1]["content"]


# ------------------------------------------------------------------------------------------ the question


def test_the_question_about_two_cells_is_the_one_that_was_agreed_on(failure):
    tried = Fix("f", (Edit(CELLS[0].cell, HOME, "tried"), Edit(CELLS[1].cell, CALL, CALL)), "why", "rule")
    attempts = [Attempt(tried, Verdict("other_error", "raises NameError on line 1 instead"))]
    text = question(failure, "", attempts) + "\n"
    if UPDATE:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_both_cells_are_whole_and_named_however_little_fits_in(failure):
    large = HOME + "\n".join(f"value_{number} = {number}" for number in range(500))
    earlier = (failure.situation.earlier[0], dataclasses.replace(failure.situation.earlier[1], source=large))
    text = question(situated(failure, earlier=earlier), budget=SMALL_BUDGET)
    assert f"## In [3], which holds the function that failed\n\n```python\n{large}\n```" in text
    assert f"## The cell that fails: In [7]\n\n```python\n{CALL}\n```" in text
    assert text.count("value_499") == 1


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ([(0, "new home"), (1, CALL)], "```python\n# In [3]\nnew home\n```"),
        ([(0, "new home"), (1, "new call")], "```python\n# In [3]\nnew home\n\n# In [7]\nnew call\n```"),
        ([(1, "new call")], "```python\nnew call\n```"),
    ],
)
def test_the_cells_that_an_attempt_changed_are_told(failure, edits, told):
    made = tuple(Edit(CELLS[at].cell, CELLS[at].source, source) for at, source in edits)
    assert told in question(failure, "", [Attempt(Fix("f", made, "why", "rule"), Verdict())])


# ------------------------------------------------------------------------------------------ the answer

ONE = {
    "named": f"misspelt.\n```python\n# In [3]\n{BODY}\n```",
    "named as a prompt": f"misspelt.\n```python\nIn [3]:\n{BODY}\n```",
    "named in words": f"misspelt.\n```python\n# Cell In [3]: (earlier)\n{BODY}\n```",
    "named above the fence": f"misspelt.\n\n**In [3]:**\n```python\n{BODY}\n```",
    "not named": f"misspelt.\n```python\n{BODY}\n```",
    "without a fence": f"# In [3]\n{BODY}",
    "the other one repeated": f"misspelt.\n```python\n# In [3]\n{BODY}\n```\n```python\n# In [7]\n{CALL}\n```",
    "both in one block": f"misspelt.\n```python\n# In [3]\n{BODY}\n\n# In [7]\n{CALL}\n```",
    "both, not named": f"misspelt.\n```python\n{BODY}\n```\nThen run:\n```python\n{CALL}\n```",
    "a remark besides": f"misspelt.\n```python\nprint(sorted(x for x in dir()))\n```\n```python\n# In [3]\n{BODY}\n```",
    "the function alone": "misspelt.\n```python\n# In [3]\ndef by_region(table):\n"
    '    return table.groupby("region").sales.sum()\n```',
    "the line alone": 'misspelt.\n```python\n    return table.groupby("region").sales.sum()\n```',
    "the imports and the function, as if that were all": "misspelt.\n```python\nimport pandas as pd\n\n"
    'def by_region(table):\n    return table.groupby("region").sales.sum()\n```',
    "named as the other one": f"misspelt.\n```python\n# In [7]\n{BODY}\n```",
    "named twice": f"misspelt.\n\nIn [3]:\n```python\n# In [3]\n{BODY}\n```",
    "the other one in words": f"misspelt.\n```python\n# In [3]\n{BODY}\n# In [7]\n# stays as it is\n```",
    "comments left out": "misspelt.\n```python\n# In [3]\n" + BODY.replace("# by region\n", "") + "\n```",
    "a diff": 'misspelt.\n```diff\n-    return table.groupby("regoin").sales.sum()\n'
    '+    return table.groupby("region").sales.sum()\n```',
}


@pytest.mark.parametrize("shape", ONE)
def test_the_earlier_cell_is_found_and_the_failing_one_stays(shape):
    answer = extract(ONE[shape], CELLS)
    assert isinstance(answer, Answer), answer
    assert answer.sources == (FIXED, CALL)


@pytest.mark.parametrize("name", ["# In [7]\n", ""])
def test_the_failing_cell_may_be_the_one_that_changes(name):
    assert extract(f"why.\n```python\n{name}{CALLED}\n```", CELLS) == Answer((HOME, CALLED), "why.")


@pytest.mark.parametrize("between", ["\n```\n```python\n", "\n"])
def test_both_may_change(between):
    reply = f"why.\n```python\n# In [3]\n{BODY}{between}# In [7]\n{CALLED}\n```"
    assert extract(reply, CELLS) == Answer((FIXED, CALLED), "why.")


def test_a_function_that_is_copied_into_the_failing_cell_is_meant_for_that():
    code = f"{BODY}\n{CALL}"
    assert extract(f"why.\n```python\n# In [7]\n{code}\n```", CELLS).sources == (HOME, code)


def test_a_name_that_the_cell_has_itself_does_not_cut_it():
    exported = (CELLS[0], CellSource(CellRef("c7", 7), f"# In [3]\nx = 1\n# In [7]\n{CALL}"))
    new = exported[1].source.replace("print", "display")
    assert extract(f"why.\n```python\n{new}\n```", exported) == Answer((HOME, new), "why.")


def test_cells_without_numbers_are_told_apart_by_likeness():
    cells = tuple(CellSource(CellRef(None, None), cell.source) for cell in CELLS)
    assert extract(f"why.\n```python\n{BODY}\n```", cells).sources == (FIXED, CALL)
    assert extract(f"why.\n```python\n{CALLED}\n```", cells).sources == (HOME, CALLED)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (f"why.\n```python\n# In [3]\n{HOME}```", "the same cell"),
        (f"why.\n```python\n# In [7]\n{CALL}\n```", "the same cell"),
        (f"why.\n```python\n# In [3]\n{BODY[:60]}", "no code for this cell"),
        ("I don't know.", "no code for this cell"),
    ],
)
def test_an_answer_that_changes_neither_is_no_fix(reply, words):
    answer = extract(reply, CELLS, complete="```\n" not in reply)
    assert isinstance(answer, Unusable) or answer.sources != (HOME, CALL)
    if isinstance(answer, Unusable):
        assert words in answer.problem


@pytest.mark.parametrize("cut_at", range(1, len(BODY), 7))
def test_half_an_answer_is_never_a_fix(cut_at):
    answer = extract(f"why.\n```python\n# In [3]\n{BODY[:cut_at]}", CELLS, complete=False)
    assert answer == Unusable("The model's answer was cut off.")


# ------------------------------------------------------------------------------------------ the fix


def fix_of(failure: Failure, reply: str) -> Fix:
    with ScriptedServer(Say([reply])) as server:
        settings = Settings(model="scripted", base_url=server.base_url, timeout=20.0)
        (fix,) = ModelProvider(Context(lambda: settings, MemoryStore())).propose(failure, Request())
    return fix


def test_the_fix_edits_the_cell_that_is_wrong_alone(failure):
    fix = fix_of(failure, ONE["named"])
    assert fix.edits == (Edit(CELLS[0].cell, HOME, FIXED),)


def test_an_earlier_cell_that_stays_is_not_in_the_fix(failure):
    fix = fix_of(failure, f"why.\n```python\n# In [7]\n{CALLED}\n```")
    assert fix.edits == (Edit(CELLS[1].cell, CALL, CALLED),)
