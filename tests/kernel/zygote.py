"""Kernels that are copies of a process which has imported all that they need: a third of what a new one costs."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import traitlets
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

MAIN = Path(__file__).with_name("zygote_main.py")
NAME = "tests-of-reflex"


class Copy:
    """A copy's process, as far as a provisioner asks: of its end, not how it ended."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._watch: int | None = None
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            self._watch = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """None while it runs."""
        if self._watch is not None and not select.select([self._watch], [], [], 0)[0]:
            return None
        return self.wait()

    def wait(self) -> int:
        """Wait for its end."""
        if self._watch is not None:
            select.select([self._watch], [], [])
            os.close(self._watch)
            self._watch = None
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Have it end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Zygote:
    """The process that is copied."""

    def __init__(self) -> None:
        command = [sys.executable, str(MAIN)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lock = threading.Lock()  # several threads may start kernels

    def copy(self, arguments: list[str], environment: dict[str, str], folder: str) -> Copy:
        """A new kernel, with the arguments of its command line."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"arguments": arguments, "environment": environment, "folder": folder}
        with self._lock:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            return Copy(int(self._process.stdout.readline()))

    def manager(self, **options: Any) -> KernelManager:
        """A manager whose kernel is such a copy."""
        manager = KernelManager(kernel_name="python3", **options)
        assert manager.kernel_spec is not None
        manager.kernel_spec.metadata["kernel_provisioner"] = {"provisioner_name": NAME, "config": {"zygote": self}}
        return manager

    def close(self) -> None:
        """End it. Kernels that run on notice, and end as well."""
        self._process.communicate()


class CopyProvisioner(LocalProvisioner):
    """Where `jupyter_client` would start a process, this has one copied."""

    zygote = traitlets.Instance(Zygote)

    @traitlets.default("zygote")
    def _common(self) -> Zygote:
        return common()

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Have the kernel made."""
        arguments, folder = cmd[cmd.index("ipykernel_launcher") + 1 :], kwargs.get("cwd") or os.getcwd()
        self.process = self.zygote.copy(arguments, kwargs["env"], folder)
        self.pid = self.pgid = self.process.pid
        return self.connection_info

    async def send_signal(self, signum: int) -> None:
        """Only to a process that is there: the number of one that has ended may be another's."""
        if self.process is not None and self.process.poll() is None:
            await super().send_signal(signum)

    async def kill(self, restart: bool = False) -> None:
        """End it, and wait for that: a few milliseconds, where whoever looks now and then takes a tenth of a second."""
        await super().kill(restart)
        if self.process is not None:
            self.process.wait()


@functools.lru_cache(maxsize=None)
def common() -> Zygote:
    """The one of all kernels for which none is named; it ends with this process."""
    return Zygote()


def copy_all() -> None:
    """From now on every kernel that this process starts is a copy: for a Jupyter server's configuration."""
    KernelProvisionerFactory.instance().default_provisioner_name = NAME


@contextlib.contextmanager
def all_copied() -> Iterator[None]:
    """Until the end of the block, every kernel that this process starts is a copy, where there can be any."""
    if not hasattr(os, "pidfd_open"):
        yield
        return
    factory = KernelProvisionerFactory.instance()
    before = factory.default_provisioner_name
    zygote = common()  # now: two threads that ask at the same time would each make one
    copy_all()
    try:
        yield
    finally:
        factory.default_provisioner_name = before
        common.cache_clear()
        zygote.close()


KernelProvisionerFactory.instance().provisioners[NAME] = EntryPoint(
    NAME, f"{__name__}:{CopyProvisioner.__name__}", KernelProvisionerFactory.GROUP_NAME
)
