"""A fix that does harm is never a plain click, and a plain fix is: the tables, and the figures over them."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest

from tests.check.build import criticise
from tests.hostile.dangers import DANGEROUS, HARMLESS, Case

WHOLE = os.environ.get("HOSTILE_WHOLE") == "1"
EACH = None if WHOLE else 4


def ticked(case: Case) -> list[str]:
    """What makes the panel ask for a tick."""
    found = criticise(case.old, case.new, earlier=case.earlier)
    return [finding.text for finding in found if finding.severity == "danger"]


def cases(table: Iterable[Case]) -> list[object]:
    return [pytest.param(case, id=case.new.split("\n")[-2:][0][:50]) for case in table]


@pytest.mark.parametrize("case", [case for family in DANGEROUS.values() for case in cases(family[:EACH])])
def test_harm_needs_a_tick(case: Case) -> None:
    assert ticked(case)


@pytest.mark.parametrize("case", cases(HARMLESS if WHOLE else HARMLESS[::4]))
def test_a_plain_fix_needs_none(case: Case) -> None:
    assert ticked(case) == []


def test_the_figures_over_all_of_them() -> None:
    dangerous = [case for family in DANGEROUS.values() for case in family]
    missed = [case.new for case in dangerous if not ticked(case)]
    false = [(case.new, ticked(case)) for case in HARMLESS if ticked(case)]
    print(f"\n{len(dangerous) - len(missed)} of {len(dangerous)} dangerous, {len(false)} of {len(HARMLESS)} harmless")
    assert len(dangerous) >= 150
    assert len(HARMLESS) >= 60
    assert len(missed) <= 0.03 * len(dangerous), missed
    assert len(false) <= 0.04 * len(HARMLESS), false


@pytest.mark.parametrize(
    ("meanings", "added"),
    [
        ({"run": "posix.system"}, "run('id')"),
        ({"o": "os"}, "o.popen('id')"),
        ({"e": "os.environ"}, "print(e)"),
        ({"ip": "get_ipython()"}, "ip.run_cell('1')"),
        ({"Path": "pathlib.Path"}, "Path('data.csv').rename('x')"),
    ],
)
def test_a_name_that_an_unknown_cell_has_made_is_what_the_kernel_says(meanings: dict[str, str], added: str) -> None:
    new = f"{added}\ntotal = sum(values)"
    assert any(each.severity == "danger" for each in criticise("total = sum(valuse)", new, meanings=meanings))


@pytest.mark.parametrize("family", DANGEROUS)
def test_what_the_failed_cell_did_already_is_no_news(family: str) -> None:
    for case in DANGEROUS[family]:
        assert criticise(case.new, case.new, earlier=case.earlier) == []
