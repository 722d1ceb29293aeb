"""`%reflex test`: a pytest test of an accepted fix, which fails with the old source and passes with the new one."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.driver import Kernel

SHAPES = '''"""Shapes."""

import math


class Ring:
    def __init__(self, outer, inner=1):
        self.outer = outer
        self._inner = inner

    def size(self, digits=None):
        self.outer = self.outer**2 - self._inner**2
        return round(maht.pi * self.outer, digits)
'''


def accepted(kernel: Kernel, source: str, cell: str) -> None:
    kernel.settled(kernel.run(source, cell))
    ran = kernel.run("%reflex accept", f"{cell}-accepted")
    assert ran.status == "ok", ran.reply


def pytest_on(path: Path) -> Any:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", str(path)]
    # A module that was written twice within a second, with as many bytes each time, is compiled anew.
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPYCACHEPREFIX": tempfile.mkdtemp(dir=path.parent),
    }
    return subprocess.run(command, capture_output=True, text=True, cwd=path.parent, env=environment, check=False)


def test_a_mended_function_is_called_with_what_it_was_called_with(loaded: Kernel, tmp_path: Path) -> None:
    loaded.run("import math\nrate = 0.5\nunused = print('hello')", "one")
    area = "def area(radius, scale=1.0):\n    radius = radius + rate\n    return maht.floor(radius) * scale"
    loaded.run(area, "two")
    accepted(loaded, "sizes = [area(number) for number in (1.5, 2)]", "three")
    path = tmp_path / "test_area.py"
    said = loaded.run(f"%reflex test -o {path}").text
    assert "Seen to fail with the old source (NameError: name 'maht' is not defined) and to pass" in said
    text = path.read_text(encoding="utf-8")
    assert "assert area(1.5) == pytest.approx(2.0)" in text, "not with what the function had made of it by then"
    assert "rate = 0.5" in text
    assert "unused" not in text
    assert pytest_on(path).returncode == 0
    path.write_text(text.replace("math.floor", "maht.floor"), encoding="utf-8")
    assert "NameError: name 'maht' is not defined" in pytest_on(path).stdout


def test_a_method_of_a_file_is_imported_and_both_files_stand_alone(loaded: Kernel, tmp_path: Path) -> None:
    shapes = tmp_path / "shapes17.py"
    shapes.write_text(SHAPES, encoding="utf-8")
    loaded.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})", "one")
    loaded.run("import shapes17", "two")
    accepted(loaded, "shapes17.Ring(3, inner=2).size(2)", "three")
    path = tmp_path / "test_shapes17.py"
    said = loaded.run(f"%reflex test -o {path}").text
    assert "Wrote `test_ring_size_does_not_raise_name_error`" in said
    assert "Ring(outer=3, inner=2)" in path.read_text(encoding="utf-8")
    assert pytest_on(path).returncode == 0
    shapes.write_text(SHAPES, encoding="utf-8")
    assert "NameError" in pytest_on(path).stdout


def test_environment_variables_are_set_and_what_depends_on_the_time_is_not_compared(
    loaded: Kernel, tmp_path: Path
) -> None:
    loaded.run("import os\nfrom datetime import date\nos.environ['TILL_CURRENCY'] = 'CHF'\nfactor = 2", "one")
    bill = "def bill(count):\n    return count * fcator, os.environ['TILL_CURRENCY'], os.getenv('TILL_PLACE')"
    loaded.run(bill, "two")
    accepted(loaded, "bill(3)", "three")
    path = tmp_path / "test_bill.py"
    loaded.run(f"%reflex test -o {path}")
    text = path.read_text(encoding="utf-8")
    assert 'monkeypatch.setenv("TILL_CURRENCY", "CHF")' in text
    assert 'monkeypatch.delenv("TILL_PLACE", raising=False)' in text
    assert 'assert bill(3) == (6, "CHF", None)' in text
    assert pytest_on(path).returncode == 0, "where it is not set"
    loaded.run("def dated(count):\n    return count * fcator, date.today().year", "four")
    accepted(loaded, "dated(3)", "five")
    said = loaded.run("%reflex test").text
    assert "The result is not compared: it depends on the time." in said
    assert str(datetime.date.today().year) not in said
    loaded.run("def since(count):\n    return count * fcator, date(2020, 1, 2) < date.today()", "six")
    accepted(loaded, "since(3)", "seven")
    assert "assert since(3) == (6, True)" in loaded.run("%reflex test").text, "it asks, but does not depend on it"


def test_a_cell_without_a_function_runs_on_the_few_values_that_it_needs(loaded: Kernel) -> None:
    loaded.run("import pandas as pd\nimport secrets as other", "one")
    loaded.run("sales = pd.DataFrame({'region': ['a', 'b', 'a'], 'sold': [1, 2, 3]})\nn = other.randbelow(9)", "two")
    accepted(loaded, "total = sales.groupby('regoin').sold.sum()\nshare = n + total.max()", "three")
    text = loaded.run("%reflex test").text
    assert 'sales = pd.DataFrame({"region": ["a", "b", "a"], "sold": [1, 2, 3]})' in text
    assert "    total = sales.groupby(" in text
    assert "pd.testing.assert_series_equal" in text
    assert "Seen to fail with the old source (KeyError: 'regoin')" in text
    compile(text, "test_it.py", "exec")


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["def jump(n):\n    return lenn(n) + __import__('random').random()", "jump('a')"], "is another one each time"),
        (
            ["import os; os.mkdir('gone17'); open('gone17/a.txt', 'w').close()", "there = os.listdir('gone17')",
             "os.remove('gone17/a.txt'); os.rmdir('gone17')", "lenn(there)"],
            "wants to make the folder gone17",
        ),
        (["import time", "time.slep(0); [].remove(1)"], "has not run well"),
    ],
    ids=["random", "needs a folder that is gone", "failed afterwards"],
)  # fmt: skip
def test_where_none_can_be_made_it_is_said_why(loaded: Kernel, cells: list[str], words: str) -> None:
    for source in cells[:-1]:
        loaded.run(source)
    loaded.settled(loaded.run(cells[-1], "last"))
    loaded.run("%reflex accept", "accepted")
    ran = loaded.run("%reflex test")
    assert words in (ran.text or str(ran.reply["evalue"]))


def test_a_repair_that_was_not_accepted_has_none(loaded: Kernel) -> None:
    panel = loaded.settled(loaded.run("lenn([1])", "open"))
    ran = loaded.run(f"%reflex test {panel['repair']}")
    assert "was not accepted" in str(ran.reply["evalue"])
