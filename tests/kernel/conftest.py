"""Kernels for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.conftest import own_folders
from tests.kernel.ahead import KernelsAhead
from tests.kernel.driver import Kernel

LOAD = """\
%load_ext reflex_ipython
%config Reflex.undo_share = 1000.0
%config Reflex.undo_time = 60.0
%config Reflex.search_time = 60.0"""
"""Quick cells that fail pay for no notes; these tests are about what is noted. A search ends when all is tried, however
long that takes on a busy machine.
"""


@pytest.fixture
def new_kernel() -> Iterator[Callable[..., Kernel]]:
    """Starts kernels, each a new process, with arguments and environment variables of the test's."""
    kernels: list[Kernel] = []

    def start(*arguments: str, **environment: str) -> Kernel:
        kernels.append(Kernel(*arguments, **environment))
        return kernels[-1]

    yield start
    for started in kernels:
        started.close()


@pytest.fixture(scope="package")
def kernels_ahead(tmp_path_factory: pytest.TempPathFactory, common_environment: None) -> Iterator[KernelsAhead]:
    """Has the kernel of the next test start."""
    ahead = KernelsAhead(LOAD, lambda: own_folders(tmp_path_factory.mktemp("kernel")))
    yield ahead
    ahead.close()


@pytest.fixture
def kernel(kernels_ahead: KernelsAhead) -> Iterator[Kernel]:
    """A kernel with the extension loaded."""
    started = kernels_ahead.take()
    yield started
    started.close()


@pytest.fixture
def bare_kernel(kernels_ahead: KernelsAhead) -> Iterator[Kernel]:
    """A kernel that has not loaded it yet."""
    started = kernels_ahead.bare()
    yield started
    started.close()


@pytest.fixture
def plain_kernel() -> Iterator[Kernel]:
    """A kernel without it: a new process, which has imported nothing of ours."""
    started = Kernel()
    yield started
    started.close()


@pytest.fixture(scope="module")
def loaded(kernels_ahead: KernelsAhead) -> Iterator[Kernel]:
    """A kernel with the extension that the tests of a table share."""
    started = kernels_ahead.take()
    yield started
    started.close()


@pytest.fixture(scope="module")
def plain() -> Iterator[Kernel]:
    """The same without the extension."""
    started = Kernel()
    yield started
    started.close()
