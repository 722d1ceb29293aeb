"""A generator can't go back: what it sets before it pauses is put back all the same, and is named with it."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import pytest

from tests.state.cells import namespace, run

NARROW = """
import decimal
def narrow():
    with decimal.localcontext() as context:
        context.prec = 5
        yield 1
        yield 2
"""
MARKED = "import os\ndef marked():\n    os.environ['MARKED'] = '1'\n    yield 1\n    yield 2\n"
AWAY = "import os\ndef go(): os.chdir('/')\ndef away():\n    go()\n    yield 1\n    yield 2\n"
STILL = "import random\ndef still():\n    yield 1\n    yield 2\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to go away from."""
    gc.collect()  # a generator that an earlier test has left sets its context back as it ends: before this one
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MARKED", raising=False)


def words(setup: str, cell: str) -> tuple[str, list[str]]:
    """What is said once it is taken back, and what is asked before."""
    names: dict[str, Any] = namespace(setup)
    journal = run(names, cell)
    asked = [repeat.text for repeats in journal.aftermath.repeats() for repeat in repeats if repeat.since is None]
    return journal.rollback(0).words, asked


@pytest.mark.parametrize(
    ("setup", "setting"),
    [
        (f"{NARROW}gen = narrow()", "decimal's context"),
        (f"{MARKED}gen = marked()", "os.environ"),
        (f"{AWAY}gen = away()", "the current folder"),
        (
            "import random\ndef seeded():\n    random.seed(1)\n    yield 1\n    yield 2\ngen = seeded()",
            "the state of random",
        ),
    ],
)
@pytest.mark.parametrize("cell", ["next(gen)\n1 / 0", "[next(gen), 1 / 0]"])
def test_what_a_generator_that_stays_sets_is_named(setup: str, setting: str, cell: str) -> None:
    said, asked = words(setup, cell)
    assert f"gen (generator, which uses {setting})" in said
    assert f"gen (generator, which uses {setting})" in asked


def test_what_others_set_meanwhile_is_put_back_and_not_named() -> None:
    said, asked = words(f"{STILL}gen = still()", "[next(gen), random.random(), 1 / 0]")
    assert said == "not undone: gen (generator)"
    assert asked == ["gen (generator)"]


def test_a_generator_that_the_cell_made_goes_with_it() -> None:
    said, asked = words(MARKED, "gen = marked()\nnext(gen)\n1 / 0")
    assert (said, asked) == ("state restored exactly", [])
    assert "MARKED" not in os.environ
