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
    state = [name for name in imported if name.startswith("reflex_ipython.state.")]
    assert state == ["reflex_ipython.state.audit", "reflex_ipython.state.effect"]
