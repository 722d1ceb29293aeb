"""Rules that are imported once a failure could concern them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from reflex_ipython.propose.rules.provider import RULES, Family
from tests.propose.rules.build import failure

_FAILS = """
import json, sys
from reflex_ipython.propose.rules import RuleProvider
from reflex_ipython.protocols import Request
from tests.propose.rules.build import failure
list(RuleProvider().propose(failure({source!r}, {error!r}), Request()))
print(json.dumps([name for name in {families!r} if "reflex_ipython.propose.rules." + name + ".rules" in sys.modules]))
"""
_OTHERS = ["access", "calling", "values", "science"]
_FAMILIES = ["syntax", *_OTHERS]


@pytest.mark.parametrize(
    ("source", "error", "imported"),
    [
        ("print(toatl)", "NameError: name 'toatl' is not defined", []),
        ("import nunpy", "ModuleNotFoundError: No module named 'nunpy'", _OTHERS),
        (
            "'1' + 1",
            'TypeError: can only concatenate str (not "int") to str',
            _OTHERS,
        ),
        ("x = (1", "SyntaxError: '(' was never closed", ["syntax", *_OTHERS]),
    ],
)
def test_only_the_families_that_a_failure_concerns_are_imported(source: str, error: str, imported: list[str]) -> None:
    code = _FAILS.format(source=source, error=error, families=_FAMILIES)
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert json.loads(output) == imported


def test_every_family_has_rules_and_a_failure_that_concerns_it() -> None:
    families = [rule for rule in RULES if isinstance(rule, Family)]
    several = [failure("x", error) for error in ("NameError: x", "TypeError: x", "SyntaxError: x")]
    assert families
    for family in families:
        assert family.members()
        assert [family.concerned(one) for one in several].count(True) in (1, 2)
