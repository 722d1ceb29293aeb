"""The settings, wherever they are set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.settings import Settings, describe


def test_config_lists_every_setting_with_its_help(run: Any) -> None:
    _, text = run("%config Reflex")
    for setting in describe():
        assert f"Reflex.{setting.name}=" in text
        assert setting.help.split("%")[0].split()[0] in text


def test_a_setting_takes_effect_at_once(run: Any, shell: Any) -> None:
    run("%config Reflex.timeout = 5.5")
    assert shell.reflex_extension.assembly.session.settings.timeout == 5.5


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Reflex.timeout = -1", "less than 0.1 seconds"),
        ("Reflex.timeout = 'long'", "timeout"),
        ("Reflex.ask_model = 'never'", "ask_model"),
        ("Reflex.summary_size = 1", "less than 80 characters"),
        ("Reflex.key_variable = 'my key'", "give the name of an environment variable"),
        ("Reflex.key_variable = ''", "give the name of an environment variable"),
        ("Reflex.key_variable = 'KEY\\n'", "give the name of an environment variable"),
    ],
)
def test_a_bad_value_is_refused_in_words_and_changes_nothing(
    run: Any, shell: Any, caplog: pytest.LogCaptureFixture, line: str, words: str
) -> None:
    before = shell.reflex_extension.assembly.session.settings
    run(f"%config {line}")
    assert words in caplog.text  # %config logs what is wrong
    assert shell.reflex_extension.assembly.session.settings == before
    run("%config Reflex.timeout = 7.0")
    assert shell.reflex_extension.assembly.session.settings.timeout == 7.0


def test_a_bad_value_in_a_configuration_file_is_named_and_the_rest_works(plain_shell: Any) -> None:
    plain_shell.config.Reflex.timeout = -3.0
    with pytest.raises(ValueError, match=r"Reflex\.timeout"):
        reflex_ipython.load_ipython_extension(plain_shell)
    assert "reflex" not in plain_shell.magics_manager.magics["line"]
    assert not any("Reflex" in type(one).__name__ for one in plain_shell.configurables)


def test_what_was_registered_before_a_registration_that_fails_is_taken_out_again(
    plain_shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left() -> list[int]:
        kept = (plain_shell.configurables, plain_shell.input_transformers_cleanup, plain_shell.ast_transformers)
        return [len(one) for one in kept]

    def fails(*_: Any) -> None:
        raise RuntimeError("not now")

    before = left()
    monkeypatch.setattr("reflex_ipython.ipython.hooks.Hooks.install", fails)
    with pytest.raises(RuntimeError, match="not now"):
        reflex_ipython.load_ipython_extension(plain_shell)
    assert left() == before
    assert "reflex" not in plain_shell.magics_manager.magics["line"]


def test_the_key_is_never_shown() -> None:
    assert "secret" not in repr(Settings(api_key="secret"))


def test_what_is_put_in_the_place_of_the_keys_variable_is_not_shown(run: Any, caplog: pytest.LogCaptureFixture) -> None:
    _, text = run("%config Reflex.key_variable = 'sk-very-secret'")
    assert "not the key itself" in caplog.text
    assert "very-secret" not in caplog.text + text


def test_the_readme_lists_every_setting_with_its_unit_and_default() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    for setting in describe():
        row = next((line for line in readme.splitlines() if line.startswith(f"| `{setting.name}`")), "")
        assert row, f"README.md has no row for {setting.name}"
        assert f"`{setting.default!r}`" in row
        assert setting.unit in row
