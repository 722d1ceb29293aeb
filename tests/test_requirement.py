"""What may be installed at a click is a name, with extras and versions, and nothing else that pip takes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reflex_ipython.base.distributions import DISTRIBUTIONS, known_distribution
from reflex_ipython.capture.lookup.requirements import asked_for
from reflex_ipython.models.requirement import is_plain, name_of

PLAIN = ["scikit-learn", "pyarrow>=15", "a[b,c]>=1,<2", "ruamel.yaml==0.18.*", "Flask-SQLAlchemy"]
NOT_PLAIN = [
    "", "-r x", "--index-url=http://x", "a b", "a --pre", "a@http://x", "git+https://x", "./a", "a/b", "a\\b",
    "evil.whl", "a" * 201,
    "evil.zip[x]", "a==1.zip", "a; os_name=='nt'", "a\n-r b", "a>=1\n", "a`id`", "a$(id)", 'a"b', "a'b", "a-", "ａ",
]  # fmt: skip


@pytest.mark.parametrize("requirement", PLAIN)
def test_a_name_with_extras_and_versions_is_plain(requirement: str) -> None:
    assert is_plain(requirement)


@pytest.mark.parametrize("requirement", NOT_PLAIN)
def test_an_option_an_address_a_path_or_a_file_is_not(requirement: str) -> None:
    assert not is_plain(requirement)
    assert name_of(requirement) == ""


def test_all_that_is_known_can_be_installed_by_its_name() -> None:
    assert [name for name in DISTRIBUTIONS.values() if not is_plain(name)] == []


def test_what_a_package_that_is_there_comes_in_is_not_what_is_missing() -> None:
    assert known_distribution("sklearn.linear_model") == "scikit-learn"
    assert known_distribution("sklearn.linear_mdoel", below="sklearn") == ""
    assert known_distribution("mpl_toolkits.basemap", below="mpl_toolkits") == "basemap"
    assert known_distribution("pnadas") == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tomlkit\n", "tomlkit"),
        ("numpy\nTomlKit >= 0.12 ; python_version > '3'  # why\n", "TomlKit >= 0.12"),
        ("--extra-index-url http://127.0.0.1:1/\ntomlkit\n", ""),
        ("-i http://127.0.0.1:1/\ntomlkit\n", ""),
        ("tomlkit @ http://127.0.0.1:1/x.whl\n./tomlkit\n-e tomlkit\n", ""),
        ("tomlkit2\n", ""),
    ],
)
def test_a_file_beside_the_notebook_may_ask_for_it(text: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(text)
    assert asked_for("tomlkit.items", str(tmp_path)) == found


def test_a_project_file_may_as_well(tmp_path: Path) -> None:
    pytest.importorskip("tomllib")
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "mine"\ndependencies = ["a @ http://x", "scikit-learn>=1"]\n'
    )
    assert asked_for("sklearn", str(tmp_path)) == "scikit-learn>=1"


@pytest.mark.parametrize("text", ["[project", "project = 1", "[project]\ndependencies = 5"])
def test_a_project_file_that_makes_no_sense_asks_for_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert asked_for("sklearn", str(tmp_path)) == ""


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "requirements.txt")
    assert asked_for("sklearn", str(tmp_path)) == ""
