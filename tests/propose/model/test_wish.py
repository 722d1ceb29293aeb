"""Code that is asked for though nothing failed, and for what is no cell: the same way from provider to verdict."""

from __future__ import annotations

import dataclasses
from importlib.metadata import entry_points
from typing import Any

import pytest

from reflex_ipython.capture.redactor import SecretRedactor
from reflex_ipython.check.verdict import verdict
from reflex_ipython.models import (
    LONGEST_WISH,
    Cause,
    CellRef,
    CellSource,
    DefinitionRef,
    Edit,
    FileRef,
    Fix,
    Repair,
    Situation,
    Target,
    Trial,
    ValueSummary,
    Verdict,
    Wish,
)
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.prompt import BUDGET, SMALL_BUDGET, build_messages
from reflex_ipython.propose.review import review_messages
from reflex_ipython.propose.rules.provider import RuleProvider
from reflex_ipython.protocols import Attempt, Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.repairs.pipeline import grow
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer

KEY = "sk-very-secret-0123456789"
OLD = "def mean(values):\n    return sum(values) / 2"
NEW = "def mean(values):\n    return sum(values) / len(values)"
PLACES = {"a cell": CellRef("c", 3), "a file": FileRef("/home/ann/stats.py"), "memory": DefinitionRef("stats", "mean")}


def wish(place: Target, source: str = OLD, words: str = "divide by how many there are") -> Wish:
    values = (ValueSummary("values", "list", "[1, 2, 3]", "sequence"),)
    earlier = (CellSource(CellRef("c0", 1), f"values = [1, 2, 3]  # {KEY}"),)
    return Wish(
        "w1", "2026-11-23T10:00:00.000+00:00", Situation(place, source, ("values",), {}, values, earlier), words
    )


def all_checkers() -> list[Any]:
    return [entry.load()(None) for entry in entry_points(group="reflex_ipython.checkers")]


def judged(cause: Cause, fix: Fix, trial: Trial | None) -> Verdict:
    return verdict(cause, [found for one in all_checkers() for found in one.check(cause, fix, trial)], trial)


def asked(cause: Wish, answer: str) -> tuple[Repair, ScriptedServer]:
    with ScriptedServer(Say([f"Reason: so it is the mean.\n```python\n{answer}\n```"])) as server:
        settings = Settings(model="scripted", base_url=server.base_url, timeout=20.0)
        context = Context(lambda: settings, MemoryStore())
        providers = [RuleProvider(context), ModelProvider(context)]
        [repair] = grow(Repair("r", "s", cause), providers, judged, Request(), lambda: SecretRedactor(home="/home/ann"))
    return repair, server


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_a_wish_becomes_an_edit_of_its_place_with_a_verdict(place: Target) -> None:
    repair, server = asked(wish(place), NEW)
    [fix] = repair.fixes
    assert fix.steps == (Edit(place, OLD, NEW),)
    assert repair.trouble == ""
    assert repair.verdict(fix).findings == ()
    question = server.chats[0].json["messages"]
    sent = "\n".join(message["content"] for message in question)
    assert "## What the user wants\n\ndivide by how many there are\n" in sent
    assert OLD in sent
    assert "values: list = [1, 2, 3]" in sent
    assert "failed" not in sent, "nothing did"
    assert KEY not in sent
    assert "/home/ann" not in sent


def test_where_there_is_no_code_yet_the_answer_is_all_of_it() -> None:
    repair, _ = asked(wish(CellRef("c", 3), source=""), "total = sum(values)\nprint(total)")
    assert repair.fixes[0].steps == (Edit(CellRef("c", 3), "", "total = sum(values)\nprint(total)"),)


def test_what_a_reviewer_would_want_to_know_is_found_in_wanted_code_too() -> None:
    repair, _ = asked(wish(CellRef("c", 3), source=""), "import shutil\nshutil.rmtree('data')\nprint(valeus)")
    verdict = repair.verdict(repair.fixes[0])
    assert verdict.dangerous
    assert any("`valeus`" in finding.text for finding in verdict.findings)


def test_the_rules_know_failures_alone() -> None:
    assert list(RuleProvider().propose(wish(CellRef("c", 3)), Request())) == []


def test_a_secret_in_the_words_stays_here_and_comes_back_in_the_code() -> None:
    words = f"log in with {KEY}"
    repair, server = asked(wish(CellRef("c", 3), source="", words=words), "login('REDACTED_1')")
    assert KEY not in server.chats[0].body.decode()
    assert repair.fixes[0].edits[0].source == f"login('{KEY}')"


def test_what_was_tried_is_told_by_its_place() -> None:
    cause = wish(FileRef("/home/ann/stats.py"))
    attempt = Attempt(
        Fix("f", (Edit(cause.situation.place, OLD, "x = 1"),), "", "m"), Verdict("other_error", "raises X")
    )
    assert build_messages(cause, attempts=[attempt])[2]["content"] == "```python\nx = 1\n```"


def test_the_words_go_whole_however_little_there_is_room_for() -> None:
    words = " ".join(f"step {number}" for number in range(2_000))[:LONGEST_WISH]
    wanted = wish(CellRef("c", 3), words=words)
    assert words in build_messages(wanted, budget=SMALL_BUDGET)[1]["content"]
    fix = Fix("f", (Edit(CellRef("c", 3), OLD, NEW),), "", "m")
    assert words in review_messages(wanted, fix, Trial("passed"))[1]["content"]


@pytest.mark.parametrize("budget", [BUDGET, SMALL_BUDGET])
def test_a_wish_stays_within_the_budget(budget: int) -> None:
    wanted = wish(CellRef("c", 3), words="do it " * 500)
    values = tuple(ValueSummary(f"v{number}", "list", "[1, 2, 3] " * 30, "sequence") for number in range(100))
    wanted = dataclasses.replace(wanted, situation=dataclasses.replace(wanted.situation, values=values))
    messages = build_messages(wanted, budget=budget * 2)
    assert sum(len(message["content"]) for message in messages) <= budget * 2
