"""What loading imports in a kernel, where more has to be registered than in a terminal."""

from __future__ import annotations

from tests.kernel.driver import Kernel

LOAD = """
import sys
before = set(sys.modules)
get_ipython().run_line_magic("load_ext", "reflex_ipython")
imported = sorted(set(sys.modules) - before)
"""


def test_loading_a_kernel_imports_only_what_has_to_be_registered(plain_kernel: Kernel) -> None:
    plain_kernel.run(LOAD)
    imported = plain_kernel.value("imported")
    ours = {name.split(".")[1] for name in imported if name.startswith("reflex_ipython.")}
    assert ours <= {"base", "ipython", "state", "errors", "settings", "version"}
    assert "reflex_ipython.ipython.assembly" not in imported
    state = [name for name in imported if name.startswith("reflex_ipython.state.")]
    assert state == ["reflex_ipython.state.audit", "reflex_ipython.state.effect"]


def test_a_page_that_says_hello_imports_nothing_that_only_failures_need(plain_kernel: Kernel) -> None:
    plain_kernel.run(LOAD)
    comm = plain_kernel.comm()
    plain_kernel.tell(comm, type="hello", client=plain_kernel.client.session.session, version="0")
    told = plain_kernel.until_told("welcome")
    assert "reflex_ipython.ipython.assembly" not in plain_kernel.value("list(__import__('sys').modules)")
    for enabled in (False, True):
        ran = plain_kernel.run(f"%config Reflex.enabled = {enabled}")
        assert [m["content"]["data"] for m in ran.messages if m["msg_type"] == "comm_msg"] == [
            {**told, "enabled": enabled}
        ]
    state = plain_kernel.run("print(toatl)").shown[-1]
    assert state["session"] == told["session"]
    plain_kernel.tell(comm, type="hello", client="another page", version="0")
    assert plain_kernel.until_told("welcome") == told
