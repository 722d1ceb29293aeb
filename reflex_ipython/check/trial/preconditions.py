"""Whether this process can be copied now, and why not, in words for the user."""

from __future__ import annotations

import sys
import threading
import time

from reflex_ipython.base.importing import importing

_GPUS = ("/dev/nvidia", "/dev/kfd", "/dev/dri/")
_PATIENCE = 0.25  # seconds to wait for an import on another thread


def why_not_fork(*, on_any_thread: bool = False) -> str:
    """Why no trial is possible now: the end of a sentence "not tried: …". Empty where nothing is against it.

    Parameters
    ----------
    on_any_thread : bool
        Whether what is tried needs this thread alone, as a call does; a cell needs the kernel's main one.
    """
    if not sys.platform.startswith("linux"):
        return f"the kernel can only be copied on Linux, and this is {sys.platform}"
    if not on_any_thread and threading.current_thread() is not threading.main_thread():
        return "the cell did not run on the kernel's main thread"
    from reflex_ipython.check.trial import sandbox  # of Linux alone

    return sandbox.offered().why_not or _too_little_memory() or _gpu_in_use() or _importing()


def _too_little_memory() -> str:
    """Whether the machine could run out of memory if the user goes on to change everything that was copied."""
    from reflex_ipython.base import process_memory  # of Linux alone

    needed, there = process_memory.rewritable(), process_memory.available() - process_memory.reserve()
    if needed <= there:
        return ""
    return f"not enough memory: a copy of the kernel may need up to {_gb(needed)}, {_gb(max(0, there))} can be spared"


def _gpu_in_use() -> str:
    """A GPU's state does not survive a fork, and the copy could disturb the original's."""
    from reflex_ipython.check.trial import descriptors  # of Linux alone

    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    by_torch = cuda is not None and cuda.is_initialized()
    if by_torch or any(target.startswith(_GPUS) for target in descriptors.targets()):
        return "the GPU is in use, and can't be copied"
    return ""


def _importing() -> str:
    """A module that another thread imports just now would stay locked in the copy for ever."""
    end = time.monotonic() + _PATIENCE
    while importing():
        if time.monotonic() > end:
            return "the kernel can't be copied while a module is being imported in the background"
        time.sleep(0.005)
    return ""


def _gb(size: int) -> str:
    return f"{size / (1 << 30):,.1f} GB"
