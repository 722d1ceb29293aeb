"""Functions that heal without asking anybody, and a store in memory."""

from __future__ import annotations

import sys

import pytest

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="a call is tried in a fork, which is of Linux alone")


class Texts:
    """Keeps texts in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get(self, id: str) -> str | None:
        return self.kept.get(id)

    def save(self, id: str, source: str) -> None:
        self.kept[id] = source


@pytest.fixture
def texts() -> Texts:
    return Texts()
