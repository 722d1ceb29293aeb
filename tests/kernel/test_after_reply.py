"""What no reply waits for is done in a kernel before the state may change, not because a page tells its cells."""

from __future__ import annotations

import pytest

from tests.kernel.driver import Kernel

PUT_OFF = """
from comm import create_comm
from reflex_ipython.ipython import after_reply
after_reply._LATEST = 1_000
done, heard = [], []
ip = get_ipython()
trials = ip.reflex_extension.assembly.trials
begin = lambda: trials.after_reply(lambda: done.append(ip.kernel.get_parent()["header"]["msg_type"]), lambda: False)
widget = create_comm(target_name="jupyter.widget")
widget.on_msg(lambda message: heard.append(list(done)))"""


@pytest.fixture
def waiting(kernel: Kernel) -> Kernel:
    """One with a page, in which something is put off that is never ready by itself."""
    kernel.hello()
    assert kernel.run(PUT_OFF).status == "ok"
    kernel.run("begin()")
    return kernel


def test_a_page_that_tells_its_cells_does_not_have_it_done_before_the_cells_end_has_left(waiting: Kernel) -> None:
    waiting.tell(waiting.comm(), type="cells", request="", cells=[])
    assert waiting.value("done") == ["execute_request"]


def test_it_is_done_before_what_else_a_page_asks_for(waiting: Kernel) -> None:
    waiting.hello()
    assert waiting.value("done") == ["comm_msg"]


def test_it_is_done_before_what_a_widget_calls(waiting: Kernel) -> None:
    (comm,) = waiting.reply(waiting.client.comm_info("jupyter.widget"))["comms"]
    waiting.tell(comm)
    assert waiting.value("(done, heard)") == (["comm_msg"], [["comm_msg"]])
