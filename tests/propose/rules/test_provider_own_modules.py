"""The user's own modules: in another folder, changed since they were imported, with names that are like others."""

from __future__ import annotations

import pytest

from reflex_ipython.models import Failure, Lookup
from tests.propose.rules.build import best, failure, fixed, fixes, offered


def not_found(source: str, wanted: str, *paths: str) -> Failure:
    lookup = Lookup("module", wanted, available=("numpy",), holders=dict.fromkeys(paths, "file"))
    return failure(source, f"ModuleNotFoundError: No module named '{wanted}'", lookup=lookup)


@pytest.mark.parametrize(
    ("source", "path", "expected"),
    [
        ("from cleaning import tidy", "src/cleaning.py", "from src.cleaning import tidy"),
        ("import cleaning\ncleaning.tidy(t)", "src/cleaning.py", "from src import cleaning\ncleaning.tidy(t)"),
        ("import cleaning as c", "lib/own/cleaning.py", "from lib.own import cleaning as c"),
        ("import cleaning", "../cleaning.py", 'import sys\nsys.path.append("..")\nimport cleaning'),
        ("from src.a import b", "../src/", 'import sys\nsys.path.append("..")\nfrom src.a import b'),
        ("import cleaning", "my code/cleaning.py", 'import sys\nsys.path.append("my code")\nimport cleaning'),
    ],
)
def test_a_module_of_another_folder_is_imported_from_there(source: str, path: str, expected: str) -> None:
    assert best(not_found(source, source.split()[1].partition(".")[0], path)) == expected


def test_of_several_files_of_that_name_none_is_sure() -> None:
    found = offered(not_found("import cleaning", "cleaning", "old/cleaning.py", "src/cleaning.py"))
    assert len(found) == 4
    assert max(found.values()) < 0.85


def test_a_name_of_another_file_is_imported_from_there() -> None:
    lookup = Lookup("import", "rmse", "metrics", "module", ("mae",), {"lib/scores.py": "defines"})
    error = "ImportError: cannot import name 'rmse' from 'metrics' (metrics.py)"
    assert best(failure("from metrics import rmse", error, lookup=lookup)) == "from lib.scores import rmse"
    two = Lookup("import", "rmse", "metrics", "module", ("mae",), {"a.py": "defines", "b.py": "defines"})
    found = offered(failure("from metrics import rmse", error, lookup=two))
    assert found == {"from a import rmse": 0.5, "from b import rmse": 0.5}


def test_a_name_of_a_package_that_is_called_otherwise_by_now_is_imported_from_there() -> None:
    error = "ModuleNotFoundError: No module named 'utils'"
    lookup = Lookup("module", "utils", available=("numpy",), holders={"tools/text.py": "defines"})
    assert best(failure("from utils.text import slug", error, lookup=lookup)) == "from tools.text import slug"
    other = offered(failure("from utils.words import slug", error, lookup=lookup))
    assert other["from tools.text import slug"] == 0.5  # the file has another name as well


def test_several_names_of_a_module_that_is_not_there_are_left_alone() -> None:
    lookup = Lookup("module", "utils", available=("numpy",), holders={"tools/text.py": "defines"})
    error = "ModuleNotFoundError: No module named 'utils'"
    assert not offered(failure("from utils import slug, slugs", error, lookup=lookup))


@pytest.mark.parametrize(
    ("source", "line", "kind", "expected"),
    [
        ("x = 1\ny = sh.side(3)", 2, "attribute", "x = 1\nimport importlib\nimportlib.reload(sh)\ny = sh.side(3)"),
        (
            "def f():\n    return sh.side(3)\nf()",
            2,
            "attribute",
            "import importlib\nimportlib.reload(sh)\ndef f():\n    return sh.side(3)\nf()",
        ),
        (
            "from sh import side",
            1,
            "import",
            "import importlib\nimport sh\nimportlib.reload(sh)\nfrom sh import side",
        ),
    ],
)
def test_a_module_that_has_changed_is_read_anew(source: str, line: int, kind: str, expected: str) -> None:
    lookup = Lookup(kind, "side", "sh", "module", ("area", "sides"), {"sh.py": "file"})  # type: ignore[arg-type]  # a str
    error = "AttributeError: module 'sh' has no attribute 'side'"
    assert fixed(failure(source, error, lookup=lookup, line=line)) == expected


def test_the_only_name_that_begins_so_is_offered_as_one_possibility() -> None:
    lookup = Lookup("import", "load_data", "own", "module", ("load_rows", "save_rows"))
    failed = failure(
        "from own import load_data", "ImportError: cannot import name 'load_data' from 'own'", lookup=lookup
    )
    assert offered(failed) == {"from own import load_rows": 0.4}
    lookup = Lookup("import", "load_data", "own", "module", ("load_rows", "load_columns"))
    failed = failure(
        "from own import load_data", "ImportError: cannot import name 'load_data' from 'own'", lookup=lookup
    )
    assert fixes(failed) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import mlhelpers", "import mlhelp"),
        ("import mlhelpers\nmlhelpers.scores(t)", "import mlhelp\nmlhelp.scores(t)"),
        ("from mlhelpers.io import rows", "from mlhelp.io import rows"),
    ],
)
def test_a_module_of_ones_own_with_a_name_like_it_is_imported(source: str, expected: str) -> None:
    lookup = Lookup("module", "mlhelpers", available=("xml",), holders={"mlhelp": "alike"})
    failed = failure(source, "ModuleNotFoundError: No module named 'mlhelpers'", lookup=lookup)
    assert offered(failed)[expected] == 0.88


def test_a_module_of_a_known_distribution_is_not_taken_for_ones_own() -> None:
    lookup = Lookup("module", "plotly", holders={"plot": "alike"})
    assert not fixes(failure("import plotly", "ModuleNotFoundError: No module named 'plotly'", lookup=lookup))
