"""No test leaves a trace on."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from reflex_ipython.traces import hook


@pytest.fixture(autouse=True)
def _nothing_is_on() -> Iterator[None]:
    yield
    assert not hook._hooks
    if sys.version_info >= (3, 12):
        assert not [tool for tool in range(6) if sys.monitoring.get_tool(tool) == "reflex_ipython"]
