"""Choosing the model that is asked: its provider, its name, its address and its key's variable are set together, or
none of them.
"""

from __future__ import annotations

import dataclasses

from reflex_ipython.capture.secrets.find import find
from reflex_ipython.errors import BadInput, ModelError
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.propose.address import address, default_address
from reflex_ipython.propose.local.model_file import model_file
from reflex_ipython.propose.presets import LOCAL, PRESETS, preset_at, split
from reflex_ipython.settings import OPENAI_API_KEY, Settings

_LONGEST = {"name": 200, "address": 2_000}
NOT_A_VARIABLE = (
    "The key variable is the name of an environment variable (letters, digits and _), such as OPENAI_API_KEY. "
    "The key itself does not go here."
)


@dataclasses.dataclass(frozen=True)
class ModelChoice:
    """What the user wants asked.

    Parameters
    ----------
    model : str
        Its name on its server.
    base_url : str or None
        Its server's address. None: the provider's own, else OPENAI_BASE_URL, else OpenAI's.
    key_variable : str
        The name of the environment variable that holds the key; as it is by default, the provider's own.
    provider : str or None
        A preset's name.
    """

    model: str
    base_url: str | None = None
    key_variable: str = OPENAI_API_KEY
    provider: str | None = None


def understood(
    name: str, base_url: str | None, key_variable: str | None, provider: str | None, now: Settings
) -> ModelChoice:
    """What `%reflex model NAME` with its options means.

    `groq:NAME` is a model of a provider, at its own address or, behind `--base-url`, where only the provider's users
    know it. With an address alone, the name is as the server knows it: Ollama has models that are called `mistral:7b`.
    A name alone is another model on the same server.

    Raises
    ------
    BadInput
        If there is no such provider.
    ModelError
        If it is a file, and there is no model in it that can be served here.
    """
    before, rest = split(name)
    if provider is None and before and (base_url is None or not PRESETS[before].base_url):
        provider, name = before, rest
    if provider is not None:
        if provider not in PRESETS:
            raise BadInput(f"{provider!r} is none of the providers that are known: {', '.join(PRESETS)}.")
        if provider == LOCAL:
            return ModelChoice(str(model_file(name)), provider=LOCAL)  # wherever the kernel's folder may be later
        return ModelChoice(name, base_url, key_variable or OPENAI_API_KEY, provider)
    if base_url is not None and base_url != now.base_url:
        # A key is for the server that it was named for.
        return ModelChoice(name, base_url, key_variable or OPENAI_API_KEY)
    return ModelChoice(name, now.base_url, key_variable or now.key_variable, now.provider)


def at_address(model: str, base_url: str, key_variable: str, here: str) -> ModelChoice:
    """What a form with these fields means: the address that goes without saying is not set, nor that of a provider.

    Parameters
    ----------
    model, base_url, key_variable : str
    here : str
        The address where nothing names another.
    """
    if base_url == here:
        return ModelChoice(model, None, key_variable)
    own = {default_address(preset=preset): preset for preset in PRESETS.values()}  # Azure's is the user's
    preset = preset_at(base_url) or own.get(base_url)
    if preset is None:
        return ModelChoice(model, base_url, key_variable)
    return ModelChoice(
        model, None, OPENAI_API_KEY if key_variable == preset.key_variable else key_variable, preset.name
    )


def with_model(settings: Settings, choice: ModelChoice) -> Settings:
    """The settings with another model.

    Raises
    ------
    BadInput
        If a part of it can't be; the text says which.
    """
    if find(choice.key_variable):  # some keys would do for a name; this is said without showing it
        raise BadInput(NOT_A_VARIABLE)
    _text("model", "address" if choice.provider == LOCAL else "name", choice.model)
    if choice.base_url is not None:
        _text("server", "address", choice.base_url)
    try:
        changed = dataclasses.replace(settings, **dataclasses.asdict(choice))
    except ValueError:  # the only one of them that the settings themselves look at
        raise BadInput(NOT_A_VARIABLE) from None
    try:
        host = address(changed).host
    except ModelError as error:
        if choice.base_url is None:
            raise BadInput(str(error)) from None
        host = ""
    if not host or "/" in host:
        raise BadInput("The server's address must begin with http:// or https://, and then name the server.")
    return changed


def choose_model(config: Reflex, choice: ModelChoice) -> Settings:
    """Have another model asked from now on.

    Returns
    -------
    Settings
        What is set now.

    Raises
    ------
    BadInput
        With nothing changed.
    """
    changed = with_model(config.settings(), choice)
    with config.hold_trait_notifications():  # else a question might go to the old server under the new name
        for field in dataclasses.fields(choice):
            setattr(config, field.name, getattr(changed, field.name))
    return changed


def _text(whose: str, what: str, value: str) -> None:
    if not value or value != value.strip():
        raise BadInput(f"The {whose}'s {what} is missing.")
    if len(value) > _LONGEST[what] or not value.isprintable():
        raise BadInput(f"That is no {what} of a {whose}.")
