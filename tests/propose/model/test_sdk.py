"""Asking a model runs no file of the user's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.anthropic_messages import AnthropicMessages
from reflex_ipython.propose.openai_chat import OpenAIChat
from reflex_ipython.propose.sdk import refuse_own_file


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A first try at a library, with its name."""
    file = tmp_path / "an_sdk.py"
    file.write_text("import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n")
    monkeypatch.syspath_prepend(tmp_path)
    return file


def test_a_file_of_the_users_in_its_place_is_named_and_not_run(own_file: Path) -> None:
    with pytest.raises(ModelError, match=r"finds your own file .*an_sdk\.py"):
        refuse_own_file("an_sdk")
    assert not own_file.with_name("ran").exists()


@pytest.mark.parametrize(("transport", "name"), [(OpenAIChat, "openai"), (AnthropicMessages, "anthropic")])
def test_who_asks_a_model_looks_for_one_before_the_library_is_imported(
    transport: Any, name: str, own_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_file.rename(own_file.with_name(f"{name}.py"))
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(ModelError, match=f"finds your own file .*{name}"):
        transport._client(object.__new__(transport), None, None, None)
    assert not own_file.with_name("ran").exists()


def test_one_that_the_user_has_imported_is_not_taken_for_it(own_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    __import__("an_sdk")
    try:
        with pytest.raises(ModelError, match="your own file"):
            refuse_own_file("an_sdk")
    finally:
        sys.modules.pop("an_sdk")


def test_a_package_may_be_imported_and_what_is_not_there_says_so_itself(own_file: Path) -> None:
    own_file.unlink()
    own_file.with_suffix("").mkdir()
    (own_file.with_suffix("") / "__init__.py").touch()
    refuse_own_file("an_sdk")
    refuse_own_file("no_sdk_of_that_name")
