"""An answer may change any cell that the question showed, by its number, and no other."""

from __future__ import annotations

import dataclasses

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.models import CellRef, CellSource, Edit, ExceptionInfo, Failure, Situation, new_id, now
from reflex_ipython.propose.answered import answered
from reflex_ipython.propose.extract import Answer, Unusable, extract
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.prompt import build_question
from reflex_ipython.protocols import Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Refuse, Say, ScriptedServer

LOAD = CellSource(CellRef("c3", 3), "import pandas as pd\ndf = pd.read_csv('sales.csv')")
DROP = CellSource(CellRef("c5", 5), "# the empty rows\ndf = df.dropna(inplace=True)")
FAILING = CellSource(CellRef("c7", 7), "print(df.sales.sum())")
RIGHT = DROP.source.replace("inplace=True", "")
CHANGED = "print(int(df.sales.sum()))"


EDITED = dataclasses.replace(DROP, edited=True)
"""Its cell has another text by now."""
LONG = [CellSource(CellRef(f"c{n}", n), "\n".join(f"x_{line} = {line * n}" for line in range(240))) for n in (1, 2)]
"""Two that only a long question shows whole."""


def sources(reply: str) -> tuple[str, ...]:
    answer = extract(reply, [FAILING], shown=[LOAD, DROP])
    assert isinstance(answer, Answer), answer
    return answer.sources


NAMED = {
    "as it was asked for": f"why.\n```python\n# In [5]\n{RIGHT}\n```",
    "without a space": f"why.\n```python\n# In[5]:\n{RIGHT}\n```",
    "as a cell": f"why.\n```python\n# Cell 5\n{RIGHT}\n```",
    "as a cell with a number sign": f"why.\n```python\n# cell #5:\n{RIGHT}\n```",
    "as both": f"why.\n```python\n# Cell In [5]\n{RIGHT}\n```",
    "with a remark": f"why.\n```python\n# In [5] (an earlier cell)\n{RIGHT}\n```",
    "with a remark behind a dash": f"why.\n```python\n# In [5] - without inplace\n{RIGHT}\n```",
    "in a heading": f"why.\n\n### In [5]\n\n```python\n{RIGHT}\n```",
    "in bold": f"why.\n\n**Cell In [5]:**\n```python\n{RIGHT}\n```",
    "in a list": f"why.\n\n1. `In [5]`:\n```python\n{RIGHT}\n```",
    "as a prompt": f"why.\n```python\nIn [5]:\n{RIGHT}\n```",
    "without a fence": f"# In [5]\n{RIGHT}",
    "the line alone": "why.\n```python\n# In [5]\ndf = df.dropna()\n```",
    "the failing one repeated": f"why.\n```python\n# In [5]\n{RIGHT}\n```\n```python\n# In [7]\n{FAILING.source}\n```",
    "a diff": "why.\n### In [5]\n```diff\n-df = df.dropna(inplace=True)\n+df = df.dropna()\n```",
}


@pytest.mark.parametrize("shape", NAMED)
def test_a_cell_that_no_traceback_shows_is_changed_by_its_number(shape: str) -> None:
    assert sources(NAMED[shape]) == (LOAD.source, RIGHT, FAILING.source)


def test_several_cells_change_at_once() -> None:
    reply = f"why.\n```python\n# In [5]\n{RIGHT}\n\n# In [7]\n{CHANGED}\n```"
    assert sources(reply) == (LOAD.source, RIGHT, CHANGED)
    new = LOAD.source.replace("sales.csv", "all.csv")
    reply = f"why.\n### In [3]\n```python\n{new}\n```\n### In [5]\n```python\n{RIGHT}\n```"
    assert sources(reply) == (new, RIGHT, FAILING.source)


@pytest.mark.parametrize("name", ["", "# In [7]\n", "# Cell 7:\n"])
def test_what_is_for_the_failing_cell_stays_its_own_without_the_name(name: str) -> None:
    assert sources(f"why.\n```python\n{name}{CHANGED}\n```") == (LOAD.source, DROP.source, CHANGED)


def test_what_has_all_in_one_block_is_for_the_failing_cell() -> None:
    code = f"df = df.dropna()\n{CHANGED}"
    assert sources(f"why.\n```python\n{code}\n```")[-1] == code


@pytest.mark.parametrize("name", ["# In [4]", "# Cell 4", "### In [4]\n```python", "# In [9]:"])
def test_a_cell_that_was_not_shown_is_refused_in_words(name: str) -> None:
    fence = "" if "```" in name else "```python\n"
    answer = extract(f"why.\n{fence}{name}\nstock = load_stock()\n```", [FAILING], shown=[LOAD, DROP])
    number = "".join(filter(str.isdigit, name))
    assert answer == Unusable(
        f"The model's answer is for In [{number}], which is none of the cells that it may change."
    )


def test_a_block_without_a_name_that_is_clearly_another_cells_text_is_for_that() -> None:
    new = LOAD.source.replace("sales.csv", "all.csv")
    assert sources(f"why.\n```python\n{new}\n```") == (new, DROP.source, FAILING.source)


