"""What `make bench-model` measures: each stage takes away what it says, and the cases are there."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from reflex_ipython.headless.bench.cases import Case
from reflex_ipython.headless.bench.one import run_case
from reflex_ipython.headless.bench.outcome import FixOutcome, Outcome
from reflex_ipython.testing import Say, ScriptedServer
from tests.bench.model import (
    ALL_STAGES,
    BARE,
    CASES,
    WITHOUT_SIMILAR,
    below_bare,
    chosen_cases,
    conditions,
    importable_here,
    table,
)

CASE = Case("a", "count = len(toatl)", "NameError", ("total = [1, 2]",), "count == 2", family="names")
BY_ITS_NAME = "own_project"
"""The family that is asked for by its name: of what a project's own code shows."""
DATA_SCIENCE = re.compile(r"^(import|from) (pandas|numpy|matplotlib|sklearn)\b", re.MULTILINE)
FIX = FixOutcome("rule: one", "why", "x", "ran", True, runs=True, right=True)


def test_the_cases_are_there_and_of_every_family_and_each_has_a_check() -> None:
    cases = chosen_cases()
    assert len({case.id for case in cases}) == len(cases) >= 60
    assert {case.family for case in cases} | {BY_ITS_NAME} == {file.stem for file in CASES.glob("*.jsonl")}
    assert [case.id for case in cases if not case.check] == []


def test_a_third_of_the_cases_has_its_cause_elsewhere_and_a_third_is_data_science() -> None:
    cases = chosen_cases()
    assert 3 * sum(case.family == "elsewhere" for case in cases) >= len(cases)
    assert 3 * sum(map(is_data_science, cases)) >= len(cases)


def is_data_science(case: Case) -> bool:
    return bool(DATA_SCIENCE.search("\n".join((*case.setup, case.cell))))


@pytest.mark.parametrize("stage", ALL_STAGES)
def test_each_stage_takes_away_what_it_says(stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", importable_here())
    with ScriptedServer(*[Say(["I don't know."])] * 9) as server:
        how = dataclasses.replace(conditions(ALL_STAGES[stage], "tiny", server.base_url), caches=tmp_path)
        outcome = run_case(CASE, how)
    asked = [len(chat.json["messages"]) for chat in server.chats]
    assert (outcome.right_first, asked) == {
        "bare prompt": (False, [1]),
        "+ context": (False, [2]),
        "+ loop": (False, [2, 4, 6, 8, 10]),
        "+ rules and search": (True, []),
        WITHOUT_SIMILAR: (False, [2]),
    }[stage], outcome
    assert ("total" in str([chat.json for chat in server.chats])) == (stage in ("+ context", "+ loop", WITHOUT_SIMILAR))
    assert dict(how.config)["similar_code"] == (stage != WITHOUT_SIMILAR)


def test_the_table_counts_what_is_right_by_family() -> None:
    right = Outcome("a", "names", "KeyError", raised="KeyError", fixes=(FIX,))
    wrong = dataclasses.replace(right, id="b", fixes=())
    assert table({"one": [wrong, right], "two": [right, dataclasses.replace(right, family="plots")]}).splitlines() == [
        "| | cases | one | two |",
        "| --- | ---: | ---: | ---: |",
        "| **all** | 2 | 1 | 2 |",
        "| names | 2 | 1 | 1 |",
        "| plots | 1 | 0 | 1 |",
    ]


def test_it_is_said_in_which_family_a_stage_is_below_the_bare_prompt() -> None:
    right = Outcome("a", "names", "KeyError", raised="KeyError", fixes=(FIX,))
    wrong = dataclasses.replace(right, fixes=())
    other = dataclasses.replace(right, id="b", family="plots")
    assert below_bare({BARE: [right, other], "+ loop": [right, other]}) == "In no family below the bare prompt."
    assert (
        below_bare({BARE: [right, other], "+ loop": [wrong, other]})
        == "Below the bare prompt: + loop: names 0 of 1, 1 with the bare prompt."
    )
    assert below_bare({BARE: [other], "+ loop": [wrong]}) == "In no family below the bare prompt.", "none that both ran"
    assert "needs that stage" in below_bare({"+ loop": [right]})
