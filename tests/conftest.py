"""What every test shares: a data folder of its own, no key in the environment, and nothing left behind."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pytest.register_assert_rewrite("reflex_ipython.testing")

with suppress(ModuleNotFoundError):  # the kernel tests need none
    from hypothesis import HealthCheck, settings

    settings.register_profile("a busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("a busy machine")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # so a shell starts what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what tests start inherits it, and is to be interrupted


@pytest.fixture(autouse=True, scope="module")
def what_is_there_stays() -> None:
    """Whoever collects or looks for referrers in a test need not go through what is there when its file begins.

    That is thousands of tests, and the libraries that those of other files have imported.
    """
    gc.collect()
    gc.freeze()


def own_folders(folder: Path) -> dict[str, str]:
    """The environment variables with which a process reads and writes in `folder`."""
    names = {"HOME": "home", "XDG_DATA_HOME": "data", "IPYTHONDIR": "ipython", "JUPYTER_CONFIG_DIR": "jupyter-config"}
    return {variable: str(folder / name) for variable, name in names.items()}


def isolate(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Whatever is started from here reads and writes in `folder`, and finds no key."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "REFLEX_")) and name != "REFLEX_MODEL_CACHE":
            patch.delenv(name)
    for name, value in own_folders(folder).items():
        patch.setenv(name, value)


@pytest.fixture(autouse=True, scope="session")
def common_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """For what is shared by several tests."""
    with pytest.MonkeyPatch.context() as patch:
        isolate(tmp_path_factory.mktemp("common"), patch)
        yield


@pytest.fixture(autouse=True)
def own_environment(common_environment: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For what one test starts."""
    isolate(tmp_path, monkeypatch)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """A test that leaves a thread of ours behind fails."""
    before = set(threading.enumerate())
    yield
    end = time.monotonic() + 30
    while left := [thread for thread in threading.enumerate() if thread not in before and _ours(thread)]:
        if time.monotonic() > end:
            pytest.fail(f"threads left behind: {left}")
        time.sleep(0.01)


def _ours(thread: threading.Thread) -> bool:
    return thread.is_alive() and thread.name.startswith("reflex")
