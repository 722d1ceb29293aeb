"""`%reflex model local:PATH` with a real model, in a real kernel."""

from __future__ import annotations

import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.kernel.driver import Kernel


@pytest.fixture
def kernel() -> Iterator[Kernel]:
    started = Kernel()
    try:
        started.run("%load_ext reflex_ipython", "")
        yield started
    finally:
        started.close()


FILES = "next(p.files for p in get_ipython().reflex_extension.assembly.session.plugins.providers if p.name == 'model')"
SOON = 30.0
"""Seconds."""


def gone(pid: int) -> bool:
    end = time.monotonic() + SOON
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def load(kernel: Kernel, weights: Path) -> tuple[int, str, str]:
    """The process, its address and its key."""
    ran = kernel.run(f"%reflex model local:{weights}", "")
    assert ran.status == "ok", ran.reply
    assert f"Loading {weights.name} " in ran.text
    assert f"In this kernel, the model in {weights} is asked when no rule fits, on this machine." in ran.text
    return kernel.value(f"(lambda p: (p.pid, p.base_url, p.key))({FILES}._process)")


def test_a_file_is_loaded_asked_and_let_go_of(kernel: Kernel, weights: Path) -> None:
    pid, base_url, key = load(kernel, weights)
    assert base_url.startswith("http://127.0.0.1:")
    assert key not in " ".join(psutil.Process(pid).cmdline()), "other users could read it there"
    request = urllib.request.Request(f"{base_url}/chat/completions", b"{}", {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError, match="401") as caught:
        urllib.request.urlopen(request, timeout=SOON)
    caught.value.close()
    assert f"{weights.stem} at {base_url} answered in" in kernel.run("%reflex model --test", "").text
    kernel.run("%config Reflex.attempts = 1\n%config Reflex.max_tokens = 40", "")
    kernel.hello()
    panel = kernel.settled(kernel.run("nothing_like_it()", "a"))
    assert panel["model"] == weights.stem
    assert panel["consent"] == ""
    assert "In this session: 1 question, " in kernel.run("%reflex", "").text
    assert kernel.run("%unload_ext reflex_ipython", "").status == "ok"
    assert gone(pid)


def test_it_ends_with_a_kernel_that_is_killed(kernel: Kernel, weights: Path) -> None:
    pid, _, _ = load(kernel, weights)
    kernel.run("nothing_like_it()", "a")  # a copy of the kernel has its pipes
    os.kill(kernel.value("__import__('os').getpid()"), signal.SIGKILL)
    assert gone(pid)


def test_a_file_that_the_settings_name_is_loaded_for_the_first_question(kernel: Kernel, weights: Path) -> None:
    kernel.run(
        f"%config Reflex.model = '{weights}'\n%config Reflex.provider = 'local'\n%config Reflex.attempts = 1", ""
    )
    kernel.run("%config Reflex.max_tokens = 40", "")
    kernel.hello()
    kernel.send("nothing_like_it()", "a")
    words = f"asking {weights.stem} (loading {weights.name}, "
    told = kernel.until_told("state", lambda data: data["state"]["working"].startswith(words))["state"]
    kernel.until_panel(told, lambda state: not state["working"])
    assert "In this session: 1 question, " in kernel.run("%reflex", "").text


def test_a_file_that_is_no_model_changes_nothing(kernel: Kernel, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    ran = kernel.run(f"%reflex model local:{tmp_path / 'notes.txt'}", "")
    assert "notes.txt is no GGUF file" in str(ran.reply)
    assert kernel.value("get_ipython().reflex_extension.config.model") is None
