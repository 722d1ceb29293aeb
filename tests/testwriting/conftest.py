"""Tests are written here however busy the machine is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reflex_ipython.testwriting import from_trace, writing


@pytest.fixture(autouse=True, scope="session")
def no_run_is_given_up() -> Iterator[None]:
    """None of the runs has no end; one whose process gets no turn takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(from_trace, "SECONDS", 600.0)
        patch.setattr(writing, "SECONDS", 600.0)
        yield
