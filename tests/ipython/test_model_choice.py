"""A model is chosen as a whole: its name, its address and its key's variable, or nothing of it."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.model_choice import choose_model
from reflex_ipython.settings import OPENAI_API_KEY

HERE = "http://127.0.0.1:9/v1"
ELSEWHERE = "https://models.example/v1"
HUGGING_FACE = "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz012345678"  # would do for a name

Chosen = tuple[str | None, str | None, str]


def chosen(shell: Any) -> Chosen:
    settings = shell.reflex_extension.settings
    return settings.model, settings.base_url, settings.key_variable


@pytest.mark.parametrize(
    ("model", "base_url", "key_variable", "words"),
    [
        ("", HERE, OPENAI_API_KEY, "The model's name is missing"),
        (" tiny", HERE, OPENAI_API_KEY, "The model's name is missing"),
        ("ti\nny", HERE, OPENAI_API_KEY, "no name of a model"),
        ("t" * 201, HERE, OPENAI_API_KEY, "no name of a model"),
        ("tiny", "", OPENAI_API_KEY, "The server's address is missing"),
        ("tiny", "127.0.0.1:9/v1", OPENAI_API_KEY, "must begin with http"),
        ("tiny", "http:///v1", OPENAI_API_KEY, "then name the server"),
        ("tiny", "http://[::1/v1", OPENAI_API_KEY, "then name the server"),
        ("tiny", "file:///etc/passwd", OPENAI_API_KEY, "must begin with http"),
        ("tiny", HERE, "my key", "name of an environment variable"),
        ("tiny", HERE, "", "name of an environment variable"),
        ("tiny", HERE, HUGGING_FACE, "The key itself does not go here"),
    ],
)
def test_what_can_not_be_is_refused_in_words_and_changes_nothing(
    shell: Any, model: str, base_url: str, key_variable: str, words: str
) -> None:
    config = shell.reflex_extension.config
    choose_model(config, "before", ELSEWHERE, "MINE")
    with pytest.raises(BadInput, match=words) as caught:
        choose_model(config, model, base_url, key_variable)
    assert chosen(shell) == ("before", ELSEWHERE, "MINE")
    assert HUGGING_FACE not in str(caught.value)


def test_nobody_sees_a_half_of_it(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Chosen] = []
    shell.reflex_extension.config.observe(lambda change: seen.append(chosen(shell)))
    choose_model(shell.reflex_extension.config, "tiny", HERE, "MINE")
    assert set(seen) == {("tiny", HERE, "MINE")}


def test_the_command_takes_the_variable_and_says_how_to_keep_it(run: Any, shell: Any) -> None:
    _, text = run(f"%reflex model tiny --base-url {ELSEWHERE} --key-variable MINE")
    assert chosen(shell) == ("tiny", ELSEWHERE, "MINE")
    assert "Its key is read from MINE." in text
    assert "; c.Reflex.key_variable = 'MINE'" in text
    run("%reflex model large")
    assert chosen(shell) == ("large", ELSEWHERE, "MINE")


def test_a_key_is_not_taken_along_to_another_server(run: Any, shell: Any) -> None:
    run(f"%reflex model tiny --base-url {ELSEWHERE} --key-variable MINE")
    _, text = run(f"%reflex model tiny --base-url {HERE}")
    assert chosen(shell) == ("tiny", HERE, OPENAI_API_KEY)
    assert "MINE" not in text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("model --key-variable MINE", "Name the model as well"),
        ("model tiny --key-variable sk-abcdefghij0123456789", "The key itself does not go here"),
        ("model tiny --base-url localhost:11434", "must begin with http"),
    ],
)
def test_a_bad_command_says_what_to_do_and_changes_nothing(run: Any, shell: Any, line: str, words: str) -> None:
    result, text = run(f"%reflex {line}")
    assert not result.success
    assert words in text
    assert chosen(shell) == (None, None, OPENAI_API_KEY)


def test_the_list_of_models_names_the_variable(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_ipython.ipython.actions.find_local_servers", list)
    assert "set OPENAI_API_KEY in the kernel's environment" in run("%reflex model")[1]
    run("%config Reflex.key_variable = 'MINE'")
    assert "set MINE in the kernel's environment" in run("%reflex model")[1]
