"""What loading costs: in front of the first cell only what has to be registered is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOAD = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
before = set(sys.modules)
shell.run_line_magic("load_ext", "reflex_ipython")
print(*sorted(name for name in set(sys.modules) - before if name.startswith("reflex_ipython")))
shell.run_cell("x = 1")
print(*sorted(name for name in sys.modules if name.startswith("reflex_ipython")))
"""


@pytest.fixture(scope="module")
def modules() -> tuple[list[str], list[str]]:
    """Those of ours that are there after loading, and after a first cell that succeeds."""
    loaded, ran = subprocess.check_output([sys.executable, "-c", LOAD], text=True).splitlines()[-2:]
    return loaded.split(), ran.split()


def test_loading_imports_only_what_has_to_be_registered(modules: tuple[list[str], list[str]]) -> None:
    loaded, ran = modules
    state = [name for name in loaded if name.startswith("reflex_ipython.state.")]
    assert sorted(state) == ["reflex_ipython.state.audit", "reflex_ipython.state.effect"]
    assert "reflex_ipython.state.journal" in ran
    rooms = {name.split(".")[1] for name in loaded if "." in name}
    assert rooms <= {"ipython", "state", "errors", "settings", "version"}


@pytest.mark.parametrize(
    "needed_by_failures",
    ["hotswap", "stale", "plan", "capture", "propose", "present", "remember", "repairs", "check.critic", "models"],
)
def test_a_cell_that_succeeds_imports_nothing_that_only_failures_need(
    modules: tuple[list[str], list[str]], needed_by_failures: str
) -> None:
    _, ran = modules
    assert not [name for name in ran if f".{needed_by_failures}" in name.removeprefix("reflex_ipython")]
