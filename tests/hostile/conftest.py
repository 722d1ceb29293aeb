"""Kernels for the tests of this folder."""

from tests.kernel.conftest import kernel, new_kernel

__all__ = ["kernel", "new_kernel"]
