"""What a statement has set in a library that it was the first to import: named, or as if the library came in anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.state.cells import namespace, run

SEEDED = """
from tests.state.cells import namespace, run
here = namespace()
assert "numpy" not in __import__("sys").modules
cell = "if True:\\n    import numpy as np\\n    np.random.seed(3)\\n    first = np.random.random()\\n    1 / 0"
journal = run(here, cell)
numpy = __import__("numpy")
journal.aftermath.uncovered()
seeded = numpy.random.RandomState(3)
first, second, third = seeded.random_sample(3)
assert numpy.random.random() == second, "nothing is drawn anew before it is undone"
print(journal.rollback(0).words)
print(numpy.random.random() in (first, third))
"""


def undone(cell: str) -> str:
    return run(namespace(), cell).rollback(0).words


@pytest.fixture(autouse=True)
def nobody_has_imported_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("calendar", "colorsys"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("import calendar; calendar.setfirstweekday(6)", "registries of calendar"),
        ("from calendar import setfirstweekday; setfirstweekday(6)", "registries of calendar"),
        ("import colorsys; colorsys.mark = 1", "colorsys.mark"),
        ("import colorsys; colorsys.rgb_to_hsv = print", "colorsys.rgb_to_hsv"),
        ("import calendar; calendar.c.mark = 1", "calendar.c (it"),
    ],
)
def test_what_was_set_as_the_library_came_in_is_named(statement: str, named: str) -> None:
    words = undone(f"if True:\n    {statement}\n    1 / 0")
    assert named in words
    assert "it came in with what set it" in words


def test_it_is_named_before_anything_is_undone_and_once() -> None:
    journal = run(namespace(), "if True:\n    import calendar; calendar.setfirstweekday(6)\n    1 / 0")
    told = [(one.name, one.why) for one in journal.aftermath.uncovered() if "calendar" in one.name]
    assert told == [("registries of calendar", "it came in with what set it")]
    assert journal.rollback(0).words.count("registries of calendar") == 1


def test_a_function_that_imports_is_looked_into() -> None:
    here = namespace("def prepare():\n    import calendar\n    calendar.setfirstweekday(6)\n    raise ValueError")
    assert "registries of calendar" in run(here, "prepare()").rollback(0).words


@pytest.mark.parametrize(
    "cell",
    [
        "if True:\n    import calendar\n    calendar.monthrange(2024, 2)\n    1 / 0",
        "if True:\n    import colorsys\n    x = colorsys.rgb_to_hsv(1, 1, 1)\n    1 / 0",
        "import calendar\ncalendar.setfirstweekday(6)\n1 / 0",
    ],
)
def test_what_only_came_in_is_not_named(cell: str) -> None:
    assert undone(cell) == "state restored exactly"


def test_a_seed_is_drawn_anew_where_the_generator_came_in() -> None:
    said = subprocess.run([sys.executable, "-c", SEEDED], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["state restored exactly", "False"]


OWN = {
    "its top level": ("calendar.setfirstweekday(6)", True),
    "a function that it calls": ("def go(): calendar.setfirstweekday(6)\ngo()", True),
    "an import that fails": ("calendar.setfirstweekday(6)\n1 / 0", True),
    "a function that nobody calls": ("def go(): calendar.setfirstweekday(6)", False),
    "a script": ("if __name__ == '__main__': calendar.setfirstweekday(6)", False),
    "a look": ("days = calendar.monthrange(2024, 2)", False),
}


@pytest.mark.parametrize(("source", "named"), OWN.values(), ids=OWN)
def test_what_a_module_of_the_users_sets_in_what_comes_in_with_it_is_named(
    source: str, named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_settings.py").write_text(f"import calendar\n{source}")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        words = undone("import own_settings\n1 / 0")
    finally:
        sys.modules.pop("own_settings", None)
    assert ("registries of calendar (it came in with what set it)" in words) == named
