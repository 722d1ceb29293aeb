"""A copy is no child of the kernel: whoever waits for his children, or is told of their ends, never meets it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reflex_ipython.check.trial import apart
from reflex_ipython.check.trial.process import children
from tests.check.build import edits
from tests.check.conftest import Start
from tests.check.test_zygote import ROOT, gone


@pytest.fixture
def heard() -> Iterator[list[int]]:
    """What a handler of the user's is told of ends of children."""
    told: list[int] = []
    before = signal.signal(signal.SIGCHLD, lambda number, frame: told.append(number))
    yield told
    signal.signal(signal.SIGCHLD, before)


def test_who_waits_for_all_his_children_does_not_wait_for_it(start: Start) -> None:
    before = set(children())
    zygote = start()
    assert set(children()) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(zygote.pid, os.WNOHANG)
    assert zygote.trial(edits("1")).outcome == "passed"


def test_no_handler_hears_of_it(start: Start, heard: list[int]) -> None:
    zygote = start()
    zygote.trial(edits("1"))
    zygote.close()
    assert heard == []


def test_of_a_child_of_the_users_that_ends_meanwhile_it_does(start: Start, heard: list[int]) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        heard.clear()
        start()
    assert heard == [signal.SIGCHLD]


def test_hooks_of_the_users_are_run_as_often_as_for_any_copy(tmp_path: Path) -> None:
    script = (
        "import os\n"
        "from reflex_ipython.execution.plain_runner import PlainRunner\n"
        "from reflex_ipython.check.trial.zygote import Zygote\n"
        "def note(name): os.write(1, (name + ' ').encode())\n"
        "os.register_at_fork(before=lambda: note('before'), after_in_parent=lambda: note('parent'), "
        "after_in_child=lambda: note('child'))\n"
        "Zygote.start(PlainRunner({})).close()\n"
    )
    environment = {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    noted = subprocess.run([sys.executable, "-c", script], env=environment, stdout=-1, text=True, timeout=60).stdout
    assert sorted(noted.split()) == ["before", "child", "parent"]


@pytest.mark.parametrize("descriptors", ["none", "refused"])
def test_where_no_process_has_a_descriptor_it_is_a_child(
    start: Start, monkeypatch: pytest.MonkeyPatch, descriptors: str
) -> None:
    def refused(pid: int) -> int:
        raise PermissionError

    if descriptors == "none":
        monkeypatch.delattr(os, "pidfd_open")
    else:
        monkeypatch.setattr(os, "pidfd_open", refused)
    zygote = start()
    assert zygote.pid in children()
    assert zygote.trial(edits("1")).outcome == "passed"


def test_where_nobody_buries_orphans_one_is_left_lying_and_no_more(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "_PATIENCE", 0.0)
    with subprocess.Popen([sys.executable, "-c", ""]) as lying:
        os.waitid(os.P_PID, lying.pid, os.WEXITED | os.WNOWAIT)
        monkeypatch.setattr(apart, "_left_lying", {lying.pid: 0.0})
        assert start().pid in children()
    assert start().pid not in children()


def test_where_no_second_copy_can_be_made_it_is_said() -> None:
    script = (
        "import os, ctypes\n"
        "from reflex_ipython.check.trial import apart\n"
        "class Full:\n"
        "    def prctl(self, *given): return -1\n"
        "    def _Fork(self):\n"
        "        ctypes.set_errno(11)\n"
        "        return -1\n"
        "apart.ctypes.PyDLL = lambda *_, **__: Full()\n"
        "try: apart.fork()\n"
        "except BlockingIOError as error: print(error.errno)\n"
        "try: os.wait()\n"
        "except ChildProcessError: print('no child')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(ROOT)}, stdout=-1, text=True, timeout=60
    )
    assert done.stdout.split("\n")[:2] == ["11", "no child"]


def test_a_copy_that_hangs_in_a_hook_of_the_users_is_given_up() -> None:
    script = (
        "import os, time\n"
        "from reflex_ipython.check.trial import apart\n"
        "apart._LONGEST = 0.1\n"
        "os.register_at_fork(after_in_child=lambda: time.sleep(600))\n"
        "try: apart.fork()\n"
        "except OSError as error: print(error.strerror)\n"
        "try: os.wait()\n"
        "except ChildProcessError: print('no child')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(ROOT)}, stdout=-1, text=True, timeout=60
    )
    assert done.stdout.split("\n")[:2] == ["Connection timed out", "no child"]


LATE = (
    "become, kernel = zygotes.become_zygote, os.getpid()\n"
    "def late(*given):\n"
    "    while os.path.exists(f'/proc/{kernel}'): time.sleep(0.01)\n"
    "    become(*given)\n"
    "zygotes.become_zygote = late\n"
)
"""What has a copy begin only when the kernel has ended."""


@pytest.mark.parametrize("before", ["", LATE], ids=["later", "before it has begun"])
def test_it_ends_with_the_kernel_though_a_child_of_the_users_holds_the_line(tmp_path: Path, before: str) -> None:
    script = (
        "import os, signal, time\n"
        "from reflex_ipython.execution.plain_runner import PlainRunner\n"
        "from reflex_ipython.check.trial import zygote as zygotes\n"
        f"{before}"
        "zygote = zygotes.Zygote.start(PlainRunner({}))\n"
        "child = os.fork()\n"
        "if not child: time.sleep(600)\n"
        "print(zygote.pid, child, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", script], stdout=-1, text=True, env=environment) as kernel:
        assert kernel.stdout is not None
        zygote, child = map(int, kernel.stdout.readline().split())
        kernel.wait()
        try:
            assert gone(zygote)
        finally:
            os.kill(child, signal.SIGKILL)
