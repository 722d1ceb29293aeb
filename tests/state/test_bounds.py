"""How much may be held for a cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_ipython.base import process_memory
from reflex_ipython.state.bounds import LIMITED, Bounds, Budget, OverBound


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says how many addresses are used")
def test_no_copy_takes_the_room_that_a_limit_leaves_to_the_user() -> None:
    import resource

    budget, before = Budget(Bounds()), resource.getrlimit(resource.RLIMIT_AS)
    budget.start()
    resource.setrlimit(resource.RLIMIT_AS, (process_memory.address_space() + 100 * process_memory.MIB, before[1]))
    try:
        with pytest.raises(OverBound, match=LIMITED):
            budget.hold(80 * process_memory.MIB)
        assert not budget.takes(80 * process_memory.MIB)
        budget.hold(100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert budget.takes(80 * process_memory.MIB)
