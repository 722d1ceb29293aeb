"""What hangs on objects that never change themselves is as if the failed statement had not run, in a real kernel."""

from __future__ import annotations

import pytest

from tests.kernel.driver import Kernel

ZONE = (
    "import datetime\nclass Zone(datetime.tzinfo):\n    n = 0\n"
    "    def utcoffset(self, when): self.n += 1; return datetime.timedelta(0)\n"
    "zone = Zone(); moment = datetime.datetime(2020, 1, 1, tzinfo=zone)"
)
SCAN = (
    "import json\ndef made():\n    calls = []\n    return lambda o: calls.append(o), lambda: len(calls)\n"
    "hook, tell = made()\nscan = json.JSONDecoder(object_hook=hook).scan_once\ndel hook"
)
LABEL = "import pandas as pd\nclass Label: n = 0\nlabel = Label()\nix = pd.Index([label])"


@pytest.mark.parametrize(
    ("setup", "change", "shows"),
    [(ZONE, "moment.utcoffset()", "zone.n"), (SCAN, "scan('{}', 0)", "tell()"), (LABEL, "ix[0].n += 1", "label.n")],
)
def test_a_loop_that_runs_again_has_done_each_thing_as_often_as_it_says(
    setup: str, change: str, shows: str, kernel: Kernel
) -> None:
    if "pandas" in setup:
        pytest.importorskip("pandas")
    kernel.run(f"{setup}\ntotal = [3]")
    kernel.run(f"for i in range(2):\n    {change}\n    print(toatl)")
    assert kernel.run("%reflex accept").text == "[3]\n[3]\n"
    assert kernel.value(shows) == 2


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("A.__len__ = lambda self: 1; isinstance(A(), Sized)", "print(isinstance(A(), Sized))", "False\n"),
        ("isinstance(A(), Sized)", "A.__len__ = lambda self: 1; print(isinstance(A(), Sized))", "True\n"),
    ],
)
def test_a_class_is_what_it_is_when_the_fix_runs(before: str, after: str, shown: str, kernel: Kernel) -> None:
    kernel.run("from collections.abc import Sized\nclass A: pass\ntotal = [3]")
    panel = kernel.settled(kernel.run(f"if True:\n    {before}\n    print(toatl)", "a"))
    fixed = f"if True:\n    {after}"
    kernel.accept(kernel.hello(), panel, sources=[fixed])
    assert kernel.run(fixed, "a").text == shown


def test_a_cell_that_is_well_runs_nothing_of_the_users_but_what_it_says(kernel: Kernel) -> None:
    kernel.run("import itertools\nclass R:\n    n = 0\n    def __repr__(self): R.n += 1; return 'R'")
    kernel.run("r = itertools.repeat(R(), 50)")
    kernel.run("for i in range(2): next(r)")
    assert kernel.value("R.n") == 0
