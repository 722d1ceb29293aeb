"""A zygote of this process that is gone when the test is, and proof that nothing of it is left."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.models import Trial
from tests.check.build import edits

if not sys.platform.startswith("linux"):
    collect_ignore_glob = [
        "test_at_once*",
        "test_fork_signals*",
        "test_isolation*",
        "test_hangs*",
        "test_zygote*",
        "test_trial_*",
        "test_kernel_*",
    ]
else:
    from reflex_ipython.check.trial.limits import Limits
    from reflex_ipython.check.trial.process import children, is_running
    from reflex_ipython.check.trial.sandbox import Sandbox
    from reflex_ipython.check.trial.zygote import Zygote
    from reflex_ipython.execution.plain_runner import PlainRunner
    from tests.check.patience import PATIENT

Start = Callable[..., "Zygote"]
Try = Callable[..., Trial]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts a zygote of a namespace; ends them all, and looks for what they left."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    before = set(children()), set(os.listdir("/proc/self/fd"))
    started: list[Zygote] = []

    def begin(namespace: dict[str, Any] | None = None, *, runner: Any = None, **options: Any) -> Zygote:
        runner = runner or PlainRunner(namespace if namespace is not None else {})
        zygote = Zygote.start(runner, **{**options, "limits": options.get("limits") or PATIENT})
        started.append(zygote)
        return zygote

    yield begin
    for zygote in started:
        zygote.close()
    assert set(children()) - before[0] == set(), "a process is left"
    assert not any(is_running(zygote.pid) for zygote in started), "a copy is left"
    assert list(scratch.iterdir()) == [], "a file is left"
    if started:
        assert len(set(os.listdir("/proc/self/fd")) - before[1]) == 0, "a descriptor is left"


@pytest.fixture
def attempt(start: Start) -> Try:
    """Runs a source in a copy of this process: `attempt(source, namespace, seconds=…, limits=…, sandbox=…)`."""

    def run(
        source: str,
        namespace: dict[str, Any] | None = None,
        *,
        seconds: float = 10.0,
        limits: Limits | None = None,
        sandbox: Sandbox | None = None,
    ) -> Trial:
        return start(namespace, limits=limits, sandbox=sandbox).trial(edits(source), seconds)

    return run
