"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

import reflex_ipython

HEAVY = "nbclient nbformat IPython jupyter_client openai pydantic rich sqlalchemy"
LOOK = f"import sys, reflex_ipython; print(*(name for name in {HEAVY.split()!r} if name in sys.modules))"


@pytest.mark.parametrize("name", reflex_ipython.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert hasattr(reflex_ipython, name)
    assert name in dir(reflex_ipython)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'reflex_ipython' has no attribute 'heel_notebook'"):
        reflex_ipython.heel_notebook  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_package_imports_nothing_heavy() -> None:
    loaded = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []
