"""Of a failure in a module of the user's own, the file is captured with its text; of a library's, it is not."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from reflex_ipython.capture import capture_failure
from reflex_ipython.models import CellRef, Failure

CELL = CellRef("c1", 1)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Writes modules and imports them."""

    def make(name: str, text: str, folder: str = "project") -> ModuleType:
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(str(place))
        return importlib.import_module(name)

    return make


def failed(call: Callable[[], object]) -> Failure:
    with pytest.raises((NameError, SyntaxError)) as raised:
        call()
    return capture_failure(raised.value, source="call()", cell=CELL, namespace={})


def test_the_file_comes_with_its_text_and_its_module(module: Callable[..., ModuleType], tmp_path: Path) -> None:
    text = "def half(x):\n    return x / zero\n"
    halves = module("halves", text)
    found = failed(lambda: halves.half(1)).situation.files
    assert [(file.source, file.module, file.file.path) for file in found] == [
        (text, "halves", str(tmp_path / "project" / "halves.py"))
    ]


def test_the_failing_expression_is_known_in_the_file(module: Callable[..., ModuleType]) -> None:
    halves = module("halves2", "def half(x):\n    return x / zero\n")
    failure = failed(lambda: halves.half(1))
    if sys.version_info >= (3, 11):
        assert failure.error.frames[-1].span == (2, 2, 15, 19)


def test_a_library_and_a_file_that_has_changed_are_none(module: Callable[..., ModuleType]) -> None:
    library = module("halves3", "def half(x):\n    return x / zero\n", "site-packages")
    found = failed(lambda: library.half(1)).situation.files
    assert [file.file.name for file in found] == [Path(__file__).name], "the user's own code that called it"
    changed = module("halves4", "def half(x):\n    return x / zero\n")
    Path(str(changed.__file__)).write_text("def half(x):\n    return x / 2 / zero\n")
    assert failed(lambda: changed.half(1)).situation.files == ()


def test_a_file_that_does_not_parse_has_no_module(module: Callable[..., ModuleType], tmp_path: Path) -> None:
    (found,) = failed(lambda: module("halves6", "def half(x:\n    return x\n")).situation.files
    assert (found.module, found.file.name, found.source) == ("", "halves6.py", "def half(x:\n    return x\n")
