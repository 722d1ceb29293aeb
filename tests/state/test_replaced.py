"""Functions of the user's in the place of a library's: what they change is looked at when the library calls them."""

from __future__ import annotations

import ast
import email
import gc
import json
import statistics
import sys
import types
from collections.abc import Iterator

import pytest

from reflex_ipython.state.analysis.foreseen import Functions, foresee
from reflex_ipython.state.kinds import replaced
from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, halves

COUNT = "n = [0]\ndef seen(*_, **__):\n    n[0] += 1\n    return 'x'\n"


@pytest.fixture(autouse=True)
def nothing_is_replaced_any_more(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(statistics, "mean", statistics.mean)
    for name in ("default", "iterencode"):
        monkeypatch.setattr(json.JSONEncoder, name, json.JSONEncoder.__dict__[name])
    replaced.forget()
    yield
    replaced.forget()


def check_seen(half: Half) -> None:
    """Like `check`, but the earlier cells run where we are."""
    here = namespace()
    run(here, half.setup).clear()
    check(Half(half.says, "", half.cell, half.shows), **here)


@halves(
    Half("a function", f"{COUNT}import statistics\nstatistics.mean = seen", "statistics.mean([1])", "n"),
    Half(
        "a method that a function calls",
        f"{COUNT}import json\njson.JSONEncoder.default = lambda *_: seen()",
        "json.dumps(object())",
        "n",
    ),
    Half(
        "one that is set by its name",
        f"{COUNT}import json\nsetattr(json.JSONEncoder, 'default', lambda *_: seen())",
        "json.dumps([object()])",
        "n",
    ),
    Half(
        "one that replaces what it calls",
        "import json\nn = [0]\nold = json.JSONEncoder.iterencode\ndef seen(*args, **names):\n    n[0] += 1\n"
        "    return old(*args, **names)\njson.JSONEncoder.iterencode = seen",
        "json.dumps([1], indent=1)",
        "n",
    ),
    Half(
        "a class method",
        f"{COUNT}import json\njson.JSONEncoder.default = staticmethod(seen)",
        "json.dumps({'a': object()})",
        "n",
    ),
)
def test_what_a_library_calls_instead_of_its_own_is_looked_at(half: Half) -> None:
    check_seen(half)


def test_a_method_that_was_added_to_frames_is_looked_at() -> None:
    pandas = pytest.importorskip("pandas")
    try:
        setup = f"{COUNT}import pandas as pd\npd.DataFrame.counted = property(lambda self: seen())\ndf = pd.DataFrame()"
        check_seen(Half("", setup, "df.counted", "n"))
    finally:
        del pandas.DataFrame.counted


def test_a_statement_that_names_nothing_of_the_package_is_foreseen_as_before() -> None:
    here = namespace()
    run(here, f"{COUNT}import json, math\njson.JSONEncoder.default = lambda *_: seen()").clear()
    known, unknown = ast.parse("x = [math.sqrt(2) for _ in range(3)]\ny = json.dumps([1])").body
    assert foresee(known, here, Functions()) is not None
    assert foresee(unknown, here, Functions()) is None


def test_what_was_put_back_is_known_no_more() -> None:
    here = namespace()
    journal = run(here, "import statistics\nstatistics.mean = len\nstatistics.mean = lambda data: 1\n1 / 0")
    assert [function.__name__ for function in replaced.replacing()] == ["<lambda>"]
    journal.rollback(1)
    assert not [*replaced.replacing()]


def test_a_class_is_not_kept() -> None:
    library = types.ModuleType("email.made")
    library.Made = type("Made", (), {"__module__": "email.made"})  # type: ignore[attr-defined]
    sys.modules["email.made"] = email.made = library  # type: ignore[attr-defined]
    try:
        here = namespace()
        run(here, "import email.made\nemail.made.Made.run = lambda self: 1").clear()
        assert [*replaced.replacing()]
        del library.Made, here  # type: ignore[attr-defined]
        gc.collect()
        assert not [*replaced.replacing()]
    finally:
        del sys.modules["email.made"], email.made  # type: ignore[attr-defined]
