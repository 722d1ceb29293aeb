"""Kernels that start ahead: the next one while a test runs with the one before.

To start a kernel and to load the extension takes longer than most tests take with it. Where a process can be copied
(and one be told of the copy's end), the kernels are copies of a process that has imported what a kernel and a failure
import. That loading imports little, and a failure the rest, is seen in kernels that are new processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from tests.kernel.driver import Kernel, KernelEnded
from tests.kernel.zygote import Zygote


class KernelsAhead:
    """Kernels that have run a first cell, each with an environment of its own.

    Parameters
    ----------
    first : str
        The source of the first cell; its id is "load".
    environment : callable
        Gives the variables of the next kernel: it starts during a test whose folders are not its own.
    """

    def __init__(self, first: str, environment: Callable[[], dict[str, str]]) -> None:
        self._first = first
        self._environment = environment
        self._zygote = Zygote() if hasattr(os, "pidfd_open") else None
        self._next: tuple[Kernel, str] | None = None

    def take(self) -> Kernel:
        """The kernel that is next, which is the caller's to close; from now on the one after it starts."""
        kernel, request = self._next or self._start()
        self._next = self._start()
        try:
            _finish(kernel, request)
        except (KernelEnded, TimeoutError):  # one of the oldest set's in some 500 says nothing: it is not known why
            kernel.close()
            kernel.start()
            _finish(kernel, kernel.send(self._first, "load"))
        return kernel

    def bare(self) -> Kernel:
        """One in which nothing has run, with the environment of the test; it is the caller's to close."""
        return Kernel(zygote=self._zygote)

    def close(self) -> None:
        """End the one that nobody has taken."""
        if self._next is not None:
            self._next[0].close()
        if self._zygote is not None:
            self._zygote.close()

    def _start(self) -> tuple[Kernel, str]:
        kernel = Kernel(wait=False, zygote=self._zygote, **self._environment())
        return kernel, kernel.send(self._first, "load")


def _finish(kernel: Kernel, request: str) -> None:
    assert kernel.reply(request, starting=True)["status"] == "ok"
    kernel.until_ready()
