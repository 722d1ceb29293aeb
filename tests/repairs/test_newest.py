from __future__ import annotations

from reflex_ipython.repairs.newest import Newest


def test_a_failure_within_a_second_overtakes_the_one_before_it_and_no_other() -> None:
    times = iter([0.0, 0.5, 1.4, 5.0])
    newest = Newest(times.__next__)
    assert [newest.failed(name) for name in "abcd"] == ["", "a", "b", ""]
    assert [newest.overtook(name) for name in "abcd"] == [True, True, False, False]
