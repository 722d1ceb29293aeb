from __future__ import annotations

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import NO_KEY_NEEDED, address, is_loopback
from reflex_ipython.settings import Settings

ELSEWHERE = "https://models.example/v1"
HERE = "http://localhost:11434/v1"
ENVIRONMENT = {"OPENAI_API_KEY": "env-key"}


@pytest.mark.parametrize(
    ("settings", "environ", "base_url", "key"),
    [
        (Settings(), {}, "https://api.openai.com/v1", None),
        (Settings(), ENVIRONMENT, "https://api.openai.com/v1", "env-key"),
        (Settings(api_key="mine"), ENVIRONMENT, "https://api.openai.com/v1", "mine"),
        (Settings(), {**ENVIRONMENT, "OPENAI_BASE_URL": ELSEWHERE}, ELSEWHERE, "env-key"),
        (Settings(base_url=ELSEWHERE), ENVIRONMENT, ELSEWHERE, "env-key"),
        (Settings(base_url=ELSEWHERE), {}, ELSEWHERE, None),
        (Settings(base_url=HERE), {}, HERE, NO_KEY_NEEDED),
        (Settings(base_url=HERE), ENVIRONMENT, HERE, NO_KEY_NEEDED),
        (Settings(base_url=HERE, api_key="mine"), ENVIRONMENT, HERE, "mine"),
        (Settings(), {**ENVIRONMENT, "OPENAI_BASE_URL": HERE}, HERE, "env-key"),
        (Settings(), {"OPENAI_BASE_URL": HERE}, HERE, NO_KEY_NEEDED),
        (Settings(base_url=ELSEWHERE, key_variable="MINE"), {**ENVIRONMENT, "MINE": "my-key"}, ELSEWHERE, "my-key"),
        (Settings(base_url=ELSEWHERE, key_variable="MINE"), ENVIRONMENT, ELSEWHERE, None),
        (Settings(base_url=HERE, key_variable="MINE"), {**ENVIRONMENT, "MINE": "my-key"}, HERE, "my-key"),
        (Settings(base_url=HERE, key_variable="MINE"), ENVIRONMENT, HERE, NO_KEY_NEEDED),
        (Settings(api_key="mine", key_variable="MINE"), {"MINE": "my-key"}, "https://api.openai.com/v1", "mine"),
    ],
)
def test_the_server_and_its_key_come_from_the_settings_else_from_the_environment(settings, environ, base_url, key):
    found = address(settings, environ)
    assert (found.base_url, found.key) == (base_url, key)


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://localhost:1234/v1", True),
        ("http://LOCALHOST/v1", True),
        ("http://ollama.localhost/v1", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.1.2.3/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://0.0.0.0:11434/v1", True),
        ("http://localhost.example/v1", False),
        ("http://192.168.1.5:11434/v1", False),
        ("https://api.openai.com/v1", False),
        ("https://127.0.0.1.example/v1", False),
        ("https://localhost@models.example/v1", False),
    ],
)
def test_only_this_machine_is_loopback(url, here):
    assert is_loopback(url) is here


def test_the_key_is_not_in_the_repr():
    assert "mine" not in repr(address(Settings(api_key="mine"), {}))


def test_a_password_in_the_address_is_not_in_its_name():
    found = address(Settings(base_url="https://me:word@models.example:8000/v1?token=x"), {})
    assert (found.host, found.shown) == ("models.example:8000", "https://models.example:8000/v1")


@pytest.mark.parametrize("url", ["localhost:11434", "models.example/v1", "file:///etc", "http://[::1/v1"])
def test_what_is_no_address_is_refused_in_words(url):
    with pytest.raises(ModelError, match=r"Reflex\.base_url"):
        address(Settings(base_url=url), {})
