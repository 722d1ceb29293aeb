"""Choosing the model that is asked: its name, its address and its key's variable are set together, or none of them."""

from __future__ import annotations

import dataclasses

from reflex_ipython.capture.secrets import find
from reflex_ipython.errors import BadInput, ModelError
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.propose.address import address
from reflex_ipython.settings import Settings

_LONGEST = {"name": 200, "address": 2_000}
NOT_A_VARIABLE = (
    "The key variable is the name of an environment variable (letters, digits and _), such as OPENAI_API_KEY. "
    "The key itself does not go here."
)


def with_model(settings: Settings, model: str, base_url: str | None, key_variable: str) -> Settings:
    """The settings with another model.

    Parameters
    ----------
    settings : Settings
    model : str
        Its name.
    base_url : str or None
        Its server's address. None: OPENAI_BASE_URL, else OpenAI's.
    key_variable : str
        The name of the environment variable that holds the key.

    Raises
    ------
    BadInput
        If one of them can't be; the text says which.
    """
    if find(key_variable):  # some keys would do for a name; this is said without showing it
        raise BadInput(NOT_A_VARIABLE)
    _text("model", "name", model)
    if base_url is not None:
        _text("server", "address", base_url)
    try:
        changed = dataclasses.replace(settings, model=model, base_url=base_url, key_variable=key_variable)
        host = address(changed).host
    except ValueError:  # the only one of the three that the settings themselves look at
        raise BadInput(NOT_A_VARIABLE) from None
    except ModelError:
        host = ""
    if not host or "/" in host:
        raise BadInput("The server's address must begin with http:// or https://, and then name the server.")
    return changed


def choose_model(config: Reflex, model: str, base_url: str | None, key_variable: str) -> Settings:
    """Have another model asked from now on; parameters as above.

    Returns
    -------
    Settings
        What is set now.

    Raises
    ------
    BadInput
        With nothing changed.
    """
    changed = with_model(config.settings(), model, base_url, key_variable)
    with config.hold_trait_notifications():  # else a question might go to the old server under the new name
        config.base_url, config.key_variable, config.model = changed.base_url, changed.key_variable, changed.model
    return changed


def _text(whose: str, what: str, value: str) -> None:
    if not value or value != value.strip():
        raise BadInput(f"The {whose}'s {what} is missing.")
    if len(value) > _LONGEST[what] or not value.isprintable():
        raise BadInput(f"That is no {what} of a {whose}.")
