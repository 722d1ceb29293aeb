"""Which secrets are known here: the keys of the settings, and what variables held. What leaves is without them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from reflex_ipython.propose.presets import PRESETS
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.capture.redactor import SecretRedactor


class Redaction:
    """Makes redactors that know them.

    Parameters
    ----------
    settings : callable
        Gives the settings as they are now.
    held : frozenset of str
        Secrets that variables hold.
    """

    def __init__(self, settings: Callable[[], Settings], held: frozenset[str] = frozenset()) -> None:
        self._settings = settings
        self._held = held

    def add(self, held: frozenset[str]) -> None:
        """Variables held these as well."""
        self._held |= held

    def redactor(self, *, paths_in_code: bool = False) -> SecretRedactor:
        """A new one. `paths_in_code`: paths that stand in code are kept as they are."""
        from reflex_ipython.capture.redactor import SecretRedactor  # no reply waits for it

        settings = self._settings()
        variables = {settings.key_variable, *(preset.key_variable for preset in PRESETS.values())}
        keys = {settings.api_key, *(os.environ.get(name) for name in variables if name)}
        return SecretRedactor(known=self._held | {key for key in keys if key}, paths_in_code=paths_in_code)

    def withheld(self, text: str) -> list[str]:
        """What kinds of secrets a text holds, in a word each."""
        redactor = self.redactor()
        return [one.kind for one in redactor.withheld(redactor.text(text, code=True))]
