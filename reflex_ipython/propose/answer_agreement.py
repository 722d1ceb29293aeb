"""In which form a server's models answer: structured where that is wanted, known to work, and was not refused."""

from __future__ import annotations

import dataclasses

from reflex_ipython.propose.address import Address, address
from reflex_ipython.settings import Settings


class AnswerAgreement:
    """Remembers for one session who has refused a schema."""

    def __init__(self) -> None:
        self._refused: set[tuple[str, str | None]] = set()

    def agreed(self, settings: Settings) -> Settings:
        """The settings with the form of answers that is asked for.

        Raises
        ------
        ModelError
            If they name no address.
        """
        if settings.answers == "structured" and self._why_not(settings, address(settings)):
            return dataclasses.replace(settings, answers="blocks")
        return settings

    def refused(self, settings: Settings) -> None:
        """Note that the server that the settings name takes no schema for this model."""
        self._refused.add((address(settings).base_url, settings.model))

    def in_words(self, settings: Settings) -> str:
        """What became of the wish for structured answers, as a sentence; empty if there is none.

        Raises
        ------
        ModelError
            If the settings name no address.
        """
        if settings.answers != "structured":
            return ""
        why = self._why_not(settings, address(settings))
        return f"Its answers are blocks of code: {why}." if why else "Its answers are structured."

    def _why_not(self, settings: Settings, where: Address) -> str:
        if (where.base_url, settings.model) in self._refused:
            return f"{where.host} has refused a JSON schema in this session"
        return "" if where.preset.structured else f"not every model of {where.host} is known to keep to a JSON schema"
