"""The tests of one family of rules ask that and the general ones: what another family thinks of the same is its own."""

from __future__ import annotations

import pytest

from reflex_ipython.capture.bounds import SummaryDeadline
from reflex_ipython.propose.rules import provider
from reflex_ipython.propose.rules.access import rules as access
from reflex_ipython.propose.rules.calling import rules as calling
from reflex_ipython.propose.rules.family import Family
from reflex_ipython.propose.rules.lookups import rules as lookups
from reflex_ipython.propose.rules.proposal import Rule
from reflex_ipython.propose.rules.science import rules as science
from reflex_ipython.propose.rules.values import rules as values

_FAMILIES = {"access": access, "calling": calling, "lookups": lookups, "science": science, "values": values}
_NEEDED = {"moved": "science", "types": "lookups", "repeated": "calling"}
"""The family that a module of general tests needs as well."""


@pytest.fixture(autouse=True)
def no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """What rules know of values is the same on a busy machine, where a capture may have no time left for them."""
    for asked in ("over", "late"):
        monkeypatch.setattr(SummaryDeadline, asked, False)


@pytest.fixture(autouse=True)
def own_family(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the rules of the families out that the test module is not named after."""
    name = request.module.__name__.rpartition(".test_")[2].partition("_")[0]
    if name in ("provider", "live"):  # ask all
        return
    name = _NEEDED.get(name, name)
    own = vars(_FAMILIES[name]) if name in _FAMILIES else {}
    every = {rule for family in _FAMILIES.values() for rule in (*family.RULES, *vars(family).get("FIRST", ()))}
    others = every - {*own.get("RULES", ()), *own.get("FIRST", ())}
    kept = [rule for rule in provider.RULES if not (_members(rule) & others)]
    monkeypatch.setattr(provider, "RULES", kept)


def _members(rule: Rule | Family) -> set[Rule]:
    return set(rule.members()) if isinstance(rule, Family) else {rule}
