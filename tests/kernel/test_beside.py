"""What goes on beside the user's next cells is nothing that they notice."""

from __future__ import annotations

import sys

import pytest

from tests.kernel.driver import Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

WAITS = """
import os
started = [os.posix_spawn("/bin/true", ["true"], {}) for _ in range(2)]
ended = []
while True:
    try: ended.append(os.wait()[0])
    except ChildProcessError: break
print(sorted(ended) == sorted(started))
"""


def test_a_cell_that_waits_for_all_its_processes_meets_no_copy_of_the_kernel(kernel: Kernel) -> None:
    kernel.run("total = 3")
    assert kernel.settled(kernel.run("toatl"))["fixes"][0]["verdict"]["tone"] == "good"
    assert kernel.run(WAITS).text == "True\n"


def test_a_warning_that_was_shown_once_is_not_shown_again(kernel: Kernel) -> None:
    kernel.run("total = 3\nimport warnings\ndef warn(): warnings.warn('once', stacklevel=2)")
    library = "import types; library = types.ModuleType('library')\nvars(library)['warn'] = warn"
    kernel.run(library + "\nexec('def use(): warn()', vars(library))")
    assert "once" in kernel.run("library.use()").text
    kernel.settled(kernel.run("toatl"))
    assert kernel.run("library.use()").text == ""
