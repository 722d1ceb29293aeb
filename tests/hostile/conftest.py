"""Trials of this process and real kernels, as the other tests have them."""

from __future__ import annotations

from tests.check.conftest import attempt, start
from tests.kernel.conftest import kernel, new_kernel

__all__ = ["attempt", "kernel", "new_kernel", "start"]
