"""What every test shares: a data folder of its own, no key in the environment, and nothing left behind."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test starts reads and writes in its own folders, and finds no key."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "REFLEX_")) and name != "REFLEX_MODEL_CACHE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "jupyter-config"))


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """A test that leaves a thread of ours behind fails."""
    before = set(threading.enumerate())
    yield
    end = time.monotonic() + 5
    while left := [thread for thread in threading.enumerate() if thread not in before and _ours(thread)]:
        if time.monotonic() > end:
            pytest.fail(f"threads left behind: {left}")
        time.sleep(0.01)


def _ours(thread: threading.Thread) -> bool:
    return thread.is_alive() and thread.name.startswith("reflex")
