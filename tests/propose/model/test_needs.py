"""A model that says what it lacks, or leaves a choice, in place of one fix."""

from __future__ import annotations

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.models import (
    CellRef,
    CellSource,
    Edit,
    ExceptionInfo,
    Failure,
    Fix,
    Install,
    RunCell,
    Situation,
    Verdict,
    new_id,
    now,
)
from reflex_ipython.propose.answered import NeedsMore, Proposed, answered
from reflex_ipython.propose.extract import Unusable
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.needs import needs
from reflex_ipython.protocols import Attempt, Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer

EARLIER = CellSource(CellRef("c3", 3), "df['ratio'] = df.a / df.b")
SOURCE = "df.groupby('ratio').mean()"


def failure(error: str = "ratio", cells: tuple[CellSource, ...] = (EARLIER,)) -> Failure:
    situation = Situation(CellRef("c7", 7), SOURCE, earlier=cells)
    return Failure(new_id(), now(), situation, "run", (ExceptionInfo("KeyError", error),))


def proposed(reply: str, error: str = "ratio") -> tuple[Proposed, ...]:
    found = answered(failure(error), reply)
    assert isinstance(found, tuple), found
    return found


SAID = {
    "a line": ("Needs: the definition of `f`, which no cell has.", "the definition of `f`, which no cell has."),
    "a bold line": ("Reason: odd.\n\n**Needs:** the file `a.csv`.", "the file `a.csv`."),
    "two lines": ("needs: the file\n`a.csv`.\n\nBye.", "the file `a.csv`."),
    "clear words": (
        "`f` is defined in no cell that has run, so nothing can be fixed.",
        "`f` is defined in no cell that has run, so nothing can be fixed.",
    ),
    "clear words of another kind": ("The cell can't be repaired here: `f` is gone.",) * 2,
    "thoughts before": ("<think>\nNeeds: x\n</think>\nNeeds: `y`.", "`y`."),
}


@pytest.mark.parametrize("case", SAID)
def test_what_is_needed_is_told_in_the_models_words(case: str) -> None:
    reply, words = SAID[case]
    found = answered(failure(), reply)
    assert isinstance(found, NeedsMore)
    assert found.problem == f"The model proposes no change of the code. It says: “{words}”"


@pytest.mark.parametrize(
    "reply",
    ["Sorry, I can't help with that.", "I don't know.", "", "```python\n# Needs: more\nx = 1\n```", "Needs:"],
)
def test_what_says_nothing_is_no_need(reply: str) -> None:
    assert needs(reply) is None


def test_long_words_are_cut() -> None:
    said = needs("Needs: " + "very much " * 200)
    assert said is not None
    assert len(said.words) <= 302


def test_code_goes_before_words() -> None:
    fixed = SOURCE.replace("ratio", "a")
    (one,) = proposed(f"Needs: nothing more.\n```python\n{fixed}\n```")
    assert one.steps == (Edit(CellRef("c7", 7), SOURCE, fixed),)


# ------------------------------------------------------------------------------------------ the step that is implied


@pytest.mark.parametrize("words", ["run In [3] first.", "In [3] must be re-run.", "please execute cell 3 again"])
def test_a_cell_that_was_shown_is_to_run_first(words: str) -> None:
    (one,) = proposed(f"Needs: {words}")
    assert one.steps == (RunCell(EARLIER.cell, EARLIER.source, None, "as the model says"),)
    assert one.reason.strip(".") == words.strip(".")


@pytest.mark.parametrize("words", ["run In [4] first.", "what In [3] gives.", "run In [7] again."])
def test_another_cell_is_not(words: str) -> None:
    assert isinstance(answered(failure(), f"Needs: {words}"), NeedsMore)


NEEDED = RunCell(CellRef("c1"), "df = load()", 1, "was not run in this session")
SETTER = RunCell(CellRef("c2"), "df['ratio'] = 1", 3, "was not run in this session")


@pytest.mark.parametrize("words", ["run cell 3 first.", "run cell 1 and cell 3."])
def test_a_cell_that_has_not_run_is_meant_by_its_place_and_runs_with_what_it_needs(words: str) -> None:
    by_rules = Attempt(Fix("f", (NEEDED, SETTER), "", "rule"), Verdict("not_tried"))
    found = answered(failure(), f"Needs: {words}", attempts=[by_rules])
    assert [one.steps for one in found] == [(NEEDED, SETTER)]  # type: ignore[union-attr]  # not the cell In [3]
    (one,) = answered(failure(), "Needs: run In [3] again.", attempts=[by_rules])  # type: ignore[misc]  # as above
    assert one.steps == (RunCell(EARLIER.cell, EARLIER.source, None, "as the model says"),)


def test_running_first_what_has_failed_so_is_no_new_answer() -> None:
    by_rules = Attempt(Fix("f", (NEEDED, SETTER), "", "rule"), Verdict("other_error", "raises X"))
    found = answered(failure(), "Needs: run cell 3 first.", attempts=[by_rules])
    assert isinstance(found, Unusable)
    assert found.repeats


def test_a_known_package_is_installed_that_the_error_asks_for() -> None:
    (one,) = proposed("Needs: `pip install pyarrow`.", "Missing optional dependency 'pyarrow'")
    assert one.steps == (Install("pyarrow"),)
    (one,) = proposed("Needs: install `scikit-learn`", "No module named 'sklearn'")
    assert one.steps == (Install("scikit-learn"),)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("pip install pyarow", "Missing optional dependency 'pyarow'"),
        ("pip install pyarrow", "No module named 'else'"),
        ("pip install --index-url=x pyarrow", "pyarrow"),
    ],
)
def test_no_other_package_is(words: str, error: str) -> None:
    assert isinstance(answered(failure(error), f"Needs: {words}"), NeedsMore)


def test_two_blocks_are_two_possibilities_where_somebody_has_to_decide() -> None:
    first, second = SOURCE.replace("ratio", "a"), SOURCE.replace("ratio", "b")
    reply = (
        f"Needs: decide what to group by.\n\nBy a:\n```python\n{first}\n```\nThe other one.\n```python\n{second}\n```"
    )
    found = proposed(reply)
    assert [one.steps[0].source for one in found] == [first, second]  # type: ignore[union-attr]  # edits
    assert [one.prior for one in found] == [0.5, 0.5]
    assert found[1].reason == "The other one."


def test_one_block_is_no_choice() -> None:
    fixed = SOURCE.replace("ratio", "a")
    (one,) = proposed(f"Needs: decide.\n```python\n{SOURCE}\n```\n```python\n{fixed}\n```")
    assert one.prior == 1


def test_the_provider_says_it_and_asks_for_no_hint() -> None:
    with ScriptedServer(Say(["Needs: the file `a.csv`."])) as server:
        settings = Settings(model="scripted", base_url=server.base_url, timeout=20.0)
        provider = ModelProvider(Context(lambda: settings, MemoryStore()))
        with pytest.raises(ModelError, match=r"It says: “the file `a\.csv`\.”$") as raised:
            list(provider.propose(failure(), Request()))
    assert raised.value.code == "needs-more"
