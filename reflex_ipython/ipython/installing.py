"""Installing what an accepted fix needs, inside the run of its cell, as `%pip` does it."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from reflex_ipython.ipython.hooks import InstallFailed
from reflex_ipython.models.requirement import is_plain

_EXIT_CODE = "_exit_code"


def install(shell: Any, requirements: Iterable[str]) -> None:
    """Install each by `%pip`, which shows what pip says.

    Parameters
    ----------
    shell : InteractiveShell
    requirements : iterable of str

    Raises
    ------
    InstallFailed
        If pip ends with an error, or something is no plain requirement.
    """
    for requirement in requirements:
        if not is_plain(requirement):  # it was looked at before; this is the last door
            raise InstallFailed(f"{requirement!r} is no plain requirement, so it was not installed.")
        if _pip(shell, requirement):
            raise InstallFailed(
                f"{requirement} could not be installed: what pip said is above. The cell did not run on."
            )
    importlib.invalidate_caches()


def _pip(shell: Any, requirement: str) -> int:
    """What pip ended with; where IPython leaves that in the user's names, they are as they were."""
    names = shell.user_ns
    before = {_EXIT_CODE: names.pop(_EXIT_CODE)} if _EXIT_CODE in names else {}
    try:
        shell.run_line_magic("pip", f'install "{requirement}"')
        return int(names.get(_EXIT_CODE) or 0)
    finally:
        names.pop(_EXIT_CODE, None)
        names.update(before)
