"""A fresh shell in this process, with the extension loaded; no kernel."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import reflex_ipython


@pytest.fixture
def plain_shell() -> Iterator[Any]:
    """A shell without the extension."""
    vars(sys).pop("last_value", None)
    config = Config()
    config.HistoryManager.enabled = False  # a thread and a file of IPython's
    config.Reflex.search_time = 60.0  # a search ends when all is tried, however long that takes on a busy machine
    shell = InteractiveShell.instance(config=config, colors="nocolor" if _lower_case() else "NoColor")
    yield shell
    InteractiveShell.clear_instance()
    atexit.unregister(shell.atexit_operations)  # else each lives to the end, and collects the garbage once more there


def _lower_case() -> bool:
    import IPython

    return IPython.version_info[0] >= 9


@pytest.fixture
def shell(plain_shell: Any) -> Iterator[Any]:
    """A shell with it."""
    reflex_ipython.load_ipython_extension(plain_shell)
    yield plain_shell
    reflex_ipython.unload_ipython_extension(plain_shell)


@pytest.fixture
def run(shell: Any, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a cell and gives its result and what it printed."""

    def run_cell(source: str) -> tuple[Any, str]:
        capsys.readouterr()
        result = shell.run_cell(source, store_history=True)
        assembly = shell.reflex_extension.assembled
        latest = assembly.session.repairs.latest() if assembly is not None else None
        if latest is not None:  # on a busy machine a trial may outlast the prompt's patience
            assembly.session.repairs.open(latest.id).wait(timeout=30)
        streams = capsys.readouterr()
        return result, streams.out + streams.err

    return run_cell
