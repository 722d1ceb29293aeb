"""Whether the code that runs a trial is still what it was."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
import types

import pytest

from reflex_ipython.check.trial import audit, integrity, testimony
from tests.check.conftest import Try

RUNNERS = (
    "reflex_ipython.check.trial.zygote",
    "reflex_ipython.check.trial.candidate",
    "reflex_ipython.execution.plain_runner",
    "reflex_ipython.ipython.trial_runner",
    "reflex_ipython.ipython.living_code",
    "reflex_ipython.ipython.resumption",
    "reflex_ipython.traces.replaying",
)
"""All that a copy runs: what tries a fix there, and what puts it into effect."""


@pytest.mark.parametrize("module", RUNNERS)
def test_what_runs_in_a_copy_needs_none_of_the_rooms_that_are_not_watched(module: str) -> None:
    watched = f"not f'{{name}}.'.startswith({integrity.ELSEWHERE})"
    source = f"import sys, {module}\nprint([name for name in sys.modules if not ({watched})])"
    loaded = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_every_name_of_code_is_watched_and_nothing_else() -> None:
    found = _places()
    ours, candidate = found[integrity.__name__], found["reflex_ipython.check.trial.candidate"]
    assert ours.meant["seal"] is integrity.seal
    assert ours.meant["Place"] is integrity.Place
    assert "PACKAGE" not in ours.meant
    assert candidate.meant["integrity"] is integrity, "a module's name leads to code as well"
    assert "prepare" in found["reflex_ipython.check.trial.candidate._Candidate"].meant
    assert not [told for told in found if f"{told}.".startswith(integrity.ELSEWHERE)]


@pytest.mark.parametrize("name", ["inherited", "another"])
def test_what_a_module_has_since_the_last_copy_is_known(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = f"{integrity.TRIAL}.inheritance"
    before = _places()
    monkeypatch.setattr(f"{module}.{name}", new := lambda: None, raising=False)
    now = _places()
    assert now[module].meant.get(name) is (new if name == "another" else before[module].meant[name])
    assert now[f"{integrity.TRIAL}.lines"] is before[f"{integrity.TRIAL}.lines"]


def _places() -> dict[str, integrity.Place]:
    integrity.look()
    return {place.told: place for looked in integrity._looked.values() for place in looked.places}


PLACES = "import builtins\nours = builtins.input.__globals__\n"
LOOK = "ours['_Candidate'].look = ours['_Candidate'].run"
REPLACED_LOOK = "it replaced reflex_ipython.check.trial.candidate._Candidate.look"


@pytest.mark.parametrize("replaced", ["inheritance.inherited", "candidate._Candidate.look", "candidate.line_of"])
def test_what_was_replaced_before_the_copy_was_made_is_not_held_against_a_cell(
    replaced: str, attempt: Try, monkeypatch: pytest.MonkeyPatch
) -> None:
    integrity.look()
    original = pkgutil.resolve_name(f"{integrity.TRIAL}.{replaced}")
    monkeypatch.setattr(f"{integrity.TRIAL}.{replaced}", lambda *given: original(*given))
    assert attempt("1").outcome == "passed"
    assert attempt(PLACES + LOOK).reason.endswith(REPLACED_LOOK)
    anew = "del ours['line_of']\nours['line_of'] = lambda error: 7"  # where the one before it was in memory
    assert attempt(PLACES + anew).reason.endswith("it replaced reflex_ipython.check.trial.candidate.line_of")


def test_however_much_was_replaced_before(attempt: Try, monkeypatch: pytest.MonkeyPatch) -> None:
    integrity.look()
    for name, value in list(vars(audit).items()):
        if type(value) is types.FunctionType:
            another = types.FunctionType(value.__code__, value.__globals__, name, value.__defaults__)
            monkeypatch.setattr(audit, name, another)
    assert attempt("1").outcome == "passed"
    assert attempt(PLACES + LOOK).reason.endswith(REPLACED_LOOK)


def test_so_is_what_was_imported_anew(attempt: Try) -> None:
    integrity.look()
    before = dict(vars(testimony))
    try:
        importlib.reload(testimony)
        assert attempt("1").outcome == "passed"
        source = PLACES + "ours['testimony'].Testimony.__init__ = None"
        assert attempt(source).reason.endswith("it replaced reflex_ipython.check.trial.testimony.Testimony.__init__")
    finally:
        vars(testimony).update(before)


def test_nobody_gets_at_what_it_is_compared_with(attempt: Try) -> None:
    silent = "ours['testimony'].replaced = ours['testimony'].over = lambda *given: b'x'\n"
    nothing = "for looked in ours['integrity']._looked.values():\n    for place in looked.places: place.meant.clear()\n"
    assert attempt(PLACES + silent + LOOK).outcome == "inconclusive"
    assert attempt(PLACES + nothing + LOOK).reason.endswith(REPLACED_LOOK)


def test_a_method_that_a_cell_replaces_is_seen(attempt: Try) -> None:
    source = "import builtins\nbuiltins.input.__globals__['_Candidate'].look = None"
    assert attempt(source).reason.endswith("it replaced reflex_ipython.check.trial.candidate._Candidate.look")
