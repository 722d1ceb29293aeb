"""What loading imports in a kernel, where more has to be registered than in a terminal."""

from __future__ import annotations

from tests.kernel.driver import Kernel

LOAD = """
import sys
before = set(sys.modules)
_, imported = get_ipython().run_line_magic("load_ext", "reflex_ipython"), sorted(set(sys.modules) - before)
"""
"""Nothing follows in its cell: what does is noted, and what that takes is imported."""


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


def test_a_misspelt_name_whose_fix_was_tried_imports_only_what_that_takes(plain_kernel: Kernel) -> None:
    """Whatever a failure imports stays, and every full garbage collection of the cells that follow walks through it."""
    plain_kernel.run(LOAD)
    plain_kernel.run("total = 1")
    state = plain_kernel.settled(plain_kernel.run("print(toatl)"))
    assert state["fixes"][0]["verdict"]["text"].startswith("ran in a copy of your kernel")
    modules = set(plain_kernel.value("list(__import__('sys').modules)"))
    others = ("access", "calling", "values", "science")
    of_other_errors = {f"reflex_ipython.propose.rules.{name}.rules" for name in others}
    assert "reflex_ipython.propose.rules.lookups.rules" in modules
    assert not modules & {"pydantic", *of_other_errors}
