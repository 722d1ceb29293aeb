"""Trials of this process, as the other tests of trials have them."""

from __future__ import annotations

from tests.check.conftest import attempt, start

__all__ = ["attempt", "start"]
