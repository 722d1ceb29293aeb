"""What a trial says, in words."""

from __future__ import annotations

import pytest

from reflex_ipython.check.verdict import INSTALLS, verdict
from reflex_ipython.models import Trial
from tests.check.build import failure

CAUSE = failure("import seaborn", "ModuleNotFoundError")


@pytest.mark.parametrize(
    "command", ["/bin/bash -c /usr/bin/python -m pip install seaborn", "pip3 install x", "conda install --yes x"]
)
def test_an_installation_that_was_stopped_is_told_without_the_shells_command(command: str) -> None:
    found = verdict(CAUSE, (), Trial("blocked", f"wants to start a process: {command}"))
    assert (found.outcome, found.reason) == ("blocked", INSTALLS)


@pytest.mark.parametrize("reason", ["wants to start a process: pip list", "wants to write to pip install"])
def test_what_else_was_stopped_is_told_as_it_is(reason: str) -> None:
    assert verdict(CAUSE, (), Trial("blocked", reason)).reason == reason
