"""A page that rewrites cells is asked for all the edits of a fix, or for none."""

from __future__ import annotations

import pytest

from tests.kernel.driver import Kernel

EARLIER, FAILING = "def area(width, height):\n    return width * hieght", "area(2, 3)"


@pytest.mark.parametrize(("earlier", "failing"), [("", "two"), ("one", "")], ids=["earlier cell", "failing cell"])
def test_a_fix_in_a_cell_that_the_page_can_not_find_is_not_half_applied(
    kernel: Kernel, earlier: str, failing: str
) -> None:
    kernel.hello()
    kernel.run(EARLIER, earlier)
    panel = kernel.settled(kernel.run(FAILING, failing))
    assert len(panel["fixes"][0]["edits"]) == 2
    ran = kernel.run("%reflex accept", "three")
    assert ran.reply["evalue"] == "No open notebook page can rewrite the cell."
    assert not [content for content in ran.contents("comm_msg") if content["data"].get("type") == "apply"]