def test_another_cells_block_never_lands_in_the_failing_one() -> None:
    reply = f"why.\n```python\n# In [4]\nstock = 1\n```\n```python\n# In [5]\n{RIGHT}\n```"
    assert sources(reply) == (LOAD.source, RIGHT, FAILING.source)
    assert isinstance(extract("why.\n```python\n# In [4]\nstock = 1\n```", [FAILING]), Unusable)


def test_a_wrong_number_is_forgiven_where_the_text_is_clearly_the_failing_cells() -> None:
    assert sources(f"why.\n```python\n# In [8]\n{CHANGED}\n```")[-1] == CHANGED
    assert sources(f"why.\n```python\n# In [3]\n{CHANGED}\n```") == (LOAD.source, DROP.source, CHANGED)


def test_a_text_that_is_foreign_to_a_cell_does_not_take_its_place() -> None:
    code = "import shutil\nshutil.rmtree('out')"
    assert isinstance(extract(f"why.\n```python\n# In [3]\n{code}\n```", [FAILING], shown=[LOAD, DROP]), Unusable)
    reply = f"why.\n```python\n# In [3]\nimport shutil\n{CHANGED}\n```"
    assert sources(reply) == (LOAD.source, DROP.source, f"import shutil\n{CHANGED}")


def test_a_comment_of_the_cells_own_is_no_name() -> None:
    own = CellSource(CellRef("c7", 7), f"# Cell 5\n{FAILING.source}")
    answer = extract(f"why.\n```python\n# Cell 5\n{CHANGED}\n```", [own], shown=[LOAD, DROP])
    assert isinstance(answer, Answer)
    assert answer.sources == (LOAD.source, DROP.source, f"# Cell 5\n{CHANGED}")


def test_the_steps_are_the_edits_of_those_cells() -> None:
    situation = Situation(FAILING.cell, FAILING.source, earlier=(LOAD, DROP))
    failure = Failure(new_id(), now(), situation, "run", (ExceptionInfo("AttributeError", "NoneType"),))
    (one,) = answered(failure, NAMED["in a heading"])
    assert one.steps == (Edit(DROP.cell, DROP.source, RIGHT),)


def test_a_cell_that_is_too_long_to_be_shown_whole_is_not_changed() -> None:
    long = CellSource(DROP.cell, DROP.source + "\nx = 1" * 600)
    situation = Situation(FAILING.cell, FAILING.source, earlier=(LOAD, long))
    failure = Failure(new_id(), now(), situation, "run", (ExceptionInfo("AttributeError", "NoneType"),))
    assert isinstance(answered(failure, NAMED["in a heading"]), Unusable)


def test_a_cell_that_has_another_text_by_now_is_not_changed() -> None:
    situation = Situation(FAILING.cell, FAILING.source, earlier=(LOAD, EDITED))
    failure = Failure(new_id(), now(), situation, "run", (ExceptionInfo("AttributeError", "NoneType"),))
    asked = build_question(failure)
    assert asked.shown == (LOAD,)
    assert "In [5] (has another text by now):" in asked.messages[-1]["content"]
    found = answered(failure, NAMED["in a heading"], shown=asked.shown)
    assert found == Unusable("The model's answer is for In [5], which is none of the cells that it may change.")


def of_many_cells() -> Failure:
    situation = Situation(FAILING.cell, FAILING.source, earlier=(*LONG, LOAD, DROP))
    return Failure(new_id(), now(), situation, "run", (ExceptionInfo("AttributeError", "NoneType"),))


CHANGED_LONG = f"why.\n```python\n# In [2]\n{LONG[1].source.replace('x_7 = 14', 'x_7 = 8')}\n```"


def test_a_cell_that_a_shorter_question_cuts_or_leaves_out_is_not_changed() -> None:
    failure, kept = of_many_cells(), []
    for budget in (24_000, 4_000, 100):
        asked = build_question(failure, budget=budget)
        text = asked.messages[-1]["content"]
        assert asked.shown == tuple(cell for cell in failure.situation.earlier if cell.source in text)
        assert ("If the mistake is in a cell above" in text) == bool(asked.shown)
        assert isinstance(answered(failure, CHANGED_LONG, shown=asked.shown), tuple) == (LONG[1] in asked.shown)
        kept.append(len(asked.shown))
    assert kept == [4, 2, 0]


def test_of_a_question_that_was_too_long_only_what_the_shorter_one_showed_is_changed() -> None:
    too_long = Refuse(400, "This model's maximum context length is 1000 tokens.", "context_length_exceeded")
    with ScriptedServer(too_long, Say([CHANGED_LONG])) as server:
        settings = Settings(model="scripted", base_url=server.base_url, timeout=20.0)
        provider = ModelProvider(Context(lambda: settings, MemoryStore()))
        with pytest.raises(ModelError, match="none of the cells that it may change"):
            list(provider.propose(of_many_cells(), Request()))
        assert LONG[1].source in server.chats[0].json["messages"][1]["content"]
