"""The provider as the pipeline sees it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from reflex_ipython.models import Edit, Failure, Fix, Verdict
from reflex_ipython.propose.rules import RULES, Proposal, RuleProvider
from reflex_ipython.propose.rules.proposal import Rule
from reflex_ipython.protocols import Attempt, FixProvider, Request
from tests.propose.rules.build import CELL, broken, failure, fixed, fixes, no_column, undefined


def test_it_is_an_instant_provider() -> None:
    provider: FixProvider = RuleProvider()
    assert (provider.where, provider.cost) == ("instant", "")
    assert provider.name == "rule"


def test_a_fix_replaces_the_whole_source_of_the_failing_cell() -> None:
    [fix] = fixes(no_column("df['regoin']", "regoin", "region"))
    assert fix.edits == (Edit(CELL, "df['regoin']", "df['region']"),)


def test_what_was_tried_before_is_not_proposed_again() -> None:
    failed = undefined("toatl", "toatl", "total")
    [fix] = fixes(failed)
    request = Request(attempts=[Attempt(fix, Verdict("other_error"))])
    assert list(RuleProvider().propose(failed, request)) == []


def test_it_stops_when_nobody_waits_any_more() -> None:
    cancelled = threading.Event()
    cancelled.set()
    assert list(RuleProvider().propose(broken("print 'a'"), Request(cancelled=cancelled))) == []


def test_the_same_source_is_proposed_once_and_the_failing_one_never() -> None:
    def rule(failure: Failure) -> Iterator[Proposal]:
        yield Proposal(failure.situation.source, "nothing", "nothing")
        yield Proposal("y", "first", "one")
        yield Proposal("y", "second", "two")

    found = list(RuleProvider(rules=[rule, rule]).propose(failure("x"), Request()))
    assert [(fix.edits[-1].source, fix.origin) for fix in found] == [("y", "rule: one")]


def test_the_list_of_rules_is_the_users_to_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    provider = RuleProvider()
    kept = list(RULES)
    try:
        RULES.clear()
        assert list(provider.propose(broken("print 'a'"), Request())) == []
    finally:
        RULES[:] = kept
    assert list(provider.propose(broken("print 'a'"), Request()))


@pytest.mark.parametrize("comment", ["error", "a bad crash: invalid", "raises a KeyError"])
def test_no_comment_switches_the_rules_off(comment: str) -> None:
    source = f"# {comment}\ndf['regoin']  # {comment}"
    assert fixed(no_column(source, "regoin", "region", line=2)) == source.replace("regoin", "region")


@pytest.mark.parametrize("source", ["", "\x00", "(" * 500, "x = " + "-" * 3_000 + "1", "é\udcff"])
def test_a_strange_cell_raises_nothing(source: str) -> None:
    assert fixes(broken(source)) == []
    assert fixes(undefined(source, "x", "y", "z")) == []


def test_nothing_heavy_is_imported_before_a_rule_needs_it() -> None:
    heavy = ("rapidfuzz", "pandas", "numpy", "IPython")
    code = f"import reflex_ipython.propose.rules, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_fix_knows_its_origin() -> None:
    [fix] = fixes(broken("print 'a'"))
    assert isinstance(fix, Fix)
    assert fix.origin == "rule: statement of Python 2"


def test_of_a_text_that_several_rules_think_of_the_likeliest_is_kept() -> None:
    def rule(*priors: float) -> Rule:
        return lambda _: [Proposal("y", f"{prior}", "test", prior) for prior in priors]

    def priors(*rules: Rule) -> list[float]:
        return [fix.prior for fix in RuleProvider(rules=rules).propose(failure("x"), Request())]

    assert priors(rule(0.3), rule(0.6), rule(0.4)) == [0.6]
    assert priors(rule(0.3), rule(1.0)) == [1.0]
    assert priors(rule(1.0), rule(0.3)) == [1.0]


def test_a_rule_that_raises_costs_only_its_own_fixes() -> None:
    def broken(failure: Failure) -> list[Proposal]:
        raise RuntimeError("no")

    fine = RuleProvider(rules=[broken, lambda _: [Proposal("y", "", "test")]])
    assert [fix.edits[0].source for fix in fine.propose(failure("x"), Request())] == ["y"]
    with pytest.raises(RuntimeError):
        list(RuleProvider(rules=[broken]).propose(failure("x"), Request()))
