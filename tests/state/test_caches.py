"""Functions with a cache: what it holds is put back as the objects that they are, whoever else has them."""

from __future__ import annotations

import pytest

from tests.state.cells import namespace, run

SETUP = "import functools\n@functools.{}\ndef load(*of): return [1]\nkept = load()"
COUNTS = "restored except: load (its counts of hits and misses stay)"
LIMITS = ("cache", "lru_cache", "lru_cache(maxsize=5, typed=True)", "lru_cache(maxsize=None)")


@pytest.mark.parametrize("decorator", LIMITS)
def test_a_result_that_a_name_has_as_well_is_put_back_and_stays_the_same(decorator: str) -> None:
    there = namespace(SETUP.format(decorator))
    journal = run(there, "if 1:\n    load().append(2)\n    toatl")
    assert there["kept"] == [1, 2]
    assert journal.rollback(0).words == COUNTS
    assert there["kept"] == [1]
    assert there["load"]() is there["kept"]


def test_a_result_that_nobody_else_has_is_put_back() -> None:
    there = namespace(SETUP.format("cache") + "\ndel kept")
    journal = run(there, "if 1:\n    load().append(2)\n    toatl")
    journal.rollback(0)
    assert there["load"]() == [1]


def test_new_results_leave_a_cache_without_a_limit() -> None:
    there = namespace(SETUP.format("cache"))
    journal = run(there, "if 1:\n    load(1); load(2).append(load())\n    toatl")
    assert journal.rollback(0).words == COUNTS
    assert there["load"].cache_info().currsize == 1
    assert there["load"]() is there["kept"]


def test_what_was_cleared_is_there_again() -> None:
    there = namespace(SETUP.format("cache"))
    journal = run(there, "if 1:\n    load.cache_clear(); load(3)\n    toatl")
    journal.rollback(0)
    assert there["load"].cache_info().currsize == 1
    assert there["load"]() is there["kept"]


def test_a_cache_with_a_limit_that_has_new_results_is_emptied_and_named() -> None:
    there = namespace(SETUP.format("lru_cache"))
    journal = run(there, "if 1:\n    load().append(2); load(3)\n    toatl")
    assert journal.rollback(0).words == "restored except: load (its cache was emptied)"
    assert there["kept"] == [1]
    assert there["load"].cache_info().currsize == 0


def test_a_dict_as_the_result_is_not_taken_for_the_cache() -> None:
    source = "import functools\n@functools.lru_cache\ndef load(of): return {of: of}\nkept = load(1)\nload(2)"
    there = namespace(source)
    journal = run(there, "if 1:\n    load(1)['more'] = 1\n    toatl")
    assert journal.rollback(0).words == COUNTS
    assert there["kept"] == {1: 1}


def test_a_class_as_the_result_is_put_back() -> None:
    source = "import functools\n@functools.lru_cache\ndef load():\n    class A: items = []\n    return A\nload()"
    there = namespace(source)
    journal = run(there, "if 1:\n    load().items.append(1)\n    toatl")
    journal.rollback(0)
    assert there["load"]().items == []


def test_a_long_cache_with_a_limit_is_emptied_and_what_its_function_does_put_back() -> None:
    source = (
        "import functools\nseen = []\n@functools.lru_cache(maxsize=9_999)\ndef load(of): seen.append(of); return [of]"
    )
    there = namespace(f"{source}\nfor n in range(3_000): load(n)\nseen.clear()")
    journal = run(there, "if 1:\n    load(1).append(1); load(-1)\n    toatl")
    assert there["seen"] == [-1]
    assert journal.rollback(0).words == "restored except: load (its cache was emptied)"
    assert there["seen"] == []
    assert there["load"](1) == [1]
