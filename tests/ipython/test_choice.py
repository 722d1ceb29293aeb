"""Where several things may be meant, `%reflex accept` and `edit` want to be told which."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.meant import meant_fix
from reflex_ipython.ipython.which import Which, which
from reflex_ipython.models import Repair

FAILING = "total = 0\nfor digit in number:\n    total += int(digit)"
DIGITS = FAILING.replace("in number", "in str(number)")


@pytest.fixture
def asked(run: Any, shell: Any) -> Repair:
    """The repair of a cell that may mean two things."""
    run("number = 12")
    _, text = run(FAILING)
    assert "Which one is meant?" in text
    repair: Repair = shell.reflex_extension.assembly.session.repairs.latest()
    assert repair.is_choice
    return repair


def open_still(shell: Any, asked: Repair) -> bool:
    """Whether nothing came of a command."""
    latest = shell.reflex_extension.assembly.session.repairs.latest()
    return latest == asked and shell.user_ns["total"] == 0


def test_all_are_printed_with_what_each_gives_and_what_to_type(run: Any) -> None:
    run("number = 12")
    _, text = run(FAILING)
    for part in ("str(number)", "range(number)", "total = 3", "total = 66", "%reflex accept 1", "%reflex accept 2"):
        assert part in text


@pytest.mark.parametrize("command", ["accept", "edit", "accept --whole", "accept --only-rewrite"])
def test_without_a_number_the_alternatives_are_listed_and_nothing_is_lost(
    run: Any, shell: Any, asked: Repair, command: str
) -> None:
    result, text = run(f"%reflex {command}")
    name = command.split()[0]
    assert not result.success
    assert "Which one is meant? Nothing has changed." in text
    assert f"  %reflex {name} 1  for digit in str(number):  → `total` = 3" in text
    assert f"  %reflex {name} 2  for digit in range(number):  → `total` = 66" in text
    assert open_still(shell, asked)
    assert getattr(shell, "rl_next_input", None) is None


@pytest.mark.parametrize(("number", "total"), [(1, 3), (2, 66)])
def test_the_number_says_which_runs(run: Any, shell: Any, asked: Repair, number: int, total: int) -> None:
    result, _ = run(f"%reflex accept {number}")
    assert result.success
    assert shell.user_ns["total"] == total
    decided = shell.reflex_extension.assembly.session.repairs.find(asked.id)
    assert decided.decision.fix_id == asked.fixes[number - 1].id
    assert decided.rerun.succeeded


def test_the_number_may_stand_behind_the_id_of_an_earlier_repair(run: Any, shell: Any, asked: Repair) -> None:
    run("1 / 0")
    result, _ = run(f"%reflex accept {asked.id} 1")
    assert result.success
    assert shell.user_ns["total"] == 3


def test_edit_with_a_number_puts_that_one_into_the_next_cell(run: Any, shell: Any, asked: Repair) -> None:
    result, _ = run("%reflex edit 1")
    assert result.success
    assert shell.rl_next_input == DIGITS
    assert open_still(shell, asked)


@pytest.mark.parametrize(("words", "said"), [("3", "it has fixes 1 to 2"), ("zz 2", "no repair 'zz 2'")])
def test_a_number_that_there_is_not_changes_nothing(run: Any, shell: Any, asked: Repair, words: str, said: str) -> None:
    result, text = run(f"%reflex accept {words}")
    assert not result.success
    assert said in text
    assert open_still(shell, asked)


def test_the_status_and_the_explanation_say_that_it_is_a_choice(run: Any, asked: Repair) -> None:
    assert "Say which fix is meant: `%reflex accept 1` or `%reflex accept 2`." in run("%reflex")[1]
    _, text = run("%reflex explain")
    assert "Which one is meant?" in text
    assert "  → `total` = 3" in text
    assert "2 to choose from" in run("%reflex history")[1]
    assert "it was asked which one is meant" in run(f"%reflex show {asked.id}")[1]


def test_nobody_accepts_a_choice_without_saying_which(shell: Any, asked: Repair) -> None:
    with pytest.raises(BadInput, match="say which fix"):
        shell.reflex_extension.assembly.session.decisions.accept(asked.id)
    assert open_still(shell, asked)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ([], Which()),
        (["2"], Which("", 2)),
        (["99"], Which("", 99)),
        (["100"], Which("100", 0)),
        (["0a"], Which("0a", 0)),
        (["0a1b", "2"], Which("0a1b", 2)),
        (["2", "0a1b"], Which("0a1b", 2)),
        (["2", "3"], None),
        (["0a1b", "0a1c"], None),
        (["second"], None),
        (["-1"], None),
        (["2.0"], None),
    ],
)
def test_a_short_number_is_a_fixs_and_the_rest_is_an_id(words: list[str], meant: Which | None) -> None:
    assert which(words) == meant


def test_where_there_is_nothing_to_choose_the_first_is_meant(run: Any, shell: Any) -> None:
    run("total = 3")
    run("toatl")
    repair = shell.reflex_extension.assembly.session.repairs.latest()
    assert meant_fix(repair, 0, "accept") == meant_fix(repair, 1, "accept") == repair.fixes[0]
    with pytest.raises(BadInput, match="it has only one fix"):
        meant_fix(repair, 2, "accept")
