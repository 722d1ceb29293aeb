"""A model is chosen as a whole: its name, its address and its key's variable, or nothing of it."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.model_choice import ModelChoice, at_address, choose_model
from reflex_ipython.propose.address import address
from reflex_ipython.settings import OPENAI_API_KEY
from reflex_ipython.testing import Refuse, Say, ScriptedServer

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
    choose_model(config, ModelChoice("before", ELSEWHERE, "MINE"))
    with pytest.raises(BadInput, match=words) as caught:
        choose_model(config, ModelChoice(model, base_url, key_variable))
    assert chosen(shell) == ("before", ELSEWHERE, "MINE")
    assert HUGGING_FACE not in str(caught.value)


def test_nobody_sees_a_half_of_it(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Chosen] = []
    shell.reflex_extension.config.observe(lambda change: seen.append(chosen(shell)))
    choose_model(shell.reflex_extension.config, ModelChoice("tiny", HERE, "MINE"))
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


def test_where_structured_answers_are_wanted_it_is_said_what_they_are(run: Any) -> None:
    assert "nswers" not in run("%reflex model groq:large")[1]
    run("%config Reflex.answers = 'structured'")
    assert "Its answers are blocks of code: not every model of api.groq.com is known" in run("%reflex model large")[1]
    assert "Its answers are structured.\n" in run("%reflex model ollama:small")[1]


# ------------------------------------------------------------------------------------------ providers by their names


def set_now(shell: Any) -> tuple[str | None, ...]:
    settings = shell.reflex_extension.settings
    return settings.provider, settings.model, settings.base_url, settings.key_variable


def test_a_providers_name_before_a_colon_is_all_that_it_takes(run: Any, shell: Any) -> None:
    _, text = run("%reflex model groq:large")
    assert set_now(shell) == ("groq", "large", None, OPENAI_API_KEY)
    assert "large at groq is asked" in text
    assert "ipython_config.py: c.Reflex.provider = 'groq'; c.Reflex.model = 'large'\n" in text
    found = address(shell.reflex_extension.settings, {"GROQ_API_KEY": "its-key", "OPENAI_API_KEY": "another"})
    assert (found.base_url, found.key) == ("https://api.groq.com/openai/v1", "its-key")
    run("%reflex model small")
    assert set_now(shell) == ("groq", "small", None, OPENAI_API_KEY)
    run("%reflex model ollama:qwen:1.5b")
    assert set_now(shell) == ("ollama", "qwen:1.5b", None, OPENAI_API_KEY)


def test_beside_an_address_the_name_is_as_the_server_knows_it(run: Any, shell: Any) -> None:
    run(f"%reflex model groq:large --base-url {HERE}")
    assert set_now(shell) == (None, "groq:large", HERE, OPENAI_API_KEY)
    run(f"%reflex model large --base-url {HERE} --provider anthropic --key-variable MINE")
    assert set_now(shell) == ("anthropic", "large", HERE, "MINE")
    run(f"%reflex model azure:mine --base-url {ELSEWHERE}")
    assert set_now(shell) == ("azure", "mine", ELSEWHERE, OPENAI_API_KEY)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("model large --provider grok", "'grok' is none of the providers"),
        ("model --provider groq", "Name the model as well"),
        ("model groq:", "The model's name is missing"),
        ("model azure:mine", "set AZURE_OPENAI_ENDPOINT, or Reflex.base_url"),
        ("model --test", "No model is chosen: `%reflex model NAME --test` tests one."),
    ],
)
def test_what_no_provider_can_be_asked_is_said(run: Any, shell: Any, line: str, words: str) -> None:
    result, text = run(f"%reflex {line}")
    assert not result.success
    assert words in text
    assert set_now(shell) == (None, None, None, OPENAI_API_KEY)


def test_providers_whose_key_is_there_are_listed_and_the_key_is_not(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_ipython.ipython.actions.find_local_servers", list)
    monkeypatch.setenv("GROQ_API_KEY", "gsk-never-shown-4711")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "never-shown-4712")  # whose address is not known
    text = run("%reflex model")[1]
    assert "GROQ_API_KEY is set: `%reflex model groq:NAME` asks Groq." in text
    assert "never-shown" not in text
    assert "AZURE" not in text


def test_a_model_is_tested_without_being_chosen(run: Any, shell: Any) -> None:
    with ScriptedServer(Say(["ready"]), Refuse(404, "no such model")) as server:
        _, text = run(f"%reflex model tiny --base-url {server.base_url} --test")
        assert text.startswith(f"tiny at {server.base_url} answered in ")
        assert set_now(shell) == (None, None, None, OPENAI_API_KEY)
        run(f"%reflex model tiny --base-url {server.base_url}")
        assert "has no model tiny. It has: scripted." in run("%reflex model --test")[1]
        assert "ready" in str(server.chats[0].json["messages"])


@pytest.mark.parametrize(
    ("base_url", "key_variable", "choice"),
    [
        ("https://api.openai.com/v1", OPENAI_API_KEY, ModelChoice("m")),
        ("https://api.groq.com/openai/v1", "GROQ_API_KEY", ModelChoice("m", provider="groq")),
        ("https://api.groq.com/openai/v1", "MINE", ModelChoice("m", None, "MINE", "groq")),
        ("https://mine.openai.azure.com", "AZURE_OPENAI_API_KEY", ModelChoice("m", provider="azure")),
        (ELSEWHERE, "MINE", ModelChoice("m", ELSEWHERE, "MINE")),
    ],
)
def test_a_forms_address_is_a_providers_where_it_has_one(
    base_url: str, key_variable: str, choice: ModelChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com")
    assert at_address("m", base_url, key_variable, "https://api.openai.com/v1") == choice
