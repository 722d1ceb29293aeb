"""Whoever watches the interpreter, limits it or stops it sees what there is to see without the extension."""

from __future__ import annotations

import pytest

from tests.health.conftest import Pair
from tests.health.rows import rows

INSTRUMENTS = rows("instruments")


@pytest.mark.parametrize("name", INSTRUMENTS)
def test_an_instrument_shows_what_it_shows_without_the_extension(quick_pair: Pair, name: str) -> None:
    assert not quick_pair.differences(INSTRUMENTS[name])
