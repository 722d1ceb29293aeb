from __future__ import annotations

import platform
import sys
import types
from pathlib import Path

import pytest

from tests.capture.conftest import Notebook


def test_the_libraries_of_the_cells_imports_and_names_are_told(notebook: Notebook) -> None:
    numpy = pytest.importorskip("numpy")
    notebook.run("import numpy as np")

    assert notebook.fail("np.zeros(-1)").situation.versions == {"numpy": numpy.__version__}
    assert notebook.fail("import numpy.linalg, json\n1 / 0").situation.versions == {"numpy": numpy.__version__}


def test_the_libraries_in_the_traceback_are_told(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    library = types.ModuleType("somelib")
    library.__dict__["__version__"] = "1.2"
    exec(compile("def call(): return 1 / 0", "/x/site-packages/somelib/inner.py", "exec"), library.__dict__)
    monkeypatch.setitem(sys.modules, "somelib", library)
    notebook.namespace["call"] = library.call

    assert notebook.fail("call()").situation.versions == {"somelib": "1.2"}


def test_a_library_that_keeps_its_version_elsewhere_is_told_by_its_metadata(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "somelib.py").write_text("")
    (tmp_path / "SomeLib-3.4.dist-info").mkdir()
    package = types.ModuleType("somelib")
    package.__file__ = str(tmp_path / "somelib" / "__init__.py")
    monkeypatch.setitem(sys.modules, "somelib", package)

    assert notebook.fail("import somelib\n1 / 0").situation.versions == {"somelib": "3.4"}


def test_pythons_own_modules_have_no_version_of_their_own(notebook: Notebook) -> None:
    failure = notebook.fail("import json\njson.loads('{')")

    assert failure.situation.versions == {}
    assert failure.situation.python == platform.python_version()


def test_a_module_is_not_asked_for_its_version(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    class Lazy(types.ModuleType):
        def __getattr__(self, name: str) -> str:
            raise AssertionError(name)

    monkeypatch.setitem(sys.modules, "somelib", Lazy("somelib"))

    assert notebook.fail("import somelib\n1 / 0").situation.versions == {}
